//! A client of pippost servers: it logs in, waits when it is told to, repeats requests safely, follows feeds without gaps, and
//! checks webhooks, receipts and records.
//!
//! [`Client`] asks; its answers are JSON ([`serde_json::Value`]) as the server's OpenAPI document has it, or one of [`types`].
//! [`Feed`] follows games, [`webhook`] and [`receipt`] check what the server has signed, and [`record`] is the whole verifier.
#![forbid(unsafe_code)]

mod client;
mod error;
mod feed;
mod player;
pub mod receipt;
mod retries;
mod sending;
pub mod types;
pub mod webhook;

pub use client::{Client, Identity, Known};
pub use error::ApiError;
pub use feed::{Feed, FeedEvent};
#[cfg(feature = "record")]
pub use pippost_record::record;
pub use player::any_action;
pub use retries::Retries;
