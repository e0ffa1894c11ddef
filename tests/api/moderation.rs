//! Reports of players, what an operator does about them, and who may know of it.

use pippost::store::moderation::{self, ActKind, Decision, Verdict};
use pippost::store::{muted_players, players};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use support::games::pip_pip;
use support::{Client, TestApp};

const REPORTS: &str = "/api/v1/me/reports";

/// Says something at the table of a game; the message's id.
async fn said(client: &Client, game: &str, text: &str) -> Value {
    let said = client.post(&format!("{game}/messages"), &json!({"text": text})).await;
    said.expect_status(201).json()["id"].clone()
}

fn id_of(game: &str) -> &str {
    game.rsplit('/').next().expect("an id")
}

async fn player_id(app: &TestApp, handle: &str) -> Uuid {
    let found = players::player_by_handle(&app.app.database, handle).await.expect("an answer");
    found.expect("a player").id
}

/// An operator decides the oldest report; the act's id.
async fn decide(app: &TestApp, kind: ActKind, ends_at: Option<OffsetDateTime>) -> Uuid {
    let database = &app.app.database;
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let decision = Decision { kind, words: "Be kind.", ends_at };
    let act =
        moderation::decide(database, open.id, &decision, app.app.clock.now()).await.expect("a decision");
    act.expect("it was open")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_kept_as_it_was_reported_and_a_player_has_one_open_report_of_another() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let message = said(&bob, &game, "you are slow").await;
    let own = said(&ann, &game, "sorry").await;
    let report =
        json!({"game": id_of(&game), "message": message, "reason": "insult", "text": " Again.\u{202e} "});
    ann.post(REPORTS, &report).await.expect_status(204);
    let open = moderation::open_reports(&app.app.database, 9).await.expect("reports");
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].subject_id, player_id(&app, "bob").await);
    assert_eq!((open[0].evidence.as_deref(), open[0].text.as_str()), (Some("you are slow"), "Again."));
    assert_eq!(open[0].rules.as_deref(), Some("pip-pip"));

    ann.post(REPORTS, &report).await.problem(409, "report_refused");
    let of_profile = |handle: &str| json!({"handle": handle, "reason": "name"});
    ann.post(REPORTS, &of_profile("bob")).await.problem(409, "report_refused");
    ann.post(REPORTS, &of_profile("ANN")).await.problem(409, "report_refused");
    let mine = json!({"game": id_of(&game), "message": own, "reason": "spam"});
    ann.post(REPORTS, &mine).await.problem(409, "report_refused");
    ann.post(REPORTS, &of_profile("nobody")).await.problem(404, "not_found");
    ann.post(REPORTS, &json!({"reason": "other"})).await.problem(404, "not_found");
    for wrong in [
        json!({"handle": "bob"}),
        json!({"handle": "bob", "reason": "dislike"}),
        json!({"handle": "b b", "reason": "name"}),
        json!({"handle": "bob", "reason": "name", "text": "x".repeat(501)}),
        json!({"handle": "bob", "reason": "name", "seq": -1}),
    ] {
        ann.post(REPORTS, &wrong).await.problem(422, "invalid_value");
    }
    app.stranger().post(REPORTS, &of_profile("bob")).await.problem(401, "unauthenticated");

    decide(&app, ActKind::Dismissal, None).await;
    bob.post(&format!("{game}/messages"), &json!({"text": "still here"})).await.expect_status(201);
    ann.post(REPORTS, &of_profile("bob")).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_learns_by_a_report_of_a_game_or_a_message_that_is_not_theirs() {
    let app = TestApp::start().await;
    let (public, [ann, bob]) = pip_pip(&app).await;
    let eve = app.player("eve").await;
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let private = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let invitation = json!({"invitation": created["invitation"]});
    bob.post(&format!("{private}/join"), &invitation).await.ok();
    let secret = said(&bob, &private, "between us").await;
    let open = said(&bob, &public, "at the table").await;
    let of_message =
        |game: &str, message: &Value| json!({"game": id_of(game), "message": message, "reason": "insult"});
    let of_event = |game: &str, seq: u64, handle: &str| json!({"game": id_of(game), "seq": seq, "handle": handle, "reason": "cheating"});
    let unknown = Uuid::now_v7().to_string();
    let none = eve.post(REPORTS, &of_event(&unknown, 0, "bob")).await.problem(404, "not_found");
    for of_private in [of_event(&private, 0, "bob"), of_message(&private, &secret)] {
        let refused = eve.post(REPORTS, &of_private).await.problem(404, "not_found");
        assert_eq!(refused, none, "as of a game that does not exist");
    }
    eve.post(REPORTS, &of_message(&public, &open)).await.problem(403, "not_in_game");
    ann.post(REPORTS, &of_message(&public, &secret)).await.problem(404, "not_found");
    eve.post(REPORTS, &of_event(&public, 0, "eve")).await.problem(404, "not_found");
    eve.post(REPORTS, &of_event(&public, 99, "bob")).await.problem(404, "not_found");
    assert_eq!(app.db_count("select count(*) as number from reports").await, 0);
    eve.post(REPORTS, &of_event(&public, 0, "Bob")).await.expect_status(204);
    ann.post(REPORTS, &of_message(&private, &secret)).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_reports_ten_in_a_day_and_no_more() {
    let app = TestApp::start().await;
    let vandal = app.player("vandal").await;
    let of = |number: u32| json!({"handle": format!("player{number}"), "reason": "other"});
    for number in 0..12 {
        app.player(&format!("player{number}")).await;
    }
    for number in 0..10 {
        vandal.post(REPORTS, &of(number)).await.expect_status(204);
    }
    let refused = vandal.post(REPORTS, &of(10)).await.problem(429, "too_many_requests");
    assert_eq!((&refused["limit"], &refused["retry_after_seconds"]), (&json!("reports"), &json!(86_401)));
    app.app.clock.advance(Duration::hours(24));
    let vandal = app.log_in("vandal").await;
    vandal.post(REPORTS, &of(10)).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_muted_player_says_nothing_until_the_mute_ends_or_is_lifted_and_plays_on() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let path = format!("{game}/messages");
    let report = json!({"handle": "bob", "reason": "spam"});
    ann.post(REPORTS, &report).await.expect_status(204);
    let ends_at = app.app.clock.now() + Duration::hours(2);
    decide(&app, ActKind::Mute, Some(ends_at)).await;
    let refused = bob.post(&path, &json!({"text": "hello"})).await.problem(403, "muted");
    let detail = refused["detail"].as_str().expect("a detail");
    assert!(detail.starts_with("the operator has muted you until 2026-11-21T14:00:00"), "{detail}");
    said(&ann, &game, "the others go on").await;
    assert_eq!(bob.get(&path).await.ok()["messages"].as_array().map(Vec::len), Some(1), "he reads");
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    app.app.clock.advance(Duration::hours(2));
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    said(&bob, &game, "over").await;

    ann.post(REPORTS, &report).await.expect_status(204);
    let act = decide(&app, ActKind::Mute, None).await;
    app.app.clock.advance(Duration::days(400));
    let bob = app.log_in("bob").await;
    let refused = bob.post(&path, &json!({"text": "hello"})).await.problem(403, "muted");
    assert_eq!(refused["detail"], "the operator has muted you");
    let judge = async || {
        let now = app.app.clock.now();
        moderation::judge(&app.app.database, act, Verdict::Lifted, now).await.expect("a verdict")
    };
    assert!(judge().await && !judge().await, "once");
    said(&bob, &game, "thanks").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_a_muted_player_are_listed_for_all_but_the_one_who_mutes() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let path = format!("{game}/messages");
    said(&bob, &game, "one").await;
    said(&ann, &game, "two").await;
    app.app.accounts.mute_player(player_id(&app, "ann").await, "Bob").await.expect("muted");
    let texts = async |client: &Client| {
        let listed = client.get(&path).await.ok();
        let texts = listed["messages"].as_array().expect("a list").iter().map(|said| said["text"].clone());
        texts.collect::<Vec<_>>()
    };
    for number in 0..59 {
        said(&bob, &game, &format!("noise {number}")).await;
        if number == 0 {
            assert_eq!(texts(&ann).await, ["two"]);
        }
    }
    let page = ann.get(&format!("{path}?limit=1")).await.ok();
    assert_eq!(page["messages"][0]["text"], "two", "noise pushes nothing off the page");
    assert_eq!(texts(&bob).await.len(), 50, "nobody tells him");
    let mine = player_id(&app, "ann").await;
    let muted = muted_players::ids_of(&app.app.database, mine).await.expect("ids");
    app.app.accounts.unmute_player(mine, muted[0]).await.expect("unmuted");
    assert_eq!(texts(&ann).await.len(), 50);
}
