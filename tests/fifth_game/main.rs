//! Adds a fifth game: the folder `race`, as `crates/record/src/rules` has one for each rule set, and one line. Everything else finds the game
//! by itself.
//!
//! These tests are a program of their own, because rule sets are added for a whole process, before any is used.
#![allow(dead_code, reason = "these tests need a part of the support alone")]

mod browser_verifier;
mod clicking;
mod defective;
mod playing;
mod rules_alone;
#[path = "../contract/tools.rs"]
mod tools;
mod typed_client;

use std::sync::Once;

// The folder can use `crate::rules`, as it would in the server.
use pippost::rules;

// The line.
pippost::rule_sets! {
    race: Race;
}

/// Adds the game to the registry. Every test starts with this.
fn add_the_game() {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| rules::add(RULE_SETS).expect("no rule set has been used yet"));
}

#[test]
fn the_game_stands_behind_the_others_and_no_more_can_be_added() {
    add_the_game();
    let all: Vec<_> = rules::all().map(|rules| (rules.name(), rules.version())).collect();
    assert_eq!(all.last(), Some(&("race", 1)));
    assert!(all.len() > RULE_SETS.len(), "{all:?}");
    assert!(rules::add(RULE_SETS).is_err(), "in use");
}
