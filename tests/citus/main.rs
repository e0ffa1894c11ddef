//! A Citus cluster of each test's own, whose nodes the test kills, stops, adds, empties and restores while games are played. Needs Citus, so it
//! is not part of a plain `cargo test`; `./test` runs it where possible (see docs/TESTING.md).

mod cluster;
mod connected;
mod distributing;
mod interrupted;
mod killing;
mod listing;
mod migrating;
mod moving;
mod network;
mod playing;
mod restoring;
mod silent;
