//! Pauses by agreement, and gifts of time.

use pippost::accounts::{AccountLimits, PlayerLimits};
use pippost::games::{audit, clocks, playing};
use serde_json::{Value, json};
use time::Duration;

use crate::verify::send;
use support::browsing::Browsing;
use support::{Client, PASSWORD, TestApp};

/// A started game of ann, who has the first turn, and bob: its path, and the players.
async fn start(app: &TestApp, control: Value) -> (String, [Client; 2]) {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "time_control": control});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    (game, [ann, bob])
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

async fn log_types(app: &TestApp, game: &str) -> Vec<String> {
    let text = app.stranger().get(&format!("{game}/record?with=clock")).await.text();
    let lines = text.lines().filter(|line| line.starts_with("{\"at\":"));
    let read = |line: &str| serde_json::from_str::<Value>(line).expect("a line");
    lines.map(|line| read(line)["change"]["type"].as_str().expect("a type").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_holds_once_both_have_agreed_and_ends_earlier_if_both_want_it() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = start(&app, json!({"limit_hours": 48})).await;
    let until = json!({"until": "2026-11-25T12:00:00Z"});
    let proposed = ann.post(&format!("{game}/pause"), &until).await.ok();
    let waiting = json!({"by": 0, "until": "2026-11-25T12:00:00.000000Z", "agreed": [0]});
    assert_eq!((&proposed["pause_proposal"], &proposed["stands_still"]), (&waiting, &Value::Null));
    assert_eq!(ann.post(&format!("{game}/pause"), &until).await.ok()["pause_proposal"], waiting, "once more");
    assert_eq!(bob.get(&format!("{game}/clock")).await.ok()["pause_proposal"], waiting);
    assert!(
        app.stranger().get(&format!("{game}/clock")).await.ok()["pause_proposal"].is_null(),
        "players only"
    );

    let other = json!({"until": "2026-11-26T12:00:00Z"});
    bob.post(&format!("{game}/pause"), &other).await.problem(409, "clock_refused");
    bob.post(&format!("{game}/pause/agree"), &other).await.problem(409, "clock_refused");
    let deadline = ann.get(&game).await.ok()["deadline_at"].take();
    assert_eq!(deadline, "2026-11-23T12:00:00.000000Z");
    let agreed = bob.post(&format!("{game}/pause/agree"), &until).await.ok();
    assert_eq!(agreed["pause_proposal"], Value::Null);
    assert_eq!(agreed["stands_still"], json!({"why": "pause", "until": "2026-11-25T12:00:00.000000Z"}));
    assert_eq!(agreed["deadline_at"], "2026-11-27T12:00:00.000000Z", "four days later");
    let view = ann.get(&game).await.ok();
    assert_eq!(view["clock"]["paused_until"], "2026-11-25T12:00:00.000000Z");
    ann.post(&format!("{game}/pause"), &until).await.problem(409, "clock_refused");
    ann.post(&format!("{game}/pause/agree"), &until).await.problem(409, "clock_refused");

    app.app.clock.advance(Duration::days(1));
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    let end = json!({"until": null});
    bob.post(&format!("{game}/pause"), &end).await.ok();
    bob.post(&format!("{game}/pause/agree"), &end).await.ok();
    assert!(
        !ann.get(&format!("{game}/clock")).await.ok()["stands_still"].is_null(),
        "bob alone ends nothing"
    );
    let ended = ann.post(&format!("{game}/pause/agree"), &end).await.ok();
    assert_eq!(
        (&ended["stands_still"], &ended["deadline_at"]),
        (&Value::Null, &json!("2026-11-24T12:00:00.000000Z"))
    );
    assert_eq!(log_types(&app, &game).await, ["start", "pause", "resume"]);
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_is_declined_or_taken_back_and_impossible_ones_are_refused() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = start(&app, json!({"limit_hours": 48})).await;
    let pause = format!("{game}/pause");
    for until in ["2026-11-21T12:00:00Z", "2026-11-21T11:00:00Z", "2027-02-21T12:00:00Z"] {
        ann.post(&pause, &json!({"until": until})).await.problem(409, "clock_refused");
    }
    ann.post(&pause, &json!({"until": "tomorrow"})).await.problem(422, "invalid_value");
    ann.post(&pause, &json!({})).await.problem(422, "invalid_value");
    ann.post(&pause, &json!({"until": null})).await.problem(409, "clock_refused");
    let until = json!({"until": "2026-11-22T12:00:00Z"});
    for who in [&ann, &bob] {
        ann.post(&pause, &until).await.ok();
        assert!(who.post(&format!("{pause}/decline"), &until).await.ok()["pause_proposal"].is_null());
        bob.post(&format!("{pause}/agree"), &until).await.problem(409, "clock_refused");
    }
    let cat = app.player("cat").await;
    cat.post(&pause, &until).await.problem(403, "not_in_game");
    // The flag falls while the proposal waits: too late.
    ann.post(&pause, &json!({"until": "2026-11-29T12:00:00Z"})).await.ok();
    app.app.clock.advance(Duration::hours(48));
    let bob = app.log_in("bob").await;
    bob.post(&format!("{pause}/agree"), &json!({"until": "2026-11-29T12:00:00Z"}))
        .await
        .problem(409, "clock_refused");
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
    assert_eq!(bob.get(&game).await.ok()["result"]["reason"], "timeout");
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn time_is_given_to_a_turn_or_a_bank_once_and_within_bounds() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = start(&app, json!({"limit_hours": 48})).await;
    let gift = |to: u8, hours: u32, line: u32| json!({"to": to, "hours": hours, "line": line});
    let gifts = format!("{game}/gifts");
    let given = bob.post(&gifts, &gift(0, 24, 0)).await.ok();
    assert_eq!((&given["deadline_at"], &given["line"]), (&json!("2026-11-24T12:00:00.000000Z"), &json!(1)));
    assert_eq!(given["left"]["limit_seconds"], 72 * 3600);
    bob.post(&gifts, &gift(0, 24, 0)).await.problem(409, "clock_refused");
    ann.post(&gifts, &gift(1, 24, 1)).await.problem(409, "clock_refused");
    for (to, hours) in [(1, 24), (2, 24), (255, 1)] {
        bob.post(&gifts, &gift(to, hours, 1)).await.problem(409, "clock_refused");
    }
    for hours in [0, 241] {
        bob.post(&gifts, &gift(0, hours, 1)).await.problem(422, "invalid_value");
    }
    let mut line = 1;
    while bob.post(&gifts, &gift(0, 240, line)).await.status == 200 {
        line += 1;
    }
    let left =
        bob.get(&format!("{game}/clock")).await.ok()["left"]["limit_seconds"].as_i64().expect("seconds");
    assert!((1200..=1440).contains(&(left / 3600)), "{left}");
    expect_sound(&app, &game).await;

    let app = TestApp::start().await;
    let bank = json!({"bank": {"start_hours": 10, "gain_hours": 2, "cap_hours": 11}});
    let (game, [_, bob]) = start(&app, bank).await;
    let gifts = format!("{game}/gifts");
    assert_eq!(
        bob.post(&gifts, &gift(0, 24, 0)).await.ok()["left"]["bank_seconds"],
        34 * 3600,
        "beyond the cap"
    );
    app.app.clock.advance(Duration::hours(34));
    app.log_in("bob").await.post(&gifts, &gift(0, 24, 1)).await.problem(409, "clock_refused");
    assert_eq!(log_types(&app, &game).await, ["start", "gift"]);
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_agree_with_everything_and_games_without_a_limit_need_no_pause() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = start(&app, json!({})).await;
    ann.post(&format!("{game}/pause"), &json!({"until": "2026-11-22T12:00:00Z"}))
        .await
        .problem(409, "clock_refused");
    let robot = json!({"handle": "robot", "email": "robot@example.org", "password": PASSWORD, "bot": true});
    let robot = app.stranger().post("/api/v1/accounts", &robot).await.expect_status(201).json();
    let bot = Client::new(&app.url, robot["access_token"].as_str().map(str::to_owned));
    let wanted = json!({"rules": "pip-pip", "limit_hours": 24});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bot.post(&format!("{game}/join"), &json!({})).await.ok();
    let paused = ann.post(&format!("{game}/pause"), &json!({"until": "2026-11-22T12:00:00Z"})).await.ok();
    assert_eq!(paused["stands_still"]["why"], "pause");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_game_shows_the_clock_and_takes_all_of_it_by_forms() {
    let app = TestApp::start().await;
    let (game, _) = start(&app, json!({"limit_hours": 48})).await;
    let page = game.replace("/api/v1", "");
    let (ann, bob) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let shown = ann.get(&page).await.expect(200).html;
    assert!(shown.contains("for this turn 2 days (used now)"), "{shown}");
    assert_eq!(ann.post(&format!("{page}/pause"), &[("days", "3")]).await.location(), page);
    let asked = bob.get(&page).await.expect(200).html;
    let words = "ann proposes to let all clocks stand still until Tuesday 24 November 2026, 12:00 UTC.";
    assert!(asked.contains(words), "{asked}");
    assert!(ann.get(&page).await.expect(200).html.contains("Take back"));
    let until = [("until", "2026-11-24T12:00:00.000000Z")];
    assert_eq!(bob.post(&format!("{page}/pause/agree"), &until).await.location(), page);
    let paused = bob.get(&page).await.expect(200).html;
    assert!(
        paused.contains("All clocks stand still until Tuesday 24 November 2026, 12:00 UTC: pause."),
        "{paused}"
    );
    assert_eq!(bob.post(&format!("{page}/pause"), &[("days", "0")]).await.location(), page);
    assert_eq!(ann.post(&format!("{page}/pause/decline"), &[("until", "")]).await.location(), page);
    let gift = [("to", "0"), ("hours", "24"), ("line", "1")];
    assert_eq!(bob.post(&format!("{page}/gift"), &gift).await.location(), page);
    let again = bob.post(&format!("{page}/gift"), &gift).await.expect(409).html;
    assert!(again.contains("That is not possible with this clock now."), "{again}");
    assert!(ann.get(&page).await.expect(200).html.contains("for this turn 3 days"));
    assert_eq!(log_types(&app, &game).await, ["start", "pause", "gift"]);
}

/// A started game of ann, bob and cat: its path, and the players by seat.
async fn start_for_three(app: &TestApp) -> (String, Vec<Client>) {
    let mut players = Vec::new();
    for handle in ["ann", "bob", "cat"] {
        players.push(app.player(handle).await);
    }
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined", "limit_hours": 48});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    for player in &players[1..] {
        player.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    (game, players)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_that_is_none_in_utc_is_refused_and_nothing_stumbles() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = start(&app, json!({"limit_hours": 48})).await;
    for until in ["9999-12-31T23:59:59-01:00", "0000-12-31T23:00:00Z", "0001-01-01T00:00:00+01:00"] {
        for path in ["pause", "pause/agree", "pause/decline"] {
            ann.post(&format!("{game}/{path}"), &json!({"until": until})).await.problem(422, "invalid_value");
        }
    }
    let page = game.replace("/api/v1", "");
    let browser = Browsing::log_in(&app, "ann").await;
    browser.get(&page).await.expect(200);
    for path in ["agree", "decline"] {
        let until = [("until", "9999-12-31T23:59:59-01:00")];
        browser.post(&format!("{page}/pause/{path}"), &until).await.expect(422);
    }
    let sandbox = TestApp::sandbox().await;
    let to = json!({"to": "9999-12-31T23:59:59-01:00"});
    sandbox.player("ann").await.post("/api/v1/sandbox/clock", &to).await.problem(422, "invalid_value");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_that_cannot_be_any_more_blocks_no_other_and_none_waits_longer_than_three_days() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = start(&app, json!({"limit_hours": 480})).await;
    let (pause, agree) = (format!("{game}/pause"), format!("{game}/pause/agree"));
    let tomorrow = json!({"until": "2026-11-22T12:00:00Z"});
    ann.post(&pause, &tomorrow).await.ok();
    bob.post(&agree, &tomorrow).await.ok();
    bob.post(&pause, &json!({"until": null})).await.ok();
    app.app.clock.advance(Duration::days(2));
    // The pause is over, so its end is of no use, and invisible.
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    assert!(ann.get(&format!("{game}/clock")).await.ok()["pause_proposal"].is_null());
    let later = json!({"until": "2026-12-08T12:00:00Z"});
    assert_eq!(ann.post(&pause, &later).await.ok()["pause_proposal"]["by"], 0);
    bob.post(&format!("{pause}/decline"), &json!({"until": "2026-12-09T12:00:00Z"}))
        .await
        .problem(409, "clock_refused");
    app.app.clock.advance(Duration::hours(72));
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    assert!(bob.get(&format!("{game}/clock")).await.ok()["pause_proposal"].is_null());
    bob.post(&agree, &later).await.problem(409, "clock_refused");
    bob.post(&pause, &later).await.ok();
    ann.post(&agree, &later).await.ok();
    bob.post(&format!("{pause}/decline"), &later).await.problem(409, "clock_refused");
    assert_eq!(log_types(&app, &game).await, ["start", "pause", "pause"]);
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_begins_when_the_last_who_has_not_agreed_leaves() {
    let app = TestApp::start().await;
    let (game, players) = start_for_three(&app).await;
    let until = json!({"until": "2026-11-25T12:00:00Z"});
    players[0].post(&format!("{game}/pause"), &until).await.ok();
    let waits = players[1].post(&format!("{game}/pause/agree"), &until).await.ok();
    assert!(waits["stands_still"].is_null(), "{waits}");
    players[2].post(&format!("{game}/resign"), &json!({})).await.ok();
    let clock = players[0].get(&format!("{game}/clock")).await.ok();
    assert_eq!(clock["stands_still"], json!({"why": "pause", "until": "2026-11-25T12:00:00.000000Z"}));
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_of_three_cannot_hold_the_third_up_by_gifts() {
    let app = TestApp::start().await;
    let (game, players) = start_for_three(&app).await;
    let to_act = players[0].get(&game).await.ok()["to_act"].as_u64().expect("a seat");
    let asked = usize::try_from(to_act).expect("a seat");
    let (one, other) = (&players[(asked + 1) % 3], &players[(asked + 2) % 3]);
    let gift = |hours: u32, line: u32| json!({"to": to_act, "hours": hours, "line": line});
    let gifts = format!("{game}/gifts");
    one.post(&gifts, &gift(25, 0)).await.problem(409, "clock_refused");
    one.post(&gifts, &gift(20, 0)).await.ok();
    other.post(&gifts, &gift(5, 1)).await.problem(409, "clock_refused");
    other.post(&gifts, &gift(4, 1)).await.ok();
    one.post(&gifts, &gift(1, 2)).await.problem(409, "clock_refused");
    assert_eq!(players[0].get(&game).await.ok()["deadline_at"], "2026-11-24T12:00:00.000000Z", "a day more");
    // Among two, only the giver is held up.
    other.post(&format!("{game}/resign"), &json!({})).await.ok();
    one.post(&gifts, &gift(48, 2)).await.ok();
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_has_used_most_of_its_time_can_be_given_as_much_again() {
    let app = TestApp::start().await;
    let (game, _) = start(&app, json!({"limit_hours": 1440})).await;
    app.app.clock.advance(Duration::hours(1439));
    let bob = app.log_in("bob").await;
    let gift = |hours: u32| json!({"to": 0, "hours": hours, "line": 0});
    bob.post(&format!("{game}/gifts"), &gift(240)).await.ok();
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    expect_sound(&app, &game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_given_time_is_reminded_again() {
    let app = TestApp::start().await;
    let (game, _) = start(&app, json!({"limit_hours": 48})).await;
    let reminders = "select count(*) as number from notices where kind = 'reminder'";
    app.app.clock.advance(Duration::hours(47));
    while playing::remind(&app.app.games).await.expect("a step") > 0 {}
    assert_eq!(app.db_count(reminders).await, 1);
    let bob = app.log_in("bob").await;
    bob.post(&format!("{game}/gifts"), &json!({"to": 0, "hours": 48, "line": 0})).await.ok();
    while playing::remind(&app.app.games).await.expect("a step") > 0 {}
    assert_eq!(app.db_count(reminders).await, 1, "half of the time is left again");
    app.app.clock.advance(Duration::hours(30));
    while playing::remind(&app.app.games).await.expect("a step") > 0 {}
    assert_eq!(app.db_count(reminders).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn proposals_in_one_game_mute_none_in_another_and_forms_count_like_requests() {
    let limits = AccountLimits { players: PlayerLimits::default(), ..AccountLimits::generous() };
    let app = TestApp::with_limits(limits).await;
    let (first, [ann, _]) = start(&app, json!({"limit_hours": 480})).await;
    let propose = async |game: &str, day: u32| {
        let until = json!({"until": format!("2026-11-{day}T12:00:00Z")});
        ann.post(&format!("{game}/pause"), &until).await.ok();
    };
    for day in 22..28 {
        propose(&first, day).await;
    }
    let told = "select count(*) as number from notices where kind = 'pause_proposed'";
    assert_eq!(app.db_count(told).await, 3);
    let wanted = json!({"rules": "pip-pip", "limit_hours": 48});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let second = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    app.log_in("bob").await.post(&format!("{second}/join"), &json!({})).await.ok();
    propose(&second, 23).await;
    assert_eq!(app.db_count(told).await, 4);

    let page = first.replace("/api/v1", "");
    let bob = Browsing::log_in(&app, "bob").await;
    bob.get(&page).await.expect(200);
    let mut refused = None;
    for _ in 0..100 {
        let answer = bob.post(&format!("{page}/pause/decline"), &[("until", "2026-12-24T12:00:00Z")]).await;
        if answer.status != 409 {
            refused = Some(answer.status);
            break;
        }
    }
    assert_eq!(refused.map(|status| status.as_u16()), Some(429));
}

#[tokio::test(flavor = "multi_thread")]
async fn however_often_a_game_is_paused_within_a_turn_it_can_be_played_on() {
    use pippost::games::{GameError, viewing};

    let app = TestApp::start().await;
    let (game, [ann, bob]) = start(&app, json!({"limit_hours": 480})).await;
    let (one, other) = {
        let id = game.rsplit('/').next().expect("an id").parse().expect("an id");
        let claim = async |client: &Client| {
            let me =
                client.get("/api/v1/me").await.ok()["id"].as_str().expect("an id").parse().expect("an id");
            viewing::claim_seat(&app.app.games, id, me).await.expect("a seat")
        };
        (claim(&ann).await, claim(&bob).await)
    };
    let until = Some(time::macros::datetime!(2026-11-25 12:00 UTC));
    let games = &app.app.games;
    let mut pauses = 0;
    let refused = loop {
        app.app.clock.advance(Duration::milliseconds(1));
        let pause = async |until| {
            clocks::propose_pause(games, &one, until).await?;
            clocks::agree_to_pause(games, &other, until).await
        };
        match pause(until).await {
            Ok(()) => pauses += 1,
            Err(refused) => break refused,
        }
        app.app.clock.advance(Duration::milliseconds(1));
        pause(None).await.expect("the end of a pause");
    };
    assert!(matches!(refused, GameError::ClockRefused(_)), "{refused}");
    assert_eq!(pauses, 128);
    // Down time has room even then, more outages than one change gives back, and those for which there is no room harm nothing.
    clocks::beat(games).await.expect("a heartbeat");
    for _ in 0..140 {
        app.app.clock.advance(Duration::minutes(2));
        clocks::beat(games).await.expect("a heartbeat");
    }
    let ann = app.log_in("ann").await;
    let moved = ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    assert_eq!(moved["game"]["status"], "running");
    expect_sound(&app, &game).await;
}
