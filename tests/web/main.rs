//! Pages and forms, and a whole game of every rule set by clicking. `tests/browser` has what else a real browser shows.

mod guests;
mod my_games;
mod pages;
mod sessions;
mod webhooks;
mod whole_games;
