//! What somebody may try who has an app, a stolen code or a stolen token.

use serde_json::json;
use time::Duration;

use super::ME;
use support::TestApp;
use support::apps::{self, MY_GRANTS, REDIRECT, TOKEN, VERIFIER};

/// Exchanges a code with one parameter replaced; an empty value leaves it out.
async fn exchange(app: &TestApp, id: &str, code: &str, but: (&str, &str)) -> support::client::Answer {
    let replaced = |(name, value)| (name, if name == but.0 { but.1 } else { value });
    let pairs: Vec<_> =
        apps::exchange(id, code).into_iter().map(replaced).filter(|(_, value)| !value.is_empty()).collect();
    apps::send_form(app, TOKEN, &pairs).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_worth_nothing_without_its_verifier_app_and_redirect_uri_and_a_try_spends_it() {
    let app = TestApp::start().await;
    let (dev, ann) = (app.player("dev").await, app.player("ann").await);
    let (id, other) = (apps::register(&dev).await, apps::register(&dev).await);
    let another_verifier = VERIFIER.replace('d', "e");
    for but in [
        ("code_verifier", another_verifier.as_str()),
        ("code_verifier", apps::CHALLENGE),
        ("client_id", other.as_str()),
        ("redirect_uri", "https://app.example.org/Done"),
        ("redirect_uri", "https://app.example.org/done/"),
        ("redirect_uri", "https://app.example.org/done?"),
    ] {
        let code = apps::code(&app, &id, "read", "ann").await;
        apps::refused(&exchange(&app, &id, &code, but).await, "invalid_grant");
        apps::refused(&exchange(&app, &id, &code, ("", "")).await, "invalid_grant");
    }
    // What is not even a request spends nothing.
    let code = apps::code(&app, &id, "read", "ann").await;
    for but in [
        ("code_verifier", ""),
        ("code_verifier", "short"),
        ("redirect_uri", ""),
        ("client_id", ""),
        ("grant_type", ""),
        ("code", ""),
    ] {
        apps::refused(&exchange(&app, &id, &code, but).await, "invalid_request");
    }
    apps::refused(&exchange(&app, &id, &code, ("grant_type", "password")).await, "unsupported_grant_type");
    let nobody = ("client_id", "01a1fe2a-89df-7515-9c5d-9fde96828ff2");
    apps::refused(&exchange(&app, &id, &code, nobody).await, "invalid_client");
    let twice = format!("{}&code={code}", apps::encoded(&apps::exchange(&id, &code)));
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let answer = app.stranger().send(reqwest::Method::POST, TOKEN, Some(twice), &form).await;
    apps::refused(&answer, "invalid_request");
    app.stranger().post(TOKEN, &json!({})).await.problem(415, "unsupported_media_type");
    exchange(&app, &id, &code, ("", "")).await.ok();
    assert_eq!(ann.get(MY_GRANTS).await.ok()["grants"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_lives_for_a_minute() {
    let app = TestApp::start().await;
    let id = apps::register(&app.player("ann").await).await;
    let (first, second) =
        (apps::code(&app, &id, "read", "ann").await, apps::code(&app, &id, "read", "ann").await);
    app.app.clock.advance(Duration::seconds(59));
    exchange(&app, &id, &first, ("", "")).await.ok();
    app.app.clock.advance(Duration::seconds(1));
    apps::refused(&exchange(&app, &id, &second, ("", "")).await, "invalid_grant");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_code_ends_what_it_gave() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let untouched = apps::client(&app, &apps::tokens(&app, &id, "read", "ann").await);
    let code = apps::code(&app, &id, "read", "ann").await;
    let tokens = exchange(&app, &id, &code, ("", "")).await.ok();
    let bot = apps::client(&app, &tokens);
    bot.get(ME).await.ok();
    apps::refused(&exchange(&app, &id, &code, ("", "")).await, "invalid_grant");
    bot.get(ME).await.problem(401, "unauthenticated");
    apps::refused(&apps::refresh(&app, &id, &tokens["refresh_token"], &[]).await, "invalid_grant");
    untouched.get(ME).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_gives_fewer_scopes_never_more_and_serves_its_own_app_only() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let (id, other) = (apps::register(&ann).await, apps::register(&ann).await);
    let tokens = apps::tokens(&app, &id, "read play", "ann").await;
    let token = &tokens["refresh_token"];
    for more in ["read play manage", "mail", "account", "read game:01a1fe2a-89df-7515-9c5d-9fde96828ff2"] {
        apps::refused(&apps::refresh(&app, &id, token, &[("scope", more)]).await, "invalid_scope");
    }
    apps::refused(&apps::refresh(&app, &other, token, &[]).await, "invalid_grant");
    let fewer = apps::refresh(&app, &id, token, &[("scope", "play")]).await.ok();
    assert_eq!(fewer["scope"], "play");
    assert_eq!(apps::client(&app, &fewer).get(ME).await.problem(403, "missing_scope")["scope"], "read");
    // The grant itself is as it was.
    let all = apps::refresh(&app, &id, &fewer["refresh_token"], &[]).await.ok();
    assert_eq!(all["scope"], "read play");
    apps::client(&app, &all).get(ME).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_of_one_kind_are_none_of_another() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let code = apps::code(&app, &id, "read", "ann").await;
    let tokens = apps::tokens(&app, &id, "read", "ann").await;
    for token in [&json!(code), &tokens["refresh_token"]] {
        let client = apps::client(&app, &json!({"access_token": token}));
        client.get(ME).await.problem(401, "unauthenticated");
    }
    apps::refused(&apps::refresh(&app, &id, &tokens["access_token"], &[]).await, "invalid_grant");
    let session = json!({"refresh_token": tokens["refresh_token"]});
    app.stranger().post("/api/v1/sessions/refresh", &session).await.problem(403, "refresh_refused");
    apps::client(&app, &tokens).get(ME).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_redirect_uri_or_app_gets_a_page_and_no_way_on() {
    let app = TestApp::start().await;
    let id = apps::register(&app.player("ann").await).await;
    for uri in [
        "",
        "https://evil.example/done",
        "https://app.example.org/done/",
        "https://app.example.org/done?next=x",
        "https://app.example.org/done#x",
        "https://app.example.org:8443/done",
        "https://app.example.org.evil.example/done",
        "https://app.example.org@evil.example/done",
        "https://APP.example.org/done",
        "http://app.example.org/done",
        "http://127.0.0.1/done",
        "//app.example.org/done",
        "javascript:alert(1)",
        "https://app.example.org/x/../done",
        "https://app.example.org\\@evil.example/done",
    ] {
        let page = apps::open(&app, &apps::request(&id, "read", &[("redirect_uri", uri)])).await;
        page.expect_status(400);
        assert!(page.text().contains("invalid_request"), "{uri}");
        assert_eq!((apps::sent_to(&page), apps::link_back(&page)), (None, None), "{uri}");
        assert!(!page.headers.contains_key("location"), "{uri}");
    }
    for client_id in ["", "nobody", "01a1fe2a-89df-7515-9c5d-9fde96828ff2"] {
        let page = apps::open(&app, &apps::request(client_id, "read", &[])).await;
        page.expect_status(400);
        assert_eq!((apps::sent_to(&page), apps::link_back(&page)), (None, None), "{client_id}");
    }
    let twice = format!("{}&client_id={id}", apps::encoded(&apps::request(&id, "read", &[])));
    let page = app.stranger().unchecked().get(&format!("{}?{twice}", apps::AUTHORIZE)).await;
    assert_eq!((page.status.as_u16(), apps::link_back(&page)), (400, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_else_is_wrong_is_told_to_the_app_by_a_link_that_the_player_may_follow() {
    let app = TestApp::start().await;
    let id = apps::register(&app.player("ann").await).await;
    for (but, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("response_type", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("code_challenge_method", ""), "invalid_request"),
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge", VERIFIER.split_at(42).0), "invalid_request"),
        (("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"), "invalid_request"),
        (("scope", ""), "invalid_scope"),
        (("scope", "read account"), "invalid_scope"),
        (("scope", "hooks"), "invalid_scope"),
    ] {
        let page = apps::open(&app, &apps::request(&id, "read", &[but])).await;
        page.expect_status(400);
        let back = apps::link_back(&page).unwrap_or_else(|| panic!("{but:?}"));
        assert!(back.as_str().starts_with(&format!("{REDIRECT}?")), "{back}");
        assert_eq!(apps::parameter(&back, "error").as_deref(), Some(error), "{but:?}");
        assert_eq!(apps::parameter(&back, "state").as_deref(), Some("a state & more"));
        assert_eq!(apps::parameter(&back, "iss").as_deref(), Some(app.url.as_str()));
        // Nobody is sent anywhere by opening an address of this server.
        assert_eq!(apps::sent_to(&page), None);
        assert!(!page.headers.contains_key("location"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn loopback_addresses_may_have_any_port() {
    let app = TestApp::start().await;
    let dev = app.player("ann").await;
    let wanted = json!({"name": "CLI", "homepage": "https://app.example.org/",
        "redirect_uris": ["http://127.0.0.1/done", "http://[::1]/done", "org.example.cli:/done"]});
    let made = dev.post(apps::APPS, &wanted).await.expect_status(201).json();
    let id = made["id"].as_str().expect("an id");
    for uri in ["http://127.0.0.1:49152/done", "http://[::1]:8000/done", "org.example.cli:/done"] {
        let page = apps::open(&app, &apps::request(id, "read", &[("redirect_uri", uri)])).await;
        let back =
            apps::sent_to(apps::allow(&app, &page, "ann").await.expect_status(200)).expect("a way back");
        assert!(back.as_str().starts_with(&format!("{uri}?code=")), "{back}");
        let code = apps::parameter(&back, "code").expect("a code");
        exchange(&app, id, &code, ("redirect_uri", uri)).await.ok();
    }
    for uri in ["http://127.0.0.2:49152/done", "http://127.0.0.1:49152/other", "org.example.cli:/done2"] {
        let page = apps::open(&app, &apps::request(id, "read", &[("redirect_uri", uri)])).await;
        assert_eq!((page.status.as_u16(), apps::link_back(&page)), (400, None), "{uri}");
    }
}
