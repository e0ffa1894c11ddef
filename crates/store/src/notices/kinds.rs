//! The kinds of notices, each described once. The name of a kind is also that of its mail's templates and texts.

use crate::text_enum::text_enum;

/// Priority classes of notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeClass {
    /// Somebody waits for a link, or must know what happened to the account.
    Account,
    Answer,
    Turn,
    /// Starts and ends of games, digests.
    News,
    Invitation,
}

impl NoticeClass {
    /// All classes by priority; the table stores this index.
    pub const ALL: [Self; 5] = [Self::Account, Self::Answer, Self::Turn, Self::News, Self::Invitation];

    /// The name, for operators.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Answer => "answer",
            Self::Turn => "turn",
            Self::News => "news",
            Self::Invitation => "invitation",
        }
    }
}

text_enum! {
    "kind of mails",
    /// Kinds of mails that have a link to switch them off.
    pub enum MailKind {
        Turns = "turns",
        Reminders = "reminders",
        /// Starts and ends of games.
        Games = "games",
        Digest = "digest",
        Invitations = "invitations",
        /// What others write at the table.
        Messages = "messages",
    }
}

/// Declares the kinds: the text in the table; the class, which the table computes, too, and takes for `News` where it does not know
/// better; whether it is about a started game, whose mail shows the game; the kind of mails that switches it off; whether it comes by
/// web push, too.
macro_rules! notice_kinds {
    ($(
        $(#[doc = $doc:literal])* $name:ident = $text:tt,
        class $class:ident, of_game $of_game:literal, mails $mails:expr, push $push:literal;
    )+) => {
        text_enum! {
            "kind of a notice",
            /// What a notice is about.
            pub enum NoticeKind { $($(#[doc = $doc])* $name = $text),+ }
        }

        impl NoticeKind {
            /// The class; the table computes the same.
            #[must_use]
            pub fn class(self) -> NoticeClass {
                match self { $(Self::$name => NoticeClass::$class),+ }
            }

            /// Whether it is about a started game, which the mail shows.
            #[must_use]
            pub fn is_of_game(self) -> bool {
                match self { $(Self::$name => $of_game),+ }
            }

            /// The kind of mails that it belongs to; `None`: it cannot be switched off.
            #[must_use]
            pub fn mails(self) -> Option<MailKind> {
                use MailKind::{Digest, Games, Invitations, Messages, Reminders, Turns};
                match self { $(Self::$name => $mails),+ }
            }

            /// Whether it carries the link that confirms an address, and is answered with a yes instead.
            #[must_use]
            pub fn asks_to_confirm(self) -> bool {
                matches!(self, Self::ConfirmEmail | Self::ConfirmHelp)
            }

            /// Whether it comes by web push, too.
            #[must_use]
            pub fn is_pushed(self) -> bool {
                match self { $(Self::$name => $push),+ }
            }
        }
    };
}

notice_kinds! {
    /// It is the player's turn.
    Turn = "turn", class Turn, of_game true, mails Some(Turns), push true;
    /// The player's time is running out.
    Reminder = "reminder", class Turn, of_game true, mails Some(Reminders), push true;
    GameStarted = "game_started", class News, of_game true, mails Some(Games), push true;
    GameOver = "game_over", class News, of_game true, mails Some(Games), push true;
    /// A game was cancelled because it had not started in time.
    GameExpired = "game_expired", class News, of_game false, mails Some(Games), push true;
    /// A player of the game proposes a pause, or the end of one.
    PauseProposed = "pause_proposed", class News, of_game true, mails Some(Games), push true;
    /// A seat of the game is offered to a substitute.
    SeatOffered = "seat_offered", class News, of_game true, mails Some(Games), push true;
    /// A substitute has taken a seat of the game.
    SeatTaken = "seat_taken", class News, of_game true, mails Some(Games), push true;
    /// Others have written at the table of the game.
    Message = "message", class News, of_game true, mails Some(Messages), push true;
    /// Somebody invites the player, or the owner of an address, to a game.
    Invitation = "invitation", class Invitation, of_game false, mails Some(Invitations), push true;
    /// Somebody challenges the player on a ladder.
    Challenge = "challenge", class News, of_game false, mails Some(Invitations), push true;
    /// Somebody asks to be let into a club of the player, or the answer to whoever asked.
    Club = "club", class News, of_game false, mails Some(Invitations), push true;
    /// Tells somebody without an account, who answered an invitation, how to join.
    InvitationAnswered = "invitation_answered", class News, of_game false, mails None, push false;
    /// All running games of the player.
    Digest = "digest", class News, of_game false, mails Some(Digest), push false;
    /// Carries the link that confirms an address.
    ConfirmEmail = "confirm_email", class Account, of_game false, mails None, push false;
    /// Tells somebody, who answered that mail with anything but yes, how to confirm the address.
    ConfirmHelp = "confirm_help", class News, of_game false, mails None, push false;
    /// Carries the link that sets a new password.
    ResetPassword = "reset_password", class Account, of_game false, mails None, push false;
    /// Tells the previous address that the account has another one.
    AddressChanged = "address_changed", class Account, of_game false, mails None, push false;
    /// Answers a mail of the player.
    Answer = "answer", class Answer, of_game false, mails None, push false;
    /// Tells a player who wrote to the server how to move by mail.
    HowToMove = "how_to_move", class News, of_game false, mails None, push false;
    /// Tells a player what an operator did about a report of them.
    Moderation = "moderation", class News, of_game false, mails None, push false;
    /// Tells a player that a webhook was switched off.
    WebhookDisabled = "webhook_disabled", class News, of_game false, mails None, push false;
}
