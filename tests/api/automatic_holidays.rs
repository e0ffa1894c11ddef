//! Holidays that begin by themselves when a flag would fall.

use pippost::games::{audit, clocks, playing};
use serde_json::{Value, json};
use time::Duration;

use crate::verify::send;
use support::TestApp;

const AUTOMATIC: &str = "/api/v1/me/automatic-holiday";

/// A started game in which ann has the first turn: its path.
async fn start(app: &TestApp, control: Value) -> String {
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "time_control": control});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    game
}

async fn app_with_players(days: u16) -> TestApp {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    app.player("bob").await;
    assert_eq!(ann.get(AUTOMATIC).await.ok(), json!({"days": 0}));
    assert_eq!(ann.put(AUTOMATIC, &json!({"days": days})).await.ok(), json!({"days": days}));
    assert_eq!(ann.get(AUTOMATIC).await.ok(), json!({"days": days}));
    app
}

async fn fallen(app: &TestApp) -> usize {
    playing::let_flags_fall(&app.app.games).await.expect("a step")
}

async fn expect_sound(app: &TestApp, game: &str) {
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
    let record = app.stranger().get(&format!("{game}/record?with=clock")).await;
    let verdict = send(&app.stranger(), record.body.clone()).await.ok();
    assert_eq!(verdict["clock"]["times_recomputed"], true, "{verdict}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holiday_begins_at_the_flag_until_no_days_are_left() {
    let app = app_with_players(10).await;
    let game = start(&app, json!({"limit_hours": 24})).await;
    // 28 days of the budget: 10, 10 and 8. Each begins with the day of the flag, so the first ends on 1 December.
    let mut now = time::macros::datetime!(2026-11-22 12:00 UTC);
    for deadline in
        ["2026-12-02T00:00:00.000000Z", "2026-12-12T00:00:00.000000Z", "2026-12-20T00:00:00.000000Z"]
    {
        app.app.clock.set(now);
        assert_eq!(fallen(&app).await, 0);
        assert_eq!(app.stranger().get(&game).await.ok()["deadline_at"], deadline);
        now = pippost::record::Timestamp::parse(deadline).expect("a time").get();
    }
    let booked = app.log_in("ann").await.get("/api/v1/me/holidays").await.ok();
    assert_eq!(booked["holidays"][0]["first_day"], "2026-12-12", "the others have ended: {booked}");
    app.app.clock.set(now);
    assert_eq!(fallen(&app).await, 1, "no days are left");
    assert_eq!(app.stranger().get(&game).await.ok()["result"]["reason"], "timeout");
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_saves_a_late_move_too_and_holds_in_all_games_that_accept_holidays() {
    let app = app_with_players(2).await;
    let strict = start(&app, json!({"limit_hours": 24, "holidays": false})).await;
    let game = start(&app, json!({"limit_hours": 24})).await;
    let other = start(&app, json!({"limit_hours": 30})).await;
    app.app.clock.advance(Duration::hours(25));
    let ann = app.log_in("ann").await;
    // Before any worker has looked.
    let late = ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    assert_eq!(late["game"]["status"], "running", "{late}");
    ann.post(&format!("{strict}/moves"), &json!({"notation": "store"})).await.problem(409, "game_over");
    // The strict game has taken its own before its flag fell.
    assert_eq!(clocks::take_updates(&app.app.games).await.expect("a step"), 2);
    let deadline = ann.get(&other).await.ok()["deadline_at"].take();
    assert_eq!(deadline, "2026-11-24T05:00:00.000000Z", "five hours were left when the holiday came");
    app.app.clock.set(time::macros::datetime!(2026-11-24 05:00 UTC));
    assert_eq!(fallen(&app).await, 0, "another one begins");
    expect_sound(&app, &strict).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_saved_unasked_and_days_have_bounds() {
    let app = app_with_players(3).await;
    let ann = app.log_in("ann").await;
    ann.put(AUTOMATIC, &json!({"days": 29})).await.problem(422, "invalid_value");
    ann.put(AUTOMATIC, &json!({})).await.problem(422, "invalid_value");
    app.stranger().get(AUTOMATIC).await.problem(401, "unauthenticated");
    assert_eq!(ann.put(AUTOMATIC, &json!({"days": 0})).await.ok(), json!({"days": 0}));
    let game = start(&app, json!({"limit_hours": 24})).await;
    app.app.clock.advance(Duration::hours(24));
    assert_eq!(fallen(&app).await, 1);
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_holiday_saves_all_games_whose_flags_fall_at_once() {
    let app = app_with_players(2).await;
    let mut games = Vec::new();
    for _ in 0..8 {
        games.push(start(&app, json!({"limit_hours": 24})).await);
    }
    app.app.clock.advance(Duration::hours(24));
    assert_eq!(fallen(&app).await, 0);
    for game in &games {
        assert_eq!(app.stranger().get(game).await.ok()["deadline_at"], "2026-11-24T00:00:00.000000Z");
    }
    let booked = app.log_in("ann").await.get("/api/v1/me/holidays").await.ok();
    assert_eq!(booked["holidays"].as_array().map(Vec::len), Some(1), "{booked}");
    // The games take it once, though it was queued for all of them.
    clocks::take_updates(&app.app.games).await.expect("a step");
    let log = app.stranger().get(&format!("{}/record?with=clock", games[0])).await.text();
    assert_eq!(log.matches("\"type\":\"holiday\"").count(), 1, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holiday_that_was_booked_before_the_flag_fell_saves_though_no_worker_has_looked() {
    let app = app_with_players(0).await;
    let first = start(&app, json!({"limit_hours": 24})).await;
    let second = start(&app, json!({"limit_hours": 24})).await;
    let late = start(&app, json!({"limit_hours": 23})).await;
    app.app.clock.advance(Duration::hours(24) - Duration::seconds(2));
    let ann = app.log_in("ann").await;
    let today = json!({"first_day": "2026-11-22", "last_day": "2026-11-22"});
    ann.post("/api/v1/me/holidays", &today).await.expect_status(201);
    app.app.clock.advance(Duration::seconds(3));
    let moved = ann.post(&format!("{first}/moves"), &json!({"notation": "store"})).await.ok();
    assert_eq!(moved["game"]["deadline_at"], "2026-11-23T00:00:00.000000Z", "nothing is left then");
    assert_eq!(fallen(&app).await, 1, "the third had fallen before the holiday was booked");
    assert_eq!(app.stranger().get(&second).await.ok()["deadline_at"], "2026-11-23T00:00:00.000000Z");
    assert_eq!(app.stranger().get(&late).await.ok()["result"]["reason"], "timeout");
    expect_sound(&app, &late).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_saved_is_told_and_reminded_before_the_holiday_ends() {
    let app = app_with_players(3).await;
    let game = start(&app, json!({"limit_hours": 24})).await;
    let at = |text: &str| pippost::record::Timestamp::parse(text).expect("a time").get();
    for (now, told) in [
        ("2026-11-22T06:00:00.000000Z", 1),
        ("2026-11-22T12:00:00.000000Z", 2),
        ("2026-11-23T23:59:59.000000Z", 2),
        ("2026-11-24T00:00:00.000000Z", 3),
        ("2026-11-24T12:00:00.000000Z", 3),
    ] {
        app.app.clock.set(at(now));
        assert_eq!(fallen(&app).await, 0);
        playing::remind(&app.app.games).await.expect("a step");
        assert_eq!(
            app.db_count("select count(*) as number from notices where kind = 'reminder'").await,
            told,
            "{now}"
        );
    }
    assert_eq!(app.stranger().get(&game).await.ok()["deadline_at"], "2026-11-25T00:00:00.000000Z");
}
