//! Bounced mails.

use pippost::notices::bounces::HARD_BOUNCES_UNTIL_STOPPED;
use serde_json::{Value, json};
use time::Duration;

use super::{Got, Post, deliver_raw};
use pippost::games::playing;
use support::games::pip_pip;
use support::{Client, TestApp};

fn fixture(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mail");
    std::fs::read_to_string(folder.join(format!("{name}.eml"))).expect("a fixture")
}

/// Bounces a mail to ann as in the fixture; returns the outcome.
pub async fn bounce(app: &TestApp, envelope_sender: &str, name: &str) -> Value {
    bounce_as(app, envelope_sender, fixture(name)).await
}

async fn bounce_as(app: &TestApp, envelope_sender: &str, report: String) -> Value {
    let recipient = envelope_sender.replace('+', "%2B");
    deliver_raw(app, &format!("?sender=&recipient={recipient}"), report).await.ok()["outcome"].take()
}

/// The reader of a mail calls it spam; returns the outcome.
pub async fn complain(app: &TestApp, mail: &Got) -> Value {
    let report = complaint(&mail.raw, "abuse", false);
    deliver_raw(app, "?recipient=play@example.org&sender=", report).await.ok()["outcome"].take()
}

async fn mails(player: &Client) -> Vec<Value> {
    player.get("/api/v1/me/mails").await.ok()["mails"].as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_that_come_back_are_seen_and_after_some_nothing_more_is_sent_until_the_address_is_confirmed() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let post = Post::of(&app);
    post.send().await;
    let path = format!("{game}/moves");
    let bound = usize::try_from(HARD_BOUNCES_UNTIL_STOPPED).expect("a small number");
    for number in 0..bound {
        assert!(ann.get("/api/v1/me").await.ok()["email_bounced_at"].is_null(), "{number}");
        // Each turn of ann's would need one of bob's; answers to her own mails need none.
        let turn = post.last("ann").await;
        let asked = super::Sent::answer("ann", &turn, "help");
        assert_eq!(super::deliver(&app, &asked).await, "taken");
        let got = post.last("ann").await;
        let back = got.bounce_to.expect("a way back");
        assert_eq!(bounce(&app, &back, "bounce-delayed").await, "ignored");
        assert_eq!(bounce(&app, &back, "bounce-hard").await, "taken");
        assert_eq!(bounce(&app, &back, "bounce-hard").await, "repeated");
        assert_eq!(mails(&ann).await[0]["fate"], "bounced");
        assert_eq!(mails(&ann).await[0]["reason"], "came back: 5.1.1");
    }
    let me = ann.get("/api/v1/me").await.ok();
    assert!(me["email_bounced_at"].is_string() && me["email_confirmed_at"].is_null(), "{me}");

    // No more mails go to the address, and the player sees the reason.
    let before = post.all("ann").await.len();
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    ann.post(&path, &json!({"actions": [legal["actions"][0]]})).await.expect_status(200);
    app.app.clock.advance(Duration::days(6));
    let ann = app.log_in("ann").await;
    playing::remind(&app.app.games).await.expect("reminders");
    assert_eq!(post.all("ann").await.len(), before);
    let newest = mails(&ann).await.remove(0);
    assert_eq!((&newest["fate"], &newest["kind"]), (&json!("skipped"), &json!("reminder")));

    // Confirming the address again starts over.
    ann.post("/api/v1/email/resend", &json!({})).await.expect_status(202);
    let mail = post.last("ann").await;
    let token = mail.text.split("token=").nth(1).expect("a link").split_whitespace().next().expect("a token");
    app.stranger().post("/api/v1/email/confirm", &json!({"token": token})).await.expect_status(204);
    let me = ann.get("/api/v1/me").await.ok();
    assert!(me["email_bounced_at"].is_null() && me["email_confirmed_at"].is_string(), "{me}");
}

/// A report of a provider's (RFC 5965) that the reader of `mail` calls it spam, or takes that back.
fn complaint(mail: &str, kind: &str, headers_only: bool) -> String {
    let (headers, _) = mail.split_once("\r\n\r\n").expect("headers");
    let attached = if headers_only { "text/rfc822-headers" } else { "message/rfc822" };
    format!(
        "From: complaints@provider.example\r\nTo: play@example.org\r\nMessage-ID: <{kind}@provider.example>\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=\"b\"\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nThis is an abuse report.\r\n\
         --b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: {kind}\r\nUser-Agent: x/1\r\nVersion: 1\r\n\r\n\
         --b\r\nContent-Type: {attached}\r\n\r\n{headers}\r\n\r\nstore\r\n--b--\r\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_complaint_switches_the_kind_of_mail_off_and_nothing_else() {
    for headers_only in [false, true] {
        let app = TestApp::start().await;
        let (game, [ann, _]) = pip_pip(&app).await;
        let turn = Post::of(&app).last("ann").await;
        let preferences = async || ann.get("/api/v1/me/notification-preferences").await.ok();
        let before = preferences().await;
        let report = |kind: &str, mail: &str| complaint(mail, kind, headers_only);
        let outcome = async |raw: String| {
            deliver_raw(&app, "?recipient=play@example.org&sender=", raw).await.ok()["outcome"].clone()
        };
        assert_eq!(outcome(report("not-spam", &turn.raw)).await, "ignored");
        let forged = turn.raw.replace("/unsubscribe?token=", "/unsubscribe?token=A");
        assert_eq!(outcome(report("abuse", &forged)).await, "ignored");
        assert_eq!(preferences().await, before);
        assert_eq!(outcome(report("abuse", &turn.raw)).await, "taken");
        let mut expected = before;
        expected["turns"] = json!("none");
        assert_eq!(preferences().await, expected);
        // The mail's text is no answer to it, and the address stays confirmed.
        assert_eq!(ann.get(&game).await.ok()["seq"], 0);
        assert!(ann.get("/api/v1/me").await.ok()["email_confirmed_at"].is_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_reports_about_the_address_count_against_it() {
    for (codes, stops) in [
        (
            ["5.7.1", "5.7.26", "5.2.2", "5.2.3", "5.3.0", "5.3.4", "5.4.4", "5.4.1", "5.1.7", "5.1.8"]
                .as_slice(),
            false,
        ),
        (["5.1.1"; 3].as_slice(), true),
        (["5.2.1"; 3].as_slice(), true),
    ] {
        let app = TestApp::start().await;
        let (_, [ann, _]) = pip_pip(&app).await;
        let post = Post::of(&app);
        for code in codes {
            let asked = super::Sent::answer("ann", &post.last("ann").await, "help");
            assert_eq!(super::deliver(&app, &asked).await, "taken");
            let back = post.last("ann").await.bounce_to.expect("a way back");
            let report = fixture("bounce-hard").replace("Status: 5.1.1", &format!("Status: {code}"));
            assert_eq!(bounce_as(&app, &back, report).await, "taken", "{code}");
            assert_eq!(mails(&ann).await[0]["reason"], format!("came back: {code}"));
        }
        let me = ann.get("/api/v1/me").await.ok();
        assert_eq!(
            (me["email_bounced_at"].is_string(), me["email_confirmed_at"].is_null()),
            (stops, stops),
            "{codes:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_that_come_back_for_now_stop_nothing() {
    let app = TestApp::start().await;
    let (_, [ann, _]) = pip_pip(&app).await;
    let post = Post::of(&app);
    for _ in 0..=HARD_BOUNCES_UNTIL_STOPPED {
        let asked = super::Sent::answer("ann", &post.last("ann").await, "help");
        assert_eq!(super::deliver(&app, &asked).await, "taken");
        let back = post.last("ann").await.bounce_to.expect("a way back");
        assert_eq!(bounce(&app, &back, "bounce-soft").await, "taken");
    }
    assert!(ann.get("/api/v1/me").await.ok()["email_bounced_at"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_way_back_is_no_way_to_move_and_a_way_to_move_is_no_way_back() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let (reply_to, back) =
        (turn.reply_to.clone().expect("an address"), turn.bounce_to.clone().expect("an address"));
    assert_eq!(bounce(&app, &reply_to, "bounce-hard").await, "ignored");
    let sent = super::Sent { to: back, ..super::Sent::answer("ann", &turn, "store") };
    assert_eq!(super::deliver(&app, &sent).await, "ignored");
    assert_eq!(ann.get(&game).await.ok()["seq"], 0);
    assert_eq!(mails(&ann).await[0]["fate"], "sent");
}
