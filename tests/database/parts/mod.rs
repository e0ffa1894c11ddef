//! Parts of the store that need no database. They stand here, because the store takes minutes to be compiled once more with tests in it.

mod address;
mod append_statement;
mod back_off;
mod changes;
mod errors;
mod event_id;
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
