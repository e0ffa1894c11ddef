//! What is written to PostgreSQL, and how it is read.

pub mod appending;
pub mod audit;
pub mod checkpoints;
pub mod embedded;
pub mod external_database;
pub mod hot_path;
// Faults can be planted in a debug build alone.
#[cfg(debug_assertions)]
pub mod lost_answers;
pub mod memory;
pub mod migrations;
pub mod partition;
pub mod replica;
pub mod scaling;
pub mod set_aside;
