//! Errors of account operations.

use uuid::Uuid;

use super::PasswordTooCommon;
use super::apps::OAuthError;
use super::calendars::CalendarRefused;
use super::limiter::Reached;
use super::server_invitations::NotAdmitted;
use pippost_keys::KeyError;
use pippost_store::StoreError;
use pippost_store::players::{UNIQUE_EMAIL, UNIQUE_HANDLE};
use pippost_store::stored_responses::KeyReused;

/// Why an account operation failed. Never contains an address, a password or a token.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("no valid token")]
    Unauthenticated,
    #[error("the token has expired")]
    TokenExpired,
    #[error("no valid refresh token")]
    RefreshRefused,
    #[error("the session has ended")]
    SessionEnded,
    #[error(transparent)]
    NotAdmitted(#[from] NotAdmitted),
    #[error("a player has at most {most} open invitations; withdraw one, or wait until one is used")]
    TooManyInvitations { most: i64 },
    #[error("wrong handle, address or password")]
    WrongCredentials,
    #[error("the operator has closed this account; a mail says why, and how to appeal")]
    Closed,
    #[error("the handle is taken")]
    HandleTaken,
    #[error("the e-mail address is taken")]
    EmailTaken,
    #[error(
        "an account needs a person's address: not one of this server, nor one that names a machine by its number"
    )]
    EmailRefused,
    #[error(
        "from here no mail can be sent to an address with letters such as ü before the @: use another one"
    )]
    EmailNotCarried,
    #[error("the link was used, has expired, or never was one")]
    LinkInvalid,
    /// `field` is the member of the request that holds the password.
    #[error("{}", PasswordTooCommon)]
    PasswordTooCommon { field: &'static str },
    #[error("{field}: {why}")]
    Invalid { field: &'static str, why: String },
    #[error("a player has at most {most} tokens; revoke one first")]
    TooManyTokens { most: i64 },
    #[error("a player registers at most {most} apps; remove one first")]
    TooManyApps { most: i64 },
    #[error("confirm your e-mail address first")]
    AddressNotConfirmed,
    #[error("a token for one game has some of read, play and manage")]
    ScopesNotPossible,
    #[error("you are in no such game")]
    NoSuchGame,
    /// An app's request is refused as OAuth says.
    #[error(transparent)]
    OAuth(#[from] OAuthError),
    #[error(transparent)]
    CalendarRefused(#[from] CalendarRefused),
    #[error("there is no such thing")]
    NotFound,
    #[error("too many tries; the next in {} s", .0.retry_after_seconds)]
    TooManyTries(Reached),
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    #[error("too many passwords are being checked")]
    Busy,
    #[error("player {0} has a stored {1} that cannot be read")]
    Corrupt(Uuid, &'static str),
    #[error("a password could not be hashed: {0}")]
    Hash(String),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Store(StoreError),
}

impl From<Reached> for AccountError {
    fn from(reached: Reached) -> Self {
        Self::TooManyTries(reached)
    }
}

impl From<KeyReused> for AccountError {
    fn from(_: KeyReused) -> Self {
        Self::KeyReused
    }
}

impl From<StoreError> for AccountError {
    fn from(error: StoreError) -> Self {
        match error.violated_unique() {
            Some(UNIQUE_HANDLE) => Self::HandleTaken,
            Some(UNIQUE_EMAIL) => Self::EmailTaken,
            _ => Self::Store(error),
        }
    }
}
