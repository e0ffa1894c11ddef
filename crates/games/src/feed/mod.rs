//! Feeds: what happens in a game, in all games of a player, or in a tournament, told to programs as it happens, once and in order.
//!
//! The truth is the table of events. A reader has a cursor, the last event that it got; what wakes it says only that there may be
//! more. Readers of one game share what is read for them (`hub`), and a reader that is behind reads the table for itself
//! (`reader`), so nothing is ever stored for a reader that does not read. The order of a player's feed over all games is decided
//! when it is read (`store::player_feeds`); why tournaments have feeds of their own is said in `store::tournaments::events`.

mod entry;
mod hub;
mod player_reader;
pub mod players;
mod reader;
pub mod recent;
mod tournament_reader;

pub use entry::Entry;
pub use hub::Hub;
pub use player_reader::{GamesSnapshot, MAX_GAMES, PlayerFeed};
pub use reader::{EndReason, GameFeed, MAX_STREAM, Snapshot, Step};
pub use tournament_reader::TournamentFeed;
