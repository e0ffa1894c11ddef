//! Every step of the worker has its place in a sandbox.

use std::collections::BTreeSet;

use serde_json::json;

use super::{advance, game, registered};
use support::TestApp;

/// The loops that a sandbox has as they are.
const HOUSE_KEEPING: &str = include_str!("../../../src/cli/house_keeping.rs");
const WORKER: [&str; 3] =
    [include_str!("../../../src/cli/work.rs"), include_str!("../../../src/cli/game_loops.rs"), HOUSE_KEEPING];
const SANDBOX: &str = include_str!("../../../crates/worker/src/sandbox/mod.rs");

/// What a sandbox leaves out: its clock is moved, so hours without a worker are no outage there.
const OF_OUTAGES: [&str; 2] = ["clocks::beat", "clocks::give_back"];

/// The log over all records, and ratings, which no sandbox has: nothing in it counts.
const WHAT_COUNTS: [&str; 2] = ["transparency::", "ratings::"];

/// The name and the text of each function of a file.
fn functions(mut rest: &'static str) -> Vec<(&'static str, &'static str)> {
    let starts = ["\nasync fn ", "\nfn "];
    let mut found = Vec::new();
    while let Some((at, start)) = starts.iter().filter_map(|one| Some((rest.find(one)?, *one))).min() {
        rest = &rest[at + start.len()..];
        let (name, _) = rest.split_once('(').expect("arguments");
        let (text, _) = rest.split_once("\n}").expect("an end");
        found.push((name, text));
    }
    found
}

/// The steps that a text carries out on games, as in `playing::remind`.
fn steps(text: &str) -> BTreeSet<&str> {
    let before = text.split("(&app.games").collect::<Vec<_>>();
    let (_, calls) = before.split_last().expect("a part");
    calls.iter().filter_map(|call| call.rsplit([' ', '(', '\n']).next()).collect()
}

#[test]
fn a_sandbox_carries_out_every_step_of_the_worker() {
    let mut shared = 0;
    for (name, text) in WORKER.into_iter().flat_map(functions) {
        let is_started = HOUSE_KEEPING.contains(&format!("tokio::spawn({name}("));
        for step in steps(text).into_iter().filter(|step| step.contains("::")) {
            let is_left_out =
                OF_OUTAGES.contains(&step) || WHAT_COUNTS.iter().any(|room| step.starts_with(room));
            let is_in_round = SANDBOX.contains(&format!("{step}(&parts.games)"));
            assert!(is_started || is_in_round || is_left_out, "no sandbox carries out {step} of {name}");
            shared += usize::from(is_started || is_in_round);
        }
    }
    assert!(shared >= 10, "{shared} steps");
    // The queues, and the orders, whose worker only waits for news.
    for step in
        ["digests.queue(", "standing_orders::carry_out(", "webhooks.step()", "outbox.step()", "pushes.step()"]
    {
        assert!(SANDBOX.contains(step), "{step}");
    }
    let started = WORKER.into_iter().map(|file| file.matches("tokio::spawn(").count()).sum::<usize>();
    assert_eq!(started, STARTED, "is the new loop in a sandbox, too?");
}

/// The loops and servers that these files start.
const STARTED: usize = 23;

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_carried_out_and_ended_games_counted_in_a_sandbox() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    let wanted =
        json!({"rules": "pippinzip", "options": {"variant": "pipline", "size": 5}, "seating": "joined"});
    let path = game(&ann, &bob, &wanted).await;
    let orders = json!({"branches": [{"if": ["c3"], "then": ["c4"]}], "expected_seq": 0});
    assert_eq!(bob.put(&format!("{path}/standing-orders"), &orders).await.ok()["is_active"], true);
    ann.post(&format!("{path}/moves"), &json!({"notation": "c3"})).await.ok();
    advance(&app, 1).await;
    assert_eq!(ann.get(&path).await.ok()["seq"], 2);
    ann.post(&format!("{path}/resign"), &json!({})).await.ok();
    advance(&app, 1).await;
    let shown = ann.get("/api/v1/players/bob").await.ok();
    assert_eq!(shown["reliability"]["games_finished"], 1, "{shown}");
}
