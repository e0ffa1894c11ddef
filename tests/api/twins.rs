//! Twin games: two games that differ only in cards that a player may not see give that player equal bytes on every channel.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pippost::notices::{AskedGame, Detail, MailContents};
use pippost::rules::cards::Card;
use pippost::store::NoticeKind;
use pippost::store::checkpoints::{self, Checkpoint, Mark};
use pippost::store::schema::{game_states, players};
use serde_json::{Value, json};
use uuid::Uuid;

use support::client::Answer;
use support::sample::Sampler;
use support::{Client, TestApp};

/// Deals are random: this many games are begun until both players have hidden cards after all moves.
const DEALS: u64 = 20;

/// A game of hidden hands after `moves` moves in which both players have hidden cards, with the players by seat.
async fn hidden_hands(app: &TestApp, moves: usize, seed: u64) -> (Uuid, [Client; 2]) {
    let players = [app.player("ann").await, app.player("bob").await];
    for deal in 0..DEALS {
        let id = begun(&players, moves, seed + deal).await;
        let snapshot = db_snapshot(app, id).await;
        if [0, 1].iter().all(|seat| !hidden_cards(&snapshot, *seat).is_empty()) {
            return (id, players);
        }
    }
    panic!("none of {DEALS} games leaves both players hidden cards after {moves} moves");
}

/// A new game of theirs after `moves` moves.
async fn begun(players: &[Client; 2], moves: usize, seed: u64) -> Uuid {
    let created =
        players[0].post("/api/v1/games", &json!({"rules": "serpent", "seating": "joined"})).await.json();
    let id: Uuid = created["id"].as_str().expect("an id").parse().expect("an id");
    let game = format!("/api/v1/games/{id}");
    let mut view = players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    let mut sampler = Sampler::new(seed);
    for _ in 0..moves {
        let player =
            &players[usize::try_from(view["to_act"].as_u64().expect("a running game")).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        view = player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()["game"].take();
    }
    id
}

/// The game's snapshot in the database.
async fn db_snapshot(app: &TestApp, id: Uuid) -> Value {
    let mut connection = app.app.database.get().await.expect("a connection");
    let snapshot: String = game_states::table
        .find(id)
        .select(game_states::snapshot)
        .first(&mut connection)
        .await
        .expect("a snapshot");
    serde_json::from_str(&snapshot).expect("JSON")
}

fn hidden_cards(snapshot: &Value, seat: usize) -> &Vec<Value> {
    snapshot["position"]["hands"][seat]["hidden"].as_array().expect("known cards")
}

/// Everything that `requester` can learn about the game from the server `app`.
async fn all_channels(app: &TestApp, requester: &Client, id: Uuid) -> Vec<String> {
    let requester = requester.at(&app.url);
    let game = format!("/api/v1/games/{id}");
    let mut heard = Vec::new();
    for path in [
        "",
        "/events",
        "/feed",
        "/feed?snapshot=first",
        "/record",
        "/board.txt",
        "/actions",
        "/news",
        "?seq=0",
        "/board.txt?seq=1",
        "?turn=1",
        "/choices",
        "/choices?turn=1",
        "/choices?seq=0",
        "/board.svg",
        "/board.svg?turn=0",
        "/replay",
        "/replay?first=1&limit=1",
    ] {
        heard.push(with_tag(&requester.get(&format!("{game}{path}")).await));
    }
    heard.push(with_tag(&requester.get("/api/v1/games?list=running").await));
    heard.push(format!("{:?}", requester.get("/api/v1/me/records.zip").await.body));
    for body in [
        json!({"notation": "give Ac 2c 3c", "expected_seq": 999}),
        json!({"notation": "Kh"}),
        json!({"actions": [{"type": "play", "card": "Qd"}]}),
        json!({"actions": [{"type": "fold"}]}),
        json!({}),
    ] {
        heard.push(requester.post(&format!("{game}/preview"), &body).await.text());
        // The deal is random, so some of these may be legal for the requester: with a stale `expected_seq` they change nothing.
        let mut stale = body;
        stale["expected_seq"] = json!(999);
        heard.push(requester.post(&format!("{game}/moves"), &stale).await.text());
    }
    for body in [json!({}), json!({"seq": 0, "line": [{"notation": "give Ac 2c 3c"}]})] {
        heard.push(requester.post(&format!("{game}/analysis"), &body).await.text());
    }
    heard.into_iter().map(|text| text.replace(&app.url, "URL")).collect()
}

/// The body of an answer and its entity tag.
fn with_tag(answer: &Answer) -> String {
    format!("{:?} {}", answer.headers.get("etag"), answer.text())
}

/// The mails that a player would get now.
async fn mails(app: &TestApp, handle: &str, id: Uuid) -> String {
    let mut connection = app.app.database.get().await.expect("a connection");
    let player: Uuid = players::table
        .filter(players::handle.eq(handle))
        .select(players::id)
        .first(&mut connection)
        .await
        .expect("a player");
    let mut contents = Vec::new();
    for kind in [NoticeKind::GameStarted, NoticeKind::Turn, NoticeKind::Reminder, NoticeKind::GameOver] {
        for detail in [Detail::Whole, Detail::Brief] {
            let (seq, language) = (999.into(), pippost::language::Language::ENGLISH);
            let told_since = app.app.clock.now();
            let asked = AskedGame { game_id: id, player_id: player, seq, kind, told_since, language, detail };
            contents.push(app.app.games.game(asked).await.expect("the content"));
        }
    }
    format!("{contents:?}").replace(&app.url, "URL")
}

/// The game with other hidden cards of `seat`, which nobody else has seen.
fn with_other_hidden_cards(mut snapshot: Value, seat: usize) -> Value {
    let seen = snapshot["position"].to_string();
    let mut unseen =
        Card::deck().map(|card| card.to_string()).filter(|card| !seen.contains(&format!("\"{card}\"")));
    let hidden = snapshot["position"]["hands"][seat]["hidden"].as_array_mut().expect("known cards");
    assert!(!hidden.is_empty());
    for card in hidden.iter_mut() {
        *card = json!(unseen.next().expect("most cards are not dealt"));
    }
    snapshot
}

/// Gives `seat` other hidden cards directly in the database.
async fn db_exchange_hidden_cards(app: &TestApp, id: Uuid, seat: usize) {
    let snapshot = with_other_hidden_cards(db_snapshot(app, id).await, seat);
    let mut connection = app.app.database.get().await.expect("a connection");
    let changed = diesel::update(game_states::table.find(id))
        .set(game_states::snapshot.eq(snapshot.to_string()))
        .execute(&mut connection)
        .await;
    assert_eq!(changed.expect("an update"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_see_hidden_cards_cannot_tell_twin_games_apart() {
    for (moves, seed) in [(0, 1), (1, 2), (2, 3), (5, 4), (8, 5)] {
        let app = TestApp::start().await;
        let (id, players) = hidden_hands(&app, moves, seed).await;
        for (seat, other, handle) in [(0, 1, "bob"), (1, 0, "ann")] {
            // Two servers without the game in memory, so that each shows what the database has.
            let first = app.twin().await;
            let (stranger, opponent) = (app.stranger(), &players[other]);
            let before =
                [all_channels(&first, opponent, id).await, all_channels(&first, &stranger, id).await];
            let contents = mails(&first, handle, id).await;
            let own = players[seat].at(&first.url).get(&format!("/api/v1/games/{id}")).await.text();
            db_exchange_hidden_cards(&app, id, seat).await;
            let twin = app.twin().await;
            let after = [all_channels(&twin, opponent, id).await, all_channels(&twin, &stranger, id).await];
            assert_eq!(after, before, "after {moves} moves, without seat {seat}'s cards");
            assert_eq!(mails(&twin, handle, id).await, contents);
            let exchanged = players[seat].at(&twin.url).get(&format!("/api/v1/games/{id}")).await.text();
            assert_ne!(exchanged.replace(&twin.url, ""), own.replace(&first.url, ""), "the cards are others");
        }
    }
}

/// Everything that `requester` can learn about the position after event `seq`, its turn, and the later events.
async fn past_channels(app: &TestApp, requester: &Client, id: Uuid, seq: u64, turn: u64) -> Vec<String> {
    let requester = requester.at(&app.url);
    let mut heard = Vec::new();
    for path in ["", "/board.txt", "/board.svg", "/choices"] {
        for position in [format!("seq={seq}"), format!("turn={turn}"), format!("seq={}", seq + 1)] {
            heard.push(with_tag(&requester.get(&format!("/api/v1/games/{id}{path}?{position}")).await));
        }
    }
    for first in [seq, seq + 1, seq + 2] {
        heard.push(requester.get(&format!("/api/v1/games/{id}/replay?first={first}&limit=1")).await.text());
    }
    heard.into_iter().map(|text| text.replace(&app.url, "URL")).collect()
}

fn checkpoint(game_id: Uuid, seq: u64, mark: &Mark, snapshot: &Value) -> Checkpoint {
    Checkpoint { game_id, seq: seq.into(), mark: mark.clone(), snapshot: snapshot.to_string() }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_see_hidden_cards_cannot_tell_twin_pasts_apart() {
    for (moves, seed) in [(2, 30), (3, 31), (4, 32), (6, 33), (7, 34)] {
        let app = TestApp::start().await;
        let (id, players) = hidden_hands(&app, moves, seed).await;
        let game = format!("/api/v1/games/{id}");
        let seq = moves as u64;
        let steps = app.stranger().get(&format!("{game}/replay?first={}", seq - 1)).await.ok();
        let [before, now] = [0, 1].map(|index| &steps["steps"][index]);
        let ends_turn = before["event"]["to_act"] != now["event"]["to_act"];
        let mark = Mark {
            turn: now["turn"].as_u64().expect("a number").into(),
            ends_turn,
            last_events: format!("[{seq},{seq}]"),
        };
        let to_act = app.stranger().get(&game).await.ok()["to_act"].as_u64().expect("a running game");
        let (actor, seat) =
            (usize::try_from(to_act).expect("a seat"), usize::try_from(1 - to_act).expect("a seat"));
        let snapshot = db_snapshot(&app, id).await;
        let planted = checkpoint(id, seq, &mark, &snapshot);
        // The same with other hidden cards of the seat that does not act next.
        let twin = checkpoint(id, seq, &mark, &with_other_hidden_cards(snapshot, seat));
        for _ in 0..2 {
            let view = app.stranger().get(&game).await.ok();
            if view["to_act"] != json!(actor) {
                break;
            }
            let legal = players[actor].get(&format!("{game}/actions")).await.ok();
            let action = Sampler::new(seed).action(legal["actions"].as_array().expect("a list"));
            players[actor].post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
        }
        assert_ne!(planted.snapshot, twin.snapshot);
        let turn = now["turn"].as_u64().expect("a number");
        let mut heard = Vec::new();
        for checkpoint in [&planted, &twin] {
            checkpoints::write(&app.app.database, checkpoint).await.expect("a checkpoint");
            let server = app.twin().await;
            let stranger = past_channels(&server, &app.stranger(), id, seq, turn).await;
            let opponent = past_channels(&server, &players[actor], id, seq, turn).await;
            let own = past_channels(&server, &players[seat], id, seq, turn).await;
            heard.push((stranger, opponent, own));
        }
        let [one, other] = heard.try_into().expect("two");
        assert_eq!((&one.0, &one.1), (&other.0, &other.1), "after {moves} moves");
        assert_ne!(one.2, other.2, "the seat's own view shows that the checkpoint was used");
    }
}
