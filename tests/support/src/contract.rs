//! Checks answers against the OpenAPI document: every answer must be one that the document describes.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use pippost::api::declared::{REFUSED, codes_of};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::client::Answer;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&pippost::http::whole_document()).expect("JSON"));

/// Compiled schemas, by JSON pointer.
static SCHEMAS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// The document as the code generates it.
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// Panics unless the document describes this answer to that request. Unknown paths may only be refused.
pub fn check(method: &Method, path: &str, answer: &Answer) {
    // They answer as GET does, or say what else an address takes; tests/api/methods.rs compares them.
    if matches!(*method, Method::HEAD | Method::OPTIONS) {
        return;
    }
    let path = path.split('?').next().unwrap_or_default();
    let Some((template, operation)) = operation(method, path) else {
        let status = answer.status.as_u16();
        let outside = matches!(status, 404 | 405)
            || path.starts_with("/docs")
            || path.starts_with("/openapi")
            || is_page(answer);
        assert!(outside, "{method} {path} is not documented and answers {status}");
        return;
    };
    let status = answer.status.as_u16();
    let what = format!("{method} {template} {status}");
    let responses = &operation["responses"];
    let key = if status < 400 || responses.get(status.to_string()).is_some() {
        status.to_string()
    } else {
        REFUSED.to_owned()
    };
    let key = key.as_str();
    assert!(responses.get(key).is_some(), "{what} is not documented: {}", answer.text());
    let (pointer, response) =
        resolved(&["paths", template, &method.as_str().to_lowercase(), "responses", key]);
    check_headers(&what, response, answer);
    let Some(content) = response.get("content") else {
        assert!(answer.body.is_empty(), "{what} documents no body");
        return;
    };
    let given = answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = given.split(';').next().unwrap_or_default().trim();
    assert!(content.get(media_type).is_some(), "{what} does not document {media_type}");
    // Errors of OAuth are problems of another media type.
    if key == REFUSED {
        let body = answer.json();
        let declared = codes_of(operation).into_iter().find(|declared| declared.as_str() == body["code"]);
        let declared = declared.unwrap_or_else(|| panic!("{what} does not declare the code: {body}"));
        assert_eq!(declared.status().as_u16(), status, "{what}: {body}");
        let members = body.as_object().expect("a problem").keys();
        assert_ne!(body["detail"], body["title"], "{what} says nothing of the case");
        let faults = body["errors"].as_array().map_or(0, Vec::len);
        assert_eq!(
            faults > 0,
            status == 422,
            "{what} says what is wrong with the request, and only then: {body}"
        );
        let undocumented: Vec<&String> = members.filter(|name| !is_of_problems(name)).collect();
        assert!(undocumented.is_empty(), "{what} does not document {undocumented:?}");
    }
    if matches!(media_type, "application/json" | "application/problem+json")
        && content[media_type].get("schema").is_some()
    {
        validate(&format!("{pointer}/content/{}/schema", escaped(media_type)), answer);
    }
}

/// The place of a part of the document, and what stands there; a reference is followed.
fn resolved(path: &[&str]) -> (String, &'static Value) {
    let parts: Vec<String> = path.iter().map(|part| escaped(part)).collect();
    let pointer = format!("/{}", parts.join("/"));
    let found = DOCUMENT.pointer(&pointer).expect("a part of the document");
    match found["$ref"].as_str() {
        None => (pointer, found),
        Some(reference) => {
            let pointer = reference.trim_start_matches('#').to_owned();
            let found = DOCUMENT.pointer(&pointer).expect("a part of the document");
            (pointer, found)
        }
    }
}

/// The example of a body, also where several have it, or its schema.
pub fn example(content: &Value) -> Option<&Value> {
    let shared = || content["examples"].as_object()?.values().next().map(|example| &meant(example)["value"]);
    let of_schema = || meant(content.get("schema")?)["examples"].get(0);
    content.get("example").or_else(shared).or_else(of_schema)
}

/// How many schemas an example may be composed through.
const MAX_COMPOSED: usize = 4;

/// Whether readers can compose the example of a body of those of its members.
pub fn has_parts(content: &Value) -> bool {
    content.get("schema").is_some_and(|schema| has_shown_part(schema, MAX_COMPOSED))
}

fn has_shown_part(schema: &Value, depth: usize) -> bool {
    let mut members =
        meant(schema)["properties"].as_object().into_iter().flat_map(|members| members.values());
    members.any(|member| {
        let part = member.get("items").unwrap_or(member);
        meant(part).get("examples").is_some() || depth > 0 && has_shown_part(part, depth - 1)
    })
}

/// The parameters of an operation, those among the components too.
pub fn parameters(operation: &Value) -> impl Iterator<Item = &Value> {
    operation["parameters"].as_array().into_iter().flatten().map(meant)
}

/// What a part of the document says, where it refers to another one.
pub fn meant(part: &Value) -> &Value {
    part["$ref"].as_str().map_or(part, |reference| {
        DOCUMENT.pointer(reference.trim_start_matches('#')).expect("a part of the document")
    })
}

fn escaped(part: &str) -> String {
    part.replace('~', "~0").replace('/', "~1")
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

/// Headers that any answer may have, as the document's first lines say.
const EVERYWHERE: [&str; 2] = ["RateLimit", "RateLimit-Policy"];

fn check_headers(what: &str, response: &Value, answer: &Answer) {
    let (status, documented) = (answer.status.as_u16(), &response["headers"]);
    for name in TELLING {
        let (is_sent, is_documented) = (answer.headers.contains_key(name), documented.get(name).is_some());
        assert!(
            is_documented || !is_sent || EVERYWHERE.contains(&name),
            "{what} does not document the header {name}"
        );
        // Refusals share a description, so that it names what only some of them have.
        let is_promised = match name {
            "ETag" => is_documented,
            "Location" => status == 201,
            "Retry-After" => matches!(status, 429 | 503),
            "WWW-Authenticate" => status == 401,
            _ => false,
        };
        assert!(is_sent || !is_promised, "{what} lacks the header {name}");
    }
    if matches!(status, 429 | 503) {
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
