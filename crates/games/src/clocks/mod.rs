//! Clocks of started games, apart from moves: what their players bring along, and every later change, each as a line of the clock log
//! (docs/CLOCK.md).

mod stored_answers;
mod before_fall;
mod player_changes;
mod changing;
mod export;
mod gifts;
mod lines;
mod outages;
mod pausing;
mod automatic_holidays;
mod starting;
mod substitutes;
mod updates;

pub use export::{log_footer, log_lines};
pub use gifts::{Gift, MAX_GIFT_HOURS, give_time};
pub use outages::{HEARTBEAT_INTERVAL, MAX_HEARTBEAT_GAP, beat, give_back, know_outages};
pub use pausing::{
    MAX_PAUSE, agree_to_pause, answer_proposal, decline_pause, propose_pause, waiting_proposal,
};
pub use stored_answers::{answer_before, keep_answer};
pub use substitutes::{MAX_VACANCY, offer_seat, take_seat};
pub use updates::take_updates;

pub(crate) use automatic_holidays::{accepts_holidays, save_by_holiday};
pub(crate) use before_fall::saves_from_fall;
pub(crate) use outages::{check_work, give_back_to, is_behind};
pub(crate) use pausing::{agree_without_who_left, asks};
pub(crate) use starting::{StartedClock, start};
pub(crate) use substitutes::{forget_offers, is_offered_at_fall, vacate};
pub(crate) use updates::take_updates_of;
