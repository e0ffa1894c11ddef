//! The examples of the document: requests and answers that a test has seen (`tests/api/examples.rs` writes and compares them). A
//! large one that several bodies have stands at their schema, or among the components.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ArrayItems, Schema};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

use crate::declared;

/// By operation: `request`; `answers` by status; and of what is also sent as a stream, `streams` by media type.
const SEEN: &str = include_str!("../../../../openapi/examples.json");

/// The media types whose examples are JSON.
const JSON: &str = "application/json";

/// The media type whose examples show what streams hold; lines of JSON hold the same.
const SSE: &str = "text/event-stream";

/// The longest example that may stand at several operations.
const MAX_INLINE_BYTES: usize = 130;

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
    inline_what_one_has(document, &mut shared);
    move_to_schemas(document, &mut shared);
    leave_out_composed(document);
    document.components.get_or_insert_default().examples.extend(shared);
}

/// Moves what a single body refers to from `shared` to that body, unless it is an example of a schema.
fn inline_what_one_has(document: &mut OpenApi, shared: &mut BTreeMap<String, RefOr<Example>>) {
    let schemas: BTreeSet<String> =
        document.components.get_or_insert_default().schemas.keys().cloned().collect();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for content in document.paths.paths.values_mut().flat_map(declared::operations).flat_map(contents) {
        for name in content.examples.keys() {
            *uses.entry(name.clone()).or_default() += 1;
        }
    }
    for content in document.paths.paths.values_mut().flat_map(declared::operations).flat_map(contents) {
        let single = |name: &String| uses.get(name) == Some(&1) && !schemas.contains(name);
        let Some(name) = content.examples.keys().find(|name| single(name)).cloned() else { continue };
        content.examples.clear();
        if let Some(RefOr::T(example)) = shared.remove(&name) {
            content.example = example.value;
        }
    }
}

/// Moves examples to the schemas that they are named after, so that no body has to refer to them.
fn move_to_schemas(document: &mut OpenApi, shared: &mut BTreeMap<String, RefOr<Example>>) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let (of_schemas, others): (Vec<_>, Vec<_>) =
        std::mem::take(shared).into_iter().partition(|(name, _)| schemas.contains_key(name));
    shared.extend(others);
    for (name, example) in of_schemas {
        let examples = match schemas.get_mut(&name) {
            Some(RefOr::T(Schema::Object(object))) => &mut object.examples,
            Some(RefOr::T(Schema::OneOf(union))) => &mut union.examples,
            _ => {
                shared.insert(name, example);
                continue;
            }
        };
        if let RefOr::T(Example { value: Some(value), .. }) = example {
            examples.push(value);
        }
        for content in document.paths.paths.values_mut().flat_map(declared::operations).flat_map(contents) {
            content.examples.remove(&name);
        }
    }
}

/// Leaves out each example of which most is one member that has an example at its own schema: readers compose it of those.
fn leave_out_composed(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let shown: BTreeSet<String> =
        schemas.iter().filter(|(_, one)| is_shown(one)).map(|(name, _)| reference(name)).collect();
    let composed: BTreeMap<String, Vec<String>> = schemas
        .iter()
        .map(|(name, schema)| (reference(name), members_shown(schema, &shown)))
        .filter(|(_, members)| !members.is_empty())
        .collect();
    let is_composed = |schema: &str, example: &Value| {
        let longest =
            composed.get(schema).into_iter().flatten().map(|member| example[member].to_string().len()).max();
        longest.is_some_and(|longest| 2 * longest > example.to_string().len())
    };
    for (name, schema) in schemas {
        if let RefOr::T(Schema::Object(object)) = schema {
            object.examples.retain(|example| !is_composed(&reference(name), example));
        }
    }
    for content in document.paths.paths.values_mut().flat_map(declared::operations).flat_map(contents) {
        if let (Some(RefOr::Ref(schema)), Some(example)) = (&content.schema, &content.example)
            && is_composed(&schema.ref_location, example)
        {
            content.example = None;
        }
    }
}

fn reference(schema: &str) -> String {
    Ref::from_schema_name(schema).ref_location
}

/// Whether an example stands at a schema.
fn is_shown(schema: &RefOr<Schema>) -> bool {
    match schema {
        RefOr::T(Schema::Object(object)) => !object.examples.is_empty(),
        RefOr::T(Schema::OneOf(union)) => !union.examples.is_empty(),
        _ => false,
    }
}

/// The members of an object whose schemas, or those of whose items, are among these.
fn members_shown(schema: &RefOr<Schema>, shown: &BTreeSet<String>) -> Vec<String> {
    let RefOr::T(Schema::Object(object)) = schema else { return Vec::new() };
    let is_one =
        |schema: &RefOr<Schema>| matches!(schema, RefOr::Ref(own) if shown.contains(&own.ref_location));
    let has_one = |member: &RefOr<Schema>| match member {
        RefOr::T(Schema::Array(list)) => {
            matches!(&list.items, ArrayItems::RefOrSchema(items) if is_one(items))
        }
        member => is_one(member),
    };
    object.properties.iter().filter(|(_, member)| has_one(member)).map(|(name, _)| name.clone()).collect()
}

/// What an operation takes and answers, by media type.
fn contents(operation: &mut Operation) -> Vec<&mut Content> {
    let mut found = Vec::new();
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        found.extend(body.content.values_mut());
    }
    for answer in operation.responses.responses.values_mut() {
        if let RefOr::T(answer) = answer {
            found.extend(answer.content.values_mut());
        }
    }
    let mut own = Vec::new();
    for content in found {
        if let RefOr::T(content) = content {
            own.push(content);
        }
    }
    own
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
            } else if media_type == SSE {
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
