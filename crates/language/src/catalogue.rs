//! The catalogue: Fluent files compiled into the program, and those of languages that were added.

use std::sync::LazyLock;

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use pippost_record::rules::{self, SHARED_TEXTS, Translation};
pub use pippost_record::voice::Arguments;
use pippost_record::voice::{Found, Texts};

use super::Language;

macro_rules! common_sources {
    ($($language:ident $tag:literal: $($file:literal),*;)*) => {
        /// The files that belong to no rule set: language, name, text.
        const COMMON: &[(Language, &str, &str)] = &[
            $($((Language::$language, $file, include_str!(concat!("../../../templates/locales/", $tag, "/", $file))),)*)*
        ];
    };
}

common_sources! {
    ENGLISH "en": "words.ftl", "game.ftl", "mail.ftl", "commands.ftl", "pages.ftl", "play.ftl", "site.ftl", "problems.ftl";
    GERMAN "de": "words.ftl", "game.ftl", "mail.ftl", "commands.ftl", "pages.ftl", "play.ftl", "site.ftl", "problems.ftl";
}

/// A catalogue file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub language: Language,
    /// The name of a common file, or of a rule set.
    pub name: &'static str,
    pub text: &'static str,
}

/// The catalogue files of a language: the common files, then those of the rule sets. Versions of a rule set may share a file.
pub fn sources(language: Language) -> Vec<Source> {
    if let Some(added) = language.added() {
        return added.sources.clone();
    }
    let own = |texts: &'static [Translation]| texts.iter().filter(|text| text.language == language.tag());
    let common = COMMON.iter().filter(|(of, ..)| *of == language);
    let mut all: Vec<_> = common.map(|(_, name, text)| Source { language, name, text }).collect();
    all.extend(own(SHARED_TEXTS).map(|shared| Source { language, name: "rules.ftl", text: shared.fluent }));
    for rules in rules::all() {
        for translation in own(rules.texts()) {
            let source = Source { language, name: rules.name(), text: translation.fluent };
            if !all.contains(&source) {
                all.push(source);
            }
        }
    }
    all
}

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| texts(Language::ENGLISH));
static GERMAN: LazyLock<Texts> = LazyLock::new(|| texts(Language::GERMAN));

fn texts(language: Language) -> Texts {
    let files = sources(language).into_iter().map(|Source { name, text, .. }| (name, text.to_owned()));
    Texts::new(language.identifier(), files).unwrap_or_else(|(name, errors)| panic!("{name}: {errors}"))
}

fn read(name: &str, text: &str) -> FluentResource {
    FluentResource::try_new(text.to_owned()).unwrap_or_else(|(_, errors)| panic!("{name}: {errors:?}"))
}

pub(super) fn in_language(language: Language, key: &str, arguments: &Arguments) -> Option<String> {
    let texts = match (language, language.added()) {
        (_, Some(added)) => &added.texts,
        (Language::GERMAN, None) => &*GERMAN,
        (_, None) => &*ENGLISH,
    };
    let Found { text, lacks } = texts.find(key, arguments)?;
    if !lacks.is_empty() {
        tracing::error!(key, ?lacks, "a text lacks what it names");
    }
    Some(text)
}

/// A text with its variables left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenText {
    /// The name of a common file, or of a rule set.
    pub source: &'static str,
    pub key: String,
    /// The pieces between the variables, in order.
    pub pieces: Vec<String>,
    /// Whether it begins with a variable.
    pub open_start: bool,
    /// Whether it ends with a variable.
    pub open_end: bool,
}

/// The texts of a language with their variables left open. A text that depends on a number has several forms, each listed
/// separately.
pub fn open_texts(language: Language) -> Vec<OpenText> {
    let mut texts = Vec::new();
    for Source { name, text, .. } in sources(language) {
        for entry in read(name, text).entries() {
            if let Entry::Message(message) = entry
                && let Some(pattern) = &message.value
            {
                collect_forms(name, message.id.name, pattern, &mut texts);
            }
        }
    }
    texts
}

fn collect_forms(source: &'static str, key: &str, pattern: &Pattern<&str>, texts: &mut Vec<OpenText>) {
    let mut pieces: Vec<String> = Vec::new();
    let (mut open_start, mut open_end) = (false, false);
    for (index, element) in pattern.elements.iter().enumerate() {
        open_end = false;
        match element {
            PatternElement::TextElement { value }
            | PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::StringLiteral { value }),
            } => pieces.push((*value).to_owned()),
            PatternElement::Placeable { expression } => {
                if let Expression::Select { variants, .. } = expression {
                    for variant in variants {
                        collect_forms(source, key, &variant.value, texts);
                    }
                }
                open_start |= index == 0;
                open_end = true;
            }
        }
    }
    texts.push(OpenText { source, key: key.to_owned(), pieces, open_start, open_end });
}

/// The text of `key`: in English if the language lacks it, and the key itself if English lacks it too.
pub fn text(language: Language, key: &str, arguments: &Arguments) -> String {
    find(language, key, arguments).unwrap_or_else(|| key.to_owned())
}

/// The text of `key` in `language`, or else in English; `None` if neither has it.
pub fn find(language: Language, key: &str, arguments: &Arguments) -> Option<String> {
    in_language(language, key, arguments).or_else(|| in_language(Language::ENGLISH, key, arguments))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn every_language_has_the_same_texts_with_the_same_variables() {
        let english = keys(Language::ENGLISH);
        for language in Language::SHIPPED {
            assert_eq!(keys(language), english, "{}", language.tag());
        }
        assert!(english.len() > 50);
    }

    /// The variables of each text, by key.
    fn keys(language: Language) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        let mut current = String::new();
        for Source { text, .. } in sources(language) {
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                if let Some((key, _)) = line.split_once(" =").filter(|_| !line.starts_with([' ', '}'])) {
                    key.clone_into(&mut current);
                    assert!(all.insert(current.clone(), BTreeSet::new()).is_none(), "{key} is there twice");
                }
                for rest in line.split('$').skip(1) {
                    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
                    let name = rest[..end.unwrap_or(rest.len())].to_owned();
                    all.entry(current.clone()).or_default().insert(name);
                }
            }
        }
        all
    }

    #[test]
    fn no_text_holds_markup() {
        for Source { language, name, text } in Language::SHIPPED.into_iter().flat_map(sources) {
            assert!(!text.contains(['<', '&']), "{} {name}", language.tag());
        }
    }

    #[test]
    fn what_a_language_lacks_is_said_in_english_and_what_all_lack_by_its_key() {
        let none = Arguments::default();
        assert_eq!(in_language(Language::GERMAN, "no-such-text", &none), None);
        assert_eq!(text(Language::GERMAN, "no-such-text", &none), "no-such-text");
    }

    #[test]
    fn numbers_choose_between_one_and_many() {
        let days = |language: Language, count| {
            language.say_with("days", &Arguments::default().number("count", count))
        };
        assert_eq!(
            (days(Language::ENGLISH, 1), days(Language::ENGLISH, 2)),
            ("1 day".to_owned(), "2 days".to_owned())
        );
        assert_eq!(
            (days(Language::GERMAN, 1), days(Language::GERMAN, 2)),
            ("1 Tag".to_owned(), "2 Tage".to_owned())
        );
    }
}
