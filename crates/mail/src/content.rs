//! The contents of mails of all kinds.

use pippost_notices::{
    AccountContent, AnswerContent, BoardPicture, ChallengeContent, ClubContent, DigestContent,
    ExpiredContent, GameContent, InvitationContent, ModerationContent, WebhookContent,
};
use pippost_store::{EventId, Seq};

/// The content of a mail, before it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "one at a time, and soon put into words")]
pub enum Content {
    Game(GameContent),
    Digest(DigestContent),
    Invitation(InvitationContent),
    /// How to join, for somebody without an account who answered the invitation.
    InvitationAnswered(InvitationContent),
    Challenge(ChallengeContent),
    Club(ClubContent),
    Expired(ExpiredContent),
    Account(AccountContent),
    /// Somebody entered the reader's address for another account; carries a link that sets a new password.
    AddressInUse(AccountContent),
    Answer(AnswerContent),
    /// Explains how to move by mail and lists the games that wait for the player.
    HowToMove(DigestContent),
    Moderation(ModerationContent),
    WebhookDisabled(WebhookContent),
}

impl Content {
    /// The folder of the templates, which has the name of the notice's kind.
    #[must_use]
    pub fn template(&self) -> &'static str {
        match self {
            Self::Game(content) => content.kind.as_str(),
            Self::Digest(_) => "digest",
            Self::Invitation(_) => "invitation",
            Self::InvitationAnswered(_) => "invitation_answered",
            Self::Challenge(_) => "challenge",
            Self::Club(_) => "club",
            Self::Expired(_) => "game_expired",
            Self::Account(content) => content.kind.as_str(),
            Self::AddressInUse(_) => "address_in_use",
            Self::Answer(_) => "answer",
            Self::HowToMove(_) => "how_to_move",
            Self::Moderation(_) => "moderation",
            Self::WebhookDisabled(_) => "webhook_disabled",
        }
    }

    /// The picture of the board, if there is one: of the game, or of the problem of the day.
    #[must_use]
    pub fn picture(&self) -> Option<&BoardPicture> {
        match self {
            Self::Digest(content) => content.problem.as_ref()?.picture.as_ref(),
            _ => self.game()?.picture.as_ref(),
        }
    }

    /// The event that the mail shows, if the mail can be answered; the first of all, if it is about no game or one that waits.
    #[must_use]
    pub fn answerable_seq(&self) -> Option<Seq> {
        match self {
            Self::Game(content) => Some(content.seq),
            Self::Answer(content) => Some(content.game.as_ref().map_or(Seq::START, |game| game.seq)),
            Self::Digest(_) | Self::Invitation(_) | Self::HowToMove(_) => Some(Seq::START),
            // It asks for a yes.
            Self::Account(content) => content.kind.asks_to_confirm().then_some(Seq::START),
            Self::InvitationAnswered(_)
            | Self::Challenge(_)
            | Self::Club(_)
            | Self::Expired(_)
            | Self::AddressInUse(_)
            | Self::Moderation(_)
            | Self::WebhookDisabled(_) => None,
        }
    }

    /// The newest event that the mail shows, if it is about one game.
    #[must_use]
    pub fn shown_event(&self) -> Option<EventId> {
        self.game().map(|content| EventId { game_id: content.game_id, seq: content.seq })
    }

    fn game(&self) -> Option<&GameContent> {
        match self {
            Self::Game(content) => Some(content),
            Self::Answer(content) => content.game.as_ref(),
            Self::Digest(_)
            | Self::Invitation(_)
            | Self::InvitationAnswered(_)
            | Self::Challenge(_)
            | Self::Club(_)
            | Self::Expired(_)
            | Self::Account(_)
            | Self::AddressInUse(_)
            | Self::HowToMove(_)
            | Self::Moderation(_)
            | Self::WebhookDisabled(_) => None,
        }
    }
}
