//! The languages of mails and pages. Their texts are Fluent files: of English and German in `templates/locales`, one folder per language,
//! and in the folders of the rule sets; of others in a folder that the operator names ([`add_from`]). English is complete; a text
//! that another language lacks is shown in English.
#![forbid(unsafe_code)]

mod added;
mod catalogue;
pub mod functions;
mod sentences;
pub mod words;

use fluent_langneg::{NegotiationStrategy, negotiate_languages, parse_accepted_languages};
use unic_langid::LanguageIdentifier;

pub use added::{AddError, add_from};
pub use catalogue::{Arguments, OpenText, Source, open_texts, sources};

/// The longest `Accept-Language` header that is read, in bytes.
const MAX_ACCEPT_LANGUAGE_BYTES: usize = 256;

/// The tags of the languages that the program brings.
const TAGS: [&str; 2] = ["en", "de"];

/// A language with a catalogue: a number among those of the program and those that were added at its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Language(u8);

impl Language {
    pub const ENGLISH: Self = Self(0);
    pub const GERMAN: Self = Self(1);

    /// The languages that the program brings; the first has a complete catalogue.
    pub const SHIPPED: [Self; TAGS.len()] = [Self::ENGLISH, Self::GERMAN];

    /// All languages: those of the program, then those that were added.
    pub fn all() -> impl Iterator<Item = Self> {
        let added = (Self::SHIPPED.len()..).zip(added::all());
        Self::SHIPPED
            .into_iter()
            .chain(added.map(|(number, _)| Self(u8::try_from(number).unwrap_or_default())))
    }

    /// The language as it was added; `None` for those of the program.
    fn added(self) -> Option<&'static added::Added> {
        added::all().get(usize::from(self.0).checked_sub(TAGS.len())?)
    }

    /// The language tag (BCP 47), such as `de`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        let shipped = TAGS.get(usize::from(self.0)).copied();
        shipped.or_else(|| self.added().map(|added| added.tag)).unwrap_or_default()
    }

    /// The direction of its writing, as in HTML's `dir`.
    #[must_use]
    pub fn direction(self) -> &'static str {
        if self.say("language-direction") == "rtl" { "rtl" } else { "ltr" }
    }

    /// The rules of a rule set for people, in Markdown, if the language was added with them.
    #[must_use]
    pub fn added_rules(self, name: &str) -> Option<&'static str> {
        self.added()?.rules.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// The language of a tag; `None` if it has no catalogue.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::all().find(|language| language.tag() == tag)
    }

    /// The best language for an `Accept-Language` header (RFC 9110, 12.5.4).
    #[must_use]
    pub fn accepted(header: &str) -> Self {
        if header.len() > MAX_ACCEPT_LANGUAGE_BYTES {
            return Self::default();
        }
        let available: Vec<_> = Self::all().map(Self::identifier).collect();
        let default = Self::default().identifier();
        let requested = parse_accepted_languages(header);
        let best = negotiate_languages(&requested, &available, Some(&default), NegotiationStrategy::Lookup);
        best.first().and_then(|best| Self::of_tag(&best.to_string())).unwrap_or_default()
    }

    /// The text of `key`.
    #[must_use]
    pub fn say(self, key: &str) -> String {
        catalogue::text(self, key, &Arguments::default())
    }

    /// The text of `key`; `None` if no language has it.
    #[must_use]
    pub fn find(self, key: &str) -> Option<String> {
        catalogue::find(self, key, &Arguments::default())
    }

    /// The text of `key`, with its variables filled in.
    #[must_use]
    pub fn say_with(self, key: &str, arguments: &Arguments) -> String {
        catalogue::text(self, key, arguments)
    }

    fn identifier(self) -> LanguageIdentifier {
        self.tag().parse().expect("our tags are tags")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_language_of_those_that_a_browser_asks_for_is_spoken() {
        for (header, expected) in [
            ("", Language::ENGLISH),
            ("de", Language::GERMAN),
            ("de-AT,de;q=0.9,en;q=0.5", Language::GERMAN),
            ("fr-FR,fr;q=0.9,de;q=0.5,en;q=0.3", Language::GERMAN),
            ("en-GB,en;q=0.9,de;q=0.8", Language::ENGLISH),
            ("fr", Language::ENGLISH),
            ("*;q=0.1, \u{fffd} nonsense", Language::ENGLISH),
        ] {
            assert_eq!(Language::accepted(header), expected, "{header}");
        }
        assert_eq!(Language::accepted(&"de,".repeat(100)), Language::ENGLISH, "too long to be looked at");
    }
}
