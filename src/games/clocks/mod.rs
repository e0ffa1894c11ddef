//! Clocks of started games, apart from moves: what their players bring along, and every later change, each as a line of the clock log
//! (docs/CLOCK.md).

mod changing;
mod export;
mod lines;
mod starting;
mod updates;

pub use export::{log_footer, log_lines};
pub use updates::take_updates;

pub(in crate::games) use starting::{StartedClock, start};
