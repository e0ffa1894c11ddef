//! Leagues through the API and on pages: seasons that follow by themselves, who rises and falls, who comes in and who is gone.

use std::collections::{BTreeMap, BTreeSet};

use pippost::games::tournaments::BREAK;
use serde_json::{Value, json};
use support::TestApp;
use support::browsing::Browsing;

use super::{Season, check_chance, step, text, wish};

/// A league of two divisions of four, of which one rises and one falls.
fn league(seasons: &Value) -> Value {
    let mut wanted = wish("league", 8);
    wanted["league"] = json!({"division_size": 4, "promoted": 1, "seasons": seasons});
    wanted
}

/// The handles of each division, the best first.
fn divisions(table: &Value) -> Vec<Vec<String>> {
    let mut all: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for row in table["standings"].as_array().expect("a list") {
        let division = row["division"].as_u64().expect("a division");
        all.entry(division).or_default().push(text(&row["handle"]).to_owned());
    }
    all.into_values().collect()
}

/// The season that follows on this one.
async fn next<'a>(season: &Season<'a>) -> Season<'a> {
    let league = &season.table().await["tournament"]["league"];
    let path = format!("/api/v1/tournaments/{}", text(&league["next"]));
    Season { app: season.app, path, players: BTreeMap::new() }
}

/// Plays until the season is over: of two the higher name loses.
async fn play_out(season: &Season<'_>) {
    while season.table().await["tournament"]["status"] == "running" {
        season.play(|first, second| first > second).await;
    }
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "finished");
    season.check_divisions().await;
    check_chance(season).await;
}

impl Season<'_> {
    /// Everybody has met everybody of the division but those who had left, and nobody else; places begin anew in each.
    async fn check_divisions(&self) {
        let table = self.table().await;
        let parts = divisions(&table);
        let mut met: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for round in 1..=table["tournament"]["round"].as_u64().expect("a number") {
            for pairing in self.round(round).await {
                let Some(second) = pairing["second"].as_str() else { continue };
                let first = text(&pairing["first"]);
                assert!(
                    met.entry(first.to_owned()).or_default().insert(second.to_owned()),
                    "{pairing} again"
                );
                assert!(
                    met.entry(second.to_owned()).or_default().insert(first.to_owned()),
                    "{pairing} again"
                );
            }
        }
        let left: BTreeSet<&str> = table["standings"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|row| row["left_round"].is_number())
            .map(|row| text(&row["handle"]))
            .collect();
        let stays = |one: &&String| !left.contains(one.as_str());
        for part in &parts {
            for one in part.iter().filter(stays) {
                let others: BTreeSet<&String> =
                    part.iter().filter(stays).filter(|other| *other != one).collect();
                let its: BTreeSet<&String> = met[one].iter().filter(stays).collect();
                assert_eq!(its, others, "{one}");
                assert!(met[one].iter().all(|other| part.contains(other)), "{one} met {:?}", met[one]);
            }
        }
        for row in table["standings"].as_array().expect("a list") {
            let better = |other: &&Value| {
                let merits = |row: &Value| {
                    ["points", "buchholz", "sonneborn_berger", "direct", "wins"]
                        .map(|name| row[name].as_f64().expect("a number"))
                };
                other["division"] == row["division"] && merits(other) > merits(row)
            };
            let above = table["standings"].as_array().expect("a list").iter().filter(better).count();
            assert_eq!(row["place"], above + 1, "{row}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_best_rise_the_last_fall_and_a_free_place_goes_to_who_waits() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &league(&json!(2)), 9).await;
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "running");
    assert_eq!((&table["tournament"]["players"], &table["tournament"]["waiting"]), (&json!(8), &json!(1)));
    assert_eq!((&table["waiting"], &table["tournament"]["rounds"]), (&json!(["player8"]), &json!(3)));
    assert_eq!(table["pairings"].as_array().map(Vec::len), Some(4));
    // Somebody of the first division leaves.
    let leaves = divisions(&table)[0][1].clone();
    season.play(|first, second| first > second).await;
    let withdraw = format!("{}/withdraw", season.path);
    app.log_in(&leaves).await.post(&withdraw, &json!({})).await.expect_status(204);
    play_out(&season).await;
    let [first, second]: [Vec<String>; 2] = divisions(&season.table().await).try_into().expect("two");

    let next = next(&season).await;
    let table = next.table().await;
    let one = &table["tournament"];
    assert_eq!((&one["status"], &one["players"], &one["secret"]), (&json!("open"), &json!(8), &Value::Null));
    assert_eq!((&one["league"]["season"], &one["league"]["seasons"]), (&json!(2), &json!(2)));
    let before = &season.table().await["tournament"];
    assert_eq!((&one["league"]["previous"], &before["league"]["next"]), (&before["id"], &one["id"]));
    assert_ne!(one["commitment"], before["commitment"]);

    step(&app).await;
    assert_eq!(next.table().await["tournament"]["status"], "open", "there is a break");
    app.app.clock.advance(BREAK);
    step(&app).await;
    let [now_first, now_second]: [Vec<String>; 2] = divisions(&next.table().await).try_into().expect("two");
    let stay: Vec<&String> = first.iter().filter(|one| **one != leaves).collect();
    // The place of who has left goes to the one who would have fallen.
    let expected: BTreeSet<&String> = stay.into_iter().chain([&second[0]]).collect();
    assert_eq!(now_first.iter().collect::<BTreeSet<_>>(), expected);
    let new = "player8".to_owned();
    let expected: BTreeSet<&String> = second[1..].iter().chain([&new]).collect();
    assert_eq!(now_second.iter().collect::<BTreeSet<_>>(), expected);
    play_out(&next).await;
    assert_eq!(next.table().await["tournament"]["league"]["next"], Value::Null, "it was the last one");
    assert_eq!(app.db_count("select count(*) as number from tournaments").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_league_takes_players_while_it_runs_until_its_organiser_ends_it() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &league(&Value::Null), 8).await;
    let (late, other) = (app.player("late").await, app.player("other").await);
    let path = |asked: &str| format!("{}/{asked}", season.path);
    for player in [&late, &other] {
        player.post(&path("enter"), &json!({})).await.expect_status(204);
    }
    late.post(&path("enter"), &json!({})).await.problem(409, "tournament_refused");
    assert_eq!(season.table().await["waiting"], json!(["late", "other"]));
    other.post(&path("withdraw"), &json!({})).await.expect_status(204);
    assert_eq!(season.table().await["tournament"]["waiting"], 1);
    late.post(&path("cancel"), &json!({})).await.problem(409, "tournament_refused");
    play_out(&season).await;
    let second = next(&season).await;
    assert_eq!(second.table().await["waiting"], json!(["late"]), "eight go on");
    assert_eq!(second.table().await["tournament"]["league"]["seasons"], Value::Null);
    app.app.clock.advance(BREAK);
    step(&app).await;

    let organiser = app.log_in("player0").await;
    organiser.post(&format!("{}/cancel", second.path), &json!({})).await.expect_status(204);
    organiser.post(&format!("{}/cancel", second.path), &json!({})).await.problem(409, "tournament_refused");
    let other = app.log_in("other").await;
    other.post(&format!("{}/enter", second.path), &json!({})).await.problem(409, "tournament_refused");
    play_out(&second).await;
    let league = &second.table().await["tournament"]["league"];
    assert_eq!(
        (&league["season"], &league["seasons"], &league["next"]),
        (&json!(2), &json!(2), &Value::Null)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_season_follows_when_the_organiser_is_gone() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &league(&Value::Null), 8).await;
    let gone = json!({"password": support::PASSWORD});
    app.log_in("player0").await.post("/api/v1/me/deletion", &gone).await.expect_status(204);
    step(&app).await;
    while season.table().await["tournament"]["status"] == "running" {
        season.play(|first, second| first > second).await;
    }
    assert_eq!(season.table().await["tournament"]["league"]["next"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn impossible_leagues_are_refused() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for (member, value) in
        [("division_size", 3), ("division_size", 17), ("promoted", 0), ("promoted", 9), ("seasons", 101)]
    {
        let mut wanted = league(&Value::Null);
        wanted["league"][member] = json!(value);
        ann.post("/api/v1/tournaments", &wanted).await.problem(422, "invalid_value");
    }
    let mut wanted = league(&Value::Null);
    wanted["league"]["promoted"] = json!(3);
    ann.post("/api/v1/tournaments", &wanted).await.problem(409, "tournament_refused");
    wanted = wish("swiss", 8);
    wanted["league"] = json!({});
    ann.post("/api/v1/tournaments", &wanted).await.problem(409, "tournament_refused");
    let created = ann.post("/api/v1/tournaments", &wish("league", 8)).await.expect_status(201).json();
    let league = &created["league"];
    assert_eq!((&league["division_size"], &league["promoted"]), (&json!(8), &json!(2)), "the usual ones");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_create_a_league_and_see_its_divisions_and_seasons_on_pages() {
    let app = TestApp::start().await;
    let players = ["ann", "bob", "carol", "dora", "emil", "fay", "gus", "hal"];
    for handle in players {
        app.player(handle).await;
    }
    let ann = Browsing::log_in(&app, "ann").await;
    let mut fields = [
        ("rules", "pip-pip"),
        ("title", "Ladder"),
        ("kind", "league"),
        ("rounds", "3"),
        ("division_size", "4"),
        ("promoted", "3"),
        ("seasons", ""),
        ("most_players", "8"),
        ("starts", "full"),
        ("pace", "3-days"),
    ];
    ann.get("/tournaments/new?rules=pip-pip").await.expect(200);
    let refused = ann.post("/tournaments/new", &fields).await.expect(422).html;
    assert!(refused.contains("of whom at most half rise and fall"), "{refused}");
    fields[5].1 = "1";
    ann.get("/tournaments/new?rules=pip-pip").await.expect(200);
    let path = ann.post("/tournaments/new", &fields).await.location();
    for handle in players {
        let player = app.log_in(handle).await;
        player.post(&format!("/api/v1{path}/enter"), &json!({})).await.expect_status(204);
    }
    step(&app).await;
    let page = ann.get(&path).await.expect(200).html;
    assert!(page.contains("<h3>Division 1</h3>") && page.contains("<h3>Division 2</h3>"), "{page}");
    assert!(page.contains("No further season"), "{page}");
    let season = Season { app: &app, path: format!("/api/v1{path}"), players: BTreeMap::new() };
    play_out(&season).await;
    let page = Browsing::of(&app).reading("de").get(&path).await.expect(200).html;
    let next = next(&season).await.path;
    let address = next.trim_start_matches("/api/v1");
    let (button, link) =
        [" class=\"button\"", ""].map(|class| format!("<a{class} href=\"{address}\">Saison 2</a>")).into();
    assert!(page.contains("<h3>Spielklasse 2</h3>") && page.contains(&link), "{page}");
    let best = season.table().await["standings"][0]["handle"].clone();
    assert!(page.contains(&format!("Erster Platz: {}", text(&best))) && page.contains(&button), "{page}");
    let list = Browsing::of(&app).get("/tournaments?status=open").await.expect(200).html;
    assert!(list.contains("League · Season 2"), "{list}");
}
