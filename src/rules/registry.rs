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
    all().find(|rules| rules.name() == name && version.is_none_or(|version| rules.version() == version))
}
