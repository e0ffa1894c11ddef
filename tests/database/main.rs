//! Writing to PostgreSQL, and reading from it.

pub mod appending;
pub mod archiving;
pub mod audit;
pub mod checkpoints;
pub mod citus;
pub mod due_marks;
pub mod hot_path;
// Faults can be planted only in a debug build.
#[cfg(debug_assertions)]
pub mod lost_answers;
pub mod lists;
pub mod memory;
pub mod migrations;
pub mod partition;
mod parts;
pub mod queues;
pub mod scaling;
pub mod set_aside;
pub mod transparency;
