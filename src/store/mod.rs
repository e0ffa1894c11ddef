//! All SQL, all Diesel, and the embedded database. Knows no rules.

pub mod address;
pub mod append;
pub mod append_one;
pub mod audit;
pub mod bell;
pub mod bounces;
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
pub mod rebuild;
pub mod saved_answers;
pub mod schema;
pub mod seeding;
pub mod server;
pub mod sessions;
pub mod table_messages;
pub mod turns;
pub mod wishes;

pub use address::Address;
pub use append::append;
pub use bell::{Bell, Listening};
pub use database::{Connection, Database};
pub use error::StoreError;
