//! All SQL, all Diesel, and the embedded database. Knows no rules.

pub mod embedded;
