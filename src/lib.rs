//! pippost: a play-by-e-mail, asynchronous turn server.
//!
//! The rooms are crates of their own in `crates/`; this one is the program: its settings, its parts put together, and its commands.
//! [`api`] receives a move, [`rules`] decides it, [`record`] writes it as events and [`store`] makes it permanent.

pub mod allocator;
pub mod settings;
mod mail_metrics;
pub mod app;
pub mod http;
pub mod cli;

// The rooms by short names, each after those that it uses.
pub use pippost_accounts as accounts;
pub use pippost_archive as archive;
pub use pippost_bot as bot;
pub use pippost_clock as clock;
pub use pippost_games as games;
pub use pippost_keys::{self as keys, beacon};
pub use pippost_language as language;
pub use pippost_log as log;
pub use pippost_mail::{self as mail, replies};
pub use pippost_notices as notices;
pub use pippost_ratings as ratings;
pub use pippost_record::{board, named_schema, record, rule_sets, rules};
pub use pippost_store::{self as store, commit};
pub use pippost_traffic::{self as traffic, endpoint};
pub use pippost_web as web;
pub use pippost_webhooks::{self as webhooks, push};
pub use pippost_worker::{self as worker, sandbox};

/// The REST API with what it shares with the pages.
pub mod api {
    pub use pippost_api::*;
    pub use pippost_http::*;
}
