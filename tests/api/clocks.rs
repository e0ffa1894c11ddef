//! Deadlines that pass, whether or not players look at the game.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;
use pippost::record::verify;
use serde_json::json;
use time::Duration;

use pippost::games::{audit, playing};
use support::games::{pip_pip, pip_pip_again};
use support::sample::Sampler;
use support::{Client, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls_with_nobody_looking_once_whatever_the_number_of_workers() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let second = app.second().await;
    let view = ann.get(&game).await.ok();
    assert_eq!(view["deadline_at"], "2026-11-28T12:00:00.000000Z");
    app.app.clock.advance(Duration::days(7) - Duration::seconds(1));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    assert_eq!(ann.get(&game).await.ok()["time_left_seconds"], 1);
    app.app.clock.advance(Duration::seconds(1));
    second.app.clock.set(app.app.clock.now());
    let steps = [&app, &second, &app, &second].map(|server| playing::let_flags_fall(&server.app.games));
    let fallen = futures_util::future::join_all(steps).await;
    assert_eq!(fallen.into_iter().map(|fallen| fallen.expect("a step")).sum::<usize>(), 1);
    let view = bob.get(&game).await.ok();
    assert_eq!(view["result"], json!({"reason": "timeout", "places": [2, 1], "scores": [0, 0]}));
    let record = bob.get(&format!("{game}/record")).await;
    assert!(verify(&record.body).expect("a good record").proved);
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.problem(409, "game_over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_read_does_not_stop_the_clocks_of_others() {
    let app = TestApp::start().await;
    let (broken, [ann, bob]) = pip_pip(&app).await;
    pip_pip_again(&ann, &bob).await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let id = broken.rsplit('/').next().expect("an id");
    let spoil = format!(
        "update game_states set snapshot = '{{}}', deadline_at = '2026-11-21 13:00:00+00' where game_id = '{id}'"
    );
    assert_eq!(diesel::sql_query(spoil).execute(&mut connection).await.expect("a row"), 1);
    app.app.clock.advance(Duration::days(7));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_after_the_deadline_comes_too_late_also_before_any_worker_looks() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    app.app.clock.advance(Duration::days(7));
    let ann = app.log_in("ann").await;
    let problem =
        ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.problem(409, "game_over");
    assert_eq!(problem["game"]["result"]["reason"], "timeout");
    assert_eq!(problem["game"]["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_a_limit_never_times_out() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "limit_hours": null})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let view = bob.post(&format!("{game}/join"), &json!({})).await.ok();
    assert!(view["deadline_at"].is_null() && view["time_left_seconds"].is_null());
    app.app.clock.advance(Duration::days(4000));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    assert_eq!(playing::remind(&app.app.games).await.expect("a step"), 0);
}

/// A started game of Dominion for three, seated in joining order; its path, and the players by seat.
async fn dominion(app: &TestApp) -> (String, Vec<Client>) {
    let mut players = Vec::new();
    for handle in ["ann", "bob", "cat"] {
        players.push(app.player(handle).await);
    }
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined"});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    for player in &players[1..] {
        player.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    (game, players)
}

#[derive(QueryableByName, Debug, PartialEq)]
struct Reminder {
    #[diesel(sql_type = Text)]
    handle: String,
    #[diesel(sql_type = BigInt)]
    seq: i64,
}

async fn db_reminders(app: &TestApp) -> Vec<Reminder> {
    let mut superuser = app.db_superuser().await;
    let reminders = "select handle, seq from notices n join players p on p.id = n.player_id where kind = 'reminder' order by n.id";
    diesel::sql_query(reminders).load(&mut superuser).await.expect("notices")
}

/// Both servers have the game in memory, one sends a reminder, and then a seat that is not to act resigns at `at`.
async fn resign_after_the_reminder(app: &TestApp, at: &TestApp) {
    let (game, _) = dominion(app).await;
    app.app.clock.advance(Duration::days(5) + Duration::hours(7));
    at.app.clock.set(app.app.clock.now());
    let asked = app.stranger().get(&game).await.ok()["to_act"].as_u64().expect("a seat");
    let handles = ["ann", "bob", "cat"];
    let (asked, other) = (handles[usize::try_from(asked).expect("a seat")], handles[usize::from(asked == 0)]);
    let other = app.log_in(other).await.at(&at.url);
    other.get(&game).await.ok();
    let deadline = other.get(&game).await.ok()["deadline_at"].take();
    assert_eq!(playing::remind(&app.app.games).await.expect("a step"), 1);
    other.post(&format!("{game}/resign"), &json!({})).await.ok();
    for server in [app, at] {
        assert_eq!(
            playing::remind(&server.app.games).await.expect("a step"),
            0,
            "who was reminded is not again"
        );
    }
    assert_eq!(db_reminders(app).await, [Reminder { handle: asked.to_owned(), seq: 0 }]);
    assert_eq!(other.get(&game).await.ok()["deadline_at"], deadline, "the turn goes on as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_reminded_is_not_reminded_again_because_another_seat_resigns() {
    let app = TestApp::start().await;
    resign_after_the_reminder(&app, &app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nor_when_another_process_that_knows_the_game_from_before_takes_the_resignation() {
    let app = TestApp::start().await;
    let second = app.second().await;
    resign_after_the_reminder(&app, &second).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_reminded_is_not_reminded_again_because_the_lost_state_was_rebuilt() {
    let app = TestApp::start().await;
    let (game, _) = dominion(&app).await;
    app.app.clock.advance(Duration::days(5) + Duration::hours(7));
    assert_eq!(playing::remind(&app.app.games).await.expect("a step"), 1);
    let mut superuser = app.db_superuser().await;
    diesel::sql_query("delete from game_states").execute(&mut superuser).await.expect("the state is lost");
    let summary = audit::audit_all(&app.app.games, true, &mut |_| ()).await.expect("an audit");
    assert_eq!((summary.findings, summary.rebuilt), (1, 1));
    assert_eq!(playing::remind(&app.app.games).await.expect("a step"), 0);
    assert_eq!(app.stranger().get(&game).await.ok()["deadline_at"], "2026-11-28T12:00:00.000000Z");
    assert_eq!(db_reminders(&app).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_reminder_a_turn_whatever_is_done_at_two_servers() {
    for seed in 1..=2 {
        let app = TestApp::start().await;
        let second = app.second().await;
        let (game, _) = dominion(&app).await;
        let mut chance = Sampler::new(seed);
        let choices: Vec<_> = (0..40).map(|_| chance.below(24)).collect();
        let mut clients = Vec::new();
        for choice in choices {
            // Sessions end as the clock advances.
            if clients.is_empty() {
                for handle in ["ann", "bob", "cat"] {
                    clients.push(app.log_in(handle).await);
                }
            }
            let server = if choice % 2 == 0 { &app } else { &second };
            let view = clients[0].at(&server.url).get(&game).await.ok();
            let Some(asked) = view["to_act"].as_u64() else { break };
            let asked = usize::try_from(asked).expect("a seat");
            match choice / 2 {
                0..=5 => {
                    app.app.clock.advance(Duration::hours(30));
                    second.app.clock.set(app.app.clock.now());
                    clients.clear();
                }
                6..=8 => {
                    playing::remind(&server.app.games).await.expect("a step");
                }
                9 | 10 => {
                    let player = clients[asked].at(&server.url);
                    let legal = player.get(&format!("{game}/actions")).await.ok();
                    let action = chance.action(legal["actions"].as_array().expect("a list"));
                    // This may come too late.
                    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await;
                }
                _ => {
                    // A player who has left already is refused.
                    let player = clients[(asked + 1) % 3].at(&server.url);
                    player.post(&format!("{game}/resign"), &json!({})).await;
                }
            }
        }
        let events = app.stranger().get(&format!("{game}/events")).await.ok();
        let events = events["events"].as_array().expect("events").clone();
        let mut turns: Vec<(String, usize)> = Vec::new();
        for Reminder { handle, seq } in db_reminders(&app).await {
            let seat = ["ann", "bob", "cat"].iter().position(|name| *name == handle).expect("a player");
            let until = usize::try_from(seq).expect("a number");
            // The turn began with the player's last event, or with the event that gave the player the turn.
            let began = (0..=until).rev().find(|at| {
                let before = at.checked_sub(1).map(|before| &events[before]["to_act"]);
                events[*at]["seat"] == json!(seat) || before.is_none_or(|before| *before != json!(seat))
            });
            turns.push((handle, began.expect("event 0 begins one")));
        }
        let mut once = turns.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), turns.len(), "seed {seed}: {turns:?}");
    }
}
