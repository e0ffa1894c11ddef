//! The examples of the document: requests and answers that a test has seen (`tests/api/examples.rs` writes and compares them). A
//! large one stands among the components, once for all answers of its schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

use crate::declared;

/// By operation: `request`; `answers` by status; and of what is also sent as a stream, `streams` by media type.
const SEEN: &str = include_str!("../../../../openapi/examples.json");

/// The media types whose examples are JSON.
const JSON: &str = "application/json";

/// The longest example that stands at its operation.
const MAX_INLINE_BYTES: usize = 200;

/// Adds all of them.
///
/// # Panics
/// If `openapi/examples.json` is not JSON.
pub fn add(document: &mut OpenApi) {
    let seen: Map<String, Value> = serde_json::from_str(SEEN).expect("openapi/examples.json is JSON");
    let mut shared = BTreeMap::new();
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        let own = operation.operation_id.as_ref().and_then(|name| seen.get(name)).cloned();
        add_seen(operation, &own.unwrap_or_default(), &mut shared);
    }
    document.components.get_or_insert_default().examples.extend(shared);
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

fn add_seen(operation: &mut Operation, seen: &Value, shared: &mut BTreeMap<String, RefOr<Example>>) {
    let name = operation.operation_id.clone().unwrap_or_default();
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        for content in body.content.values_mut() {
            set(content, seen.get("request"), &name, shared);
        }
    }
    for (status, answer) in &mut operation.responses.responses {
        let RefOr::T(answer) = answer else { continue };
        let whole = seen.get("answers").and_then(|answers| answers.get(status));
        for (media_type, content) in &mut answer.content {
            if media_type == JSON || whole.is_some_and(Value::is_string) {
                set(content, whole, &name, shared);
            } else {
                let stream = seen.get("streams").and_then(|streams| streams.get(media_type));
                let name = format!("{name}.{}", media_type.replace('/', "-"));
                set(content, stream, &name, shared);
            }
        }
    }
}

/// An object is an example of its schema, wherever that stands; of other bodies only the same text is shared.
fn set(
    content: &mut RefOr<Content>,
    example: Option<&Value>,
    operation: &str,
    shared: &mut BTreeMap<String, RefOr<Example>>,
) {
    let (RefOr::T(content), Some(example)) = (content, example) else { return };
    if example.to_string().len() <= MAX_INLINE_BYTES {
        content.example = Some(example.clone());
        return;
    }
    let schema = match &content.schema {
        Some(RefOr::Ref(schema)) if example.is_object() => schema.ref_location.rsplit('/').next(),
        _ => None,
    };
    let of_schema = schema.filter(|name| shared.contains_key(*name)).map(str::to_owned);
    let same = shared.iter().find_map(|(name, known)| holds(known, example).then(|| name.clone()));
    let name = of_schema.or(same).unwrap_or_else(|| {
        let name = schema.unwrap_or(operation).to_owned();
        let kept = ExampleBuilder::new().value(Some(example.clone())).build();
        shared.insert(name.clone(), kept.into());
        name
    });
    let reference = Ref::new(format!("#/components/examples/{name}"));
    content.examples.insert(name, RefOr::Ref(reference));
}

fn holds(known: &RefOr<Example>, value: &Value) -> bool {
    matches!(known, RefOr::T(known) if known.value.as_ref() == Some(value))
}
