//! Renders sentences of the rules.

use super::{Arguments, Language, words};
use crate::rules::{Argument, Sentence, Voice};

impl Language {
    /// The sentence in this language; `names` are the players' handles by seat.
    #[must_use]
    pub fn tell(self, sentence: &Sentence, names: &[String]) -> String {
        let fill = |arguments: Arguments, (name, argument): &(&str, Argument)| match argument {
            Argument::Number(number) => arguments.number(name, *number),
            argument => arguments.text(name, self.part(argument, names)),
        };
        let arguments = sentence.arguments.iter().fold(Arguments::default(), fill);
        self.say_with(sentence.key, &arguments)
    }

    fn part(self, argument: &Argument, names: &[String]) -> String {
        let all =
            |parts: &[Argument]| -> Vec<String> { parts.iter().map(|part| self.part(part, names)).collect() };
        match argument {
            Argument::Text(text) => text.clone(),
            Argument::Number(number) => number.to_string(),
            Argument::Player(seat) => {
                let name = seat.and_then(|seat| names.get(seat.index()));
                name.cloned().unwrap_or_else(|| self.say("somebody"))
            }
            Argument::Phrase(phrase) => self.tell(phrase, names),
            Argument::List(parts) => words::list(&all(parts), self),
            Argument::Clauses(parts) => all(parts).join("; "),
        }
    }
}

impl Voice for Language {
    fn say(&self, sentence: &Sentence) -> String {
        self.tell(sentence, &[])
    }
}
