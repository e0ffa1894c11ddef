//! What a mail can be about.

use bytes::Bytes;

use crate::notices::{
    AccountContent, AccountMailKind, AnswerContent, DigestContent, GameContent, GameMailKind,
    InvitationContent,
};
use crate::store::Seq;

/// What a mail says, before it is put into words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "one at a time, and soon put into words")]
pub enum Content {
    Game(GameContent),
    Digest(DigestContent),
    Invitation(InvitationContent),
    Account(AccountContent),
    Answer(AnswerContent),
    /// How to move by mail, with the games that wait.
    HowToMove(DigestContent),
}

impl Content {
    /// The folder of its templates, which is the name of the notice's kind.
    #[must_use]
    pub fn template(&self) -> &'static str {
        match self {
            Self::Game(content) => match content.kind {
                GameMailKind::Turn => "turn",
                GameMailKind::Reminder => "reminder",
                GameMailKind::Started => "game_started",
                GameMailKind::Over => "game_over",
            },
            Self::Digest(_) => "digest",
            Self::Invitation(_) => "invitation",
            Self::Account(content) => match content.kind {
                AccountMailKind::ConfirmEmail => "confirm_email",
                AccountMailKind::ResetPassword => "reset_password",
                AccountMailKind::AddressInUse => "address_in_use",
                AccountMailKind::AddressChanged => "address_changed",
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
    pub fn answerable_seq(&self) -> Option<Seq> {
        let ended = matches!(self, Self::Game(content) if content.kind == GameMailKind::Over);
        self.game().filter(|_| !ended).map(|content| content.seq)
    }

    fn game(&self) -> Option<&GameContent> {
        match self {
            Self::Game(content) => Some(content),
            Self::Answer(content) => Some(&content.game),
            Self::Digest(_) | Self::Invitation(_) | Self::Account(_) | Self::HowToMove(_) => None,
        }
    }
}
