//! The problems that each operation can return: those it declares, and those implied by its parameters, body and token. In the
//! OpenAPI document they are the codes of its `default` response; tests compare every answer with them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Content, ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

use super::declared_headers;
use super::openapi::scopes;
use pippost_accounts::Scope;
use pippost_http::problem::{Code, MEDIA_TYPE, OAUTH_MEDIA_TYPE, Problem};

/// The status of the response that stands for every refusal of an operation.
pub const REFUSED: &str = "default";

/// The responses of refusals in the document's components: the name, the media types of its problems, and an example.
const REFUSALS: [(&str, &[&str], Code); 2] = [
    ("Problem", &[MEDIA_TYPE], Code::StaleSeq),
    ("OAuthProblem", &[OAUTH_MEDIA_TYPE, MEDIA_TYPE], Code::InvalidGrant),
];

/// The headers that refusals have where they apply, each described once ([`crate::declared_headers`]).
const HEADERS: [&str; 4] = ["RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate"];

/// The media type of forms, whose readers say what is wrong with them in codes of their own.
pub const FORM: &str = "application/x-www-form-urlencoded";

/// The operations that do not refuse a token for one game, but show that game alone.
const LISTS: [&str; 2] = ["list_games", "list_games_of_player"];

/// The problems of every operation: server failures and limits on peers.
const ANY: &[Code] = &[Code::Internal, Code::Unavailable, Code::TooManyRequests, Code::UnsupportedEncoding];

/// Those of every operation that takes a player's token.
const WITH_TOKEN: &[Code] = &[Code::Unauthenticated, Code::SessionRevoked, Code::MissingScope];

/// Those of every operation that takes a token which may be for one game.
const WITH_LIMITED_TOKEN: &[Code] = &[Code::TokenLimited];

/// Those of every operation that takes an `Idempotency-Key`.
const WITH_KEY: &[Code] = &[Code::InvalidHeader, Code::IdempotencyKeyReused];

/// Those of every operation that takes a body which is no form.
const WITH_BODY: &[Code] = &[
    Code::MalformedBody,
    Code::BodyTooLarge,
    Code::BodyTooSlow,
    Code::UnsupportedMediaType,
    Code::InvalidValue,
];

/// Types for the `responses` of handlers, each with the problems that are specific to one handler.
///
/// ```text
/// problems! { JoinProblems: NotInvited, GameFull; }
/// #[utoipa::path(responses((status = 200, ...), JoinProblems))]
/// ```
#[macro_export]
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident: $($code:ident),+;)*) => {
        $(
            $(#[$doc])*
            pub struct $name;

            impl utoipa::IntoResponses for $name {
                fn responses() -> std::collections::BTreeMap<
                    String,
                    utoipa::openapi::RefOr<utoipa::openapi::Response>,
                > {
                    $crate::declared::responses(&[$(pippost_http::Code::$code),+])
                }
            }
        )*
    };
}

pub use problems;

/// One response for each status among `codes`.
#[must_use]
pub fn responses(codes: &[Code]) -> BTreeMap<String, RefOr<Response>> {
    by_status(codes).into_iter().map(|(status, codes)| (status, RefOr::T(response(&codes)))).collect()
}

fn by_status(codes: &[Code]) -> BTreeMap<String, Vec<Code>> {
    let mut found: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    for code in codes {
        found.entry(code.status().as_str().to_owned()).or_default().push(*code);
    }
    found
}

fn response(codes: &[Code]) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ProblemBody"))).build();
    ResponseBuilder::new().description(listed(codes)).content(MEDIA_TYPE, content).build()
}

/// Codes as a description names them.
fn listed(codes: &[Code]) -> String {
    codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(" ")
}

/// The codes that a description names between back-ticks.
#[must_use]
pub fn named(description: &str) -> Vec<Code> {
    let quoted = description.split('`').skip(1).step_by(2);
    quoted.filter_map(|word| Code::ALL.iter().copied().find(|code| code.as_str() == word)).collect()
}

/// The codes of all problems that an operation of the document can return.
#[must_use]
pub fn codes_of(operation: &Value) -> Vec<Code> {
    let own = named(operation["responses"][REFUSED]["description"].as_str().unwrap_or_default());
    common(operation).chain(own).collect()
}

/// What the document says once of the problems that many operations have.
#[must_use]
pub fn said_once() -> String {
    let [any, with_token, limited] = [ANY, WITH_TOKEN, WITH_LIMITED_TOKEN].map(listed);
    let [with_key, with_body] = [WITH_KEY, WITH_BODY].map(listed);
    format!(
        "Any request can be refused with {any}; one with a token also with {with_token} {limited}; one with an `Idempotency-Key` also \
         with {with_key}; one with a body also with {with_body}."
    )
}

/// Makes one response of each operation's refusals, which names all their codes.
pub fn complete(document: &mut OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        complete_operation(operation);
    }
    let responses = &mut document.components.get_or_insert_default().responses;
    responses.extend(
        REFUSALS.map(|(name, media_types, code)| (name.to_owned(), refusal(media_types, code).into())),
    );
}

/// All operations of a path.
pub fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    [get, put, post, delete, patch].into_iter().flatten()
}

fn complete_operation(operation: &mut Operation) {
    let shown = serde_json::to_value(&*operation).expect("plain data");
    let mut codes = implied(&shown);
    let mut is_of_oauth = false;
    operation.responses.responses.retain(|_, response| {
        let RefOr::T(response) = response else { return true };
        let is_refusal = response.content.values().any(holds_problem);
        if is_refusal {
            codes.extend(named(&response.description));
            is_of_oauth |= response.content.contains_key(OAUTH_MEDIA_TYPE);
        }
        !is_refusal
    });
    let common: Vec<Code> = common(&shown).collect();
    let is_own = |code: &Code| codes.contains(code) && !common.contains(code);
    let codes: Vec<Code> = Code::ALL.iter().copied().filter(is_own).collect();
    let mut reference = Ref::new(format!("#/components/responses/{}", REFUSALS[usize::from(is_of_oauth)].0));
    reference.description = listed(&codes);
    operation.responses.responses.insert(REFUSED.to_owned(), reference.into());
}

fn holds_problem(content: &RefOr<Content>) -> bool {
    let RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) = content else { return false };
    schema.ref_location.ends_with("/ProblemBody")
}

/// The response of refusals, with a problem of that code as its example.
fn refusal(media_types: &[&str], example: Code) -> Response {
    let problem = Problem::new(example);
    let problem = if media_types.contains(&OAUTH_MEDIA_TYPE) { problem.of_oauth() } else { problem };
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("ProblemBody")))
        .example(Some(json!(problem.body())))
        .build();
    let response = ResponseBuilder::new().description("The request was refused.");
    let mut response =
        media_types.iter().fold(response, |response, kind| response.content(*kind, content.clone())).build();
    for name in HEADERS {
        declared_headers::refer(&mut response, name);
    }
    response
}

/// The codes that the document says once of all such operations.
fn common(operation: &Value) -> impl Iterator<Item = Code> {
    let body = &operation["requestBody"];
    // Sessions are for all games, and a list shows the token's game alone.
    let is_limited = scopes::of(operation).is_some_and(|scope| scope != Scope::Account)
        && LISTS.iter().all(|list| operation["operationId"] != *list);
    let cases = [
        (true, ANY),
        (takes(operation, "token"), WITH_TOKEN),
        (takes(operation, "token") && is_limited, WITH_LIMITED_TOKEN),
        (takes_header(operation, "Idempotency-Key"), WITH_KEY),
        (body.is_object() && body["content"].get(FORM).is_none(), WITH_BODY),
    ];
    cases.into_iter().filter(|(holds, _)| *holds).flat_map(|(_, codes)| codes.iter().copied())
}

/// Whether it takes what that security scheme describes.
fn takes(operation: &Value, scheme: &str) -> bool {
    let requirements = operation["security"].as_array().into_iter().flatten();
    requirements.into_iter().any(|requirement| requirement.get(scheme).is_some())
}

/// Whether it takes that header, described there or among the document's components under its name.
fn takes_header(operation: &Value, name: &str) -> bool {
    let reference = format!("#/components/parameters/{name}");
    let mut parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.any(|parameter| parameter["name"] == name || parameter["$ref"] == reference.as_str())
}

/// The further codes that are implied by an operation's parameters, body and token.
fn implied(operation: &Value) -> Vec<Code> {
    let parameters = || operation["parameters"].as_array().into_iter().flatten();
    let has = |place: &str| parameters().any(|parameter| parameter["in"] == place);
    let takes_form = operation["requestBody"]["content"].get(FORM).is_some();
    let cases: [(bool, &[Code]); 5] = [
        (takes(operation, "inbound"), &[Code::Unauthenticated, Code::NotFound]),
        (has("path"), &[Code::NotFound]),
        (has("query"), &[Code::MalformedQuery, Code::InvalidValue]),
        (
            takes_header(operation, "If-Match"),
            &[Code::InvalidHeader, Code::PreconditionFailed, Code::PreconditionsDisagree],
        ),
        (takes_form, &[Code::BodyTooLarge, Code::BodyTooSlow, Code::UnsupportedMediaType]),
    ];
    cases.into_iter().filter(|(holds, _)| *holds).flat_map(|(_, codes)| codes).copied().collect()
}
