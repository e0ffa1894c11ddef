//! Why a request about webhooks is refused.

use pippost_accounts::AccountError;
use pippost_keys::KeyError;
use pippost_store::StoreError;

use super::guard::TargetRefused;

/// Why an operation with webhooks failed. Never contains an address or a secret.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error("there is no such webhook")]
    NotFound,
    #[error("url: {0}")]
    Target(#[from] TargetRefused),
    #[error("you are in no such game")]
    NoSuchGame,
    /// `field` is the member of the request that names the event.
    #[error("{field}: your feed has no such event")]
    NoSuchEvent { field: &'static str },
    #[error("a player has at most {most} webhooks; remove one first")]
    TooMany { most: i64 },
    #[error("confirm your e-mail address first")]
    AddressNotConfirmed,
    #[error("it has to be verified first")]
    NotVerified,
    #[error("this is not the challenge that was sent last, or it is too old")]
    WrongChallenge,
    #[error("a request of yours to a webhook is under way; wait until it has ended")]
    SendsAlready,
    #[error("too many are being sent at once")]
    Busy,
    #[error("webhook {0} has a stored {1} that cannot be read")]
    Corrupt(uuid::Uuid, &'static str),
    /// A stored answer to a repeated request.
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Store(#[from] StoreError),
}
