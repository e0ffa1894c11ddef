//! Records of pippost's games: the rules, the public protocol, the verifier, and pictures of positions. Pure: no input or output, no
//! clock, no randomness of its own.
//!
//! Everything that a game's players and auditors need follows from its record, one JSON object a line.
//! [`record::verify`] replays a record to its last die; [`board`] draws a position; [`voice`] says in words what happened.
#![forbid(unsafe_code)]

pub mod board;
pub mod record;
pub mod rules;
pub mod voice;
