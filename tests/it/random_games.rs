//! Whole games of every rule set, variant and size class over HTTP, by clients that know no rules: they pick what the list of legal
//! actions offers. `PIPPOST_RANDOM_GAMES` sets how many of each are played (see docs/TESTING.md).

use futures_util::{StreamExt, TryStreamExt};
use pippost::record::verify;
use serde_json::{Value, json};

use crate::support::sample::Sampler;
use crate::support::{Client, TestApp};

/// Games under way at once.
const AT_ONCE: usize = 4;

/// Rule sets with options, and the number of players.
fn classes() -> Vec<(&'static str, Value, u8)> {
    let mut classes = vec![("pip-pip", json!({}), 2), ("serpent", json!({}), 2)];
    for variant in ["pipline", "zipline", "freestyle"] {
        for size in [5, 8, 11, 19] {
            classes.push(("pippinzip", json!({"variant": variant, "size": size}), 2));
        }
    }
    for (size, seats) in [(3, 2), (4, 2), (4, 4), (5, 3), (5, 8)] {
        classes.push(("dominion", json!({"size": size, "round_limit": 6}), seats));
    }
    classes
}

fn games_of_each() -> u64 {
    std::env::var("PIPPOST_RANDOM_GAMES").map_or(1, |number| number.parse().expect("a number of games"))
}

#[tokio::test(flavor = "multi_thread")]
async fn games_played_by_listed_actions_alone_end_verify_and_replay_to_equal_views() {
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for number in 0..8 {
        players.push(app.player(&format!("player{number}")).await);
    }
    let plans =
        classes().into_iter().flat_map(|class| (0..games_of_each()).map(move |seed| (class.clone(), seed)));
    let played = futures_util::stream::iter(plans.map(|((rules, options, seats), seed)| {
        let players = players[..usize::from(seats)].to_vec();
        let app = &app;
        async move {
            let moves = play(app, &players, rules, &options, seed).await;
            assert!(moves > 0, "{rules} {options}");
            Ok::<_, std::convert::Infallible>(moves)
        }
    }));
    let moves: Vec<u64> = played.buffer_unordered(AT_ONCE).try_collect().await.expect("no game fails");
    assert_eq!(moves.len() as u64, classes().len() as u64 * games_of_each());
}

/// Plays one game; returns the number of moves.
async fn play(app: &TestApp, players: &[Client], rules: &str, options: &Value, seed: u64) -> u64 {
    let wanted = json!({"rules": rules, "options": options, "seats": players.len(), "seating": "joined"});
    let created = players[0].post("/api/v1/games", &wanted).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    for player in &players[1..] {
        player.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    }
    let mut sampler = Sampler::new(seed);
    let mut seen = Vec::new();
    let mut view = players[0].get(&game).await.ok();
    while let Some(seat) = view["to_act"].as_u64() {
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let listed = legal["actions"].as_array().expect("a list");
        assert!(!listed.is_empty(), "asked means able: {rules} at {}", view["seq"]);
        let body = json!({"actions": [sampler.action(listed)], "expected_seq": view["seq"]});
        view = player.post(&format!("{game}/moves"), &body).await.ok()["game"].take();
        seen.push((seat, view.clone()));
    }
    let record = app.guest().get(&format!("{game}/record")).await;
    assert!(verify(&record.body).unwrap_or_else(|failure| panic!("{rules} {options}: {failure}")).proved);
    // The whole of a short game, and about forty moments of a long one.
    for (seat, then) in seen.iter().step_by(seen.len().div_ceil(40)) {
        let player = &players[usize::try_from(*seat).expect("a seat")];
        let again = player.get(&format!("{game}?seq={}", then["seq"])).await.ok();
        assert_eq!(
            (&again["view"], &again["head"]),
            (&then["view"], &then["head"]),
            "{rules} at {}",
            then["seq"]
        );
    }
    seen.len() as u64
}
