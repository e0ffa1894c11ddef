//! Tournaments: whole seasons through the API, whose tables are added up once more from the results of their games alone.

mod cut_off;
mod eliminations;
mod events;
mod leagues;
mod season;
mod teams;

use std::collections::{BTreeMap, BTreeSet};

use diesel_async::SimpleAsyncConnection;
use pippost::games::{playing, tournaments};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use time::Duration;

use support::browsing::Browsing;
use support::db::plan;
use support::{Client, PASSWORD, TestApp};

/// Does all that is due.
async fn step(app: &TestApp) {
    while tournaments::step(&app.app.games).await.expect("a step") > 0 {}
}

fn wish(kind: &str, most: usize) -> Value {
    json!({
        "title": format!("A {kind}"), "rules": "pip-pip", "kind": kind, "most_players": most,
        "time_control": {"limit_hours": 72},
    })
}

/// A tournament with its players.
struct Season<'a> {
    app: &'a TestApp,
    path: String,
    players: BTreeMap<String, Client>,
}

impl<'a> Season<'a> {
    /// Creates a tournament, and lets so many enter.
    async fn new(app: &'a TestApp, wanted: &Value, number: usize) -> Self {
        let mut players = BTreeMap::new();
        for number in 0..number {
            let handle = format!("player{number}");
            players.insert(handle.clone(), app.player(&handle).await);
        }
        let organiser = &players["player0"];
        let created = organiser.post("/api/v1/tournaments", wanted).await.expect_status(201).json();
        assert_eq!((&created["status"], &created["draw"]), (&json!("open"), &Value::Null));
        let path = format!("/api/v1/tournaments/{}", created["id"].as_str().expect("an id"));
        for player in players.values() {
            player.post(&format!("{path}/enter"), &json!({})).await.expect_status(204);
        }
        step(app).await;
        Self { app, path, players }
    }

    async fn table(&self) -> Value {
        self.app.stranger().get(&self.path).await.ok()
    }

    async fn round(&self, round: u64) -> Vec<Value> {
        let table = self.app.stranger().get(&format!("{}?round={round}", self.path)).await.ok();
        table["pairings"].as_array().expect("a list").clone()
    }

    /// Ends the running games of the newest round: of each the player whose handle `loses` names resigns.
    async fn play(&self, loses: impl Fn(&str, &str) -> bool) {
        for pairing in self.table().await["pairings"].as_array().expect("a list") {
            let (Some(game), true) = (pairing["game"].as_str(), pairing["outcome"].is_null()) else {
                continue;
            };
            let (first, second) = (text(&pairing["first"]), text(&pairing["second"]));
            let loser = if loses(first, second) { first } else { second };
            // Sessions may have ended meanwhile.
            let loser = self.app.log_in(loser).await;
            loser.post(&format!("/api/v1/games/{game}/resign"), &json!({})).await.ok();
        }
        step(self.app).await;
    }

    /// Points, Buchholz, Sonneborn-Berger (in quarters) and wins of everybody, from pairings and the results of games.
    async fn added_up(&self) -> BTreeMap<String, [u64; 4]> {
        let rounds = self.table().await["tournament"]["round"].as_u64().expect("a number");
        let mut got: BTreeMap<String, Vec<(Option<String>, u64)>> = BTreeMap::new();
        for round in 1..=rounds {
            for pairing in self.round(round).await {
                let first = text(&pairing["first"]).to_owned();
                let Some(second) = pairing["second"].as_str().map(str::to_owned) else {
                    got.entry(first).or_default().push((None, 2));
                    continue;
                };
                if pairing["outcome"].is_null() {
                    continue;
                }
                let game = format!("/api/v1/games/{}", text(&pairing["game"]));
                let game = self.app.stranger().get(&game).await.ok();
                let seats: Vec<&str> = game["players"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|one| text(&one["handle"]))
                    .collect();
                assert_eq!(seats, [&first, &second], "the first named has the first seat");
                let won = match game["result"]["places"].as_array() {
                    Some(places) => u64::from(places[0] == 1) * 2,
                    None => u64::from(pairing["outcome"] == "first") * 2,
                };
                got.entry(first.clone()).or_default().push((Some(second.clone()), won));
                got.entry(second).or_default().push((Some(first), 2 - won));
            }
        }
        let points: BTreeMap<&String, u64> =
            got.iter().map(|(one, games)| (one, games.iter().map(|(_, won)| won).sum())).collect();
        let added = got.iter().map(|(one, games)| {
            let met = || games.iter().filter_map(|(other, won)| Some((points[other.as_ref()?], won)));
            let buchholz = met().map(|(points, _)| points).sum();
            let berger = met().map(|(points, won)| points * won).sum();
            let wins = met().filter(|(_, won)| **won == 2).map(|_| 1).sum();
            (one.clone(), [points[one], buchholz, berger, wins])
        });
        added.collect()
    }

    /// Compares the table with what is added up.
    async fn check(&self) -> Vec<String> {
        let (table, added) = (self.table().await, self.added_up().await);
        let standings = table["standings"].as_array().expect("a list");
        let mut before: Option<[u64; 3]> = None;
        for row in standings {
            let number = |name: &str, parts: f64| -> u64 {
                let number = row[name].as_f64().expect("a number") * parts;
                number.to_string().parse().expect("a whole number of parts")
            };
            let shown = [
                number("points", 2.0),
                number("buchholz", 2.0),
                number("sonneborn_berger", 4.0),
                number("wins", 1.0),
            ];
            let none = [0; 4];
            assert_eq!(&shown, added.get(text(&row["handle"])).unwrap_or(&none), "{row}");
            let merits = [shown[0], shown[1], shown[2]];
            assert!(before.is_none_or(|before| before >= merits), "{row} stands too low");
            before = Some(merits);
        }
        standings.iter().map(|row| text(&row["handle"]).to_owned()).collect()
    }
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn hash(parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().to_vec()
}

/// Recomputes the draw and the chance of all games of a tournament that is over, as docs/TOURNAMENTS.md says.
async fn check_chance(season: &Season<'_>) {
    let table = season.table().await;
    let one = &table["tournament"];
    let bytes = |name: &str| hex::decode(text(&one[name])).expect("hexadecimal digits");
    let id: uuid::Uuid = text(&one["id"]).parse().expect("an id");
    let (secret, draw) = (bytes("secret"), bytes("draw"));
    assert_eq!(hash(&[b"pippost/commit/1", id.as_bytes(), &secret]), bytes("commitment"));
    assert_eq!(hash(&[b"pippost/commit/1", id.as_bytes(), &draw]), bytes("draw_commitment"));
    assert_eq!(hash(&[b"pippost/tournament/draw/1", &secret]), draw);
    let lot = |row: &Value| {
        let handle = text(&row["handle"]).as_bytes();
        hash(&[b"pippost/tournament/lot/1", id.as_bytes(), &draw, handle])
    };
    // By division, of which there is one unless it is a league.
    let mut places: Vec<(u64, u64, Vec<u8>)> = Vec::new();
    for row in table["standings"].as_array().expect("a list") {
        let number = row["number"].as_u64().expect("a number");
        places.push((number, row["division"].as_u64().unwrap_or(1), lot(row)));
    }
    places.sort();
    assert!(places.iter().map(|(number, ..)| *number).eq(1..=places.len() as u64), "each number once");
    let drawn = |(_, division, lot): &(u64, u64, Vec<u8>)| (*division, lot.clone());
    assert!(places.is_sorted_by_key(drawn), "not in the order of lots");
    let mut games = 0;
    for round in 1..=one["round"].as_u64().expect("a number") {
        for pairing in season.round(round).await {
            let Some(game) = pairing["game"].as_str() else { continue };
            let place = [round, pairing["board"].as_u64().expect("a number")];
            let place: Vec<u8> =
                place.iter().flat_map(|one| u16::try_from(*one).expect("small").to_be_bytes()).collect();
            let record = season.app.stranger().get(&format!("/api/v1/games/{game}/record")).await;
            let footer: Value =
                serde_json::from_str(record.text().lines().last().expect("a footer")).expect("JSON");
            let master = hex::encode(hash(&[b"pippost/tournament/game/1", &secret, &place]));
            assert_eq!(footer["master"], master.as_str());
            games += 1;
        }
    }
    assert!(games > 0);
}

/// Nobody meets somebody twice, or has two byes.
async fn check_pairings(season: &Season<'_>) {
    let mut seen = BTreeSet::new();
    let rounds = season.table().await["tournament"]["round"].as_u64().expect("a number");
    for round in 1..=rounds {
        for pairing in season.round(round).await {
            let mut pair = [pairing["first"].to_string(), pairing["second"].to_string()];
            pair.sort();
            assert!(seen.insert(pair), "{pairing} again");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swiss_of_sixteen_goes_on_without_who_withdraws_or_runs_out_of_time() {
    let app = TestApp::start().await;
    let mut wanted = wish("swiss", 16);
    wanted["rounds"] = json!(4);
    let season = Season::new(&app, &wanted, 16).await;
    let first = season.table().await;
    assert_eq!(
        (&first["tournament"]["status"], &first["tournament"]["round"]),
        (&json!("running"), &json!(1))
    );
    assert_eq!(first["pairings"].as_array().map(Vec::len), Some(8));
    let text_of_first = |pairing: &Value| text(&pairing["first"]).to_owned();
    let withdrawn = text_of_first(&first["pairings"][0]);
    let asked = format!("{}/withdraw", season.path);
    season.players[&withdrawn].post(&asked, &json!({})).await.expect_status(204);
    season.players[&withdrawn].post(&asked, &json!({})).await.problem(409, "tournament_refused");
    season.play(|first, second| first > second).await;

    // One lets the time run out, and another one aborts.
    let second = season.table().await;
    assert_eq!(second["tournament"]["round"], 2);
    let pairings: Vec<Value> = second["pairings"].as_array().expect("a list").clone();
    assert_eq!(pairings.len(), 8, "seven games and a bye");
    assert!(
        pairings
            .iter()
            .all(|pair| pair["first"] != withdrawn.as_str() && pair["second"] != withdrawn.as_str())
    );
    let late = text_of_first(&pairings[0]);
    let (aborts, gains) = (text_of_first(&pairings[1]), text(&pairings[1]["second"]).to_owned());
    let game = text(&pairings[1]["game"]).to_owned();
    season.players[&aborts].post(&format!("/api/v1/games/{game}/abort"), &json!({})).await.ok();
    for pairing in &pairings[2..] {
        let Some(game) = pairing["game"].as_str() else { continue };
        let loser = text(&pairing["second"]);
        season.players[loser].post(&format!("/api/v1/games/{game}/resign"), &json!({})).await.ok();
    }
    step(&app).await;
    assert_eq!(season.table().await["tournament"]["round"], 2, "one game runs");
    app.app.clock.advance(Duration::days(30));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
    step(&app).await;
    let row = |table: &Value, handle: &str| {
        table["standings"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|row| row["handle"] == handle)
            .cloned()
            .expect("a row")
    };
    let third = season.table().await;
    assert_eq!(third["tournament"]["round"], 3);
    assert_eq!(row(&third, &late)["left_round"], 2);
    assert_eq!(row(&third, &withdrawn)["left_round"], 1);
    assert_eq!(season.round(2).await[1]["outcome"], "second");
    assert_eq!(row(&third, &aborts)["left_round"], Value::Null);
    assert!(row(&third, &gains)["points"].as_f64() >= Some(1.0));
    season.check().await;

    season.play(|first, second| first > second).await;
    season.play(|first, second| first > second).await;
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "finished");
    assert_eq!(table["tournament"]["round"], 4);
    season.check().await;
    check_pairings(&season).await;
    check_chance(&season).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_round_robin_of_five_everybody_meets_everybody() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("round_robin", 5), 5).await;
    for round in 1..=5 {
        let table = season.table().await;
        assert_eq!(table["tournament"]["round"], round);
        assert_eq!(table["pairings"].as_array().map(Vec::len), Some(2), "one sits out");
        season.play(|first, second| first > second).await;
    }
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "finished");
    let order = season.check().await;
    assert_eq!(order, ["player0", "player1", "player2", "player3", "player4"]);
    let points: Vec<&Value> =
        table["standings"].as_array().expect("a list").iter().map(|row| &row["points"]).collect();
    assert_eq!(points, [4.0, 3.0, 2.0, 1.0, 0.0]);
    check_pairings(&season).await;
    check_chance(&season).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_knock_out_of_six_two_have_byes_and_one_is_left() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("knock_out", 6), 6).await;
    let first = season.round(1).await;
    let byes = first.iter().filter(|pairing| pairing["second"].is_null());
    let byes: BTreeSet<&str> = byes.map(|pairing| text(&pairing["first"])).collect();
    let table = season.table().await;
    let numbered = |row: &&Value| row["number"].as_u64() <= Some(2);
    let drawn_first = table["standings"].as_array().expect("a list").iter().filter(numbered);
    assert_eq!(byes, drawn_first.map(|row| text(&row["handle"])).collect::<BTreeSet<_>>());
    for games in [2, 2, 1] {
        let pairings = season.table().await["pairings"].as_array().expect("a list").clone();
        assert_eq!(pairings.iter().filter(|pairing| pairing["game"].is_string()).count(), games);
        season.play(|first, second| first > second).await;
    }
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "finished");
    let best = &table["standings"][0];
    assert_eq!(
        (&best["handle"], &best["place"], &best["points"]),
        (&json!("player0"), &json!(1), &json!(3.0))
    );
    let places: Vec<&Value> =
        table["standings"].as_array().expect("a list").iter().map(|row| &row["place"]).collect();
    assert_eq!(places, [1, 2, 3, 3, 5, 5]);
    check_chance(&season).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_round_and_game_begins_once_however_many_workers_there_are() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("swiss", 9), 8).await;
    assert_eq!(season.table().await["tournament"]["status"], "open", "one is missing");
    let ninth = app.player("ninth").await;
    ninth.post(&format!("{}/enter", season.path), &json!({})).await.expect_status(204);
    let (second, third) = (app.second().await, app.second().await);
    for _ in 0..8 {
        let steps = [&app, &second, &third].map(|server| tournaments::step(&server.app.games));
        for done in futures_util::future::join_all(steps).await {
            done.expect("a step");
        }
    }
    let pairings = season.round(1).await;
    assert_eq!(pairings.len(), 5);
    assert_eq!(app.db_count("select count(*) as number from games").await, 4);
    assert_eq!(app.db_count("select count(*) as number from tournament_pairings").await, 5);
    // One mail for everybody who plays.
    assert_eq!(app.db_count("select count(*) as number from notices where game_id is not null").await, 8);
    for pairing in pairings.iter().filter(|pairing| pairing["game"].is_string()) {
        let game = app.stranger().get(&format!("/api/v1/games/{}", text(&pairing["game"]))).await.ok();
        assert_eq!((&game["status"], &game["private"]), (&json!("running"), &json!(false)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_late_waits_and_moves_up_when_somebody_withdraws() {
    let app = TestApp::start().await;
    let mut wanted = wish("swiss", 2);
    let starts_at = app.app.clock.now() + Duration::days(3);
    wanted["starts_at"] =
        json!(starts_at.format(&time::format_description::well_known::Rfc3339).expect("a time"));
    let season = Season::new(&app, &wanted, 4).await;
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "open", "it is full, but starts at its time");
    assert_eq!((&table["tournament"]["players"], &table["tournament"]["waiting"]), (&json!(2), &json!(2)));
    assert_eq!(table["waiting"], json!(["player2", "player3"]));
    let path = &season.path;
    season.players["player0"].post(&format!("{path}/withdraw"), &json!({})).await.expect_status(204);
    app.app.clock.advance(Duration::days(4));
    step(&app).await;
    let table = season.table().await;
    assert_eq!(
        (&table["tournament"]["status"], &table["tournament"]["waiting"]),
        (&json!("running"), &json!(0))
    );
    let playing: BTreeSet<&str> =
        table["standings"].as_array().expect("a list").iter().map(|row| text(&row["handle"])).collect();
    assert_eq!(playing, BTreeSet::from(["player1", "player2"]));
    for (handle, asked) in [("player3", "withdraw"), ("player0", "enter"), ("player0", "cancel")] {
        let player = app.log_in(handle).await;
        player.post(&format!("{path}/{asked}"), &json!({})).await.problem(409, "tournament_refused");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_few_cancel_a_tournament_as_its_organiser_can() {
    let app = TestApp::start().await;
    let mut wanted = wish("swiss", 8);
    let season = Season::new(&app, &wanted, 1).await;
    app.app.clock.advance(Duration::days(91));
    step(&app).await;
    assert_eq!(season.table().await["tournament"]["status"], "cancelled", "it was never full");

    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    wanted["title"] = json!("Another one");
    let created = ann.post("/api/v1/tournaments", &wanted).await.expect_status(201).json();
    let path = format!("/api/v1/tournaments/{}", text(&created["id"]));
    bob.post(&format!("{path}/cancel"), &json!({})).await.problem(409, "tournament_refused");
    ann.post(&format!("{path}/cancel"), &json!({})).await.expect_status(204);
    bob.post(&format!("{path}/enter"), &json!({})).await.problem(409, "tournament_refused");
    let listed = app.stranger().get("/api/v1/tournaments?status=cancelled&limit=1").await.ok();
    assert_eq!(listed["tournaments"][0]["title"], "Another one");
    let next = format!("/api/v1/tournaments?status=cancelled&cursor={}", text(&listed["next_cursor"]));
    let listed = app.stranger().get(&next).await.ok();
    assert_eq!(
        (&listed["tournaments"][0]["title"], &listed["next_cursor"]),
        (&json!("A swiss"), &Value::Null)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_no_address_or_asks_for_the_impossible_is_refused() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let new = app.unconfirmed_player("new").await;
    new.post("/api/v1/tournaments", &wish("swiss", 8)).await.problem(403, "email_not_confirmed");
    let created = ann.post("/api/v1/tournaments", &wish("swiss", 8)).await.expect_status(201).json();
    let path = format!("/api/v1/tournaments/{}", text(&created["id"]));
    new.post(&format!("{path}/enter"), &json!({})).await.problem(403, "email_not_confirmed");
    app.stranger().post(&format!("{path}/enter"), &json!({})).await.problem(401, "unauthenticated");
    ann.post(&format!("{path}/enter"), &json!({})).await.expect_status(204);
    ann.post(&format!("{path}/enter"), &json!({})).await.problem(409, "tournament_refused");
    for (member, value) in [
        ("title", json!("a\u{202e}b")),
        ("title", json!("x".repeat(61))),
        ("rounds", json!(0)),
        ("rounds", json!(16)),
        ("most_players", json!(1)),
        ("most_players", json!(501)),
        ("starts_at", json!("soon")),
    ] {
        let mut wanted = wish("swiss", 8);
        wanted[member] = value;
        ann.post("/api/v1/tournaments", &wanted).await.problem(422, "invalid_value");
    }
    ann.post("/api/v1/tournaments", &wish("round_robin", 25)).await.problem(409, "tournament_refused");
    for start in ["2020-01-01T00:00:00Z", "9999-01-01T00:00:00Z"] {
        let mut wanted = wish("swiss", 8);
        wanted["starts_at"] = json!(start);
        ann.post("/api/v1/tournaments", &wanted).await.problem(409, "tournament_refused");
    }
    let mut unlimited = wish("swiss", 8);
    unlimited["time_control"] = json!({});
    ann.post("/api/v1/tournaments", &unlimited).await.problem(409, "time_control_not_possible");
    for _ in 1..5 {
        ann.post("/api/v1/tournaments", &wish("swiss", 8)).await.expect_status(201);
    }
    ann.post("/api/v1/tournaments", &wish("swiss", 8)).await.problem(409, "quota_reached");
    let nobody = "/api/v1/tournaments/00000000-0000-0000-0000-000000000000";
    app.stranger().get(nobody).await.problem(404, "not_found");
    ann.post(&format!("{nobody}/enter"), &json!({})).await.problem(404, "not_found");
    app.stranger().get("/api/v1/tournaments?limit=101").await.problem(422, "invalid_value");
    for round in [0, 501] {
        let wrong = format!("/api/v1/tournaments/{}?round={round}", uuid::Uuid::nil());
        app.stranger().get(&wrong).await.problem(422, "invalid_value");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_deletes_the_account_is_out_and_cancels_what_has_not_begun() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("round_robin", 3), 3).await;
    let (one, waiting) = (app.player("organiser").await, wish("swiss", 8));
    one.post("/api/v1/tournaments", &waiting).await.expect_status(201);
    let gone = json!({"password": PASSWORD});
    app.log_in("organiser").await.post("/api/v1/me/deletion", &gone).await.expect_status(204);
    let open = app.stranger().get("/api/v1/tournaments?status=open").await.ok();
    assert_eq!(open["tournaments"], json!([]));
    season.play(|first, _| first == "player0").await;
    app.log_in("player0").await.post("/api/v1/me/deletion", &gone).await.expect_status(204);
    step(&app).await;
    for _ in 0..3 {
        season.play(|first, _| first == "player1").await;
    }
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "finished");
    season.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_create_enter_watch_and_leave_tournaments_on_pages() {
    let app = TestApp::start().await;
    app.player("ann").await;
    app.player("bob").await;
    let ann = Browsing::log_in(&app, "ann").await;
    let page = ann.get("/tournaments/new?rules=pip-pip").await.expect(200).html;
    assert!(page.contains("name=\"most_players\""), "{page}");
    let fields = [
        ("rules", "pip-pip"),
        ("title", "Winter <b>"),
        ("kind", "swiss"),
        ("rounds", "3"),
        ("most_players", "2"),
        ("starts", "full"),
        ("pace", "3-days"),
    ];
    // Of a round robin 25 are too many; the form comes back with what was typed.
    for (kind, players) in [("swiss", "1"), ("round_robin", "25")] {
        let mut wrong = fields;
        (wrong[2].1, wrong[4].1) = (kind, players);
        let refused = ann.post("/tournaments/new", &wrong).await.expect(422).html;
        assert!(refused.contains("So many players are not possible here"), "{refused}");
        assert!(refused.contains(&format!("value=\"{players}\"")), "{refused}");
        ann.get("/tournaments/new?rules=pip-pip").await.expect(200);
    }
    let path = ann.post("/tournaments/new", &fields).await.location();
    let page = ann.get(&path).await.expect(200).html;
    assert!(page.contains("Winter &lt;b&gt;") && page.contains("Take part"), "{page}");
    assert_eq!(ann.post(&format!("{path}/enter"), &[]).await.location(), path);
    let page = ann.get(&path).await.expect(200).html;
    assert!(page.contains("You take part.") && page.contains("Withdraw"), "{page}");
    let bob = Browsing::log_in(&app, "bob").await;
    bob.get(&path).await.expect(200);
    bob.post(&format!("{path}/enter"), &[]).await.location();
    step(&app).await;
    let page = bob.get(&path).await.expect(200).html;
    assert!(page.contains("Round 1") && page.contains("href=\"/games/"), "{page}");
    assert!(page.contains("To your game"), "{page}");
    let watched = Browsing::of(&app).get(&path).await.expect(200).html;
    assert!(!watched.contains("To your game"), "{watched}");
    bob.post(&format!("{path}/withdraw"), &[]).await.location();
    let page = Browsing::of(&app).reading("de").get(&path).await.expect(200).html;
    assert!(page.contains("ausgeschieden in Runde 1"), "{page}");
    let list = Browsing::of(&app).get("/tournaments?status=running&cursor=%3C").await.expect(200).html;
    assert!(list.contains("Winter &lt;b&gt;"), "{list}");
    Browsing::of(&app).get("/tournaments/nonsense").await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn tournaments_and_their_rounds_are_found_by_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let rows = "insert into tournaments select gen_random_uuid(), 't', gen_random_uuid(), 'pip-pip', '{}', '{}', 'swiss', 5, 8, true, now(), \
            case when i % 9 = 0 then 'running' else 'finished' end, 1, '', '', '', now(), now(), case when i % 9 = 0 then now() end \
            from generate_series(1, 9000) i; \
        insert into tournament_players (tournament_id, player_id) \
            select id, gen_random_uuid() from tournaments, generate_series(1, 3); \
        insert into tournament_pairings select id, r, 1, 0 from tournaments, generate_series(1, 3) r; analyze";
    connection.batch_execute(rows).await.expect("rows");
    let id = "'00000000-0000-0000-0000-000000000007'::uuid";
    for (statement, index) in [
        (
            "select id from tournaments where due_at <= '2020-01-01' order by due_at limit 20".to_owned(),
            "tournaments_due",
        ),
        (
            "select id from tournaments where status = 'running' order by id desc limit 21".to_owned(),
            "tournaments_status",
        ),
        (format!("select id from tournaments where id < {id} order by id desc limit 21"), "tournaments_pkey"),
        (
            format!(
                "select id from tournaments where organiser_id = {id} and status = any('{{open,running}}')"
            ),
            "tournaments_organiser",
        ),
        (format!("select id from tournaments where previous_id = {id}"), "tournaments_previous"),
        (
            format!("select number from tournament_players where tournament_id = {id}"),
            "tournament_players_pkey",
        ),
        (
            format!("select number from tournament_players where player_id = {id}"),
            "tournament_players_player",
        ),
        (format!("select number from tournament_players where club_id = {id}"), "tournament_players_club"),
        (
            format!("select board from tournament_pairings where tournament_id = {id} and round = 2"),
            "tournament_pairings_pkey",
        ),
    ] {
        let plan = plan(&mut connection, &statement).await;
        assert!(plan.contains(index), "{index} is not used:\n{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}
