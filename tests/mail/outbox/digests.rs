//! News in digests: each is told once, by a mail of its own or by a digest, whatever fails or changes meanwhile.

use serde_json::json;
use time::Duration;

use super::db_fates;
use super::preferences::{Post, prefer};
use super::unsubscribe::{one_click, post_one_click};
use support::games::{open_game, pip_pip, pip_pip_again};

const NEWS: &str = "select count(*) as number from digest_news";

fn in_digest() -> serde_json::Value {
    json!({"turns": "none", "digest": {"games": true, "invitations": true}})
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_ends_and_invitations_come_in_one_digest_and_not_alone() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    let already = post.kinds("bob").await;
    prefer(&bob, &in_digest()).await;
    pip_pip_again(&ann, &bob).await;
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    let open = open_game(&ann).await;
    ann.post(&format!("{open}/invitations"), &json!({"handle": "bob"})).await.expect_status(202);
    assert_eq!(post.kinds("bob").await, already, "nothing alone");
    let collected = db_fates(&post.app, "bob").await;
    let collected =
        collected.iter().filter(|fate| fate.reason.as_deref() == Some("it goes into the daily digest"));
    let collected = collected.count();
    assert!(collected >= 3, "a start, an end, an invitation: {collected}");

    post.advance(Duration::hours(21));
    assert_eq!(post.digests().await, 1);
    let mails = post.mails("bob").await;
    let digest = &mails.last().expect("a digest").mail;
    assert_eq!((mails.len(), digest.kind), (already.len() + 1, "digest"));
    for part in [
        "What happened",
        "- Pip•Pip against ann: the game is over (#1)\n",
        "ann won",
        "- Pip•Pip against ann: the game has started (#2)\n",
        "ann invites you to a game of Pip•Pip",
    ] {
        assert!(digest.text.contains(part), "{part}\n{}", digest.text);
    }
    assert!(!digest.text.contains("waits for you"), "turns are not wanted\n{}", digest.text);

    // Told once: the next day has nothing to tell.
    post.advance(Duration::days(1));
    assert_eq!(post.digests().await, 1);
    assert_eq!(post.mails("bob").await.len(), already.len() + 1);
    let fate = db_fates(&post.app, "bob").await.pop().expect("a notice");
    assert_eq!((fate.state.as_str(), fate.reason.as_deref()), ("skipped", Some("overtaken by events")));
    assert_eq!(post.app.db_count(NEWS).await, 0, "what was told is forgotten");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_digest_that_was_not_sent_should_tell_the_next_one_tells() {
    let post = Post::start().await;
    let (game, [_, bob]) = pip_pip(&post.app).await;
    let already = post.kinds("bob").await.len();
    prefer(&bob, &in_digest()).await;
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    post.kinds("bob").await;
    post.advance(Duration::hours(21));
    assert_eq!(post.digests().await, 1);
    post.advance(Duration::days(1));
    assert_eq!(post.digests().await, 1);
    let mails = post.mails("bob").await;
    assert_eq!(mails.len(), already + 1);
    assert!(mails[already].mail.text.contains("ann won"), "{}", mails[already].mail.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_digest_comes_once_more_after_it_is_switched_off_and_then_none() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&bob, &in_digest()).await;
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    let before = post.kinds("bob").await.len();
    prefer(&bob, &json!({"digest": {"games": false, "invitations": false}})).await;
    let second = pip_pip_again(&ann, &bob).await;
    bob.post(&format!("{second}/resign"), &json!({})).await.ok();
    let kinds = post.kinds("bob").await;
    assert!(kinds.len() > before && kinds.contains(&"game_over"), "alone again: {kinds:?}");
    post.advance(Duration::hours(21));
    assert_eq!(post.digests().await, 1);
    let mails = post.mails("bob").await;
    let digest = &mails.last().expect("a digest").mail;
    assert_eq!((mails.len(), digest.kind), (kinds.len() + 1, "digest"));
    assert_eq!(digest.text.matches("the game is over").count(), 1, "the first only\n{}", digest.text);
    post.advance(Duration::days(1));
    assert_eq!(post.digests().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_link_in_a_digest_ends_all_that_comes_with_it() {
    let post = Post::start().await;
    let (game, [_, bob]) = pip_pip(&post.app).await;
    prefer(&bob, &in_digest()).await;
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    post.kinds("bob").await;
    post.advance(Duration::hours(21));
    assert_eq!(post.digests().await, 1);
    let mails = post.mails("bob").await;
    let answer = post_one_click(&one_click(&post.app, mails.last().expect("a digest"))).await;
    assert!(answer.status().is_success(), "{}", answer.status());
    let bob = post.app.log_in("bob").await;
    let now = prefer(&bob, &json!({})).await;
    assert_eq!(
        (&now["games"], &now["invitations"], &now["turns"]),
        (&json!(false), &json!(false), &json!("none"))
    );
    assert_eq!(post.app.db_count(NEWS).await, 0);
    post.advance(Duration::days(1));
    assert_eq!(post.digests().await, 0);
}
