//! The examples of the document: requests and answers that a test has seen (`tests/api/examples.rs` writes and compares them). A
//! large one that several bodies have stands at their schema, or among the components.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ArrayItems, Object, Schema};
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

/// What schemas of requests are called. Their examples stay whole, because programs send them.
const REQUESTS: &str = "Body";

/// Moves what is most of an answer's example to the schema of that member, if that has none; then leaves out each example of which most
/// is a member that has an example at its own schema: readers compose it of those.
fn leave_out_composed(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let names: Vec<String> = schemas.keys().filter(|name| !name.ends_with(REQUESTS)).cloned().collect();
    for name in names {
        let own = schemas.get(&name).and_then(of_object).map(|object| (object, object.examples.first()));
        let Some((object, Some(example))) = own else { continue };
        if let Some((member, value)) = longest_member(object, example)
            && let Some(RefOr::T(Schema::Object(member))) = schemas.get_mut(&member)
            && member.examples.is_empty()
        {
            member.examples.push(value);
        }
    }
    let composed = |name: &str, example: &Value, shown: &BTreeMap<String, RefOr<Schema>>| {
        let longest = shown.get(name).and_then(of_object).and_then(|object| longest_member(object, example));
        !name.ends_with(REQUESTS)
            && longest.is_some_and(|(member, _)| shown.get(&member).is_some_and(is_shown))
    };
    let shown = schemas.clone();
    for (name, schema) in schemas {
        if let RefOr::T(Schema::Object(object)) = schema {
            object.examples.retain(|example| !composed(name, example, &shown));
        }
    }
    for content in document.paths.paths.values_mut().flat_map(declared::operations).flat_map(contents) {
        if let (Some(RefOr::Ref(schema)), Some(example)) = (&content.schema, &content.example)
            && composed(named(schema), example, &shown)
        {
            content.example = None;
        }
    }
}

/// The name of the schema that a reference is to.
fn named(reference: &Ref) -> &str {
    reference.ref_location.rsplit('/').next().unwrap_or_default()
}

fn of_object(schema: &RefOr<Schema>) -> Option<&Object> {
    match schema {
        RefOr::T(Schema::Object(object)) => Some(object),
        _ => None,
    }
}

/// Whether an example stands at a schema.
fn is_shown(schema: &RefOr<Schema>) -> bool {
    match schema {
        RefOr::T(Schema::Object(object)) => !object.examples.is_empty(),
        RefOr::T(Schema::OneOf(union)) => !union.examples.is_empty(),
        _ => false,
    }
}

/// What more than half of an example is, if it is one member, or the only entry of one, with a named schema: the name, and the value.
fn longest_member(object: &Object, example: &Value) -> Option<(String, Value)> {
    let half = example.to_string().len() / 2;
    object.properties.iter().find_map(|(name, member)| {
        let (schema, value) = match member {
            RefOr::Ref(own) => (own, &example[name]),
            RefOr::T(Schema::Array(list)) => match &list.items {
                ArrayItems::RefOrSchema(items) => match &**items {
                    RefOr::Ref(own) => (own, &example[name][0]),
                    RefOr::T(_) => return None,
                },
                ArrayItems::False => return None,
            },
            RefOr::T(_) => return None,
        };
        (value.to_string().len() > half).then(|| (named(schema).to_owned(), value.clone()))
    })
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
