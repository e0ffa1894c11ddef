//! Handles incoming mail: answers to turn mails, and bounces. All transports use the same code.
//!
//! [`message`] parses a mail, [`quoting`] finds what its sender wrote, [`orders`] finds the orders in that; [`Replies`] carries
//! them out and queues the answer in the outbox. Only an address with a token authorises anything.

mod additions;
mod answering;
pub mod authentication;
mod bouncing;
mod commands;
mod confirming;
mod deciding;
mod doubts;
mod headers;
mod html;
pub mod lmtp;
mod marks;
mod numbered;
pub mod message;
pub mod orders;
mod our_mail;
mod quoting;
mod reading;
mod receiving;
mod requests;
mod rewrapped;
mod signature;
mod standing;
mod strangers;
pub mod table_message;

pub use authentication::{AuthenticationPolicy, ForgedSenders};
pub use lmtp::{LmtpAddress, LmtpListener};
pub use our_mail::OurMail;
pub use pippost_games::ReplyError;
pub use receiving::{Incoming, ReceiveOutcome, Replies};

/// The largest accepted mail, in bytes.
pub const MAX_MAIL_BYTES: usize = 10 * 1024 * 1024;

/// How much of a mail is read, in bytes: pictures and files behind the text are not.
pub const MAX_READ_BYTES: usize = 256 * 1024;

/// How long a notice's mail can be answered.
pub const REPLY_LIFETIME: time::Duration = time::Duration::days(60);

/// The most answers to a player in an hour. Mails beyond that are carried out too; one later mail answers them together.
pub const MAX_ANSWERS_AN_HOUR: i64 = 60;

/// The most mails of a player that are carried out in a day, one after the other as they come in. The first one beyond is answered, and those after it are dropped.
pub const MAX_MAILS_A_DAY: i64 = 300;

/// The most mails in a day with a player's tokens that do not come from the player's address, or fail the mail server's checks. They
/// count apart, and those beyond are dropped.
pub const MAX_FOREIGN_MAILS_A_DAY: i64 = 30;

/// The most times in a day that mails with the same words in a game are answered in vain. More of them come from a program.
pub const MAX_VAIN_ALIKE: i64 = 3;

/// The most hints on how to move that a player gets in a day, for mails to the common address.
pub const MAX_HINTS_A_DAY: i64 = 3;
