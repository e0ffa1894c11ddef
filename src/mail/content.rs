//! What a mail can be about.

use uuid::Uuid;

use crate::notices::{AccountLetter, AccountLetterKind, GameLetter, GameLetterKind, InvitationLetter};

/// What a mail says, before it is put into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Game(GameLetter),
    Invitation(InvitationLetter),
    Account(AccountLetter),
}

impl Content {
    /// The folder of its templates, which is the name of the notice's kind.
    #[must_use]
    pub fn template(&self) -> &'static str {
        match self {
            Self::Game(letter) => match letter.kind {
                GameLetterKind::Turn => "turn",
                GameLetterKind::Reminder => "reminder",
                GameLetterKind::Started => "game_started",
                GameLetterKind::Over => "game_over",
            },
            Self::Invitation(_) => "invitation",
            Self::Account(letter) => match letter.kind {
                AccountLetterKind::ConfirmEmail => "confirm_email",
                AccountLetterKind::ResetPassword => "reset_password",
            },
        }
    }

    /// The picture of the board.
    #[must_use]
    pub fn png(&self) -> Option<Vec<u8>> {
        match self {
            Self::Game(letter) => letter.picture.as_ref().map(|picture| picture.png.clone()),
            Self::Invitation(_) | Self::Account(_) => None,
        }
    }

    /// The game whose mails form a thread with this one.
    #[must_use]
    pub fn game_id(&self) -> Option<Uuid> {
        match self {
            Self::Game(letter) => Some(letter.game_id),
            Self::Invitation(letter) => Some(letter.game_id),
            Self::Account(_) => None,
        }
    }
}
