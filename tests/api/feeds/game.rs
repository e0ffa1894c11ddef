//! The feed of one game in every form, from before its start to its end.

use pippost::games::viewing;
use reqwest::Method;
use reqwest::header::ACCEPT;
use serde_json::{Value, json};
use uuid::Uuid;

use support::feed::{FeedReader, NDJSON, SSE, Said};
use support::games::{open_game, pip_pip, play_to_the_end};
use support::sample::Sampler;
use support::{Client, TestApp};

fn feed(game: &str) -> String {
    format!("{game}/feed")
}

fn id_of(game: &str, seq: u64) -> String {
    format!("{}:{seq}", game.rsplit('/').next().expect("an id"))
}

/// All events by pages of three.
async fn by_pages(client: &Client, game: &str) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("{}?limit=3{cursor}", feed(game))).await.ok();
        let entries = page["entries"].as_array().expect("entries");
        all.extend(entries.iter().cloned());
        assert_eq!(page["cursor"], all.last().expect("an event")["id"]);
        if page["is_over"] == true {
            return all;
        }
        assert_eq!(entries.len(), 3, "a page is full while more events wait");
        cursor = format!("&after={}", page["cursor"].as_str().expect("a cursor"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_form_tells_the_same_events_with_the_same_ids() {
    let app = TestApp::start().await;
    let (game, players) = pip_pip(&app).await;
    play_to_the_end(&game, &players).await;
    let record = app.stranger().get(&format!("{game}/events?limit=500")).await.ok();
    let wrap = |event: &Value| {
        let id = id_of(&game, event["seq"].as_u64().expect("a number"));
        json!({"type": "event", "id": id, "event": event})
    };
    let expected: Vec<Value> = record["events"].as_array().expect("events").iter().map(wrap).collect();
    assert_eq!(by_pages(&app.stranger(), &game).await, expected);
    let mut lines = FeedReader::open(&app.stranger(), &feed(&game), NDJSON, None).await.rest().await;
    assert_eq!(lines.pop(), Some(json!({"type": "end", "reason": "game_over"})));
    assert_eq!(lines, expected);
    let mut sse = FeedReader::open(&app.stranger(), &feed(&game), SSE, None).await;
    for line in &expected {
        let id = line["id"].as_str().map(str::to_owned);
        assert_eq!(sse.line().await, (id, line.clone()));
    }
    assert_eq!(sse.line().await, (None, json!({"type": "end", "reason": "game_over"})));
    assert_eq!(sse.next().await, Said::Nothing);
    // Whoever has the last event is told not to ask again.
    let last = expected.last().expect("an event")["id"].as_str().expect("an id");
    for accept in [SSE, NDJSON] {
        let headers = [("Accept", accept), ("Last-Event-ID", last)];
        let answer = app.stranger().send(Method::GET, &feed(&game), None, &headers).await;
        answer.expect_status(204);
    }
    let page = app.stranger().get(&format!("{}?after={last}&wait=60", feed(&game))).await.ok();
    assert_eq!(page, json!({"game": null, "entries": [], "cursor": last, "is_over": true}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_begins_before_the_game_and_brings_each_event_at_once() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = open_game(&ann).await;
    let page = app.stranger().get(&feed(&game)).await.ok();
    assert_eq!(page, json!({"game": null, "entries": [], "cursor": null, "is_over": false}));
    let path = format!("{}?snapshot=first", feed(&game));
    let mut sse = FeedReader::open(&app.stranger(), &path, SSE, None).await;
    let mut ndjson = FeedReader::open(&ann, &feed(&game), NDJSON, None).await;
    let (id, first) = sse.line().await;
    assert_eq!((id, &first["game"]["status"]), (None, &json!("open")));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    for seq in 0..6 {
        let (id, line) = sse.line().await;
        assert_eq!((id.as_deref(), &line["event"]["seq"]), (Some(id_of(&game, seq).as_str()), &json!(seq)));
        assert_eq!(ndjson.line().await.1, line);
        let view = ann.get(&game).await.ok();
        let player = if view["to_act"] == 0 { &ann } else { &bob };
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let body = json!({"actions": [legal["actions"][0]], "expected_seq": seq});
        player.post(&format!("{game}/moves"), &body).await.ok();
    }
    assert_eq!(app.app.games.feeds().watched(), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_waits_for_an_event_and_no_longer_than_it_should() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let start = id_of(&game, 0);
    let empty = app.stranger().get(&format!("{}?after={start}", feed(&game))).await.ok();
    assert_eq!(empty, json!({"game": null, "entries": [], "cursor": start, "is_over": false}));
    let waiting = {
        let (stranger, path) =
            (app.stranger(), format!("{}?after={start}&wait=60&snapshot=each", feed(&game)));
        tokio::spawn(async move { stranger.get(&path).await.ok() })
    };
    while app.app.games.feeds().watched() == (0, 0) {
        tokio::task::yield_now().await;
    }
    ann.post(&format!("{game}/moves"), &json!({"actions": [{"type": "store"}]})).await.ok();
    let page = waiting.await.expect("a page");
    assert_eq!(page["entries"].as_array().map(Vec::len), Some(1));
    assert_eq!((&page["cursor"], &page["game"]["seq"]), (&json!(id_of(&game, 1)), &json!(1)));
    let late = app.stranger().get(&format!("{}?after={}&wait=1", feed(&game), id_of(&game, 1))).await.ok();
    assert_eq!((&late["entries"], &late["cursor"]), (&json!([]), &json!(id_of(&game, 1))));
    assert_eq!(app.app.games.feeds().watched(), (0, 0), "nothing is kept for readers who have gone");
}

/// A view without what changes while nothing happens.
fn steady(mut game: Value) -> Value {
    game["time_left_seconds"] = Value::Null;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_shows_each_reader_what_that_reader_may_see() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let wanted = json!({"rules": "serpent", "seating": "joined"});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    let viewers = [players[0].clone(), players[1].clone(), app.stranger()];
    let path = format!("{}?snapshot=each", feed(&game));
    let mut readers = Vec::new();
    for viewer in &viewers {
        readers.push(FeedReader::open(viewer, &path, SSE, None).await);
    }
    let mut sampler = Sampler::new(3);
    for seq in 0..12 {
        let mut shown = Vec::new();
        for (viewer, reader) in viewers.iter().zip(&mut readers) {
            if seq > 0 {
                assert_eq!(reader.line().await.1["event"]["seq"], seq);
            }
            let (id, line) = reader.line().await;
            assert_eq!(id, Some(id_of(&game, seq)));
            assert_eq!(steady(line["game"].clone()), steady(viewer.get(&game).await.ok()));
            shown.push(line["game"]["view"].clone());
        }
        assert_ne!(shown[0], shown[1], "each sees another hand");
        assert_ne!(shown[0], shown[2]);
        let to_act = usize::try_from(viewers[2].get(&game).await.ok()["to_act"].as_u64().expect("a seat"));
        let player = &players[to_act.expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_was_cut_off_before_a_snapshot_is_shown_it() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let path = format!("{}?snapshot=each", feed(&game));
    ann.post(&format!("{game}/moves"), &json!({"actions": [{"type": "store"}]})).await.ok();
    for accept in [SSE, NDJSON] {
        let mut caught_up = FeedReader::open(&ann, &path, accept, Some(&id_of(&game, 1))).await;
        let line = caught_up.line().await.1;
        assert_eq!((&line["type"], &line["game"]["seq"]), (&json!("game"), &json!(1)));
        // With events before it, it comes once, after them.
        let mut behind = FeedReader::open(&ann, &path, accept, Some(&id_of(&game, 0))).await;
        assert_eq!(behind.line().await.1["event"]["seq"], 1);
        assert_eq!(behind.line().await.1["game"]["seq"], 1);
    }
    // With `first` there is none after a cursor.
    let path = format!("{}?snapshot=first", feed(&game));
    let mut first = FeedReader::open(&ann, &path, SSE, Some(&id_of(&game, 0))).await;
    assert_eq!(first.line().await.1["event"]["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_has_no_feed_for_strangers_and_a_link_opens_it_until_the_next_event() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id: Uuid = created["id"].as_str().expect("an id").parse().expect("an id");
    let (game, invitation) =
        (format!("/api/v1/games/{id}"), created["invitation"].as_str().expect("a token"));
    app.stranger().get(&feed(&game)).await.problem(404, "not_found");
    let mut invited =
        FeedReader::open(&app.stranger(), &format!("{}?token={invitation}", feed(&game)), NDJSON, None).await;
    bob.post(&format!("{game}/join"), &json!({"invitation": invitation})).await.ok();
    let refused = json!({"type": "end", "reason": "not_allowed"});
    assert_eq!(invited.line().await.1, refused, "an invitation ends with the start");
    app.player("carl").await.get(&feed(&game)).await.problem(404, "not_found");
    let me = ann.get("/api/v1/me").await.ok();
    let ann_id: Uuid = me["id"].as_str().expect("an id").parse().expect("an id");
    let token = viewing::look_token(&app.app.games, id, ann_id, 0.into());
    let mut linked =
        FeedReader::open(&app.stranger(), &format!("{}?token={token}", feed(&game)), NDJSON, None).await;
    assert_eq!(linked.line().await.1["event"]["seq"], 0);
    let mut own = FeedReader::open(&bob, &feed(&game), NDJSON, None).await;
    assert_eq!(own.line().await.1["event"]["seq"], 0);
    ann.post(&format!("{game}/moves"), &json!({"actions": [{"type": "store"}]})).await.ok();
    assert_eq!(linked.line().await.1, refused);
    assert_eq!(own.line().await.1["event"]["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_that_the_feed_did_not_give_is_refused() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let other = Uuid::now_v7();
    for unreadable in ["", "0", "x:0", &format!("{}0", id_of(&game, 0))] {
        let answer = app.stranger().get(&format!("{}?after={unreadable}", feed(&game))).await;
        assert_eq!(answer.problem(422, "invalid_value")["field"], "after", "{unreadable:?}");
        if !unreadable.is_empty() {
            let headers = [("Accept", SSE), ("Last-Event-ID", unreadable)];
            let answer = app.stranger().send(Method::GET, &feed(&game), None, &headers).await;
            assert_eq!(answer.problem(400, "invalid_header")["field"], "Last-Event-ID", "{unreadable:?}");
        }
    }
    for unknown in [format!("{other}:0"), id_of(&game, 1)] {
        let answer = app.stranger().get(&format!("{}?after={unknown}", feed(&game))).await;
        assert_eq!(answer.problem(404, "not_found")["field"], "after", "{unknown:?}");
        let headers = [("Accept", SSE), ("Last-Event-ID", unknown.as_str())];
        app.stranger().send(Method::GET, &feed(&game), None, &headers).await.problem(404, "not_found");
    }
    for bad in ["wait=61", "limit=0", "limit=501"] {
        app.stranger().get(&format!("{}?{bad}", feed(&game))).await.problem(422, "invalid_value");
    }
    for bad in ["wait=-1", "snapshot=all", "first=0"] {
        app.stranger().get(&format!("{}?{bad}", feed(&game))).await.problem(422, "invalid_value");
    }
    // The header counts: a browser repeats the address with which it began.
    let path = format!("{}?after={}", feed(&game), id_of(&game, 7));
    let headers = [("Last-Event-ID", id_of(&game, 0))];
    let page = app.stranger().send(Method::GET, &path, None, &[(headers[0].0, &headers[0].1)]).await.ok();
    assert_eq!(page["entries"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_another_process_arrive_with_and_without_notifications() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let second = app.second().await;
    // The second server polls, because nothing listens for it.
    let mut reader = FeedReader::open(&second.stranger(), &feed(&game), SSE, None).await;
    assert_eq!(reader.line().await.1["event"]["seq"], 0);
    ann.post(&format!("{game}/moves"), &json!({"actions": [{"type": "store"}]})).await.ok();
    assert_eq!(reader.line().await.1["event"]["seq"], 1);
    let stop = pippost::worker::Stop::new();
    let address = std::sync::Arc::new(app.address());
    let listening = pippost::worker::listen(address, second.app.outbox_signal.clone(), stop.signal());
    let listening = tokio::spawn(listening);
    for seq in 2..5 {
        let to_act = app.stranger().get(&game).await.ok()["to_act"].clone();
        let player = if to_act == 0 { &ann } else { &bob };
        let legal = player.get(&format!("{game}/actions")).await.ok();
        player.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
        assert_eq!(reader.line().await.1["event"]["seq"], seq);
    }
    stop.stop();
    listening.await.expect("it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_tells_its_readers_to_ask_again_and_one_that_is_silent_sends_heartbeats() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let path = format!("{}?after={}", feed(&game), id_of(&game, 0));
    // One shard of the readers after another gets a heartbeat each second, so one of many soon does.
    let mut readers = Vec::new();
    for accept in [NDJSON, SSE].repeat(8) {
        readers.push(FeedReader::open(&app.stranger(), &path, accept, None).await);
    }
    let mut waiting: Vec<_> = readers.iter_mut().map(|reader| Box::pin(reader.next())).collect();
    let (said, ..) = futures_util::future::select_all(&mut waiting).await;
    assert_eq!(said, Said::Heartbeat);
    drop(waiting);
    app.app.games.feeds().close();
    for reader in &mut readers {
        assert_eq!(reader.rest().await, [json!({"type": "end", "reason": "ask_again"})]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_not_compressed_and_not_kept_by_anybody_between() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let request = app.stranger().request(Method::GET, &feed(&game));
    let request = request.header(ACCEPT, SSE).header("Accept-Encoding", "gzip, br, zstd");
    let answer = request.send().await.expect("a stream");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.headers()["x-accel-buffering"], "no");
    assert!(answer.headers().get("content-encoding").is_none_or(|coding| coding == "identity"));
}
