//! Renders sentences of the rules.

use pippost_record::rules::{Sentence, Voice};
use pippost_record::voice;

use super::{Language, catalogue};

/// The end of the key of a text that says what a move will do, while the text without it says what one has done.
const SOON: &str = "-soon";

impl Language {
    /// The sentence in this language; `names` are the players' handles by seat.
    #[must_use]
    pub fn tell(self, sentence: &Sentence, names: &[String]) -> String {
        voice::tell(sentence, names, &|key, arguments| self.say_with(key, arguments))
    }

    /// The sentence for the player who could make it true: as what will happen, where its texts have words for that.
    #[must_use]
    pub fn tell_soon(self, sentence: &Sentence, names: &[String]) -> String {
        voice::tell(sentence, names, &|key, arguments| {
            let soon = catalogue::in_language(self, &format!("{key}{SOON}"), arguments);
            soon.unwrap_or_else(|| self.say_with(key, arguments))
        })
    }
}

impl Voice for Language {
    fn say(&self, sentence: &Sentence) -> String {
        self.tell(sentence, &[])
    }
}
