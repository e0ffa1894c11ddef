//! Clocks of started games, apart from moves: what their players bring along, and every later change, each as a line of the clock log
//! (docs/CLOCK.md).

mod changing;
mod export;
mod lines;
mod outages;
mod starting;
mod updates;

pub use export::{log_footer, log_lines};
pub use outages::{HEARTBEAT_INTERVAL, MAX_SILENCE, beat, give_back, know_outages};
pub use updates::take_updates;

pub(in crate::games) use outages::{give_back_to, is_behind};
pub(in crate::games) use starting::{StartedClock, start};
