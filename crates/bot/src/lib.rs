//! Programs that play, as anybody could write them: they know the public HTTP API and the rule sets' interface, nothing else of the
//! server.
//!
//! [`search`] chooses an action and is pure; [`matches`] plays games in process, to measure a player; [`client`], a library for everybody, speaks the API,
//! [`lobby`] finds games, and [`player`] is the loop around them.
#![forbid(unsafe_code)]

pub mod lobby;
pub mod matches;
pub mod player;

pub use pippost_client as client;
pub use pippost_search::{
    self as search, DEFAULT_PLAYOUTS, DEFAULT_TIME_MILLIS, Effort, Seeded, Strategy, Strength,
};
