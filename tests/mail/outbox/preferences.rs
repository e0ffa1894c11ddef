//! Notification preferences: which mails, when, and how often.

use std::sync::Arc;

use pippost::games::playing;
use pippost::mail::Mailer;
use pippost::mail::mailer::SentMail;
use pippost::notices::Digests;
use pippost::worker::OutboxWorker;
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;
use time::macros::datetime;

use super::{db_fates, send_all, worker};
use support::games::pip_pip;
use support::{Client, TestApp};

const PREFERENCES: &str = "/api/v1/me/notification-preferences";

/// A server with its worker, which keeps all mails in memory.
pub struct Post {
    pub app: TestApp,
    mailer: Arc<Mailer>,
    worker: OutboxWorker,
}

impl Post {
    pub async fn start() -> Self {
        let app = TestApp::start().await;
        let mailer = Arc::new(Mailer::memory());
        let worker = worker(&app, &mailer);
        Self { app, mailer, worker }
    }

    /// Sends what is due now, and returns all game mails to a player so far.
    pub async fn mails(&self, handle: &str) -> Vec<SentMail> {
        send_all(&self.worker).await;
        let address = format!("{handle}@example.org");
        let wanted =
            |sent: &SentMail| sent.mail.to.email.to_string() == address && sent.mail.kind != "confirm_email";
        self.mailer.sent().into_iter().filter(wanted).collect()
    }

    pub async fn kinds(&self, handle: &str) -> Vec<&'static str> {
        self.mails(handle).await.iter().map(|sent| sent.mail.kind).collect()
    }

    pub async fn digests(&self) -> usize {
        let digests = Digests::new(self.app.app.database.clone());
        digests.queue(self.app.app.clock.now()).await.expect("digests")
    }

    pub fn advance(&self, by: Duration) {
        self.app.app.clock.advance(by);
    }
}

pub async fn prefer(client: &Client, preferences: &Value) -> Value {
    client.patch(PREFERENCES, preferences).await.ok()
}

/// Plays until the other player is to act.
pub async fn move_on(game: &str, player: &Client) {
    while player.get(game).await.ok()["my_turn"] == true {
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action =
            legal["actions"].as_array().and_then(|actions| actions.last()).expect("an action").clone();
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn preferences_are_shown_changed_and_refused_by_field() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let usual = json!({
        "language": "en", "zone": "UTC", "turns": "each", "reminders": true, "games": true, "invitations": true,
        "messages": false, "digest_time": "08:00", "quiet_hours": null, "reminder_schedule": ["25%"], "last_reminder_in_quiet_hours": false,
        "in_dumps": true, "ratings": true,
        "push": {"turns": true, "reminders": true, "games": true, "invitations": true, "messages": false},
        "digest": {"games": false, "invitations": false, "problem": false},
    });
    assert_eq!(ann.get(PREFERENCES).await.ok(), usual);
    let wanted = json!({
        "language": "de", "zone": "Europe/Berlin", "turns": "digest", "reminders": false, "games": false,
        "invitations": false, "messages": true, "digest_time": "07:30", "quiet_hours": {"from": "22:00", "until": "07:00"},
        "reminder_schedule": ["50%", "24h", "1h"], "last_reminder_in_quiet_hours": true,
        "in_dumps": false, "ratings": false,
        "push": {"turns": false, "reminders": true, "games": false, "invitations": true, "messages": true},
        "digest": {"games": true, "invitations": true, "problem": true},
    });
    assert_eq!(prefer(&ann, &wanted).await, wanted);
    assert_eq!(prefer(&ann, &json!({})).await, wanted, "what is missing stays");
    assert_eq!(prefer(&ann, &json!({"quiet_hours": null})).await["quiet_hours"], Value::Null);
    assert_eq!(ann.get(PREFERENCES).await.ok()["language"], "de");

    for (field, value) in [
        ("language", json!("French")),
        ("zone", json!("not a zone")),
        ("digest_time", json!("8 o'clock")),
        ("quiet_hours", json!({"from": "25:00", "until": "07:00"})),
        ("reminder_schedule", json!([])),
        ("reminder_schedule", json!(["80%"])),
        ("reminder_schedule", json!(["1h", "1h"])),
        ("reminder_schedule", json!(["1h", "2h", "3h", "4h", "5h", "6h", "7h"])),
    ] {
        let problem = ann.patch(PREFERENCES, &json!({field: value})).await.problem(422, "invalid_value");
        assert_eq!(problem["field"], field);
    }
    let unknown = ann.patch(PREFERENCES, &json!({"language": "fr"})).await.problem(409, "unknown_language");
    assert_eq!((&unknown["field"], &unknown["detail"]), (&json!("language"), &json!("one of en, de")));
    let unknown = ann.patch(PREFERENCES, &json!({"zone": "Berlin"})).await.problem(409, "unknown_zone");
    assert_eq!(unknown["field"], "zone");
    let none = json!({"quiet_hours": {"from": "07:00", "until": "07:00"}});
    assert_eq!(prefer(&ann, &none).await["quiet_hours"], Value::Null);
    for unreadable in
        [json!(null), json!([true, true, true, true]), json!({"digest": true}), json!({"turns": "each"})]
    {
        for member in ["push", "digest"] {
            let body = json!({member: unreadable});
            ann.patch(PREFERENCES, &body).await.problem(422, "invalid_value");
        }
    }
    for unreadable in [
        r#"{"games": true, "games": false}"#,
        r#"{"push": {"turns": true, "turns": false}}"#,
        r#"{"quiet_hours": ["22:00", "07:00"]}"#,
        r#"{"quiet_hours": {"from": "22:00", "from": "23:00", "until": "07:00"}}"#,
        r#"{"digest_games": true}"#,
        r#"{"turns": "hourly"}"#,
    ] {
        let headers = [("Content-Type", "application/json")];
        let answer = ann.send(Method::PATCH, PREFERENCES, Some(unreadable.to_owned()), &headers).await;
        answer.problem(422, "invalid_value");
    }
    assert_eq!(ann.get(PREFERENCES).await.ok()["games"], false, "nothing of them is taken");
    app.stranger().get(PREFERENCES).await.problem(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_told_in_the_chosen_language_and_zone() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&bob, &json!({"language": "de", "zone": "Europe/Berlin"})).await;
    move_on(&game, &ann).await;
    let mails = post.mails("bob").await;
    let turn = &mails.iter().find(|sent| sent.mail.kind == "turn").expect("a turn").mail;
    assert_eq!(turn.subject, "Pip•Pip gegen ann: du bist am Zug (#1)");
    assert!(turn.text.contains("Das Spiel hat begonnen."), "{}", turn.text);
    assert!(
        turn.text.contains("Du hast 7 Tage Zeit, bis Samstag, 28. November 2026, 13:00 Uhr (CET)."),
        "{}",
        turn.text
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_wants_to_be_told_once_hears_nothing_more_until_seen_again() {
    let post = Post::start().await;
    let (first, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&bob, &json!({"turns": "once", "games": false})).await;
    post.advance(Duration::minutes(1));
    let second = support::games::pip_pip_again(&ann, &bob).await;
    post.advance(Duration::minutes(1));
    move_on(&first, &ann).await;
    assert_eq!(post.kinds("bob").await, ["turn"]);
    post.advance(Duration::minutes(1));
    move_on(&second, &ann).await;
    assert_eq!(post.kinds("bob").await, ["turn"], "told before");
    let fates = db_fates(&post.app, "bob").await;
    let last = fates.last().and_then(|fate| fate.reason.clone());
    assert_eq!(last.as_deref(), Some("told before, and the player has not come back since"));

    post.advance(Duration::minutes(1));
    move_on(&first, &bob).await;
    post.advance(Duration::minutes(1));
    move_on(&first, &ann).await;
    assert_eq!(post.kinds("bob").await, ["turn", "turn"], "bob came back");
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_by_the_link_in_the_mail_counts_as_coming_back() {
    let post = Post::start().await;
    let (first, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&bob, &json!({"turns": "once", "games": false})).await;
    let second = support::games::pip_pip_again(&ann, &bob).await;
    post.advance(Duration::minutes(1));
    move_on(&first, &ann).await;
    let mails = post.mails("bob").await;
    let link = mails[0].mail.text.lines().find(|line| line.contains("?token=")).expect("a link").to_owned();
    post.advance(Duration::minutes(1));
    let path = link.split_once("/games/").expect("a game's page").1;
    let page = reqwest::get(format!("{}/games/{path}", post.app.url)).await.expect("an answer");
    assert_eq!(page.status(), 200);
    post.advance(Duration::minutes(1));
    move_on(&second, &ann).await;
    assert_eq!(post.kinds("bob").await, ["turn", "turn"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_one_mail_that_is_put_off_is_tried_again_and_still_the_only_one() {
    let post = Post::start().await;
    let (first, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&bob, &json!({"turns": "once", "games": false})).await;
    let second = support::games::pip_pip_again(&ann, &bob).await;
    send_all(&post.worker).await;
    post.advance(Duration::minutes(1));
    move_on(&first, &ann).await;
    let nowhere = super::smtp("smtp://127.0.0.1:1".to_owned());
    send_all(&worker(&post.app, &nowhere)).await;
    move_on(&second, &ann).await;
    post.advance(Duration::minutes(1));
    assert_eq!(post.kinds("bob").await, ["turn"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_wait_for_the_end_of_the_quiet_hours_and_only_come_if_they_still_hold() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    send_all(&post.worker).await;
    let before = post.kinds("bob").await.len();
    // It is 13:00 in Berlin.
    let quiet = json!({"zone": "Europe/Berlin", "quiet_hours": {"from": "13:00", "until": "07:00"}});
    prefer(&bob, &quiet).await;
    move_on(&game, &ann).await;
    assert_eq!(post.kinds("bob").await.len(), before);
    let fate = db_fates(&post.app, "bob").await.pop().expect("a notice");
    assert_eq!((fate.state.as_str(), fate.attempts), ("waiting", 0));
    assert_eq!(fate.next_attempt_at, datetime!(2026-11-22 06:00 UTC));

    move_on(&game, &bob).await;
    move_on(&game, &ann).await;
    post.app.app.clock.set(datetime!(2026-11-22 06:00 UTC));
    let mails = post.mails("bob").await;
    assert_eq!(mails.len(), before + 1, "the first of the two was overtaken");
    assert_eq!(mails.last().map(|sent| sent.mail.date), Some(datetime!(2026-11-22 06:00 UTC)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_digest_comes_daily_at_the_players_hour_while_a_game_waits() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    prefer(
        &bob,
        &json!({"turns": "digest", "games": false, "zone": "Europe/Berlin", "digest_time": "18:30"}),
    )
    .await;
    move_on(&game, &ann).await;
    assert_eq!(post.digests().await, 0, "not yet");
    post.app.app.clock.set(datetime!(2026-11-21 17:30 UTC));
    assert_eq!(post.digests().await, 1);
    assert_eq!(post.digests().await, 0, "once");
    let mails = post.mails("bob").await;
    assert_eq!(mails.len(), 1);
    let digest = &mails[0].mail;
    assert_eq!((digest.kind, digest.subject.as_str()), ("digest", "One game waits for you"));
    let left = "6 days and 19 hours left, until Saturday 28 November 2026, 13:00 CET";
    for part in ["- #1 Pip•Pip against ann\n", "You rolled a ", left, &game.replace("/api/v1", "")] {
        assert!(digest.text.contains(part), "{part}\n{}", digest.text);
    }
    assert_eq!(digest.thread_id, None);

    // Nothing waits the next day: no mail.
    move_on(&game, &post.app.log_in("bob").await).await;
    post.app.app.clock.set(datetime!(2026-11-22 17:30 UTC));
    assert_eq!(post.digests().await, 1);
    assert_eq!(post.kinds("bob").await, ["digest"]);
    let fate = db_fates(&post.app, "bob").await.pop().expect("a notice");
    assert_eq!((fate.state.as_str(), fate.reason.as_deref()), ("skipped", Some("overtaken by events")));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_changes_the_hour_of_the_digest_gets_none_twice_on_a_day() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    let first = json!({"turns": "digest", "games": false, "zone": "Europe/Berlin", "digest_time": "14:00"});
    prefer(&bob, &first).await;
    move_on(&game, &ann).await;
    post.app.app.clock.set(datetime!(2026-11-21 13:00 UTC));
    assert_eq!(post.digests().await, 1);
    // Whether it has left or not, and however often the hour changes or digests are switched off.
    let bob = post.app.log_in("bob").await;
    prefer(&bob, &json!({"digest_time": "16:00"})).await;
    assert_eq!(post.kinds("bob").await, ["digest"]);
    prefer(&bob, &json!({"turns": "each"})).await;
    prefer(&bob, &json!({"turns": "digest", "digest_time": "18:30"})).await;
    for later in [datetime!(2026-11-21 17:30 UTC), datetime!(2026-11-21 22:59 UTC)] {
        post.app.app.clock.set(later);
        assert_eq!(post.digests().await, 0, "{later}");
    }
    // The next day, even when it begins.
    let back = post.app.log_in("bob").await;
    prefer(&back, &json!({"digest_time": "00:00"})).await;
    post.app.app.clock.set(datetime!(2026-11-21 23:00 UTC));
    assert_eq!(post.digests().await, 1);
    assert_eq!(post.kinds("bob").await, ["digest", "digest"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_that_could_not_be_sent_is_overtaken_by_the_next_and_missed_days_are_not_made_up_for() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    prefer(&bob, &json!({"turns": "digest", "games": false})).await;
    move_on(&game, &ann).await;
    post.advance(Duration::hours(21));
    assert_eq!(post.digests().await, 1);
    post.advance(Duration::days(3));
    assert_eq!(post.digests().await, 1);
    assert_eq!(post.kinds("bob").await, ["digest"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_game_may_be_told_of_otherwise_than_all_the_others() {
    let post = Post::start().await;
    let (first, [ann, bob]) = pip_pip(&post.app).await;
    let second = support::games::pip_pip_again(&ann, &bob).await;
    prefer(&bob, &json!({"turns": "none", "games": false})).await;
    let each = json!({"turns": "each", "reminders": false, "push": null, "messages": null});
    let set = bob
        .send(reqwest::Method::PUT, &format!("{first}/notification-preferences"), Some(each.to_string()), &[])
        .await;
    assert_eq!(set.ok(), each);
    assert_eq!(bob.get(&format!("{first}/notification-preferences")).await.ok(), each);
    assert_eq!(
        bob.get(&format!("{second}/notification-preferences")).await.ok(),
        json!({"turns": null, "reminders": null, "push": null, "messages": null})
    );
    move_on(&first, &ann).await;
    move_on(&second, &ann).await;
    assert_eq!(post.kinds("bob").await, ["turn"]);

    post.advance(Duration::hours(126));
    assert_eq!(playing::remind(&post.app.app.games).await.expect("reminders"), 2);
    let kinds = post.kinds("bob").await;
    assert_eq!(kinds, ["turn", "reminder"], "the reminder is of the other game");

    let cat = post.app.player("cat").await;
    let refused = cat
        .send(reqwest::Method::PUT, &format!("{first}/notification-preferences"), Some(each.to_string()), &[])
        .await;
    refused.problem(403, "not_in_game");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_for_one_game_is_planned_and_given_up_with_that_preference() {
    let post = Post::start().await;
    let (game, [ann, bob]) = pip_pip(&post.app).await;
    let digest = json!({"turns": "digest"}).to_string();
    bob.send(reqwest::Method::PUT, &format!("{game}/notification-preferences"), Some(digest), &[]).await.ok();
    move_on(&game, &ann).await;
    post.advance(Duration::hours(21));
    assert_eq!(post.digests().await, 1);
    let kinds = post.kinds("bob").await;
    assert!(kinds.len() == 2 && kinds.contains(&"digest"), "{kinds:?}");
    let back = post.app.log_in("bob").await;
    let nothing = json!({"turns": null}).to_string();
    back.send(reqwest::Method::PUT, &format!("{game}/notification-preferences"), Some(nothing), &[])
        .await
        .ok();
    post.advance(Duration::days(1));
    assert_eq!(post.digests().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_of_a_turn_that_was_taken_meanwhile_is_not_sent() {
    let post = Post::start().await;
    let (game, _) = pip_pip(&post.app).await;
    send_all(&post.worker).await;
    post.advance(Duration::hours(126));
    assert_eq!(playing::remind(&post.app.app.games).await.expect("reminders"), 1);
    move_on(&game, &post.app.log_in("ann").await).await;
    assert_eq!(post.kinds("ann").await, ["turn"]);
}
