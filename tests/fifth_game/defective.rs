//! A rule set with a defect that an answer by mail meets: the mail is refused for good, and others go on.

use serde_json::json;

use crate::add_the_game;
use crate::playing::start;
use support::TestApp;
use support::lmtp::Lmtp;
use support::post::{Post, Sent, deliver_raw};

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_whose_reading_panics_is_refused_and_its_session_and_all_others_go_on() {
    add_the_game();
    let app = TestApp::start().await;
    let game = start(&app, json!({})).await;
    let turn = Post::of(&app).last("ann").await;
    let lmtp = Lmtp::start(&app);
    let (mut talk, mut other) = (lmtp.talk().await, lmtp.talk().await);
    let to = turn.reply_to.clone().expect("an address");
    // More often than mails are read at once.
    for number in 0..6 {
        let raw = Sent::answer("ann", &turn, &format!("crash\n\n{number}")).raw();
        assert!(talk.say("MAIL FROM:<ann@example.org>").await.starts_with("250 "));
        assert!(talk.say(&format!("RCPT TO:<{to}>")).await.starts_with("250 "));
        assert!(talk.say("DATA").await.starts_with("354 "));
        // It would fail again, so the mail server must not try again.
        assert_eq!(talk.send(&raw).await, "554 5.6.0 this is no mail", "{number}");
    }
    assert!(other.say("NOOP").await.starts_with("250 "));
    let crashing = Sent::answer("ann", &turn, "crash").raw();
    deliver_raw(&app, "", crashing).await.problem(409, "unreadable_mail");
    let seq = async || app.stranger().get(&game.path).await.ok()["seq"].clone();
    let before = seq().await;
    assert!(talk.say("MAIL FROM:<ann@example.org>").await.starts_with("250 "));
    assert!(talk.say(&format!("RCPT TO:<{to}>")).await.starts_with("250 "));
    assert!(talk.say("DATA").await.starts_with("354 "));
    assert_eq!(talk.send(&Sent::answer("ann", &turn, "roll").raw()).await, "250 2.0.0 taken");
    assert_ne!(seq().await, before);
}
