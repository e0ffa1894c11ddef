//! A problem response (RFC 9457): its body, its headers and what is logged of it.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::{Map, Value};

use super::context::Context;
use crate::code::{Code, Log};
use crate::limits::{self, Limit};
use crate::problem_members::ProblemMembers;
use pippost_language::Language;

/// The media type of error responses.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The media type of errors that OAuth describes, which its clients insist on.
pub const OAUTH_MEDIA_TYPE: &str = "application/json";

/// The text that says that a token has expired.
pub(super) const EXPIRED: &str = "problem-unauthenticated-expired";

/// The body of every error response.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ProblemBody {
    /// A URI for the code: `urn:pippost:problem:<code>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The meaning of the code, in the language of `Accept-Language`.
    pub title: String,
    pub status: u16,
    /// The stable code, for programs.
    pub code: Code,
    /// What went wrong in this case, for people.
    pub detail: String,
    /// Members that depend on the code.
    #[serde(flatten)]
    #[schema(value_type = ProblemMembers)]
    pub more: Map<String, Value>,
}

/// An error response before it is sent.
pub struct Problem {
    code: Code,
    detail: Detail,
    more: Map<String, Value>,
    /// For the log only.
    cause: Option<String>,
    retry_after_seconds: Option<u32>,
    limit: Option<Box<Limit>>,
    allow: Option<String>,
    is_of_oauth: bool,
}

/// What went wrong in this case.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Detail {
    /// What the code advises in any case.
    OfCode,
    /// A text of the catalogue.
    Text(&'static str),
    Said(String),
}

impl Problem {
    /// A problem whose detail is what its code advises in any case.
    #[must_use]
    pub fn new(code: Code) -> Self {
        Self {
            code,
            detail: Detail::OfCode,
            more: Map::new(),
            cause: None,
            retry_after_seconds: code.retry_after_seconds(),
            limit: None,
            allow: None,
            is_of_oauth: false,
        }
    }

    /// Sets the detail: what went wrong in this case, for people. It must not contain secrets or other people's addresses.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Detail::Said(detail.into());
        self
    }

    /// Sets the detail to a text of the catalogue.
    #[must_use]
    pub(super) fn detail_of(mut self, key: &'static str) -> Self {
        self.detail = Detail::Text(key);
        self
    }

    /// The detail in a language, where the catalogue has it.
    pub(super) fn detail_in(&self, language: Language, taken: &str) -> String {
        match &self.detail {
            Detail::Said(text) => text.clone(),
            Detail::Text(key) => language.say(key),
            Detail::OfCode => {
                let advice = self.code.advice(language, taken);
                advice.unwrap_or_else(|| self.code.title(language))
            }
        }
    }

    /// Whether a token has expired.
    pub(super) fn is_expired(&self) -> bool {
        self.detail == Detail::Text(EXPIRED)
    }

    /// A member of the body.
    pub(super) fn member(&self, name: &str) -> Option<&Value> {
        self.more.get(name)
    }

    /// Adds a member to the body.
    ///
    /// # Panics
    /// If `value` cannot be serialised.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).expect("plain data");
        self.more.insert(name.to_owned(), value);
        self
    }

    /// Sets the cause, for the log only.
    #[must_use]
    pub fn cause(mut self, cause: impl fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// Sets `Retry-After`, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(u32::try_from(seconds).unwrap_or(u32::MAX));
        self
    }

    /// Names the limit that is reached, in the body and in `RateLimit`.
    #[must_use]
    pub(super) fn reached(mut self, limit: Limit) -> Self {
        self.limit = Some(Box::new(limit));
        self
    }

    /// Makes it an error of OAuth (RFC 6749, section 5.2) too: with `error` and `error_description`, as `application/json`.
    #[must_use]
    pub fn of_oauth(mut self) -> Self {
        self.is_of_oauth = true;
        self
    }

    /// Sets the methods that the resource supports.
    #[must_use]
    pub fn allow(mut self, methods: &[&str]) -> Self {
        self.allow = Some(methods.join(", "));
        self
    }

    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The response body, wherever the request is not known.
    #[must_use]
    pub fn body(&self) -> ProblemBody {
        self.body_in(&Context::default())
    }

    pub(super) fn body_in(&self, context: &Context) -> ProblemBody {
        let Context { language, faults, taken, .. } = context;
        let detail = self.detail_in(*language, &taken.join(", "));
        let mut more = self.more.clone();
        if !faults.is_empty() {
            let errors: Vec<_> = faults.iter().map(|fault| fault.body(*language)).collect();
            more.insert("errors".to_owned(), serde_json::to_value(errors).expect("plain data"));
        }
        if let Some(seconds) = self.retry_after_seconds {
            more.insert("retry_after_seconds".to_owned(), seconds.into());
        }
        if let Some(limit) = &self.limit {
            more.insert("limit".to_owned(), limit.name.into());
        }
        if self.is_of_oauth {
            more.insert("error".to_owned(), self.code.as_str().into());
            more.insert("error_description".to_owned(), detail.clone().into());
        }
        ProblemBody {
            kind: format!("urn:pippost:problem:{}", self.code),
            title: self.code.title(*language),
            status: self.code.status().as_u16(),
            code: self.code,
            detail,
            more,
        }
    }

    /// Reached limits are logged like client errors, so that strangers cannot fill the log.
    pub(super) fn level(&self) -> Log {
        match (self.code, &self.cause) {
            (Code::Unavailable, None) => Log::Debug,
            (code, _) => code.log(),
        }
    }

    fn log(&self) {
        let cause = self.cause.as_deref().unwrap_or_default();
        match self.level() {
            Log::Debug => tracing::debug!(code = %self.code, cause, "request refused"),
            Log::Info => tracing::info!(code = %self.code, cause, "request refused"),
            Log::Error => tracing::error!(code = %self.code, cause, "request failed"),
        }
    }
}

/// Omits the additional members, because they may be private to the client and this may be logged.
impl fmt::Debug for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Problem({})", self.code)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code, self.detail_in(Language::ENGLISH, ""))
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        self.log();
        let mut response = HttpResponse::build(self.code.status());
        let media_type = if self.is_of_oauth { OAUTH_MEDIA_TYPE } else { MEDIA_TYPE };
        response.insert_header((header::CONTENT_TYPE, HeaderValue::from_static(media_type)));
        if self.code.status() == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        if let Some(seconds) = self.retry_after_seconds {
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        if let Some((limit, seconds)) = self.limit.as_ref().zip(self.retry_after_seconds) {
            response.insert_header((limits::POLICY_HEADER, limit.policy()));
            response.insert_header((limits::HEADER, limits::left(limit.name, 0, seconds.into())));
        }
        if let Some(methods) = &self.allow {
            response.insert_header((header::ALLOW, methods.as_str()));
        }
        response.body(serde_json::to_vec(&self.body()).expect("plain data"))
    }
}
