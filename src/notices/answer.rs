//! What the answer to a player's mail says, before it is put into words.

use serde::{Deserialize, Serialize};

use super::content::GameContent;

/// What became of the mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Actions are done.
    Moved {
        /// In notation, in order.
        #[serde(default)]
        done: Vec<String>,
        /// Why not all were done.
        #[serde(default)]
        stopped: Option<Stopped>,
    },
    Resigned,
    /// Nothing was to be done in the game: the mail asked, or spoke to the table.
    Told,
    /// Nothing stood above what was quoted.
    Empty,
    /// `part` cannot be read, so nothing was done.
    Unreadable {
        part: String,
        /// What of it was understood, from its beginning; may be empty.
        #[serde(default)]
        understood: String,
        why: String,
    },
    /// `part` only begins an action, or several, so nothing was done; `why` names them.
    Incomplete {
        part: String,
        why: String,
    },
    /// No line is an order, so nothing was done; [`Answer::left_out`] names them.
    NoOrder,
    /// `part` was read but is not legal, so nothing was done.
    Illegal {
        part: String,
        why: String,
    },
    /// It is somebody else's turn.
    NotYourTurn,
    /// The player has resigned or run out of time.
    Left,
    GameOver,
    /// The game has as many events as a game may have; its players can still resign.
    TooLong,
    /// The game has moved on since the mail that was answered.
    Late,
    /// The mail that was answered had been answered before.
    Used,
    /// The mail that was answered is too old.
    Expired,
    /// It came from an address that is not the player's.
    OtherAddress,
    /// It names no sender, or several.
    NoSender,
    /// The receiving mail server says that its sender is forged.
    Forged,
    /// To resign, the player has to say so once more, with this word.
    ConfirmResign {
        word: String,
    },
    /// It was taken, and what became of it was never written down.
    Unknown,
}

/// Where orders ended before their end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    pub reason: StopReason,
    /// The order that was not done.
    pub part: String,
    /// What of it was understood, of one that cannot be read.
    #[serde(default)]
    pub understood: String,
    /// Of [`StopReason::Unreadable`] and [`StopReason::Illegal`].
    #[serde(default)]
    pub why: String,
    /// The orders after it, which were not tried.
    #[serde(default)]
    pub rest: Vec<String>,
}

/// Why orders ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    Unreadable,
    Illegal,
    /// The last order done ended the player's turn.
    TurnOver,
    /// It ended the game.
    GameOver,
    /// The game has as many events as a game may have.
    TooLong,
}

impl Verdict {
    /// Whether the mail did something in the game.
    #[must_use]
    pub fn acted(&self) -> bool {
        matches!(self, Self::Moved { .. } | Self::Resigned)
    }

    /// Whether the mail was refused.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !self.acted() && !matches!(self, Self::Told | Self::ConfirmResign { .. } | Self::Unknown)
    }

    /// Whether somebody else may have written the mail: then nothing of it is passed on.
    #[must_use]
    pub fn is_of_a_stranger(&self) -> bool {
        matches!(self, Self::OtherAddress | Self::NoSender | Self::Forged)
    }

    /// Whether a list of what is legal helps.
    #[must_use]
    pub fn wants_list(&self) -> bool {
        let stopped = matches!(
            self,
            Self::Moved {
                stopped: Some(Stopped { reason: StopReason::Unreadable | StopReason::Illegal, .. }),
                ..
            }
        );
        stopped
            || matches!(
                self,
                Self::Empty
                    | Self::NoOrder
                    | Self::Unreadable { .. }
                    | Self::Incomplete { .. }
                    | Self::Illegal { .. }
            )
    }
}

/// What became of the message to the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableFate {
    /// There was none.
    #[default]
    None,
    Told,
    /// What stood there looks like a signature.
    Signature,
    /// It holds a personal link or address of this server.
    Address,
    TooLong,
    /// The player has said too much in the last hour.
    TooMany,
    /// The mail was refused.
    NotTold,
}

/// The answer to a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is said or not, whatever the others are")]
pub struct Answer {
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Tell the last events, and not only those since the player's last move.
    pub history: bool,
    /// Say how to write mails that are understood.
    pub help: bool,
    #[serde(default)]
    pub table: TableFate,
    /// Lines that are no orders, cut and harmless.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Preferences were changed.
    #[serde(default)]
    pub preferences: bool,
    /// The receiving mail server doubts the sender.
    #[serde(default)]
    pub doubted: bool,
}

impl Answer {
    /// The answer of a mail that asks for nothing besides.
    #[must_use]
    pub fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            history: false,
            help: false,
            table: TableFate::None,
            left_out: Vec::new(),
            preferences: false,
            doubted: false,
        }
    }
}

/// A mail that answers a player's mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerContent {
    /// The game as it is now; `happened` begins as the answer wants.
    pub game: GameContent,
    pub answer: Answer,
    /// How the rule set's notation is written, in one or two sentences.
    pub notation_help: String,
    /// What is legal now, in notation, where the answer lists it.
    pub legal: Vec<String>,
    /// How many more legal actions there are.
    pub more_legal: usize,
    /// What became of other mails that this mail answers too.
    pub also: Vec<Answer>,
}
