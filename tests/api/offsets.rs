//! The offsets of time zones: bound when a game takes a calendar, and exported as they were for ever.
//! Games that began in an older form go on in it.

use std::process::Command;

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use pippost::clock::Calendar;
use pippost::clock::game_clock::ClockConditions;
use pippost::clock::log::{self, Change, Line, Opening, commitment};
use pippost::clock::offsets::tzdata;
use pippost::games::{audit, clocks};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::calendars::pass_the_turn;
use crate::verify::send;
use support::TestApp;
use support::games::{play_to_the_end, timed_game};

fn casablanca() -> Value {
    json!({"zone": "Africa/Casablanca", "night": {"from": "13:00", "until": "22:00"}, "rest_days": [7]})
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    line: String,
    #[diesel(sql_type = Nullable<Text>)]
    openings: Option<String>,
}

#[derive(QueryableByName)]
struct Stored {
    #[diesel(sql_type = Text)]
    clock: String,
}

fn id_of(game: &str) -> Uuid {
    game.rsplit('/').next().expect("an id").parse().expect("an id")
}

/// The lines of a game's clock log with their openings.
async fn db_lines(app: &TestApp, game: &str) -> Vec<Row> {
    let lines =
        diesel::sql_query("select line, openings from clock_lines where game_id = $1 order by number");
    lines.bind::<SqlUuid, _>(id_of(game)).load(&mut app.db_superuser().await).await.expect("lines")
}

/// Lets the clock log of a game begin as an earlier server wrote it: in this form, with such calendars.
async fn db_begin_as(app: &TestApp, game: &str, form: &str, earlier: impl Fn(&mut Calendar)) {
    let (id, mut superuser) = (id_of(game), app.db_superuser().await);
    let first = db_lines(app, game).await.remove(0);
    let mut openings: Vec<Opening> =
        serde_json::from_str(&first.openings.expect("a calendar")).expect("openings");
    let line: Line = serde_json::from_str(&first.line).expect("a line");
    let clock = diesel::sql_query("select clock from games where id = $1");
    let clock: Stored = clock.bind::<SqlUuid, _>(id).get_result(&mut superuser).await.expect("a game");
    let mut conditions: ClockConditions = serde_json::from_str(&clock.clock).expect("what bears on a clock");
    let Change::Start { mut calendars, control, game: own, .. } = line.change else { panic!("no start") };
    for opening in &mut openings {
        let log::Value::Calendar(calendar) = &mut opening.value else { panic!("no calendar") };
        earlier(calendar);
        calendars[opening.seat.index()] = Some(commitment(&opening.salt, &opening.value));
    }
    for version in &mut conditions.calendars {
        earlier(version.calendar.as_mut().expect("a calendar"));
    }
    let change = Change::Start { calendars, control, form: form.to_owned(), game: own };
    let line = Line::sealed(line.at, change, line.head, 0, line.prev, line.seq);
    conditions.binds_offsets = log::Form::named(form).expect("a form").binds_offsets;
    conditions.head.as_mut().expect("a clock log").hash = line.hash;
    superuser.batch_execute("alter table clock_lines disable trigger user").await.expect("unguarded");
    let openings = serde_json::to_string(&openings).expect("plain data");
    let conditions = serde_json::to_string(&conditions).expect("plain data");
    for (statement, texts) in [
        ("update clock_lines set line = $2, openings = $3 where game_id = $1", [line.text(), openings]),
        ("update games set clock = $2 where id = $1 and $3 = ''", [conditions, String::new()]),
        (
            "update game_states set edition = edition + 1 where game_id = $1 and $2 = $3",
            [String::new(), String::new()],
        ),
    ] {
        let update = diesel::sql_query(statement).bind::<SqlUuid, _>(id);
        let update = update.bind::<Text, _>(&texts[0]).bind::<Text, _>(&texts[1]);
        assert_eq!(update.execute(&mut superuser).await.expect(statement), 1, "{statement}");
    }
    let guard = "alter table clock_lines enable always trigger clock_lines_are_final; \
         alter table clock_lines enable always trigger clock_lines_are_kept";
    superuser.batch_execute(guard).await.expect("guarded");
}

async fn expect_no_findings(app: &TestApp) {
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
}

/// Sets a player's calendar; how many games looked at it.
async fn set(app: &TestApp, handle: &str, calendar: &Value) -> usize {
    app.log_in(handle).await.put("/api/v1/me/calendar", calendar).await.ok();
    clocks::take_updates(&app.app.games).await.expect("a step")
}

/// Plays a game to its end: what it exports, and the lines of its clock log.
async fn finished(app: &TestApp, game: &str) -> (Vec<u8>, Vec<Value>) {
    play_to_the_end(game, &[app.log_in("ann").await, app.log_in("bob").await]).await;
    let whole = app.stranger().get(&format!("{game}/record?with=clock")).await.body;
    let (_, clock_log) = log::split(&whole);
    let text = std::str::from_utf8(clock_log.expect("a clock log")).expect("text");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (whole, lines)
}

async fn started(app: &TestApp, calendar: &Value) -> String {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    ann.put("/api/v1/me/calendar", calendar).await.ok();
    timed_game([&ann, &bob], &json!({"limit_hours": 200})).await
}

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pippost")).args(arguments).output().expect("an exit");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_exported_was_written_with_the_calendars_lines_to_the_byte() {
    let app = TestApp::start().await;
    let game = started(&app, &casablanca()).await;
    pass_the_turn(&app, &game, 0, Duration::hours(30)).await;
    let berlin = json!({"zone": "Europe/Berlin", "night": null, "rest_days": [6]});
    assert_eq!(set(&app, "bob", &berlin).await, 1);
    let (whole, lines) = finished(&app, &game).await;
    assert_eq!(lines[0]["change"]["form"], "pippost-clock/3");
    let openings = lines.last().expect("a footer")["openings"].as_array().expect("a list").clone();
    let stored: Vec<Value> = db_lines(&app, &game).await.into_iter().filter_map(|row| row.openings).fold(
        Vec::new(),
        |all, text| {
            let openings: Vec<Value> = serde_json::from_str(&text).expect("JSON");
            [all, openings].concat()
        },
    );
    assert_eq!(openings, stored, "nothing is calculated when it is exported");
    for (opening, (line, zone)) in openings.iter().zip([(0, "Africa/Casablanca"), (1, "Europe/Berlin")]) {
        let offsets = &opening["value"]["offsets"];
        assert_eq!((&opening["value"]["zone"], &offsets["tzdata"]), (&json!(zone), &json!(tzdata())));
        assert_eq!(offsets["changes"][0][0], lines[line]["at"], "from the line on");
    }
    let verdict = send(&app.stranger(), whole).await.ok();
    assert_eq!(
        (&verdict["verdict"], &verdict["clock"]["warning"]),
        (&json!("accepted"), &Value::Null),
        "{verdict}"
    );
    expect_no_findings(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_upgrade_of_tzdata_a_calendar_keeps_its_offsets_until_its_player_sets_one() {
    let app = TestApp::start().await;
    let game = started(&app, &casablanca()).await;
    db_begin_as(&app, &game, "pippost-clock/3", |calendar| {
        let offsets = calendar.offsets.as_mut().expect("bound");
        offsets.tzdata = "2017z".to_owned();
        offsets.changes.iter_mut().for_each(|change| change.1 += 3600);
    })
    .await;
    let planted = db_lines(&app, &game).await[0].openings.clone().expect("a calendar");
    // At noon UTC it is noon in Casablanca by today's law, and was 13:00 by the older: the night had begun.
    pass_the_turn(&app, &game, 0, Duration::ZERO).await;
    pass_the_turn(&app, &game, 1, Duration::ZERO).await;
    let still = app.log_in("ann").await.get(&format!("{game}/clock")).await.ok()["stands_still"].take();
    assert_eq!(still["until"], "2026-11-21T21:00:00.000000Z", "{still}");
    assert_eq!(set(&app, "ann", &casablanca()).await, 0, "the same calendar on the same day");
    app.app.clock.advance(Duration::days(1));
    assert_eq!(set(&app, "ann", &casablanca()).await, 1);
    assert_eq!(db_lines(&app, &game).await.len(), 2, "a line with the offsets of today");
    app.app.clock.advance(Duration::days(1));
    assert_eq!(set(&app, "ann", &casablanca()).await, 1);
    assert_eq!(db_lines(&app, &game).await.len(), 2, "nothing has changed since");
    let (whole, lines) = finished(&app, &game).await;
    let openings = lines.last().expect("a footer")["openings"].clone();
    assert_eq!(json!([openings[0]]), serde_json::from_str::<Value>(&planted).expect("JSON"));
    assert_eq!(openings[1]["value"]["offsets"]["tzdata"], tzdata());
    let verdict = send(&app.stranger(), whole.clone()).await.ok();
    let warning = verdict["clock"]["warning"].as_str().unwrap_or_default().to_owned();
    let names = ["clock line 0", "Africa/Casablanca", "2017z", tzdata()];
    assert!(names.iter().all(|name| warning.contains(name)) && verdict["verdict"] == "accepted", "{verdict}");
    expect_no_findings(&app).await;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.ndjson");
    std::fs::write(&path, &whole).expect("a file");
    let path = path.to_str().expect("a path");
    let (code, said) = run(&["verify", path]);
    assert!(
        code == Some(0) && said.contains("OK, ") && said.contains(&format!("warning: {warning}")),
        "{said}"
    );
    assert_eq!(run(&["verify", "--strict", path]).0, Some(4));
    let (code, said) = run(&["stats", path]);
    assert!(code == Some(0) && said.contains("ann: 1 finished") && said.contains("warning: "), "{said}");
    let (code, said) = run(&["stats", "--json", path]);
    assert!(code == Some(0) && said.contains("\"warning\":\"clock line 0"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_began_in_an_older_form_goes_on_in_it_to_its_end() {
    let app = TestApp::start().await;
    let game = started(&app, &casablanca()).await;
    db_begin_as(&app, &game, "pippost-clock/1", |calendar| calendar.offsets = None).await;
    pass_the_turn(&app, &game, 0, Duration::hours(2)).await;
    let berlin =
        json!({"zone": "Europe/Berlin", "night": {"from": "22:00", "until": "06:00"}, "rest_days": []});
    assert_eq!(set(&app, "bob", &berlin).await, 1);
    pass_the_turn(&app, &game, 1, Duration::hours(30)).await;
    let (whole, lines) = finished(&app, &game).await;
    assert_eq!(lines[0]["change"]["form"], "pippost-clock/1");
    let openings = lines.last().expect("a footer")["openings"].as_array().expect("a list").clone();
    assert_eq!(openings.len(), 2, "{openings:?}");
    for (opening, seconds) in openings.iter().zip([0, 3600]) {
        assert!(opening["value"].get("offsets").is_none(), "{opening}");
        assert_eq!(opening["offsets"], json!([[lines[0]["at"], seconds]]), "as they are when it is exported");
    }
    let verdict = send(&app.stranger(), whole).await.ok();
    assert_eq!(verdict["clock"]["times_recomputed"], true, "{verdict}");
    assert_eq!(verdict["clock"]["warning"], Value::Null, "{verdict}");
    expect_no_findings(&app).await;
}
