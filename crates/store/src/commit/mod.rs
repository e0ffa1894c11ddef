//! Commits what games have decided. Everything that writes `game_states` is here: moves, starts of games, reminders, changes of
//! clocks, repairs, titles that are removed, and the settling of lost answers.
//!
//! A move comes in by [`Committer::commit`], waits in the queue of a writer, and is written by one statement, which other moves may
//! share. The statement's guard compares `seq` and `edition`, so a move decided on an old state is never written over a new one.

mod append;
mod clocks;
mod columns;
mod delegated;
mod expiry;
mod guard;
pub mod lobby;
mod queue;
mod reminders;
mod repair;
mod sending;
mod settle;
mod statement;
mod states;
mod titles;
mod writer;

pub use append::{Append, EventNotice};
pub use clocks::{ClockWrite, SeatTaken, SeatToAct, SeatWrite, change_clocks, change_seats};
pub use columns::{STATE_COLUMNS, VALUES};
pub use expiry::{EXPIRED, expire};
pub use guard::StateWrite;
pub use queue::{Committer, InFlightGuard, Written};
pub use reminders::{PlannedReminder, remind};
pub use repair::{Rebuild, rebuild, remove_orphan_state};
pub use sending::{write_grouped, write_single};
pub use settle::{Attempt, settle};
pub use statement::{DELEGATED, SINGLE};
pub use titles::{judge, remove_title};
pub use writer::CONNECTIONS;
#[cfg(debug_assertions)]
pub use writer::PANIC_AT;

pub use crate::games::NewState;
