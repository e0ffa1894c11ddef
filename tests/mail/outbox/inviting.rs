//! Inviting people who never asked for it: once for a game, seldom in a week, and not by whom they blocked.

use std::sync::Arc;

use pippost::mail::Mailer;
use pippost::mail::mailer::SentMail;
use serde_json::json;
use time::Duration;

use super::unsubscribe::{one_click, post_one_click};
use super::{send_all, worker};
use support::games::open_game;
use support::{Client, TestApp};

fn invitations(mailer: &Mailer) -> Vec<SentMail> {
    mailer.sent().into_iter().filter(|sent| sent.mail.kind == "invitation").collect()
}

/// Invites to a new game; the answer is always the same.
async fn invite(from: &Client, whom: serde_json::Value) {
    let game = open_game(from).await;
    from.post(&format!("{game}/invitations"), &whom).await.expect_status(202);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_gets_one_invitation_to_a_game_however_it_is_addressed() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    let (ann, _bob) = (app.player("ann").await, app.player("bob").await);
    let game = open_game(&ann).await;
    for whom in [
        json!({"handle": "bob"}),
        json!({"handle": "BOB"}),
        json!({"email": "bob@example.org"}),
        json!({"email": "Bob@Example.org"}),
        json!({"email": "carol@example.net"}),
        json!({"email": "Carol+games@example.net"}),
        json!({"email": "dave@gmail.com"}),
        json!({"email": "d.ave+x@googlemail.com"}),
    ] {
        ann.post(&format!("{game}/invitations"), &whom).await.expect_status(202);
    }
    send_all(&worker).await;
    let mut to: Vec<_> = invitations(&mailer).iter().map(|sent| sent.mail.to.email.to_string()).collect();
    to.sort();
    assert_eq!(to, ["bob@example.org", "carol@example.net", "dave@gmail.com"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_gets_three_invitations_in_a_week_whoever_invites_and_reads_no_stranger_s_words_in_a_subject()
 {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    let handles = ["free-money-at-xn--example", "eve", "fay", "gus"];
    for handle in handles {
        let player = app.player(handle).await;
        for number in 0..4 {
            invite(&player, json!({"email": format!("carol+{number}@example.net")})).await;
        }
    }
    send_all(&worker).await;
    let sent = invitations(&mailer);
    assert_eq!(sent.len(), 3);
    for mail in sent {
        assert_eq!(mail.mail.subject, "An invitation to a game of Pip•Pip");
        let head = String::from_utf8_lossy(&mail.raw).split("\r\n\r\n").next().unwrap_or_default().to_owned();
        assert!(!head.contains("free-money"), "{head}");
        assert!(mail.mail.text.contains("free-money-at-xn--example"), "the text says who invites");
    }
    app.app.clock.advance(Duration::days(8));
    invite(&app.log_in("eve").await, json!({"email": "carol@example.net"})).await;
    send_all(&worker).await;
    assert_eq!(invitations(&mailer).len(), 4, "after a week");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_gets_ten_invitations_in_a_week_of_people_never_met_and_all_of_others() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    let bob = app.player("bob").await;
    let friend = app.player("friend").await;
    let met = open_game(&friend).await;
    bob.post(&format!("{met}/join"), &json!({})).await.expect_status(200);
    for handle in ["ann", "eve", "fay"] {
        let player = app.player(handle).await;
        for _ in 0..4 {
            invite(&player, json!({"handle": "bob"})).await;
        }
    }
    send_all(&worker).await;
    assert_eq!(invitations(&mailer).len(), 10, "of twelve");
    invite(&friend, json!({"handle": "bob"})).await;
    send_all(&worker).await;
    assert_eq!(invitations(&mailer).len(), 11, "one who has played with bob");
    app.app.clock.advance(Duration::days(8));
    invite(&app.log_in("eve").await, json!({"handle": "bob"})).await;
    send_all(&worker).await;
    assert_eq!(invitations(&mailer).len(), 12, "after a week");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inviter_is_blocked_by_the_link_in_the_mail_and_only_that_one() {
    for whom in [json!({"handle": "bob"}), json!({"email": "carol@example.net"})] {
        let app = TestApp::start().await;
        let mailer = Arc::new(Mailer::memory());
        let worker = worker(&app, &mailer);
        let (ann, _bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
        invite(&ann, whom.clone()).await;
        send_all(&worker).await;
        // Waits already when its sender is blocked.
        invite(&ann, whom.clone()).await;
        let url = one_click(&app, &invitations(&mailer)[0]);
        let page = reqwest::get(&url).await.expect("an answer").text().await.expect("a page");
        let page = page.replace("&#x2f;", "/");
        assert!(page.contains("Block ann"), "{page}");
        let block = url.replace("/unsubscribe?", "/unsubscribe/inviter?");
        assert!(page.contains(block.trim_start_matches(app.url.as_str())), "{page}");
        assert_eq!(post_one_click(&block).await.status(), 200);
        assert_eq!(post_one_click(&block).await.status(), 200, "again");
        invite(&ann, whom.clone()).await;
        invite(&eve, whom.clone()).await;
        send_all(&worker).await;
        let froms: Vec<_> = invitations(&mailer).iter().map(|sent| sent.mail.text.contains("ann")).collect();
        assert_eq!(froms, [true, false], "{whom}");
        assert_eq!(
            post_one_click(&url.replace("/unsubscribe?", "/unsubscribe/inviter?x")).await.status(),
            404
        );
    }
}
