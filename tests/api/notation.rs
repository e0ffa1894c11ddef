//! Unreadable, illegal and incomplete actions get three different answers. The answer to an incomplete action lists the
//! possible actions, only for the player to act, and none of them is carried out.

use serde_json::{Value, json};

use support::games::pip_pip;
use support::sample::Sampler;
use support::{Client, TestApp};

/// The number of moves of each game after which incomplete actions are tried.
const MOVES: usize = 40;

/// A started game of two in which the first player has the first seat.
async fn started(players: &[Client; 2], rules: &str, options: Value) -> String {
    let wanted = json!({"rules": rules, "options": options, "seating": "joined"});
    let created = players[0].post("/api/v1/games", &wanted).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    game
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text").to_owned());
    texts.collect()
}

/// An incomplete action: without its last part, or only the first letter of a single part.
fn beginning(written: &str) -> String {
    match written.rsplit_once(' ') {
        Some((beginning, _)) => beginning.to_owned(),
        None => written.chars().take(1).collect(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn not_readable_not_allowed_and_not_complete_have_codes_of_their_own() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let legal = texts(&ann.get(&format!("{game}/actions")).await.ok()["notation"]);
    let at_d4: Vec<String> = legal.into_iter().filter(|action| action.starts_with("d4 ")).collect();
    assert_eq!(at_d4.len(), 4);
    for address in ["moves", "preview"] {
        let address = format!("{game}/{address}");
        let ask = async |text: &str| ann.post(&address, &json!({"notation": text})).await;
        let asked = ask("D4").await.problem(409, "incomplete_action");
        assert_eq!((texts(&asked["candidates"]), &asked["index"]), (at_d4.clone(), &json!(0)));
        let detail = asked["detail"].as_str().expect("words");
        assert!(at_d4.iter().all(|action| detail.contains(action)), "{detail}");
        ask("d9").await.problem(422, "unreadable_action");
        ask("roll").await.problem(409, "illegal_action");
        let other = bob.post(&address, &json!({"notation": "d4"})).await;
        assert_eq!(other.problem(422, "unreadable_action").get("candidates"), None);
    }
    assert_eq!(ann.get(&game).await.ok()["seq"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_beginning_of_an_action_is_answered_with_those_that_it_can_be_in_every_rule_set() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    // Pippinzip lists its cells as a choice, not one by one.
    let game = started(&players, "pippinzip", json!({"size": 5})).await;
    let asked = players[0].post(&format!("{game}/moves"), &json!({"notation": "C"})).await;
    let asked = asked.problem(409, "incomplete_action");
    assert_eq!(texts(&asked["candidates"]), ["c1", "c2", "c3", "c4", "c5"]);
    for (rules, options) in [("pip-pip", json!({})), ("serpent", json!({})), ("dominion", json!({}))] {
        let game = started(&players, rules, options).await;
        let (mut sampler, mut several) = (Sampler::new(18), 0);
        for _ in 0..MOVES {
            let view = players[0].get(&game).await.ok();
            let Some(seat) = view["to_act"].as_u64() else { break };
            let (mover, other) = (&players[usize::from(seat == 1)], &players[usize::from(seat == 0)]);
            let legal = mover.get(&format!("{game}/actions")).await.ok();
            let written = texts(&legal["notation"]);
            if !written.is_empty() {
                let text = beginning(&written[sampler.below(written.len())]);
                several += usize::from(try_beginning(&game, mover, other, &text, &written).await > 1);
            }
            let action = sampler.action(legal["actions"].as_array().expect("a list"));
            mover.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
        }
        assert!(several > 3, "{rules}: {several} beginnings of several actions");
    }
}

/// The player to act is told the possible actions, the other player nothing. Returns the number of possible actions.
async fn try_beginning(game: &str, mover: &Client, other: &Client, text: &str, written: &[String]) -> usize {
    let moves = format!("{game}/moves");
    let asked = mover.post(&moves, &json!({"notation": text})).await.problem(409, "incomplete_action");
    let candidates = texts(&asked["candidates"]);
    for candidate in &candidates {
        assert!(written.contains(candidate), "{text}: {candidate} is not legal");
    }
    let begun = written.iter().filter(|action| action.starts_with(text)).take(100);
    for action in begun {
        assert!(candidates.contains(action) || candidates.len() == 100, "{text}: {action} is missing");
    }
    let answer = other.post(&moves, &json!({"notation": text})).await.problem(422, "unreadable_action");
    assert_eq!(answer.get("candidates"), None, "{text}");
    candidates.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beginning_that_only_one_action_has_is_not_taken_for_it() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let game = started(&players, "dominion", json!({})).await;
    let view = players[0].get(&game).await.ok();
    let seat = view["to_act"].as_u64().expect("a seat");
    let mover = &players[usize::from(seat == 1)];
    let written = texts(&mover.get(&format!("{game}/actions")).await.ok()["notation"]);
    assert_eq!(written.iter().filter(|action| action.starts_with('p')).count(), 1, "{written:?}");
    let asked = mover.post(&format!("{game}/moves"), &json!({"notation": "p"})).await;
    assert_eq!(texts(&asked.problem(409, "incomplete_action")["candidates"]), ["pass"]);
    assert_eq!(mover.get(&game).await.ok()["seq"], view["seq"]);
}
