//! The parts of a rule set that are not Rust: its texts in each language, and its part of the second verifier.

/// The texts of a rule set in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The tag of the language (BCP 47), as in `en`.
    pub language: &'static str,
    /// A Fluent file.
    pub fluent: &'static str,
    /// The rules for people, in Markdown; `None`: as in English.
    pub rules: Option<&'static str>,
}

/// What the rules of several games say.
pub const SHARED_TEXTS: &[Translation] = &[
    Translation { language: "en", fluent: include_str!("texts/en.ftl"), rules: None },
    Translation { language: "de", fluent: include_str!("texts/de.ftl"), rules: None },
];

/// The rules in JavaScript, for the second verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verifier {
    /// The class that one of the modules exports; it plays the game.
    pub class: &'static str,
    /// Each module comes after those that it imports. All modules of the verifier share one scope.
    pub modules: &'static [Script],
}

/// A module of JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name by which other modules import it, as in `./cards.js`.
    pub file: &'static str,
    pub source: &'static str,
}
