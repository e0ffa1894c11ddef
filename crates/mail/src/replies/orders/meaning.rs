//! What a part of a line means: an action, a command, nearly one of them, or something else.

use super::super::commands::{self, Command, CommandReading};
use super::super::doubts::Line;
use super::super::table_message::is_closing;
use super::plain::{is_exclamation, plain, without_last_sign};
use super::{MAX_LINE_CHARS, Section};
use pippost_games::letters::notation::{LineReading, ReadLines};
use pippost_record::rules::Unreadable;

/// The meaning of one part of a line.
pub(super) enum Meaning {
    Action(String),
    Command(Command),
    Broken(Unreadable),
    /// It begins with the word of an action and goes on like no action.
    Distant(Unreadable),
    Other,
}

impl Meaning {
    /// What the doubts about a mail count it as.
    pub(super) fn taken_for(&self, place: Section) -> Line {
        match (self, place) {
            (Self::Action(_), Section::Below) => Line::Stray,
            (Self::Other, _) | (_, Section::Below) => Line::Other,
            (Self::Broken(_) | Self::Distant(_), _) => Line::Nearly,
            _ => Line::Order,
        }
    }

    /// Reads a part with what stands around it.
    pub(super) fn read_whole(part: &str, place: Section, action: &dyn ReadLines) -> Self {
        if part.chars().count() > MAX_LINE_CHARS || is_exclamation(part) {
            return Self::Other;
        }
        let read = match Self::read(plain(part), action) {
            read @ (Self::Action(_) | Self::Command(_)) => read,
            // Behind an order people put signs that no list has, suits of cards among them.
            read => without_last_sign(plain(part))
                .map(|bare| Self::read(bare, action))
                .filter(|bare| matches!(bare, Self::Action(_) | Self::Command(_)))
                .unwrap_or(read),
        };
        match read {
            // `Take care,` closes a mail, and below the paragraph of the orders stand courtesies rather than orders.
            Self::Distant(_) if is_closing(part) || place == Section::Between => Self::Other,
            Self::Distant(unreadable) => Self::Broken(unreadable),
            read => read,
        }
    }

    fn read(part: &str, action: &dyn ReadLines) -> Self {
        match (commands::read(part), action.read(part)) {
            (CommandReading::Command(command), _) => Self::Command(command),
            (_, LineReading::Action(text)) => Self::Action(text),
            (_, LineReading::Broken(unreadable)) => Self::Broken(unreadable),
            (_, LineReading::Distant(unreadable)) => Self::Distant(unreadable),
            (CommandReading::Broken, LineReading::Other) => {
                Self::Broken(Unreadable::at(0, "answer-no-command"))
            }
            (CommandReading::Other, LineReading::Other) => Self::Other,
        }
    }
}
