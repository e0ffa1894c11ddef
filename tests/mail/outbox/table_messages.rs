//! Messages at the table, told at once to those who want that.

use diesel_async::SimpleAsyncConnection;
use serde_json::{Value, json};
use time::Duration;

use super::db_fates;
use super::preferences::{Post, move_on, prefer};
use super::unsubscribe::{one_click, post_one_click};
use pippost::mail::mailer::SentMail;
use support::Client;
use support::games::{pip_pip, timed_game};

const ON: &str = "messages";

async fn say(client: &Client, game: &str, text: &str) {
    client.post(&format!("{game}/messages"), &json!({"text": text})).await.expect_status(201);
}

/// The mails to a player that are about messages.
async fn told(post: &Post, handle: &str) -> Vec<SentMail> {
    post.mails(handle).await.into_iter().filter(|sent| sent.mail.kind == "message").collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_wants_it_is_told_at_once_of_what_others_write_and_nobody_else() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    say(&bob, &game, "hello?").await;
    assert!(told(&post, "ann").await.is_empty(), "off by default");
    assert_eq!(db_fates(&post.app, "ann").await.iter().filter(|fate| fate.kind == "message").count(), 0);

    post.advance(Duration::seconds(1));
    assert_eq!(prefer(&ann, &json!({ON: true})).await[ON], true);
    prefer(&bob, &json!({ON: true})).await;
    say(&bob, &game, "Good luck!\n<b>bold</b>").await;
    let mails = told(&post, "ann").await;
    assert_eq!(mails.len(), 1);
    let mail = &mails[0].mail;
    assert!(mail.subject.contains("a message at the table (#1)"), "{}", mail.subject);
    assert!(mail.text.contains("- bob says: “Good luck! <b>bold</b>”"), "{}", mail.text);
    assert!(mail.html.contains("&lt;b&gt;bold") && !mail.html.contains("<b>bold"));
    assert!(!mail.text.contains("hello?"), "what was written before was not asked for");
    let raw = String::from_utf8(mails[0].raw.clone()).expect("ASCII");
    assert!(raw.contains("List-Id: <messages.") && raw.contains("Feedback-ID: message:messages:pippost"));
    assert!(told(&post, "bob").await.is_empty(), "not to the writer");

    let url = one_click(&post.app, &mails[0]);
    assert_eq!(post_one_click(&url).await.status(), 200);
    assert_eq!(ann.get("/api/v1/me/notification-preferences").await.ok()[ON], false);
    post.advance(Duration::minutes(3));
    say(&bob, &game, "still there?").await;
    assert_eq!(told(&post, "ann").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_soon_after_one_another_come_together_and_each_once() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&ann, &json!({ON: true})).await;
    say(&bob, &game, "first").await;
    assert_eq!(told(&post, "ann").await.len(), 1, "at once");
    for text in ["second", "third"] {
        post.advance(Duration::seconds(30));
        say(&bob, &game, text).await;
        assert_eq!(told(&post, "ann").await.len(), 1, "it waits for others");
    }
    post.advance(Duration::minutes(1));
    let mails = told(&post, "ann").await;
    assert_eq!(mails.len(), 2);
    let text = &mails[1].mail.text;
    assert!(text.contains("“second”") && text.contains("“third”") && !text.contains("“first”"), "{text}");
    assert_eq!(
        mails[1].mail.html.matches("bob says").count(),
        3,
        "two, and the newest before the mail is opened"
    );
    for number in 0..40 {
        say(&bob, &game, &format!("number {number}")).await;
    }
    post.advance(Duration::minutes(2));
    let mails = told(&post, "ann").await;
    assert_eq!(mails.len(), 3);
    let text = &mails[2].mail.text;
    assert!(text.contains("What was written before stands on the page") && text.contains("number 10”"));
    assert!(!text.contains("number 9”"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_writes_without_end_makes_a_mail_in_two_minutes_and_no_more() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&ann, &json!({ON: true})).await;
    for number in 0..33 {
        say(&bob, &game, &format!("number {number}")).await;
        let mails = told(&post, "ann").await.len();
        assert_eq!(mails, 1 + number * 15 / 120, "after {} seconds", number * 15);
        post.advance(Duration::seconds(15));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_seen_meanwhile_is_not_told_after_the_quiet_hours() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    let quiet = json!({ON: true, "quiet_hours": {"from": "11:00", "until": "13:00"}});
    prefer(&ann, &quiet).await;
    prefer(&bob, &quiet).await;
    say(&bob, &game, "early").await;
    say(&ann, &game, "I am here").await;
    say(&ann, &game, "and wait").await;
    assert!(told(&post, "ann").await.is_empty() && told(&post, "bob").await.is_empty());
    post.advance(Duration::hours(1));
    assert!(told(&post, "ann").await.is_empty(), "she has written since");
    let mails = told(&post, "bob").await;
    assert_eq!(mails.len(), 1, "one for both");
    assert!(mails[0].mail.text.contains("“I am here”") && mails[0].mail.text.contains("“and wait”"));

    post.advance(Duration::hours(23));
    let (ann, bob) = (post.app.log_in("ann").await, post.app.log_in("bob").await);
    say(&bob, &game, "your move").await;
    say(&ann, &game, "yours").await;
    post.advance(Duration::minutes(1));
    for player in [&ann, &bob, &ann] {
        move_on(&game, player).await;
    }
    post.advance(Duration::hours(1));
    assert!(told(&post, "ann").await.is_empty());
    assert_eq!(told(&post, "bob").await.len(), 1, "they have moved since");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_and_a_player_can_be_muted_and_one_game_alone_be_followed() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    let other = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    let only = async |game: &str, wanted: Value| {
        let wanted = json!({"turns": null, "reminders": null, "push": null, ON: wanted});
        let path = format!("{game}/notification-preferences");
        assert_eq!(ann.put(&path, &wanted).await.ok()[ON], wanted[ON]);
    };
    only(&game, json!(true)).await;
    say(&bob, &game, "one").await;
    say(&bob, &other, "two").await;
    assert_eq!(told(&post, "ann").await.len(), 1, "the game that she follows");
    only(&game, json!(false)).await;
    prefer(&ann, &json!({ON: true})).await;
    post.advance(Duration::minutes(3));
    say(&bob, &game, "three").await;
    say(&bob, &other, "four").await;
    let mails = told(&post, "ann").await;
    assert_eq!(mails.len(), 2);
    assert!(mails[1].mail.text.contains("“four”"));
    let block = "insert into blocked_inviters (recipient, inviter_id, blocked_at) select a.id::text, b.id, now() \
                 from players a, players b where a.handle = 'ann' and b.handle = 'bob'";
    post.app.db_superuser().await.batch_execute(block).await.expect("blocked");
    post.advance(Duration::minutes(3));
    say(&bob, &other, "five").await;
    assert_eq!(told(&post, "ann").await.len(), 2, "blocked");
    let unblocked = "delete from blocked_inviters";
    post.app.db_superuser().await.batch_execute(unblocked).await.expect("unblocked");
    let player = post.app.app.accounts.player_named("ann").await.expect("herself").id;
    post.app.app.accounts.mute_player(player, "bob").await.expect("muted");
    post.advance(Duration::minutes(3));
    say(&bob, &other, "six").await;
    assert_eq!(told(&post, "ann").await.len(), 2, "muted");
    post.app
        .app
        .accounts
        .unmute_player(player, post.app.app.accounts.player_named("bob").await.expect("he").id)
        .await
        .expect("unmuted");
    // A mail that waits when the writer is muted tells nothing of it.
    say(&bob, &other, "seven").await;
    post.app.app.accounts.mute_player(player, "bob").await.expect("muted");
    assert_eq!(told(&post, "ann").await.len(), 2, "muted before the mail left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_written_while_the_mail_of_another_is_made_has_a_mail_of_its_own() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&ann, &json!({ON: true})).await;
    say(&bob, &game, "first").await;
    let mut database = post.app.db_superuser().await;
    // A worker has claimed it, and has read what there is to tell.
    let claimed = "update notices set ready = false, attempts = 1, next_attempt_at = next_attempt_at + interval '5 minutes' \
                   where kind = 'message'";
    database.batch_execute(claimed).await.expect("claimed");
    say(&bob, &game, "second").await;
    let waiting = "select count(*) as number from notices where kind = 'message' and state = 'waiting'";
    assert_eq!(post.app.db_count(waiting).await, 2);
    say(&bob, &game, "third").await;
    assert_eq!(post.app.db_count(waiting).await, 2, "the second waits for the third");
    let delayed = "update notices set waits_for = 'server' where kind = 'message' and attempts = 1; \
                   delete from notices where kind = 'message' and attempts = 0";
    database.batch_execute(delayed).await.expect("put off");
    say(&bob, &game, "fourth").await;
    assert_eq!(post.app.db_count(waiting).await, 1, "one that was put off is made anew, and tells all");
}
