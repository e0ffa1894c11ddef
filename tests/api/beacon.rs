//! Games that mix in a public beacon, with a drand endpoint that answers, misbehaves, or is unreachable.

use pippost::beacon::Drand;
use pippost::record::verify;
use serde_json::{Value, json};
use time::Duration;

use pippost::games::{GameError, lobby};
use support::beacon::{Behavior, Endpoint, chain};
use support::{Client, TestApp};

fn drand(urls: &[&str]) -> Drand {
    let urls: Vec<String> = urls.iter().map(|url| (*url).to_owned()).collect();
    Drand::new(chain(), &urls).expect("a beacon")
}

/// A game of two with all its players; returns its path and the players.
async fn full_game(app: &TestApp) -> (String, Client, Client) {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await;
    let created = created.expect_status(201).json();
    assert_eq!((&created["status"], &created["beacon_round"]), (&json!("open"), &Value::Null));
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({"entropy": "bob's own"})).await.expect_status(200);
    (game, ann, bob)
}

/// The header of a game's record.
async fn header(app: &TestApp, game: &str) -> Value {
    let record = app.stranger().get(&format!("{game}/record")).await;
    verify(&record.body).expect("a sound record");
    let text = record.text();
    serde_json::from_str(text.lines().next().expect("a header")).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_game_waits_for_the_round_that_its_last_join_settled_and_starts_with_it() {
    let endpoint = Endpoint::start();
    let app = TestApp::with_beacon(drand(&[&endpoint.url])).await;
    let (game, ann, bob) = full_game(&app).await;
    let waiting = ann.get(&game).await.ok();
    let round = waiting["beacon_round"].as_u64().expect("a round");
    assert_eq!((&waiting["status"], &waiting["seq"]), (&json!("starting"), &Value::Null));
    assert!(round > chain().round_at(app.app.clock.now()), "it does not exist yet");
    // Nobody can join or leave any more, and no move is made.
    let eve = app.player("eve").await;
    eve.post(&format!("{game}/join"), &json!({})).await.problem(409, "game_full");
    bob.post(&format!("{game}/leave"), &json!({})).await.problem(409, "game_started");
    // The round may be known already, so no entropy is accepted any more.
    ann.put(&format!("{game}/entropy"), &json!({"entropy": "late"})).await.problem(409, "game_started");
    ann.post(&format!("{game}/moves"), &json!({"actions": ["pass"]})).await.problem(409, "game_not_started");
    assert_eq!(
        ann.get("/api/v1/games?list=mine&status=starting").await.ok()["games"][0]["status"],
        "starting"
    );
    let open = app.stranger().get("/api/v1/games?list=open").await.ok();
    assert_eq!(open["games"].as_array().map(Vec::len), Some(0));
    // The round is not requested before its time.
    assert_eq!(lobby::start_awaited(&app.app.games).await.expect("nothing to do"), 0);
    assert_eq!(endpoint.asked(), [0; 0]);
    app.app.clock.advance(Duration::seconds(6));
    assert_eq!(lobby::start_awaited(&app.app.games).await.expect("a start"), 1);
    assert_eq!(endpoint.asked(), [round]);
    let beacon = header(&app, &game).await["beacon"].take();
    assert_eq!((&beacon["round"], &beacon["source"]), (&json!(round), &json!(chain().source())));
    let (value, signature) = (beacon["randomness"].as_str(), beacon["signature"].as_str());
    chain().check(round, value.expect("hex"), signature.expect("hex")).expect("a real round");
    let running = ann.get(&game).await.ok();
    assert_eq!((&running["status"], &running["beacon_round"]), (&json!("running"), &json!(round)));
    assert_eq!(lobby::start_awaited(&app.app.games).await.expect("nothing to do"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_that_is_stale_forged_renamed_or_missing_starts_nothing_and_the_right_one_still_does() {
    let endpoint = Endpoint::start();
    let app = TestApp::with_beacon(drand(&[&endpoint.url])).await;
    let (game, ..) = full_game(&app).await;
    app.app.clock.advance(Duration::seconds(6));
    for behavior in
        [Behavior::Older, Behavior::OlderRenamed, Behavior::OtherValue, Behavior::Down, Behavior::Endless]
    {
        endpoint.behave(behavior);
        let refused = lobby::start_awaited(&app.app.games).await;
        assert!(matches!(refused, Err(GameError::Beacon(_))), "{behavior:?}: {refused:?}");
        assert_eq!(app.stranger().get(&game).await.ok()["status"], "starting", "{behavior:?}");
    }
    // A day of outage does not change the round.
    app.app.clock.advance(Duration::days(1));
    endpoint.behave(Behavior::Honest);
    let round = app.stranger().get(&game).await.ok()["beacon_round"].take();
    assert_eq!(lobby::start_awaited(&app.app.games).await.expect("a start"), 1);
    assert_eq!(header(&app, &game).await["beacon"]["round"], round);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_one_endpoint_fails_the_next_is_asked() {
    let (first, second) = (Endpoint::start(), Endpoint::start());
    let app = TestApp::with_beacon(drand(&[&first.url, &second.url])).await;
    let (game, ..) = full_game(&app).await;
    app.app.clock.advance(Duration::seconds(6));
    first.behave(Behavior::OlderRenamed);
    assert_eq!(lobby::start_awaited(&app.app.games).await.expect("a start"), 1);
    assert_eq!((first.asked().len(), second.asked().len()), (1, 1));
    assert!(header(&app, &game).await["beacon"].is_object());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_workers_that_start_a_game_one_does() {
    let endpoint = Endpoint::start();
    let app = TestApp::with_beacon(drand(&[&endpoint.url])).await;
    let (game, ann, _) = full_game(&app).await;
    app.app.clock.advance(Duration::seconds(6));
    let workers = (0..8).map(|_| lobby::start_awaited(&app.app.games));
    let started = futures_util::future::join_all(workers).await;
    assert_eq!(started.into_iter().map(|started| started.expect("no error")).sum::<usize>(), 1);
    assert_eq!(ann.get(&format!("{game}/events")).await.ok()["events"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_left_waiting_start_without_a_beacon_once_it_is_switched_off() {
    let endpoint = Endpoint::start();
    let app = TestApp::with_beacon(drand(&[&endpoint.url])).await;
    let (game, ..) = full_game(&app).await;
    let without = app.second().await;
    assert_eq!(lobby::start_awaited(&without.app.games).await.expect("a start"), 1);
    assert_eq!(header(&app, &game).await["beacon"], Value::Null);
    assert_eq!(endpoint.asked(), [0; 0]);
}

#[test]
fn what_is_no_endpoint_is_refused_when_the_server_starts() {
    for urls in [vec![], vec!["drand"], vec!["ftp://example.org"], vec!["https://example.org"; 9]] {
        let urls: Vec<String> = urls.into_iter().map(str::to_owned).collect();
        assert!(Drand::new(chain(), &urls).is_err(), "{urls:?}");
    }
}
