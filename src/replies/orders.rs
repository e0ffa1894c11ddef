//! What a mail asks for: its orders, what is in none of them, and its message to the table.
//!
//! An order is a line that reads wholly as one. Lines above the orders are left out; the orders end with the first paragraph that
//! is none; only a line that begins like an order and is none stops those below it.

use super::commands::{self, Command, CommandReading};
use super::marks::{is_message_mark, message_behind_mark};
use super::our_mail::OurMail;
use super::quoting::{is_blank, is_invisible, own_lines};
use super::table_message::{self, Written};
use crate::accounts::preferences::PreferencesChange;
use crate::games::MAX_ACTIONS;
use crate::games::letters::messages::steers;
use crate::games::letters::notation::LineReading;
use crate::rules::{Sentence, Unreadable};

/// The longest line that may be an order, in characters.
const MAX_LINE_CHARS: usize = 500;

/// How much of what cannot be read is repeated, in characters.
const MAX_REPEATED_CHARS: usize = 80;

/// The most lines that are told of as left out.
const MAX_LEFT_OUT: usize = 4;

/// The most settings that one mail changes.
const MAX_PREFERENCES: usize = 8;

/// What is to be done and told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// Actions in notation, in order.
    pub actions: Vec<String>,
    /// Where reading stopped.
    pub broken: Option<Broken>,
    /// Lines that are no orders, cut and harmless.
    pub left_out: Vec<String>,
    /// How the game stands.
    pub status: bool,
    pub history: bool,
    pub help: bool,
    pub resign: Option<Resignation>,
    pub preferences: Vec<PreferencesChange>,
    /// For the others at the table.
    pub message: Written,
}

/// An order to resign, confirmed by a word or not yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resignation {
    pub word: Option<String>,
}

/// A line that begins like an order and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What stands there, cut and made harmless.
    pub part: String,
    /// Where reading stopped, in characters from the start.
    pub at: Option<usize>,
    pub why: Sentence,
    /// The orders below it, which are not done.
    pub rest: Vec<String>,
}

/// Where reading is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// No order yet.
    Above,
    /// In a paragraph with an order.
    Inside,
    /// Between such a paragraph and the next.
    Between,
    Below,
}

/// Whose text it is, as far as that helps to read it.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    pub ours: &'a OurMail,
    /// What the writer's mail program calls the writer.
    pub name: Option<&'a str>,
}

impl Orders {
    /// The orders in the text of a mail; `action` says what a line is to the rules of the game.
    pub fn read(text: &str, writer: Writer<'_>, action: &dyn Fn(&str) -> LineReading) -> Self {
        let text: String = text.chars().filter(|character| !is_invisible(*character)).collect();
        let own = own_lines(&text, writer.ours);
        let is_mark = |line: &&str| is_message_mark(line) || message_behind_mark(line).is_some();
        let mark = own.iter().position(is_mark).unwrap_or(own.len());
        let behind = own.get(mark).and_then(|line| message_behind_mark(line));
        let below = own.iter().skip(mark + 1).copied();
        let message = table_message::read(&behind.into_iter().chain(below).collect::<Vec<_>>(), writer.name);
        let mut orders = Self { message, ..Self::default() };
        let mut place = Place::Above;
        for line in &own[..mark] {
            if line.is_empty() {
                place = if place == Place::Inside { Place::Between } else { place };
                continue;
            }
            let line = narrow(line);
            for part in line.split(';').map(plain).filter(|part| !part.is_empty()) {
                place = orders.add(part, place, action);
            }
        }
        orders
    }

    /// Takes one part of a line; returns where reading is then.
    fn add(&mut self, part: &str, place: Place, action: &dyn Fn(&str) -> LineReading) -> Place {
        let read = if part.chars().count() > MAX_LINE_CHARS { Part::Other } else { Part::read(part, action) };
        match (read, place) {
            (Part::Other, Place::Between) | (_, Place::Below) => {
                self.leave_out(part);
                Place::Below
            }
            (Part::Other, place) => {
                self.leave_out(part);
                place
            }
            (Part::Broken(Unreadable { at, why, .. }), _) => {
                self.stop(part, at, why);
                Place::Inside
            }
            (Part::Action(_), _) if self.broken.is_some() || self.actions.len() == MAX_ACTIONS => {
                self.stop(part, None, Sentence::new("answer-too-many-actions").count("most", MAX_ACTIONS));
                Place::Inside
            }
            (Part::Action(text), _) => {
                self.actions.push(text);
                Place::Inside
            }
            (Part::Command(command), _) => {
                self.take(command);
                Place::Inside
            }
        }
    }

    /// Nothing from `part` on is done.
    fn stop(&mut self, part: &str, at: Option<usize>, why: Sentence) {
        let part = harmless(part);
        match &mut self.broken {
            Some(broken) if broken.rest.len() < MAX_ACTIONS => broken.rest.push(part),
            Some(_) => {}
            None => self.broken = Some(Broken { part, at, why, rest: Vec::new() }),
        }
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Status => self.status = true,
            Command::History => self.history = true,
            Command::Help => self.help = true,
            Command::Resign(word) => self.resign = Some(Resignation { word }),
            Command::Preference(change) if self.preferences.len() < MAX_PREFERENCES => {
                self.preferences.push(*change);
            }
            Command::Preference(_) => {}
        }
    }

    fn leave_out(&mut self, part: &str) {
        if self.left_out.len() < MAX_LEFT_OUT {
            self.left_out.push(harmless(part));
        }
    }

    /// Whether the mail asks for nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = Self { left_out: self.left_out.clone(), ..Self::default() };
        *self == nothing
    }
}

/// What a part of a line is.
enum Part {
    Action(String),
    Command(Command),
    Broken(Unreadable),
    Other,
}

impl Part {
    fn read(part: &str, action: &dyn Fn(&str) -> LineReading) -> Self {
        match (commands::read(part), action(part)) {
            (CommandReading::Command(command), _) => Self::Command(command),
            (_, LineReading::Action(text)) => Self::Action(text),
            (_, LineReading::Broken(unreadable)) => Self::Broken(unreadable),
            (CommandReading::Broken, LineReading::Other) => {
                Self::Broken(Unreadable::at(0, "answer-no-command"))
            }
            (CommandReading::Other, LineReading::Other) => Self::Other,
        }
    }
}

/// The part without what people and programs put around it: bullets, numbers of a list, quotation marks, emphasis, full stops.
fn plain(part: &str) -> &str {
    let around = |character: char| {
        is_blank(character)
            || matches!(
                character,
                '"' | '\'' | '`' | '*' | '_' | '~' | '\u{ab}' | '\u{bb}' | '\u{2039}' | '\u{203a}'
            )
            || matches!(character, '\u{2018}'..='\u{201f}' | '\u{2022}' | '\u{b7}')
    };
    let mut plain = part;
    loop {
        let before = plain;
        plain = plain.trim_matches(around);
        plain = plain.strip_prefix("- ").or_else(|| plain.strip_prefix("\u{2013} ")).unwrap_or(plain);
        plain = without_number(plain);
        // "?" alone asks for help.
        if plain.chars().any(char::is_alphanumeric) {
            plain = plain.trim_end_matches(['.', '!', ',', ':']);
        }
        if plain == before {
            return plain;
        }
    }
}

/// The line with the wide letters, digits and signs of East Asian keyboards as their usual ones.
fn narrow(line: &str) -> String {
    let usual = |character: char| match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character),
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{3002}' => '.',
        other => other,
    };
    line.chars().map(usual).collect()
}

/// `1. store` or `2) store`
fn without_number(part: &str) -> &str {
    let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = part.len() - rest.len();
    match rest.strip_prefix(['.', ')']) {
        Some(rest) if (1..=2).contains(&digits) && rest.starts_with(' ') => rest.trim_start(),
        _ => part,
    }
}

/// A piece of a mail that can be repeated: one line, short, without anything that steers.
#[must_use]
pub fn harmless(text: &str) -> String {
    let kept: String =
        text.chars().filter(|character| !steers(*character)).take(MAX_REPEATED_CHARS).collect();
    if kept.len() < text.len() && kept.chars().count() == MAX_REPEATED_CHARS {
        format!("{kept}…")
    } else {
        kept
    }
}

#[cfg(test)]
mod tests;
