//! The page of a game: played by clicking, by keys, without scripts, over lost connections; replayed and checked.

mod analysis;
mod by_keys;
mod groups;
mod offline;
mod pictures;
mod printing;
mod safety;
mod to_the_end;
mod troubles;
mod without_scripts;
