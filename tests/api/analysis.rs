//! Boards of one's own: any line from any position, with chance chosen by hand; nothing hidden, nothing changed, nothing unbounded.

use pippost::games::viewing::analysis::{MAX_LINE, MAX_OUTCOMES};
use pippost::rules::{self, RuleSet};
use serde_json::{Value, json};

use support::analysing::Finished;
use support::games::{open_game, pip_pip, play_to_the_end};
use support::sample::Sampler;
use support::{Client, TestApp};

/// A running game of two under random options, with the players by seat.
async fn begun(
    rules: &'static dyn RuleSet,
    players: &[Client; 2],
    sampler: &mut Sampler,
) -> (String, [Client; 2]) {
    let options = loop {
        let options = sampler.options(&rules.options_schema());
        let complete = rules.complete_options(&options).expect("options of the schema");
        if rules.seats(&complete).expect("complete options").contains(&2) {
            break complete;
        }
    };
    let wanted = json!({"rules": rules.name(), "options": options, "seats": 2, "seating": "joined"});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    (game, players.clone())
}

/// The player to act makes a random move; false when the game is over.
async fn one_move(game: &str, players: &[Client; 2], sampler: &mut Sampler) -> bool {
    let Some(seat) = players[0].get(game).await.ok()["to_act"].as_u64() else { return false };
    let player = &players[usize::try_from(seat).expect("a seat")];
    let legal = player.get(&format!("{game}/actions")).await.ok();
    let action = sampler.action(legal["actions"].as_array().expect("a list"));
    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_every_rule_set_played_again_with_its_own_chance_is_the_game() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await].map(|player| player.unchecked());
    let mut sampler = Sampler::new(150);
    for rules in rules::all() {
        let (game, seated) = begun(rules, &players, &mut sampler).await;
        let mut moves = 0;
        while moves < 160 && one_move(&game, &seated, &mut sampler).await {
            moves += 1;
        }
        if moves == 160 {
            seated[0].post(&format!("{game}/resign"), &json!({})).await.ok();
        }
        let mut finished = Finished::read(&game, &seated, &app.stranger()).await;
        if moves == 160 {
            finished.events.pop();
        }
        let before = app.stranger().get(&format!("{game}/events?limit=500")).await.text();
        let draws = finished.play_again(&app.stranger(), &game, moves < 160).await;
        assert_eq!(app.stranger().get(&format!("{game}/events?limit=500")).await.text(), before);
        let drew = finished.events[1..].iter().any(|event| !event.seeds.is_empty());
        assert_eq!(draws > 0, drew, "{}", rules.name());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_can_be_analysed_once_all_that_was_hidden_at_it_is_public() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let mut sampler = Sampler::new(151);
    for rules in rules::all() {
        let (game, seated) = begun(rules, &players, &mut sampler).await;
        let analysis = format!("{game}/analysis");
        for _ in 0..20 {
            let running = one_move(&game, &seated, &mut sampler).await;
            let newest = app.stranger().get(&game).await.ok()["seq"].as_u64().expect("a number");
            for seq in [0, newest] {
                let choices = app.stranger().get(&format!("{game}/choices?seq={seq}")).await.ok();
                for who in [&seated[0], &seated[1], &app.stranger()] {
                    // What is hidden is refused before anything of the line is looked at.
                    let lines = [json!([]), json!([{"notation": "nonsense"}])];
                    let answers = futures_util::future::join_all(lines.map(|line| {
                        let body = json!({"seq": seq, "line": line});
                        let analysis = &analysis;
                        async move { who.post(analysis, &body).await }
                    }))
                    .await;
                    if choices["hidden"] == true {
                        for answer in answers {
                            answer.problem(409, "analysis_hidden");
                        }
                    } else {
                        let board = answers[0].ok();
                        assert_eq!(
                            (&board["to_act"], &board["actions"]),
                            (&choices["to_act"], &choices["actions"])
                        );
                    }
                }
            }
            if !running {
                break;
            }
        }
        if rules.hides() {
            seated[0].post(&analysis, &json!({})).await.problem(409, "analysis_hidden");
            seated[1].post(&format!("{game}/resign"), &json!({})).await.ok();
            for seq in [0, 1, 5] {
                let board = app.stranger().post(&analysis, &json!({"seq": seq})).await.ok();
                assert_ne!(board["actions"], json!([]), "all is public now");
            }
        }
    }
}

/// The players of a game of dice, and its analysis.
async fn dice(app: &TestApp) -> (String, [Client; 2], String) {
    let (game, players) = pip_pip(app).await;
    let analysis = format!("{game}/analysis");
    (game, players, analysis)
}

/// The player to act stores a die, and rolls again.
fn store(chance: &[&str]) -> Value {
    json!({"notation": "store", "chance": chance})
}

#[tokio::test(flavor = "multi_thread")]
async fn chance_is_asked_for_and_brings_what_it_can_alone() {
    let app = TestApp::start().await;
    let (game, players, analysis) = dice(&app).await;
    let ask = async |line: Value| players[1].post(&analysis, &json!({"seq": 0, "line": line})).await;
    let names = |board: &Value| -> Vec<String> {
        let asked = board["asked"].as_array().expect("a draw is open").iter();
        asked.map(|outcome| outcome["name"].as_str().expect("a name").to_owned()).collect()
    };
    let stored = app.stranger().get(&format!("{game}/events")).await.text();
    let open = ask(json!([store(&[])])).await.ok();
    assert_eq!(names(&open), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!((&open["to_act"], &open["actions"]), (&Value::Null, &json!([])));
    for face in ["1", "6"] {
        let board = ask(json!([store(&[face])])).await.ok();
        let effects = board["line"][0]["effects"].as_array().expect("effects").clone();
        assert_eq!(effects.last().expect("a roll")["die"].to_string(), face);
        assert_eq!(board["asked"], Value::Null);
    }
    for (line, index) in [
        (json!([store(&["7"])]), 0),
        (json!([store(&["0"])]), 0),
        (json!([store(&["Th"])]), 0),
        (json!([store(&["4", "4"])]), 0),
        (json!([store(&["4"]), store(&["9"])]), 1),
    ] {
        let problem = ask(line.clone()).await.problem(409, "chance_not_possible");
        assert_eq!(problem["index"], json!(index), "{line}");
    }
    let problem = ask(json!([store(&["7"])])).await.problem(409, "chance_not_possible");
    assert_eq!(problem["candidates"], json!(["1", "2", "3", "4", "5", "6"]));
    let problem = ask(json!([store(&[]), {"notation": "store"}])).await.problem(409, "incomplete_action");
    assert_eq!((&problem["index"], &problem["candidates"][5]), (&json!(0), &json!("6")));
    assert_eq!(app.stranger().get(&format!("{game}/events")).await.text(), stored, "nothing has changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_analysed_is_refused() {
    let app = TestApp::start().await;
    let (game, players, analysis) = dice(&app).await;
    let ann = &players[0];
    let ask = async |body: Value| ann.post(&analysis, &body).await;
    let illegal = ask(json!({"seq": 0, "line": [store(&["5"]), {"notation": "roll"}]})).await;
    assert_eq!(illegal.problem(409, "illegal_action")["index"], json!(1));
    ask(json!({"line": [{"notation": "blargh"}]})).await.problem(422, "unreadable_action");
    ask(json!({"line": [{"action": {"type": "fold"}}]})).await.problem(422, "unreadable_action");
    ask(json!({"seq": 99})).await.problem(404, "not_found");
    ask(json!({"seq": -1})).await.problem(422, "invalid_value");
    let line = vec![store(&["5"]); MAX_LINE + 1];
    ask(json!({"line": line})).await.problem(422, "invalid_value");
    ask(json!({"line": [store(&vec!["5"; MAX_OUTCOMES + 1])]})).await.problem(422, "invalid_value");
    for name in ["", "a b", "\u{0}", &"x".repeat(17), "ä"] {
        let answer = ann.unchecked().post(&analysis, &json!({"line": [store(&[name])]})).await;
        assert!(answer.status.is_client_error(), "{name}: {}", answer.text());
    }
    let both = json!({"line": [{"notation": "store", "action": {"type": "store"}}]});
    ann.unchecked().post(&analysis, &both).await.problem(422, "invalid_value");
    ann.unchecked().post(&analysis, &json!({"line": [{}]})).await.problem(422, "invalid_value");
    let open = open_game(ann).await;
    ann.post(&format!("{open}/analysis"), &json!({})).await.problem(409, "game_not_started");

    let end = play_to_the_end(&game, &players).await;
    ask(json!({"line": [store(&["5"])]})).await.problem(409, "game_over");
    let over = ask(json!({})).await.ok();
    assert_eq!((&over["seq"], &over["to_act"], &over["result"]), (&end["seq"], &Value::Null, &end["result"]));
    // Somebody who has no account may look, too, and strangers do not learn of private games.
    app.stranger().post(&analysis, &json!({"seq": 3})).await.ok();
    let private = json!({"rules": "pip-pip", "private": true});
    let private = ann.post("/api/v1/games", &private).await.expect_status(201).json();
    let id = private["id"].as_str().expect("an id");
    app.stranger().post(&format!("/api/v1/games/{id}/analysis"), &json!({})).await.problem(404, "not_found");
}
