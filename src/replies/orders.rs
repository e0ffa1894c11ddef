//! What a mail asks for.

use super::quoting::{MESSAGE_MARK, own_lines};
use crate::games::MAX_ACTIONS;
use crate::games::messages::{MAX_MESSAGE_CHARS, clean_message, steers};
use crate::rules::Sentence;

/// The longest line of commands, in characters.
const MAX_LINE_CHARS: usize = 500;

/// How much of what cannot be read is repeated, in characters.
const MAX_REPEATED_CHARS: usize = 80;

/// What is to be done and told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// Actions in notation, in order.
    pub actions: Vec<String>,
    /// How the game stands.
    pub status: bool,
    pub history: bool,
    pub help: bool,
    pub resign: Option<Resignation>,
    /// For the others at the table.
    pub message: Option<String>,
}

/// A wish to resign, confirmed by a word or not yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resignation {
    pub word: Option<String>,
}

/// Commands that contradict each other or are beyond all bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confused {
    /// What stands there, cut and made harmless.
    pub part: String,
    pub why: Sentence,
}

impl Orders {
    /// The orders in the text of a mail.
    ///
    /// # Errors
    /// [`Confused`].
    pub fn read(text: &str) -> Result<Self, Confused> {
        let own = own_lines(text);
        let mark = own.iter().position(|line| *line == MESSAGE_MARK).unwrap_or(own.len());
        let mut orders =
            Self { message: message(own.get(mark + 1..).unwrap_or_default())?, ..Self::default() };
        let commands =
            own[..mark].iter().skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
        for line in commands {
            if line.chars().count() > MAX_LINE_CHARS {
                let why = Sentence::new("answer-line-too-long").count("most", MAX_LINE_CHARS);
                return Err(confused(line, why));
            }
            for part in line.split(';').map(str::trim).filter(|part| !part.is_empty()) {
                orders.add(part);
            }
        }
        if orders.actions.len() > MAX_ACTIONS {
            return Err(confused(&orders.actions[MAX_ACTIONS], too_many_actions()));
        }
        if orders.resign.is_some() && !orders.actions.is_empty() {
            return Err(confused("resign", "answer-resign-alone"));
        }
        Ok(orders)
    }

    fn add(&mut self, part: &str) {
        let lower = part.trim_end_matches(['.', '!']).to_lowercase();
        let mut words = lower.split_whitespace();
        match (words.next().unwrap_or_default(), words.next(), words.next()) {
            ("status" | "board", None, _) => self.status = true,
            ("history", None, _) => self.history = true,
            ("help" | "?", None, _) => self.help = true,
            ("resign", word, None) => self.resign = Some(Resignation { word: word.map(str::to_owned) }),
            _ => self.actions.push(part.to_owned()),
        }
    }

    /// Whether the mail asks for nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What was read as commands, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let words = [(self.status, "status"), (self.history, "history"), (self.help, "help")];
        let words = words.into_iter().filter(|(given, _)| *given).map(|(_, word)| word.to_owned());
        let resign = self.resign.iter().map(|_| "resign".to_owned());
        self.actions
            .iter()
            .map(|action| harmless(action))
            .chain(resign)
            .chain(words)
            .collect::<Vec<_>>()
            .join("; ")
    }
}

fn confused(part: &str, why: impl Into<Sentence>) -> Confused {
    Confused { part: harmless(part), why: why.into() }
}

/// More actions than a game takes at once.
pub(super) fn too_many_actions() -> Sentence {
    Sentence::new("answer-too-many-actions").count("most", MAX_ACTIONS)
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

/// The lines of a message to the table as one text.
fn message(lines: &[&str]) -> Result<Option<String>, Confused> {
    let unmarked = lines.iter().map(|line| line.strip_prefix('>').map_or(*line, str::trim_start));
    let text = unmarked.collect::<Vec<_>>().join("\n");
    let why = || Sentence::new("answer-message-too-long").count("most", MAX_MESSAGE_CHARS);
    clean_message(&text).map_err(|_| confused(MESSAGE_MARK, why()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Orders {
        Orders::read(text).expect("orders")
    }

    fn actions(actions: &[&str]) -> Orders {
        Orders { actions: actions.iter().map(|action| (*action).to_owned()).collect(), ..Orders::default() }
    }

    #[test]
    fn actions_stand_one_a_line_or_between_semicolons_up_to_an_empty_line() {
        assert_eq!(read("\n\nstore; d4 n2\nroll;\n\nThank you!\n"), actions(&["store", "d4 n2", "roll"]));
        assert!(read(" \n\n").is_empty());
    }

    #[test]
    fn words_ask_in_any_case_and_do_not_hide_actions() {
        let orders = read("Status.\nHISTORY; help!\nstore");
        assert_eq!(orders, Orders { status: true, history: true, help: true, ..actions(&["store"]) });
        assert_eq!(read("board the ship"), actions(&["board the ship"]));
    }

    #[test]
    fn resigning_stands_alone_with_or_without_its_word() {
        assert_eq!(read("resign").resign, Some(Resignation { word: None }));
        assert_eq!(read("Resign K4ZT2A").resign, Some(Resignation { word: Some("k4zt2a".to_owned()) }));
        assert_eq!(read("resign from this game please"), actions(&["resign from this game please"]));
        assert!(Orders::read("store\nresign").is_err());
    }

    #[test]
    fn what_follows_the_mark_goes_to_the_table_without_what_steers() {
        let orders = read("store\n---\nWell played!\u{202e}\n\n\u{7}Until soon\n-- \nann");
        assert_eq!(
            orders,
            Orders { message: Some("Well played!\n\nUntil soon".to_owned()), ..actions(&["store"]) }
        );
        let orders = read("---\n> Well played!\n> Until soon");
        assert_eq!(orders.message.as_deref(), Some("Well played!\nUntil soon"));
        assert_eq!(read("store\n---\n \n"), actions(&["store"]));
        let long = format!("---\n{}", "x".repeat(MAX_MESSAGE_CHARS + 1));
        assert!(Orders::read(&long).expect_err("too long").why.to_string().ends_with("=1000"));
    }

    #[test]
    fn what_is_beyond_all_bounds_is_refused_and_repeated_in_part() {
        let refused = Orders::read(&"x".repeat(MAX_LINE_CHARS + 1)).expect_err("too long");
        assert_eq!(refused.part.chars().count(), MAX_REPEATED_CHARS + 1);
        assert!(Orders::read(&"store;".repeat(MAX_ACTIONS + 1)).is_err());
        assert_eq!(read(&"store;".repeat(MAX_ACTIONS)).actions.len(), MAX_ACTIONS);
    }
}
