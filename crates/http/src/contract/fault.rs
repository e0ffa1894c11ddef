//! One thing that is wrong with a request, and how that is said.

use serde::Serialize;
use utoipa::ToSchema;

use pippost_language::{Arguments, Language};

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    Missing,
    Unknown,
    Repeated,
    Type,
    Value,
    Form,
    Length,
    Range,
    /// What no schema says.
    Other,
}

/// What is wrong in one place of a request, before it is said in a language.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The place as a JSON Pointer: into the body, or to a parameter of the query by its name.
    pub pointer: String,
    pub code: FaultCode,
    words: Words,
}

/// How a fault is said.
#[derive(Clone, Debug, PartialEq)]
enum Words {
    /// By a text of the catalogue.
    Text(&'static str, Vec<(&'static str, Word)>),
    Said(String),
}

/// A variable of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    /// As it stands in the request or in the document.
    Literal(String),
    /// A text of the catalogue.
    Key(&'static str),
    /// Any of these texts of the catalogue.
    Any(Vec<&'static str>),
}

/// What is wrong in one place of a request.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Fault)]
pub struct FaultBody {
    /// A JSON Pointer into the body, or to a parameter of the query.
    pub pointer: String,
    pub code: FaultCode,
    pub detail: String,
}

impl Fault {
    pub(super) fn new(
        pointer: &str,
        code: FaultCode,
        text: &'static str,
        words: Vec<(&'static str, Word)>,
    ) -> Self {
        Self { pointer: pointer.to_owned(), code, words: Words::Text(text, words) }
    }

    /// A fault that only its finder can describe.
    #[must_use]
    pub fn said(pointer: String, detail: &str) -> Self {
        Self { pointer, code: FaultCode::Other, words: Words::Said(detail.to_owned()) }
    }

    /// The fault in a language.
    #[must_use]
    pub fn body(&self, language: Language) -> FaultBody {
        let detail = match &self.words {
            Words::Said(text) => text.clone(),
            Words::Text(key, words) => {
                let add = |all: Arguments, (name, word): &(&str, Word)| all.text(name, word.said(language));
                language.say_with(key, &words.iter().fold(Arguments::default(), add))
            }
        };
        FaultBody { pointer: self.pointer.clone(), code: self.code, detail }
    }
}

impl Word {
    fn said(&self, language: Language) -> String {
        match self {
            Self::Literal(text) => text.clone(),
            Self::Key(key) => language.say(key),
            Self::Any(keys) => {
                let either = |one: String, other: String| {
                    let both = Arguments::default().text("one", one).text("other", other);
                    language.say_with("fault-or", &both)
                };
                keys.iter().map(|key| language.say(key)).reduce(either).unwrap_or_default()
            }
        }
    }
}

/// A part of a JSON Pointer (RFC 6901).
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
