//! Laws of every rule set and record, and of the code itself.

pub mod architecture;
pub mod bots;
pub mod clock_vectors;
pub mod clocks;
pub mod corpus;
pub mod every_rule_set;
pub mod log_vectors;
pub mod migrations;
pub mod random_games;
mod readers;
pub mod rng;
pub mod rule_sets;
mod monitoring;
mod suites;
pub mod sentences;
pub mod sixteen_dice;
pub mod tampering;
mod targets;
pub mod vectors;
mod vocabulary;
