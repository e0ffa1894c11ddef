//! Parts of games that need no database.

mod dump_files;
mod feed_entry;
mod feed_players;
mod feed_recent;
mod film_cache;
mod idempotency_key;
mod ladder_answers;
mod listed_actions;
mod locks;
mod log_origin;
mod meaning;
mod order_lines;
mod orders;
mod outcome;
mod png_cache;
mod problem_of_day;
mod quartiles;
mod slots;
mod title;
mod turn_count;
mod view_text;
