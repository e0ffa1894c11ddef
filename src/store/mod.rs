//! All SQL, all Diesel, and the embedded database. Knows no rules.

pub mod address;
pub mod database;
pub mod embedded;
pub mod error;
pub mod schema;

pub use address::Address;
pub use database::{Connection, Database};
pub use error::StoreError;
