//! The integration tests: one binary, files follow the URL tree.

mod embedded;
mod rng;
mod vectors;
