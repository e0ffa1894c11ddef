//! Puts the rules' sentences into words. The texts are Fluent files: one for what all rule sets say, and those of the rule sets.

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::rules::{self, Argument, SHARED_TEXTS, Sentence, Translation, Voice};

/// The values of a text's variables.
#[derive(Debug, Default)]
pub struct Arguments(FluentArgs<'static>);

impl Arguments {
    /// Adds a text.
    #[must_use]
    pub fn text(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.set(name.to_owned(), FluentValue::String(Cow::Owned(value.into())));
        self
    }

    /// Adds a number, which selects singular or plural.
    #[must_use]
    pub fn number(mut self, name: &str, value: i64) -> Self {
        self.0.set(name.to_owned(), FluentValue::from(value));
        self
    }
}

/// The texts of one language, by key.
pub struct Texts(FluentBundle<FluentResource>);

/// A text with its variables filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub text: String,
    /// What the text names and was not given; empty if all is well.
    pub lacks: Vec<String>,
}

impl Texts {
    /// The texts of Fluent files, each with a name.
    ///
    /// # Errors
    /// The name of a file that is no Fluent, or has a text that was there before, and what is wrong.
    pub fn new<N>(
        language: LanguageIdentifier,
        files: impl IntoIterator<Item = (N, String)>,
    ) -> Result<Self, (N, String)> {
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Unicode isolation marks around values would break lines, links and notation.
        bundle.set_use_isolating(false);
        for (name, text) in files {
            let resource = match FluentResource::try_new(text) {
                Ok(resource) => resource,
                Err((_, errors)) => return Err((name, format!("{errors:?}"))),
            };
            bundle.add_resource(resource).map_err(|errors| (name, format!("{errors:?}")))?;
        }
        Ok(Self(bundle))
    }

    /// The text of `key`; `None` if there is none.
    #[must_use]
    pub fn find(&self, key: &str, arguments: &Arguments) -> Option<Found> {
        let pattern = self.0.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = self.0.format_pattern(pattern, Some(&arguments.0), &mut errors).into_owned();
        Some(Found { text, lacks: errors.iter().map(ToString::to_string).collect() })
    }
}

/// Finds the text of a key and fills in its variables.
pub type Say<'a> = &'a dyn Fn(&str, &Arguments) -> String;

/// The sentence in the words of `say`; `names` are the players' names by seat.
#[must_use]
pub fn tell(sentence: &Sentence, names: &[String], say: Say<'_>) -> String {
    let fill = |arguments: Arguments, (name, argument): &(&str, Argument)| match argument {
        Argument::Number(number) => arguments.number(name, *number),
        argument => arguments.text(name, part(argument, names, say)),
    };
    let arguments = sentence.arguments.iter().fold(Arguments::default(), fill);
    say(sentence.key, &arguments)
}

fn part(argument: &Argument, names: &[String], say: Say<'_>) -> String {
    let all = |parts: &[Argument]| -> Vec<String> {
        parts.iter().map(|argument| part(argument, names, say)).collect()
    };
    match argument {
        Argument::Text(text) => text.clone(),
        Argument::Number(number) => number.to_string(),
        Argument::Player(seat) => {
            let name = seat.and_then(|seat| names.get(seat.index()));
            name.cloned().unwrap_or_else(|| say("somebody", &Arguments::default()))
        }
        Argument::Phrase(phrase) => tell(phrase, names, say),
        Argument::List(parts) => list(&all(parts), say),
        Argument::Clauses(parts) => all(parts).join("; "),
    }
}

/// `alice`, `alice and bob`, `alice, bob and carol`.
#[must_use]
pub fn list<T: AsRef<str>>(parts: &[T], say: Say<'_>) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(AsRef::as_ref).collect();
            let arguments = Arguments::default().text("first", first.join(", ")).text("last", last.as_ref());
            say("list", &arguments)
        }
    }
}

/// A language in which the rule sets have texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wording {
    #[default]
    English,
    German,
}

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| Wording::English.read());
static GERMAN: LazyLock<Texts> = LazyLock::new(|| Wording::German.read());

impl Wording {
    /// All of them; the first has every text.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// The language tag (BCP 47), such as `de`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The Fluent files: what is shared, as `rules`, then those of the rule sets by their names. Versions of a rule set may share one.
    #[must_use]
    pub fn files(self) -> Vec<(&'static str, &'static str)> {
        let own = |texts: &'static [Translation]| texts.iter().filter(|text| text.language == self.tag());
        let mut files: Vec<_> = own(SHARED_TEXTS).map(|text| ("rules", text.fluent)).collect();
        for rules in rules::all() {
            for file in own(rules.texts()).map(|text| (rules.name(), text.fluent)) {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        files
    }

    fn read(self) -> Texts {
        let files = self.files().into_iter().map(|(name, text)| (name, text.to_owned()));
        let language = self.tag().parse().expect("our tags are tags");
        Texts::new(language, files).unwrap_or_else(|(name, errors)| panic!("{name}: {errors}"))
    }

    fn texts(self) -> &'static Texts {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
        }
    }

    /// The text of `key`: in English if this language lacks it, and the key itself if English lacks it too.
    #[must_use]
    pub fn text(self, key: &str, arguments: &Arguments) -> String {
        let found = self.texts().find(key, arguments).or_else(|| ENGLISH.find(key, arguments));
        found.map_or_else(|| key.to_owned(), |found| found.text)
    }

    /// The sentence in this language; `names` are the players' names by seat.
    #[must_use]
    pub fn tell(self, sentence: &Sentence, names: &[String]) -> String {
        tell(sentence, names, &|key, arguments| self.text(key, arguments))
    }
}

impl Voice for Wording {
    fn say(&self, sentence: &Sentence) -> String {
        self.tell(sentence, &[])
    }
}
