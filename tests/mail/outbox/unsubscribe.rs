//! Switching a kind of mail off by its link, as mail programs and as people do it.

use std::sync::Arc;

use pippost::games::playing;
use pippost::mail::Mailer;
use pippost::mail::mailer::SentMail;
use reqwest::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use serde_json::{Value, json};
use time::Duration;

use super::{read, send_all, worker};
use support::games::pip_pip;
use support::{Client, TestApp};

/// The URL, on this server, in the header that mail programs read.
pub(super) fn one_click(app: &TestApp, sent: &SentMail) -> String {
    let mail = read(&sent.raw);
    assert_eq!(mail.header_raw("List-Unsubscribe-Post").map(str::trim), Some("List-Unsubscribe=One-Click"));
    let header = mail.header_raw("List-Unsubscribe").expect("a header").trim().to_owned();
    let url = header.strip_prefix('<').and_then(|url| url.strip_suffix('>')).expect("a URL");
    assert!(mail.body_text(0).expect("a text").contains(url), "people find it too");
    url.replace("https://play.example.org", &app.url)
}

/// The request of a mail program (RFC 8058, 3.2).
pub(super) async fn post_one_click(url: &str) -> reqwest::Response {
    let request = reqwest::Client::new().post(url).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    request.body("List-Unsubscribe=One-Click").send().await.expect("an answer")
}

async fn preferences(client: &Client) -> Value {
    client.get("/api/v1/me/notification-preferences").await.ok()
}

fn last_of(mailer: &Mailer, kind: &str, address: &str) -> SentMail {
    let of_kind = |sent: &SentMail| sent.mail.kind == kind && sent.mail.to.email.to_string() == address;
    mailer.sent().into_iter().rfind(of_kind).unwrap_or_else(|| panic!("no {kind}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_program_switches_off_each_kind_with_one_request() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    let (game, [_, bob]) = pip_pip(&app).await;
    let invited = support::games::open_game(&bob).await;
    bob.post(&format!("{invited}/invitations"), &json!({"handle": "ann"})).await.expect_status(202);
    app.app.clock.advance(Duration::hours(126));
    playing::remind(&app.app.games).await.expect("reminders");
    send_all(&worker).await;
    let ann = app.log_in("ann").await;
    let mine = "ann@example.org";
    for (kind, field, off) in [
        ("turn", "turns", json!("none")),
        ("reminder", "reminders", json!(false)),
        ("invitation", "invitations", json!(false)),
    ] {
        let before = preferences(&ann).await;
        let url = one_click(&app, &last_of(&mailer, kind, mine));
        assert_eq!(post_one_click(&url).await.status(), 200, "{kind}");
        let mut expected = before;
        expected[field] = off;
        assert_eq!(preferences(&ann).await, expected, "{kind}");
        assert_eq!(post_one_click(&url).await.status(), 200, "again");
    }
    let bob = app.log_in("bob").await;
    let url = one_click(&app, &last_of(&mailer, "game_started", "bob@example.org"));
    post_one_click(&url).await;
    assert_eq!(preferences(&bob).await["games"], false);
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    send_all(&worker).await;
    let over = |address: &str| {
        let sent = mailer.sent();
        sent.iter()
            .filter(|sent| sent.mail.kind == "game_over" && sent.mail.to.email.to_string() == address)
            .count()
    };
    assert_eq!((over(mine), over("bob@example.org")), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_at_the_link_shows_a_button_and_does_nothing() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let (_, [ann, _]) = pip_pip(&app).await;
    send_all(&worker(&app, &mailer)).await;
    let url = one_click(&app, &last_of(&mailer, "turn", "ann@example.org"));
    let before = preferences(&ann).await;
    let looked = reqwest::Client::new().get(&url).header(ACCEPT_LANGUAGE, "de-CH,de;q=0.9").send().await;
    let looked = looked.expect("an answer");
    assert_eq!(looked.status(), 200);
    let page = looked.text().await.expect("a page");
    assert!(page.contains("<html lang=\"de\"") && page.contains("Ja, abbestellen"), "{page}");
    assert_eq!(preferences(&ann).await, before);

    let action = page.split("action=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a form");
    let action = action.replace("&#x2f;", "/");
    assert_eq!(post_one_click(&format!("{}{action}", app.url)).await.status(), 200);
    assert_eq!(preferences(&ann).await["turns"], "none");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_not_whole_or_not_ours_switches_nothing_off() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let (_, [ann, _]) = pip_pip(&app).await;
    send_all(&worker(&app, &mailer)).await;
    let url = one_click(&app, &last_of(&mailer, "turn", "ann@example.org"));
    let look = last_of(&mailer, "turn", "ann@example.org").mail.text;
    let look = look
        .lines()
        .find(|line| line.contains("/games/"))
        .and_then(|line| line.rsplit('=').next())
        .expect("a token")
        .to_owned();
    let bare = url.split('?').next().expect("an address").to_owned();
    for bad in [url[..url.len() - 1].to_owned(), bare.clone(), format!("{bare}?token={look}")] {
        assert_eq!(post_one_click(&bad).await.status(), 404, "{bad}");
        assert_eq!(reqwest::get(&bad).await.expect("an answer").status(), 404, "{bad}");
    }
    assert_eq!(preferences(&ann).await["turns"], "each");
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_without_an_account_can_decline_all_invitations() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    let ann = app.player("ann").await;
    let invite = async |address: &str| {
        let game = support::games::open_game(&ann).await;
        ann.post(&format!("{game}/invitations"), &json!({"email": address})).await.expect_status(202).status
    };
    invite("Carol@example.net").await;
    send_all(&worker).await;
    let url = one_click(&app, &last_of(&mailer, "invitation", "Carol@example.net"));
    assert_eq!(post_one_click(&url).await.status(), 200);
    invite("carol@example.net").await;
    invite("carol+games@example.net").await;
    send_all(&worker).await;
    let to_carol = mailer.sent().iter().filter(|sent| sent.mail.kind == "invitation").count();
    assert_eq!(to_carol, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_about_an_account_cannot_be_switched_off() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    app.player("ann").await;
    send_all(&worker(&app, &mailer)).await;
    let sent = last_of(&mailer, "confirm_email", "ann@example.org");
    assert!(read(&sent.raw).header_raw("List-Unsubscribe").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_speak_the_language_that_the_browser_asks_for() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let game = game.replace("/api/v1", "");
    for (path, status) in [
        ("/", 200),
        ("/confirm-email?token=x", 200),
        ("/reset-password?token=x", 200),
        ("/unsubscribe?token=x", 404),
        (game.as_str(), 200),
    ] {
        for (language, own) in [("en", "lang=\"en\""), ("de", "lang=\"de\"")] {
            let asked = reqwest::Client::new().get(format!("{}{path}", app.url));
            let answer = asked.header(ACCEPT_LANGUAGE, language).send().await.expect("an answer");
            assert_eq!(answer.status(), status, "{path}");
            assert_eq!(answer.headers()["content-language"], language, "{path}");
            assert!(answer.text().await.expect("a page").contains(own), "{path}");
        }
    }
}
