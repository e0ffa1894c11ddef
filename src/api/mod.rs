//! The REST API: one file a resource, extractors, and the one file that maps errors to responses.

pub mod problem;

pub use problem::{Code, Problem};
