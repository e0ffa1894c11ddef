//! pippost: a play-by-e-mail, asynchronous turn server.
//!
//! A move enters by [`api`], is decided by [`rules`], written down by [`record`] and made permanent by
//! [`store`]. The modules are listed so that each uses only those above it; `tests/it/laws/architecture.rs`
//! holds them to it.
#![deny(unsafe_code)]

// Pure: no input or output, no clock, no randomness of their own.
pub mod rules;
pub mod record;
pub mod board;
// What the outside world is made of.
pub mod allocator;
pub mod endpoint;
pub mod traffic;
pub mod settings;
pub mod keys;
pub mod beacon;
pub mod store;
pub mod commit;
pub mod clock;
pub mod language;
// What the server is about.
pub mod accounts;
pub mod notices;
pub mod games;
pub mod mail;
pub mod replies;
// How the world gets in.
pub mod worker;
pub mod api;
pub mod web;
// All together.
pub mod app;
pub mod http;
pub mod cli;
