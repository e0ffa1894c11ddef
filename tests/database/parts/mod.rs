//! Parts of the store and of `games` that need no database. They stand here, because these crates take minutes to be compiled once more
//! with tests in them.

mod address;
mod append_statement;
mod back_off;
mod changes;
mod errors;
mod event_id;
mod games;
mod grouped;
mod leased_table;
mod log_gaps;
mod log_runs;
mod lost_nodes;
mod low_water;
mod numbers;
mod one_by_one;
mod player_feeds;
mod queue_mark;
mod rotation;
mod silence;
