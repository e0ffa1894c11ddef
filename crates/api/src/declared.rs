//! The problems that each operation can return: those it declares, and those implied by its parameters, body and token. The
//! responses of the OpenAPI document are made from both; tests compare every answer with them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

use super::openapi::scopes;
use pippost_accounts::Scope;
use pippost_http::problem::{Code, MEDIA_TYPE};

/// The member of a response that lists the codes of its problems.
pub const CODES_MEMBER: &str = "x-problem-codes";

/// The media type of forms, whose readers say what is wrong with them in codes of their own.
pub const FORM: &str = "application/x-www-form-urlencoded";

/// The operation that does not refuse a token for one game, but shows that game alone.
const LIST: &str = "list_games";

/// The problems of every operation: server failures and limits on peers.
const ANY: &[Code] = &[Code::Internal, Code::Unavailable, Code::TooManyRequests, Code::UnsupportedEncoding];

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
    let mut response = ResponseBuilder::new().content(MEDIA_TYPE, content).build();
    write(&mut response, "", codes);
    response
}

/// Appends the codes of a response to its description `text`.
fn write(response: &mut Response, text: &str, codes: &[Code]) {
    let said = codes.iter().map(|code| format!("`{code}`: {}.", code.title()));
    let all: Vec<String> =
        [text.to_owned()].into_iter().filter(|text| !text.is_empty()).chain(said).collect();
    response.description = all.join(" ");
}

/// The codes that a description names between back-ticks.
fn named(description: &str) -> Vec<Code> {
    let quoted = description.split('`').skip(1).step_by(2);
    quoted.filter_map(|word| Code::ALL.iter().copied().find(|code| code.as_str() == word)).collect()
}

/// Adds the missing responses to every operation.
pub fn complete(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            complete_operation(operation);
        }
    }
}

/// All operations of a path.
pub fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    [get, put, post, delete, patch].into_iter().flatten()
}

fn complete_operation(operation: &mut Operation) {
    let shown = serde_json::to_value(&*operation).expect("plain data");
    let implied = by_status(&implied(&shown));
    let declared = operation.responses.responses.keys().filter(|status| is_refusal(status)).cloned();
    let statuses: BTreeSet<String> = declared.chain(implied.keys().cloned()).collect();
    for status in statuses {
        let implied = implied.get(&status).map(Vec::as_slice).unwrap_or_default();
        let entry = operation.responses.responses.entry(status);
        let RefOr::T(response) = entry.or_insert_with(|| RefOr::T(response(&[]))) else { continue };
        let mut codes = named(&response.description);
        let further: Vec<Code> = implied.iter().copied().filter(|code| !codes.contains(code)).collect();
        let text = std::mem::take(&mut response.description);
        write(response, &text, &further);
        codes.extend(further);
        let listed: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
        response.extensions = Some(Extensions::from_iter([(CODES_MEMBER, json!(listed))]));
    }
}

fn is_refusal(status: &str) -> bool {
    status.starts_with(['4', '5'])
}

/// The codes implied by an operation's parameters, body and token.
fn implied(operation: &Value) -> Vec<Code> {
    let parameters = || operation["parameters"].as_array().into_iter().flatten();
    let has = |place: &str| parameters().any(|parameter| parameter["in"] == place);
    let takes = |name: &str| {
        let requirements = operation["security"].as_array().into_iter().flatten();
        requirements.into_iter().any(|requirement| requirement.get(name).is_some())
    };
    let takes_header = |name: &str| parameters().any(|parameter| parameter["name"] == name);
    let takes_form = operation["requestBody"]["content"].get(FORM).is_some();
    // Sessions are for all games, and a list shows the token's game alone.
    let is_limited = scopes::of(operation).is_some_and(|scope| scope != Scope::Account)
        && operation["operationId"] != LIST;
    let cases: [(bool, &[Code]); 10] = [
        (true, ANY),
        (takes("token"), &[Code::Unauthenticated, Code::SessionRevoked, Code::MissingScope]),
        (takes("token") && is_limited, &[Code::TokenLimited]),
        (takes("inbound"), &[Code::Unauthenticated, Code::NotFound]),
        (has("path"), &[Code::NotFound]),
        (has("query"), &[Code::MalformedQuery, Code::InvalidValue]),
        (takes_header("Idempotency-Key"), &[Code::InvalidHeader, Code::IdempotencyKeyReused]),
        (
            takes_header("If-Match"),
            &[Code::InvalidHeader, Code::PreconditionFailed, Code::PreconditionsDisagree],
        ),
        (takes_form, &[Code::BodyTooLarge, Code::BodyTooSlow, Code::UnsupportedMediaType]),
        (
            operation["requestBody"].is_object() && !takes_form,
            &[
                Code::MalformedBody,
                Code::BodyTooLarge,
                Code::BodyTooSlow,
                Code::UnsupportedMediaType,
                Code::InvalidValue,
            ],
        ),
    ];
    cases.into_iter().filter(|(holds, _)| *holds).flat_map(|(_, codes)| codes).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_from_a_description_and_nothing_else_is() {
        let text =
            "The body, or a part of it, such as `field`: `malformed_body`, or (`body_too_large`) `nothing`.";
        assert_eq!(named(text), [Code::MalformedBody, Code::BodyTooLarge]);
        assert!(named("not_found without marks").is_empty());
    }

    #[test]
    fn responses_are_grouped_by_status_and_say_what_each_code_means() {
        let responses = responses(&[Code::GameFull, Code::NotFound, Code::GameStarted]);
        assert_eq!(responses.keys().collect::<Vec<_>>(), ["404", "409"]);
        let RefOr::T(conflict) = &responses["409"] else { panic!("a response") };
        assert_eq!(named(&conflict.description), [Code::GameFull, Code::GameStarted]);
        assert!(conflict.description.contains(Code::GameFull.title()));
    }
}
