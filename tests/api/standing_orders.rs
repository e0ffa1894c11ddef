//! Standing orders: moves that are given in advance.

use pippost::games::standing_orders;
use pippost::store::Changes;
use serde_json::{Value, json};

use support::browsing::Browsing;
use support::post::Post;
use support::{Client, TestApp};

/// Moves of a whole random game are tried up to this number.
const MAX_MOVES: usize = 600;

/// A started game of ann, who has the first turn, and bob: its path, and the players.
async fn start(app: &TestApp, rules: &str, options: Value) -> (String, Client, Client) {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = begin(&ann, &bob, rules, options).await;
    (game, ann, bob)
}

async fn begin(ann: &Client, bob: &Client, rules: &str, options: Value) -> String {
    let wanted = json!({"rules": rules, "options": options, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    game
}

async fn pippinzip(app: &TestApp) -> (String, Client, Client) {
    start(app, "pippinzip", json!({"variant": "pipline", "size": 5})).await
}

async fn place(player: &Client, game: &str, notation: &str) {
    player.post(&format!("{game}/moves"), &json!({"notation": notation})).await.ok();
}

async fn order(player: &Client, game: &str, orders: Value) -> Value {
    player.put(&format!("{game}/standing-orders"), &orders).await.ok()
}

async fn orders(player: &Client, game: &str) -> Value {
    player.get(&format!("{game}/standing-orders")).await.ok()
}

/// What a worker does soon after a move.
async fn carry_out(app: &TestApp) -> usize {
    standing_orders::carry_out(&app.app.games, &Changes::All).await.expect("orders")
}

/// The actions of a game in notation, with their seats.
async fn told(app: &TestApp, game: &str) -> Vec<(Option<u64>, Value)> {
    let page = app.stranger().get(&format!("{game}/events?limit=500")).await.ok();
    let events = page["events"].as_array().expect("events").iter();
    let of = |event: &Value| (event["seat"].as_u64(), event["action"].clone());
    events.filter(|event| event["seat"].is_u64()).map(of).collect()
}

async fn newest(player: &Client, game: &str) -> (u64, Value) {
    let view = player.get(game).await.ok();
    (view["seq"].as_u64().expect("a number"), view["to_act"].clone())
}

/// One of the legal actions of the player who is asked, spread by `number`.
async fn some_action(player: &Client, game: &str, number: usize) -> Value {
    let listed = player.get(&format!("{game}/actions")).await.ok();
    let actions = listed["actions"].as_array().expect("a list").clone();
    let mut action = actions[number % actions.len()].clone();
    if let Some(choose) = action.as_object_mut().and_then(|action| action.remove("choose")) {
        let least = usize::try_from(choose["least"].as_u64().expect("a number")).expect("a small one");
        let from = choose["from"].as_array().expect("a list");
        action[choose["member"].as_str().expect("a name")] = from[..least].to_vec().into();
    }
    action
}

async fn act(player: &Client, game: &str, action: &Value) {
    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tree_is_played_move_by_move_until_something_is_not_foreseen() {
    let app = TestApp::start().await;
    let (game, ann, bob) = pippinzip(&app).await;
    let given = order(
        &bob,
        &game,
        json!({"branches": [
            {"if": ["a1"], "then": ["b1"]},
            {"if": ["c2"], "then": ["c4"]},
            {"if": ["c3"], "then": ["d4"], "next": [
                {"if": ["e5"], "then": ["E4"], "next": [{"then": ["a5"]}]},
            ]},
        ]}),
    )
    .await;
    assert_eq!(
        (&given["is_active"], &given["seq"], &given["stopped"]),
        (&json!(true), &json!(0), &Value::Null)
    );
    assert_eq!(carry_out(&app).await, 0, "nobody has moved");
    place(&ann, &game, "c3").await;
    assert_eq!(carry_out(&app).await, 1);
    assert_eq!(newest(&ann, &game).await, (2, json!(0)));
    let left = orders(&bob, &game).await;
    assert_eq!((&left["branches"][0]["if"], &left["seen"]), (&json!(["e5"]), &json!([])), "{left}");
    place(&ann, &game, "e5").await;
    carry_out(&app).await;
    // Whatever ann does now.
    place(&ann, &game, "b2").await;
    carry_out(&app).await;
    let place = |seat: u64, cell: &str| (Some(seat), json!({"type": "place", "cells": [cell]}));
    let all =
        [place(0, "c3"), place(1, "d4"), place(0, "e5"), place(1, "e4"), place(0, "b2"), place(1, "a5")];
    assert_eq!(told(&app, &game).await, all);
    let done = orders(&bob, &game).await;
    assert_eq!((&done["is_active"], &done["stopped"]), (&json!(false), &json!("done")), "{done}");

    order(&bob, &game, json!({"branches": [{"if": ["b4"], "then": ["a1"]}]})).await;
    self::place(&ann, &game, "d1").await;
    carry_out(&app).await;
    assert_eq!(newest(&ann, &game).await, (7, json!(1)), "bob decides");
    let stopped = orders(&bob, &game).await;
    assert_eq!((&stopped["stopped"], &stopped["branches"]), (&json!("not_foreseen"), &json!([])));
    let record = app.stranger().get(&format!("{game}/record")).await.text();
    assert_eq!(record.lines().count(), 2 + 7, "a header and events: each has its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_rules_refuse_is_not_played_and_a_hand_that_moves_ends_the_tree() {
    let app = TestApp::start().await;
    let (game, ann, bob) = pippinzip(&app).await;
    for (cell, refused) in [("c3", "c3"), ("a1", "a1"), ("b2", "c3")] {
        order(&bob, &game, json!({"branches": [{"then": [refused]}]})).await;
        place(&ann, &game, cell).await;
        carry_out(&app).await;
        assert_eq!(orders(&bob, &game).await["stopped"], "refused", "{refused}");
        assert_eq!(newest(&ann, &game).await.1, 1, "{refused}");
        let free = some_action(&bob, &game, 17).await;
        act(&bob, &game, &free).await;
    }
    // The same move by hand counts as played; another one ends the tree.
    let tree = json!({"branches": [{"if": ["e1"], "then": ["e2"], "next": [{"if": ["d1"], "then": ["d2"], "next": [{"then": ["c5"]}]}]}]});
    order(&bob, &game, tree).await;
    place(&ann, &game, "e1").await;
    place(&bob, &game, "E2").await;
    place(&ann, &game, "d1").await;
    carry_out(&app).await;
    assert_eq!(newest(&ann, &game).await.1, 0);
    assert_eq!(told(&app, &game).await.last(), Some(&(Some(1), json!({"type": "place", "cells": ["d2"]}))));
    let free = some_action(&ann, &game, 5).await;
    act(&ann, &game, &free).await;
    let by_hand = some_action(&bob, &game, 1).await;
    act(&bob, &game, &by_hand).await;
    let free = some_action(&ann, &game, 3).await;
    act(&ann, &game, &free).await;
    carry_out(&app).await;
    assert_eq!(orders(&bob, &game).await["stopped"], "own_move");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_private_and_change_nothing_that_others_are_shown_before_they_are_played() {
    let app = TestApp::start().await;
    let (game, ann, bob) = pippinzip(&app).await;
    let paths = ["", "/actions", "/events", "/clock", "/board.txt", "/feed", "/messages"]
        .map(|rest| format!("{game}{rest}"));
    let shown = async || {
        let mut all = Vec::new();
        for path in &paths {
            let answer = ann.get(path).await;
            all.push((answer.status, answer.body.clone()));
        }
        all
    };
    let before = shown().await;
    order(&bob, &game, json!({"only_legal": true, "branches": [{"if": ["c3"], "then": ["c4"]}]})).await;
    assert_eq!(shown().await, before);
    let none = orders(&ann, &game).await;
    assert_eq!(
        (&none["is_active"], &none["branches"], &none["seq"]),
        (&json!(false), &json!([]), &Value::Null)
    );
    let path = format!("{game}/standing-orders");
    app.player("eve").await.get(&path).await.problem(403, "not_in_game");
    app.stranger().get(&path).await.problem(401, "unauthenticated");
    // Once they are cancelled, nothing is played.
    bob.delete(&path).await.expect_status(204);
    bob.delete(&path).await.expect_status(204);
    place(&ann, &game, "c3").await;
    assert_eq!((carry_out(&app).await, newest(&ann, &game).await), (0, (1, json!(1))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_orders_answer_sends_no_mail_and_one_that_they_leave_does() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let (game, ann, bob) = pippinzip(&app).await;
    post.send().await;
    let mails = async || {
        let all = post.all("bob").await;
        all.iter().filter(|mail| mail.kind == "turn").count()
    };
    let before = mails().await;
    order(
        &bob,
        &game,
        json!({"branches": [{"if": ["c3"], "then": ["c4"], "next": [{"if": ["a1"], "then": ["a2"]}]}]}),
    )
    .await;
    place(&ann, &game, "c3").await;
    // The mail's worker is faster.
    post.send().await;
    assert_eq!(mails().await, before);
    carry_out(&app).await;
    app.app.clock.advance(time::Duration::seconds(5));
    post.send().await;
    assert_eq!(mails().await, before, "it is ann's turn again");
    place(&ann, &game, "e5").await;
    post.send().await;
    carry_out(&app).await;
    app.app.clock.advance(time::Duration::seconds(5));
    post.send().await;
    assert_eq!(mails().await, before + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_workers_there_are_each_move_is_played_once() {
    let app = TestApp::start().await;
    let (game, ann, bob) = pippinzip(&app).await;
    let deep = json!([{"then": ["c4"], "next": [{"then": ["d4"], "next": [{"then": ["e4"]}]}]}]);
    order(&bob, &game, json!({"branches": deep})).await;
    for (move_number, cell) in ["c3", "d3", "e3"].into_iter().enumerate() {
        place(&ann, &game, cell).await;
        let workers = (0..4).map(|_| carry_out(&app));
        futures_util::future::join_all(workers).await;
        // A worker that found the row locked has looked at nothing; the one that held it is done.
        assert_eq!(newest(&ann, &game).await, (2 * move_number as u64 + 2, json!(0)));
    }
    assert_eq!(orders(&bob, &game).await["stopped"], "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn forced_replies_of_serpent_are_played_at_once() {
    let app = TestApp::start().await;
    let (game, ann, bob) = start(&app, "serpent", json!({})).await;
    order(&bob, &game, json!({"only_legal": true})).await;
    let (mut played, mut by_hand) = (0, 0);
    for number in 0..MAX_MOVES {
        let (seq, to_act) = newest(&ann, &game).await;
        let player = match to_act.as_u64() {
            None => break,
            Some(0) => &ann,
            Some(_) => &bob,
        };
        let listed = player.get(&format!("{game}/actions")).await.ok();
        let actions = listed["actions"].as_array().expect("a list");
        let is_forced = actions.len() == 1 && actions[0].get("choose").is_none();
        if to_act == 1 && seq > 0 {
            assert!(!is_forced, "bob is asked for the only thing that he can do");
            by_hand += 1;
        }
        let action = some_action(player, &game, number).await;
        act(player, &game, &action).await;
        let before = newest(&ann, &game).await.0;
        carry_out(&app).await;
        played += newest(&ann, &game).await.0 - before;
    }
    assert!(played > 8 && by_hand > 8, "{played} forced, {by_hand} by hand");
    bob.put(&format!("{game}/standing-orders"), &json!({"only_legal": true})).await.problem(409, "game_over");
}

/// An attack of the player who is asked, if one is possible; otherwise any action.
async fn attack(player: &Client, game: &str, number: usize) -> Value {
    let listed = player.get(&format!("{game}/actions")).await.ok();
    let actions = listed["actions"].as_array().expect("a list");
    let attacks: Vec<&Value> = actions.iter().filter(|action| action["type"] == "attack").collect();
    let among = if attacks.is_empty() { actions.iter().collect() } else { attacks };
    among[number % among.len()].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_defender_of_dominion_who_has_said_how_to_occupy_is_not_asked() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    // Whether a defender conquers is chance, so it is waited for over games.
    for round in 0..20 {
        let game = begin(&ann, &bob, "dominion", json!({"size": 3})).await;
        order(&bob, &game, json!({"answers": ["occupy keep 1"]})).await;
        for number in 0..MAX_MOVES {
            let view = ann.get(&game).await.ok();
            let Some(seat) = view["to_act"].as_u64() else { break };
            if seat == 1 && view["view"]["current"] == 0 {
                let most = view["view"]["pending"]["max"].as_u64().expect("a number");
                let before = view["seq"].as_u64().expect("a number");
                assert_eq!(carry_out(&app).await, 1);
                let page = ann.get(&format!("{game}/events?first={}", before + 1)).await.ok();
                let event = &page["events"][0];
                assert_eq!((&event["seat"], &event["action"]["type"]), (&json!(1), &json!("occupy")));
                assert!(event["action"]["armies"].as_u64().expect("a number") <= most, "{event}");
                // It stands, unless the conquest ended the game or began bob's own turn, for which it has nothing.
                let is_anns_turn = ann.get(&game).await.ok()["to_act"] == 0;
                assert_eq!(orders(&bob, &game).await["is_active"], is_anns_turn);
                return;
            }
            let player = if seat == 0 { &ann } else { &bob };
            let action = if seat == 0 {
                attack(&ann, &game, number).await
            } else {
                some_action(player, &game, number + round).await
            };
            act(player, &game, &action).await;
        }
    }
    panic!("no defender has conquered in twenty games");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_cannot_be_are_refused() {
    let app = TestApp::start().await;
    let (game, _ann, bob) = pippinzip(&app).await;
    let path = format!("{game}/standing-orders");
    let refuse = async |body: Value, status: u16, code: &str| {
        bob.put(&path, &body).await.problem(status, code);
    };
    let branch = |branch: Value| json!({"branches": [branch]});
    refuse(json!({}), 409, "orders_not_possible").await;
    refuse(json!({"answers": ["occupy all"]}), 409, "orders_not_possible").await;
    refuse(branch(json!({"then": [], "next": [{"then": ["a1"]}]})), 409, "orders_not_possible").await;
    refuse(branch(json!({"then": [7]})), 422, "invalid_value").await;
    refuse(branch(json!({"then": ["a1; b1"]})), 422, "invalid_value").await;
    refuse(branch(json!({"if": [], "then": ["a1"]})), 422, "invalid_value").await;
    refuse(branch(json!({"if": ["a1"]})), 422, "invalid_value").await;
    assert_eq!(orders(&bob, &game).await["is_active"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_game_takes_orders_as_lines_and_says_why_not() {
    let app = TestApp::start().await;
    let (game, ann, bob) = pippinzip(&app).await;
    let page = game.replace("/api/v1", "");
    let browser = Browsing::log_in(&app, "ann").await;
    browser.get(&page).await.expect(200);
    let path = format!("{page}/standing-orders");
    let send = async |lines: &str, seq: &str| browser.post(&path, &[("lines", lines), ("seq", seq)]).await;
    let early = send("if d4 then e5", "0").await.expect(422).html;
    assert!(early.contains("It is your turn. What others do after it can be answered once you have moved."));
    place(&ann, &game, "c3").await;
    let late = send("if d4 then e5", "0").await.expect(422).html;
    assert!(late.contains("The game has moved on meanwhile"), "{late}");
    let broken = send("if d4 then e5\nif c2 then z9", "1").await.expect(422).html;
    assert!(broken.contains("&quot;if c2 then z9&quot; was not understood"), "{broken}");
    let prose = send("Play well, please", "1").await.expect(422).html;
    assert!(prose.contains("it is no order"), "{prose}");
    assert_eq!(orders(&ann, &game).await["is_active"], false, "nothing was taken");

    assert_eq!(send("If d4\r\nthen E5\r\n\r\nalways forced", "1").await.location(), page);
    let shown = browser.get(&page).await.expect(200).html;
    assert!(shown.contains(">if d4 then e5\nalways forced</textarea>"), "{shown}");
    let german = Browsing::log_in(&app, "ann").await.reading("de").get(&page).await.expect(200).html;
    assert!(german.contains(">wenn d4 dann e5\nimmer erzwungen</textarea>"), "{german}");
    let of_bob = Browsing::log_in(&app, "bob").await.get(&page).await.expect(200).html;
    assert!(!of_bob.contains("if d4"), "{of_bob}");
    place(&bob, &game, "d4").await;
    carry_out(&app).await;
    assert_eq!(newest(&ann, &game).await, (3, json!(1)));
    let ended = browser.get(&page).await.expect(200).html;
    assert!(ended.contains("Your orders were played to their end."), "{ended}");

    send("always forced", "3").await.expect(303);
    send("", "3").await.expect(303);
    assert_eq!(orders(&ann, &game).await["only_legal"], false);
    let many = "always forced\n".repeat(1_000);
    send(&many, "3").await.expect(422);
    // Who has no seat gives none.
    app.player("eve").await;
    let eve = Browsing::log_in(&app, "eve").await;
    eve.get(&page).await.expect(200);
    eve.post(&path, &[("lines", "always forced"), ("seq", "3")]).await.expect(403);
}
