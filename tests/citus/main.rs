//! A Citus cluster of each test's own, whose nodes the test kills, stops, adds, empties and restores while games are played. Needs Citus, so it
//! is not part of a plain `cargo test`; `./test` runs it where possible (see docs/TESTING.md).

#[path = "../it/support/citus_refusals.rs"]
mod citus_refusals;
#[path = "../it/support/client.rs"]
#[allow(dead_code, reason = "what all tests share is more than this one needs")]
mod client;
mod cluster;
mod connected;
#[path = "../it/support/contract.rs"]
#[allow(dead_code, reason = "what all tests share is more than this one needs")]
mod contract;
mod distributing;
mod interrupted;
mod killing;
mod listing;
mod migrating;
mod moving;
mod network;
mod playing;
#[path = "../it/support/program.rs"]
mod program;
mod restoring;
#[path = "../it/support/sample.rs"]
#[allow(dead_code, reason = "what all tests share is more than this one needs")]
mod sample;
mod silent;
