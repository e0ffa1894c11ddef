//! Pauses by agreement, and gifts of time.

use pippost::games::{audit, playing};
use serde_json::{Value, json};
use time::Duration;

use crate::api::verify::send;
use crate::support::browsing::Browsing;
use crate::support::{Client, PASSWORD, TestApp};

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
    let record = app.guest().get(&format!("{game}/record?with=clock")).await;
    let verdict = send(&app.guest(), record.body.clone()).await.ok();
    assert_eq!(verdict["clock"]["times_recomputed"], true, "{verdict}");
}

async fn log_types(app: &TestApp, game: &str) -> Vec<String> {
    let text = app.guest().get(&format!("{game}/record?with=clock")).await.text();
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
    assert!(app.guest().get(&format!("{game}/clock")).await.ok()["pause_proposal"].is_null(), "players only");

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
    ann.post(&pause, &json!({})).await.problem(400, "malformed_body");
    ann.post(&pause, &json!({"until": null})).await.problem(409, "clock_refused");
    let until = json!({"until": "2026-11-22T12:00:00Z"});
    for who in [&ann, &bob] {
        ann.post(&pause, &until).await.ok();
        assert!(who.post(&format!("{pause}/decline"), &json!({})).await.ok()["pause_proposal"].is_null());
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
    let robot = app.guest().post("/api/v1/accounts", &robot).await.expect_status(201).json();
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
    assert_eq!(ann.post(&format!("{page}/pause/decline"), &[]).await.location(), page);
    let gift = [("to", "0"), ("hours", "24"), ("line", "1")];
    assert_eq!(bob.post(&format!("{page}/gift"), &gift).await.location(), page);
    let again = bob.post(&format!("{page}/gift"), &gift).await.expect(409).html;
    assert!(again.contains("That is not possible with this clock now."), "{again}");
    assert!(ann.get(&page).await.expect(200).html.contains("for this turn 3 days"));
    assert_eq!(log_types(&app, &game).await, ["start", "pause", "gift"]);
}
