//! Clocks when several things happen at once, and when their logs are full: starts, agreements and changes of calendars that race, changes
//! that moves keep out, and the line after the last.

use diesel_async::SimpleAsyncConnection;
use pippost::clock::log::MAX_LINES;
use pippost::games::{audit, clocks, playing};
use serde_json::{Value, json};
use time::Duration;

use support::{Client, TestApp, cluster};

/// Enough for each order of two requests to occur.
const ROUNDS: usize = 6;

fn night(from: &str) -> Value {
    json!({"zone": "Europe/Berlin", "night": {"from": from, "until": "07:00"}, "rest_days": []})
}

async fn created(player: &Client, wanted: &Value) -> String {
    let created = player.post("/api/v1/games", wanted).await.expect_status(201).json();
    format!("/api/v1/games/{}", created["id"].as_str().expect("an id"))
}

/// A started game of three that allows substitutes.
async fn of_three(players: &[Client]) -> String {
    let wanted = json!({
        "rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined", "limit_hours": 24, "substitutes": true,
    });
    let game = created(&players[0], &wanted).await;
    for player in &players[1..] {
        player.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    game
}

async fn three(app: &TestApp) -> [Client; 3] {
    [app.player("ann").await, app.player("bob").await, app.player("carol").await]
}

async fn lines(app: &TestApp, game: &str) -> Vec<Value> {
    let text = app.stranger().get(&format!("{game}/record?with=clock")).await.text();
    let lines = text.lines().filter(|line| line.starts_with("{\"at\":"));
    lines.map(|line| serde_json::from_str::<Value>(line).expect("a line")["change"].take()).collect()
}

async fn expect_no_findings(app: &TestApp) {
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
}

async fn take_updates(app: &TestApp) -> usize {
    clocks::take_updates(&app.app.games).await.expect("a step")
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_starts_that_race_one_starts_the_clock_and_no_change_of_a_calendar_is_lost() {
    let app = TestApp::start().await;
    let other = app.second().await;
    let [ann, bob, carol] = three(&app).await;
    let carol = carol.at(&other.url);
    for round in 0..ROUNDS {
        let wanted = json!({"rules": "pip-pip", "seating": "joined", "time_control": {"limit_hours": 24}});
        let game = created(&ann, &wanted).await;
        let (join, empty) = (format!("{game}/join"), json!({}));
        let calendar = night(&format!("2{}:{round}0", round % 3));
        let (one, two, changed) = futures_util::join!(
            bob.post(&join, &empty),
            carol.post(&join, &empty),
            ann.put("/api/v1/me/calendar", &calendar)
        );
        changed.ok();
        let statuses = [one.status.as_u16(), two.status.as_u16()];
        assert!(statuses == [200, 409] || statuses == [409, 200], "{statuses:?}");
        take_updates(&app).await;
        let lines = lines(&app, &game).await;
        let starts = lines.iter().filter(|change| change["type"] == "start").count();
        assert_eq!(starts, 1, "{lines:?}");
        // The calendar counts from the start, or from a line soon after it.
        let from_start = !lines[0]["calendars"][0].is_null();
        assert!(from_start || lines.iter().any(|change| change["type"] == "calendar"), "{lines:?}");
    }
    expect_no_findings(&app).await;
}

/// Each of these locks rows of players and of the game, so all must do it in the same order.
#[tokio::test(flavor = "multi_thread")]
async fn who_invites_joins_and_chooses_in_one_game_at_once_waits_for_nobody_who_waits() {
    let app = TestApp::start().await;
    let other = app.second().await;
    let [ann, bob, carol] = three(&app).await;
    let at_other = ann.at(&other.url);
    let (empty, words, preferences) = (json!({}), json!({"entropy": "chosen"}), json!({"turns": "none"}));
    for round in 0..ROUNDS {
        let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined"});
        let game = created(&ann, &wanted).await;
        let [invite, entropy, join, told] =
            ["invitations", "entropy", "join", "notification-preferences"].map(|end| format!("{game}/{end}"));
        let invitation = json!({"email": format!("stranger-{round}@example.org")});
        let calendar = night(&format!("2{}:00", round % 3));
        let (invited, chosen, joined, changed) = futures_util::join!(
            ann.post(&invite, &invitation),
            at_other.put(&entropy, &words),
            bob.post(&join, &empty),
            at_other.put("/api/v1/me/calendar", &calendar),
        );
        for answer in [invited, chosen, joined, changed] {
            assert!(answer.status.is_success(), "{}", answer.text());
        }
        carol.post(&join, &empty).await.ok();
        for _ in 0..ROUNDS {
            let (late, chosen) =
                futures_util::join!(at_other.put(&entropy, &words), ann.put(&told, &preferences));
            late.problem(409, "game_started");
            chosen.ok();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_agree_to_a_pause_at_once_make_one_line_of_it() {
    let app = TestApp::start().await;
    let other = app.second().await;
    let players = three(&app).await;
    let at_other = players[2].at(&other.url);
    for _ in 0..ROUNDS {
        let game = of_three(&players).await;
        let until = json!({"until": "2026-11-25T12:00:00Z"});
        players[0].post(&format!("{game}/pause"), &until).await.ok();
        let agree = format!("{game}/pause/agree");
        let (one, two) = futures_util::join!(players[1].post(&agree, &until), at_other.post(&agree, &until));
        one.ok();
        two.ok();
        let types: Vec<Value> =
            lines(&app, &game).await.into_iter().map(|mut one| one["type"].take()).collect();
        assert_eq!(types, ["start", "pause"]);
    }
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_moves_keep_out_waits_on_and_is_taken_later() {
    let app = TestApp::start().await;
    let [ann, bob, _] = three(&app).await;
    let game =
        created(&ann, &json!({"rules": "pip-pip", "seating": "joined", "time_control": {"limit_hours": 24}}))
            .await;
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    ann.put("/api/v1/me/calendar", &night("22:00")).await.ok();
    let mut superuser = app.db_superuser().await;
    // As if a move came first each time: no guard of a state holds.
    let keep_out = "create function keep_out() returns trigger language plpgsql as 'begin return null; end'; \
                    create trigger keep_out before update on game_states for each row execute function keep_out()";
    cluster::run_each(&mut superuser, keep_out).await.expect("a trigger");
    assert_eq!(take_updates(&app).await, 0);
    let waiting = "select count(*) as number from clock_updates";
    assert_eq!((app.db_count(waiting).await, lines(&app, &game).await.len()), (1, 1));
    let aside = "select count(*) as number from set_aside_games";
    assert_eq!(app.db_count(aside).await, 0, "the game is not at fault");
    superuser.batch_execute("drop trigger keep_out on game_states").await.expect("no trigger");
    assert_eq!(take_updates(&app).await, 1);
    assert_eq!((app.db_count(waiting).await, lines(&app, &game).await.len()), (0, 2));
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_last_line_of_a_clock_log_the_game_goes_on_without_further_lines() {
    let app = TestApp::start().await;
    let players = three(&app).await;
    let game = of_three(&players).await;
    // As if all lines but one had been written.
    app.db_superuser()
        .await
        .batch_execute(&format!(
            "update games set clock = replace(clock, '\"number\":0', '\"number\":{}'); \
             update game_states set edition = edition + 1",
            MAX_LINES - 2
        ))
        .await
        .expect("a game");
    let newest = "select max(number)::bigint as number from clock_lines";
    players[0].put("/api/v1/me/calendar", &night("22:00")).await.ok();
    assert_eq!(take_updates(&app).await, 1);
    assert_eq!(app.db_count(newest).await, i64::from(MAX_LINES - 1), "the last line");
    players[0].put("/api/v1/me/calendar", &night("23:00")).await.ok();
    take_updates(&app).await;
    assert_eq!(app.db_count(newest).await, i64::from(MAX_LINES - 1), "no line stands after it");
    assert_eq!(app.db_count("select count(*) as number from clock_updates").await, 0);
    players[0].post(&format!("{game}/offer"), &json!({})).await.problem(409, "clock_refused");
    let pause = json!({"until": "2026-11-25T12:00:00Z"});
    players[0].post(&format!("{game}/pause"), &pause).await.ok();
    players[1].post(&format!("{game}/pause/agree"), &pause).await.ok();
    players[2].post(&format!("{game}/pause/agree"), &pause).await.problem(409, "clock_refused");
    // There is no room for the offer of a seat either, so its flag falls as elsewhere.
    app.app.clock.advance(Duration::hours(24));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
    assert_eq!(app.stranger().get(&game).await.ok()["status"], "running");
}
