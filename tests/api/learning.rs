//! What is learned from games that are over: each is searched once, in the background, within a bound of games a day.

use diesel_async::SimpleAsyncConnection;
use pippost::games::learning::{self, GAMES_A_DAY, MIN_FALL, MIN_MARGIN};
use serde_json::json;
use time::Duration;
use uuid::Uuid;

use support::TestApp;
use support::games::{missed_win, pip_pip};

fn id_of(game: &str) -> Uuid {
    game.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id")
}

/// Searches all games that are due; returns how many.
async fn search(app: &TestApp) -> usize {
    let mut searched = 0;
    while learning::search_next(&app.app.games, GAMES_A_DAY).await.expect("a step") > 0 {
        searched += 1;
    }
    searched
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_game_was_lost_and_a_problem_are_found_once() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = id_of(&missed_win([&ann, &bob], &json!({})).await);
    assert!(learning::turning_points(&app.app.games, game).await.expect("rows").is_empty());
    assert_eq!((search(&app).await, search(&app).await), (1, 0), "once");

    let lost = learning::turning_points(&app.app.games, game).await.expect("rows");
    let [point] = lost.as_slice() else { panic!("{lost:?}") };
    assert_eq!((point.seat.0, point.seq.get(), point.better.as_str()), (1, 10, "c3"));
    assert_eq!(point.before, 1000, "it wins at once");
    assert!(f64::from(point.before - point.after) >= MIN_FALL * 1000.0, "{point:?}");

    let (problems, is_more) = learning::list(&app.app.games, Some("pippinzip"), None).await.expect("rows");
    let [problem] = problems.as_slice() else { panic!("{problems:?}") };
    assert!(!is_more && problem.game_id == game);
    // Each move before the last one would better have been there.
    let [best, second, ..] = problem.answers.as_slice() else { panic!("{problem:?}") };
    assert_eq!(best.notation, "c3", "{problem:?}");
    assert!(f64::from(best.chance - second.chance) >= MIN_MARGIN * 1000.0, "{problem:?}");
    let stones = 1 + usize::try_from(problem.seq.get()).expect("small");
    assert_eq!(problem.answers.len(), 25 - stones, "all free cells: {problem:?}");
    assert!(problem.answers.iter().any(|answer| answer.notation == problem.played), "{problem:?}");
    assert!(learning::list(&app.app.games, Some("serpent"), None).await.expect("rows").0.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_search_of_a_game_finds_the_same_every_time() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = id_of(&missed_win([&ann, &bob], &json!({})).await);
    search(&app).await;
    let found = async || {
        let (problems, _) = learning::list(&app.app.games, None, None).await.expect("rows");
        let answers: Vec<_> = problems.into_iter().map(|problem| (problem.seq, problem.answers)).collect();
        (learning::turning_points(&app.app.games, game).await.expect("rows"), answers)
    };
    let first = found().await;
    assert!(!first.0.is_empty() && !first.1.is_empty());
    let mut superuser = app.db_superuser().await;
    let again = "delete from turning_points; delete from problems; update games set searched = false";
    superuser.batch_execute(again).await.expect("rows");
    assert_eq!(search(&app).await, 1);
    assert_eq!(found().await, first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_makes_no_problem_and_an_aborted_one_nothing() {
    let app = TestApp::start().await;
    let (aborted, [ann, bob]) = pip_pip(&app).await;
    bob.post(&format!("{aborted}/abort"), &json!({})).await.ok();
    let private = id_of(&missed_win([&ann, &bob], &json!({"private": true})).await);
    assert_eq!(search(&app).await, 2);
    let lost = async |game: Uuid| learning::turning_points(&app.app.games, game).await.expect("rows").len();
    assert_eq!((lost(id_of(&aborted)).await, lost(private).await), (0, 1));
    assert!(learning::list(&app.app.games, None, None).await.expect("rows").0.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_games_are_searched_in_a_day_than_the_bound() {
    let app = TestApp::start().await;
    let (game, [_, bob]) = pip_pip(&app).await;
    bob.post(&format!("{game}/abort"), &json!({})).await.ok();
    let mut superuser = app.db_superuser().await;
    let today = app.app.clock.now().date();
    let full = format!("insert into search_days values ('{today}', {GAMES_A_DAY})");
    superuser.batch_execute(&full).await.expect("a row");
    assert_eq!(search(&app).await, 0);
    app.app.clock.advance(Duration::DAY);
    assert_eq!(search(&app).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_problem_of_a_day_is_one_that_was_found_before() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    missed_win([&ann, &bob], &json!({})).await;
    search(&app).await;
    let of_day = async || learning::problem_of_day(&app.app.games).await.expect("an answer");
    assert_eq!(of_day().await, None, "found today");
    app.app.clock.advance(Duration::DAY);
    let chosen = of_day().await.expect("a problem");
    // What is found meanwhile changes nothing.
    missed_win([&app.log_in("ann").await, &app.log_in("bob").await], &json!({})).await;
    assert_eq!(search(&app).await, 1);
    assert_eq!(of_day().await, Some(chosen));
}
