//! Mail coming in: answers that move, and mails that come back. The same code behind every way in.
//!
//! [`message`] reads a mail, [`quoting`] finds what its writer wrote, [`orders`] what that asks for; [`Replies`] does it and has
//! the answer sent by the outbox. An address with a token is the only thing that authorises anything.

pub mod authentication;
mod bouncing;
mod commands;
mod deciding;
mod html;
pub mod lmtp;
mod marks;
pub mod message;
pub mod orders;
mod our_mail;
mod quoting;
mod receiving;
pub mod table_message;

pub use authentication::AuthenticationPolicy;
pub use lmtp::{LmtpAddress, LmtpListener};
pub use our_mail::OurMail;
pub use receiving::{Incoming, ReceiveOutcome, Replies, ReplyError};

/// The largest mail that is read, in bytes.
pub const MAX_MAIL_BYTES: usize = 256 * 1024;

/// How long a mail can be answered.
pub const REPLY_LIFETIME: time::Duration = time::Duration::days(60);

/// The most answers that a player gets in an hour. Mails beyond that are done all the same, and are answered in one mail later.
pub const MAX_ANSWERS_AN_HOUR: i64 = 60;

/// The most times in a day that a mail with the same words is refused and answered: whoever sends it again is a program.
pub const MAX_REFUSED_ALIKE: i64 = 3;

/// The most times in a day that a player is told how to move, for mails that answer none of ours.
pub const MAX_HINTS_A_DAY: i64 = 3;
