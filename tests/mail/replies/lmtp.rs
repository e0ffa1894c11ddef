//! Conversations with the LMTP listener.

use pippost::replies::MAX_MAIL_BYTES;

use super::{Post, Sent};
use support::TestApp;
use support::games::pip_pip;
use support::lmtp::Lmtp;

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_has_an_answer_for_each_recipient_and_a_repeated_one_does_nothing_twice() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let sent = Sent::answer("ann", &turn, "store\n\n.a line with a dot");
    let lmtp = Lmtp::start(&app);
    let mut talk = lmtp.talk().await;
    assert!(talk.say("MAIL FROM:<ann@example.org> BODY=8BITMIME SIZE=400").await.starts_with("250 2.1.0"));
    assert!(talk.say(&format!("RCPT TO:<{}>", sent.to)).await.starts_with("250 2.1.5"));
    assert!(talk.say("RCPT TO:<play+nonsense@example.org>").await.starts_with("550 5.1.1"));
    assert!(talk.say(&format!("RCPT TO:<{}>", sent.to.to_uppercase())).await.starts_with("250 2.1.5"));
    assert!(talk.say("DATA").await.starts_with("354"));
    let raw = sent.raw();
    assert_eq!(talk.send(&raw).await, "250 2.0.0 taken");
    assert_eq!(talk.answer().await, "250 2.0.0 taken", "one answer for each");
    assert_eq!(ann.get(&game).await.ok()["seq"], 1);
    // The mail server has not received our answer, and tries again.
    assert_eq!(lmtp.deliver("ann@example.org", &sent.to, &raw).await, "250 2.0.0 taken");
    assert_eq!(ann.get(&game).await.ok()["seq"], 1);
    assert_eq!(post.all("ann").await.iter().filter(|got| got.kind == "answer").count(), 1);
    assert!(talk.say("QUIT").await.starts_with("221"));
    assert_eq!(talk.answer().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_out_of_order_or_bounds_is_refused_and_the_conversation_goes_on() {
    let app = TestApp::start().await;
    let (_, [_, _]) = pip_pip(&app).await;
    let to = Post::of(&app).last("ann").await.reply_to.expect("an address");
    let lmtp = Lmtp::start(&app);
    let mut talk = lmtp.talk().await;
    for (said, answered) in [
        ("EHLO x", "500 5.5.1"),
        ("DATA", "503 5.5.1"),
        ("RCPT TO:<a@example.org>", "503 5.5.1"),
        ("FROBNICATE", "500 5.5.2"),
        ("VRFY ann", "252 "),
        ("NOOP", "250 "),
        ("MAIL FROM:<ann@example.org> SIZE=99999999", "552 5.3.4"),
        ("MAIL FROM:<ann@example.org>", "250 "),
        ("MAIL FROM:<ann@example.org>", "503 5.5.1"),
        ("DATA", "503 5.5.1"),
        ("RSET", "250 "),
        ("MAIL FROM:<>", "250 "),
    ] {
        let answer = talk.say(said).await;
        assert!(answer.starts_with(answered), "{said}: {answer}");
    }
    assert!(talk.say(&format!("RCPT TO:<{to}>")).await.starts_with("250 "));
    assert!(talk.say("DATA").await.starts_with("354 "));
    let large = format!("From: a@example.org\r\n\r\n{}", "0123456789abcdef\r\n".repeat(MAX_MAIL_BYTES / 16));
    assert!(talk.send(&large).await.starts_with("552 5.3.4"));
    // A bounced mail is accepted and gets no answer.
    assert!(talk.say("MAIL FROM:<>").await.starts_with("250 "));
    assert!(talk.say(&format!("RCPT TO:<{to}>")).await.starts_with("250 "));
    assert!(talk.say("DATA").await.starts_with("354 "));
    let answer = talk.send("From: ann@example.org\r\n\r\nstore").await;
    assert_eq!(answer, "250 2.0.0 taken, and nothing done");
    for _ in 0..30 {
        if talk.say("FROBNICATE").await.starts_with("421 4.7.0") {
            assert_eq!(talk.answer().await, "");
            return;
        }
    }
    panic!("mistakes without an end");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_conversations_are_held_at_once() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let turn = Post::of(&app).last("ann").await;
    let lmtp = Lmtp::start(&app);
    // Copies of one mail, and others with the same token: only one moves.
    let copies = Sent::answer("ann", &turn, "store");
    let mails: Vec<_> = (0..8)
        .map(|number| if number < 4 { copies.clone() } else { Sent::answer("ann", &turn, "store") })
        .collect();
    let raws: Vec<_> = mails.iter().map(Sent::raw).collect();
    let delivered = raws.iter().map(|raw| lmtp.deliver("ann@example.org", &copies.to, raw));
    for answer in futures_util::future::join_all(delivered).await {
        assert_eq!(answer, "250 2.0.0 taken");
    }
    assert_eq!(ann.get(&game).await.ok()["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_never_be_read_is_refused_for_good_and_not_asked_for_again() {
    let app = TestApp::start().await;
    let (_, [_, _]) = pip_pip(&app).await;
    let to = Post::of(&app).last("ann").await.reply_to.expect("an address");
    let lmtp = Lmtp::start(&app);
    for raw in ["", "\r\nstore", "no mail at all"] {
        for _ in 0..2 {
            assert_eq!(
                lmtp.deliver("ann@example.org", &to, raw).await,
                "554 5.6.0 this is no mail",
                "{raw:?}"
            );
        }
    }
}
