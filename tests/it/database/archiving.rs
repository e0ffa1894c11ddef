//! The archive of finished games: what it serves is what the database served, nothing is lost wherever a move is cut off, and the
//! guards of history let nothing else go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Instant;

use diesel_async::SimpleAsyncConnection;
use pippost::archive::{Access, Listed};
use pippost::games::audit::Part;
use pippost::games::{GameError, archiving};
use pippost::record::{Hash, verify};
use serde_json::{Value, json};
use tempfile::TempDir;
use time::Duration;
use uuid::Uuid;

use crate::database::audit::{audit, db_plant, play};
use crate::support::process::{command_in, ended_within};
use crate::support::sample::Sampler;
use crate::support::{Client, TestApp, cluster};

/// A day after which games are archived here.
const AFTER_DAYS: u16 = 1;

/// How long a process may take to move games.
const TIME_LIMIT: std::time::Duration = std::time::Duration::from_mins(1);

/// Two servers on one database: one whose processes know no archive, and one with an archive in a folder.
struct Site {
    plain: TestApp,
    app: TestApp,
    folder: TempDir,
    /// Where commands of the program run.
    folder_beside: TempDir,
    players: Vec<Client>,
}

impl Site {
    async fn start() -> Self {
        let plain = TestApp::start().await;
        let mut players = Vec::new();
        for handle in ["ann", "bob", "cat"] {
            players.push(plain.player(handle).await);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let app = plain.archiving(&place(folder.path()), Access::default()).await;
        let players = players.iter().map(|player| player.at(&app.url)).collect();
        let folder_beside = tempfile::tempdir().expect("a folder");
        Self { plain, app, folder, folder_beside, players }
    }

    /// Another process with the same archive, and empty caches.
    async fn again(&self) -> TestApp {
        self.plain.archiving(&place(self.folder.path()), Access::default()).await
    }

    /// Lets the games that are over be due. Sessions end meanwhile.
    fn wait(&self) {
        self.app.app.clock.advance(Duration::days(AFTER_DAYS.into()));
    }

    async fn archive_due(&self) -> usize {
        archiving::archive_due(&self.app.app.games, AFTER_DAYS).await.expect("a step")
    }

    /// A game of two that is over.
    async fn finished(&self, seed: u64) -> Uuid {
        play(&self.players[..2], "pip-pip", &json!({}), 1000, seed).await
    }

    /// Rows of history of a game in the database, and entries of it in the archive.
    async fn db_rows(&self, game: Uuid) -> [i64; 3] {
        let mut counts = [0; 3];
        for (count, table) in counts.iter_mut().zip(["events", "clock_lines", "archived_games"]) {
            let query = format!("select count(*) as number from {table} where game_id = '{game}'");
            *count = self.app.db_count(&query).await;
        }
        counts
    }

    /// The file of an archived game.
    async fn db_file(&self, game: Uuid) -> PathBuf {
        let mut connection = self.app.app.database.get().await.expect("a connection");
        let entry = pippost::store::archived_games::find(&mut connection, game).await.expect("an answer");
        let name = entry.expect("an archived game").name().expect("a name").to_string();
        self.folder.path().join(&name[..2]).join(format!("{name}.game"))
    }

    async fn unreferenced(&self) -> Vec<Listed> {
        let mut found = Vec::new();
        let mut note = |listed: &Listed| found.push(listed.clone());
        archiving::unreferenced(&self.app.app.games, &mut note).await.expect("a list");
        found
    }

    async fn findings(&self) -> Vec<(Part, String)> {
        let found = audit(&self.app, None, false).await.1;
        found.into_iter().map(|finding| (finding.part, finding.what)).collect()
    }
}

fn place(folder: &Path) -> String {
    format!("file:{}", folder.display())
}

fn path_of(game: Uuid) -> String {
    format!("/api/v1/games/{game}")
}

/// A move in a game of ann and bob, by whoever is to act, at that server.
async fn act(app: &TestApp, server: &TestApp, game: Uuid) -> Value {
    let path = path_of(game);
    let seat = app.guest().get(&path).await.ok()["to_act"].as_u64().expect("a seat");
    let player = app.log_in(["ann", "bob"][usize::try_from(seat).expect("a seat")]).await.at(&server.url);
    let legal = player.get(&format!("{path}/actions")).await.ok();
    let action = Sampler::new(7).action(legal["actions"].as_array().expect("a list"));
    player.post(&format!("{path}/moves"), &json!({"actions": [action]})).await.ok()
}

/// Answers by viewer and address: status and body.
type Served = BTreeMap<(usize, String), (u16, Vec<u8>)>;

/// All that is served of a game's past, to its players, to another player and to a guest.
async fn served(server: &TestApp, viewers: &[Client], game: Uuid) -> Served {
    let api = path_of(game);
    let end = viewers[0].get(&api).await.ok()["seq"].as_u64().expect("a number");
    let mut addresses =
        ["", "/record", "/record?with=clock", "/events", "/events?first=2&limit=3", "/clock", "/news"]
            .map(|path| format!("{api}{path}"))
            .to_vec();
    for path in
        ["/feed?limit=500", "/choices", "/replay?first=0&limit=200", "/board.svg", "/board.png", "/board.txt"]
    {
        addresses.push(format!("{api}{path}"));
    }
    for seq in [0, 1, end / 2, end] {
        for path in ["?seq=", "/choices?seq=", "/board.svg?seq=", "/board.txt?seq="] {
            addresses.push(format!("{api}{path}{seq}"));
        }
        addresses.push(format!("/games/{game}/replay/moment?seq={seq}"));
    }
    addresses.push(format!("{api}?turn=1"));
    for path in ["", "/replay", "/check", "/record.ndjson"] {
        addresses.push(format!("/games/{game}{path}"));
    }
    addresses.push("/api/v1/me/feed?limit=500".to_owned());
    addresses.push("/api/v1/me/records.zip".to_owned());
    let mut served = Served::new();
    for (number, viewer) in viewers.iter().enumerate() {
        let line = json!({"seq": end / 2, "line": []});
        let answer = viewer.at(&server.url).post(&format!("{api}/analysis"), &line).await;
        served.insert((number, "an analysis".to_owned()), (answer.status.as_u16(), answer.body.clone()));
        for address in &addresses {
            // The contract knows the addresses of the API only.
            let client = viewer.at(&server.url);
            let client = if address.starts_with("/api/") { client } else { client.unchecked() };
            let answer = client.get(address).await;
            served.insert((number, address.clone()), (answer.status.as_u16(), answer.body.clone()));
        }
    }
    // One is enough: it takes longer than all the others.
    let film = viewers[0].at(&server.url).unchecked().get(&format!("/games/{game}/film.png")).await;
    served.insert((0, "the film".to_owned()), (film.status.as_u16(), film.body.clone()));
    for ((viewer, address), (status, _)) in &served {
        // Pages know who somebody is by a cookie, which these clients do not have.
        let is_shown = *viewer > 0 || !address.starts_with("/api/") || *status == 200;
        assert!(is_shown, "a player may see all of it: {address} {status}");
    }
    served
}

#[track_caller]
fn expect_same(before: &Served, after: &Served) {
    for (asked, (status, body)) in before {
        let (status_after, body_after) = &after[asked];
        let differ = || (String::from_utf8_lossy(body), String::from_utf8_lossy(body_after));
        assert!(
            status == status_after && body == body_after,
            "{asked:?}: {status} {status_after} {:?}",
            differ()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_games_of_every_rule_set_are_served_from_the_archive_as_before_and_their_rows_are_gone() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let calendar = json!({"zone": "Europe/Berlin", "night": {"from": "22:00", "until": "07:00"}});
    site.players[0].put("/api/v1/me/calendar", &calendar).await.ok();
    let mut games = Vec::new();
    let two = &site.players[..2];
    games.push(play(two, "pip-pip", &json!({}), 1000, 1).await);
    games.push(play(two, "serpent", &json!({}), 1000, 2).await);
    games.push(play(two, "pippinzip", &json!({"variant": "zipline", "size": 5}), 1000, 3).await);
    games.push(play(&site.players, "dominion", &json!({"size": 4, "round_limit": 3}), 1000, 4).await);
    let running = play(two, "pip-pip", &json!({}), 4, 5).await;
    let receipt = {
        let another = play(two, "serpent", &json!({}), 0, 6).await;
        let moved = act(&site.app, &site.app, another).await;
        two[1].post(&format!("{}/resign", path_of(another)), &json!({})).await.expect_status(200);
        games.push(another);
        json!({"receipt": moved["receipts"][0]})
    };
    site.wait();
    let mut viewers = Vec::new();
    for handle in ["ann", "bob", "cat"] {
        viewers.push(site.app.log_in(handle).await);
    }
    viewers.push(site.app.guest());
    let checked = viewers[3].post("/api/v1/receipts", &receipt).await.ok();
    assert_eq!(checked["verdict"], "kept");
    let mut before = Vec::new();
    for game in games.iter().chain([&running]) {
        before.push(served(&site.app, &viewers, *game).await);
    }
    let bytes = "select pg_total_relation_size('events') + pg_total_relation_size('clock_lines') as number";
    let size = site.app.db_count(bytes).await;

    let opened = format!(
        "select count(*) as number from clock_lines where openings is not null and game_id <> '{running}'"
    );
    assert!(site.app.db_count(&opened).await > 0, "clock logs with calendars are among them");
    assert_eq!(site.archive_due().await, games.len());
    assert_eq!(site.archive_due().await, 0);
    let opened = "select count(*) as number from clock_lines where openings is not null";
    assert!(
        site.app.db_count(opened).await > 0,
        "a game with a calendar in its clock log is among the running ones"
    );
    for game in &games {
        assert_eq!(site.db_rows(*game).await, [0, 0, 1]);
    }
    let [events, lines, entries] = site.db_rows(running).await;
    assert!(events > 4 && lines > 0 && entries == 0);
    site.app.db_superuser().await.batch_execute("vacuum full events, clock_lines").await.expect("a vacuum");
    assert!(site.app.db_count(bytes).await < size);

    // By the process that moved them, whose cache has the games, and by one that has seen none of them.
    let other = site.again().await;
    for server in [&site.app, &other] {
        for (game, before) in games.iter().chain([&running]).zip(&before) {
            expect_same(before, &served(server, &viewers, *game).await);
        }
        assert_eq!(viewers[3].at(&server.url).post("/api/v1/receipts", &receipt).await.ok(), checked);
    }
    for game in &games {
        let record = viewers[3].get(&format!("{}/record", path_of(*game))).await;
        assert!(verify(&record.body).expect("a good record").proved);
    }
    let (summary, found) = audit(&site.app, None, false).await;
    assert_eq!((summary.games, found), (6, vec![]));
    assert_eq!(site.unreferenced().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_in_the_archive_does_not_exist_for_outsiders() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let wanted = json!({"rules": "serpent", "seating": "joined", "private": true});
    let created = site.players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game: Uuid = created["id"].as_str().expect("an id").parse().expect("an id");
    let join = json!({"invitation": created["invitation"]});
    site.players[1].post(&format!("{}/join", path_of(game)), &join).await.ok();
    site.players[1].post(&format!("{}/resign", path_of(game)), &json!({})).await.expect_status(200);
    site.wait();
    let viewers = [site.app.log_in("ann").await, site.app.log_in("cat").await, site.app.guest()];
    let before = served(&site.app, &viewers, game).await;
    assert_eq!(site.archive_due().await, 1);
    let other = site.again().await;
    // For an outsider the archive's absence changes nothing either.
    std::fs::rename(site.folder.path(), site.folder.path().with_extension("gone")).expect("a new name");
    for outsider in [1, 2] {
        for (asked, (status, body)) in before.iter().filter(|(asked, _)| asked.0 == outsider) {
            if asked.1.contains(&game.to_string()) {
                let client = viewers[outsider].at(&other.url).unchecked();
                let answer = client.get(&asked.1).await;
                assert_eq!((answer.status.as_u16(), &answer.body[..]), (*status, &body[..]), "{asked:?}");
                assert!([401, 403, 404].contains(status), "{asked:?}");
            }
        }
    }
    std::fs::rename(site.folder.path().with_extension("gone"), site.folder.path()).expect("the old name");
    expect_same(&before, &served(&other, &viewers, game).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_cut_off_between_the_steps_loses_nothing_and_leaves_at_most_an_object() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let game = site.finished(1).await;
    let games = &site.app.app.games;
    let record = format!("{}/record", path_of(game));
    let before = site.players[0].get(&record).await.text();
    let rows = site.db_rows(game).await;
    site.wait();
    let stands = async |objects: usize| {
        assert_eq!(site.db_rows(game).await, rows);
        assert_eq!(site.unreferenced().await.len(), objects);
        assert_eq!(site.again().await.guest().get(&record).await.text(), before);
    };

    let packed = archiving::pack(games, game).await.expect("packed").expect("a finished game");
    stands(0).await;
    archiving::check(games, game, &packed).await.expect_err("nothing is written yet");
    archiving::write(games, &packed).await.expect("written");
    stands(1).await;
    let head = archiving::check(games, game, &packed).await.expect("checked");
    stands(1).await;
    // A transaction that does not end, and one of another process that sees the game as it was.
    let mut cut_off = site.app.db_superuser().await;
    let cut = format!("begin; update games set history = 'archive' where id = '{game}'");
    cut_off.batch_execute(&cut).await.expect("a transaction");
    drop(cut_off);
    stands(1).await;
    let other_head = Hash::of(&[b"another"]);
    assert!(!archiving::exchange(games, game, &packed, &other_head).await.expect("an answer"));
    stands(1).await;
    assert!(archiving::exchange(games, game, &packed, &head).await.expect("an answer"));
    assert_eq!(site.db_rows(game).await, [0, 0, 1]);
    assert_eq!(site.unreferenced().await, []);
    assert_eq!(site.again().await.guest().get(&record).await.text(), before);
    // Whoever was slower finds it done.
    assert!(!archiving::exchange(games, game, &packed, &head).await.expect("an answer"));
    assert!(archiving::pack(games, game).await.expect("an answer").is_none());
    assert_eq!(site.findings().await, []);
    // What a killed process was writing.
    let part = site.folder.path().join("ab").join(".abc.part");
    std::fs::create_dir_all(part.parent().expect("a folder")).expect("a folder");
    std::fs::write(&part, "half").expect("a file");
    let left = site.unreferenced().await;
    assert!(matches!(left.as_slice(), [left] if left.path == "ab/.abc.part" && left.bytes == 4), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_process_s_game_is_moved_by_another_after_its_time() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let game = site.finished(1).await;
    site.wait();
    let now = site.app.app.clock.now();
    let taken =
        pippost::store::archived_games::take(&site.app.app.database, game, now, now + Duration::minutes(10));
    assert!(taken.await.expect("an answer"));
    assert_eq!(site.archive_due().await, 0);
    assert!(!archiving::archive_game(&site.app.app.games, game).await.expect("an answer"));
    site.app.app.clock.advance(Duration::minutes(10));
    assert_eq!(site.archive_due().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn running_and_young_games_are_not_moved() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let (over, running) =
        (site.finished(1).await, play(&site.players[..2], "serpent", &json!({}), 3, 2).await);
    let games = &site.app.app.games;
    assert_eq!(site.archive_due().await, 0, "it ended just now");
    site.wait();
    assert_eq!(archiving::due(games, AFTER_DAYS).await.expect("an answer").games, 1);
    assert!(!archiving::archive_game(games, running).await.expect("an answer"));
    assert!(archiving::pack(games, running).await.expect("an answer").is_none());
    assert_eq!(site.archive_due().await, 1);
    assert_eq!((site.db_rows(over).await, site.db_rows(running).await[0]), ([0, 0, 1], 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_archive_at_once_move_each_game_once() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let mut games = Vec::new();
    for seed in 0..8 {
        games.push(site.finished(seed).await);
    }
    site.wait();
    let others = [site.again().await, site.again().await];
    let servers = [&site.app, &others[0], &others[1]];
    let steps = servers.map(|server| archiving::archive_due(&server.app.games, AFTER_DAYS));
    let mut moved = 0;
    for done in futures_util::future::join_all(steps).await {
        moved += done.expect("a step");
    }
    // What one had taken the others left alone, and nobody comes back for it.
    assert_eq!(moved + site.archive_due().await, games.len());
    // Also when each believes that the game is its own.
    let game = site.finished_later(99).await;
    let packed = archiving::pack(&site.app.app.games, game).await.expect("packed").expect("a finished game");
    archiving::write(&site.app.app.games, &packed).await.expect("written");
    let head = archiving::check(&site.app.app.games, game, &packed).await.expect("checked");
    let racing = servers.map(|server| archiving::exchange(&server.app.games, game, &packed, &head));
    let won = futures_util::future::join_all(racing).await;
    assert_eq!(won.into_iter().filter(|won| matches!(won, Ok(true))).count(), 1);
    for game in games.into_iter().chain([game]) {
        assert_eq!(site.db_rows(game).await, [0, 0, 1]);
    }
    assert_eq!((site.findings().await, site.unreferenced().await), (vec![], vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_brought_back_is_as_before_and_stays() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let game = site.finished(1).await;
    site.wait();
    let viewers = [site.app.log_in("ann").await, site.app.guest()];
    let (before, rows) = (served(&site.app, &viewers, game).await, site.db_rows(game).await);
    assert_eq!(site.archive_due().await, 1);
    assert!(archiving::restore(&site.app.app.games, game).await.expect("an answer"));
    assert!(!archiving::restore(&site.app.app.games, game).await.expect("an answer"), "once");
    assert_eq!(site.db_rows(game).await, rows);
    // A process without an archive serves it.
    for server in [&site.plain, &site.again().await] {
        expect_same(&before, &served(server, &viewers, game).await);
    }
    assert_eq!((site.findings().await, site.unreferenced().await.len()), (vec![], 1));
    assert_eq!(site.archive_due().await, 0, "it stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_is_gone_is_told_of_stops_nothing_else_and_is_used_again() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let (game, running) =
        (site.finished(1).await, play(&site.players[..2], "serpent", &json!({}), 2, 2).await);
    let young = site.finished(3).await;
    site.wait();
    assert_eq!(site.archive_due().await, 2);
    let ann = site.app.log_in("ann").await;
    let record = ann.get(&format!("{}/record", path_of(game))).await.text();
    let gone = site.folder.path().with_extension("gone");
    std::fs::rename(site.folder.path(), &gone).expect("a new name");
    // A process that was given no archive says the same.
    for server in [&site.again().await, &site.plain] {
        let ann = ann.at(&server.url);
        for path in ["/record", "/events", "/replay?first=0&limit=9", "?seq=1", "/choices?seq=1"] {
            let problem = ann.get(&format!("{}{path}", path_of(game))).await.problem(503, "unavailable");
            assert!(problem["detail"].as_str().is_some_and(|told| told.contains("archive")), "{problem}");
            assert!(!problem.to_string().contains(&*gone.to_string_lossy()), "{problem}");
        }
        // Not its state, nor any other game.
        assert_eq!(ann.get(&path_of(game)).await.ok()["status"], "finished");
        ann.get(&format!("{}/record", path_of(running))).await.expect_status(200);
        act(&site.app, server, running).await;
    }
    // Moving and bringing back fail, and leave all as it was.
    let later = site.finished_later(4).await;
    let refused = archiving::archive_due(&site.app.app.games, AFTER_DAYS).await.expect_err("it is gone");
    assert!(matches!(&refused, GameError::Store(error) if error.is_of_the_connection()), "{refused}");
    assert_eq!(site.db_rows(later).await[2], 0);
    archiving::restore(&site.app.app.games, young).await.expect_err("it is gone");
    assert_eq!(site.db_rows(young).await, [0, 0, 1]);
    let found = site.findings().await;
    assert!(found.len() == 2 && found.iter().all(|(part, _)| *part == Part::Archive), "{found:?}");
    std::fs::rename(&gone, site.folder.path()).expect("the old name");
    assert_eq!(site.archive_due().await, 1, "nothing was set aside");
    let other = site.again().await;
    let again = site.app.log_in("ann").await.at(&other.url);
    assert_eq!(again.get(&format!("{}/record", path_of(game))).await.text(), record);
    assert_eq!(site.findings().await, []);
}

impl Site {
    /// Another finished game, by players who have logged in again, due at once.
    async fn finished_later(&self, seed: u64) -> Uuid {
        let players = [self.app.log_in("ann").await, self.app.log_in("bob").await];
        let game = play(&players, "pip-pip", &json!({}), 1000, seed).await;
        self.wait();
        game
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_are_missing_or_changed_are_refused_and_named_by_the_audit() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let (first, second, sound) = (site.finished(1).await, site.finished(2).await, site.finished(3).await);
    site.wait();
    assert_eq!(site.archive_due().await, 3);
    let (first_file, second_file) = (site.db_file(first).await, site.db_file(second).await);
    let bytes = std::fs::read(&first_file).expect("an object");
    let damage: [(&str, u16, &dyn Fn()); 4] = [
        ("is not in the archive", 503, &|| std::fs::remove_file(&first_file).expect("removed")),
        ("its bytes have another hash", 500, &|| {
            let mut other = bytes.clone();
            other[bytes.len() / 2] ^= 1;
            std::fs::write(&first_file, other).expect("written");
        }),
        ("its bytes have another hash", 500, &|| {
            std::fs::write(&first_file, &bytes[..bytes.len() - 1]).expect("written");
        }),
        // The sound object of another game.
        ("its bytes have another hash", 500, &|| {
            std::fs::copy(&second_file, &first_file).expect("a copy");
        }),
    ];
    for (words, status, plant) in damage {
        plant();
        let server = site.again().await;
        let record = server.guest().get(&format!("{}/record", path_of(first))).await;
        let code = if status == 503 { "unavailable" } else { "internal" };
        record.problem(status, code);
        server.guest().get(&format!("{}/record", path_of(sound))).await.expect_status(200);
        for repair in [false, true] {
            let (_, found) = audit(&site.app, None, repair).await;
            let [finding] = found.as_slice() else { panic!("{words}: {found:?}") };
            assert_eq!((finding.game, finding.part, finding.rebuilt), (Some(first), Part::Archive, false));
            assert!(finding.what.contains(words), "{}", finding.what);
        }
        archiving::restore(&site.app.app.games, first).await.expect_err(words);
        assert_eq!(site.db_rows(first).await, [0, 0, 1]);
    }
    std::fs::write(&first_file, &bytes).expect("written");
    assert_eq!(site.findings().await, []);
    // An entry that names the sound object of another game.
    let mut superuser = site.app.db_superuser().await;
    let exchanged = format!(
        "alter table archived_games disable trigger user; update archived_games set object = \
         (select object from archived_games where game_id = '{second}') where game_id = GAME; \
         alter table archived_games enable always trigger archived_games_are_true; \
         alter table archived_games enable always trigger archived_games_are_kept"
    );
    db_plant(&mut superuser, first, &exchanged).await;
    let found = site.findings().await;
    assert!(
        matches!(found.as_slice(), [(Part::Archive, what)] if what.contains("not the object of its game")),
        "{found:?}"
    );
    site.again().await.guest().get(&format!("{}/record", path_of(first))).await.problem(500, "internal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_game_is_set_aside_and_stays_in_the_database() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let (damaged, sound) = (site.finished(1).await, site.finished(2).await);
    let mut superuser = site.app.db_superuser().await;
    let damage = "update game_states set snapshot = replace(snapshot, '1', '2') where game_id = GAME";
    db_plant(&mut superuser, damaged, damage).await;
    site.wait();
    assert_eq!(site.archive_due().await, 1);
    assert_eq!(site.db_rows(sound).await, [0, 0, 1]);
    assert_eq!(site.db_rows(damaged).await[2], 0);
    let found = site.findings().await;
    assert!(
        found.iter().any(|(part, what)| *part == Part::SetAside && what.contains("archive")),
        "{found:?}"
    );
    assert_eq!(site.archive_due().await, 0, "it waits");
    audit(&site.app, None, true).await;
    assert_eq!(site.archive_due().await, 1, "the repair lets it be tried at once");
    assert_eq!(site.findings().await, []);
}

/// Statements that history must survive, run by the superuser, with what the refusal says. GAME is a finished game that is not
/// archived, GONE one that is.
const REFUSED: &[(&str, &str)] = &[
    ("delete from events where game_id = GAME", "events are never changed or removed"),
    ("delete from clock_lines where game_id = GAME", "events are never changed or removed"),
    ("update events set line = '' where game_id = GAME", "events are never changed or removed"),
    ("truncate events", "events are never changed or removed"),
    (
        "create temporary table archived_games as select * from archived_games; \
         insert into pg_temp.archived_games (game_id) values (GAME); delete from events where game_id = GAME",
        "events are never changed or removed",
    ),
    (
        "insert into archived_games select GAME, object, bytes, events, clock_lines, digest, archived_at from archived_games",
        "disagree",
    ),
    (
        "insert into archived_games select GAME, object, bytes, (select count(*) from events where game_id = GAME), \
         (select count(*) from clock_lines where game_id = GAME), digest, archived_at from archived_games",
        "disagree",
    ),
    ("delete from archived_games where game_id = GONE", "disagree"),
    (
        "insert into events values (GONE, 0, '{}'); delete from archived_games where game_id = GONE",
        "disagree",
    ),
    ("update archived_games set bytes = bytes + 1", "entries of the archive are never changed"),
    ("update archived_games set game_id = GAME", "entries of the archive are never changed"),
    ("truncate archived_games", "entries of the archive are never changed"),
];

#[tokio::test(flavor = "multi_thread")]
async fn history_goes_only_where_its_archive_is_on_record_and_entries_only_where_the_rows_are() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let gone = site.finished(1).await;
    site.wait();
    assert_eq!(site.archive_due().await, 1);
    let game = site.finished_later(2).await;
    let rows = site.db_rows(game).await;
    for (statements, words) in REFUSED {
        for role in ["origin", "replica"] {
            let mut superuser = site.app.db_superuser().await;
            let statements =
                statements.replace("GAME", &format!("'{game}'")).replace("GONE", &format!("'{gone}'"));
            let statements =
                format!("begin; set local session_replication_role = {role}; {statements}; commit");
            let refused = superuser.batch_execute(&statements).await.expect_err(&statements);
            assert!(refused.to_string().contains(words), "{statements}: {refused}");
            assert_eq!(
                (site.db_rows(game).await, site.db_rows(gone).await),
                (rows, [0, 0, 1]),
                "{statements}"
            );
        }
    }
    assert_eq!(site.findings().await, []);
    // The owner of the tables can switch the guards off; the audit then names what is missing, and the guards themselves.
    let mut owner = site.app.app.database.get().await.expect("a connection");
    for (table, of_rows, of_all) in [
        ("archived_games", "archived_games_are_true", "archived_games_are_kept"),
        ("clock_lines", "clock_lines_are_final", "clock_lines_are_kept"),
        ("events", "events_are_final", "events_are_kept"),
    ] {
        for trigger in [of_rows, of_all] {
            owner
                .batch_execute(&format!("alter table {table} disable trigger {trigger}"))
                .await
                .expect("off");
            let found = site.findings().await;
            assert!(matches!(found.as_slice(), [(Part::Guard, _)]), "{trigger}: {found:?}");
            owner
                .batch_execute(&format!("alter table {table} enable always trigger {trigger}"))
                .await
                .expect("on");
        }
    }
    let unguarded = "alter table events disable trigger user; delete from events where game_id = GAME; \
                     alter table events enable always trigger events_are_final; \
                     alter table events enable always trigger events_are_kept";
    db_plant(&mut owner, game, unguarded).await;
    let found = site.findings().await;
    assert!(found.iter().any(|(part, what)| *part == Part::Events && what.contains("no event")), "{found:?}");
    // Rows beside the archive are named, too.
    let forged = "insert into events values (GAME, 0, '{}')";
    db_plant(&mut owner, gone, forged).await;
    let found = site.findings().await;
    assert!(
        found.iter().any(|(part, what)| *part == Part::Archive && what.contains("and yet there are rows")),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_deletes_the_account_stays_in_archived_records_as_in_others() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let game = site.finished(1).await;
    site.wait();
    let record = format!("{}/record", path_of(game));
    let before = site.app.guest().get(&record).await.text();
    assert_eq!(site.archive_due().await, 1);
    let ann = site.app.log_in("ann").await;
    let data = ann.get("/api/v1/me/records.zip").await;
    data.expect_status(200);
    ann.post("/api/v1/me/delete", &json!({"password": crate::support::PASSWORD})).await.expect_status(204);
    assert_eq!(site.again().await.guest().get(&record).await.text(), before);
    assert_eq!(site.findings().await, []);
}

/// `pippost` on the site's database, with its keys and its archive.
fn run(site: &Site, arguments: &[&str]) -> Output {
    command(site, arguments).output().expect("the program runs")
}

fn command(site: &Site, arguments: &[&str]) -> std::process::Command {
    let mut command = command_in(&site.folder_beside, arguments);
    command
        .env("DATABASE_URL", cluster::url(site.app.database_name()))
        .env("PIPPOST_KEYS_DIR", site.app.keys.path())
        .env("PIPPOST_ARCHIVE", place(site.folder.path()))
        .env("PIPPOST_ARCHIVE_AFTER_DAYS", AFTER_DAYS.to_string());
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_moves_what_is_due_and_brings_it_back_and_a_worker_moves_it_by_itself() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let site = Site::start().await;
    let (first, second) = (site.finished(1).await, site.finished(2).await);
    let text = |output: Output| {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let without = command(&site, &["archive"]).env_remove("PIPPOST_ARCHIVE").output().expect("it runs");
    assert!(
        !without.status.success() && String::from_utf8_lossy(&without.stderr).contains("PIPPOST_ARCHIVE")
    );
    assert!(text(run(&site, &["archive", "--dry-run"])).starts_with("2 games with "));
    assert_eq!(site.db_rows(first).await[2], 0);
    assert_eq!(text(run(&site, &["archive"])), "2 games were moved\n");
    let back = text(run(&site, &["archive", "--restore", &first.to_string(), &Uuid::nil().to_string()]));
    assert_eq!(back, format!("game {first}: brought back\ngame {}: not archived\n", Uuid::nil()));
    let listed = text(run(&site, &["archive", "--unreferenced"]));
    assert!(listed.contains("1 of 2 objects belong to no game"), "{listed}");
    assert_eq!(text(run(&site, &["archive", "--restore-all"])), "1 games were brought back\n");
    assert_eq!((site.db_rows(first).await[2], site.db_rows(second).await[2]), (0, 0));
    let third = site.finished(3).await;
    let mut worker = command(&site, &["work"]).spawn().expect("it runs");
    let begun = Instant::now();
    while site.db_rows(third).await != [0, 0, 1] {
        assert!(begun.elapsed() < TIME_LIMIT, "the worker moves nothing");
    }
    let id = i32::try_from(worker.id()).expect("an id");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGTERM)
        .expect("a signal");
    assert!(ended_within(&mut worker, TIME_LIMIT).success());
    assert_eq!(site.db_rows(first).await[2], 0, "what was brought back stays");
    let audited = run(&site, &["audit"]);
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stdout));
}

/// By a real S3-compatible server, which checks every signature: `./test` runs it where it can be had (docs/TESTING.md).
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the S3 server that .ci/install-s3 installs; PIPPOST_S3_SERVER names the program"]
async fn s3_a_bucket_serves_as_a_folder_does() {
    if cluster::plain_only("finished games of a cluster stay in its database") {
        return;
    }
    let server = crate::support::s3::S3Server::start();
    let plain = TestApp::start().await;
    let players = [plain.player("ann").await, plain.player("bob").await];
    let place = format!("s3://{}/games/of", crate::support::s3::BUCKET);
    let app = plain.archiving(&place, server.access()).await;
    let game = play(&players, "pip-pip", &json!({}), 1000, 1).await;
    let left = play(&players, "serpent", &json!({}), 1000, 2).await;
    app.app.clock.advance(Duration::days(AFTER_DAYS.into()));
    let viewers = [plain.log_in("ann").await, plain.guest()];
    let before = served(&plain, &viewers, game).await;

    // A wrong key moves nothing, and is named without the key.
    let (id, _) = server.access().key.expect("a key");
    let wrong = Access { key: Some((id, "a wrong key".to_owned())), ..server.access() };
    let refused = plain.archiving(&place, wrong).await;
    let refusal = archiving::archive_due(&refused.app.games, AFTER_DAYS).await.expect_err("a wrong key");
    assert!(refusal.to_string().contains("403") && !refusal.to_string().contains("key"), "{refusal}");

    // Cut off after the object was written.
    let packed = archiving::pack(&app.app.games, left).await.expect("packed").expect("a finished game");
    archiving::write(&app.app.games, &packed).await.expect("written");
    let mut found = Vec::new();
    let listed =
        archiving::unreferenced(&app.app.games, &mut |listed: &Listed| found.push(listed.clone())).await;
    assert_eq!((listed.expect("a list").objects, found.len()), (1, 1));
    assert_eq!((found[0].name, found[0].bytes), (Some(packed.name), packed.bytes.len() as u64));

    assert_eq!(archiving::archive_due(&app.app.games, AFTER_DAYS).await.expect("a step"), 2);
    let rows = "select count(*) as number from events";
    assert_eq!(app.db_count(rows).await, 0);
    let other = plain.archiving(&place, server.access()).await;
    for server in [&app, &other] {
        expect_same(&before, &served(server, &viewers, game).await);
    }
    assert_eq!(audit(&app, None, false).await.1, []);
    let listed = archiving::unreferenced(&app.app.games, &mut |listed: &Listed| panic!("{listed:?}")).await;
    assert_eq!(listed.expect("a list").objects, 2);

    server.change("games/of", &packed.name.to_string());
    let found = audit(&app, None, false).await.1;
    assert!(
        matches!(found.as_slice(), [one] if one.part == Part::Archive && one.game == Some(left)),
        "{found:?}"
    );
    server.remove("games/of", &packed.name.to_string());
    let fresh = plain.archiving(&place, server.access()).await;
    fresh.guest().get(&format!("{}/record", path_of(left))).await.problem(503, "unavailable");
    assert!(archiving::restore(&app.app.games, game).await.expect("an answer"));
    drop(server);
    let record = fresh.guest().get(&format!("{}/record", path_of(left))).await;
    record.problem(503, "unavailable");
    let back: Value = fresh.guest().get(&path_of(left)).await.ok();
    assert_eq!(back["status"], "finished");
    let record = format!("{}/record", path_of(game));
    assert_eq!(before[&(1, record.clone())].1, fresh.guest().get(&record).await.body);
}
