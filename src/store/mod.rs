//! Queries and rows, and the embedded database. Knows no rules. Only the room `commit` changes the state of a game.

pub mod address;
pub mod audit;
pub mod outbox_signal;
pub mod bounces;
pub mod checkpoints;
pub mod database;
pub mod embedded;
pub mod error;
pub mod events;
pub mod games;
pub mod invitations;
pub mod lists;
pub mod mail_links;
pub mod mails;
pub mod notices;
pub mod personal_tokens;
pub mod players;
pub mod pooler;
pub mod replica;
pub mod replies;
pub mod stored_responses;
pub mod schema;
pub mod server;
pub mod set_aside;
pub mod strays;
pub mod sessions;
pub mod table_messages;
pub mod turns;
pub mod preferences;

pub use address::Address;
pub use database::{Connection, Database};
pub use error::StoreError;
pub use outbox_signal::{OutboxListener, OutboxSignal};
