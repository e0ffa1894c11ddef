//! History: replays by page, positions by event and by turn, past choices, feeds, and records one by one and together.

use std::collections::BTreeSet;
use std::io::Read;

use futures_util::TryStreamExt;
use pippost::games::history;
use pippost::games::viewing::view::Requester;
use pippost::record::verify;
use serde_json::{Value, json};
use uuid::Uuid;

use support::sample::Sampler;
use support::{Client, TestApp};

/// A game of `rules` after at most `moves` random moves.
async fn play(players: &[Client], wanted: &Value, moves: usize) -> Uuid {
    let mut wanted = wanted.clone();
    wanted["seats"] = json!(players.len());
    wanted["seating"] = json!("joined");
    let created = players[0].post("/api/v1/games", &wanted).await;
    let created = created.expect_status(201).json();
    let id: Uuid = created["id"].as_str().expect("an id").parse().expect("an id");
    let mut view = Value::Null;
    for player in &players[1..] {
        let join = json!({"invitation": created["invitation"]});
        view = player.post(&format!("/api/v1/games/{id}/join"), &join).await.ok();
    }
    play_on(players, id, view, moves).await;
    id
}

async fn play_on(players: &[Client], id: Uuid, mut view: Value, moves: usize) {
    let game = format!("/api/v1/games/{id}");
    let mut sampler = Sampler::new(7);
    for _ in 0..moves {
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        view = player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()["game"].take();
    }
}

async fn two(app: &TestApp) -> [Client; 2] {
    [app.player("ann").await, app.player("bob").await]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_comes_page_by_page_with_the_view_after_each_event_and_its_turn() {
    let app = TestApp::start().await;
    let players = two(&app).await;
    let id = play(&players, &json!({"rules": "pip-pip"}), 7).await;
    let game = format!("/api/v1/games/{id}");
    let whole = app.stranger().get(&format!("{game}/replay")).await.ok();
    let steps = whole["steps"].as_array().expect("steps");
    assert_eq!((steps.len(), &whole["next"], &whole["newest"]), (8, &Value::Null, &json!(7)));
    let events = app.stranger().get(&format!("{game}/events")).await.ok();
    let (mut turn, mut to_act) = (0, Value::Null);
    for (step, event) in steps.iter().zip(events["events"].as_array().expect("events")) {
        assert_eq!(&step["event"], event);
        let then = app.stranger().get(&format!("{game}?seq={}", event["seq"])).await.ok();
        assert_eq!(step["view"], then["view"]);
        assert_eq!(step["turn"], json!(turn), "{event}");
        turn += u64::from(event["to_act"] != to_act);
        to_act = event["to_act"].clone();
    }
    let mut paged = Vec::new();
    let mut first = json!(0);
    while !first.is_null() {
        let page = app.stranger().get(&format!("{game}/replay?first={first}&limit=3")).await.ok();
        paged.extend(page["steps"].as_array().expect("steps").clone());
        first = page["next"].clone();
    }
    assert_eq!(&paged, steps);
    let beyond = app.stranger().get(&format!("{game}/replay?first=8")).await.ok();
    assert_eq!(beyond, json!({"steps": [], "next": null, "newest": 7}));
    for limit in [0, 201] {
        app.stranger().get(&format!("{game}/replay?limit={limit}")).await.problem(422, "invalid_value");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_a_moment_too_that_of_its_last_event() {
    let app = TestApp::start().await;
    let players = two(&app).await;
    let id = play(&players, &json!({"rules": "serpent"}), 30).await;
    let game = format!("/api/v1/games/{id}");
    let whole = players[1].get(&format!("{game}/replay")).await.ok();
    let steps = whole["steps"].as_array().expect("steps");
    let last_turn = steps.last().expect("a step")["turn"].as_u64().expect("a number");
    assert!(last_turn > 5 && last_turn < 30, "some turns have several events");
    for turn in 0..=last_turn {
        let of_turn = steps.iter().rfind(|step| step["turn"] == json!(turn)).expect("no turn is empty");
        let seq = &of_turn["event"]["seq"];
        for path in ["", "/board.txt", "/board.svg", "/choices"] {
            let by_turn = players[1].get(&format!("{game}{path}?turn={turn}")).await;
            let by_event = players[1].get(&format!("{game}{path}?seq={seq}")).await;
            assert_eq!(by_turn.expect_status(200).text(), by_event.expect_status(200).text(), "{path}");
        }
    }
    let late = players[1].get(&format!("{game}?turn={}", last_turn + 1)).await.problem(404, "not_found");
    assert_eq!(late["field"], "turn");
    let both = players[1].get(&format!("{game}?turn={last_turn}&seq=1")).await.ok();
    assert_eq!(both["seq"], 1, "with both, the event counts");
    players[1].get(&format!("{game}/board.png?turn={}", u64::MAX)).await.problem(404, "not_found");
}

/// The cards named in a text.
fn cards(text: &str) -> BTreeSet<String> {
    let is_card =
        |word: &&str| word.len() == 2 && "A23456789TJQK".contains(&word[..1]) && "cdhs".contains(&word[1..]);
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    words.filter(is_card).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_past_shows_a_stranger_no_card_before_an_event_has_named_it() {
    let app = TestApp::start().await;
    let players = two(&app).await;
    // One hand and a half: a give, a show and twelve cards make a hand.
    let id = play(&players, &json!({"rules": "serpent"}), 20).await;
    let game = format!("/api/v1/games/{id}");
    let stranger = app.stranger();
    let events = stranger.get(&format!("{game}/events")).await.ok();
    let events = events["events"].as_array().expect("events");
    let replayed = stranger.get(&format!("{game}/replay")).await.ok();
    let all: BTreeSet<String> = events.iter().flat_map(|event| cards(&event.to_string())).collect();
    let mut named = BTreeSet::new();
    for (seq, event) in events.iter().enumerate() {
        named.append(&mut cards(&event.to_string()));
        let mut shown = cards(&replayed["steps"][seq].to_string());
        for path in ["", "/board.txt", "/board.svg"] {
            shown.append(&mut cards(&stranger.get(&format!("{game}{path}?seq={seq}")).await.text()));
        }
        assert!(shown.is_subset(&named), "after event {seq}: {:?}", shown.difference(&named));
        let asked = event["to_act"].as_u64().expect("a running game");
        let own = &players[usize::try_from(asked).expect("a seat")];
        let own = own.get(&format!("{game}/choices?seq={seq}")).await.ok();
        assert!(!own["actions"].as_array().expect("a list").is_empty());
        for other in [&stranger, &players[usize::try_from(1 - asked).expect("a seat")]] {
            let theirs = other.get(&format!("{game}/choices?seq={seq}")).await.ok();
            assert_eq!((&theirs["seq"], &theirs["to_act"]), (&own["seq"], &own["to_act"]));
            // The first hand is over after fourteen moves, and the seed that dealt it is published then.
            if seq < 14 {
                assert_eq!(theirs, own, "event {seq}");
                assert!(cards(&theirs.to_string()).is_subset(&all));
            } else {
                assert_eq!((&theirs["hidden"], &theirs["actions"]), (&json!(true), &json!([])));
                assert_eq!(theirs["notation"], json!([]));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_choices_of_a_hidden_hand_are_nobody_elses_while_it_is_played() {
    let app = TestApp::start().await;
    let players = two(&app).await;
    let id = play(&players, &json!({"rules": "serpent"}), 5).await;
    let game = format!("/api/v1/games/{id}");
    for seq in 0..=5 {
        let seen = [&players[0], &players[1], &app.stranger()].map(|requester| {
            let requester = requester.clone();
            let path = format!("{game}/choices?seq={seq}");
            async move { requester.get(&path).await.ok() }
        });
        let seen = futures_util::future::join_all(seen).await;
        let asked = seen[2]["to_act"].as_u64().expect("a seat");
        for (number, choices) in seen.iter().enumerate() {
            let hidden = number as u64 != asked;
            assert_eq!(choices["hidden"], json!(hidden), "event {seq}, requester {number}");
            assert_eq!(choices["actions"] == json!([]), hidden);
        }
    }
    // If a game hides nothing, everybody may see past choices.
    let open = play(&players, &json!({"rules": "pip-pip"}), 3).await;
    let shown = app.stranger().get(&format!("/api/v1/games/{open}/choices?turn=1")).await.ok();
    assert_eq!(shown["hidden"], false);
    assert!(!shown["actions"].as_array().expect("a list").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_news_are_what_happened_since_ones_own_last_event() {
    let app = TestApp::start().await;
    let [ann, bob] = two(&app).await;
    let players = [ann, bob];
    let id = play(&players, &json!({"rules": "pip-pip"}), 0).await;
    let game = format!("/api/v1/games/{id}");
    let fresh = players[1].get(&format!("{game}/news")).await.ok();
    assert_eq!((&fresh["my_last"], fresh["events"].as_array().map(Vec::len)), (&Value::Null, Some(1)));
    play_on(&players, id, players[0].get(&game).await.ok(), 9).await;
    let events = app.stranger().get(&format!("{game}/events")).await.ok();
    let events = events["events"].as_array().expect("events");
    for (seat, player) in players.iter().enumerate() {
        let mine = events.iter().rposition(|event| event["seat"] == json!(seat)).expect("both have moved");
        let news = player.get(&format!("{game}/news")).await.ok();
        assert_eq!(news, json!({"my_last": mine, "events": events[mine + 1..], "next": null, "newest": 9}));
    }
    app.stranger().get(&format!("{game}/news")).await.problem(401, "unauthenticated");
    let stranger = app.player("cat").await;
    stranger.get(&format!("{game}/news")).await.problem(403, "not_in_game");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_record_is_read_and_sent_page_by_page() {
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for number in 0..8 {
        players.push(app.player(&format!("player{number}")).await.unchecked());
    }
    let id = play(&players, &json!({"rules": "dominion", "options": {"size": 5}}), 520).await;
    let record = history::record(&app.app.games, id, &Requester::default(), false).await.expect("a record");
    let chunks: Vec<_> = record.try_collect().await.expect("chunks");
    let lines: Vec<usize> =
        chunks.iter().map(|chunk| chunk.split(|byte| *byte == b'\n').count() - 1).collect();
    assert_eq!(lines, [1, 500, 21], "the header and the pages of events");
    let whole = app.stranger().get(&format!("/api/v1/games/{id}/record")).await;
    assert_eq!(whole.body, chunks.concat());
    assert!(!verify(&whole.body).expect("a good record").proved);
    // A page in the middle of a replay of several pages.
    let page = app.stranger().get(&format!("/api/v1/games/{id}/replay?first=450&limit=60")).await.ok();
    assert_eq!((page["steps"].as_array().map(Vec::len), &page["next"]), (Some(60), &json!(510)));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_records_of_a_player_come_in_one_archive() {
    let app = TestApp::start().await;
    let players = two(&app).await;
    let cat = app.player("cat").await;
    let none = players[0].get("/api/v1/me/records.zip").await;
    assert_eq!(zip::ZipArchive::new(std::io::Cursor::new(none.body)).expect("an archive").len(), 0);
    let mut games = Vec::new();
    for (rules, moves) in [("pip-pip", 1000), ("serpent", 5), ("pip-pip", 3)] {
        games.push((rules, play(&players, &json!({"rules": rules, "private": true}), moves).await));
    }
    players[0].post("/api/v1/games", &json!({"rules": "serpent"})).await.expect_status(201);
    play(&[players[1].clone(), cat], &json!({"rules": "pip-pip"}), 2).await;
    let answer = players[0].get("/api/v1/me/records.zip").await;
    assert_eq!(answer.expect_status(200).headers["content-type"], "application/zip");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&answer.body)).expect("an archive");
    let names = archive.file_names().map(|name| name.expect("a name").into_owned());
    let names: Vec<_> = names.collect();
    let expected: Vec<_> = games.iter().rev().map(|(rules, id)| format!("{rules}-{id}.ndjson")).collect();
    assert_eq!(names, expected, "newest first, without what has not started and what is not hers");
    for (rules, id) in games {
        let mut packed = Vec::new();
        let name = format!("{rules}-{id}.ndjson");
        archive.by_name(&name).expect("an entry").read_to_end(&mut packed).expect("a record");
        let record = players[0].get(&format!("/api/v1/games/{id}/record")).await;
        assert_eq!(packed, record.body);
        verify(&packed).expect("a good record");
    }
    app.stranger().get("/api/v1/me/records.zip").await.problem(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_past_of_a_private_game_exists_for_its_players_alone() {
    let app = TestApp::start().await;
    let players = two(&app).await;
    let id = play(&players, &json!({"rules": "pip-pip", "private": true}), 3).await;
    for path in ["/replay", "/choices?seq=1", "/choices?turn=1", "?turn=1", "/board.svg?turn=1"] {
        app.stranger().get(&format!("/api/v1/games/{id}{path}")).await.problem(404, "not_found");
        players[1].get(&format!("/api/v1/games/{id}{path}")).await.expect_status(200);
    }
    let stranger = app.player("cat").await;
    stranger.get(&format!("/api/v1/games/{id}/news")).await.problem(404, "not_found");
}
