//! Games before their start: create, list, invite, join, leave, start.

pub mod expiring;
pub mod inviting;
pub mod joining;
pub mod listing;
pub(in crate::games) mod once;
pub mod starting;

pub use expiring::expire;
pub use inviting::invite;
pub use joining::{create, join, leave, set_entropy};
pub use listing::list;
pub use starting::start_awaited;
