//! What must be told to whom, and the outbox it waits in.
//!
//! A notice is a row written with the fact that it tells of. A worker claims it, decides by [`errand`] whether and where it
//! goes, sends it and settles it by [`schedule`]. What it says is in [`letter`].

pub mod answer;
pub mod bounces;
pub mod digests;
pub mod errand;
pub mod letter;
pub mod links;
pub mod outbox;
pub mod replying;
#[cfg(test)]
mod samples;
pub mod schedule;

pub use answer::{Answer, AnswerLetter, StopReason, Stopped, TableFate, Verdict};
pub use digests::Digests;
pub use errand::{Errand, NotSent};
pub use letter::{
    AccountLetter, AccountLetterKind, BoardPicture, DigestGame, DigestLetter, GameLetter, GameLetterKind,
    InvitationLetter, LetterError, Letters,
};
pub use links::Links;
pub use outbox::Outbox;
pub use replying::{ReplyAddress, ReplyAddresses};
pub use schedule::Outcome;

pub use crate::store::notices::{NewNotice, NoticeClass, NoticeKind, NoticeState};
