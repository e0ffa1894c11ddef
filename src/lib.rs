//! pippost: a play-by-e-mail, asynchronous turn server.
//!
//! [`api`] receives a move, [`rules`] decides it, [`record`] writes it as events and [`store`] makes it permanent. The modules
//! are listed so that each uses only those above it; `tests/laws/architecture.rs` checks this.
#![deny(unsafe_code)]

// Pure: no input or output, no clock, no randomness of their own.
pub mod rules;
pub mod record;
pub mod board;
// Infrastructure.
pub mod allocator;
pub mod endpoint;
pub mod traffic;
pub mod archive;
pub mod settings;
pub mod keys;
pub mod beacon;
pub mod store;
pub mod commit;
pub mod clock;
pub mod language;
// The domain.
pub mod accounts;
pub mod notices;
pub mod games;
pub mod mail;
pub mod replies;
pub mod webhooks;
pub mod push;
// Entry points.
pub mod bot;
pub mod worker;
pub mod sandbox;
pub mod api;
pub mod web;
// The assembled program.
pub mod app;
pub mod http;
pub mod cli;
