//! The log over all records: what stands in it, whatever order events become visible in and whoever stops in the middle.

use std::collections::BTreeMap;

use diesel_async::SimpleAsyncConnection;
use pippost::games::transparency::{DEFAULT_LOG_WITHIN_SECONDS, begin, sequence};
use pippost::log::note::{Note, VerifierKey};
use pippost::log::tiles::{Growing, TILE_WIDTH, Tile, read_bundle};
use pippost::log::tree::{self, Leaves};
use pippost::log::{Checkpoint, Entry, entry};
use pippost::store::transparency::{ENTRIES, GAP_KEPT, LOGGED_ENTRY, NEWS, NEXT, UNLOGGED};
use reqwest::Method;
use support::db::{MANY, db_count, db_games, game as game_number, plan};
use support::games::{pip_pip, pip_pip_again, play_to_the_end};
use support::transparency::{sequence_all, with_log};
use support::{Client, TestApp};
use uuid::Uuid;

fn id_of(game: &str) -> Uuid {
    game.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id")
}

async fn key_of(app: &TestApp) -> VerifierKey {
    let newest = pippost::store::transparency::checkpoint(&app.app.database).await.expect("an answer");
    let origin = newest.expect("a log").origin;
    app.app.secret.log_key(&origin).expect("a key").verifier().clone()
}

/// The bytes at a path, which is not of the API.
async fn raw_get(client: &Client, path: &str) -> Vec<u8> {
    let answer = client.request(Method::GET, path).send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "{path}");
    answer.bytes().await.expect("a body").to_vec()
}

async fn checkpoint(app: &TestApp) -> Checkpoint {
    let text = raw_get(&app.stranger(), "/log/checkpoint").await;
    let note = Note::read(std::str::from_utf8(&text).expect("text")).expect("a note");
    Checkpoint::open(&note, &key_of(app).await).expect("signed by the log")
}

async fn fetch(client: &Client, tile: &Tile) -> Vec<u8> {
    raw_get(client, &format!("/log/tile/{}", tile.path())).await
}

/// All entries, read as a stranger reads them, after checking them and all tiles against the checkpoint.
async fn entries(app: &TestApp) -> Vec<Entry> {
    let (newest, client) = (checkpoint(app).await, app.stranger());
    let mut all = Vec::new();
    while (all.len() as u64) < newest.size {
        let tile = Tile::holding(None, all.len() as u64, newest.size).expect("a bundle");
        all.extend(read_bundle(&fetch(&client, &tile).await, tile.width).expect("entries"));
    }
    let leaves = Leaves(all.iter().map(Entry::leaf).collect());
    assert_eq!(tree::root(&leaves, newest.size), Some(newest.root));
    for (number, hashes) in leaves.0.chunks(256).enumerate() {
        let tile = Tile::holding(Some(0), number as u64 * TILE_WIDTH, newest.size).expect("a tile");
        assert_eq!(fetch(&client, &tile).await, hashes.concat());
    }
    for tile in Growing::edge(newest.size) {
        assert_eq!(fetch(&client, &tile).await.len() as u64, 32 * tile.width);
    }
    all
}

/// Checks that the log has the whole record of each game, in order and once: its events, and the footer if it is over.
async fn has_all_of(app: &TestApp, games: &[(&str, &Client)]) {
    let mut found: BTreeMap<[u8; 32], Vec<Entry>> = BTreeMap::new();
    for entry in entries(app).await {
        found.entry(entry.game).or_default().push(entry);
    }
    for (game, player) in games {
        let record = player.get(&format!("{game}/record")).await.text();
        let mut expected = Vec::new();
        for (seq, line) in (0..).zip(record.lines().skip(1)) {
            let value: serde_json::Value = serde_json::from_str(line).expect("a line");
            let hash = match value["hash"].as_str() {
                Some(hash) => hex_of(hash),
                None => entry::footer_hash(line.as_bytes()),
            };
            expected.push(Entry::of(id_of(game), seq, hash));
        }
        assert_eq!(found.remove(&entry::game_digest(id_of(game))), Some(expected), "{game}");
    }
    assert!(found.is_empty(), "entries of no game");
}

fn hex_of(text: &str) -> [u8; 32] {
    let byte = |at: usize| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hex");
    std::array::from_fn(byte)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_every_event_and_footer_once_and_in_order_and_each_checkpoint_continues_the_last() {
    let Some(app) = with_log().await else { return };
    let empty = checkpoint(&app).await;
    assert_eq!((empty.size, empty.root), (0, tree::empty_root()));
    let (game, players) = pip_pip(&app).await;
    let second = pip_pip_again(&players[0], &players[1]).await;
    sequence_all(&app).await;
    let first = checkpoint(&app).await;
    assert_eq!(first.size, 2, "event 0 of both games");
    assert_eq!(sequence(&app.app.games).await.expect("a step"), 0, "nothing is new");
    play_to_the_end(&game, &players).await;
    sequence_all(&app).await;
    let newest = checkpoint(&app).await;
    assert!(newest.size > 4, "{newest:?}");
    has_all_of(&app, &[(&game, &players[0]), (&second, &players[0])]).await;
    let leaves = Leaves(entries(&app).await.iter().map(Entry::leaf).collect());
    let proof = tree::prove_consistency(&leaves, first.size, newest.size).expect("a proof");
    assert!(tree::verify_consistency(first.size, first.root, newest.size, newest.root, &proof));
}

#[tokio::test(flavor = "multi_thread")]
async fn bundles_begin_and_end_within_the_entries_of_a_game() {
    let Some(app) = with_log().await else { return };
    let (first, players) = pip_pip(&app).await;
    let mut games = vec![first];
    for _ in 0..15 {
        games.push(pip_pip_again(&players[0], &players[1]).await);
    }
    for game in &games {
        play_to_the_end(game, &players).await;
    }
    sequence_all(&app).await;
    let size = checkpoint(&app).await.size;
    assert!(size > TILE_WIDTH, "{size} are too few for two bundles");
    let rows = "select count(*) from transparency_entries";
    let rows = db_count(&mut app.db_superuser().await, rows).await;
    assert!(rows < 64, "{rows} rows for the entries of 16 games");
    has_all_of(&app, &games.iter().map(|game| (game.as_str(), &players[0])).collect::<Vec<_>>()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_becomes_visible_after_later_ones_is_not_lost() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, bob]) = pip_pip(&app).await;
    let other = pip_pip_again(&ann, &bob).await;
    sequence_all(&app).await;
    let mut slow = app.db_superuser().await;
    let held = format!(
        "begin; insert into events (game_id, seq, line) \
         select '{0}', 1, replace(line, '\"seq\":0', '\"seq\":1') from events where game_id = '{0}'",
        id_of(&game)
    );
    slow.batch_execute(&held).await.expect("a move that is not committed");
    ann.post(&format!("{other}/moves"), &serde_json::json!({"notation": "store"})).await.ok();
    let taken = ["select nextval('events_position')", "begin; select nextval('events_position'); rollback"];
    let mut lost = app.db_superuser().await;
    for taken in taken {
        lost.batch_execute(taken).await.expect("a position that no event gets");
    }
    pip_pip_again(&ann, &bob).await;
    sequence_all(&app).await;
    let before = entries(&app).await.len();
    let gaps = "select count(*) as number from transparency_gaps";
    assert!(app.db_count(gaps).await > 0);
    slow.batch_execute("commit").await.expect("a late commit");
    sequence_all(&app).await;
    let all = entries(&app).await;
    assert_eq!(all.len(), before + 1);
    assert_eq!(all.last().map(|entry| (entry.game, entry.seq)), Some((entry::game_digest(id_of(&game)), 1)));
    // Positions that no event got are forgotten, but not at once, nor while transactions run that were there before, in other databases, too.
    sequence(&app.app.games).await.expect("a step");
    assert!(app.db_count(gaps).await > 0);
    app.app.clock.advance(GAP_KEPT + time::Duration::SECOND);
    support::waiting::until("the gaps are forgotten", async || {
        sequence(&app.app.games).await.expect("a step");
        app.db_count(gaps).await == 0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_from_before_the_log_are_taken_too() {
    let Some(app) = with_log().await else { return };
    let (game, players) = pip_pip(&app).await;
    play_to_the_end(&game, &players).await;
    let running = pip_pip_again(&players[0], &players[1]).await;
    let before = "alter table events disable trigger all; update events set position = null; alter table events enable always trigger events_are_final; \
         alter table events enable always trigger events_are_kept";
    app.db_superuser().await.batch_execute(before).await.expect("events without positions");
    // A game goes on before its old events have been looked for.
    players[0].post(&format!("{running}/moves"), &serde_json::json!({"notation": "store"})).await.ok();
    assert!(sequence_all(&app).await > 0);
    has_all_of(&app, &[(&game, &players[0]), (&running, &players[0])]).await;
    assert_eq!(sequence(&app.app.games).await.expect("a step"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_stop_in_the_middle_of_a_step_leave_neither_gap_nor_double() {
    const ROUNDS: usize = 40;
    let Some(app) = with_log().await else { return };
    let others = [app.second().await, app.second().await];
    let (game, players) = pip_pip(&app).await;
    let mut games = vec![game];
    let mut killer = app.db_superuser().await;
    let mut roots = Vec::new();
    for round in 0..ROUNDS {
        if round % 4 == 0 {
            games.push(pip_pip_again(&players[0], &players[1]).await);
        }
        let path = format!("{}/moves", games[games.len() - 1]);
        players[round % 2].post(&path, &serde_json::json!({"notation": "roll"})).await;
        let steps = others.iter().chain([&app]).map(|one| {
            let handle = one.app.games.clone();
            tokio::spawn(async move { sequence(&handle).await })
        });
        let steps: Vec<_> = steps.collect();
        for _ in 0..round % 12 * 20 {
            tokio::task::yield_now().await;
        }
        let kill = "select pg_terminate_backend(pid) from pg_stat_activity where query like '%transparency%' \
             and datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()";
        killer.batch_execute(kill).await.expect("connections end");
        for step in steps {
            drop(step.await.expect("no panic"));
        }
        let newest = pippost::store::transparency::checkpoint(&app.app.database).await;
        // The connection that is asked may be one of those that ended.
        if let Ok(Some(newest)) = newest {
            roots.push((newest.size(), newest.root().expect("a root")));
        }
    }
    assert!(roots.len() > ROUNDS / 2, "{}", roots.len());
    sequence_all(&app).await;
    let games: Vec<(&str, &Client)> = games.iter().map(|game| (game.as_str(), &players[0])).collect();
    has_all_of(&app, &games).await;
    let leaves = Leaves(entries(&app).await.iter().map(Entry::leaf).collect());
    for (size, root) in roots {
        assert_eq!(tree::root(&leaves, size), Some(root), "no checkpoint is taken back");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tiles_may_be_kept_for_ever_and_checkpoints_for_a_moment_and_nothing_else_is_there() {
    let Some(app) = with_log().await else { return };
    let (_, _players) = pip_pip(&app).await;
    sequence_all(&app).await;
    let client = reqwest::Client::new();
    let get = async |path: &str| client.get(format!("{}{path}", app.url)).send().await.expect("an answer");
    for (path, kept, kind) in [
        ("/log/checkpoint", "public, max-age=1", "text/plain; charset=utf-8"),
        ("/log/tile/0/000.p/1", "public, max-age=31536000, immutable", "application/octet-stream"),
        ("/log/tile/entries/000.p/1", "public, max-age=31536000, immutable", "application/octet-stream"),
    ] {
        let answer = get(path).await;
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.headers()["cache-control"], kept, "{path}");
        assert_eq!(answer.headers()["content-type"], kind, "{path}");
        assert_eq!(answer.headers()["access-control-allow-origin"], "*", "{path}");
    }
    for path in [
        "0/000",
        "0/000.p/2",
        "1/000",
        "1/000.p/1",
        "0/001",
        "entries/000",
        "entries/000.p/2",
        "entries/001.p/1",
        "9/000",
        "0/x999/x999/x999/x999/x999/999",
        "0/x008/x000/x000/x000/x000/x000/000.p/1",
        "entries/x036/x000/x000/x000/x000/x000/000",
        "0/..%2f000",
        "0/000.p/0",
        &"0".repeat(4000),
    ] {
        assert_eq!(get(&format!("/log/tile/{path}")).await.status(), 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_a_log_and_a_sandbox_have_nothing_there() {
    let (plain, sandbox) = (TestApp::start().await, TestApp::sandbox().await);
    begin(&sandbox.app.games, DEFAULT_LOG_WITHIN_SECONDS).await.expect("nothing is begun");
    for app in [plain, sandbox] {
        assert_eq!(sequence(&app.app.games).await.expect("nothing to do"), 0);
        let answer = reqwest::get(format!("{}/log/checkpoint", app.url)).await.expect("an answer");
        assert_eq!(answer.status(), 404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_statements_of_the_log_reach_their_rows_by_index() {
    let Some(app) = with_log().await else { return };
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection
        .batch_execute(
            "insert into transparency_entries (index, game_id, seq, length, hash) \
             select row_number() over () - 1, game_id, seq, 1, sha256('') from events; analyze",
        )
        .await
        .expect("entries");
    let game = format!("'{}'::uuid", game_number(7));
    let unlogged = UNLOGGED.replace("$1::uuid[]", &format!("array[{game}]")).replace("$2", "10000");
    let entries = ENTRIES.replace("$1", "256::bigint").replace("$2", "256").replace("$3", "128");
    for (statement, index) in [
        (NEXT.replace("$1::uuid[]", &format!("array[{game}]")), "transparency_entries_game"),
        (NEWS.replace("$1", "9990").replace("$2", "10000"), "events_by_position"),
        (unlogged.clone(), "events_pkey"),
        (unlogged, "transparency_entries_game"),
        (entries, "transparency_entries_pkey"),
        (LOGGED_ENTRY.replace("$1", &game).replace("$2", "5"), "transparency_entries_game"),
    ] {
        let plan = plan(&mut connection, &statement).await;
        assert!(plan.contains(index) && !plan.contains("Seq Scan"), "{index} is not used:\n{plan}");
    }
}
