//! Codes in descriptions of refusals.

use pippost::api::declared::{named, responses};
use pippost::api::problem::Code;
use utoipa::openapi::RefOr;

#[test]
fn codes_are_read_from_a_description_and_nothing_else_is() {
    let text =
        "The body, or a part of it, such as `field`: `malformed_body`, or (`body_too_large`) `nothing`.";
    assert_eq!(named(text), [Code::MalformedBody, Code::BodyTooLarge]);
    assert!(named("not_found without marks").is_empty());
}

#[test]
fn responses_are_grouped_by_status_and_name_each_code() {
    let responses = responses(&[Code::GameFull, Code::NotFound, Code::GameStarted]);
    assert_eq!(responses.keys().collect::<Vec<_>>(), ["404", "409"]);
    let RefOr::T(conflict) = &responses["409"] else { panic!("a response") };
    assert_eq!(named(&conflict.description), [Code::GameFull, Code::GameStarted]);
}
