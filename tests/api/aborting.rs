//! Ending a started game for everybody: only who has seen nothing of it may, a few times a day, and the others can read how often.

use std::num::NonZeroU32;

use pippost::accounts::AccountLimits;
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use support::games::{pip_pip_again, timed_game};
use support::{Client, TestApp};

/// A server with the documented limit on aborts.
async fn limited() -> TestApp {
    let aborts = AccountLimits::default().aborts;
    TestApp::with_limits(AccountLimits { aborts, ..AccountLimits::generous() }).await
}

/// The most aborts of a person at once.
fn most() -> u32 {
    NonZeroU32::get(AccountLimits::default().aborts.burst)
}

async fn abort(player: &Client, game: &str) -> Value {
    player.post(&format!("{game}/abort"), &json!({})).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_aborts_six_games_and_then_one_every_four_hours() {
    let app = limited().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    for _ in 0..most() {
        abort(&bob, &pip_pip_again(&ann, &bob).await).await;
    }
    assert_eq!(most(), 6);
    let game = pip_pip_again(&ann, &bob).await;
    let answer = bob.post(&format!("{game}/abort"), &json!({})).await;
    let refused = answer.problem(429, "too_many_requests");
    assert_eq!((&refused["limit"], &refused["retry_after_seconds"]), (&json!("abort"), &json!(4 * 3600)));
    assert_eq!(ann.get(&game).await.ok()["status"], "running");
    app.app.clock.advance(Duration::hours(4));
    let bob = app.log_in("bob").await;
    abort(&bob, &game).await;
    let last = pip_pip_again(&app.log_in("ann").await, &bob).await;
    bob.post(&format!("{last}/abort"), &json!({})).await.problem(429, "too_many_requests");
    bob.post(&format!("{last}/resign"), &json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_or_repeated_does_not_count_as_an_abort() {
    let app = limited().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let played = pip_pip_again(&ann, &bob).await;
    ann.post(&format!("{played}/moves"), &json!({"notation": "store"})).await.ok();
    for _ in 0..2 * most() {
        ann.post(&format!("{played}/abort"), &json!({})).await.problem(409, "too_late_to_abort");
    }
    let mut answers = Vec::new();
    for number in 0..most() {
        let game = pip_pip_again(&bob, &ann).await;
        let key = format!("abort-{number}");
        for _ in 0..3 {
            let headers = [("Idempotency-Key", key.as_str())];
            let body = Some(json!({}).to_string());
            let answer = ann.send(Method::POST, &format!("{game}/abort"), body, &headers).await;
            answers.push(answer.expect_status(200).text());
        }
    }
    assert!(answers.chunks(3).all(|same| same[0] == same[1] && same[1] == same[2]));
    let over = pip_pip_again(&bob, &ann).await;
    ann.post(&format!("{over}/abort"), &json!({})).await.problem(429, "too_many_requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_aborts_at_once_as_many_count_as_a_player_may() {
    let app = limited().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let mut games = Vec::new();
    for _ in 0..3 * most() {
        games.push(pip_pip_again(&ann, &bob).await);
    }
    let body = json!({});
    let paths: Vec<String> = games.iter().map(|game| format!("{game}/abort")).collect();
    let answers = futures_util::future::join_all(paths.iter().map(|path| bob.post(path, &body))).await;
    let aborted = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(u32::try_from(aborted), Ok(most()));
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.problem(429, "too_many_requests");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_three_nobody_who_has_seen_a_throw_ends_the_game_not_even_with_a_second_account() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    for other in [&bob, &eve] {
        other.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    let players = [&ann, &bob, &eve];
    let mut acted = [false; 3];
    while acted != [true; 3] {
        let seat = ann.get(&game).await.ok()["to_act"].as_u64().expect("a seat");
        let seat = usize::try_from(seat).expect("a seat");
        let legal = players[seat].get(&format!("{game}/actions")).await.ok();
        let action = legal["actions"].as_array().expect("a list").last().expect("an action").clone();
        players[seat].post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
        acted[seat] = true;
        for (player, _) in players.iter().zip(acted).filter(|(_, acted)| *acted) {
            player.post(&format!("{game}/abort"), &json!({})).await.problem(409, "too_late_to_abort");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abort_is_told_of_the_player_and_of_nobody_else() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    abort(&bob, &game).await;
    pippost::games::reliability::count_ended(&app.app.games).await.expect("a step");
    let figures = async |handle: &str| {
        app.stranger().get(&format!("/api/v1/players/{handle}")).await.ok()["reliability"].take()
    };
    let of_bob = figures("bob").await;
    assert_eq!((&of_bob["games_aborted"], &of_bob["games_finished"]), (&json!(1), &json!(0)));
    assert_eq!(figures("ann").await["games_aborted"], 0);
    let page = support::browsing::Browsing::of(&app);
    let html = page.get("/players/bob").await.expect(200).html;
    assert!(html.contains("1 aborted"), "{html}");
    assert!(page.get("/players/ann").await.expect(200).html.contains("no games yet"));
    let german = page.reading("de").get("/players/bob").await.expect(200).html;
    assert!(german.contains("1 abgebrochen"), "{german}");
}
