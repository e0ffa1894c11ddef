//! Queues in the database: what they have in common. An entry is due at a time; a worker claims it, does what it asks for, and settles it.
//! Workers of any number of processes share a queue, and none does what another has claimed.
//!
//! | queue | claimed by | tried again | given up |
//! |---|---|---|---|
//! | `notices` | a lease, for a batch | `attempts` count, by [`BackOff`] | after eight attempts |
//! | `webhooks`, `push_messages` | a lease ([`LeasedTable`]) | by [`BackOff`] | after three days |
//! | tasks about games: flags, starts, clocks, reliability, the archive, searches | the guard of a game's state, or a lock | set aside by [`BackOff`] | never |
//! | digests, standing orders | the lock on a row, while a transaction lasts | at the next look | never |
//!
//! What has failed is due later, so it holds up nothing. A claim begins at a [`DueMark`], and walks over no index entries of what was
//! claimed long before. What a worker settles after its lease has ended counts only if nobody has claimed the entry meanwhile.

mod back_off;
mod games;
mod leased;
mod mark;

pub use back_off::BackOff;
pub(crate) use games::{GameId, due_games, set_aside_until};
pub use leased::LeasedTable;
pub use mark::{COMMIT_TIME, DueMark, Looks, Mark, SWEEP_INTERVAL};
