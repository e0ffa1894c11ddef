//! The headers of requests and answers in the OpenAPI document. Each is described once; operations refer to it.

use serde_json::Value;
use utoipa::IntoParams;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Required, Response};

use super::declared::operations;
use pippost_games::playing::request::MAX_KEY_LENGTH;
use pippost_http::conditional::MAX_TAGS;

/// The headers of answers, with a description and an example each.
const ANSWERED: [(&str, &str, &str); 6] = [
    (
        "ETag",
        "A weak tag of what you are shown. Send it back as `If-None-Match`.",
        "W/\"q1T3kZ0o9bL2rXvNfC8yHsWd\"",
    ),
    (
        "Location",
        "Where it is, or the list that has it.",
        "/api/v1/games/01a1fe2a-89df-7515-9c5d-9fde96828ff2",
    ),
    (
        "RateLimit",
        "What is left of each quota (`r`), and in how many seconds there is more (`t`).",
        "\"token\";r=2999;t=1, \"address\";r=11999;t=1",
    ),
    (
        "RateLimit-Policy",
        "The quotas that this request counts on (`q`), and the seconds in which they come back (`w`).",
        "\"token\";q=3000;w=60, \"address\";q=12000;w=60",
    ),
    ("Retry-After", "When to try again, in seconds.", "120"),
    ("WWW-Authenticate", "How to authenticate.", "Bearer"),
];

/// The header `Idempotency-Key`.
pub struct KeyHeader;

/// The header `Last-Event-ID` of requests for feeds.
pub struct LastEventIdHeader;

/// The header `If-Match` of requests that act in a game.
pub struct IfMatchHeader;

impl IntoParams for KeyHeader {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let description = format!(
            "1 to {MAX_KEY_LENGTH} visible ASCII characters of your choice. The same request gets the same answer \
             with `Idempotent-Replayed: true`, for 7 days; another one is refused."
        );
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(MAX_KEY_LENGTH))
            .pattern(Some("^[!-~]+$"));
        vec![header("Idempotency-Key", &description, schema)]
    }
}

impl IntoParams for LastEventIdHeader {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let description = "The `id` of the last event that you have; counts before `after`.";
        // A client that has no id yet may send an empty one.
        let pattern =
            "^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:(0|[1-9][0-9]{0,17}))?$";
        let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern));
        vec![header("Last-Event-ID", description, schema)]
    }
}

impl IntoParams for IfMatchHeader {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let description = "The `seq` of the view that you answer, as an entity tag, such as `\"42\"`; an alternative to `expected_seq`. \
                           After newer events the request is refused with `precondition_failed`.";
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(format!(r#"^(\*|"[!#-~]*"( ?, ?"[!#-~]*"){{0,{}}})$"#, MAX_TAGS - 1)));
        vec![header("If-Match", description, schema)]
    }
}

fn header(name: &str, description: &str, schema: ObjectBuilder) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema))
        .build()
}

/// Adds the headers to every operation.
pub fn complete(document: &mut OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        complete_operation(operation);
    }
    let headers = &mut document.components.get_or_insert_default().headers;
    headers.extend(ANSWERED.map(|(name, description, example)| {
        let number = example.parse::<u64>().ok();
        let text =
            ObjectBuilder::new().schema_type(if number.is_some() { Type::Integer } else { Type::String });
        let example = number.map_or_else(|| Value::from(example), Value::from);
        let header =
            HeaderBuilder::new().schema(Some(text)).description(Some(description)).example(Some(example));
        (name.to_owned(), RefOr::T(header.build()))
    }));
}

fn complete_operation(operation: &mut Operation) {
    if let Some(RefOr::T(created)) = operation.responses.responses.get_mut("201") {
        refer(created, "Location");
    }
    if !operation.responses.responses.contains_key("304") {
        return;
    }
    let description = "The `ETag` of an answer that you have, or several. If it is still right, the answer is 304 without a body, \
                       and costs nothing of your quotas.";
    let schema = ObjectBuilder::new().schema_type(Type::String);
    let known = header("If-None-Match", description, schema);
    operation.parameters.get_or_insert_default().push(known.into());
    for (status, response) in &mut operation.responses.responses {
        if let (RefOr::T(response), "200" | "304") = (response, status.as_str()) {
            refer(response, "ETag");
        }
    }
}

/// Refers to the header's description among the components.
pub fn refer(response: &mut Response, name: &str) {
    response.headers.insert(name.to_owned(), RefOr::Ref(Ref::new(format!("#/components/headers/{name}"))));
}
