//! What the answer to a player's mail says, before it is put into words.

use serde::{Deserialize, Serialize};

use super::letter::GameLetter;

/// What became of the mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The actions are done.
    Moved,
    Resigned,
    /// Nothing was to be done in the game: the mail asked, or spoke to the table.
    Told,
    /// Nothing stood above what was quoted.
    Empty,
    /// `part` cannot be read, so nothing was done.
    Unreadable {
        part: String,
        why: String,
    },
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
    /// The game has moved on since the mail that was answered.
    Late,
    /// The mail that was answered had been answered before.
    Used,
    /// The mail that was answered is too old.
    Expired,
    /// It came from an address that is not the player's.
    OtherAddress,
    /// To resign, the player has to say so once more, with this word.
    ConfirmResign {
        word: String,
    },
}

impl Verdict {
    /// Whether the mail did something in the game.
    #[must_use]
    pub fn is_deed(&self) -> bool {
        matches!(self, Self::Moved | Self::Resigned)
    }

    /// Whether the mail was refused.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Moved | Self::Resigned | Self::Told | Self::ConfirmResign { .. })
    }

    /// Whether a list of what is legal helps.
    #[must_use]
    pub fn wants_list(&self) -> bool {
        matches!(self, Self::Empty | Self::Unreadable { .. } | Self::Illegal { .. })
    }
}

/// The answer to a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Tell the last events, and not only those since the player's last move.
    pub history: bool,
    /// Say how to write mails that are understood.
    pub help: bool,
    /// The mail had something for the table: told to it unless the mail was refused.
    pub message: bool,
}

/// A letter that answers a player's mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerLetter {
    /// The game as it is now; `happened` begins as the answer wants.
    pub game: GameLetter,
    pub answer: Answer,
    /// What was read as commands.
    pub asked: String,
    /// What is legal now, in notation, where the answer lists it.
    pub legal: Vec<String>,
    /// How many more legal actions there are.
    pub more_legal: usize,
}
