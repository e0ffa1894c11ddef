//! `HEAD` answers as `GET` does, without the body, and `OPTIONS` says what an address takes.

use std::collections::BTreeSet;

use reqwest::Method;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderName};

use support::games::pip_pip;
use support::{TestApp, contract};

/// The id of nothing.
const NOBODYS_ID: &str = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";

/// What must be the same whether the body is sent or not.
const SAME: [HeaderName; 3] = [CONTENT_LENGTH, CONTENT_TYPE, ETAG];

#[tokio::test(flavor = "multi_thread")]
async fn head_has_the_status_and_headers_of_get_and_no_body() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let (mut asked, mut with_length) = (0, 0);
    let documented = contract::document()["paths"].as_object().expect("paths");
    let documented =
        documented.iter().filter(|(_, item)| item.get("get").is_some()).map(|(path, _)| path.as_str());
    let pages = ["/", "/rules", "/games", "/verifier", "/nothing", "/openapi.json", "/openapi.yaml"];
    for path in documented.chain(pages) {
        let path =
            path.replace("/api/v1/games/{id}", &game).replace("{name}", "pip-pip").replace("{handle}", "ann");
        let get = ann.get(&path).await;
        let head = ann.send(Method::HEAD, &path, None, &[]).await;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        for name in SAME {
            assert_eq!(head.headers.get(&name), get.headers.get(&name), "{path}: {name}");
        }
        asked += 1;
        with_length += usize::from(head.headers.get(CONTENT_LENGTH).is_some_and(|length| length != "0"));
    }
    assert!(asked > 50 && with_length > 40, "{asked} asked, {with_length} with a length");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_head_of_a_stream_ends_at_once() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let head =
        ann.send(Method::HEAD, &format!("{game}/feed"), None, &[("Accept", "text/event-stream")]).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.headers[CONTENT_TYPE], "text/event-stream");
}

#[tokio::test(flavor = "multi_thread")]
async fn options_says_what_an_address_takes() {
    let app = TestApp::start().await;
    for (path, takes) in [
        ("/api/v1/games", "GET, POST, HEAD, OPTIONS"),
        ("/api/v1/sessions", "POST, OPTIONS"),
        ("/healthz", "GET, HEAD, OPTIONS"),
    ] {
        let answer = app.stranger().send(Method::OPTIONS, path, None, &[]).await;
        answer.expect_status(204);
        assert_eq!(answer.headers["allow"], takes, "{path}");
        let refused = app.stranger().send(Method::DELETE, path, None, &[]).await;
        refused.problem(405, "method_not_allowed");
        assert_eq!(refused.headers["allow"], takes);
    }
    app.stranger().send(Method::OPTIONS, "/nothing", None, &[]).await.expect_status(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn options_names_every_method_of_the_document_and_no_other() {
    let app = TestApp::start().await;
    let mut asked = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        let methods = item.as_object().expect("operations").keys().map(|method| method.to_uppercase());
        let mut wanted: BTreeSet<String> = methods.collect();
        if wanted.contains("GET") {
            wanted.insert("HEAD".to_owned());
        }
        wanted.insert("OPTIONS".to_owned());
        let path = path.replace("{id}", NOBODYS_ID).replace("{name}", "pip-pip").replace("{handle}", "ann");
        let answer = app.stranger().send(Method::OPTIONS, &path, None, &[]).await;
        answer.expect_status(204);
        let takes = answer.headers["allow"].to_str().expect("text").split(", ").map(str::to_owned);
        assert_eq!(takes.collect::<BTreeSet<_>>(), wanted, "{path}");
        asked += 1;
    }
    assert!(asked > 80, "{asked} addresses");
}

/// The body of no operation: a media type that none takes.
const FOREIGN: &str = "application/xml";

#[tokio::test(flavor = "multi_thread")]
async fn whatever_takes_a_body_says_in_which_media_types() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let mut asked = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let Some(content) = operation["requestBody"]["content"].as_object() else { continue };
            // What a sandbox or the mail system sends is refused elsewhere, whatever it is.
            if path.contains("/sandbox/") || path.contains("/inbound/") {
                continue;
            }
            let path = path.replace("/api/v1/games/{id}", &game).replace("{id}", NOBODYS_ID);
            let method: Method = method.to_uppercase().parse().expect("a method");
            let body = Some("<nothing/>".to_owned());
            let answer = ann.send(method.clone(), &path, body, &[("Content-Type", FOREIGN)]).await;
            answer.problem(415, "unsupported_media_type");
            let taken: BTreeSet<String> = content.keys().cloned().collect();
            let names = if method == Method::POST { vec!["accept", "accept-post"] } else { vec!["accept"] };
            for name in names {
                let said = answer.headers[name].to_str().expect("text").split(", ").map(str::to_owned);
                assert_eq!(said.collect::<BTreeSet<_>>(), taken, "{method} {path}: {name}");
            }
            asked += 1;
        }
    }
    assert!(asked > 35, "{asked} operations");
}
