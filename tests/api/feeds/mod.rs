//! Feeds: every event once and in order, whatever is cut; what is hidden stays hidden; nobody waits for nothing.

mod game;
mod mine;
