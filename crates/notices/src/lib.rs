//! Queues notices and decides about their mails.
//!
//! A notice is a row written with the fact that it reports. A worker claims it, [`delivery`] decides whether and to whom it is
//! sent, and [`schedule`] records the outcome. [`content`] holds the mail's content.
#![forbid(unsafe_code)]

pub mod answer;
pub mod bounces;
pub mod digests;
pub mod delivery;
pub mod content;
pub mod headline;
pub mod links;
pub mod outbox;
pub mod replying;
#[cfg(test)]
mod samples;
pub mod schedule;

pub use answer::{
    Answer, AnswerContent, OrdersFate, RequestOutcome, RequestResult, StopReason, Stopped, TableFate, Verdict,
};
pub use content::{
    AccountContent, AskedGame, BoardPicture, ChallengeContent, ClubContent, ContentError, Detail,
    DigestContent, DigestGame, DigestNews, DigestProblem, ExpiredContent, GameContent, HolidayTold,
    InvitationContent, MailContents, ModerationContent, PauseAsked, SeatTold, WebhookContent,
};
pub use delivery::{Delivery, NotSent};
pub use digests::Digests;
pub use headline::Headline;
pub use links::{Links, PublicUrlError};
pub use outbox::Outbox;
pub use replying::{ReplyAddress, ReplyAddresses};
pub use schedule::Outcome;

pub use pippost_store::notices::{NewNotice, NoticeClass, NoticeKind, NoticeState};
