//! Places of clubs in tournaments, added up once more from what is public.

use std::collections::{BTreeMap, BTreeSet};

use pippost::games::clubs::{self, Wanted};
use pippost::store::commit;
use pippost::store::moderation::{self, ActKind, Decision, Verdict};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Season, step, text, wish};
use support::client::Answer;
use support::{Client, PASSWORD, TestApp};

async fn id_of(app: &TestApp, handle: &str) -> Uuid {
    app.app.accounts.player_named(handle).await.expect("a player").id
}

/// A club of the first of these, which the others have joined.
pub async fn club(app: &TestApp, name: &str, handles: &[&str]) -> Uuid {
    let games = &app.app.games;
    let wanted = Wanted { name: name.to_owned(), about: String::new(), open: true };
    let prepared =
        clubs::prepare(games, id_of(app, handles[0]).await, &wanted).await.expect("a possible club");
    let club = clubs::make(games, &prepared, None).await.expect("a club");
    for handle in &handles[1..] {
        clubs::join(games, club, id_of(app, handle).await).await.expect("a member");
    }
    club
}

/// A tournament of so many for places of clubs, which nobody has entered.
async fn open<'a>(app: &'a TestApp, kind: &str, players: usize) -> Season<'a> {
    let mut all = BTreeMap::new();
    for number in 0..players {
        let handle = format!("player{number}");
        all.insert(handle.clone(), app.player(&handle).await);
    }
    let mut wanted = wish(kind, players);
    wanted["team_size"] = json!(3);
    wanted["rounds"] = json!(4);
    let created = all["player0"].post("/api/v1/tournaments", &wanted).await.expect_status(201).json();
    assert_eq!(created["team_size"], 3);
    let path = format!("/api/v1/tournaments/{}", text(&created["id"]));
    Season { app, path, players: all }
}

impl Season<'_> {
    /// Lets a player enter, or choose another club.
    async fn enter(&self, handle: &str, club: Option<Uuid>) -> Answer {
        self.players[handle].post(&format!("{}/enter", self.path), &json!({ "club": club })).await
    }
}

fn list<'a>(table: &'a Value, name: &str) -> &'a Vec<Value> {
    table[name].as_array().expect("a list")
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().expect("a number")
}

/// The clubs of players, by handle.
fn clubs_of(table: &Value) -> BTreeMap<&str, &Value> {
    list(table, "standings").iter().map(|row| (text(&row["handle"]), &row["club"])).collect()
}

/// Adds up the places of clubs from the standings; the names of clubs alone are taken as they are told.
fn check_teams(table: &Value) {
    let size = table["tournament"]["team_size"].as_u64().expect("a number");
    let mut counted: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for row in list(table, "standings") {
        let Some(club) = row["club"].as_str() else { continue };
        let rows = counted.entry(club).or_default();
        if (rows.len() as u64) < size {
            rows.push(row);
        }
    }
    let merits = |club: &str| {
        let sum = |name: &str| -> f64 { counted[club].iter().map(|row| number(row, name)).sum() };
        [sum("points"), sum("buchholz"), -number(counted[club][0], "place")]
    };
    let teams = list(table, "teams");
    assert_eq!(teams.len(), counted.len());
    for team in teams {
        let club = text(&team["club"]);
        let own = merits(club);
        let place = 1 + counted.keys().filter(|other| merits(other) > own).count();
        let players: Vec<&Value> = counted[club].iter().map(|row| &row["handle"]).collect();
        let expected = json!({
            "place": place, "club": club, "name": team["name"], "points": own[0], "buchholz": own[1],
            "players": players,
        });
        assert_eq!(team, &expected);
    }
    let order = |team: &Value| (team["place"].as_u64(), team["name"].as_str().map(str::to_owned));
    assert!(teams.is_sorted_by_key(order), "{teams:?}");
}

/// Whether all of these can be paired so that nobody meets somebody twice or somebody of the own club.
fn can_be_parted(left: &[&str], met: &BTreeSet<[String; 2]>, clubs: &BTreeMap<&str, &Value>) -> bool {
    let Some((one, rest)) = left.split_first() else { return true };
    (0..rest.len()).any(|at| {
        let mut others = rest.to_vec();
        let other = others.remove(at);
        let share = clubs[one].is_string() && clubs[one] == clubs[other];
        !share && !met.contains(&pair(one, other)) && can_be_parted(&others, met, clubs)
    })
}

fn pair(one: &str, other: &str) -> [String; 2] {
    let mut pair = [one.to_owned(), other.to_owned()];
    pair.sort();
    pair
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swiss_of_three_clubs_has_places_that_are_added_up_from_its_public_table() {
    let app = TestApp::start().await;
    let season = open(&app, "swiss", 10).await;
    let dice = club(&app, "Dice", &["player0", "player1", "player2", "player3"]).await;
    let aces = club(&app, "Aces", &["player4", "player5", "player6"]).await;
    let cups = club(&app, "Cups", &["player7", "player8"]).await;
    for number in 0..10 {
        let club = [dice, dice, dice, dice, aces, aces, aces, cups, cups].get(number).copied();
        season.enter(&format!("player{number}"), club).await.expect_status(204);
        if number == 8 {
            let table = season.table().await;
            let names: Vec<&str> = list(&table, "teams").iter().map(|team| text(&team["name"])).collect();
            assert_eq!(names, ["Aces", "Cups", "Dice"], "equals by name");
            check_teams(&table);
        }
    }
    step(&app).await;
    let mut met = BTreeSet::new();
    for round in 1..=4 {
        let table = season.table().await;
        assert_eq!(table["tournament"]["round"], round);
        let clubs = clubs_of(&table);
        let everybody: Vec<&str> = clubs.keys().copied().collect();
        let pairs: Vec<[String; 2]> = list(&table, "pairings")
            .iter()
            .map(|pairing| pair(text(&pairing["first"]), text(&pairing["second"])))
            .collect();
        let share = |pair: &[String; 2]| clubs[&*pair[0]].is_string() && clubs[&*pair[0]] == clubs[&*pair[1]];
        assert_eq!(pairs.iter().any(share), !can_be_parted(&everybody, &met, &clubs), "round {round}");
        met.extend(pairs);
        season.play(|first, second| first > second).await;
        check_teams(&season.table().await);
    }
    let table = season.table().await;
    assert_eq!(table["tournament"]["status"], "finished");
    season.check().await;
    let teams = list(&table, "teams");
    assert_eq!(teams[0]["name"], "Dice", "lower handles win");
    let counted: Vec<usize> = teams.iter().map(|team| list(team, "players").len()).collect();
    assert_eq!(counted.iter().sum::<usize>(), 8, "three, three and two: {teams:?}");
    let feed = app.stranger().get(&format!("{}/feed?limit=100", season.path)).await.ok();
    let last = &list(&feed, "entries").last().expect("events")["event"];
    assert_eq!((&last["type"], &last["standings"]), (&json!("finished"), &table["standings"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_is_chosen_again_until_the_start_and_counts_for_good_from_then_on() {
    let app = TestApp::start().await;
    let season = open(&app, "round_robin", 4).await;
    let dice = club(&app, "Dice", &["player0", "player1", "player3"]).await;
    let aces = club(&app, "Aces", &["player1", "player2"]).await;
    for (handle, club) in [("player0", aces), ("player3", aces), ("player0", Uuid::nil())] {
        season.enter(handle, Some(club)).await.problem(409, "tournament_refused");
    }
    let wrong = json!({"club": "dice"});
    season.players["player0"]
        .post(&format!("{}/enter", season.path), &wrong)
        .await
        .problem(422, "invalid_value");
    assert_eq!(list(&season.table().await, "standings").len(), 0);
    for (handle, club) in [
        ("player0", Some(dice)),
        ("player1", Some(dice)),
        ("player1", None),
        ("player1", Some(aces)),
        ("player2", Some(aces)),
    ] {
        season.enter(handle, club).await.expect_status(204);
    }
    let of = async |handle: &str| clubs_of(&season.table().await)[handle].clone();
    assert_eq!((of("player0").await, of("player1").await), (json!(dice), json!(aces)));
    // A player who leaves a club before the start does not play for it, and does again after joining it once more.
    let (games, second) = (&app.app.games, id_of(&app, "player2").await);
    clubs::leave(games, aces, second).await.expect("left");
    assert_eq!(of("player2").await, Value::Null);
    clubs::join(games, aces, second).await.expect("joined");
    assert_eq!(of("player2").await, json!(aces));
    clubs::leave(games, aces, second).await.expect("left");
    season.enter("player3", Some(dice)).await.expect_status(204);
    step(&app).await;
    clubs::join(games, aces, second).await.expect("joined");
    assert_eq!(of("player2").await, Value::Null, "it was final at the start");
    season.enter("player2", Some(aces)).await.problem(409, "tournament_refused");
    clubs::leave(games, dice, id_of(&app, "player3").await).await.expect("left");
    assert_eq!(of("player3").await, json!(dice));
    check_teams(&season.table().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn clubs_play_for_no_places_unless_the_organiser_says_so_and_never_in_a_league() {
    let app = TestApp::start().await;
    let ann: Client = app.player("ann").await;
    let dice = club(&app, "Dice", &["ann"]).await;
    let mut wanted = wish("swiss", 4);
    let created = ann.post("/api/v1/tournaments", &wanted).await.expect_status(201).json();
    assert_eq!(created["team_size"], Value::Null);
    let enter = format!("/api/v1/tournaments/{}/enter", text(&created["id"]));
    ann.post(&enter, &json!({ "club": dice })).await.problem(409, "tournament_refused");
    ann.post(&enter, &json!({"club": null})).await.expect_status(204);
    ann.post(&enter, &json!({})).await.problem(409, "tournament_refused");
    for size in [0, 1, 21] {
        wanted["team_size"] = json!(size);
        ann.post("/api/v1/tournaments", &wanted).await.problem(422, "invalid_value");
    }
    let mut league = wish("league", 8);
    league["team_size"] = json!(2);
    ann.post("/api/v1/tournaments", &league).await.problem(409, "tournament_refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_club_keeps_name_and_place_unless_an_operator_hides_who_has_written_it() {
    let app = TestApp::start().await;
    let season = open(&app, "knock_out", 4).await;
    let dice = club(&app, "Dice", &["player0", "player1"]).await;
    let aces = club(&app, "Aces", &["player2"]).await;
    for (handle, club) in [("player0", dice), ("player1", dice), ("player2", aces)] {
        season.enter(handle, Some(club)).await.expect_status(204);
    }
    season.enter("player3", None).await.expect_status(204);
    step(&app).await;
    let (games, database) = (&app.app.games, &app.app.database);
    let unused = club(&app, "Unused", &["player3"]).await;
    clubs::close(games, unused, id_of(&app, "player3").await).await.expect("closed");
    clubs::close(games, dice, id_of(&app, "player0").await).await.expect("closed");
    assert_eq!(app.db_count("select count(*) as number from closed_clubs").await, 1);
    let names = async || {
        let table = season.table().await;
        check_teams(&table);
        let named =
            list(&table, "teams").iter().map(|team| (text(&team["club"]).to_owned(), team["name"].clone()));
        let named: BTreeMap<String, Value> = named.collect();
        (named[&dice.to_string()].clone(), named[&aces.to_string()].clone())
    };
    assert_eq!(names().await, (json!("Dice"), json!("Aces")));
    let player = app.log_in("player0").await;
    let zip = player.get("/api/v1/me/data.zip").await.expect_status(200).body.clone();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip)).expect("an archive");
    for (part, member) in [("tournaments", "club"), ("clubs-closed", "name")] {
        let part = zip.by_name(&format!("{part}.ndjson")).expect("a part");
        let line: Value =
            serde_json::from_str(&std::io::read_to_string(part).expect("text")).expect("one line");
        assert_eq!(line[member], "Dice", "{line}");
    }

    // While whoever has written the names is muted, nobody reads them here.
    let mut acts = Vec::new();
    for handle in ["player0", "player2"] {
        let report = json!({"handle": handle, "reason": "insult"});
        app.log_in("player3").await.post("/api/v1/me/reports", &report).await.expect_status(204);
        let reported = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
        let mute = Decision { kind: ActKind::Mute, words: "Be kind.", ends_at: None };
        let now = app.app.clock.now();
        acts.push(
            moderation::decide(database, reported.id, &mute, now).await.expect("a decision").expect("an act"),
        );
    }
    assert_eq!(names().await, (Value::Null, Value::Null));
    for act in acts {
        let now = app.app.clock.now();
        assert!(commit::judge(database, act, Verdict::Lifted, now).await.expect("a verdict"));
    }
    assert_eq!(names().await, (json!("Dice"), json!("Aces")));
    // Accounts that end close the clubs that they alone were in, and names stay.
    for handle in ["player2", "player0"] {
        let gone = json!({"password": PASSWORD});
        app.log_in(handle).await.post("/api/v1/me/deletion", &gone).await.expect_status(204);
    }
    assert_eq!(names().await, (json!("Dice"), json!("Aces")));
    assert_eq!(app.db_count("select count(*) as number from clubs").await, 0);
    assert_eq!(app.db_count("select count(*) as number from closed_clubs where written_by is null").await, 2);
}
