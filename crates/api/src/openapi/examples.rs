//! The examples of the document: requests and answers that a test has seen (`tests/api/examples.rs` writes and compares them), and
//! problems made from their codes.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

use crate::declared::{self, CODES_MEMBER};
use pippost_http::problem::{Code, MEDIA_TYPE, OAUTH_MEDIA_TYPE, Problem};

/// By operation: `request`; `answers` by status; and of what is also sent as a stream, `streams` by media type.
const SEEN: &str = include_str!("../../../../openapi/examples.json");

/// The media types whose examples are JSON.
const JSON: &str = "application/json";

/// Adds all of them.
///
/// # Panics
/// If `openapi/examples.json` is not JSON.
pub fn add(document: &mut OpenApi) {
    let seen: Map<String, Value> = serde_json::from_str(SEEN).expect("openapi/examples.json is JSON");
    let (mut used, mut of_oauth) = (BTreeSet::new(), BTreeSet::new());
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        let own = operation.operation_id.as_ref().and_then(|name| seen.get(name)).cloned();
        add_seen(operation, &own.unwrap_or_default());
        add_problems(operation, MEDIA_TYPE, &mut used);
        add_problems(operation, OAUTH_MEDIA_TYPE, &mut of_oauth);
    }
    used.extend(of_oauth.iter().cloned());
    let components = document.components.get_or_insert_default();
    for code in Code::ALL.iter().filter(|code| used.contains(code.as_str())) {
        let problem = if of_oauth.contains(code.as_str()) {
            Problem::new(*code).of_oauth()
        } else {
            Problem::new(*code)
        };
        let body = serde_json::to_value(problem.body()).expect("plain data");
        let example = ExampleBuilder::new().summary(code.title()).value(Some(body)).build();
        components.examples.insert(code.as_str().to_owned(), example.into());
    }
}

/// What was seen of an operation that receivers of webhooks have.
///
/// # Panics
/// If `openapi/examples.json` is not JSON.
#[must_use]
pub fn of_receivers(operation: &str) -> Option<Value> {
    let mut seen: Map<String, Value> = serde_json::from_str(SEEN).expect("openapi/examples.json is JSON");
    seen.remove(operation)
}

fn add_seen(operation: &mut Operation, seen: &Value) {
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        for content in body.content.values_mut() {
            set(content, seen.get("request"));
        }
    }
    for (status, answer) in &mut operation.responses.responses {
        let RefOr::T(answer) = answer else { continue };
        let whole = seen.get("answers").and_then(|answers| answers.get(status));
        for (media_type, content) in &mut answer.content {
            if media_type == JSON || whole.is_some_and(Value::is_string) {
                set(content, whole);
            } else {
                set(content, seen.get("streams").and_then(|streams| streams.get(media_type)));
            }
        }
    }
}

fn set(content: &mut RefOr<Content>, example: Option<&Value>) {
    if let (RefOr::T(content), Some(example)) = (content, example) {
        content.example = Some(example.clone());
    }
}

fn add_problems(operation: &mut Operation, media_type: &str, used: &mut BTreeSet<String>) {
    for answer in operation.responses.responses.values_mut() {
        let RefOr::T(answer) = answer else { continue };
        let codes = answer.extensions.as_ref().and_then(|extensions| extensions.get(CODES_MEMBER));
        let codes: Vec<String> =
            codes.and_then(Value::as_array).into_iter().flatten().filter_map(as_text).collect();
        let Some(RefOr::T(content)) = answer.content.get_mut(media_type) else { continue };
        for code in codes {
            used.insert(code.clone());
            let example = Ref::new(format!("#/components/examples/{code}"));
            content.examples.insert(code, RefOr::Ref(example));
        }
    }
}

fn as_text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
