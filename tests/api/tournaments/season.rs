//! A season of bots on the simulated clock: a Swiss, a double elimination and a league of two seasons in three rule sets, with players
//! who withdraw, run out of time, abort and go on holiday. In the end an independent program recomputes all tables, tie-breaks and
//! ratings from records and public JSON alone. `PIPPOST_SEASON_PLAYERS` says how many play.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use pippost::games::{audit, clocks, playing, ratings, reliability};
use serde_json::{Value, json};
use support::sample::Sampler;
use support::samples::samples;
use support::skipped::skipped;
use support::{Client, TestApp};
use time::Duration;
use uuid::Uuid;

use super::teams::club;
use super::{step, text, wish};

/// How many play unless the variable says otherwise, and how many with large samples.
const PLAYERS: [usize; 2] = [12, 200];

/// After so many actions whoever is to act resigns, so that the season ends soon.
const MAX_ACTIONS: u64 = 14;

/// How many players a club has; of three in a row, those of the third have none.
const CLUB_SIZE: usize = 4;

/// How often a bot acts before the clock moves on.
const ACTIONS_A_VISIT: usize = 5;

/// How long a bot waits for an answer.
const MAX_SILENCE: std::time::Duration = std::time::Duration::from_mins(1);

/// How far the clock moves at once, and how often at most.
const TICK: Duration = Duration::hours(9);
const MAX_TICKS: usize = 1500;

/// The season that the bots play.
struct Bots {
    app: TestApp,
    players: BTreeMap<String, Client>,
    /// The ids of tournaments, by their kind; of a league its newest season.
    newest: BTreeMap<&'static str, String>,
    sampler: Sampler,
    /// The clubs of players.
    clubs: BTreeMap<String, Uuid>,
    /// Who never acts in the Swiss from the second round on.
    sleeps: String,
    /// Who is away for the first days, and acts in nothing meanwhile.
    away: String,
    /// Whether nobody has aborted a game yet.
    aborts: bool,
}

fn handle(number: usize) -> String {
    format!("player{number:03}")
}

fn players() -> usize {
    let wanted = std::env::var("PIPPOST_SEASON_PLAYERS").ok();
    let number = |text: String| text.parse().expect("PIPPOST_SEASON_PLAYERS is a number");
    wanted.map_or_else(|| samples(PLAYERS[0], PLAYERS[1]), number)
}

impl Bots {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let mut players_by_handle = BTreeMap::new();
        for number in 0..players() {
            let session = app.player(&handle(number)).await;
            let wanted = json!({"name": "bot", "scopes": ["read", "play", "manage"]});
            let token = session.post("/api/v1/me/tokens", &wanted).await.expect_status(201).json();
            let client = Client::new(&app.url, token["token"].as_str().map(str::to_owned));
            // One that kept its connection would take one of the places that an address has.
            let client = client.with_timeout(&app.url, MAX_SILENCE);
            players_by_handle.insert(handle(number), client);
        }
        let handles: Vec<String> = players_by_handle.keys().cloned().collect();
        let mut clubs = BTreeMap::new();
        for (number, members) in handles.chunks(CLUB_SIZE).enumerate().filter(|(number, _)| number % 3 < 2) {
            let members: Vec<&str> = members.iter().map(String::as_str).collect();
            let club = club(&app, &format!("Club {number}"), &members).await;
            clubs.extend(members.into_iter().map(|handle| (handle.to_owned(), club)));
        }
        Self {
            app,
            players: players_by_handle,
            newest: BTreeMap::new(),
            clubs,
            sampler: Sampler::new(46),
            sleeps: handle(1),
            away: handle(2),
            aborts: true,
        }
    }

    fn path(&self, kind: &str) -> String {
        format!("/api/v1/tournaments/{}", self.newest[kind])
    }

    async fn create(&mut self, kind: &'static str, rules: &str, further: Value) {
        let mut wanted = wish(kind, self.players.len());
        wanted["rules"] = json!(rules);
        wanted.as_object_mut().expect("an object").extend(further.as_object().cloned().unwrap_or_default());
        let organiser = &self.players[&handle(0)];
        let created = organiser.post("/api/v1/tournaments", &wanted).await.expect_status(201).json();
        self.newest.insert(kind, text(&created["id"]).to_owned());
        let clubs = wanted["team_size"].is_number().then_some(&self.clubs);
        for (handle, player) in &self.players {
            let club = clubs.and_then(|clubs| clubs.get(handle));
            let entry = json!({ "club": club });
            player.post(&format!("{}/enter", self.path(kind)), &entry).await.expect_status(204);
        }
    }

    async fn table(&self, kind: &str) -> Value {
        self.app.stranger().unchecked().get(&self.path(kind)).await.ok()
    }

    async fn withdraw(&self, kind: &str, number: usize) {
        let path = format!("{}/withdraw", self.path(kind));
        self.players[&handle(number)].post(&path, &json!({})).await.expect_status(204);
    }

    /// Whether a player acts in a game of the newest round of a tournament.
    fn acts(&self, handle: &str, kind: &str, round: u64) -> bool {
        let is_away = handle == self.away && self.app.app.clock.now() < support::START + Duration::days(8);
        let is_asleep = handle == self.sleeps && kind == "swiss" && round > 1;
        !is_away && !is_asleep
    }

    /// Some actions in each running game of a tournament.
    async fn play(&mut self, kind: &str) {
        let table = self.table(kind).await;
        let round = table["tournament"]["round"].as_u64().expect("a number");
        for pairing in table["pairings"].as_array().expect("a list") {
            let (Some(game), true) = (pairing["game"].as_str(), pairing["outcome"].is_null()) else {
                continue;
            };
            let seats = [text(&pairing["first"]), text(&pairing["second"])];
            self.visit(&format!("/api/v1/games/{game}"), seats, (kind, round)).await;
        }
    }

    async fn visit(&mut self, game: &str, seats: [&str; 2], (kind, round): (&str, u64)) {
        let mut view = self.app.stranger().unchecked().get(game).await.ok();
        for _ in 0..ACTIONS_A_VISIT {
            let Some(seat) = view["to_act"].as_u64().and_then(|seat| usize::try_from(seat).ok()) else {
                return;
            };
            if !self.acts(seats[seat], kind, round) {
                return;
            }
            let player = &self.players[seats[seat]];
            let seq = view["seq"].as_u64().expect("a number");
            if seq >= MAX_ACTIONS {
                player.post(&format!("{game}/resign"), &json!({})).await.ok();
                return;
            }
            if seq == 0 && std::mem::take(&mut self.aborts) {
                player.post(&format!("{game}/abort"), &json!({})).await.ok();
                return;
            }
            let legal = player.get(&format!("{game}/actions")).await.ok();
            let action = self.sampler.action(legal["actions"].as_array().expect("a list"));
            let body = json!({"actions": [action], "expected_seq": seq});
            view = player.post(&format!("{game}/moves"), &body).await.ok()["game"].clone();
        }
    }

    /// What workers do.
    async fn work(&self) {
        let games = &self.app.app.games;
        clocks::take_updates(games).await.expect("a step");
        while playing::let_flags_fall(games).await.expect("a step") > 0 {}
        step(&self.app).await;
    }

    /// Plays until everything is over; who withdraws does so on the way. Returns the ids of all tournaments.
    async fn play_out(&mut self) -> BTreeSet<String> {
        let mut all: BTreeSet<String> = self.newest.values().cloned().collect();
        for tick in 0..MAX_TICKS {
            match tick {
                2 => self.withdraw("league", 3).await,
                4 => self.withdraw("double_elimination", 4).await,
                5 => self.withdraw("swiss", 5).await,
                _ => {}
            }
            let mut is_over = true;
            for kind in self.newest.keys().copied().collect::<Vec<_>>() {
                self.play(kind).await;
                let one = self.table(kind).await["tournament"].clone();
                if let Some(next) = one["league"]["next"].as_str() {
                    all.insert(next.to_owned());
                    self.newest.insert(kind, next.to_owned());
                    is_over = false;
                }
                is_over &= one["status"] == "finished";
            }
            if is_over {
                return all;
            }
            self.work().await;
            self.app.app.clock.advance(TICK);
            self.work().await;
        }
        panic!("the season does not end");
    }

    /// Writes records and tables into a folder; returns the games.
    async fn export(&self, all: &BTreeSet<String>, folder: &Path) -> Vec<String> {
        let stranger = self.app.stranger();
        let mut games = Vec::new();
        for part in ["records", "tournaments"] {
            std::fs::create_dir(folder.join(part)).expect("a folder");
        }
        for id in all {
            let path = format!("/api/v1/tournaments/{id}");
            let table = stranger.get(&path).await.ok();
            let mut rounds = Vec::new();
            for round in 1..=table["tournament"]["round"].as_u64().expect("a number") {
                let shown = stranger.get(&format!("{path}?round={round}")).await.ok();
                let pairings = shown["pairings"].as_array().expect("a list").clone();
                games.extend(pairings.iter().filter_map(|one| one["game"].as_str()).map(str::to_owned));
                rounds.push(pairings);
            }
            let written = json!({"table": table, "rounds": rounds}).to_string();
            std::fs::write(folder.join(format!("tournaments/{id}.json")), written).expect("a file");
        }
        for game in &games {
            let record = stranger.unchecked().get(&format!("/api/v1/games/{game}/record?with=clock")).await;
            std::fs::write(folder.join(format!("records/{game}.ndjson")), record.body).expect("a file");
        }
        games
    }

    /// What the server shows of what the program recomputes.
    async fn shown(&self, all: &BTreeSet<String>) -> Value {
        let stranger = self.app.stranger();
        let (mut tournaments, mut ratings, mut outcomes) = (json!({}), json!({}), json!({}));
        let mut teams = json!({});
        for id in all {
            let path = format!("/api/v1/tournaments/{id}");
            let table = stranger.get(&path).await.ok();
            let mut rows = table["standings"].clone();
            for row in rows.as_array_mut().expect("a list") {
                for told in ["left_round", "club"] {
                    row.as_object_mut().expect("an object").remove(told);
                }
            }
            tournaments[id] = rows;
            teams[id] = json!({});
            for team in table["teams"].as_array().expect("a list") {
                let mut told = team.clone();
                told.as_object_mut().expect("an object").retain(|name, _| name != "club" && name != "name");
                teams[id][text(&team["club"])] = told;
            }
            for round in 1..=table["tournament"]["round"].as_u64().expect("a number") {
                let shown = stranger.get(&format!("{path}?round={round}")).await.ok();
                for pairing in shown["pairings"].as_array().expect("a list") {
                    if let Some(game) = pairing["game"].as_str() {
                        outcomes[game] = pairing["outcome"].clone();
                    }
                }
            }
        }
        for handle in self.players.keys() {
            let player = stranger.get(&format!("/api/v1/players/{handle}")).await.ok();
            let mut of_player = player["ratings"].as_array().expect("a list").clone();
            of_player.sort_by_key(|one| ["rules", "pace"].map(|name| text(&one[name]).to_owned()));
            if !of_player.is_empty() {
                ratings[handle] = json!(of_player);
            }
        }
        json!({"tournaments": tournaments, "teams": teams, "ratings": ratings, "outcomes": outcomes})
    }

    /// Rates all days.
    async fn rate(&self) {
        let games = &self.app.app.games;
        self.app.app.clock.advance(Duration::days(2));
        while reliability::count_ended(games).await.expect("a step") > 0 {}
        while ratings::rate_day(games).await.expect("a step") > 0 {}
    }

    /// What was to happen in this season did.
    async fn check_what_happened(&self, all: &BTreeSet<String>, folder: &Path, games: &[String]) {
        let mut left = BTreeSet::new();
        for id in all {
            let table = self.app.stranger().get(&format!("/api/v1/tournaments/{id}")).await.ok();
            assert_eq!(table["tournament"]["status"], "finished");
            let gone = |row: &&Value| row["left_round"].is_number();
            let rows = table["standings"].as_array().expect("a list");
            left.extend(rows.iter().filter(gone).map(|row| text(&row["handle"]).to_owned()));
        }
        for number in [1, 3, 4, 5] {
            assert!(left.contains(&handle(number)), "{left:?}");
        }
        assert!(!left.contains(&self.away), "the clock stands still on holidays");
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for game in games {
            let record =
                std::fs::read_to_string(folder.join(format!("records/{game}.ndjson"))).expect("a record");
            let footer = record.lines().find(|line| line.contains("\"result\":")).expect("a footer");
            let footer: Value = serde_json::from_str(footer).expect("JSON");
            *reasons.entry(text(&footer["result"]["reason"]).to_owned()).or_default() += 1;
        }
        for reason in ["timeout", "resignation", "abort"] {
            assert!(reasons.contains_key(reason), "{reasons:?}");
        }
        assert_eq!(
            self.app.db_count("select count(*) as number from games").await,
            i64::try_from(games.len()).expect("few")
        );
        let mut found = Vec::new();
        let mut report = |finding: &audit::Finding| found.push(finding.to_string());
        audit::audit_all(&self.app.app.games, false, &mut report).await.expect("an audit");
        assert_eq!(found, [""; 0]);
    }
}

/// What `recompute.py` prints; `None` if there is no Python.
fn recomputed(folder: &Path) -> Option<Value> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/tournaments/recompute.py");
    let output = Command::new("python3").arg("-B").arg(program).arg(folder).output();
    let output = match output {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => panic!("python3: {error}"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_season_of_bots_is_recomputed_from_records_and_public_json_to_the_last_digit() {
    let mut bots = Bots::new().await;
    let swiss = json!({"rounds": 4, "time_control": {"limit_hours": 24}, "team_size": 3});
    bots.create("swiss", "serpent", swiss).await;
    bots.create("double_elimination", "pip-pip", json!({"time_control": {"limit_hours": 36}})).await;
    let bank = json!({"limit_hours": 12, "bank": {"start_hours": 48, "gain_hours": 12, "cap_hours": 72}});
    let league = json!({"division_size": 4, "promoted": 1, "seasons": 2});
    bots.create("league", "pippinzip", json!({"time_control": bank, "league": league})).await;
    let away = json!({"first_day": "2026-11-22", "last_day": "2026-11-29"});
    let session = bots.app.log_in(&bots.away).await;
    session.post("/api/v1/me/holidays", &away).await.expect_status(201);
    bots.work().await;
    let all = bots.play_out().await;
    assert_eq!(all.len(), 4, "the league has two seasons");
    bots.rate().await;
    let folder = tempfile::tempdir().expect("a folder");
    let games = bots.export(&all, folder.path()).await;
    bots.check_what_happened(&all, folder.path(), &games).await;
    let Some(found) = recomputed(folder.path()) else {
        return skipped("the independent recomputation of a season", "there is no python3");
    };
    let shown = bots.shown(&all).await;
    for part in ["outcomes", "tournaments", "teams", "ratings"] {
        let names =
            |value: &Value| value[part].as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&shown), "{part}");
        for name in names(&shown) {
            assert_eq!(found[part][&name], shown[part][&name], "{part} of {name}");
        }
    }
    let teams = shown["teams"].as_object().expect("an object");
    let clubs: usize = teams.values().filter_map(Value::as_object).map(serde_json::Map::len).sum();
    assert_eq!(clubs, bots.clubs.values().collect::<BTreeSet<_>>().len());
    assert_eq!(shown["ratings"].as_object().map(serde_json::Map::len), Some(bots.players.len()));
}
