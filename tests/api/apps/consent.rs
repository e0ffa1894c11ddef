//! The consent page: what it shows, that its form can be sent once and unchanged, and that it guesses no passwords.

use reqwest::header::ACCEPT_LANGUAGE;
use serde_json::json;
use time::Duration;

use pippost::accounts::AccountLimits;
use support::apps;
use support::games::pip_pip;
use support::{PASSWORD, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn the_page_says_who_asks_for_what_in_the_reader_s_language() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let wanted = json!({"name": "<b>Board & \"hand\"</b>", "homepage": "https://app.example.org/", "redirect_uris": [apps::REDIRECT]});
    let made = ann.post(apps::APPS, &wanted).await.expect_status(201).json();
    let id = made["id"].as_str().expect("an id");
    let page =
        apps::open(&app, &apps::request(id, "read play manage mail", &[])).await.expect_status(200).text();
    for shown in [
        "&lt;b&gt;Board &amp; &quot;hand&quot;",
        "<strong>ann</strong>",
        "<strong>app.example.org</strong>",
        "your hidden cards",
        "join and leave games",
        "create games",
        "change when mails",
        "In all your games.",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("<b>"));
    assert!(page.contains("name=\"login\" value=\"\""), "nothing is filled in: {page}");
    let game_id = game.rsplit('/').next().expect("an id");
    let scope = format!("read game:{game_id}");
    let path = format!("{}?{}", apps::AUTHORIZE, apps::encoded(&apps::request(id, &scope, &[])));
    let headers = [(ACCEPT_LANGUAGE.as_str(), "de")];
    let german = app.stranger().unchecked().send(reqwest::Method::GET, &path, None, &headers).await.text();
    assert!(german.contains("Nur in diesem einen Spiel") && german.contains(game_id), "{german}");
    assert!(german.contains("lang=\"de\"") && !german.contains("ziehen, aufgeben"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_cannot_be_framed_loads_nothing_and_runs_nothing() {
    let app = TestApp::start().await;
    let id = apps::register(&app.player("ann").await).await;
    let asked = apps::open(&app, &apps::request(&id, "read", &[])).await;
    let refused = apps::open(&app, &apps::request("nobody", "read", &[])).await;
    let allowed = apps::allow(&app, &asked, "ann").await;
    for page in [&asked, &refused, &allowed] {
        let header = |name: &str| page.headers[name].to_str().expect("text").to_owned();
        let policy = header("content-security-policy");
        for rule in ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"]
        {
            assert!(policy.contains(rule), "{policy}");
        }
        assert!(!policy.contains("script-src") && !policy.contains("connect-src"), "{policy}");
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(
            (header("cache-control"), header("referrer-policy")),
            ("no-store".into(), "same-origin".into())
        );
        assert!(
            !page.headers.contains_key("set-cookie")
                && !page.headers.contains_key("access-control-allow-origin")
        );
        let text = page.text();
        assert!(!text.contains("<script") && !text.contains("src="), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_answered_once_as_it_was_and_within_ten_minutes() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let (id, other) = (apps::register(&ann).await, apps::register(&ann).await);
    let page = apps::open(&app, &apps::request(&id, "read", &[])).await;
    assert!(apps::sent_to(apps::allow(&app, &page, "ann").await.expect_status(200)).is_some());
    let again = apps::allow(&app, &page, "ann").await;
    assert!(again.expect_status(400).text().contains("the page was answered before"));
    assert_eq!(apps::sent_to(&again), None);

    let page = apps::open(&app, &apps::request(&id, "read", &[])).await;
    let sealed = apps::hidden(&page).into_iter().find(|(name, _)| name == "request").expect("a field").1;
    let changed =
        format!("{}{}", &sealed[..sealed.len() - 2], if sealed.ends_with("AA") { "BB" } else { "AA" });
    let send = |client_id: String, request: String| {
        let app = &app;
        async move {
            let pairs = [
                ("client_id", client_id.as_str()),
                ("request", &request),
                ("login", "ann"),
                ("password", PASSWORD),
                ("answer", "allow"),
            ];
            apps::send_form(app, apps::AUTHORIZE, &pairs).await
        }
    };
    for (client_id, request) in
        [(&other, &sealed), (&id, &changed), (&id, &String::new()), (&id, &"e30".to_owned())]
    {
        let answer = send(client_id.clone(), request.clone()).await;
        assert_eq!((answer.status.as_u16(), apps::sent_to(&answer)), (400, None), "{request}");
    }
    app.app.clock.advance(Duration::minutes(10));
    let late = send(id, sealed).await;
    assert!(late.expect_status(400).text().contains("the page has expired"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_does_not_allow_it_needs_no_password() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let page = apps::open(&app, &apps::request(&id, "read", &[])).await;
    let denied = apps::answer(&app, &page, &[("answer", "deny")]).await;
    let back = apps::sent_to(denied.expect_status(200)).expect("a way back");
    assert_eq!(apps::parameter(&back, "error").as_deref(), Some("access_denied"));
    assert_eq!(apps::parameter(&back, "state").as_deref(), Some("a state & more"));
    assert_eq!(apps::parameter(&back, "code"), None);
    assert_eq!(ann.get(apps::MY_GRANTS).await.ok(), json!({"grants": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_are_guessed_no_faster_here_than_by_logging_in() {
    let limits = AccountLimits { log_in: AccountLimits::default().log_in, ..AccountLimits::generous() };
    let app = TestApp::with_limits(limits).await;
    let id = apps::register(&app.player("ann").await).await;
    let page = apps::open(&app, &apps::request(&id, "read", &[])).await;
    let wrong = [("login", "ann"), ("password", "wrong horse battery"), ("answer", "allow")];
    for _ in 0..5 {
        let answer = apps::answer(&app, &page, &wrong).await;
        let text = answer.expect_status(422).text();
        assert!(text.contains("is wrong") && text.contains("value=\"ann\"") && !text.contains("wrong horse"));
    }
    let by_api = json!({"login": "ann", "password": "wrong horse battery"});
    for _ in 0..5 {
        app.stranger().post("/api/v1/sessions", &by_api).await.problem(403, "wrong_credentials");
    }
    // Both ways have used up the same ten tries, for the right password, too.
    let answer = apps::allow(&app, &page, "ann").await;
    assert!(answer.expect_status(429).text().contains("Too many tries"));
    assert_eq!(answer.headers["retry-after"], "60");
    let refused = app.stranger().post("/api/v1/sessions", &by_api).await.problem(429, "too_many_requests");
    assert_eq!(refused["limit"], "log-in-name-and-address");
    app.app.clock.advance(Duration::minutes(1));
    assert!(apps::sent_to(apps::allow(&app, &page, "ann").await.expect_status(200)).is_some());
    // What nobody can be called is refused alike.
    let page = apps::open(&app, &apps::request(&id, "read", &[])).await;
    for (login, password) in [("", PASSWORD), ("a b", PASSWORD), ("@", PASSWORD), ("ann", "short")] {
        let answer =
            apps::answer(&app, &page, &[("login", login), ("password", password), ("answer", "allow")]).await;
        assert!(answer.expect_status(422).text().contains("is wrong"), "{login}");
    }
}
