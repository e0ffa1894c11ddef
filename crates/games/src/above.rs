//! Errors of what plays games from above: by mail, and in a sandbox. They are here so that what maps errors to responses need know neither.

use pippost_accounts::AccountError;
use pippost_clock::MAX_AHEAD;
use pippost_record::record::Timestamp;
use pippost_store::StoreError;

use crate::GameError;

/// The mail could not be processed now. It should be delivered again later.
#[derive(Debug, thiserror::Error)]
pub enum ReplyError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error("an answer cannot be written: {0}")]
    Answer(#[from] serde_json::Error),
}

/// Why a request to the sandbox fails.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("the clock does not go back: it is {0} already")]
    Back(Timestamp),
    #[error("the clock can be moved by {} days in all, and by {left_seconds} seconds more", MAX_AHEAD.whole_days())]
    TooFar { left_seconds: i64 },
    #[error("the mail has no address for answers")]
    NotAnswerable,
    #[error("there is no such mail")]
    NotFound,
    #[error("the sandbox is at work for others")]
    Busy,
    #[error("an answer cannot be written: {0}")]
    Answer(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Reply(#[from] ReplyError),
}
