//! Games before their start: create, list, invite, join, leave, start.

pub mod at_once;
pub mod by_mail;
pub mod expiring;
pub mod inviting;
pub mod joining;
pub mod leaving;
pub mod listing;
pub(crate) mod idempotency;
pub mod quotas;
pub mod renewing;
pub mod starting;
pub mod title;

pub use expiring::expire;
pub use inviting::invite;
pub use joining::{create, join, set_entropy};
pub use leaving::leave;
pub use listing::list;
pub use renewing::renew;
pub use starting::start_awaited;
