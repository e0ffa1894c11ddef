//! Checks answers against the OpenAPI document: every answer must be one that the document describes.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::client::Answer;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&pippost::http::committed_document()).expect("JSON"));

/// Compiled schemas, by JSON pointer.
static SCHEMAS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// The document as the code generates it.
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// Panics unless the document describes this answer to that request. Unknown paths may only be refused.
pub fn check(method: &Method, path: &str, answer: &Answer) {
    let path = path.split('?').next().unwrap_or_default();
    let Some((template, operation)) = operation(method, path) else {
        let status = answer.status.as_u16();
        let outside = matches!(status, 404 | 405)
            || path.starts_with("/docs")
            || path == "/openapi.json"
            || is_page(answer);
        assert!(outside, "{method} {path} is not documented and answers {status}");
        return;
    };
    let status = answer.status.as_u16().to_string();
    let key = status.as_str();
    let responses = &operation["responses"];
    assert!(
        responses.get(key).is_some(),
        "{method} {template} does not document {status}: {}",
        answer.text()
    );
    check_headers(&format!("{method} {template} {status}"), &responses[key]["headers"], answer);
    let Some(content) = responses[key].get("content") else {
        assert!(answer.body.is_empty(), "{method} {template} {status} documents no body");
        return;
    };
    let given = answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = given.split(';').next().unwrap_or_default().trim();
    assert!(content.get(media_type).is_some(), "{method} {template} {status} does not document {media_type}");
    // Errors of OAuth are problems of another media type.
    if answer.status.as_u16() >= 400 {
        let code = &answer.json()["code"];
        let declared = responses[key]["x-problem-codes"].as_array().into_iter().flatten();
        assert!(
            declared.into_iter().any(|declared| declared == code),
            "{method} {template} {status} does not declare the code {code}: {}",
            answer.text()
        );
        let body = answer.json();
        let members = body.as_object().expect("a problem").keys();
        let undocumented: Vec<&String> = members.filter(|name| !is_of_problems(name)).collect();
        assert!(undocumented.is_empty(), "{method} {template} {status} does not document {undocumented:?}");
    }
    if matches!(media_type, "application/json" | "application/problem+json")
        && content[media_type].get("schema").is_some()
    {
        let method = method.as_str().to_lowercase();
        let pointer = ["paths", template, &method, "responses", key, "content", media_type, "schema"];
        let pointer: Vec<_> = pointer.iter().map(|part| part.replace('~', "~0").replace('/', "~1")).collect();
        validate(&format!("/{}", pointer.join("/")), answer);
    }
}

/// Headers that a client acts on; where an answer has one, its response documents it.
const TELLING: [&str; 9] = [
    "Deprecation",
    "ETag",
    "Link",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Sunset",
    "WWW-Authenticate",
];

/// Headers that an answer has wherever they are documented.
const PROMISED: [&str; 3] = ["ETag", "Retry-After", "WWW-Authenticate"];

fn check_headers(what: &str, documented: &Value, answer: &Answer) {
    for name in TELLING {
        let (is_sent, is_documented) = (answer.headers.contains_key(name), documented.get(name).is_some());
        assert!(is_documented || !is_sent, "{what} does not document the header {name}");
        assert!(is_sent || !is_documented || !PROMISED.contains(&name), "{what} lacks the header {name}");
    }
    if matches!(answer.status.as_u16(), 429 | 503) {
        let seconds = answer.headers["retry-after"].to_str().ok().and_then(|text| text.parse::<u64>().ok());
        assert!(seconds.is_some(), "{what} does not say when to try again");
        assert_eq!(json!(seconds), answer.json()["retry_after_seconds"], "{what}");
    }
}

/// Whether the document names that member of problems.
fn is_of_problems(name: &str) -> bool {
    let schemas = &DOCUMENT["components"]["schemas"];
    let parts = schemas["ProblemBody"]["allOf"].as_array().into_iter().flatten();
    let mut described =
        parts.map(|part| &part["properties"]).chain([&schemas["ProblemMembers"]["properties"]]);
    described.any(|properties| properties.get(name).is_some())
}

fn is_page(answer: &Answer) -> bool {
    answer.headers.get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}

/// What is wrong with a value by the schema at that place of the document.
pub fn errors(pointer: &str, value: &Value) -> Vec<String> {
    let validator = {
        let mut schemas = SCHEMAS.lock().expect("no schema panics");
        let compile = || {
            let mut schema = DOCUMENT.pointer(pointer).expect("a schema").clone();
            schema["components"] = DOCUMENT["components"].clone();
            Arc::new(jsonschema::draft202012::new(&schema).expect("a good schema"))
        };
        schemas.entry(pointer.to_owned()).or_insert_with(compile).clone()
    };
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn validate(pointer: &str, answer: &Answer) {
    let body = answer.json();
    let errors = errors(pointer, &body);
    assert!(errors.is_empty(), "{pointer}: {errors:#?}\n{}", json!(body));
}

/// The documented operation for a path; fixed segments take precedence over parameters.
fn operation(method: &Method, path: &str) -> Option<(&'static str, &'static Value)> {
    let given: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let parts: Vec<&str> = template.split('/').collect();
        parts.len() == given.len()
            && parts
                .iter()
                .zip(&given)
                .all(|(part, given)| (part.starts_with('{') && !given.is_empty()) || part == given)
    };
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    let mut fitting: Vec<_> = paths.iter().filter(|(template, _)| fits(template)).collect();
    fitting.sort_by_key(|(template, _)| template.matches('{').count());
    let (template, item) = fitting.first()?;
    Some((template, item.get(method.as_str().to_lowercase())?))
}
