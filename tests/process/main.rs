//! The program as the pages describe it, in another language, and with moves under way. `tests/servers` starts, stops and kills it.

pub mod in_flight;
pub mod languages;
pub mod log_killed;
pub mod mail_queue;
pub mod moderation;
pub mod readme;
pub mod registration;
pub mod setup;
pub mod trust;
pub mod witness;
