//! How reliable players are: counted once when a public game is over, shown before one sits down, and recomputed by `pippost stats`
//! from the records.

use std::process::{Command, Output};

use diesel_async::SimpleAsyncConnection;
use pippost::games::{audit, playing, reliability};
use pippost::store::reliability::UNCOUNTED;
use serde_json::{Value, json};
use time::Duration;

use crate::calendars::pass_the_turn;
use support::browsing::Browsing;
use support::db::plan;
use support::db::{MANY, db_games};
use support::games::play_to_the_end;
use support::games::timed_game;
use support::{Client, TestApp};

/// Night from 22:00 to 7:00 in Berlin: at the start of a test it is 13:00 there.
fn night() -> Value {
    json!({"zone": "Europe/Berlin", "night": {"from": "22:00", "until": "07:00"}, "rest_days": []})
}

async fn count(app: &TestApp) -> usize {
    reliability::count_ended(&app.app.games).await.expect("a step")
}

async fn figures(app: &TestApp, handle: &str) -> Value {
    app.stranger().get(&format!("/api/v1/players/{handle}")).await.ok()["reliability"].take()
}

/// The figures with these games and times.
fn counted([finished, left, timed_out]: [i32; 3], answers: i32, seconds: Option<[i32; 2]>) -> Value {
    json!({
        "games_finished": finished, "games_left": left, "games_timed_out": timed_out, "games_aborted": 0, "answers": answers,
        "median_seconds": seconds.map(|[median, _]| median),
        "percentile_90_seconds": seconds.map(|[_, most]| most),
    })
}

/// A game in which ann answers after 2 hours and then after 5 that count, and bob after 5 and then resigns.
async fn known_game(app: &TestApp, players: [&Client; 2], control: &Value) -> String {
    let game = timed_game(players, control).await;
    pass_the_turn(app, &game, 0, Duration::hours(2)).await;
    pass_the_turn(app, &game, 1, Duration::hours(5)).await;
    // From 20:00 to 10:00 of the next day.
    pass_the_turn(app, &game, 0, Duration::hours(14)).await;
    app.app.clock.advance(Duration::hours(1));
    app.log_in("bob").await.post(&format!("{game}/resign"), &json!({})).await.ok();
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_counts_once_with_the_time_that_its_clock_counted() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    assert_eq!(figures(&app, "ann").await, counted([0; 3], 0, None), "a newcomer has none");
    ann.put("/api/v1/me/calendar", &night()).await.ok();
    known_game(&app, [&ann, &bob], &json!({"limit_hours": 72})).await;
    assert_eq!(figures(&app, "ann").await, counted([0; 3], 0, None), "it has not been counted yet");
    let other = app.second().await;
    let (one, two) = futures_util::join!(count(&app), count(&other));
    assert_eq!(one + two, 1, "of two servers one counts it");
    assert_eq!(figures(&app, "ann").await, counted([1, 0, 0], 2, Some([2 * 3600, 5 * 3600])));
    // To resign is no answer, and leaves nobody alone where it ends the game.
    assert_eq!(figures(&app, "bob").await, counted([1, 0, 0], 1, Some([5 * 3600; 2])));
    assert_eq!(count(&app).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_tell_nothing_of_private_games_and_of_games_that_run_and_aborts_of_who_did_it() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "private": true, "limit_hours": 24});
    let private = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let path = format!("/api/v1/games/{}", private["id"].as_str().expect("an id"));
    bob.post(&format!("{path}/join"), &json!({"invitation": private["invitation"]})).await.ok();
    let aborted = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    bob.post(&format!("{aborted}/abort"), &json!({})).await.ok();
    let running = timed_game([&ann, &bob], &json!({"limit_hours": 200})).await;
    pass_the_turn(&app, &running, 0, Duration::hours(1)).await;
    // Without a limit no clock counts; the game itself does.
    let unlimited = timed_game([&app.log_in("ann").await, &app.log_in("bob").await], &json!({})).await;
    pass_the_turn(&app, &unlimited, 0, Duration::hours(1)).await;
    assert_eq!(count(&app).await, 1, "the aborted one, which counts for bob alone");
    app.app.clock.advance(Duration::hours(30));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1, "in the private game");
    assert_eq!(count(&app).await, 0);
    assert_eq!(figures(&app, "ann").await, counted([0; 3], 0, None));
    let aborter = |[finished, left, timed_out]: [i32; 3]| {
        let mut figures = counted([finished, left, timed_out], 0, None);
        figures["games_aborted"] = json!(1);
        figures
    };
    assert_eq!(figures(&app, "bob").await, aborter([0; 3]));
    app.log_in("bob").await.post(&format!("{unlimited}/resign"), &json!({})).await.ok();
    assert_eq!(count(&app).await, 1);
    assert_eq!(figures(&app, "ann").await, counted([1, 0, 0], 0, None));
    assert_eq!(figures(&app, "bob").await, aborter([1, 0, 0]));
}

/// Plays until `seat` is to act; each answer takes some hours.
async fn play_until(app: &TestApp, game: &str, seat: u64) {
    let mut asked: Option<(u64, Client)> = None;
    for step in 0..500 {
        let view = app.stranger().get(game).await.ok();
        let to_act = view["to_act"].as_u64().expect("the game goes on");
        if to_act == seat {
            return;
        }
        let player = match asked.take() {
            Some((before, player)) if before == to_act => player,
            _ => {
                app.app.clock.advance(Duration::minutes(17 * (step % 23)));
                app.log_in(["ann", "bob", "carol"][usize::try_from(to_act).expect("a seat")]).await
            }
        };
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = legal["actions"].as_array().expect("a list").last().expect("an action").clone();
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
        asked = Some((to_act, player));
    }
    panic!("nobody asks seat {seat}");
}

/// Three players, one of whom resigns while the others play on, and one of whom runs out of time.
async fn game_of_three(app: &TestApp) -> String {
    let ann = app.log_in("ann").await;
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined", "limit_hours": 24});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    for handle in ["bob", "carol"] {
        app.log_in(handle).await.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    play_until(app, &game, 2).await;
    app.app.clock.advance(Duration::hours(3));
    app.log_in("carol").await.post(&format!("{game}/resign"), &json!({})).await.ok();
    play_until(app, &game, 0).await;
    play_until(app, &game, 1).await;
    app.app.clock.advance(Duration::hours(100));
    assert!(playing::let_flags_fall(&app.app.games).await.expect("a step") > 0);
    game
}

fn stats(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
    command.arg("stats").args(arguments).output().expect("an exit")
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_and_stats_agree_on_whole_games_and_a_forged_one_counts_for_nobody() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    app.player("carol").await;
    ann.put("/api/v1/me/calendar", &night()).await.ok();
    let bank = json!({"limit_hours": 6, "bank": {"start_hours": 100, "gain_hours": 1, "cap_hours": 110}});
    let known = known_game(&app, [&ann, &bob], &bank).await;
    let of_three = game_of_three(&app).await;
    let players = [app.log_in("ann").await, app.log_in("bob").await];
    let whole = timed_game([&players[0], &players[1]], &json!({"limit_hours": 30})).await;
    for round in 0..4 {
        pass_the_turn(&app, &whole, round % 2, Duration::minutes(701)).await;
    }
    play_to_the_end(&whole, &[app.log_in("ann").await, app.log_in("bob").await]).await;
    let aborted =
        timed_game([&app.log_in("ann").await, &app.log_in("bob").await], &json!({"limit_hours": 30})).await;
    app.log_in("bob").await.post(&format!("{aborted}/abort"), &json!({})).await.ok();
    assert_eq!(count(&app).await, 4);

    let folder = tempfile::tempdir().expect("a folder");
    let mut paths = Vec::new();
    for (name, game) in [("known", &known), ("three", &of_three), ("whole", &whole), ("aborted", &aborted)] {
        let record = app.stranger().get(&format!("{game}/record?with=clock")).await;
        let path = folder.path().join(name);
        std::fs::write(&path, &record.body).expect("a file");
        paths.push(path.to_str().expect("a path").to_owned());
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let output = stats(&[&["--json"], paths.as_slice()].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let told = lines(&output);
    for handle in ["ann", "bob", "carol"] {
        let line =
            told.iter().find(|line| line["player"] == handle).unwrap_or_else(|| panic!("{handle}: {told:?}"));
        assert_eq!(figures(&app, handle).await, line["reliability"], "{handle}");
    }
    let carol = figures(&app, "carol").await;
    assert_eq!((&carol["games_left"], &carol["games_finished"]), (&json!(1), &json!(0)));
    let bob = figures(&app, "bob").await;
    assert_eq!((&bob["games_timed_out"], &bob["games_finished"]), (&json!(1), &json!(2)));
    assert_eq!(bob["games_aborted"], 1);
    assert!(bob["answers"].as_i64() > Some(5), "{bob}");
    let read = String::from_utf8(stats(&paths).stdout).expect("text");
    assert!(read.contains("\ncarol: 0 finished, 1 left, 0 timed out, 0 aborted; "), "{read}");

    // The same game twice counts once; a forged one does not, and without its clock log none does.
    let text = std::fs::read_to_string(paths[0]).expect("a record");
    let forged = folder.path().join("forged");
    std::fs::write(&forged, text.replacen("\"limit_hours\":6", "\"limit_hours\":7", 1)).expect("a file");
    let bare = folder.path().join("bare");
    std::fs::write(&bare, text.split("{\"at\":").next().expect("a record")).expect("a file");
    let [forged, bare] = [&forged, &bare].map(|path| path.to_str().expect("a path"));
    let output = stats(&["--json", paths[0], paths[0], forged, bare]);
    assert_eq!(output.status.code(), Some(1));
    let told = lines(&output);
    let not: Vec<_> = told.iter().filter_map(|line| line["not_counted"].as_str()).collect();
    assert_eq!(not[0], "its game is counted already");
    assert!(not[1].starts_with("the clock log is refused: clock line 0"), "{not:?}");
    assert_eq!(not[2], "there is no clock log");
    let once = told.iter().find(|line| line["player"] == "ann").expect("ann");
    assert_eq!(once["reliability"], counted([1, 0, 0], 2, Some([2 * 3600, 5 * 3600])));

    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_thinks_of_sitting_down_reads_how_reliable_the_others_are() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    ann.put("/api/v1/me/calendar", &night()).await.ok();
    known_game(&app, [&ann, &bob], &json!({"limit_hours": 72})).await;
    let open = app.log_in("ann").await.post("/api/v1/games", &json!({"rules": "pip-pip"})).await;
    let id = open.expect_status(201).json()["id"].as_str().expect("an id").to_owned();
    let visitor = Browsing::of(&app);
    for page in ["/games", &format!("/games/{id}"), "/players/ann"] {
        assert!(visitor.get(page).await.expect(200).html.contains("no games yet"), "{page}");
    }
    count(&app).await;
    for page in ["/games", &format!("/games/{id}"), "/players/ann"] {
        let html = visitor.get(page).await.expect(200).html;
        assert!(html.contains("answers in 2 hours; 1 finished"), "{page}: {html}");
    }
    let german = Browsing::of(&app).reading("de").get("/players/ann").await.expect(200).html;
    assert!(german.contains("antwortet in 2 Stunden; 1 beendet"), "{german}");
    let listed = app.stranger().get("/api/v1/games?list=open").await.ok();
    assert_eq!(listed["games"][0]["players"][0]["reliability"], figures(&app, "ann").await);
    let finished = app.stranger().get("/api/v1/games?list=finished").await.ok();
    assert_eq!(finished["games"][0]["players"][0]["reliability"], json!(null), "only before the start");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_newest_hundred_games_are_kept() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let mut connection = app.app.database.get().await.expect("a connection");
    let older = "insert into player_outcomes (player_id, game_id, ended_at, outcome, answers_seconds) \
         select id, gen_random_uuid(), '2020-01-01'::timestamptz + i * interval '1 day', \
         case when i = 1 then 'timed_out' else 'finished' end, '{60}' from players, generate_series(1, 100) i";
    connection.batch_execute(older).await.expect("rows");
    known_game(&app, [&ann, &bob], &json!({"limit_hours": 72})).await;
    assert_eq!(count(&app).await, 1);
    // The oldest, in which time ran out, is forgotten.
    assert_eq!(figures(&app, "ann").await, counted([100, 0, 0], 101, Some([60; 2])));
    let kept: i64 = diesel_async::RunQueryDsl::get_result(
        diesel::QueryDsl::count(pippost::store::schema::player_outcomes::table),
        &mut connection,
    )
    .await
    .expect("a number");
    assert_eq!(kept, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_and_games_to_count_are_found_by_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection
        .batch_execute(
            "update games set status = 'finished', finished_at = now(), reliability_counted = right(id::text, 2) <> '07'; \
             insert into players (id, handle, email, email_key, password_hash, created_at) \
             select gen_random_uuid(), 'q' || i || 'x', '', i || '@example.net', '', now() from generate_series(1, 5000) i; \
             insert into player_reliability (player_id) select id from players; \
             insert into player_outcomes (player_id, game_id, ended_at, outcome, answers_seconds) \
             select p.id, gen_random_uuid(), now(), 'finished', '{1}' from players p, generate_series(1, 3); analyze",
        )
        .await
        .expect("rows");
    let uncounted = UNCOUNTED.replace("$1", "now()").replace("$2", "20");
    let player = "'00000000-0000-0000-0000-000000000007'::uuid";
    for (statement, index) in [
        (uncounted, "games_uncounted"),
        (format!("select game_id from player_outcomes where player_id = {player}"), "player_outcomes_pkey"),
        (
            "select p.handle, r.answers from player_reliability r join players p on p.id = r.player_id \
             where lower(p.handle collate \"C\") = any(array['q7x', 'q8x', 'q9x'])"
                .to_owned(),
            "player_reliability_pkey",
        ),
    ] {
        let plan = plan(&mut connection, &statement).await;
        assert!(plan.contains(index), "{index} is not used:\n{plan}");
        let tables = ["games g", "player_outcomes", "player_reliability", "players"];
        assert!(!tables.iter().any(|table| plan.contains(&format!("Seq Scan on {table}"))), "{plan}");
    }
}
