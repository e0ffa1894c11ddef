//! What the API and the pages answer with alike: the one map of failures to responses, the peer of a request, admission of costly work,
//! conditional requests, feeds, and the view of a game.
#![forbid(unsafe_code)]

pub mod admission;
pub mod body;
pub mod clocks;
pub mod code;
pub mod conditional;
pub mod contract;
pub mod feeds;
pub mod issuer;
pub mod json;
pub mod limits;
pub mod nul;
pub mod peer;
pub mod problem;
mod problem_members;
pub mod sandbox;
pub mod slow;
pub mod text;
pub mod webhook_requests;
pub mod zip;

pub use problem::{Code, Problem};
