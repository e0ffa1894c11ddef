//! Only an event uses a seed (PROTOCOL.md, Chance 6).

mod entropy;
mod lists;
mod repeats;
mod twin_masters;
