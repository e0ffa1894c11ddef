//! Lists of actions: some are carried out as a whole or not at all, some as separate moves.

use reqwest::Method;
use serde_json::{Value, json};

use support::games::pip_pip;
use support::post::{Post, Sent, deliver};
use support::{Client, TestApp};

async fn seq(client: &Client, game: &str) -> Value {
    client.get(game).await.ok()["seq"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn with_each_what_is_legal_is_done_up_to_the_first_that_is_not_and_the_answer_says_so() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let body = json!({"notation": "store; roll; store", "each": true, "expected_seq": 0});
    let key = [("Idempotency-Key", "each-1")];
    let path = format!("{game}/moves");
    let answer = ann.send(Method::POST, &path, Some(body.to_string()), &key).await;
    let done = answer.ok();
    assert_eq!(done["events"].as_array().expect("events").len(), 1);
    assert_eq!(done["receipts"].as_array().expect("receipts").len(), 1);
    assert_eq!(done["game"]["seq"], 1);
    let stopped = &done["stopped"];
    assert_eq!((&stopped["index"], &stopped["not_tried"]), (&json!(1), &json!(1)));
    assert_eq!(stopped["problem"]["code"], "illegal_action");
    assert!(stopped["problem"]["legal"].is_array() && stopped["problem"].get("game").is_none(), "{stopped}");
    assert_eq!(seq(&ann, &game).await, 1);

    // The action gets the same error if it is sent alone now.
    let alone = ann.post(&path, &json!({"notation": "roll"})).await.problem(409, "illegal_action");
    assert_eq!(alone["detail"], stopped["problem"]["detail"]);
    assert_eq!(alone["legal"], stopped["problem"]["legal"]);

    // A repeated request gets the same bytes, even after the game has moved on.
    ann.post(&path, &json!({"notation": "store"})).await.ok();
    let again = ann.send(Method::POST, &path, Some(body.to_string()), &key).await;
    assert_eq!(again.expect_status(200).text(), answer.text());
    assert_eq!(seq(&ann, &game).await, 2);

    // With the same key, the same list as one move is a different request.
    let other = json!({"notation": "store; roll; store", "expected_seq": 0});
    ann.send(Method::POST, &path, Some(other.to_string()), &key).await.problem(409, "idempotency_key_reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_each_the_beginning_of_an_action_is_answered_alike_the_first_time_and_again() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let body = json!({"notation": "store; d4", "each": true}).to_string();
    let key = [("Idempotency-Key", "each-2")];
    let path = format!("{game}/moves");
    let answer = ann.send(Method::POST, &path, Some(body.clone()), &key).await;
    let stopped = &answer.ok()["stopped"];
    assert_eq!((&stopped["index"], &stopped["problem"]["index"]), (&json!(1), &json!(1)));
    assert_eq!(stopped["problem"]["code"], "incomplete_action", "{stopped}");
    let candidates = stopped["problem"]["candidates"].as_array().expect("candidates");
    assert!(candidates.iter().all(|action| action.as_str().is_some_and(|text| text.starts_with("d4 "))));
    let again = ann.send(Method::POST, &path, Some(body), &key).await;
    assert_eq!(again.expect_status(200).text(), answer.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn with_each_a_list_that_is_done_to_its_end_has_not_stopped() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let both = json!({"actions": [{"type": "store"}, {"type": "store"}], "each": true});
    let done = ann.post(&format!("{game}/moves"), &both).await.ok();
    assert_eq!(done["events"].as_array().expect("events").len(), 2);
    assert_eq!(done.get("stopped"), None);
    assert_eq!(seq(&ann, &game).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_each_a_list_whose_first_action_is_refused_is_refused_as_ever() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let path = format!("{game}/moves");
    for (who, notation, status, code) in [
        (&ann, "roll; store", 409, "illegal_action"),
        (&ann, "blargh; store", 422, "unreadable_action"),
        (&bob, "store; store", 409, "not_your_turn"),
    ] {
        let problem =
            who.post(&path, &json!({"notation": notation, "each": true})).await.problem(status, code);
        assert_ne!(problem["index"], 1, "{problem}");
    }
    assert_eq!(seq(&ann, &game).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_actions_of_a_mail_are_moves_of_their_own_and_the_answer_says_which_were_done() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let sent = Sent::answer("ann", &turn, "store\nstore; roll\nstore\n");
    assert_eq!(deliver(&app, &sent).await, "taken");
    assert_eq!(seq(&ann, &game).await, 2);
    let told = post.last("ann").await;
    assert_eq!(told.kind, "answer");
    let said = told.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("Done: store, store. Then \"roll\" was not possible"), "{said}");

    // A repeated delivery does nothing and sends no answer.
    let before = post.all("ann").await.len();
    assert_eq!(deliver(&app, &sent).await, "repeated");
    assert_eq!(seq(&ann, &game).await, 2);
    assert_eq!(post.all("ann").await.len(), before);
}

/// A list in which an earlier action draws is refused without drawing.
async fn refused_unseen(player: &Client, game: &str, body: Value, drawing: Value) {
    let (view, legal) = (player.get(game).await.ok(), player.get(&format!("{game}/actions")).await.ok());
    for path in ["moves", "preview"] {
        let problem = player.post(&format!("{game}/{path}"), &body).await.problem(409, "draws_before_last");
        assert_eq!((&problem["index"], &problem["action"]), (&json!(0), &drawing), "{problem}");
        assert_eq!(problem["game"], view, "the stored game, and no other");
        assert_eq!(problem["legal"], legal["actions"]);
    }
    assert_eq!(player.get(game).await.ok(), view);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_die_is_not_told_by_a_list_that_is_refused() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    for notation in ["store; roll", "store; c6 n1", "store; blargh", "store; store; store"] {
        refused_unseen(&ann, &game, json!({"notation": notation}), json!("store")).await;
    }
    let store = json!({"type": "store"});
    for second in [json!({"type": "roll"}), json!({"type": "place", "cell": "c6", "north": 1}), json!(1)] {
        refused_unseen(&ann, &game, json!({"actions": [store, second]}), store.clone()).await;
    }
    // The last action may draw; with `each` every action may.
    let done = ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    assert_eq!(done["game"]["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battle_is_not_told_by_whether_its_conquest_can_be_occupied() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "dominion", "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let players = [ann, bob];
    for _ in 0..400 {
        let view = players[0].get(&game).await.ok();
        let seat = usize::try_from(view["to_act"].as_u64().expect("a running game")).expect("a seat");
        let player = &players[seat];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let actions = legal["actions"].as_array().expect("a list");
        let Some(attack) = actions.iter().find(|action| action["type"] == "attack") else {
            player.post(&format!("{game}/moves"), &json!({"actions": [actions[0]]})).await.ok();
            continue;
        };
        for armies in 0..3 {
            let list = json!({"actions": [attack, {"type": "occupy", "armies": armies}]});
            refused_unseen(player, &game, list, attack.clone()).await;
        }
        let [from, to] = ["from", "to"].map(|member| attack[member].as_str().expect("a cell"));
        let written = format!("attack {from} {to}");
        refused_unseen(player, &game, json!({"notation": format!("{written}; occupy 0")}), json!(written))
            .await;
        return;
    }
    panic!("nobody could attack");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_without_chance_is_refused_from_the_stored_game_too() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "serpent", "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let view = bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let player = [&ann, &bob][usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat")];
    let (before, legal) = (player.get(&game).await.ok(), player.get(&format!("{game}/actions")).await.ok());
    let give = &legal["actions"][0];
    // The given cards cannot be given again: the second action is refused, and the first has not been carried out.
    let list = json!({"actions": [give, give]});
    for path in ["moves", "preview"] {
        let problem = player.post(&format!("{game}/{path}"), &list).await.problem(409, "illegal_action");
        assert_eq!(problem["index"], 1);
        assert_eq!(problem["game"], before);
        assert_eq!(problem["legal"].as_array().expect("a list")[0], *give);
    }
    assert_eq!(player.get(&game).await.ok(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn by_mail_a_die_is_told_only_once_it_is_an_event() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let post = Post::of(&app);
    for (number, text) in ["store; roll", "store; c6 n1"].into_iter().enumerate() {
        let turn = post.last("ann").await;
        let before = ann.get(&game).await.ok();
        assert_eq!(deliver(&app, &Sent::answer("ann", &turn, text)).await, "taken");
        let after = ann.get(&game).await.ok();
        assert!(
            after["seq"].as_u64() > before["seq"].as_u64(),
            "mail {number} stored, and so the die is an event"
        );
        let told = post.last("ann").await;
        assert_eq!(told.kind, "answer");
    }
}
