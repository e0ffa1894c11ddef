//! The integration tests: one binary, files follow the URL tree.

mod rng;
mod vectors;
