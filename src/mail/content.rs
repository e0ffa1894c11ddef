//! What a mail can be about.

use bytes::Bytes;

use crate::notices::{
    AccountLetter, AccountLetterKind, AnswerLetter, DigestLetter, GameLetter, GameLetterKind,
    InvitationLetter,
};

/// What a mail says, before it is put into words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "one at a time, and soon put into words")]
pub enum Content {
    Game(GameLetter),
    Digest(DigestLetter),
    Invitation(InvitationLetter),
    Account(AccountLetter),
    Answer(AnswerLetter),
    /// How to move by mail, with the games that wait.
    HowToMove(DigestLetter),
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
            Self::Digest(_) => "digest",
            Self::Invitation(_) => "invitation",
            Self::Account(letter) => match letter.kind {
                AccountLetterKind::ConfirmEmail => "confirm_email",
                AccountLetterKind::ResetPassword => "reset_password",
                AccountLetterKind::AddressInUse => "address_in_use",
                AccountLetterKind::AddressChanged => "address_changed",
            },
            Self::Answer(_) => "answer",
            Self::HowToMove(_) => "how_to_move",
        }
    }

    /// The picture of the board.
    #[must_use]
    pub fn png(&self) -> Option<Bytes> {
        self.game()?.picture.as_ref().map(|picture| picture.png.clone())
    }

    /// The event that the mail shows, where it can be answered: the game runs, or the player asked something about it.
    #[must_use]
    pub fn answerable_seq(&self) -> Option<u64> {
        let ended = matches!(self, Self::Game(letter) if letter.kind == GameLetterKind::Over);
        self.game().filter(|_| !ended).map(|letter| letter.seq)
    }

    fn game(&self) -> Option<&GameLetter> {
        match self {
            Self::Game(letter) => Some(letter),
            Self::Answer(letter) => Some(&letter.game),
            Self::Digest(_) | Self::Invitation(_) | Self::Account(_) | Self::HowToMove(_) => None,
        }
    }
}
