//! The past of a game: earlier positions, events, replays, the record, archives, and receipts.

pub mod archive;
pub mod checkpoints;
pub mod film;
pub mod moment;
pub mod past_positions;
pub mod progress;
pub mod reading;
pub mod receipts;
pub mod replay;
pub mod told;

pub use archive::{everything_of, records_of};
pub use film::film;
pub use moment::moment;
pub use past_positions::{choices, news};
pub use reading::{events, events_to_read, record, view_at};
pub use receipts::check_receipt;
pub use replay::replay;
pub use told::told;
