//! The rule sets that this server knows, by name and version. A new one is one line here.

use super::dominion::Dominion;
use super::erased::{Adapter, RuleSet};
use super::pip_pip::PipPip;
use super::pippinzip::Pippinzip;
use super::serpent::Serpent;

/// Every rule set in every version, the newest version of each first.
static RULE_SETS: &[&dyn RuleSet] = &[
    &Adapter::<Dominion>::new(),
    &Adapter::<PipPip>::new(),
    &Adapter::<Pippinzip>::new(),
    &Adapter::<Serpent>::new(),
];

/// All rule sets, in a fixed order.
pub fn all() -> impl Iterator<Item = &'static dyn RuleSet> {
    RULE_SETS.iter().copied()
}

/// The rule set of that name: in that version, or the newest.
#[must_use]
pub fn find(name: &str, version: Option<u32>) -> Option<&'static dyn RuleSet> {
    find_among(all(), name, version)
}

/// As [`find`], among rule sets of one's own. A version is found however many newer ones stand beside it.
#[must_use]
pub fn find_among<'a>(
    rule_sets: impl Iterator<Item = &'a dyn RuleSet>,
    name: &str,
    version: Option<u32>,
) -> Option<&'a dyn RuleSet> {
    let fitting = rule_sets
        .filter(|rules| rules.name() == name && version.is_none_or(|version| rules.version() == version));
    fitting.max_by_key(|rules| rules.version())
}
