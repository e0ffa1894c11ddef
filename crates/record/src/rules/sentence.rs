//! The rules' messages to people: the key of a text and its arguments. Each language has a catalogue of texts, which rules do
//! not know.

use std::fmt;

use super::cards::Card;
use super::seat::{Seat, Viewer};

/// A message: a whole sentence, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The text's key in the catalogue; starts with the name of the rule set, or with `rules`.
    pub key: &'static str,
    /// The values of all the text's variables, by name.
    pub arguments: Vec<(&'static str, Argument)>,
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The same in every language: notation, or a word that is not shown but selects a form of the text.
    Text(String),
    /// A number, which may select between singular and plural.
    Number(i64),
    /// A player's name; "somebody" if the seat is not known.
    Player(Option<Seat>),
    Phrase(Sentence),
    /// `a, b and c`
    List(Vec<Argument>),
    /// `a; b; c`
    Clauses(Vec<Argument>),
}

impl Sentence {
    /// A sentence without arguments.
    #[must_use]
    pub fn new(key: &'static str) -> Self {
        Self { key, arguments: Vec::new() }
    }

    fn with(mut self, name: &'static str, argument: Argument) -> Self {
        self.arguments.push((name, argument));
        self
    }

    /// Adds an [`Argument::Text`].
    #[must_use]
    pub fn text(self, name: &'static str, text: impl fmt::Display) -> Self {
        self.with(name, Argument::Text(text.to_string()))
    }

    /// Adds an [`Argument::Number`].
    #[must_use]
    pub fn number(self, name: &'static str, number: impl Into<i64>) -> Self {
        self.with(name, Argument::Number(number.into()))
    }

    /// Adds a number of things.
    #[must_use]
    pub fn count(self, name: &'static str, count: usize) -> Self {
        self.number(name, i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// Adds an [`Argument::Player`].
    #[must_use]
    pub fn player(self, name: &'static str, seat: impl Into<Option<Seat>>) -> Self {
        self.with(name, Argument::Player(seat.into()))
    }

    /// Adds an [`Argument::Phrase`].
    #[must_use]
    pub fn phrase(self, name: &'static str, phrase: impl Into<Self>) -> Self {
        self.with(name, Argument::Phrase(phrase.into()))
    }

    /// A card in words, as in `ten of hearts`.
    #[must_use]
    pub fn of_card(card: Card) -> Self {
        Self::new("rules-card").number("rank", card.rank()).text("suit", card.suit().letter())
    }

    /// A number of things, as in `2 armies`; `key` is the text of the thing.
    #[must_use]
    pub fn of_count(key: &'static str, count: impl Into<i64>) -> Self {
        Self::new(key).number("count", count)
    }

    /// Adds a card in words.
    #[must_use]
    pub fn card(self, name: &'static str, card: Card) -> Self {
        self.phrase(name, Self::of_card(card))
    }

    /// Adds an [`Argument::List`].
    #[must_use]
    pub fn list(self, name: &'static str, parts: impl IntoIterator<Item: Into<Argument>>) -> Self {
        self.with(name, Argument::List(parts.into_iter().map(Into::into).collect()))
    }

    /// Adds an [`Argument::List`] of notation.
    #[must_use]
    pub fn texts(self, name: &'static str, parts: impl IntoIterator<Item: fmt::Display>) -> Self {
        self.list(name, parts.into_iter().map(|part| Argument::Text(part.to_string())))
    }

    /// Adds an [`Argument::Clauses`].
    #[must_use]
    pub fn clauses(self, name: &'static str, parts: impl IntoIterator<Item: Into<Argument>>) -> Self {
        self.with(name, Argument::Clauses(parts.into_iter().map(Into::into).collect()))
    }
}

/// Puts sentences into words. Rules get one where the width of words matters: in boards and pictures.
pub trait Voice {
    fn say(&self, sentence: &Sentence) -> String;
}

/// The labels of a board or a picture: the players' names by seat, and words.
#[derive(Clone, Copy)]
pub struct Captions<'a> {
    pub names: &'a [String],
    voice: &'a dyn Voice,
    viewer: Viewer,
}

impl<'a> Captions<'a> {
    #[must_use]
    pub fn new(names: &'a [String], voice: &'a dyn Voice) -> Self {
        Self { names, voice, viewer: Viewer::Spectator }
    }

    /// The same for this viewer, who finds what is their own below the board.
    #[must_use]
    pub fn seen_by(self, viewer: Viewer) -> Self {
        Self { viewer, ..self }
    }

    /// For whom a board or a picture is made.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    #[must_use]
    pub fn say(&self, sentence: impl Into<Sentence>) -> String {
        self.voice.say(&sentence.into())
    }

    /// The name of a seat; `seat 3` if there is none.
    #[must_use]
    pub fn name(&self, seat: Seat) -> String {
        let name = self.names.get(seat.index()).cloned();
        name.unwrap_or_else(|| self.say(Sentence::new("rules-seat").number("seat", seat.0)))
    }

    /// A number of things, as in `2 armies`; `key` is the text of the thing.
    #[must_use]
    pub fn count(&self, key: &'static str, count: impl Into<i64>) -> String {
        self.say(Sentence::of_count(key, count))
    }
}

impl From<&'static str> for Sentence {
    fn from(key: &'static str) -> Self {
        Self::new(key)
    }
}

impl From<Sentence> for Argument {
    fn from(sentence: Sentence) -> Self {
        Self::Phrase(sentence)
    }
}

/// For logs, where no language is known: the key and its arguments.
impl fmt::Display for Sentence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.key)?;
        self.arguments.iter().try_for_each(|(name, argument)| write!(out, " {name}={argument}"))
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Number(number) => write!(out, "{number}"),
            Self::Player(Some(seat)) => write!(out, "seat {seat}"),
            Self::Player(None) => out.write_str("somebody"),
            Self::Phrase(sentence) => write!(out, "({sentence})"),
            Self::List(parts) | Self::Clauses(parts) => {
                let parts: Vec<_> = parts.iter().map(Self::to_string).collect();
                write!(out, "[{}]", parts.join(", "))
            }
        }
    }
}

/// Sentences in English, for the tests of rule sets.
#[cfg(test)]
pub mod in_english {
    use super::Sentence;
    use crate::rules::{Captions, Halt, Illegal};
    use crate::voice::Wording;

    pub fn captions(names: &[String]) -> Captions<'_> {
        Captions::new(names, &Wording::English)
    }

    pub fn told(sentences: &[Sentence], names: &[String]) -> Vec<String> {
        sentences.iter().map(|sentence| Wording::English.tell(sentence, names)).collect()
    }

    pub fn refusal(halt: &Halt) -> String {
        match halt {
            Halt::Illegal(Illegal(why)) => Wording::English.tell(why, &[]),
            Halt::NoChance(no_chance) => no_chance.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_names_the_text_and_what_fills_it() {
        let phrase = Sentence::new("rules-part").number("count", 2).player("player", Seat(1));
        let sentence = Sentence::new("rules-whole").text("cell", "c3").list("parts", [phrase]);
        assert_eq!(sentence.to_string(), "rules-whole cell=c3 parts=[(rules-part count=2 player=seat 1)]");
        let nobody =
            Sentence::new("rules-whole").player("player", None).clauses("rest", Vec::<Sentence>::new());
        assert_eq!(nobody.to_string(), "rules-whole player=somebody rest=[]");
    }
}
