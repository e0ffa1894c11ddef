//! The scopes and deprecations that the document names are those of the server.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestApp, contract};

/// What the document says about every operation that takes a player's token: method, path, scope, whether guests may ask.
fn operations() -> Vec<(Method, String, String, bool)> {
    let mut found = Vec::new();
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let security = operation["security"].as_array().expect("requirements");
            let Some(scope) = security.iter().find_map(|one| one["token"][0].as_str()) else { continue };
            let method = method.to_uppercase().parse().expect("a method");
            found.push((method, path.clone(), scope.to_owned(), security.len() > 1));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_needs_the_scope_that_the_document_names() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let operations = operations();
    assert!(operations.len() > 30, "{}", operations.len());
    for scopes in [vec!["read"], vec!["play"], vec!["read", "play"]] {
        let wanted = json!({"name": "matrix", "scopes": scopes});
        let made = ann.post("/api/v1/me/tokens", &wanted).await.expect_status(201).json();
        let bot = crate::support::Client::new(&app.url, made["token"].as_str().map(str::to_owned));
        for (method, path, scope, _) in &operations {
            let path = path.replace("{id}", "01a1fe2a-89df-7515-9c5d-9fde96828ff2");
            let answer = bot.send(method.clone(), &path, Some("{}".into()), &[]).await;
            let lacks = answer.status == 403 && answer.json()["code"] == "missing_scope";
            assert_eq!(
                lacks,
                !scopes.contains(&scope.as_str()),
                "{method} {path} with {scopes:?}: {}",
                answer.text()
            );
            if lacks {
                assert_eq!(answer.json()["scope"], Value::from(scope.as_str()), "{method} {path}");
            }
        }
    }
    for (method, path, _, guests) in &operations {
        let path = path.replace("{id}", "01a1fe2a-89df-7515-9c5d-9fde96828ff2");
        let answer = app.guest().send(method.clone(), &path, Some("{}".into()), &[]).await;
        assert_eq!(answer.status == 401, !guests, "{method} {path}: {}", answer.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deprecated_operation_says_so_in_every_answer_and_in_the_document() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let old = "/api/v1/me/wishes";
    let answers = [ann.get(old).await, app.guest().get(old).await];
    assert_eq!(answers[0].ok(), ann.get("/api/v1/me/notification-preferences").await.ok());
    answers[1].problem(401, "unauthenticated");
    for answer in &answers {
        assert_eq!(answer.headers["deprecation"], "@1795392000");
        assert_eq!(answer.headers["sunset"], "Tue, 01 Jun 2027 00:00:00 GMT");
        assert_eq!(
            answer.headers["link"],
            "</api/v1/me/notification-preferences>; rel=\"successor-version\""
        );
    }
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("operations").values() {
            let is_old = path == old;
            assert_eq!(operation["deprecated"] == true, is_old, "{path}");
            for answer in operation["responses"].as_object().expect("answers").values() {
                let headers = ["Deprecation", "Sunset", "Link"];
                let all = headers.iter().all(|name| answer["headers"].get(name).is_some());
                assert!(all || !is_old, "{path}");
            }
        }
    }
}
