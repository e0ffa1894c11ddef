//! pippost: a play-by-e-mail, asynchronous turn server.
//!
//! A move enters by `api`, is decided by `rules`, written down by `record` and
//! made permanent by `store`. Modules are listed so that each uses only those
//! above it; `tests/it/architecture.rs` holds them to it.
#![deny(unsafe_code)]

pub mod record;
pub mod rules;
pub mod store;
