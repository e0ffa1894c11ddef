//! Seats that are given up and taken by substitutes: offered by their players or because a flag fell, once, by the API and on pages, in
//! races, in the clock log, in the reliability of both players, and in private games.

use diesel_async::SimpleAsyncConnection;
use pippost::clock::log;
use pippost::games::{audit, playing, reliability, standing_orders};
use pippost::store::{Changes, turns};
use serde_json::{Value, json};
use time::Duration;

use support::TestApp;
use support::browsing::Browsing;

/// The players of the tables, by seat.
const TABLE: [&str; 3] = ["ann", "bob", "carol"];

/// A started game of three that allows substitutes.
async fn table(app: &TestApp, more: &Value) -> String {
    let mut wanted = json!({
        "rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined", "limit_hours": 24, "substitutes": true,
    });
    wanted.as_object_mut().expect("members").extend(more.as_object().expect("members").clone());
    let created = app.log_in("ann").await.post("/api/v1/games", &wanted).await.expect_status(201).json();
    assert_eq!(created["substitutes"], wanted["substitutes"]);
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    for handle in &TABLE[1..] {
        let join = json!({"invitation": created["invitation"]});
        app.log_in(handle).await.post(&format!("{game}/join"), &join).await.ok();
    }
    game
}

async fn players(app: &TestApp) {
    for handle in ["ann", "bob", "carol", "dave", "erin"] {
        app.player(handle).await;
    }
}

async fn fall(app: &TestApp) -> usize {
    playing::let_flags_fall(&app.app.games).await.expect("a step")
}

async fn take(app: &TestApp, game: &str, handle: &str, seat: u8) -> support::client::Answer {
    app.log_in(handle).await.post(&format!("{game}/substitute"), &json!({"seat": seat})).await
}

/// The seat to act makes one move, by the player of that name.
async fn act(app: &TestApp, game: &str, handle: &str) -> Value {
    let player = app.log_in(handle).await;
    let legal = player.get(&format!("{game}/actions")).await.ok();
    let action = legal["actions"].as_array().expect("a list").last().expect("an action").clone();
    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()["game"].take()
}

async fn expect_no_findings(app: &TestApp) {
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
}

/// The record of a game and the lines of its clock log.
async fn logged(app: &TestApp, game: &str) -> (Vec<u8>, Vec<String>) {
    let whole = app.stranger().get(&format!("{game}/record?with=clock")).await.body;
    let (record, lines) = log::split(&whole);
    let lines = String::from_utf8(lines.expect("a clock log").to_vec()).expect("text");
    (record.to_vec(), lines.lines().map(str::to_owned).collect())
}

fn verify(record: &[u8], lines: &[String]) -> Result<log::ClockVerified, log::ClockFailure> {
    log::verify(record, (lines.join("\n") + "\n").as_bytes()).expect("a good record").1
}

async fn counts(app: &TestApp, handle: &str) -> [i64; 4] {
    let figures = app.stranger().get(&format!("/api/v1/players/{handle}")).await.ok()["reliability"].take();
    ["games_finished", "games_left", "games_timed_out", "answers"]
        .map(|name| figures[name].as_i64().expect("a number"))
}

async fn told(app: &TestApp, kind: &str) -> i64 {
    app.db_count(&format!("select count(*) as number from notices where kind = '{kind}'")).await
}

async fn seats_offered(app: &TestApp) -> usize {
    let list = app.stranger().get("/api/v1/games?list=seats_offered").await.ok();
    list["games"].as_array().expect("a list").len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_whose_flag_fell_is_taken_and_played_on_with_a_whole_limit() {
    let app = TestApp::start().await;
    players(&app).await;
    let game = table(&app, &json!({})).await;
    app.app.clock.advance(Duration::hours(24));
    assert_eq!(fall(&app).await, 0, "the seat is offered, and not timed out");
    let view = app.stranger().get(&game).await.ok();
    assert_eq!(view["offered_seats"], json!([{"seat": 0, "vacant": true}]));
    assert_eq!((&view["to_act"], &view["deadline_at"]), (&json!(0), &json!("2026-11-25T12:00:00.000000Z")));
    assert_eq!((seats_offered(&app).await, told(&app, "seat_offered").await), (1, 3));
    let clock = app.stranger().get(&format!("{game}/clock")).await.ok();
    assert_eq!(clock["stands_still"]["why"], "vacancy");
    let ann = app.log_in("ann").await;
    assert_eq!(ann.get(&game).await.ok()["my_turn"], false, "nobody plays it");
    assert_eq!(ann.get(&format!("{game}/actions")).await.ok()["actions"], json!([]));
    let mine = |list: &str| format!("/api/v1/games?list={list}");
    assert_eq!(ann.get(&mine("my_turn")).await.ok()["games"], json!([]), "nor is it listed as hers to play");
    assert_eq!(ann.get(&mine("mine")).await.ok()["games"][0]["my_turn"], false, "she may still watch it");
    expect_no_findings(&app).await;
    for (path, body) in [("moves", json!({"notation": "pass"})), ("resign", json!({}))] {
        ann.post(&format!("{game}/{path}"), &body).await.problem(409, "seat_left");
    }
    take(&app, &game, "bob", 0).await.problem(409, "already_joined");
    take(&app, &game, "dave", 1).await.problem(409, "clock_refused");
    app.app.clock.advance(Duration::hours(71));
    let view = take(&app, &game, "dave", 0).await.ok();
    assert_eq!((&view["my_seat"], &view["offered_seats"]), (&json!(0), &json!([])));
    assert_eq!(
        (&view["players"][0]["handle"], &view["time_left_seconds"]),
        (&json!("dave"), &json!(24 * 3600))
    );
    assert_eq!((seats_offered(&app).await, told(&app, "seat_taken").await), (0, 2));
    let dave = app.log_in("dave").await;
    assert_eq!(dave.get(&mine("my_turn")).await.ok()["games"].as_array().map(Vec::len), Some(1));
    let ann = app.log_in("ann").await;
    assert!(ann.get(&game).await.ok()["my_seat"].is_null(), "a spectator now");
    ann.post(&format!("{game}/moves"), &json!({"notation": "pass"})).await.problem(403, "not_in_game");
    ann.get(&format!("{game}/actions")).await.problem(403, "not_in_game");
    ann.post(&format!("{game}/substitute"), &json!({"seat": 0})).await.problem(409, "already_joined");
    take(&app, &game, "erin", 0).await.problem(409, "clock_refused");
    expect_no_findings(&app).await;

    app.app.clock.advance(Duration::hours(2));
    let mut view = act(&app, &game, "dave").await;
    while view["clock"]["turn"] == 0 && view["to_act"] == 0 {
        view = act(&app, &game, "dave").await;
    }
    for handle in ["bob", "carol"] {
        app.log_in(handle).await.post(&format!("{game}/resign"), &json!({})).await.ok();
    }
    let marked = "select count(*) as number from games where seats_offered";
    assert_eq!(app.db_count(marked).await, 0, "no mark stays");
    let (record, lines) = logged(&app, &game).await;
    let verified = verify(&record, &lines).expect("a good clock log");
    assert!(verified.answers.iter().any(|answer| answer.by_substitute), "{:?}", verified.answers);
    assert!(String::from_utf8_lossy(&record).contains("\"name\":\"ann\""), "the record keeps the first name");
    expect_no_findings(&app).await;
    assert_eq!(reliability::count_ended(&app.app.games).await.expect("a step"), 1);
    assert_eq!((counts(&app, "ann").await, counts(&app, "dave").await), ([0, 0, 1, 0], [1, 0, 0, 1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn standing_orders_play_no_seat_that_waits_for_a_substitute_and_end_with_one() {
    let app = TestApp::start().await;
    players(&app).await;
    let game = table(&app, &json!({})).await;
    let path = format!("{game}/standing-orders");
    let ann = app.log_in("ann").await;
    ann.put(&path, &json!({"only_legal": true, "branches": [{"then": ["pass"]}]})).await.ok();
    app.app.clock.advance(Duration::hours(24));
    fall(&app).await;
    let carry_out = || standing_orders::carry_out(&app.app.games, &Changes::All);
    let seq = async || app.stranger().get(&game).await.ok()["seq"].take();
    carry_out().await.expect("orders");
    assert_eq!(seq().await, 0, "nobody plays the seat");
    take(&app, &game, "dave", 0).await.ok();
    carry_out().await.expect("orders");
    assert_eq!(seq().await, 0, "it is not hers any more");
    app.log_in("ann").await.get(&path).await.problem(403, "not_in_game");
    assert_eq!(app.log_in("dave").await.get(&path).await.ok()["is_active"], false);
    act(&app, &game, "dave").await;
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_nobody_takes_is_timed_out_and_offered_no_more() {
    let app = TestApp::start().await;
    players(&app).await;
    let game = table(&app, &json!({})).await;
    app.app.clock.advance(Duration::hours(25));
    // A late move finds the fallen flag before any worker does.
    app.log_in("ann")
        .await
        .post(&format!("{game}/moves"), &json!({"notation": "pass"}))
        .await
        .problem(409, "seat_left");
    assert_eq!(seats_offered(&app).await, 1);
    app.app.clock.advance(Duration::hours(72) - Duration::MICROSECOND);
    assert_eq!(fall(&app).await, 0);
    app.app.clock.advance(Duration::MICROSECOND);
    take(&app, &game, "dave", 0).await.problem(409, "clock_refused");
    assert_eq!(fall(&app).await, 1);
    let view = app.stranger().get(&game).await.ok();
    assert_eq!((&view["players"][0]["left"], &view["offered_seats"]), (&json!(true), &json!([])));
    assert_eq!((seats_offered(&app).await, &view["status"]), (0, &json!("running")));
    take(&app, &game, "dave", 0).await.problem(409, "clock_refused");
    // Two are left, so the next flag ends the game as elsewhere.
    app.app.clock.advance(Duration::hours(24));
    assert_eq!(fall(&app).await, 1);
    let (record, lines) = logged(&app, &game).await;
    verify(&record, &lines).expect("a good clock log");
    expect_no_findings(&app).await;
    reliability::count_ended(&app.app.games).await.expect("a step");
    assert_eq!(counts(&app, "ann").await[2], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_offers_the_own_seat_and_plays_on_until_it_is_taken_with_the_time_that_is_left() {
    let app = TestApp::start().await;
    players(&app).await;
    app.log_in("ann")
        .await
        .put(
            "/api/v1/me/calendar",
            &json!({"zone": "Europe/Berlin", "night": {"from": "22:00", "until": "07:00"}, "rest_days": []}),
        )
        .await
        .ok();
    let game = table(&app, &json!({})).await;
    app.app.clock.advance(Duration::hours(5));
    let view = app.log_in("ann").await.post(&format!("{game}/offer"), &json!({})).await.ok();
    assert_eq!(view["offered_seats"], json!([{"seat": 0, "vacant": false}]));
    let ann = app.log_in("ann").await;
    ann.post(&format!("{game}/offer"), &json!({})).await.problem(409, "clock_refused");
    assert_eq!((told(&app, "seat_offered").await, seats_offered(&app).await), (2, 1));
    assert_eq!(ann.get(&format!("{game}/actions")).await.ok()["my_turn"], true, "ann plays on");
    app.app.clock.advance(Duration::hours(1));
    let view = take(&app, &game, "dave", 0).await.ok();
    assert_eq!(view["time_left_seconds"], 18 * 3600, "ann's night does not count for dave");
    for handle in ["bob", "carol"] {
        app.log_in(handle).await.post(&format!("{game}/resign"), &json!({})).await.ok();
    }
    let (record, lines) = logged(&app, &game).await;
    verify(&record, &lines).expect("a good clock log");
    expect_no_findings(&app).await;
    reliability::count_ended(&app.app.games).await.expect("a step");
    assert_eq!((counts(&app, "ann").await[1], counts(&app, "dave").await[0]), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_line_about_a_substitute_is_named() {
    let app = TestApp::start().await;
    players(&app).await;
    let game = table(&app, &json!({})).await;
    app.app.clock.advance(Duration::hours(24));
    fall(&app).await;
    take(&app, &game, "dave", 0).await.ok();
    let (record, lines) = logged(&app, &game).await;
    assert_eq!(lines.len(), 3, "{lines:?}");
    verify(&record, &lines).expect("a good clock log");
    let forged = |number: usize, old: &str, new: &str| {
        let mut forged = lines.clone();
        assert!(forged[number].contains(old), "{}", forged[number]);
        forged[number] = forged[number].replacen(old, new, 1);
        verify(&record, &forged).expect_err("it is forged")
    };
    let named = |failure: log::ClockFailure| (failure.check, failure.place);
    let (form, chain) = (log::LogCheck::Form, log::LogCheck::Chain);
    assert_eq!(named(forged(2, "\"dave\"", "\"erin\"")), (chain, log::LogPlace::Line(2)));
    assert_eq!(named(forged(2, "\"seat\":0", "\"seat\":3")), (form, log::LogPlace::Line(2)));
    assert_eq!(named(forged(0, "pippost-clock/4", "pippost-clock/3")), (form, log::LogPlace::Line(1)));
    let without = [lines[0].clone(), lines[2].clone()];
    assert_eq!(verify(&record, &without).expect_err("a line is missing").check, form);
}

/// Of two who take a seat at once at two servers, one gets it; so a seat that is taken when its offer ends is taken or timed out.
#[tokio::test(flavor = "multi_thread")]
async fn of_several_who_take_a_seat_one_gets_it_and_a_fall_and_a_taker_do_not_both_win() {
    let app = TestApp::start().await;
    players(&app).await;
    let other = app.second_with_own_clock().await;
    let (mut games, count) = (Vec::new(), 10);
    for _ in 0..count {
        games.push(table(&app, &json!({})).await);
    }
    app.app.clock.advance(Duration::hours(24));
    fall(&app).await;
    other.app.clock.set(app.app.clock.now());
    let (dave, erin) = (app.log_in("dave").await, app.log_in("erin").await.at(&other.url));
    let body = json!({"seat": 0});
    for game in &games[..count / 2] {
        let path = format!("{game}/substitute");
        let (one, two) = futures_util::join!(dave.post(&path, &body), erin.post(&path, &body));
        let statuses = [one.status.as_u16(), two.status.as_u16()];
        let is_one = statuses == [200, 409] || statuses == [409, 200];
        assert!(is_one, "{statuses:?}: {} {}", one.text(), two.text());
    }
    app.app.clock.advance(Duration::hours(72) - Duration::MICROSECOND);
    other.app.clock.set(app.app.clock.now() + Duration::MICROSECOND);
    let dave = app.log_in("dave").await;
    let late = &games[count / 2..];
    let paths: Vec<String> = late.iter().map(|game| format!("{game}/substitute")).collect();
    let takes = futures_util::future::join_all(paths.iter().map(|path| dave.post(path, &body)));
    let (taken, fell) = futures_util::join!(takes, fall(&other));
    let (mut takers, mut timed_out) = (0, 0);
    for (game, answer) in late.iter().zip(taken) {
        let first = app.stranger().get(game).await.ok()["players"][0].take();
        let (left, won) = (first["left"] == true, answer.status == 200);
        let (_, lines) = logged(&app, game).await;
        let events = app.stranger().get(&format!("{game}/events")).await.text();
        let told = format!("{first}, {fell} fell, {}: {}\n{lines:?}\n{events}", answer.status, answer.text());
        assert_eq!((won, first["handle"] == "dave"), (!left, !left), "{told}");
        (takers, timed_out) = (takers + usize::from(won), timed_out + usize::from(left));
    }
    assert_eq!(takers + timed_out, late.len());
    app.app.clock.set(other.app.clock.now());
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_opens_to_those_who_are_invited_while_a_seat_is_offered() {
    let app = TestApp::start().await;
    players(&app).await;
    let game = table(&app, &json!({"private": true})).await;
    let ann = app.log_in("ann").await;
    assert!(ann.get(&game).await.ok()["invitation"].is_null());
    let invitation = ann.post(&format!("{game}/offer"), &json!({})).await.ok()["invitation"].take();
    let token = invitation.as_str().expect("an invitation");
    take(&app, &game, "dave", 0).await.problem(404, "not_found");
    app.stranger().get(&game).await.problem(404, "not_found");
    app.stranger().get(&format!("{game}?token={token}")).await.ok();
    assert_eq!(seats_offered(&app).await, 0, "no list shows it");
    let page = game.replace("/api/v1", "");
    let dave = Browsing::log_in(&app, "dave").await;
    assert!(dave.get(&format!("{page}?token={token}")).await.expect(200).html.contains("Take the seat"));
    dave.post(&format!("{page}/substitute"), &[("seat", "0"), ("token", token)]).await.expect(303);
    assert_eq!(app.log_in("dave").await.get(&game).await.ok()["my_seat"], 0);
    app.log_in("ann").await.get(&game).await.problem(404, "not_found");
    app.stranger().get(&format!("{game}?token={token}")).await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_show_who_offers_a_seat_and_take_it_without_scripts() {
    let app = TestApp::start().await;
    players(&app).await;
    let game = table(&app, &json!({})).await;
    let page = game.replace("/api/v1", "");
    let ann = Browsing::log_in(&app, "ann").await;
    assert!(ann.get(&page).await.expect(200).html.contains("Offer my seat"));
    ann.post(&format!("{page}/offer"), &[]).await.expect(303);
    assert!(ann.get(&page).await.expect(200).html.contains("ann offers the seat"));
    let dave = Browsing::log_in(&app, "dave").await;
    assert!(dave.get("/games?status=seats").await.expect(200).html.contains(&page));
    assert!(dave.get(&page).await.expect(200).html.contains("Take the seat"));
    dave.post(&format!("{page}/substitute"), &[("seat", "0")]).await.expect(303);
    let html = dave.get(&page).await.expect(200).html;
    assert!(html.contains("dave") && !html.contains("Take the seat"), "{html}");
    let german = Browsing::of(&app).reading("de").get("/games?status=seats").await.expect(200).html;
    assert!(german.contains("Freie Plätze"), "{german}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_seat_is_handed_over_where_the_table_does_not_allow_it() {
    let app = TestApp::start().await;
    players(&app).await;
    let two = json!({"rules": "pip-pip", "substitutes": true});
    app.log_in("ann").await.post("/api/v1/games", &two).await.problem(409, "substitutes_not_possible");
    let game = table(&app, &json!({"substitutes": false})).await;
    app.log_in("ann").await.post(&format!("{game}/offer"), &json!({})).await.problem(409, "clock_refused");
    let (_, lines) = logged(&app, &game).await;
    assert!(lines[0].contains("\"form\":\"pippost-clock/3\""), "{lines:?}");
    app.app.clock.advance(Duration::hours(24));
    assert_eq!(fall(&app).await, 1);
    let open = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "substitutes": true});
    let created = app.log_in("ann").await.post("/api/v1/games", &open).await.expect_status(201).json();
    let id = created["id"].as_str().expect("an id");
    take(&app, &format!("/api/v1/games/{id}"), "dave", 0).await.problem(409, "game_not_started");
    let view = app.stranger().get(&format!("/api/v1/games/{id}")).await.ok();
    assert_eq!(
        (&view["substitutes"], &view["players"][0]["reliability"]["games_finished"]),
        (&json!(true), &json!(0))
    );
    let html = Browsing::of(&app).get(&format!("/games/{id}")).await.expect(200).html;
    assert!(html.contains("substitutes may take over seats"), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_take_different_flags_until_they_release_them() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    connection
        .batch_execute(
            "insert into game_states (game_id, seq, head, at, snapshot, to_act_player, deadline_at) \
             select gen_random_uuid(), 1, '\\x00', now(), '', gen_random_uuid(), now() - i * interval '1 minute' \
             from generate_series(1, 300) i",
        )
        .await
        .expect("games");
    let second = app.second().await;
    let now = time::OffsetDateTime::now_utc();
    let one = turns::claim_flags(&app.app.database, now, 200).await.expect("a claim");
    let two = turns::claim_flags(&second.app.database, now, 200).await.expect("a claim");
    assert_eq!((one.game_ids.len(), two.game_ids.len()), (200, 100));
    assert!(two.game_ids.iter().all(|game| !one.game_ids.contains(game)), "no game is claimed twice");
    one.release().await.expect("an end");
    let three = turns::claim_flags(&second.app.database, now, 400).await.expect("a claim");
    assert_eq!(three.game_ids.len(), 200);
    drop(two);
    three.release().await.expect("an end");
}
