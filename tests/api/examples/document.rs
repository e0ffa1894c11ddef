//! The examples in the document itself: every body has one, each is as its schema says.

use std::collections::BTreeSet;

use serde_json::Value;

use support::contract;
use support::feed::{NDJSON, SSE};

/// Where the document says what receivers of webhooks get, and whose address that is.
const CALLBACKS: &str = "/paths/~1api~1v1~1me~1webhooks/post/callbacks";
const ADDRESS: &str = "{$request.body#~1url}";

#[test]
fn every_example_is_as_its_schema_says_and_holds_no_secret() {
    let mut checked = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let place = format!("/paths/{}/{method}", path.replace('~', "~0").replace('/', "~1"));
            checked += check(&format!("{place}/requestBody"), &operation["requestBody"]);
            for (status, answer) in operation["responses"].as_object().expect("answers") {
                checked += check(&format!("{place}/responses/{status}"), answer);
            }
        }
    }
    for kind in ["challenge", "message"] {
        let place = format!("{CALLBACKS}/{kind}/{ADDRESS}/post");
        let operation = contract::document().pointer(&place).unwrap_or_else(|| panic!("there is no {place}"));
        assert_eq!(check(&format!("{place}/requestBody"), &operation["requestBody"]), 1, "{kind}");
        if kind == "challenge" {
            assert_eq!(check(&format!("{place}/responses/200"), &operation["responses"]["200"]), 1);
        }
    }
    assert!(checked > 60, "{checked}");
    for name in ["Problem", "OAuthProblem"] {
        let place = format!("/components/responses/{name}");
        assert!(check(&place, contract::document().pointer(&place).expect("a response")) > 0);
    }
}

/// Media types without examples, because the document is JSON, which holds no bytes. An `externalValue` would be an address, and none
/// has a board or records on every server.
const BINARY: [&str; 2] = ["application/zip", "image/png"];

#[test]
fn every_body_of_the_document_has_an_example_unless_it_is_binary() {
    let (mut lacking, mut binary) = (Vec::new(), BTreeSet::new());
    let items = contract::document()["paths"].as_object().expect("items");
    for operation in items.values().flat_map(|item| item.as_object().expect("operations").values()) {
        let answers = operation["responses"].as_object().expect("answers").values();
        for body in answers.map(contract::meant).chain([&operation["requestBody"]]) {
            for (media_type, content) in body["content"].as_object().into_iter().flatten() {
                // Streams of lines hold what streams of events show.
                let is_told = media_type == NDJSON && body["content"].get(SSE).is_some();
                let has = contract::example(content).is_some() || contract::has_parts(content) || is_told;
                if BINARY.contains(&media_type.as_str()) {
                    assert!(!has, "{media_type}");
                    binary.insert(media_type.as_str());
                } else if !has {
                    lacking.push((operation["operationId"].to_string(), media_type));
                }
            }
        }
    }
    assert!(lacking.is_empty(), "these have no example: {lacking:?}");
    assert_eq!(binary.into_iter().collect::<Vec<_>>(), BINARY);
}

#[test]
fn what_a_link_takes_from_an_answer_is_in_its_example() {
    let seen = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/examples.json"));
    let seen: Value = serde_json::from_str(&seen.expect("a file")).expect("JSON");
    let mut found = 0;
    for item in contract::document()["paths"].as_object().expect("paths").values() {
        for operation in item.as_object().expect("operations").values() {
            let name = operation["operationId"].as_str().expect("a name");
            for (status, answer) in operation["responses"].as_object().expect("answers") {
                for (to, link) in answer["links"].as_object().into_iter().flatten() {
                    for taken in link["parameters"].as_object().expect("parameters").values() {
                        let taken = taken.as_str().expect("an expression");
                        let Some(pointer) = taken.strip_prefix("$response.body#") else { continue };
                        let example = &seen[name]["answers"][status];
                        let value = example.pointer(pointer);
                        assert!(value.is_some_and(Value::is_string), "{to}: {pointer} in {example}");
                        found += 1;
                    }
                }
            }
        }
    }
    assert!(found > 10, "{found}");
}

/// Holds the examples of a request or an answer against its schemas; returns how many there are.
fn check(place: &str, described: &Value) -> usize {
    let mut checked = 0;
    for (media_type, content) in described["content"].as_object().into_iter().flatten() {
        let Some(example) = contract::example(content) else { continue };
        let pointer = format!("{place}/content/{}/schema", media_type.replace('/', "~1"));
        let errors = contract::errors(&pointer, example);
        assert!(errors.is_empty(), "{pointer}: {errors:#?}\n{example}");
        checked += 1;
    }
    checked
}
