//! Tests that `GET /rules` tells the truth.

use std::collections::BTreeSet;

use pippost::rules;
use serde_json::{Value, json};

use support::TestApp;
use support::sample::Sampler;

/// The number of random options per rule set.
const SAMPLES: usize = 300;

/// Whether `options` has all members of `part`, with the same values.
fn has(options: &Value, part: &Value) -> bool {
    part.as_object().expect("options").iter().all(|(name, value)| options[name] == *value)
}

fn count(of: &Value, name: &str) -> u8 {
    of[name].as_u64().and_then(|count| u8::try_from(count).ok()).expect("a small number")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_of_players_are_those_that_the_options_allow_for_every_rule_set() {
    let app = TestApp::start().await;
    let listed = app.stranger().get("/api/v1/rules").await.ok();
    let listed = listed["rules"].as_array().expect("a list");
    let names: BTreeSet<_> = rules::all().map(rules::RuleSet::name).collect();
    assert_eq!(listed.len(), names.len());
    let mut sampler = Sampler::new(1);
    for summary in listed {
        let name = summary["name"].as_str().expect("a name");
        let details = app.stranger().get(&format!("/api/v1/rules/{name}")).await.ok();
        let cases = details["players_by_options"].as_array().expect("a list");
        assert_eq!(&details["players_by_options"], &summary["players_by_options"]);
        let rules = rules::find(name, None).expect("a rule set");
        for _ in 0..SAMPLES {
            let options = sampler.options(&details["options_schema"]);
            let Ok(seats) = rules.seats(&options) else { continue };
            let complete = rules.complete_options(&options).expect("possible options");
            let fitting: Vec<_> = cases.iter().filter(|case| has(&complete, &case["options"])).collect();
            assert_eq!(fitting.len(), 1, "{name} {complete}");
            let told = count(fitting[0], "least_players")..=count(fitting[0], "most_players");
            assert_eq!(told, seats, "{name} {complete}");
        }
        let least = cases.iter().map(|case| count(case, "least_players")).min();
        let most = cases.iter().map(|case| count(case, "most_players")).max();
        let whole = (Some(count(summary, "least_players")), Some(count(summary, "most_players")));
        assert_eq!((least, most), whole, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dominion_is_for_two_to_eight_players_by_the_size_of_its_field() {
    let app = TestApp::start().await;
    let dominion = app.stranger().get("/api/v1/rules/dominion").await.ok();
    assert_eq!((count(&dominion, "least_players"), count(&dominion, "most_players")), (2, 8));
    let players =
        |size: u8, most: u8| json!({"options": {"size": size}, "least_players": 2, "most_players": most});
    assert_eq!(dominion["players_by_options"], json!([players(3, 2), players(4, 4), players(5, 8)]));
    let ann = app.player("ann").await;
    let largest = json!({"rules": "dominion", "options": {"size": 5}, "seats": 8});
    ann.post("/api/v1/games", &largest).await.expect_status(201);
}
