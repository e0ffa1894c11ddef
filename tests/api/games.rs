//! Games over HTTP: `/games` and all paths below it.

use pippost::record::verify;
use pippost::rules;
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use pippost::games::playing;
use pippost::games::viewing::view::Requester;
use pippost::games::viewing::view_text;
use support::games::{pip_pip, play_to_the_end};
use support::sample::Sampler;
use support::{Client, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn two_players_play_a_whole_game_and_the_record_proves_itself() {
    let app = TestApp::start().await;
    let (game, players) = pip_pip(&app).await;
    let end = play_to_the_end(&game, &players).await;
    assert_eq!(end["status"], "finished");
    assert_eq!(end["result"]["reason"], "play");
    let record = app.stranger().get(&format!("{game}/record")).await;
    record.expect_status(200);
    let verified = verify(&record.body).expect("a good record");
    assert!(verified.proved);
    assert_eq!(json!(verified.result.expect("an end").places), end["result"]["places"]);
    assert_eq!(verified.events, end["seq"].as_u64().expect("a number") + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_racing_copies_of_a_move_give_one_event_and_two_hundred_equal_answers() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let before = ann.get(&game).await.ok();
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    let body = json!({"actions": [legal["actions"][0]]}).to_string();
    let copies =
        (0..200).map(|_| {
            let (ann, path, body) = (ann.clone(), format!("{game}/moves"), body.clone());
            async move {
                ann.send(Method::POST, &path, Some(body), &[("Idempotency-Key", "the-same-for-all")]).await
            }
        });
    let answers = futures_util::future::join_all(copies).await;
    for answer in &answers {
        answer.expect_status(200);
        assert_eq!(answer.text(), answers[0].text());
    }
    let after = ann.get(&game).await.ok();
    assert_eq!(after["seq"].as_u64(), before["seq"].as_u64().map(|seq| seq + 1));
    let events = ann.get(&format!("{game}/events")).await.ok();
    assert_eq!(events["events"].as_array().map(Vec::len), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_moves_without_a_key_give_one_event_and_the_others_see_the_current_position() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let second = app.second().await;
    let racing = (0..40).map(|number| {
        // Half of them go to another server process on the same database.
        let ann = if number % 2 == 0 { ann.clone() } else { ann.at(&second.url) };
        let path = format!("{game}/moves");
        async move { ann.post(&path, &json!({"notation": "c3 n2; ", "expected_seq": 0})).await }
    });
    let answers = futures_util::future::join_all(racing).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    // The first die may be a 2 or a 5; it cannot be placed with 2 to the north then.
    let first_die = ann.get(&format!("{game}/events")).await.ok()["events"][0]["effects"][1]["die"].clone();
    if first_die == 2 || first_die == 5 {
        assert!(made.is_empty());
        assert!(refused.iter().all(|answer| answer.json()["code"] == "illegal_action"));
    } else {
        assert_eq!(made.len(), 1);
        for answer in refused {
            let problem = answer.problem(409, "stale_seq");
            assert_eq!(problem["game"]["seq"], 1);
            assert!(problem["game"]["view"]["cells"]["c3"].is_object());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_serves_one_request_and_its_answer_outlives_the_position() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let path = format!("{game}/moves");
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    let body = json!({"actions": [legal["actions"][1]], "expected_seq": 0}).to_string();
    let keyed = [("Idempotency-Key", "first-move")];
    let first = ann.send(Method::POST, &path, Some(body.clone()), &keyed).await;
    first.expect_status(200);
    let legal = bob.get(&format!("{game}/actions")).await.ok();
    bob.post(&path, &json!({"actions": [legal["actions"][1]]})).await.expect_status(200);
    app.app.clock.advance(Duration::minutes(5));
    let again = ann.send(Method::POST, &path, Some(body.clone()), &keyed).await;
    assert_eq!(again.text(), first.text(), "also the seconds that were left");
    let elsewhere = ann.at(&app.second().await.url).send(Method::POST, &path, Some(body), &keyed).await;
    let but_for_its_address = |mut answer: serde_json::Value| {
        assert!(answer["game"]["page"].take().is_string());
        answer
    };
    assert_eq!(but_for_its_address(elsewhere.ok()), but_for_its_address(first.ok()));
    let other = json!({"notation": "store"}).to_string();
    ann.send(Method::POST, &path, Some(other), &keyed).await.problem(409, "idempotency_key_reused");
    let bad_key = [("Idempotency-Key", "a key with spaces")];
    ann.send(Method::POST, &path, Some("{}".into()), &bad_key).await.problem(400, "invalid_header");
    app.app.clock.advance(Duration::days(8));
    assert_eq!(playing::forget_stored_responses(&app.app.games).await.expect("the database"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_actions_in_one_request_are_done_all_or_none() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let path = format!("{game}/moves");
    let refused = ann.post(&path, &json!({"notation": "store; store; store; store"})).await;
    let problem = refused.problem(409, "draws_before_last");
    assert_eq!(problem["index"], 0);
    assert_eq!(ann.get(&game).await.ok()["seq"], 0);
    let moved = ann.post(&path, &json!({"notation": "store; store; store", "each": true})).await.ok();
    assert_eq!(moved["events"].as_array().map(Vec::len), Some(3));
    assert_eq!(moved["receipts"].as_array().map(Vec::len), Some(3));
    assert_eq!(moved["game"]["seq"], 3);
    assert_eq!(moved["game"]["view"]["stores"][0].as_array().map(Vec::len), Some(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_moves_get_a_clear_problem_and_change_nothing() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let eve = app.player("eve").await;
    let path = format!("{game}/moves");
    let store = json!({"notation": "store"});
    app.stranger().post(&path, &store).await.problem(401, "unauthenticated");
    eve.post(&path, &store).await.problem(403, "not_in_game");
    let problem = bob.post(&path, &store).await.problem(409, "not_your_turn");
    assert_eq!(problem["game"]["to_act"], 0);
    ann.post("/api/v1/games/01a1fe2a-89df-7515-9c5d-9fde96828ff2/moves", &store)
        .await
        .problem(404, "not_found");
    ann.post("/api/v1/games/not-an-id/moves", &store).await.problem(404, "not_found");
    ann.post(&path, &json!({"notation": "store", "expected_seq": 7})).await.problem(409, "stale_seq");
    let problem = ann.post(&path, &json!({"notation": "d4 x2"})).await.problem(422, "unreadable_action");
    assert_eq!((&problem["index"], &problem["at"]), (&json!(0), &json!(3)));
    for action in [
        json!({"type": "steal"}),
        json!({"type": "store", "die": 6}),
        json!({"type": "place", "cell": "z9", "north": 2}),
        json!({"type": "place", "cell": "d4"}),
        json!("store"),
        json!(["store"]),
    ] {
        ann.post(&path, &json!({"actions": [action]})).await.problem(422, "unreadable_action");
    }
    let problem =
        ann.post(&path, &json!({"actions": [{"type": "roll"}]})).await.problem(409, "illegal_action");
    assert!(problem["legal"].as_array().is_some_and(|legal| legal.len() == 65), "{problem}");
    ann.post(&path, &json!({"actions": []})).await.problem(422, "invalid_value");
    ann.post(&path, &json!({})).await.problem(422, "invalid_value");
    ann.post(&path, &json!({"notation": "store", "actions": []})).await.problem(422, "invalid_value");
    ann.post(&path, &json!({"notation": "store", "speed": 9})).await.problem(422, "invalid_value");
    ann.send(Method::POST, &path, Some("{\"notation\": ".into()), &[]).await.problem(400, "malformed_body");
    let text = [("content-type", "text/plain")];
    ann.send(Method::POST, &path, Some("store".into()), &text).await.problem(415, "unsupported_media_type");
    let large = format!("{{\"notation\": \"{}\"}}", "s".repeat(70_000));
    ann.send(Method::POST, &path, Some(large), &[]).await.problem(413, "body_too_large");
    ann.send(Method::PUT, &path, Some("{}".into()), &[]).await.problem(405, "method_not_allowed");
    ann.get("/api/v1/nowhere").await.problem(404, "not_found");
    assert_eq!(ann.get(&game).await.ok()["seq"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_shows_what_follows_up_to_the_next_roll_and_changes_nothing() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    let place = legal["actions"][1].clone();
    let preview = ann.post(&format!("{game}/preview"), &json!({"actions": [place]})).await.ok();
    assert_eq!(preview["stopped"], true);
    assert_eq!(preview["done"][0]["effects"].as_array().map(Vec::len), Some(1));
    assert_eq!(preview["done"][0]["effects"][0]["type"], "placed");
    assert!(preview["game"]["view"]["rolled"].is_null());
    let view = ann.get(&game).await.ok();
    assert_eq!(view["seq"], 0);
    assert_eq!(view["view"]["cells"], json!({}));
    ann.post(&format!("{game}/preview"), &json!({"notation": "roll"})).await.problem(409, "illegal_action");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_moment_can_be_seen_again_as_it_was() {
    let app = TestApp::start().await;
    let (game, players) = pip_pip(&app).await;
    let mut seen = Vec::new();
    loop {
        let view = players[0].get(&game).await.ok();
        seen.push((view["seq"].clone(), view["view"].clone(), view["head"].clone()));
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        player
            .post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]}))
            .await
            .expect_status(200);
    }
    assert!(seen.len() > 16);
    for (seq, view, head) in &seen {
        let again = players[1].get(&format!("{game}?seq={seq}")).await.ok();
        assert_eq!((&again["view"], &again["head"]), (view, head), "at {seq}");
    }
    players[0].get(&format!("{game}?seq=999")).await.problem(404, "not_found");
    players[0].get(&format!("{game}?seq=-1")).await.problem(422, "invalid_value");
    let page = players[0].get(&format!("{game}/events?first=3&limit=2")).await.ok();
    assert_eq!(
        page["events"]
            .as_array()
            .expect("a page")
            .iter()
            .map(|event| event["seq"].clone())
            .collect::<Vec<_>>(),
        [3, 4]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_exists_for_those_who_are_invited() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let invitation = created["invitation"].as_str().expect("an invitation");
    eve.get(&game).await.problem(404, "not_found");
    app.stranger().get(&game).await.problem(404, "not_found");
    assert_eq!(eve.get(&format!("{game}?token={invitation}")).await.ok()["status"], "open");
    eve.post(&format!("{game}/join"), &json!({})).await.problem(404, "not_found");
    eve.post(&format!("{game}/join"), &json!({"invitation": "guess"})).await.problem(404, "not_found");
    let joined = bob.post(&format!("{game}/join"), &json!({"invitation": invitation})).await.ok();
    assert_eq!(joined["status"], "running");
    for path in ["", "/record", "/events", "/board.txt"] {
        eve.get(&format!("{game}{path}")).await.problem(404, "not_found");
    }
    eve.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.problem(404, "not_found");
    eve.get(&format!("{game}?token={invitation}")).await.problem(404, "not_found");
    let open = eve.get("/api/v1/games?list=running").await.ok();
    assert_eq!(open["games"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_lets_players_in_and_out_until_the_game_starts() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    ann.get(&format!("{game}/record")).await.problem(409, "game_not_started");
    ann.post(&format!("{game}/moves"), &json!({"notation": "roll"})).await.problem(409, "game_not_started");
    ann.post(&format!("{game}/join"), &json!({})).await.problem(409, "already_joined");
    bob.post(&format!("{game}/leave"), &json!({})).await.problem(403, "not_in_game");
    let entropy = "x".repeat(65);
    bob.post(&format!("{game}/join"), &json!({"entropy": entropy})).await.problem(422, "invalid_value");
    bob.post(&format!("{game}/join"), &json!({"entropy": "tab\t"})).await.problem(422, "invalid_value");
    ann.post(&format!("{game}/leave"), &json!({})).await.expect_status(204);
    assert_eq!(ann.get(&game).await.ok()["status"], "cancelled");
    bob.post(&format!("{game}/join"), &json!({})).await.problem(409, "game_cancelled");

    let (game, [ann, bob]) = rematch(&ann, &bob).await;
    eve.post(&format!("{game}/join"), &json!({})).await.problem(409, "game_full");
    ann.post(&format!("{game}/leave"), &json!({})).await.problem(409, "game_started");
    assert_eq!(bob.get(&game).await.ok()["my_seat"], 1);
}

/// Another game of the same two players.
async fn rematch(ann: &Client, bob: &Client) -> (String, [Client; 2]) {
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "seating": "joined"})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    (game, [ann.clone(), bob.clone()])
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_reach_for_the_last_seat_one_gets_it() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json();
    let join = format!("/api/v1/games/{}/join", created["id"].as_str().expect("an id"));
    let mut others = Vec::new();
    for number in 0..6 {
        others.push(app.player(&format!("player{number}")).await);
    }
    let body = json!({});
    let answers = futures_util::future::join_all(others.iter().map(|other| other.post(&join, &body))).await;
    let (joined, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(joined.len(), 1);
    for answer in refused {
        answer.problem(409, "game_full");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn impossible_games_are_not_created() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for (wanted, code, status) in [
        (json!({"rules": "chess"}), "unknown_rules", 422),
        (json!({"rules": "pip-pip", "options": {"size": 5}}), "invalid_options", 422),
        (json!({"rules": "pip-pip", "options": []}), "invalid_options", 422),
        (json!({"rules": "pip-pip", "seats": 3}), "invalid_value", 422),
        (json!({"rules": "pip-pip", "limit_hours": 0}), "invalid_value", 422),
        (json!({"rules": "pip-pip", "limit_hours": 1441}), "invalid_value", 422),
        (json!({"rules": "pip-pip", "seating": "circle"}), "invalid_value", 422),
        (json!({"rules": "pip-pip", "colour": "red"}), "invalid_value", 422),
        (json!({}), "invalid_value", 422),
    ] {
        ann.post("/api/v1/games", &wanted).await.problem(status, code);
    }
    assert_eq!(ann.get("/api/v1/games?list=mine").await.ok()["games"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_filtered_and_come_page_by_page() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let mut open = Vec::new();
    for _ in 0..5 {
        open.push(ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json()["id"].clone());
    }
    let (running, _) = rematch(&ann, &bob).await;
    let ids = |page: &Value| -> Vec<Value> {
        page["games"].as_array().expect("a page").iter().map(|game| game["id"].clone()).collect()
    };
    let mut collected = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = app.stranger().get(&format!("/api/v1/games?list=open&limit=2{cursor}")).await.ok();
        collected.extend(ids(&page));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    open.reverse();
    assert_eq!(collected, open, "newest first, none twice, none missing");
    assert_eq!(ids(&ann.get("/api/v1/games?list=mine").await.ok()).len(), 6);
    assert_eq!(ids(&bob.get("/api/v1/games?list=mine").await.ok()).len(), 1);
    assert_eq!(ids(&ann.get("/api/v1/games?list=mine&status=open").await.ok()), open);
    let turn = ann.get("/api/v1/games?list=my_turn").await.ok();
    assert_eq!(ids(&turn).len(), 1);
    assert!(running.ends_with(turn["games"][0]["id"].as_str().expect("an id")));
    assert_eq!(turn["games"][0]["my_turn"], true);
    assert_eq!(turn["games"][0]["time_left_seconds"], 7 * 24 * 3600);
    assert_eq!(ids(&bob.get("/api/v1/games?list=my_turn").await.ok()).len(), 0);
    assert_eq!(ids(&ann.get("/api/v1/games?list=open&rules=dominion").await.ok()).len(), 0);
    app.stranger().get("/api/v1/games?list=mine").await.problem(401, "unauthenticated");
    ann.get("/api/v1/games?limit=101").await.problem(422, "invalid_value");
    ann.get("/api/v1/games?list=all").await.problem(422, "invalid_value");
    let (finished, players) = rematch(&ann, &bob).await;
    players[1].post(&format!("{finished}/resign"), &json!({})).await.expect_status(200);
    assert_eq!(ids(&app.stranger().get("/api/v1/games?list=finished&rules=pip-pip").await.ok()).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn resigning_works_out_of_turn_and_aborting_until_one_has_acted() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let resigned = bob.post(&format!("{game}/resign"), &json!({"expected_seq": 0})).await.ok();
    assert_eq!(resigned["game"]["result"]["places"], json!([1, 2]));
    assert_eq!(resigned["events"][0]["effects"][0], json!({"type": "left", "seat": 1}));
    bob.post(&format!("{game}/resign"), &json!({})).await.problem(409, "game_over");

    let (game, [ann, bob]) = rematch(&ann, &bob).await;
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.expect_status(200);
    // Ann has seen a roll, so she cannot ask for another game, though bob has done nothing yet.
    ann.post(&format!("{game}/abort"), &json!({})).await.problem(409, "too_late_to_abort");
    assert_eq!(ann.get(&format!("{game}/actions")).await.ok()["also"], json!([{"type": "resign"}]));
    let aborted = bob.post(&format!("{game}/abort"), &json!({})).await.ok();
    assert_eq!(aborted["game"]["result"], json!({"reason": "abort", "places": null, "scores": null}));
    let record = bob.get(&format!("{game}/record")).await;
    assert!(verify(&record.body).expect("a good record").proved);

    let (game, [ann, bob]) = rematch(&ann, &bob).await;
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    assert_eq!(legal["also"], json!([{"type": "resign"}, {"type": "abort"}]));
    ann.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][1]]})).await.expect_status(200);
    bob.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.expect_status(200);
    ann.post(&format!("{game}/abort"), &json!({})).await.problem(409, "too_late_to_abort");
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    assert_eq!(legal["also"], json!([{"type": "resign"}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_process_serves_the_same_games() {
    let app = TestApp::start().await;
    let (game, players) = pip_pip(&app).await;
    let second = app.second().await;
    for turn in 0.. {
        // Every request goes to the server that did not answer the one before.
        let (here, there) = if turn % 2 == 0 { (&app.url, &second.url) } else { (&second.url, &app.url) };
        let view = players[0].at(here).get(&game).await.ok();
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.at(here).get(&format!("{game}/actions")).await.ok();
        let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
        let body = json!({"actions": [action], "expected_seq": view["seq"]});
        player.at(there).post(&format!("{game}/moves"), &body).await.expect_status(200);
    }
    let record = app.stranger().get(&format!("{game}/record")).await;
    assert!(verify(&record.body).expect("a good record").proved);
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_are_signed_by_a_published_key_and_name_the_event() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let moved = ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    let receipt = moved["receipts"][0].as_str().expect("a receipt");
    let claims: Value = app.app.signing.verify(pippost::games::RECEIPT_KIND, receipt).expect("our signature");
    let event = &moved["events"][0];
    let clock = &claims["clock"];
    assert_eq!(
        claims,
        json!({"game": moved["game"]["id"], "seq": event["seq"], "hash": event["hash"], "clock": clock})
    );
    assert_eq!(clock["number"], 0, "of the clock log, which has one line");
}

#[tokio::test(flavor = "multi_thread")]
async fn history_cannot_be_changed_by_the_servers_own_role() {
    use diesel_async::SimpleAsyncConnection;
    let app = TestApp::start().await;
    pip_pip(&app).await;
    let mut connection = app.app.database.get().await.expect("a connection");
    for statement in ["update events set line = line", "delete from events", "truncate events"] {
        let refused = connection.batch_execute(statement).await.expect_err(statement);
        assert!(refused.to_string().contains("events are never changed or removed"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_are_listed_with_their_schemas_and_texts() {
    let app = TestApp::start().await;
    let listed = app.stranger().get("/api/v1/rules").await.ok()["rules"].clone();
    assert_eq!(listed.as_array().map(Vec::len), Some(rules::all().count()));
    for summary in listed.as_array().expect("a list") {
        let name = summary["name"].as_str().expect("a name");
        let details = app.stranger().get(&format!("/api/v1/rules/{name}")).await.ok();
        let schema = jsonschema::draft202012::new(&details["options_schema"]).expect("a schema");
        assert!(schema.is_valid(&details["default_options"]));
        jsonschema::draft202012::new(&details["action_schema"]).expect("a schema");
        assert!(details["text"].as_str().is_some_and(|text| text.starts_with("# ")));
    }
    app.stranger().get("/api/v1/rules/chess").await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_comes_as_plain_text() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let board = app.stranger().get(&format!("{game}/board.txt")).await;
    board.expect_status(200);
    assert!(
        board.text().contains("( ) light: ann, 0 points, 8 dice to place, store empty"),
        "{}",
        board.text()
    );
    let before = board.text();
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.expect_status(200);
    assert_eq!(app.stranger().get(&format!("{game}/board.txt?seq=0")).await.text(), before);
    assert_ne!(app.stranger().get(&format!("{game}/board.txt")).await.text(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_comes_as_a_picture_that_its_tag_saves_from_being_sent_twice() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    for (path, media_type, start) in [
        ("board.svg?theme=dark", "image/svg+xml", b"<svg".as_slice()),
        ("board.png?width=320", "image/png", b"\x89PNG"),
    ] {
        let path = format!("{game}/{path}");
        let drawn = app.stranger().get(&path).await;
        drawn.expect_status(200);
        assert_eq!(drawn.headers["content-type"], media_type);
        assert!(drawn.body.starts_with(start));
        let tag = drawn.headers["etag"].to_str().expect("a tag").to_owned();
        let known = [("If-None-Match", tag.as_str())];
        app.stranger().send(Method::GET, &path, None, &known).await.expect_status(304);
        let mine = ann.send(Method::GET, &path, None, &known).await;
        assert_ne!(mine.expect_status(200).headers["etag"], tag.as_str(), "a tag serves one pair of eyes");
    }
    let before = app.stranger().get(&format!("{game}/board.svg")).await;
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.expect_status(200);
    let after = app.stranger().get(&format!("{game}/board.svg")).await;
    assert_ne!(after.text(), before.text());
    assert_eq!(app.stranger().get(&format!("{game}/board.svg?seq=0")).await.text(), before.text());
    app.stranger().get(&format!("{game}/board.png?width=9")).await.problem(422, "invalid_value");
    app.stranger().get(&format!("{game}/board.png?seq=9")).await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_of_a_move_at_two_processes_get_one_answer_however_old_their_caches_are() {
    let app = TestApp::start().await;
    let second = app.second().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let mut sampler = Sampler::new(20_261_125);
    for _ in 0..4 {
        let game = open_game_of(&players[0], "pippinzip").await;
        players[1].post(&format!("{game}/join"), &json!({})).await.ok();
        for seq in 0..60_u64 {
            let view = players[0].get(&game).await.ok();
            let Some(seat) = view["to_act"].as_u64() else { break };
            let player = &players[usize::try_from(seat).expect("a seat")];
            let legal = player.get(&format!("{game}/actions")).await.ok();
            let action = sampler.action(legal["actions"].as_array().expect("a list"));
            let body = json!({"actions": [action], "expected_seq": view["seq"]}).to_string();
            let (path, key) = (format!("{game}/moves"), format!("{game}{seq}"));
            let headers = [("Idempotency-Key", key.as_str())];
            let here = player.send(Method::POST, &path, Some(body.clone()), &headers);
            if seq % 2 == 0 {
                here.await.expect_status(200);
                continue;
            }
            // The other process has seen the game before the last move only.
            let there = player.at(&second.url);
            let there = there.send(Method::POST, &path, Some(body), &headers);
            let (here, there) = futures_util::join!(here, there);
            assert_eq!(there.ok()["events"], here.ok()["events"]);
            players[0].at(&second.url).get(&game).await.ok();
        }
    }
}

/// A game of the rule set that waits for its second player: its path.
async fn open_game_of(player: &Client, rules: &str) -> String {
    let created = player.post("/api/v1/games", &json!({"rules": rules, "seating": "joined"})).await;
    format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_starts_while_others_look_at_it_is_shown_whole() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    for _ in 0..5 {
        let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
        let id: Uuid = created["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        let looks = (0..50).map(|_| {
            let games = app.app.games.clone();
            tokio::spawn(async move {
                loop {
                    let shown =
                        view_text::view_text(&games, id, &Requester::default()).await.expect("a game");
                    let view: Value = serde_json::from_str(shown.json.get()).expect("JSON");
                    if view["status"] == "running" {
                        return view;
                    }
                }
            })
        });
        let looks: Vec<_> = looks.collect();
        bob.post(&format!("/api/v1/games/{id}/join"), &json!({})).await.ok();
        for look in looks {
            let view = look.await.expect("a view");
            let told = [&view["seq"], &view["players"][0]["seat"], &view["to_act"]];
            assert!(told.iter().all(|value| value.is_number()), "{view}");
        }
    }
}
