//! Apps on devices without a browser (RFC 8628): the app shows a code, and its player types it on a page of the server.

use serde_json::{Value, json};
use time::Duration;

use pippost::accounts::apps::{DEVICE_GRANT, MAX_WAITING_OF_A_NETWORK};
use support::apps::{self, TOKEN, send_form};
use support::browsing::{Browsing, Shown};
use support::client::Answer;
use support::games::pip_pip;
use support::{PASSWORD, TestApp};

const DEVICE_AUTHORIZATION: &str = "/api/v1/oauth/device_authorization";
const PAGE: &str = "/device";

async fn codes(app: &TestApp, client_id: &str, scope: &str) -> Value {
    send_form(app, DEVICE_AUTHORIZATION, &[("client_id", client_id), ("scope", scope)]).await.ok()
}

async fn ask(app: &TestApp, client_id: &str, codes: &Value) -> Answer {
    let code = codes["device_code"].as_str().expect("a code");
    let pairs = [("grant_type", DEVICE_GRANT), ("client_id", client_id), ("device_code", code)];
    send_form(app, TOKEN, &pairs).await
}

/// Types the code, and answers.
async fn decide(browser: &Browsing, codes: &Value, answer: &str) -> Shown {
    let code = codes["user_code"].as_str().expect("a code");
    browser.get(PAGE).await.expect(200);
    let asked = browser.post(PAGE, &[("user_code", &code.to_lowercase())]).await.expect(200);
    assert!(asked.html.contains("Board at hand") && asked.html.contains(code), "{}", asked.html);
    browser.post(PAGE, &[("user_code", code), ("answer", answer), ("password", PASSWORD)]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_types_the_code_of_a_device_and_its_app_may_act() {
    let app = TestApp::start().await;
    let (dev, _) = (app.player("dev").await, app.player("ann").await);
    let id = apps::register(&dev).await;
    let codes = codes(&app, &id, "read play").await;
    assert_eq!((&codes["expires_in"], &codes["interval"]), (&json!(600), &json!(5)));
    let page = format!("{}{PAGE}", app.url);
    assert_eq!(codes["verification_uri"], page);
    let complete = codes["verification_uri_complete"].as_str().expect("a URL");
    apps::refused(&ask(&app, &id, &codes).await, "authorization_pending");
    let browser = Browsing::log_in(&app, "ann").await;
    let filled =
        browser.get(complete.strip_prefix(app.url.as_str()).expect("a page of ours")).await.expect(200);
    assert!(filled.html.contains(&format!("value=\"{}\"", codes["user_code"].as_str().expect("a code"))));
    let done = decide(&browser, &codes, "allow").await.expect(200);
    assert!(done.html.contains("Board at hand may act for you now"), "{}", done.html);
    app.app.clock.advance(Duration::seconds(5));
    let tokens = ask(&app, &id, &codes).await.ok();
    assert_eq!(tokens["scope"], "read play");
    assert_eq!(apps::client(&app, &tokens).get("/api/v1/me").await.ok()["handle"], "ann");
    apps::refresh(&app, &id, &tokens["refresh_token"], &[]).await.ok();
    apps::refused(&ask(&app, &id, &codes).await, "invalid_grant");
    // What was decided once is not decided again.
    let late = browser.post(PAGE, &[("user_code", codes["user_code"].as_str().expect("a code"))]).await;
    assert!(late.expect(422).html.contains("No app waits for this code"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_left_alone_allows_nothing_without_the_password() {
    let app = TestApp::start().await;
    let dev = app.player("dev").await;
    let id = apps::register(&dev).await;
    let codes = codes(&app, &id, "read play").await;
    let code = codes["user_code"].as_str().expect("a code");
    let browser = Browsing::log_in(&app, "dev").await;
    browser.get(PAGE).await.expect(200);
    for password in ["", "short", "not the password of dev"] {
        let fields = [("user_code", code), ("answer", "allow"), ("password", password)];
        let again = browser.post(PAGE, &fields).await.expect(422);
        assert!(
            again.html.contains("id=\"password-problem\" role=\"alert\">This is not your password")
                && again.html.contains("Board at hand")
        );
    }
    apps::refused(&ask(&app, &id, &codes).await, "authorization_pending");
    let refused = browser.post(PAGE, &[("user_code", code), ("answer", "deny")]).await.expect(200);
    assert!(refused.html.contains("Board at hand may not act for you"), "{}", refused.html);
    app.app.clock.advance(Duration::seconds(5));
    apps::refused(&ask(&app, &id, &codes).await, "access_denied");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_learns_that_it_is_refused_asks_too_often_or_is_too_late() {
    let app = TestApp::start().await;
    let dev = app.player("dev").await;
    let (id, other) = (apps::register(&dev).await, apps::register(&dev).await);
    let refused = codes(&app, &id, "read").await;
    let browser = Browsing::log_in(&app, "dev").await;
    decide(&browser, &refused, "deny").await.expect(200);
    apps::refused(&ask(&app, &id, &refused).await, "access_denied");

    let eager = codes(&app, &id, "read").await;
    apps::refused(&ask(&app, &other, &eager).await, "invalid_grant");
    apps::refused(&ask(&app, &id, &eager).await, "authorization_pending");
    app.app.clock.advance(Duration::seconds(4));
    apps::refused(&ask(&app, &id, &eager).await, "slow_down");
    app.app.clock.advance(Duration::seconds(9));
    apps::refused(&ask(&app, &id, &eager).await, "slow_down");
    app.app.clock.advance(Duration::seconds(15));
    apps::refused(&ask(&app, &id, &eager).await, "authorization_pending");

    app.app.clock.advance(Duration::minutes(10));
    apps::refused(&ask(&app, &id, &eager).await, "expired_token");
    browser.get(PAGE).await.expect(200);
    browser.post(PAGE, &[("user_code", eager["user_code"].as_str().expect("a code"))]).await.expect(422);
    app.app.clock.advance(Duration::minutes(10));
    assert!(app.app.accounts.clean_up().await.expect("cleaned") >= 2, "the codes of both requests");
    apps::refused(&ask(&app, &id, &eager).await, "invalid_grant");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_for_one_game_is_for_its_players() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    app.player("cid").await;
    let id = apps::register(&ann).await;
    let scope = format!("play game:{}", game.rsplit('/').next().expect("an id"));
    let codes = codes(&app, &id, &scope).await;
    let stranger = Browsing::log_in(&app, "cid").await;
    assert!(decide(&stranger, &codes, "allow").await.expect(422).html.contains("You are not in the game"));
    decide(&Browsing::log_in(&app, "bob").await, &codes, "allow").await.expect(200);
    app.app.clock.advance(Duration::seconds(5));
    assert_eq!(ask(&app, &id, &codes).await.ok()["scope"], scope);
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_wait_in_small_numbers_and_guesses_are_counted() {
    let app = TestApp::with_limits(pippost::accounts::AccountLimits {
        user_codes: pippost::accounts::AccountLimits::default().user_codes,
        ..pippost::accounts::AccountLimits::generous()
    })
    .await;
    let dev = app.player("dev").await;
    let id = apps::register(&dev).await;
    for _ in 0..MAX_WAITING_OF_A_NETWORK {
        codes(&app, &id, "read").await;
    }
    let pairs = [("client_id", id.as_str()), ("scope", "read")];
    let full = send_form(&app, DEVICE_AUTHORIZATION, &pairs).await;
    assert_eq!(full.problem(429, "too_many_requests")["limit"], "devices-waiting");
    app.app.clock.advance(Duration::minutes(10));
    codes(&app, &id, "read").await;

    let browser = Browsing::log_in(&app, "dev").await;
    browser.get(PAGE).await.expect(200);
    for _ in 0..10 {
        browser.post(PAGE, &[("user_code", "BCDF-GHJK")]).await.expect(422);
    }
    let shown = browser.post(PAGE, &[("user_code", "BCDF-GHJK")]).await.expect(429);
    assert!(shown.headers.contains_key("retry-after") && shown.html.contains("Too many tries"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_for_players_and_its_form_for_this_site() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let stranger = Browsing::of(&app);
    assert_eq!(
        stranger.get("/device?user_code=BCDF-GHJK").await.location(),
        "/log-in?next=%2Fdevice%3Fuser_code%3DBCDF-GHJK"
    );
    let browser = Browsing::log_in(&app, "ann").await;
    browser.get(PAGE).await.expect(200);
    let fields = [("user_code", "BCDF-GHJK")];
    browser
        .send(reqwest::Method::POST, PAGE, Some(&fields), &[("sec-fetch-site", "cross-site")])
        .await
        .expect(403);
    browser
        .send(reqwest::Method::POST, PAGE, Some(&fields), &[("sec-fetch-site", "same-origin")])
        .await
        .expect(403);
    let german = Browsing::log_in(&app, "ann").await.reading("de").get(PAGE).await.expect(200);
    assert!(german.html.contains("Eine App verbinden"));
    for wrong in [[("client_id", "7"), ("scope", "read")], [("client_id", ""), ("scope", "read")]] {
        let answer = send_form(&app, DEVICE_AUTHORIZATION, &wrong).await;
        assert_eq!(answer.status, 400, "{}", answer.text());
    }
}
