//! Ratings: days are rated once they are over, whatever the order in which games are counted, and `pippost ratings` makes the same of the
//! records, to the last digit.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use diesel_async::SimpleAsyncConnection;
use pippost::games::{ratings, reliability};
use pippost::ratings::{MIN_GAMES, SETTLED_DEVIATION};
use pippost::store::ratings::{BEFORE, BEST, WEEK};
use serde_json::{Value, json};
use time::Duration;

use support::browsing::Browsing;
use support::db::{MANY, db_games, plan};
use support::games::timed_game;
use support::{PASSWORD, TestApp};

const SLOW: i32 = 72;

/// Counts all games that are over, and rates all days that are; returns how many days.
async fn rate(app: &TestApp) -> usize {
    while reliability::count_ended(&app.app.games).await.expect("a step") > 0 {}
    let mut days = 0;
    while ratings::rate_day(&app.app.games).await.expect("a step") > 0 {
        days += 1;
    }
    days
}

/// A game that `winner` wins, because the other one resigns.
async fn won(app: &TestApp, winner: &str, loser: &str, control: &Value) -> String {
    let (winner, loser) = (app.log_in(winner).await, app.log_in(loser).await);
    let game = timed_game([&winner, &loser], control).await;
    loser.post(&format!("{game}/resign"), &json!({})).await.ok();
    game
}

async fn shown(app: &TestApp, handle: &str) -> Vec<Value> {
    let player = app.stranger().get(&format!("/api/v1/players/{handle}")).await.ok();
    player["ratings"].as_array().expect("a list").clone()
}

async fn best(app: &TestApp, more: &str) -> Value {
    app.stranger().get(&format!("/api/v1/ratings?rules=pip-pip&pace=slow{more}")).await.ok()
}

fn handles(page: &Value) -> Vec<&str> {
    let listed = page["ratings"].as_array().expect("a list");
    listed.iter().map(|one| one["handle"].as_str().expect("a handle")).collect()
}

/// Registers a program's account.
async fn program(app: &TestApp, handle: &str) {
    let email = format!("{handle}@example.org");
    let body = json!({"handle": handle, "email": email, "password": PASSWORD, "bot": true});
    app.stranger().post("/api/v1/accounts", &body).await.expect_status(201);
}

/// A game of three from which two resign, the first one last of all.
async fn game_of_three(app: &TestApp) -> String {
    let ann = app.log_in("ann").await;
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined", "limit_hours": 24});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    for handle in ["bob", "carol"] {
        app.log_in(handle).await.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    for handle in ["carol", "ann"] {
        app.log_in(handle).await.post(&format!("{game}/resign"), &json!({})).await.ok();
    }
    game
}

/// Games of many kinds over many days.
async fn season(app: &TestApp) -> Vec<String> {
    for handle in ["ann", "bob", "carol"] {
        app.player(handle).await;
    }
    program(app, "robot").await;
    let slow = json!({"limit_hours": SLOW});
    let mut games = Vec::new();
    for (day, (winner, loser, control)) in [
        ("ann", "bob", &slow),
        ("ann", "carol", &slow),
        ("bob", "carol", &json!({"limit_hours": 24})),
        ("carol", "ann", &slow),
        ("robot", "ann", &slow),
        ("bob", "ann", &json!({})),
        ("carol", "robot", &slow),
        ("bob", "ann", &slow),
    ]
    .into_iter()
    .enumerate()
    {
        games.push(won(app, winner, loser, control).await);
        if day % 2 == 1 {
            games.push(game_of_three(app).await);
            app.app.clock.advance(Duration::days(1 + i64::try_from(day).expect("a number")));
        }
    }
    app.app.clock.advance(Duration::days(2));
    games
}

/// Writes the records of games into a folder.
async fn export(app: &TestApp, games: &[String], folder: &Path) {
    for (number, game) in games.iter().enumerate() {
        let record = app.stranger().get(&format!("{game}/record?with=clock")).await;
        std::fs::write(folder.join(format!("{number}.ndjson")), &record.body).expect("a file");
    }
}

fn command(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
    command.arg("ratings").args(arguments).output().expect("an exit")
}

/// What the command prints of each player.
fn recomputed(arguments: &[&str]) -> BTreeMap<String, Vec<Value>> {
    let output = command(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut of_players: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let rating: Value = serde_json::from_str(line).expect("JSON");
        of_players.entry(rating["handle"].as_str().expect("a handle").to_owned()).or_default().push(rating);
    }
    of_players
}

fn sorted(mut ratings: Vec<Value>) -> Vec<String> {
    ratings.sort_by_key(|one| {
        ["pool", "rules", "pace", "day"].map(|name| one[name].as_str().expect("a text").to_owned())
    });
    ratings.iter().map(Value::to_string).collect()
}

async fn all_shown(app: &TestApp) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for handle in ["ann", "bob", "carol", "robot"] {
        all.insert(handle.to_owned(), sorted(shown(app, handle).await));
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn records_alone_give_what_the_server_shows_to_the_last_digit() {
    let app = TestApp::start().await;
    let games = season(&app).await;
    let other = app.second().await;
    let (one, two) = futures_util::join!(rate(&app), rate(&other));
    assert_eq!(one + two, 4, "each day with games once, whichever server rates it");
    let folder = tempfile::tempdir().expect("a folder");
    export(&app, &games, folder.path()).await;
    let path = folder.path().to_str().expect("a path");
    let from_records = recomputed(&["--json", "--bot", "robot", path]);
    let from_records: BTreeMap<_, _> =
        from_records.into_iter().map(|(handle, ratings)| (handle, sorted(ratings))).collect();
    let from_server = all_shown(&app).await;
    assert_eq!(from_server, from_records);
    assert_eq!(from_server["ann"].len(), 4, "slow, unlimited, with robot, and dominion");

    let days = recomputed(&["--json", "--history", "--bot", "robot", path]);
    let days = days["ann"].iter().filter(|one| one["pool"] == "people" && one["rules"] == "pip-pip");
    let days: Vec<Value> = days.filter(|one| one["pace"] == "slow").cloned().collect();
    let history = "/api/v1/players/ann/ratings?rules=pip-pip&pace=slow";
    let mut pages = Vec::new();
    let mut cursor = String::new();
    for _ in 0..10 {
        let page = app.stranger().get(&format!("{history}&limit=1{cursor}")).await.ok();
        pages.extend(page["ratings"].as_array().expect("a list").clone());
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(pages.len(), 3);
    assert_eq!(sorted(pages), sorted(days));

    // From nothing the same comes out.
    let mut connection = app.app.database.get().await.expect("a connection");
    let anew = "update rating_progress set next_day = '0001-01-01'";
    connection.batch_execute(anew).await.expect("a change");
    assert_eq!(rate(&app).await, 4);
    assert_eq!(all_shown(&app).await, from_server);
    assert_eq!(rate(&app).await, 0);

    // A forged record counts for nobody, and one twice counts once.
    let first = folder.path().join("0.ndjson");
    let text = std::fs::read_to_string(&first).expect("a record");
    std::fs::write(&first, text.replacen("\"limit_hours\":72", "\"limit_hours\":24", 1)).expect("a file");
    let output = command(&[path, folder.path().join("1.ndjson").to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(1));
    let why = String::from_utf8(output.stderr).expect("text");
    assert!(why.contains("0.ndjson: not counted: the clock log is refused"), "{why}");
    assert!(why.contains("1.ndjson: not counted: its game is counted already"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_one_player_s_in_the_records_whatever_its_capitals() {
    let app = TestApp::start().await;
    for handle in ["ann", "bob"] {
        app.player(handle).await;
    }
    let slow = json!({"limit_hours": SLOW});
    let mut games = vec![won(&app, "ann", "bob", &slow).await];
    app.app.clock.advance(Duration::days(1));
    let written = "update players set handle = 'Ann' where handle = 'ann'";
    app.app.database.get().await.expect("a connection").batch_execute(written).await.expect("a change");
    games.push(won(&app, "ann", "bob", &slow).await);
    app.app.clock.advance(Duration::days(2));
    rate(&app).await;
    let folder = tempfile::tempdir().expect("a folder");
    export(&app, &games, folder.path()).await;
    let from_records = recomputed(&["--json", folder.path().to_str().expect("a path")]);
    assert_eq!(from_records.keys().collect::<Vec<_>>(), ["Ann", "bob"], "as the newest game has it");
    assert_eq!(from_records["Ann"][0]["games"], 2);
    assert_eq!(sorted(from_records["Ann"].clone()), sorted(shown(&app, "ann").await));
    // A program is named in any case, too.
    let of_bots = recomputed(&["--json", "--bot", "ANN", folder.path().to_str().expect("a path")]);
    assert_eq!(of_bots["bob"][0]["pool"], "bots");
    let mut stats = Command::new(env!("CARGO_BIN_EXE_pippost"));
    stats.arg("stats").args((0..2).map(|number| folder.path().join(format!("{number}.ndjson"))));
    let told = String::from_utf8(stats.output().expect("an exit").stdout).expect("text");
    assert!(told.contains("Ann: 2 finished") && !told.contains("\nann:"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_waits_for_its_games_and_is_rated_again_when_one_comes_late() {
    let app = TestApp::start().await;
    for handle in ["ann", "bob"] {
        app.player(handle).await;
    }
    let slow = json!({"limit_hours": SLOW});
    let first = won(&app, "ann", "bob", &slow).await;
    assert_eq!(rate(&app).await, 0, "the day is not over");
    app.app.clock.advance(Duration::days(1));
    let late = won(&app, "bob", "ann", &slow).await;
    app.app.clock.advance(Duration::days(2));
    let last = won(&app, "ann", "bob", &slow).await;
    app.app.clock.advance(Duration::days(2));
    assert_eq!(
        ratings::rate_day(&app.app.games).await.expect("a step"),
        1,
        "the first day, which is counted"
    );
    assert_eq!(ratings::rate_day(&app.app.games).await.expect("a step"), 0, "games are still to be counted");

    // One cannot be counted for now, and holds up nobody.
    let mut connection = app.app.database.get().await.expect("a connection");
    let id = late.rsplit('/').next().expect("an id");
    let aside = format!(
        "insert into set_aside_games (task, game_id, failures, reason, first_failed_at, retry_at) \
         values ('reliability', '{id}', 1, 'planted', now(), '2100-01-01')"
    );
    connection.batch_execute(&aside).await.expect("a row");
    assert_eq!(rate(&app).await, 1, "the last day");
    assert_eq!(shown(&app, "ann").await[0]["games"], 2);
    connection.batch_execute("delete from set_aside_games").await.expect("a change");
    assert_eq!(rate(&app).await, 2, "its day, and the last one again");
    let ann = shown(&app, "ann").await;
    assert_eq!(ann[0]["games"], 3);
    let folder = tempfile::tempdir().expect("a folder");
    export(&app, &[first, late, last], folder.path()).await;
    let from_records = recomputed(&["--json", folder.path().to_str().expect("a path")]);
    assert_eq!(from_records["ann"], ann);
    let newest = "select count(*) as number from player_ratings where is_newest";
    assert_eq!(app.db_count(newest).await, 2, "one for each player");
}

#[tokio::test(flavor = "multi_thread")]
async fn private_and_aborted_games_and_those_of_a_sandbox_are_not_rated() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "private": true});
    let private = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let path = format!("/api/v1/games/{}", private["id"].as_str().expect("an id"));
    bob.post(&format!("{path}/join"), &json!({"invitation": private["invitation"]})).await.ok();
    bob.post(&format!("{path}/resign"), &json!({})).await.ok();
    let aborted = timed_game([&ann, &bob], &json!({})).await;
    bob.post(&format!("{aborted}/abort"), &json!({})).await.ok();
    app.app.clock.advance(Duration::days(2));
    assert_eq!(rate(&app).await, 0);
    assert_eq!(shown(&app, "ann").await, [] as [Value; 0]);

    let sandbox = TestApp::sandbox().await;
    for handle in ["ann", "bob"] {
        sandbox.player(handle).await;
    }
    won(&sandbox, "ann", "bob", &json!({})).await;
    sandbox.app.clock.advance(Duration::days(2));
    assert_eq!(rate(&sandbox).await, 0);
}

/// Five players, each of whom has beaten those after them as often as it takes to be listed.
async fn ladder(app: &TestApp) -> [&'static str; 5] {
    let names = ["ann", "bob", "carol", "dora", "emil"];
    for handle in names {
        app.player(handle).await;
    }
    let mut connection = app.app.database.get().await.expect("a connection");
    for (number, handle) in names.iter().enumerate() {
        let rating = 1_700_000 - number / 2 * 100_000;
        let row = format!(
            "insert into player_ratings select id, 'people', 'pip-pip', 'slow', '2026-11-20', {rating}, 90000, 60000000, 9, true \
             from players where handle = '{handle}'"
        );
        connection.batch_execute(&row).await.expect("a row");
    }
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn the_best_are_listed_page_by_page_without_those_who_hide_are_new_idle_or_gone() {
    let app = TestApp::start().await;
    let names = ladder(&app).await;
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = best(&app, &format!("&limit=2{cursor}")).await;
        seen.extend(handles(&page).into_iter().map(str::to_owned));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let mut sorted = seen.clone();
    sorted.sort();
    assert_eq!(sorted, names, "each once, those of the same rating, too: {seen:?}");
    assert_eq!(seen[4], "emil");
    assert_eq!(handles(&best(&app, "&pool=bots").await), [""; 0]);

    let bob = app.log_in("bob").await;
    let preferences = bob.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!(preferences["ratings"], true, "everybody shows them unless they say otherwise");
    bob.patch("/api/v1/me/notification-preferences", &json!({"ratings": false})).await.ok();
    assert_eq!(shown(&app, "bob").await, [] as [Value; 0]);
    let hidden = "/api/v1/players/bob/ratings?rules=pip-pip&pace=slow";
    assert_eq!(app.stranger().get(hidden).await.ok()["ratings"], json!([]));
    let mut connection = app.app.database.get().await.expect("a connection");
    let changes = "update player_ratings r set games = 4 from players p where p.id = r.player_id and p.handle = 'carol'; \
         update player_ratings r set deviation = 110001 from players p where p.id = r.player_id and p.handle = 'dora'";
    connection.batch_execute(changes).await.expect("changes");
    assert_eq!(handles(&best(&app, "").await), ["ann", "emil"]);
    let gone = json!({"password": PASSWORD});
    app.log_in("emil").await.post("/api/v1/me/deletion", &gone).await.expect_status(204);
    assert_eq!(handles(&best(&app, "").await), ["ann"]);
    app.app.clock.advance(Duration::days(400));
    assert_eq!(handles(&best(&app, "").await), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_cursors_and_limits_are_refused() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let asked = "rules=pip-pip&pace=slow";
    for path in [
        format!("/api/v1/ratings?{asked}&cursor=1500"),
        format!("/api/v1/ratings?{asked}&cursor=99999999999.00000000-0000-0000-0000-000000000000"),
        format!("/api/v1/ratings?{asked}&limit=101"),
        format!("/api/v1/players/ann/ratings?{asked}&cursor=2026-02-30"),
        format!("/api/v1/players/ann/ratings?{asked}&limit=0"),
    ] {
        app.stranger().get(&path).await.problem(422, "invalid_value");
    }
    let nobody = format!("/api/v1/players/nobody/ratings?{asked}");
    app.stranger().get(&nobody).await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_see_the_best_and_how_a_rating_went_and_read_how_it_is_made() {
    let app = TestApp::start().await;
    ladder(&app).await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let before = "insert into player_ratings select id, 'people', 'pip-pip', 'slow', '2026-11-10', 1500000, 200000, 60000000, 4, false \
         from players where handle = 'ann'";
    connection.batch_execute(before).await.expect("a row");
    let visitor = Browsing::of(&app);
    let page = visitor.get("/ratings?rules=pip-pip").await.expect(200).html;
    assert!(
        page.contains("<th scope=\"row\"><a href=\"/players/ann\">ann</a></th><td>1700 ± 90</td>"),
        "{page}"
    );
    assert!(page.contains("<code>pippost ratings games"), "{page}");
    let odd = "/ratings?rules=%22%3E&pace=%3Cb%3E&pool=x&cursor=%3C";
    let page = visitor.get(odd).await.expect(200).html;
    assert!(page.contains("Nobody is listed here yet"), "{page}");
    let page = visitor.get("/players/ann").await.expect(200).html;
    assert!(page.contains("From 1500 ± 200 on 2026-11-10 to 1700 ± 90 on 2026-11-20"), "{page}");
    assert!(!visitor.get("/players/bob").await.expect(200).html.contains("<polyline"), "of one day");
    let german = Browsing::of(&app).reading("de").get("/ratings").await.expect(200).html;
    assert!(german.contains("Wie Wertungen entstehen"), "{german}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ratings_and_games_to_rate_are_found_by_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection
        .batch_execute(
            "insert into players (id, handle, email, email_key, password_hash, created_at) \
             select gen_random_uuid(), 'q' || i || 'x', '', i || '@example.net', '', now() from generate_series(1, 5000) i; \
             insert into rated_games select id, now() - random() * interval '300 days', 'people', 'pip-pip', 'slow', '{}', '{}' from games; \
             insert into player_ratings select p.id, 'people', 'pip-pip', pace, '2026-01-01'::date + i, 1500000 + random() * 500000, \
                 90000 + random() * 40000, 60000000, 9, i = 5 from players p, generate_series(1, 5) i, unnest(array['fast', 'slow']) pace; \
             analyze",
        )
        .await
        .expect("rows");
    let bounds = format!("r.deviation <= {SETTLED_DEVIATION} and r.games >= {MIN_GAMES}");
    assert!(BEST.contains(&bounds), "the list is that of the page, and its index the list's: {bounds}");
    let player = "'00000000-0000-0000-0000-000000000007'::uuid";
    let best = [
        ("$1", "'people'"),
        ("$2", "'pip-pip'"),
        ("$3", "'slow'"),
        ("$4", "'2026-01-01'"),
        ("$5", "1700000"),
    ];
    let best = best.iter().fold(BEST.to_owned(), |text, (name, value)| text.replace(name, value));
    let before = [
        ("$1", "array(select id from players order by id limit 20)".to_owned()),
        ("$2", "array_fill('people'::text, array[20])".to_owned()),
        ("$3", "array_fill('pip-pip'::text, array[20])".to_owned()),
        ("$4", "array_fill('slow'::text, array[20])".to_owned()),
        ("$5", "array_fill('2026-01-04'::date, array[20])".to_owned()),
    ];
    let before = before.iter().fold(BEFORE.to_owned(), |text, (name, value)| text.replace(name, value));
    let week = [("$1", "now() - interval '7 days'"), ("$2", "now()"), ("$3", "2000"), ("$4", "5")];
    let week = week.iter().fold(WEEK.to_owned(), |text, (name, value)| text.replace(name, value));
    for (statement, index) in [
        (before, "player_ratings_pkey"),
        (best.replace("$6", player).replace("$7", "21"), "player_ratings_best"),
        (week, "rated_games_order"),
        (
            "select min(ended_at) from rated_games where ended_at >= now() - interval '1 day'".to_owned(),
            "rated_games_order",
        ),
        (
            format!(
                "select day from player_ratings where player_id = {player} and pool = 'people' and rules = 'pip-pip' and pace = 'slow' \
                and day < '2026-01-04' order by day desc limit 20"
            ),
            "player_ratings_pkey",
        ),
        (
            format!("select day from player_ratings where player_id = any(array[{player}]) and is_newest"),
            "player_ratings_newest",
        ),
        ("delete from player_ratings where day >= '2026-02-01'".to_owned(), "player_ratings_day"),
    ] {
        let plan = plan(&mut connection, &statement).await;
        assert!(plan.contains(index), "{index} is not used:\n{plan}");
        let tables = ["player_ratings", "rated_games", "players"];
        assert!(!tables.iter().any(|table| plan.contains(&format!("Seq Scan on {table}"))), "{plan}");
    }
}
