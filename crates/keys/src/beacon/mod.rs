//! The public beacon (drand): random values published at fixed times and signed by many parties together. A game's chance
//! includes one, so nobody could have tried out values before the last join.
//!
//! The round is chosen and published when the last player joins, before it exists. No other round is used.

pub mod chain;
mod drand;

pub use chain::{Chain, ChainRefused, RoundRefused};
pub use drand::{BeaconFailed, Drand, MAX_URLS};
