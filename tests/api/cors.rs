//! Programs in browsers may use the API from any site, with bearer tokens and never with cookies; the pages stay same-origin.

use reqwest::Method;
use serde_json::json;

use support::TestApp;

const ORIGIN: (&str, &str) = ("Origin", "https://client.example");

#[tokio::test(flavor = "multi_thread")]
async fn a_preflight_is_answered_for_every_operation_and_costs_nothing() {
    let app = TestApp::start().await;
    let left = |answer: &support::client::Answer| answer.headers["ratelimit"].clone();
    let before = left(&app.stranger().get("/api/v1/rules").await);
    for path in [
        "/api/v1/games",
        "/api/v1/me/tokens",
        "/api/v1/nothing",
        "/openapi.json",
        "/.well-known/jwks.json",
        "/healthz",
    ] {
        let headers = [
            ORIGIN,
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization,content-type,idempotency-key,if-match"),
        ];
        let answer = app.stranger().unchecked().send(Method::OPTIONS, path, None, &headers).await;
        answer.expect_status(204);
        let header = |name: &str| answer.headers[name].to_str().expect("text").to_owned();
        assert_eq!(header("access-control-allow-origin"), "*");
        for name in ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"] {
            assert!(header("access-control-allow-headers").contains(name), "{name}");
        }
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            assert!(header("access-control-allow-methods").contains(method), "{method}");
        }
        assert_eq!(header("access-control-max-age"), "7200");
        assert!(!answer.headers.contains_key("access-control-allow-credentials"));
        assert!(!answer.headers.contains_key("ratelimit"));
    }
    let after = left(&app.stranger().get("/api/v1/rules").await);
    assert_eq!((before.is_empty(), after.is_empty()), (false, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_and_refusals_can_be_read_with_their_headers_from_any_site() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for path in ["/api/v1/rules", "/api/v1/me", "/api/v1/games/nothing", "/api/v1/games?limit=0"] {
        let answer = ann.send(Method::GET, path, None, &[ORIGIN]).await;
        assert_eq!(answer.headers["access-control-allow-origin"], "*", "{path}");
        let exposed = answer.headers["access-control-expose-headers"].to_str().expect("text");
        for name in
            ["ETag", "Location", "Link", "Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-Id"]
        {
            assert!(exposed.split(", ").any(|given| given == name), "{name}");
        }
        assert!(!answer.headers.contains_key("access-control-allow-credentials"));
    }
    let body = Some(json!({"rules": "pip-pip"}).to_string());
    let created = ann.send(Method::POST, "/api/v1/games", body, &[ORIGIN]).await;
    assert_eq!(created.expect_status(201).headers["access-control-allow-origin"], "*");
    let plain = ann.get("/api/v1/rules").await;
    assert!(!plain.headers.contains_key("access-control-allow-origin"), "nobody asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_the_operator_s_addresses_are_closed_to_other_sites() {
    let app = TestApp::start().await;
    for path in ["/", "/verifier", "/metrics", "/readyz", "/docs/", "/games/x"] {
        for method in [Method::GET, Method::OPTIONS] {
            let headers = [ORIGIN, ("Access-Control-Request-Method", "POST")];
            let answer = app.stranger().unchecked().send(method, path, None, &headers).await;
            let allows = answer.headers.keys().any(|name| name.as_str().starts_with("access-control"));
            assert!(!allows, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_is_no_token() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let cookie = format!("token={0}; access_token={0}", ann.token.as_deref().expect("a token"));
    let headers = [ORIGIN, ("Cookie", cookie.as_str())];
    app.stranger().send(Method::GET, "/api/v1/me", None, &headers).await.problem(401, "unauthenticated");
}
