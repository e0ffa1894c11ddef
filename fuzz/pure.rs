//! The modules that the verifier consists of.

#[path = "../src/record/mod.rs"]
pub mod record;
#[path = "../src/rules/mod.rs"]
pub mod rules;
