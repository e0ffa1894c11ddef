//! What a refusal says beside its problem: in which language, where the request is wrong, and how to authenticate.

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_LANGUAGE, HeaderMap, HeaderName,
    HeaderValue, VARY, WWW_AUTHENTICATE,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpMessage, HttpRequest, web};
use serde_json::Value;

use super::response::Problem;
use crate::code::Code;
use crate::contract::{Contract, Fault};
use crate::issuer::Issuer;
use crate::json::SentBody;
use pippost_language::Language;

/// The header that says what may be posted (W3C Linked Data Platform).
const ACCEPT_POST: HeaderName = HeaderName::from_static("accept-post");

/// The address of the metadata of this server as a resource (RFC 9728).
pub const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource";

/// The addresses that take bearer tokens.
const WITH_TOKENS: &str = "/api/v1/";

/// What the forms of pages are sent as.
const FORM: &str = "application/x-www-form-urlencoded";

/// What is known of a refusal where its request is.
#[derive(Debug, Default)]
pub struct Context {
    pub(super) language: Language,
    pub(super) faults: Vec<Fault>,
    /// The media types that the address takes.
    pub(super) taken: Vec<String>,
    headers: Vec<(HeaderName, String)>,
}

/// Says in the answer what only the request tells, if the answer is a problem.
#[must_use]
pub fn complete(answer: ServiceResponse) -> ServiceResponse {
    let Some(problem) = answer.response().error().and_then(|error| error.as_error::<Problem>()) else {
        return answer;
    };
    let context = Context::of(answer.request(), problem);
    let body = serde_json::to_vec(&problem.body_in(&context)).expect("plain data");
    let mut answer = answer.map_body(|_, _| BoxBody::new(body));
    context.add_headers(answer.headers_mut());
    answer
}

impl Context {
    fn of(request: &HttpRequest, problem: &Problem) -> Self {
        let accepted = request.headers().get(ACCEPT_LANGUAGE).and_then(|accepted| accepted.to_str().ok());
        let mut context =
            Self { language: accepted.map_or_else(Language::default, Language::accepted), ..Self::default() };
        match problem.code() {
            Code::UnsupportedMediaType => context.say_taken(request),
            Code::UnsupportedEncoding => context.headers.push((ACCEPT_ENCODING, "identity".to_owned())),
            code if code.status() == StatusCode::UNPROCESSABLE_ENTITY => {
                context.faults = faults(request, problem, context.language);
            }
            _ => {}
        }
        context.headers.extend(challenge(request, problem).map(|text| (WWW_AUTHENTICATE, text)));
        context
    }

    fn say_taken(&mut self, request: &HttpRequest) {
        self.taken = Contract::asked(request).map_or_else(Vec::new, |contract| contract.media_types(request));
        if self.taken.is_empty() {
            self.taken.push(FORM.to_owned());
        }
        self.headers.push((ACCEPT, self.taken.join(", ")));
        if *request.method() == Method::POST {
            self.headers.push((ACCEPT_POST, self.taken.join(", ")));
        }
    }

    fn add_headers(&self, headers: &mut HeaderMap) {
        let language = [(CONTENT_LANGUAGE, self.language.tag().to_owned())];
        for (name, text) in self.headers.iter().cloned().chain(language) {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(name, value);
            }
        }
        // Beside what compression and CORS say.
        headers.append(VARY, HeaderValue::from_static("accept-language"));
    }
}

/// What is wrong by the document; if that is nothing, the one thing that the problem tells of.
fn faults(request: &HttpRequest, problem: &Problem, language: Language) -> Vec<Fault> {
    let sent = request.extensions().get::<SentBody>().cloned();
    let body: Option<Value> = sent.and_then(|SentBody(bytes)| serde_json::from_slice(&bytes).ok());
    let mut found = Vec::new();
    if let Some(contract) = Contract::asked(request) {
        found = contract.faults_of_query(request);
        found.extend(body.iter().flat_map(|body| contract.faults_of_body(request, body)));
    }
    if found.is_empty() {
        let pointer = place(problem, body.as_ref());
        found.push(Fault::said(pointer, &problem.detail_in(language, "")));
    }
    found
}

/// The lists of actions in bodies, whose entries problems name by their index.
const LISTS: [&str; 2] = ["actions", "line"];

/// The place that a problem tells of.
fn place(problem: &Problem, body: Option<&Value>) -> String {
    let sent = |name: &str| body.is_some_and(|body| body.get(name).is_some());
    if let Some(field) = problem.member("field").and_then(Value::as_str) {
        return format!("/{field}");
    }
    match problem.member("index").zip(LISTS.into_iter().find(|list| sent(list))) {
        Some((index, list)) => format!("/{list}/{index}"),
        None if sent("notation") => "/notation".to_owned(),
        None => String::new(),
    }
}

/// How to authenticate (RFC 6750, section 3; RFC 9728, section 5.1).
fn challenge(request: &HttpRequest, problem: &Problem) -> Option<String> {
    let scope = problem.member("scope").and_then(Value::as_str);
    let had_token = request.headers().contains_key(AUTHORIZATION);
    let error = match problem.code() {
        Code::MissingScope => {
            let scope = scope.map_or_else(String::new, |scope| format!(", scope=\"{scope}\""));
            format!("error=\"insufficient_scope\"{scope}, ")
        }
        Code::TokenLimited => "error=\"insufficient_scope\", ".to_owned(),
        code if code.status() != StatusCode::UNAUTHORIZED => return None,
        _ if !had_token => String::new(),
        code => {
            let why = match code {
                Code::SessionRevoked => "the session has ended",
                _ if problem.is_expired() => "the token has expired",
                _ => "the token is not valid here",
            };
            format!("error=\"invalid_token\", error_description=\"{why}\", ")
        }
    };
    let issuer =
        request.app_data::<web::Data<Issuer>>().filter(|_| request.path().starts_with(WITH_TOKENS))?;
    Some(format!("Bearer {error}resource_metadata=\"{}{RESOURCE_METADATA}\"", issuer.as_str()))
}
