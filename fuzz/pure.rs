//! The rooms that the verifier is made of.

#[path = "../src/record/mod.rs"]
pub mod record;
#[path = "../src/rules/mod.rs"]
pub mod rules;
