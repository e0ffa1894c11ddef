//! Mail coming in: answers that move, and mails that come back. The same code behind every way in.
//!
//! [`message`] reads a mail, [`quoting`] finds what its writer wrote, [`orders`] what that asks for; [`Replies`] does it and has
//! the answer sent by the outbox. An address with a token is the only thing that authorises anything.

mod bouncing;
mod deciding;
mod html;
pub mod lmtp;
pub mod message;
pub mod orders;
mod quoting;
mod receiving;

pub use lmtp::{LmtpAddress, LmtpListener};
pub use receiving::{Incoming, Receipt, Replies, ReplyError};

/// The largest mail that is read, in bytes.
pub const MAX_MAIL_BYTES: usize = 256 * 1024;

/// How long a mail can be answered.
pub const REPLY_LIFETIME: time::Duration = time::Duration::days(60);

/// The most mails that a player gets answers to in an hour. What comes beyond that is done without an answer, or not at all
/// without one.
pub const MAX_ANSWERS_AN_HOUR: i64 = 60;
