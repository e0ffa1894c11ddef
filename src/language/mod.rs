//! The languages of mails and pages. Their texts are Fluent files in `templates/locales`, one folder per language, and in the
//! folders of the rule sets. English is complete; a text that another language lacks is shown in English.

mod catalogue;
pub mod functions;
mod sentences;
pub mod words;

use fluent_langneg::{NegotiationStrategy, negotiate_languages, parse_accepted_languages};
use unic_langid::LanguageIdentifier;

pub use catalogue::{Arguments, OpenText, Source, open_texts, sources};

/// The longest `Accept-Language` header that is read, in bytes.
const MAX_ACCEPT_LANGUAGE_BYTES: usize = 256;

/// A language with a catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    #[default]
    English,
    German,
}

impl Language {
    /// All languages; the first has a complete catalogue.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// The language tag (BCP 47), such as `de`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The direction of its writing, as in HTML's `dir`.
    #[must_use]
    pub fn direction(self) -> &'static str {
        match self {
            Self::English | Self::German => "ltr",
        }
    }

    /// The language of a tag; `None` if it has no catalogue.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// The best language for an `Accept-Language` header (RFC 9110, 12.5.4).
    #[must_use]
    pub fn accepted(header: &str) -> Self {
        if header.len() > MAX_ACCEPT_LANGUAGE_BYTES {
            return Self::default();
        }
        let available = Self::ALL.map(Self::identifier);
        let default = Self::default().identifier();
        let requested = parse_accepted_languages(header);
        let best = negotiate_languages(&requested, &available, Some(&default), NegotiationStrategy::Lookup);
        best.first().and_then(|best| Self::of_tag(best.language.as_str())).unwrap_or_default()
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
            ("", Language::English),
            ("de", Language::German),
            ("de-AT,de;q=0.9,en;q=0.5", Language::German),
            ("fr-FR,fr;q=0.9,de;q=0.5,en;q=0.3", Language::German),
            ("en-GB,en;q=0.9,de;q=0.8", Language::English),
            ("fr", Language::English),
            ("*;q=0.1, \u{fffd} nonsense", Language::English),
        ] {
            assert_eq!(Language::accepted(header), expected, "{header}");
        }
        assert_eq!(Language::accepted(&"de,".repeat(100)), Language::English, "too long to be looked at");
    }
}
