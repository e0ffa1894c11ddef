//! `HEAD` answers as `GET` does, without the body, and `OPTIONS` says what an address takes.

use reqwest::Method;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderName};

use support::games::pip_pip;
use support::{TestApp, contract};

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
