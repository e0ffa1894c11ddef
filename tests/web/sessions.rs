//! Sessions of browsers: signing up, logging in and out, what a cookie is good for, and forms from elsewhere.

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, SET_COOKIE};
use serde_json::json;
use time::Duration;

use support::browsing::Browsing;
use support::post::Post;
use support::{PASSWORD, TestApp};

const SIGN_UP: [(&str, &str); 3] = [("handle", "ann"), ("email", "ann@example.org"), ("password", PASSWORD)];

#[tokio::test(flavor = "multi_thread")]
async fn a_player_signs_up_confirms_from_the_mail_logs_out_and_in() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let browser = Browsing::of(&app);
    browser.get("/sign-up").await.expect(200);
    assert_eq!(browser.post("/sign-up", &SIGN_UP).await.location(), "/my-games");
    assert_eq!(browser.get("/").await.expect(303).location(), "/my-games");
    let home = browser.get("/my-games").await.expect(200).html;
    assert!(home.contains("Logged in as") && home.contains(">ann<"), "{home}");
    let mail = post.all("ann").await.pop().expect("a mail");
    let start = mail.text.find("/confirm-email?").expect("a link");
    let link = mail.text[start..].split_whitespace().next().expect("a path");
    // Whoever opens the link is not logged in by it.
    let stranger = Browsing::of(&app);
    assert!(stranger.get(link).await.expect(200).html.contains("Log in"));
    browser.get(link).await.expect(200);
    let token = link.split("token=").nth(1).expect("a token");
    let confirmed = browser.post("/confirm-email", &[("token", token)]).await.expect(200);
    assert!(confirmed.html.contains("Address confirmed"), "{}", confirmed.html);
    assert_eq!(browser.post("/log-out", &[]).await.expect(303).location(), "/");
    assert!(!browser.cookies().contains_key("pippost"));
    for login in ["ann", "ann@example.org"] {
        browser.get("/log-in?next=%2Fverifier").await.expect(200);
        let entered =
            browser.post("/log-in", &[("login", login), ("password", PASSWORD), ("next", "/verifier")]).await;
        assert_eq!(entered.location(), "/verifier");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_have_the_language_and_zone_of_the_browser_that_signed_up() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    for (handle, language, zone, expected) in [
        ("ann", "de-AT,de;q=0.9", "Europe/Vienna", ("de", "Europe/Vienna", "Hallo ann")),
        ("bob", "en-GB", "", ("en", "UTC", "Hello bob")),
        ("cat", "fi", "Nowhere/Land", ("en", "UTC", "Hello cat")),
    ] {
        let browser = Browsing::of(&app).reading(language);
        browser.get("/sign-up").await.expect(200);
        let email = format!("{handle}@example.org");
        let fields = [("handle", handle), ("email", &email), ("password", PASSWORD), ("zone", zone)];
        assert_eq!(browser.post("/sign-up", &fields).await.location(), "/my-games");
        let mail = post.all(handle).await.pop().expect("a mail");
        assert!(mail.text.starts_with(expected.2), "{}", mail.text);
        let player = app.log_in(handle).await;
        let preferences = player.get("/api/v1/me/notification-preferences").await.ok();
        assert_eq!(
            (&preferences["language"], &preferences["zone"]),
            (&json!(expected.0), &json!(expected.1))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_registers_says_its_language_by_the_header() {
    let app = TestApp::start().await;
    let body = json!({"handle": "ann", "email": "ann@example.org", "password": PASSWORD});
    let german = [("content-type", "application/json"), ("accept-language", "de")];
    app.stranger()
        .send(Method::POST, "/api/v1/accounts", Some(body.to_string()), &german)
        .await
        .expect_status(201);
    let mail = Post::of(&app).all("ann").await.pop().expect("a mail");
    assert!(mail.text.starts_with("Hallo ann"), "{}", mail.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_entries_are_said_at_their_fields_and_what_was_typed_stays_but_for_passwords() {
    let app = TestApp::start().await;
    app.player("bob").await;
    let browser = Browsing::of(&app);
    browser.get("/sign-up").await.expect(200);
    let said = |html: &str, words: &str| assert!(html.contains(words), "{words}: {html}");
    let wrong = [("handle", "-\"><b>"), ("email", "no"), ("password", "short")];
    let html = browser.post("/sign-up", &wrong).await.expect(422).html;
    for words in
        ["id=\"handle-problem\"", "id=\"email-problem\"", "id=\"password-problem\"", "-&quot;&gt;&lt;b&gt;"]
    {
        said(&html, words);
    }
    assert!(!html.contains("short\""), "{html}");
    let taken = [("handle", "bob"), ("email", "b@example.org"), ("password", PASSWORD)];
    said(&browser.post("/sign-up", &taken).await.expect(422).html, "Somebody has this name already");
    let common = [("handle", "ann"), ("email", "a@example.org"), ("password", "qwertyuiop")];
    said(&browser.post("/sign-up", &common).await.expect(422).html, "among the commonest");
    browser.get("/log-in").await.expect(200);
    for (login, password) in [("bob", "wrong password"), ("nobody", PASSWORD), ("", ""), ("a b", "x")] {
        let html =
            browser.post("/log-in", &[("login", login), ("password", password)]).await.expect(422).html;
        said(&html, "Handle, address or password is wrong");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_is_for_pages_alone_and_tells_scripts_nothing() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let browser = Browsing::of(&app);
    browser.get("/log-in").await.expect(200);
    let entered = browser.post("/log-in", &[("login", "ann"), ("password", PASSWORD)]).await.expect(303);
    let set: Vec<_> =
        entered.headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().expect("text")).collect();
    let session = set.iter().find(|cookie| cookie.starts_with("pippost=pps_")).expect("a session");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(session.contains(part), "{session}");
    }
    // No cookie opens the API, and no token of the API opens a page.
    let cookie = browser.cookies()["pippost"].clone();
    let asked = browser.send(Method::GET, "/api/v1/me", None, &[]).await;
    assert_eq!(asked.status, 401);
    let bearer = format!("Bearer {cookie}");
    for path in ["/api/v1/me", "/preferences", "/api/v1/me"] {
        let asked =
            Browsing::of(&app).send(Method::GET, path, None, &[(AUTHORIZATION.as_str(), &bearer)]).await;
        assert!(asked.status == 401 || asked.location().starts_with("/log-in"), "{path}");
        browser.get("/preferences").await.expect(200);
    }
    let access = app.log_in("ann").await.token.expect("a token");
    let program = Browsing::of(&app);
    program.set_cookie("pippost", &access);
    assert_eq!(program.get("/preferences").await.location(), "/log-in?next=%2Fpreferences");
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_from_elsewhere_are_refused() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let ann = Browsing::log_in(&app, "ann").await;
    ann.get("/preferences").await.expect(200);
    let own = ann.token();
    let mallory = Browsing::of(&app);
    mallory.get("/log-in").await.expect(200);
    let foreign = mallory.token();
    let here = [("sec-fetch-site", "same-origin")];
    for (token, headers, why) in [
        (own.as_str(), vec![("sec-fetch-site", "cross-site")], "another site"),
        (&own, vec![("sec-fetch-site", "same-site")], "a sister of this site"),
        (&own, vec![("origin", "https://evil.example.org")], "another origin"),
        (&own, vec![("origin", "null")], "an origin that is hidden"),
        (&foreign, here.to_vec(), "somebody else's token"),
        ("", here.to_vec(), "no token"),
        ("AAAA", here.to_vec(), "an invented token"),
    ] {
        let refused = ann.send(Method::POST, "/log-out", Some(&[("csrf", token)]), &headers).await;
        let html = refused.expect(403).html;
        assert!(html.contains("<h1>This form is too old</h1>"), "{why}: {html}");
    }
    // Logging somebody in as somebody else takes a form of this browser's, too.
    let login = [("login", "ann"), ("password", PASSWORD), ("csrf", own.as_str())];
    Browsing::of(&app).send(Method::POST, "/log-in", Some(&login), &here).await.expect(403);
    ann.get("/preferences").await.expect(200);
    for path in ["/confirm-email", "/reset-password", "/oauth/authorize"] {
        let fields = [("token", "x"), ("password", PASSWORD), ("client_id", "x"), ("request", "x")];
        ann.send(Method::POST, path, Some(&fields), &[("sec-fetch-site", "cross-site")]).await.expect(403);
    }
    ann.get("/preferences").await.expect(200);
    assert_eq!(ann.post("/log-out", &[]).await.location(), "/");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_end_at_once() {
    let app = TestApp::start().await;
    let program = app.player("ann").await;
    let (first, second) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "ann").await);
    let html = first.get("/preferences/access").await.expect(200).html;
    assert_eq!(
        html.matches("/preferences/end-session").count(),
        2,
        "the program and the other browser: {html}"
    );
    assert_eq!(html.matches("this browser</span>").count(), 1, "{html}");
    second.get("/preferences").await.expect(200);
    let ids: Vec<_> = html.split("name=\"id\" value=\"").skip(1).map(|rest| rest[..36].to_owned()).collect();
    for id in &ids {
        let ended = first.post("/preferences/end-session", &[("id", id)]).await;
        assert_eq!(ended.location(), "/preferences/access?done=ended#sessions");
    }
    assert_eq!(second.get("/preferences").await.location(), "/log-in?next=%2Fpreferences");
    program.get("/api/v1/me").await.expect_status(401);
    // Nobody ends the session of somebody else.
    app.player("bob").await;
    let bob = Browsing::log_in(&app, "bob").await;
    let html = first.get("/preferences/access").await.expect(200).html;
    assert_eq!(html.matches("name=\"id\"").count(), 0, "{html}");
    bob.get("/preferences").await.expect(200);
    bob.post("/preferences/end-session", &[("id", &ids[0])]).await.expect(303);
    first.get("/preferences").await.expect(200);
    // A new password ends them all but the one that set it.
    let again = app.log_in("ann").await;
    let change = serde_json::json!({"current_password": PASSWORD, "new_password": "a quite different one"});
    again.post("/api/v1/me/password", &change).await.expect_status(204);
    first.get("/preferences").await.expect(303);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_stays_logged_in_while_it_visits_and_not_for_good() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let browser = Browsing::log_in(&app, "ann").await;
    for _ in 0..4 {
        app.app.clock.advance(Duration::days(59));
        browser.get("/preferences").await.expect(200);
    }
    app.app.clock.advance(Duration::days(61));
    browser.get("/preferences").await.expect(303);
    while app.app.accounts.clean_up().await.expect("a clean-up") > 0 {}
    let other = Browsing::log_in(&app, "ann").await;
    let html = other.get("/preferences/access").await.expect(200).html;
    assert_eq!(html.matches("<li class=\"game\">").count(), 1, "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_get_pages_and_programs_get_problems() {
    let app = TestApp::start().await;
    let browser = Browsing::of(&app).reading("de");
    let nothing = browser.get("/there/is/nothing?<script>alert(1)</script>").await.expect(404);
    assert!(nothing.html.contains("<h1>Hier ist nichts</h1>"), "{}", nothing.html);
    assert!(!nothing.html.contains("<script>alert"), "{}", nothing.html);
    let program = app.stranger().unchecked().get("/there/is/nothing").await;
    assert_eq!(program.json()["code"], "not_found");
    let asked = browser.get("/api/v1/nothing").await.expect(404);
    assert!(asked.html.starts_with('{'), "{}", asked.html);
    for (name, value) in [("x-frame-options", "DENY"), ("referrer-policy", "same-origin")] {
        assert_eq!(nothing.headers[name], value);
    }
    let policy = nothing.headers["content-security-policy"].to_str().expect("text");
    assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
}
