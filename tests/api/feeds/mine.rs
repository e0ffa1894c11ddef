//! The feed of all games of a player: each event once, those of a game in order, also when one is committed late.

use std::collections::HashMap;

use diesel_async::SimpleAsyncConnection;
use serde_json::{Value, json};

use support::feed::{FeedReader, NDJSON, SSE};
use support::games::{pip_pip, pip_pip_again, play_to_the_end};
use support::{Client, TestApp};

const FEED: &str = "/api/v1/me/feed";

fn number(line: &Value) -> (String, u64) {
    let id = line["id"].as_str().expect("an id");
    let (game, seq) = id.split_once(':').expect("an id of an event");
    assert_eq!(line["event"]["seq"].to_string(), seq);
    (game.to_owned(), seq.parse().expect("a number"))
}

/// Fails unless the events of each game come once, in order and without a gap.
fn check_order(lines: &[Value]) -> HashMap<String, u64> {
    let mut next: HashMap<String, u64> = HashMap::new();
    for line in lines {
        let (game, seq) = number(line);
        let expected = next.entry(game).or_default();
        assert_eq!(seq, *expected, "{line}");
        *expected += 1;
    }
    next
}

/// All events after `cursor`, by pages of that many.
async fn pages(client: &Client, limit: u16, mut cursor: Option<String>) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let after = cursor.as_ref().map_or_else(String::new, |cursor| format!("&after={cursor}"));
        let page = client.get(&format!("{FEED}?limit={limit}{after}")).await.ok();
        let entries = page["entries"].as_array().expect("entries");
        if entries.is_empty() {
            assert_eq!(page["cursor"], json!(cursor));
            return all;
        }
        all.extend(entries.iter().cloned());
        assert_eq!(page["cursor"], all.last().expect("an event")["id"]);
        cursor = page["cursor"].as_str().map(str::to_owned);
    }
}

/// The player to act moves once.
async fn move_once(game: &str, players: &[Client; 2]) {
    let view = players[0].get(game).await.ok();
    let player = &players[usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat")];
    let legal = player.get(&format!("{game}/actions")).await.ok();
    player.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_streams_tell_all_events_of_all_games_once_in_one_order() {
    let app = TestApp::start().await;
    let (first, players) = pip_pip(&app).await;
    play_to_the_end(&first, &players).await;
    let second = pip_pip_again(&players[0], &players[1]).await;
    for _ in 0..5 {
        move_once(&second, &players).await;
    }
    let all = pages(&players[0], 500, None).await;
    assert_eq!(check_order(&all).len(), 2);
    move_once(&second, &players).await;
    let grown = pages(&players[0], 7, None).await;
    assert_eq!(grown[..all.len()], all, "what has been told keeps its place");
    assert_eq!(grown.len(), all.len() + 1);
    for accept in [NDJSON, SSE] {
        let mut stream = FeedReader::open(&players[0], FEED, accept, None).await;
        for line in &grown {
            assert_eq!(stream.line().await.1, *line);
        }
    }
    // From any event on, the rest follows.
    for (index, line) in grown.iter().enumerate().step_by(5) {
        let rest = pages(&players[0], 500, line["id"].as_str().map(str::to_owned)).await;
        assert_eq!(rest, grown[index + 1..]);
    }
    assert_eq!(pages(&app.player("carl").await, 500, None).await, Vec::<Value>::new());
    app.stranger().get(FEED).await.problem(401, "unauthenticated");
    let foreign = format!("{FEED}?after={}:0", uuid::Uuid::now_v7());
    players[0].get(&foreign).await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_begins_with_the_running_games_and_tells_of_new_ones() {
    let app = TestApp::start().await;
    let (first, players) = pip_pip(&app).await;
    move_once(&first, &players).await;
    let path = format!("{FEED}?snapshot=first");
    let mut stream = FeedReader::open(&players[1], &path, SSE, None).await;
    let (id, line) = stream.line().await;
    let first_id = first.rsplit('/').next().expect("an id");
    assert_eq!(line, json!({"type": "games", "games": [{"id": first_id, "seq": 1}]}));
    assert_eq!(id, Some(format!("{first_id}:1")));
    move_once(&first, &players).await;
    assert_eq!(number(&stream.line().await.1), (first_id.to_owned(), 2));
    let second = pip_pip_again(&players[0], &players[1]).await;
    let second_id = second.rsplit('/').next().expect("an id");
    assert_eq!(number(&stream.line().await.1), (second_id.to_owned(), 0));
    for seq in 1..4 {
        move_once(&second, &players).await;
        assert_eq!(number(&stream.line().await.1), (second_id.to_owned(), seq));
    }
    move_once(&first, &players).await;
    let (id, line) = stream.line().await;
    assert_eq!((id.as_deref(), number(&line)), (line["id"].as_str(), (first_id.to_owned(), 3)));
    assert_eq!(app.app.games.feeds().watched(), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_does_not_pass_an_event_whose_transaction_is_committed_late() {
    let app = TestApp::start().await;
    let (late, players) = pip_pip(&app).await;
    let quick = pip_pip_again(&players[0], &players[1]).await;
    let (late_id, quick_id) =
        (late.rsplit('/').next().expect("an id"), quick.rsplit('/').next().expect("an id"));
    let before = pages(&players[0], 500, None).await;
    // A transaction writes event 1 of one game as a move does, and stays open.
    let mut open = app.db_superuser().await;
    let write = format!(
        "begin; insert into events select game_id, 1, line from events where game_id = '{late_id}' and seq = 0;
         update game_states set seq = 1, edition = edition + 1 where game_id = '{late_id}'"
    );
    open.batch_execute(&write).await.expect("a transaction");
    let mut stream = FeedReader::open(&players[0], FEED, NDJSON, None).await;
    for line in &before {
        assert_eq!(stream.line().await.1, *line);
    }
    let mut told = before;
    for seq in 1..4 {
        move_once(&quick, &players).await;
        let line = stream.line().await.1;
        assert_eq!(number(&line), (quick_id.to_owned(), seq));
        told.push(line);
    }
    let cursor = told.last().expect("an event")["id"].as_str().map(str::to_owned);
    open.batch_execute("commit").await.expect("the end");
    app.app.outbox_signal.notify_of(&[late_id.parse().expect("an id")]);
    let id = stream.line().await.1["id"].clone();
    assert_eq!(id, format!("{late_id}:1"), "told after what was committed before it");
    let page = players[0].get(&format!("{FEED}?after={}", cursor.expect("a cursor"))).await.ok();
    assert_eq!(page["entries"].as_array().map(Vec::len), Some(1));
    assert_eq!(page["entries"][0]["id"], id);
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_at_once_and_a_placing_that_stays_open_give_each_event_one_place() {
    let app = TestApp::start().await;
    let (game, players) = pip_pip(&app).await;
    let me = players[0].get("/api/v1/me").await.ok();
    let id = me["id"].as_str().expect("an id");
    pages(&players[0], 500, None).await;
    // A reader elsewhere has begun to give positions, and holds the lock.
    let mut open = app.db_superuser().await;
    open.batch_execute(&format!("begin; select from feed_heads where player_id = '{id}' for update"))
        .await
        .expect("a transaction");
    move_once(&game, &players).await;
    let mut readers: Vec<_> = (0..6)
        .map(|_| {
            tokio::spawn({
                let client = players[0].clone();
                async move { pages(&client, 3, None).await }
            })
        })
        .collect();
    open.batch_execute("commit").await.expect("the end");
    let first = readers.remove(0).await.expect("pages");
    check_order(&first);
    for reader in readers {
        assert_eq!(reader.await.expect("pages"), first);
    }
}
