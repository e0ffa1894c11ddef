//! Time controls, calendars and holidays as players meet them.

use futures_util::stream::{self, StreamExt};
use pippost::clock::log;
use pippost::games::{audit, clocks, playing};
use serde_json::{Value, json};
use time::Duration;

use crate::verify::send;
use support::games::{play_to_the_end, timed_game};
use support::sample::Sampler;
use support::samples::samples;
use support::{Client, TestApp, cluster};

/// Ten days, a day more with every turn, at most fifteen.
fn bank() -> Value {
    json!({"bank": {"start_hours": 240, "gain_hours": 24, "cap_hours": 360}})
}

/// The seat to act makes a move, after `wait`; the view after it.
async fn act(app: &TestApp, game: &str, wait: Duration) -> Value {
    app.app.clock.advance(wait);
    let view = app.stranger().get(game).await.ok();
    let handle = ["ann", "bob"][usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat")];
    let player = app.log_in(handle).await;
    let legal = player.get(&format!("{game}/actions")).await.ok();
    let action = legal["actions"].as_array().expect("a list").last().expect("an action").clone();
    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()["game"].take()
}

/// Acts until the turn has passed from `seat`.
pub async fn pass_the_turn(app: &TestApp, game: &str, seat: u64, wait: Duration) -> Value {
    let mut wait = wait;
    loop {
        let view = act(app, game, wait).await;
        if view["clock"]["turn"] != json!(seat) {
            return view;
        }
        wait = Duration::ZERO;
    }
}

async fn expect_no_findings(app: &TestApp) {
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_steps_of_a_turn_share_one_limit_and_an_answer_out_of_turn_has_its_own() {
    let app = TestApp::start().await;
    let mut chance = Sampler::new(7);
    let (mut steps, mut answers) = (0, 0);
    // The dice are drawn by the server: in a rare game nobody is asked out of turn. Each game has players of its own, because
    // a token does not outlive the time that many games take.
    for number in 0..10 {
        let players = [app.player(&format!("ann{number}")).await, app.player(&format!("bob{number}")).await];
        let (more_steps, more_answers) = play_a_while(&app, &players, &mut chance).await;
        steps += more_steps;
        answers += more_answers;
        if answers > 0 {
            break;
        }
    }
    assert!(steps > 20 && answers > 0, "{steps} steps, {answers} answers");
}

/// Plays a game for up to 150 steps and checks each deadline; returns how many steps of turns and answers out of turn there were.
async fn play_a_while(app: &TestApp, players: &[Client; 2], chance: &mut Sampler) -> (u32, u32) {
    let wanted = json!({"rules": "dominion", "seating": "joined", "limit_hours": 72});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let mut before = players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    let (mut steps, mut answers) = (0, 0);
    for _ in 0..150 {
        app.app.clock.advance(Duration::seconds(3));
        let Some(seat) = before["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let listed = legal["actions"].as_array().expect("a list");
        // Whoever can attack does: nobody is asked out of turn where nobody attacks.
        let attack = listed.iter().find(|action| action["type"] == "attack");
        let action = attack.cloned().unwrap_or_else(|| chance.action(listed));
        let after =
            player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()["game"].take();
        let asked = |view: &Value| (view["to_act"].clone(), view["clock"]["turn"].clone());
        if after["to_act"].is_null() {
            break;
        }
        if asked(&after) == asked(&before) {
            assert_eq!(after["deadline_at"], before["deadline_at"], "a step gives no new limit");
            steps += 1;
        } else if after["to_act"] != after["clock"]["turn"] {
            assert_eq!(
                after["time_left_seconds"],
                72 * 3600,
                "who is asked out of turn has a limit of their own"
            );
            answers += 1;
        } else if after["clock"]["turn"] == before["clock"]["turn"] {
            assert!(
                after["time_left_seconds"].as_i64() < Some(72 * 3600),
                "the turn goes on with what it had left"
            );
        } else {
            assert_eq!(after["time_left_seconds"], 72 * 3600, "a new turn has the whole limit");
        }
        before = after;
    }
    expect_no_findings(app).await;
    (steps, answers)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_is_used_and_grows_with_every_turn() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &bank()).await;
    let view = app.stranger().get(&game).await.ok();
    assert_eq!(view["deadline_at"], "2026-12-01T12:00:00.000000Z");
    assert_eq!(view["clock"]["banks_seconds"], json!([864_000, 864_000]));
    assert_eq!(view["clock"]["bank_from"], "2026-11-21T12:00:00.000000Z");
    let view = pass_the_turn(&app, &game, 0, Duration::days(3)).await;
    assert_eq!(view["clock"]["banks_seconds"], json!([691_200, 864_000]), "three days used, one gained");
    let view = pass_the_turn(&app, &game, 1, Duration::ZERO).await;
    assert_eq!(view["clock"]["banks_seconds"], json!([691_200, 950_400]));
    assert_eq!(view["deadline_at"], "2026-12-02T12:00:00.000000Z");
    let shown = app.stranger().get(&format!("{game}/clock")).await.ok();
    assert_eq!(shown["left"]["uses"], "bank");
    assert_eq!(shown["left"]["bank_seconds"], 691_200);
    app.app.clock.advance(Duration::days(8) - Duration::seconds(1));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    expect_no_findings(&app).await;
    app.app.clock.advance(Duration::seconds(1));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_waits_says_from_when_on() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24, "wait_hours": 48})).await;
    let view = app.stranger().get(&game).await.ok();
    assert_eq!(view["clock"]["wait_from"], "2026-11-22T12:00:00.000000Z");
    assert_eq!(view["deadline_at"], "2026-11-24T12:00:00.000000Z");
    pass_the_turn(&app, &game, 0, Duration::hours(34)).await;
    let view = pass_the_turn(&app, &game, 1, Duration::hours(1)).await;
    assert_eq!(view["time_left_seconds"], (24 + 38) * 3600, "the budget is for the whole game");
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn impossible_time_controls_are_refused_and_every_preset_is_possible() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let presets = app.stranger().get("/api/v1/time-controls").await.ok();
    for preset in presets["time_controls"].as_array().expect("a list") {
        let wanted = json!({"rules": "pip-pip", "time_control": preset["time_control"]});
        let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
        assert_eq!(created["time_control"], preset["time_control"]);
    }
    for control in [
        json!({"limit_hours": 0}),
        json!({"limit_hours": 1441}),
        json!({"bank": {"start_hours": 1441, "gain_hours": 0, "cap_hours": 9}}),
    ] {
        let wanted = json!({"rules": "pip-pip", "time_control": control});
        ann.unchecked().post("/api/v1/games", &wanted).await.problem(422, "invalid_value");
    }
    for control in [
        json!({"bank": {"start_hours": 10, "gain_hours": 0, "cap_hours": 9}}),
        json!({"bank": {"start_hours": 9, "gain_hours": 10, "cap_hours": 9}}),
        json!({"wait_hours": 1}),
    ] {
        let wanted = json!({"rules": "pip-pip", "time_control": control});
        let refused = ann.post("/api/v1/games", &wanted).await.problem(409, "time_control_not_possible");
        assert_eq!(refused["field"], "time_control");
    }
    // As JSON has it, 7.0 is a whole number.
    let set = ann.put("/api/v1/me/calendar", &json!({"zone": "UTC", "rest_days": [6, 7.0]})).await.ok();
    assert_eq!(set["rest_days"], json!([6, 7]));
    for night in [json!({"from": "07:30", "until": "07:00"}), json!({"from": "22:00", "until": "22:00"})] {
        let calendar = json!({"zone": "UTC", "night": night});
        ann.put("/api/v1/me/calendar", &calendar).await.problem(409, "calendar_refused");
    }
    for control in
        [json!([24]), json!({"limit": 24}), json!({"bank": [1, 2, 3]}), json!({"limit_hours": 1.5})]
    {
        let wanted = json!({"rules": "pip-pip", "time_control": control});
        ann.unchecked().post("/api/v1/games", &wanted).await.problem(422, "invalid_value");
    }
}

/// Nights from 22:00 to 07:00 and weekends in Berlin.
fn berlin() -> Value {
    json!({"zone": "Europe/Berlin", "night": {"from": "22:00", "until": "07:00"}, "rest_days": [6, 7]})
}

#[tokio::test(flavor = "multi_thread")]
async fn nights_and_weekends_do_not_count_and_only_their_player_sees_why() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    assert_eq!(ann.put("/api/v1/me/calendar", &berlin()).await.ok(), berlin());
    assert_eq!(ann.get("/api/v1/me/calendar").await.ok(), berlin());
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    // It is Saturday noon: her time begins on Monday at 7:00 in Berlin, and 15 hours of a day count.
    let view = app.stranger().get(&game).await.ok();
    assert_eq!(view["deadline_at"], "2026-11-24T15:00:00.000000Z");
    let own = ann.get(&format!("{game}/clock")).await.ok();
    assert_eq!(own["stands_still"], json!({"why": "rest_day", "until": "2026-11-23T06:00:00.000000Z"}));
    assert_eq!(own["left"]["limit_seconds"], 86_400);
    for other in [&bob, &app.stranger()] {
        let shown = other.get(&format!("{game}/clock")).await.ok();
        assert!(shown["stands_still"].is_null() && shown["left"].is_null(), "{shown}");
        assert_eq!(shown["deadline_at"], "2026-11-24T15:00:00.000000Z");
    }
    let record = bob.get(&format!("{game}/record?with=clock")).await.expect_status(200).text();
    for secret in ["Berlin", "22:00", "salt"] {
        assert!(!record.contains(secret), "{record}");
    }
    // A table may accept no calendars.
    let strict = json!({"limit_hours": 24, "nights": false, "rest_days": false});
    let view = app.stranger().get(&timed_game([&ann, &bob], &strict).await).await.ok();
    assert_eq!(view["deadline_at"], "2026-11-22T12:00:00.000000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_calendar_counts_from_the_next_turn_and_makes_no_time() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    ann.put("/api/v1/me/calendar", &berlin()).await.ok();
    assert_eq!(clocks::take_updates(&app.app.games).await.expect("a step"), 1);
    assert_eq!(clocks::take_updates(&app.app.games).await.expect("a step"), 0);
    let view = app.stranger().get(&game).await.ok();
    assert_eq!(view["deadline_at"], "2026-11-22T12:00:00.000000Z", "the running turn keeps its time");
    pass_the_turn(&app, &game, 0, Duration::hours(1)).await;
    let view = pass_the_turn(&app, &game, 1, Duration::hours(1)).await;
    assert_eq!(view["deadline_at"], "2026-11-24T15:00:00.000000Z");
    // Half a world away it is Monday: that counts from the turn after this one.
    let ann = app.log_in("ann").await;
    let elsewhere = json!({"zone": "Pacific/Auckland", "night": null, "rest_days": []});
    ann.put("/api/v1/me/calendar", &elsewhere).await.ok();
    clocks::take_updates(&app.app.games).await.expect("a step");
    assert_eq!(app.stranger().get(&game).await.ok()["deadline_at"], "2026-11-24T15:00:00.000000Z");
    expect_no_findings(&app).await;
    pass_the_turn(&app, &game, 0, Duration::hours(1)).await;
    let view = pass_the_turn(&app, &game, 1, Duration::hours(1)).await;
    assert_eq!(view["time_left_seconds"], 86_400);
    let changes: Vec<_> = (0..7)
        .map(|hour| json!({"zone": "UTC", "night": {"from": "20:00", "until": format!("0{hour}:30")}}))
        .collect();
    let ann = app.log_in("ann").await;
    let mut refused = 0;
    for change in changes {
        let answer = ann.put("/api/v1/me/calendar", &change).await;
        if answer.status == 409 {
            answer.problem(409, "calendar_refused");
            refused += 1;
        }
    }
    assert_eq!(refused, 2, "seven changes in a week, and two were made before");
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holiday_stops_the_running_clock_and_its_budget_is_kept() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    let booked = json!({"first_day": "2026-11-22", "last_day": "2026-12-01"});
    let holiday = ann.post("/api/v1/me/holidays", &booked).await.expect_status(201).json();
    assert_eq!(holiday["from"], "2026-11-22T00:00:00.000000Z");
    assert_eq!(clocks::take_updates(&app.app.games).await.expect("a step"), 1);
    let view = app.stranger().get(&game).await.ok();
    assert_eq!(view["deadline_at"], "2026-12-02T12:00:00.000000Z", "twelve hours before, twelve after");
    app.app.clock.advance(Duration::days(2));
    let own = app.log_in("ann").await.get(&format!("{game}/clock")).await.ok();
    assert_eq!(own["stands_still"]["why"], "holiday");
    assert_eq!(own["left"]["limit_seconds"], 12 * 3600);
    let bob = app.log_in("bob").await;
    assert!(bob.get(&format!("{game}/clock")).await.ok()["stands_still"].is_null());
    let ann = app.log_in("ann").await;
    let more = json!({"first_day": "2026-12-02", "last_day": "2026-12-20"});
    ann.post("/api/v1/me/holidays", &more).await.problem(409, "calendar_refused");
    // A game that starts meanwhile takes the rest of it.
    let view = app.stranger().get(&timed_game([&ann, &bob], &json!({"limit_hours": 24})).await).await.ok();
    assert_eq!(view["deadline_at"], "2026-12-03T00:00:00.000000Z");
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn record_and_clock_log_prove_every_time_and_receipts_name_the_log() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    ann.put("/api/v1/me/calendar", &berlin()).await.ok();
    let control = json!({"limit_hours": 6, "bank": {"start_hours": 100, "gain_hours": 1, "cap_hours": 110}});
    let game = timed_game([&ann, &bob], &control).await;
    for round in 0..6 {
        pass_the_turn(&app, &game, round % 2, Duration::hours(11)).await;
    }
    let bob = app.log_in("bob").await;
    let night =
        json!({"zone": "Asia/Kolkata", "night": {"from": "23:00", "until": "05:30"}, "rest_days": [7]});
    for calendar in [berlin(), night] {
        bob.put("/api/v1/me/calendar", &calendar).await.ok();
        assert_eq!(clocks::take_updates(&app.app.games).await.expect("a step"), 1);
    }
    let running = app.stranger().get(&format!("{game}/record?with=clock")).await;
    let verdict = send(&app.stranger(), running.body.clone()).await.ok();
    assert_eq!(verdict["verdict"], "accepted", "{verdict}");
    assert_eq!(verdict["clock"]["times_recomputed"], false);
    let players = [app.log_in("ann").await, app.log_in("bob").await];
    play_to_the_end(&game, &players).await;
    let whole = app.stranger().get(&format!("{game}/record?with=clock")).await;
    let verdict = send(&app.stranger(), whole.body.clone()).await.ok();
    assert_eq!(verdict["clock"]["times_recomputed"], true, "{verdict}");
    let (record, clock_log) = log::split(&whole.body);
    let alone = app.stranger().get(&format!("{game}/record")).await;
    assert_eq!(record, alone.body, "the record is the same with and without the clock log");
    let text = String::from_utf8(clock_log.expect("a clock log").to_vec()).expect("text");
    for (from, to, part) in [
        ("\"limit_hours\":6", "\"limit_hours\":7", "clock_line"),
        ("\"number\":1", "\"number\":2", "clock_line"),
        ("Europe/Berlin", "Europe/Paris", "clock_line"),
        ("\"from\":\"22:00\"", "\"from\":\"21:00\"", "clock_line"),
    ] {
        let forged = [record, text.replacen(from, to, 1).as_bytes()].concat();
        let verdict = send(&app.stranger(), forged).await.ok();
        assert_eq!(
            (&verdict["verdict"], &verdict["failure"]["part"]),
            (&json!("refused"), &json!(part)),
            "{from}"
        );
    }
    // Without its second line.
    let lines: Vec<&str> = text.lines().collect();
    let missing = [record, [&lines[..1], &lines[2..]].concat().join("\n").as_bytes(), b"\n"].concat();
    let verdict = send(&app.stranger(), missing).await.ok();
    assert_eq!(verdict["failure"]["line"], 1, "{verdict}");
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_binds_the_server_to_the_clock_log() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    let key = [("Idempotency-Key", "one")];
    let body = json!({"notation": "store"}).to_string();
    let path = format!("{game}/moves");
    let moved = ann.send(reqwest::Method::POST, &path, Some(body.clone()), &key).await;
    ann.put("/api/v1/me/calendar", &berlin()).await.ok();
    clocks::take_updates(&app.app.games).await.expect("a step");
    let again = ann.send(reqwest::Method::POST, &path, Some(body), &key).await;
    assert_eq!(
        moved.body, again.body,
        "a repeated request gets the same receipt, whatever the log says meanwhile"
    );
    let receipt = moved.ok()["receipts"][0].take();
    let checked = app.stranger().post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok();
    assert_eq!(checked["verdict"], "kept");
    let forge = "alter table clock_lines disable trigger user; \
                 update clock_lines set line = replace(line, '24', '25') where number = 0";
    cluster::run_each(&mut app.db_superuser().await, forge).await.expect("a forged line");
    let checked = app.stranger().post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok();
    assert_eq!(checked["verdict"], "contradicted", "{checked}");
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.part);
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert!(found.contains(&audit::Subject::Clock), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn down_time_of_the_server_is_given_back_before_any_flag_falls_and_any_move() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (first, second) = (
        timed_game([&ann, &bob], &json!({"limit_hours": 24})).await,
        timed_game([&ann, &bob], &bank()).await,
    );
    clocks::beat(&app.app.games).await.expect("a heartbeat");
    app.app.clock.advance(Duration::hours(30));
    for _ in 0..2 {
        clocks::beat(&app.app.games).await.expect("a heartbeat");
    }
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    assert_eq!(app.stranger().get(&first).await.ok()["deadline_at"], "2026-11-23T18:00:00.000000Z");
    // A move takes the time back first, too: nothing of the bank was used.
    let view = pass_the_turn(&app, &second, 0, Duration::ZERO).await;
    assert_eq!(view["clock"]["banks_seconds"], json!([950_400, 864_000]));
    assert_eq!(clocks::give_back(&app.app.games).await.expect("a step"), 0, "both have been given it");
    let third =
        timed_game([&app.log_in("ann").await, &app.log_in("bob").await], &json!({"limit_hours": 24})).await;
    assert_eq!(app.stranger().get(&third).await.ok()["deadline_at"], "2026-11-23T18:00:00.000000Z");
    assert_eq!(clocks::give_back(&app.app.games).await.expect("a step"), 0);
    let log = app.stranger().get(&format!("{first}/record?with=clock")).await.text();
    let down = r#""change":{"from":"2026-11-21T12:00:00.000000Z","type":"down","until":"2026-11-22T18:00:00.000000Z"}"#;
    assert!(log.contains(down), "{log}");
    expect_no_findings(&app).await;
    app.app.clock.advance(Duration::hours(24));
    let worked = "update heartbeat set at = at + interval '24 hours'";
    diesel_async::SimpleAsyncConnection::batch_execute(&mut app.db_superuser().await, worked)
        .await
        .expect("a heartbeat");
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 2);
    let whole = app.stranger().get(&format!("{first}/record?with=clock")).await;
    let verdict = send(&app.stranger(), whole.body.clone()).await.ok();
    assert_eq!(verdict["clock"]["times_recomputed"], true, "{verdict}");
}

/// Games in one race, and how many moves are under way at once.
const RACING: usize = 100;
const RACING_AT_ONCE: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn of_thousands_of_moves_that_race_with_a_fall_of_the_flag_each_ends_in_exactly_one_of_them() {
    let app = TestApp::start().await;
    let late = app.second_with_own_clock().await;
    for handle in ["ann", "bob"] {
        app.player(handle).await;
    }
    let (mut moved, mut fallen) = (0, 0);
    let mut games: Vec<String> = Vec::new();
    let an_hour = json!({"limit_hours": 1});
    let rounds = samples(3, 20);
    for round in 0..rounds {
        let players = [app.log_in("ann").await, app.log_in("bob").await];
        let players = players.map(|player| player.unchecked());
        while games.len() < RACING {
            let missing = RACING - games.len();
            let new = (0..missing.min(10)).map(|_| timed_game([&players[0], &players[1]], &an_hour));
            games.extend(futures_util::future::join_all(new).await);
        }
        let mut views: Vec<Value> = Vec::with_capacity(games.len());
        for game in &games {
            views.push(players[0].get(game).await.ok());
        }
        // One server is a microsecond before the first of these deadlines, the other at the last.
        let deadlines = views.iter().map(|view| {
            let text = view["deadline_at"].as_str().expect("a deadline");
            pippost::record::Timestamp::parse(text).expect("a time").get()
        });
        late.app.clock.set(deadlines.clone().max().expect("games"));
        app.app.clock.set(deadlines.min().expect("games") - Duration::MICROSECOND);
        let players = [app.log_in("ann").await, app.log_in("bob").await];
        let players = players.map(|player| player.unchecked());
        let mut moves = Vec::with_capacity(games.len());
        for (game, view) in games.iter().zip(&views) {
            let player = &players[usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat")];
            let legal = player.get(&format!("{game}/actions")).await.ok();
            // The last one ends the turn, whose steps share their deadline.
            let last =
                legal["actions"].as_array().and_then(|actions| actions.last()).expect("an action").clone();
            moves.push((player, format!("{game}/moves"), json!({"actions": [last]})));
        }
        let one_is_made = tokio::sync::Notify::new();
        let moves = moves.iter().map(async |(player, path, body)| {
            let answer = player.post(path, body).await;
            one_is_made.notify_one();
            answer
        });
        let fall = async {
            one_is_made.notified().await;
            playing::let_flags_fall(&late.app.games).await
        };
        let moves: Vec<_> = if round % 2 == 0 { moves.collect() } else { moves.rev().collect() };
        // All at once would be made before the first flag falls.
        let moves = stream::iter(moves).buffered(RACING_AT_ONCE).collect::<Vec<_>>();
        let (answers, fell) = futures_util::join!(moves, fall);
        let fell = fell.expect("a step");
        let accepted = answers.iter().filter(|answer| answer.status == 200).count();
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!(answer.json()["code"], "game_over");
        }
        assert_eq!(accepted + fell, RACING, "round {round}");
        (moved, fallen) = (moved + accepted, fallen + fell);
        let stranger = app.stranger().unchecked();
        let mut after = Vec::with_capacity(games.len());
        for game in &games {
            after.push(stranger.get(game).await);
        }
        let (mut going_on, mut played_to_the_end) = (Vec::new(), 0);
        for ((game, before), after) in games.iter().zip(&views).zip(after) {
            let after = after.ok();
            assert_eq!(after["seq"].as_u64(), before["seq"].as_u64().map(|seq| seq + 1), "one event");
            let reason = after["result"]["reason"].as_str();
            assert_eq!(reason.is_some(), after["status"] == "finished", "{after}");
            match reason {
                Some("timeout") => {}
                // A game whose player was in time in every round.
                Some(reason) => {
                    assert_eq!(reason, "play", "{after}");
                    played_to_the_end += 1;
                }
                None => going_on.push(game.clone()),
            }
        }
        assert_eq!(going_on.len() + played_to_the_end, accepted);
        games = going_on;
        // So that the next flags fall in the future of both.
        app.app.clock.set(late.app.clock.now());
    }
    assert_eq!(moved + fallen, RACING * rounds);
    assert!(moved > 0 && fallen > 0, "{moved} moves, {fallen} falls");
    println!("{moved} moves, {fallen} falls");
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_flag_falls_while_no_worker_works_and_none_before_the_outage_is_given_back() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (first, second) = (
        timed_game([&ann, &bob], &json!({"limit_hours": 24})).await,
        timed_game([&ann, &bob], &json!({"limit_hours": 24})).await,
    );
    let worker = app.second_with_own_clock().await;
    clocks::beat(&worker.app.games).await.expect("a heartbeat");
    app.app.clock.advance(Duration::hours(30));
    // This process has gone on while no worker worked, and knows of no outage.
    let store = json!({"notation": "store"});
    let ann = app.log_in("ann").await;
    ann.post(&format!("{first}/moves"), &store).await.problem(503, "unavailable");
    let step = playing::let_flags_fall(&app.app.games).await;
    assert!(matches!(step, Err(pippost::games::GameError::NoWorker)), "{step:?}");
    worker.app.clock.set(app.app.clock.now());
    clocks::beat(&worker.app.games).await.expect("a heartbeat");
    let moved = ann.post(&format!("{first}/moves"), &store).await.ok();
    assert_eq!(moved["game"]["deadline_at"], "2026-11-23T18:00:00.000000Z");
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    assert_eq!(app.stranger().get(&second).await.ok()["deadline_at"], "2026-11-23T18:00:00.000000Z");
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_waits_for_the_heartbeat_of_another_learns_of_the_outage_that_this_one_found() {
    use diesel_async::SimpleAsyncConnection;
    use pippost::store::outages;

    let app = TestApp::start().await;
    clocks::beat(&app.app.games).await.expect("a heartbeat");
    app.app.clock.advance(Duration::hours(1));
    let now = app.app.clock.now();
    let mut other = app.db_superuser().await;
    let found = "begin; insert into outages (from_at, until_at) select at, at + interval '1 hour' from heartbeat; \
                 update heartbeat set at = at + interval '1 hour'";
    other.batch_execute(found).await.expect("another worker's heartbeat");
    let database = app.app.database.clone();
    let waiting = tokio::spawn(async move { outages::beat(&database, now, clocks::MAX_HEARTBEAT_GAP).await });
    let blocked = "select count(*) as number from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    while app.db_count(blocked).await == 0 {
        tokio::task::yield_now().await;
    }
    other.batch_execute("commit").await.expect("the end of it");
    let newest = waiting.await.expect("no panic").expect("a heartbeat");
    assert_eq!((newest, app.db_count("select count(*) as number from outages").await), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_was_set_aside_is_so_no_more_once_its_changes_are_taken() {
    use pippost::store::set_aside::{self, Task};

    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    let id = game.rsplit('/').next().expect("an id").parse().expect("an id");
    let (database, now) = (&app.app.database, app.app.clock.now());
    set_aside::note(database, Task::Clock, id, "it failed", true, now).await.expect("a note");
    ann.put("/api/v1/me/calendar", &berlin()).await.ok();
    assert_eq!(clocks::take_updates(&app.app.games).await.expect("a step"), 1);
    assert_eq!(set_aside::list(database, None).await.expect("a list"), []);
    // While it is set aside, outages are not given back to it, and wait.
    set_aside::note(database, Task::Clock, id, "it failed", true, now).await.expect("a note");
    clocks::beat(&app.app.games).await.expect("a heartbeat");
    app.app.clock.advance(Duration::minutes(2));
    clocks::beat(&app.app.games).await.expect("a heartbeat");
    app.app.clock.set(now + Duration::seconds(30));
    assert_eq!(clocks::give_back(&app.app.games).await.expect("a step"), 0);
    app.app.clock.set(now + Duration::minutes(3));
    assert_eq!(clocks::give_back(&app.app.games).await.expect("a step"), 1);
    assert_eq!(set_aside::list(database, None).await.expect("a list"), []);
}
