//! Pages, and the second verifier in a browser and a JavaScript engine.

pub mod consent;
pub mod journey;
mod leaving;
pub mod pages;
mod play;
mod pushes;
pub mod sessions;
pub mod weight;
pub mod second_verifier;
mod webhooks;
