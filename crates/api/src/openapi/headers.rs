//! The headers of requests and answers that handlers do not declare, and that few operations have; [`crate::declared_headers`]
//! adds those of many.

use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Header, OpenApi, RefOr, Required};

use crate::declared;
use pippost_games::playing::request::MAX_KEY_LENGTH;
use pippost_record::rules::schema;

/// A header that some answers have: of the operation and status, its name, what it says and an example.
struct Sent(&'static str, &'static str, &'static str, &'static str, &'static str);

const SENT: &[Sent] = &[
    Sent(
        "export_record",
        "200",
        "Content-Disposition",
        "A name for the file.",
        "attachment; filename=\"pippost.ndjson\"",
    ),
    Sent(
        "export_my_records",
        "200",
        "Content-Disposition",
        "A name for the file.",
        "attachment; filename=\"pippost-records.zip\"",
    ),
    Sent("show_keys", "200", "Cache-Control", "How long the keys may be kept.", "public, max-age=60"),
    Sent("give_app_tokens", "200", "Cache-Control", "Tokens are not to be kept by caches.", "no-store"),
];

/// The operations that may be asked without a body, because no member of it is needed; a test holds them against the schemas.
const WITHOUT_BODY: [&str; 5] =
    ["abort_game", "analyse_game", "enter_tournament", "join_game", "resign_game"];

/// Adds all of them.
pub fn add(document: &mut OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        let needs_none = operation.operation_id.as_deref().is_some_and(|name| WITHOUT_BODY.contains(&name));
        if let Some(RefOr::T(body)) = operation.request_body.as_mut().filter(|_| needs_none) {
            body.required = Some(Required::False);
        }
        for Sent(of, status, name, says, example) in SENT {
            if operation.operation_id.as_deref() == Some(of) {
                add_to(operation, status, name, text(says, example));
            }
        }
        describe_parameters(operation);
    }
}

/// Adds a header to an answer, unless its handler declares it.
pub fn add_to(operation: &mut Operation, status: &str, name: &str, header: Header) {
    let Some(RefOr::T(answer)) = operation.responses.responses.get_mut(status) else { return };
    let declared = answer.headers.keys().any(|known| known.eq_ignore_ascii_case(name));
    if !declared {
        answer.headers.insert(name.to_owned(), header.into());
    }
}

/// A header of text.
pub fn text(says: &str, example: &str) -> Header {
    let mut header = plain();
    header.description = Some(says.to_owned());
    header.example = Some(example.into());
    header
}

/// A header of text that is described elsewhere.
pub fn plain() -> Header {
    HeaderBuilder::new().schema(Some(ObjectBuilder::new().schema_type(Type::String))).build()
}

/// What a part of a path names.
fn described(name: &str, tags: Option<&[String]>) -> String {
    let has = |name: &str| tags.is_some_and(|tags| tags.iter().any(|tag| tag == name));
    let (is_account, is_app) = (has("accounts"), has("apps"));
    match name {
        "id" if is_app => "The id, as in the list.".to_owned(),
        "id" if is_account => "The token's id, as in the list of tokens.".to_owned(),
        "id" => "The game's id. What is none belongs to no game: `not_found`.".to_owned(),
        "handle" => "The player's handle, in upper or lower case.".to_owned(),
        "name" => "The rule set's name, as listed by `/rules`.".to_owned(),
        other => format!("The {other}."),
    }
}

/// What the derives do not say: what a path names, and that a key is text and has a form.
fn describe_parameters(operation: &mut Operation) {
    let parameters = operation.parameters.iter_mut().flatten();
    for parameter in parameters {
        let RefOr::T(key) = parameter else { continue };
        if key.parameter_in == ParameterIn::Path && key.description.is_none() {
            key.description = Some(described(&key.name, operation.tags.as_deref()));
        }
        if key.name != "Idempotency-Key" {
            continue;
        }
        let pattern = format!("^[!-~]{{1,{MAX_KEY_LENGTH}}}$");
        let form = schema::text(&pattern, "Chosen by the client, such as a random UUID.");
        key.schema = Some(form.into());
    }
}
