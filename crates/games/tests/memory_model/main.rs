//! A model of when a cached game may be trusted: two server processes with one game in their caches, readers that share version
//! checks, requests that move, a lost answer of the database, and an audit that repairs the game.
//!
//! stateright tries every order of their steps, including those in which a process ends and takes no more steps.
//! [`rules::Rule`] names each rule of the code, the function that implements it, and the property that it protects; without any
//! one of them the model has a counterexample. The model has no `Idempotency-Key`s, no statements for several games, and no
//! slots of the cache.

mod properties;
mod rules;
mod state;
mod steps;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use stateright::{Checker, HasDiscoveries, Model};

use rules::Rule;

/// The number of requests to view the game.
const READERS: usize = 2;

/// The number of requests to move, one to each process.
const MOVERS: usize = 2;

/// The model, with all rules or without one.
#[derive(Clone, Copy, Debug)]
struct Servers {
    without: Option<Rule>,
}

impl Servers {
    fn has(self, rule: Rule) -> bool {
        self.without != Some(rule)
    }
}

/// Tests share the processors.
const THREADS: usize = 2;

#[test]
fn with_all_rules_no_read_is_stale_and_no_move_is_lost() {
    let checked = Servers { without: None }.checker().threads(THREADS).spawn_bfs().join();
    println!("{} states", checked.unique_state_count());
    checked.assert_properties();
}

#[test]
fn without_any_one_of_the_rules_the_property_that_it_keeps_does_not_hold() {
    for rule in Rule::ALL {
        let broken = HasDiscoveries::AnyOf(BTreeSet::from([rule.keeps()]));
        let model = Servers { without: Some(rule) }.checker().threads(THREADS).finish_when(broken);
        let checked = model.spawn_bfs().join();
        let found = checked.discovery(rule.keeps());
        let found = found.unwrap_or_else(|| panic!("without {rule:?}: {}", rule.keeps()));
        println!("{rule:?}: {} states, {:?}", checked.unique_state_count(), found.into_actions());
    }
}

#[test]
fn the_rules_of_the_model_are_in_the_code() {
    for rule in Rule::ALL {
        for (file, code) in rule.places() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
            let text = fs::read_to_string(path).expect("a source file");
            assert!(text.contains(code), "{file} follows {rule:?} no more, or by other code than `{code}`");
        }
    }
}
