//! A public beacon (drand): random values that the whole world sees, each at a time fixed beforehand, signed by many parties
//! together. Mixed into a game's chance, one of them closes the last gap: nobody could have tried values before the last join.
//!
//! Which round a game uses is settled and shown when its last player joins, before that round exists; no other is taken.

pub mod chain;
mod drand;

pub use chain::{Chain, ChainRefused, RoundRefused};
pub use drand::{BeaconFailed, Drand, MAX_URLS};
