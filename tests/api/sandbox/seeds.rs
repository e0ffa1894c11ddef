//! Games whose chance a player chooses.

use std::collections::BTreeMap;

use pippost::record::verify::Check;
use pippost::record::{Header, verify};
use pippost::rules::{self, RuleSet};
use pippost::web::verifier::modules;
use reqwest::Method;
use serde_json::{Value, json};

use super::{SEED, game, registered};
use support::javascript::{Verdict, with_engine};
use support::sample::Sampler;
use support::tampering::mend;
use support::vectors::{lines_of, record_of};
use support::{Client, TestApp};

/// Plays at most `actions` random actions from the same choices; returns the effects of all events.
async fn played(game: &str, players: &[Client; 2], actions: usize) -> Vec<Value> {
    let mut sampler = Sampler::new(7);
    for _ in 0..actions {
        let view = players[1].get(game).await.ok();
        if view["to_act"].is_null() {
            break;
        }
        let player = &players[usize::from(view["my_turn"] == true)];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
    let events = players[0].get(&format!("{game}/events?limit=500")).await.ok();
    events["events"].as_array().expect("a list").iter().map(|event| event["effects"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_seed_and_the_same_actions_give_the_same_game_of_every_rule_set() {
    let app = TestApp::sandbox().await;
    let players = [registered(&app, "ann").await.0, registered(&app, "bob").await.0];
    for name in rules::all().map(RuleSet::name) {
        let wanted = |seed: Option<&str>| match seed {
            Some(seed) => json!({"rules": name, "seats": 2, "seed": seed}),
            None => json!({"rules": name, "seats": 2}),
        };
        let mut seen = Vec::new();
        for seed in [Some(SEED), Some(SEED), Some(&"5".repeat(64)), None] {
            let game = game(&players[0], &players[1], &wanted(seed)).await;
            seen.push(played(&game, &players, 12).await);
        }
        assert!(seen[0].len() > 2, "{name}: {:?}", seen[0]);
        assert_eq!(seen[0], seen[1], "{name}");
        // A game without any dice or cards differs in who sits where, or not at all.
        let draws = |events: &[Value]| {
            events.iter().flat_map(|effects| effects.as_array().expect("a list").iter().skip(1)).count()
        };
        assert!(draws(&seen[0]) == 0 || (seen[0] != seen[2] && seen[0] != seen[3]), "{name}");
    }
}

/// The record of a game with that seed, or without one, and the same after its end.
async fn records(players: &[Client; 2], seed: Option<&str>) -> [Vec<u8>; 2] {
    let mut wanted = json!({"rules": "pip-pip", "seating": "joined"});
    if let Some(seed) = seed {
        wanted["seed"] = seed.into();
    }
    let game = game(&players[0], &players[1], &wanted).await;
    players[0].post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    let running = players[0].get(&format!("{game}/record")).await;
    players[1].post(&format!("{game}/resign"), &json!({})).await.ok();
    let finished = players[0].get(&format!("{game}/record")).await;
    [running.expect_status(200).body.clone(), finished.expect_status(200).body.clone()]
}

/// The record under the name of honest ones.
fn renamed(record: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(record).expect("text");
    assert!(text.contains("pippost-sandbox/1"));
    text.replace("pippost-sandbox/1", "pippost/1").into_bytes()
}

async fn verdict(app: &TestApp, record: &[u8]) -> Value {
    let headers = [("Content-Type", "application/x-ndjson")];
    app.stranger().send_bytes(Method::POST, "/api/v1/verify", Some(record.to_vec()), &headers).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn its_record_proves_nothing_and_every_verifier_says_so() {
    let app = TestApp::sandbox().await;
    let players = [registered(&app, "ann").await.0, registered(&app, "bob").await.0];
    let chosen = records(&players, Some(SEED)).await;
    for record in &chosen {
        let header: Header =
            serde_json::from_slice(record.split(|byte| *byte == b'\n').next().expect("a line"))
                .expect("a header");
        assert_eq!(header.record, "pippost-sandbox/1");
        let verified = verify(record).expect("good arithmetic");
        assert!(verified.sandbox && !verified.proved);
        let said = verdict(&app, record).await;
        assert_eq!((&said["verdict"], &said["proved"]), (&json!("sandbox"), &json!(false)), "{said}");
        assert_eq!(verdict(&app, &renamed(record)).await["verdict"], "refused");
    }
    let footer = String::from_utf8(chosen[1].clone()).expect("text");
    assert!(footer.contains(SEED), "the seed is the master");
    // Every change is still found.
    let changed = footer.replacen("\"to_act\":0", "\"to_act\":1", 1);
    assert_eq!(verdict(&app, changed.as_bytes()).await["verdict"], "refused");

    // Without a seed a sandbox is as honest as any server.
    let drawn = records(&players, None).await;
    let said = verdict(&app, &drawn[1]).await;
    assert_eq!((&said["verdict"], &said["proved"]), (&json!("accepted"), &json!(true)), "{said}");

    with_engine(|engine| {
        for (record, proved) in [(&chosen[0], false), (&chosen[1], false), (&drawn[1], true)] {
            assert_eq!(engine.judge(record), Verdict::Accepted { proved });
        }
        // Nor can a rebuilt chain make an honest record of it: the key is another one.
        let mut lines = lines_of(std::str::from_utf8(&chosen[1]).expect("text"));
        lines[0]["record"] = "pippost/1".into();
        assert!(mend(&mut lines));
        let mended = record_of(&lines);
        assert_eq!(verify(&mended).err().map(|failure| failure.check), Some(Check::Proof));
        for forged in [mended, renamed(&chosen[1])] {
            assert!(matches!(engine.judge(&forged), Verdict::Refused { .. }));
        }
    });
    let page: BTreeMap<_, _> = modules().into_iter().collect();
    assert!(page["page.js"].contains("the seed was chosen by a player; this game proves nothing"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seed_is_64_lower_case_digits_and_other_servers_take_none() {
    let app = TestApp::sandbox().await;
    let ann = app.player("ann").await;
    let wanted = |seed: &str| json!({"rules": "pip-pip", "seed": seed});
    for bad in ["", "00", &SEED.to_uppercase(), &"g".repeat(64), &"0".repeat(66)] {
        ann.post("/api/v1/games", &wanted(bad)).await.problem(422, "invalid_value");
    }
    ann.post("/api/v1/games", &wanted(SEED)).await.expect_status(201);
    let plain = TestApp::start().await;
    let ann = plain.player("ann").await;
    let refused = ann.post("/api/v1/games", &wanted(SEED)).await.problem(409, "seed_not_taken");
    assert_eq!(refused["field"], "seed");
    assert!(!refused.to_string().contains(SEED));
}
