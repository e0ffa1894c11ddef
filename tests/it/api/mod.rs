//! The HTTP API, by resource.

pub mod accounts;
pub mod beacon;
pub mod chance;
pub mod clocks;
pub mod games;
pub mod history;
pub mod length;
pub mod lifecycle;
pub mod notation;
pub mod openapi;
pub mod pictures;
pub mod player_limits;
pub mod private_games;
pub mod receipts;
pub mod replay;
pub mod rules;
pub mod schemas;
pub mod sweep;
pub mod twins;
pub mod verify;
