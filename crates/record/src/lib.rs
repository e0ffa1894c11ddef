#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod board;
pub mod record;
pub mod rules;
pub mod voice;
