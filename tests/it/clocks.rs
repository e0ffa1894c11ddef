//! Time that runs out, with players looking and without.

use diesel_async::RunQueryDsl;
use pippost::record::verify;
use serde_json::json;
use time::Duration;

use crate::games::{pip_pip, pip_pip_again};
use crate::support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls_with_nobody_looking_once_whatever_the_number_of_workers() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let second = app.second().await;
    let view = ann.get(&game).await.ok();
    assert_eq!(view["deadline_at"], "2026-11-28T12:00:00.000000Z");
    app.app.clock.advance(Duration::days(7) - Duration::seconds(1));
    assert_eq!(app.app.games.let_flags_fall().await.expect("a step"), 0);
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    assert_eq!(ann.get(&game).await.ok()["time_left_seconds"], 1);
    app.app.clock.advance(Duration::seconds(1));
    second.app.clock.set(app.app.clock.now());
    let steps = [&app, &second, &app, &second].map(|server| server.app.games.let_flags_fall());
    let fallen = futures_util::future::join_all(steps).await;
    assert_eq!(fallen.into_iter().map(|fallen| fallen.expect("a step")).sum::<usize>(), 1);
    let view = bob.get(&game).await.ok();
    assert_eq!(view["result"], json!({"reason": "timeout", "places": [2, 1], "scores": [0, 0]}));
    let record = bob.get(&format!("{game}/record")).await;
    assert!(verify(&record.body).expect("a good record").proved);
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.problem(409, "game_over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_read_does_not_stop_the_clocks_of_others() {
    let app = TestApp::start().await;
    let (broken, [ann, bob]) = pip_pip(&app).await;
    pip_pip_again(&ann, &bob).await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let id = broken.rsplit('/').next().expect("an id");
    let spoil = format!(
        "update game_states set snapshot = '{{}}', deadline_at = deadline_at - interval '1 hour' where game_id = '{id}'"
    );
    assert_eq!(diesel::sql_query(spoil).execute(&mut connection).await.expect("a row"), 1);
    app.app.clock.advance(Duration::days(7));
    assert_eq!(app.app.games.let_flags_fall().await.expect("a step"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_after_the_deadline_comes_too_late_also_before_any_worker_looks() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    app.app.clock.advance(Duration::days(7));
    let ann = app.log_in("ann").await;
    let problem =
        ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.problem(409, "game_over");
    assert_eq!(problem["game"]["result"]["reason"], "timeout");
    assert_eq!(problem["game"]["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_a_limit_never_times_out() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "limit_hours": null})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let view = bob.post(&format!("{game}/join"), &json!({})).await.ok();
    assert!(view["deadline_at"].is_null() && view["time_left_seconds"].is_null());
    app.app.clock.advance(Duration::days(4000));
    assert_eq!(app.app.games.let_flags_fall().await.expect("a step"), 0);
    assert_eq!(app.app.games.remind().await.expect("a step"), 0);
}
