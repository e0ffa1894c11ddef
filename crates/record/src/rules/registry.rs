//! The registry of rule sets, by name and version.

use std::sync::OnceLock;

use super::Rules;
use super::erased::RuleSet;

/// Declares the folders of rule sets and lists their types. In a line `folder: Type, …;` the further types are other versions.
///
/// Expands to `mod folder;` for every line, `RULE_SETS` for [`add`], and `visit_all`.
#[macro_export]
macro_rules! rule_sets {
    ($($folder:ident: $($rules:ident),+;)*) => {
        $(mod $folder;)*

        /// The listed rule sets.
        pub static RULE_SETS: &[&dyn $crate::rules::RuleSet] =
            &[$($(&$crate::rules::erased::Adapter::<$folder::$rules>::new()),+),*];

        /// Passes every listed rule set with its types to a visitor.
        #[allow(dead_code, reason = "whoever adds rule sets need not visit them")]
        pub fn visit_all(visitor: &mut impl $crate::rules::registry::Visitor) {
            $($(visitor.visit::<$folder::$rules>();)+)*
        }
    };
}

/// Code that needs the types of rule sets, such as a benchmark; all other code uses [`RuleSet`].
pub trait Visitor {
    fn visit<R: Rules>(&mut self);
}

static KNOWN: OnceLock<Vec<&'static dyn RuleSet>> = OnceLock::new();

fn known() -> &'static [&'static dyn RuleSet] {
    KNOWN.get_or_init(|| super::RULE_SETS.to_vec())
}

/// The registry is in use, so nothing can be added: texts and pages have been made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule sets can be added only before the first is used")]
pub struct AlreadyInUse;

/// Adds another crate's rule sets to the registry of this process; once, and before the registry is used.
///
/// # Errors
/// [`AlreadyInUse`].
pub fn add(further: &[&'static dyn RuleSet]) -> Result<(), AlreadyInUse> {
    KNOWN.set([super::RULE_SETS, further].concat()).map_err(|_| AlreadyInUse)
}

/// All rule sets, in a fixed order.
pub fn all() -> impl Iterator<Item = &'static dyn RuleSet> {
    known().iter().copied()
}

/// A rule set's name, for examples.
#[must_use]
pub fn sample_name() -> &'static str {
    all().next().map_or("", RuleSet::name)
}

/// The rule set of that name: in that version, or the newest.
#[must_use]
pub fn find(name: &str, version: Option<u32>) -> Option<&'static dyn RuleSet> {
    find_among(all(), name, version)
}

/// As [`find`], in another list of rule sets. It finds a version even if newer ones exist.
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
