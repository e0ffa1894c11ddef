//! What a player's games may take: how many at once, and how much of the disk. Moves are never refused for it.

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use pippost::accounts::{AccountLimits, GameQuotas};
use pippost::games::lobby::quotas::EVENT_BYTES;
use pippost::store::usage::{BOT_GAMES, USAGE};
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use support::client::Answer;
use support::db::{MANY, db_games, game, plan, player};
use support::games::{open_game, pip_pip_again, play_to_the_end};
use support::{Client, PASSWORD, TestApp};

const GAMES: &str = "/api/v1/games";

async fn limited(games_at_once: u64, stored_bytes: u64) -> TestApp {
    let quotas = GameQuotas { games_at_once, stored_bytes, ..GameQuotas::default() };
    TestApp::with_limits(AccountLimits { quotas, ..AccountLimits::generous() }).await
}

#[track_caller]
fn refused(answer: &Answer, limit: &str, most: u64) {
    let problem = answer.problem(409, "quota_reached");
    assert_eq!((&problem["limit"], &problem["most"]), (&json!(limit), &json!(most)));
}

async fn quotas(player: &Client) -> Value {
    player.get("/api/v1/me").await.ok()["quotas"].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_in_so_many_games_that_are_not_over_and_me_shows_it() {
    let app = limited(3, 1_000_000).await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let games = [open_game(&ann).await, pip_pip_again(&bob, &ann).await, open_game(&ann).await];
    refused(&ann.post(GAMES, &json!({"rules": "pip-pip"})).await, "games-at-once", 3);
    let other = open_game(&eve).await;
    refused(&ann.post(&format!("{other}/join"), &json!({})).await, "games-at-once", 3);
    let expected = json!({
        "games_at_once": {"used": 3, "most": 3},
        "stored_bytes": {"used": EVENT_BYTES, "most": 1_000_000},
    });
    assert_eq!(quotas(&ann).await, expected);
    // The games that she is in go on, and what is over makes room.
    bob.post(&format!("{}/moves", games[1]), &json!({"notation": "store"})).await.ok();
    play_to_the_end(&games[1], &[bob.clone(), ann.clone()]).await;
    ann.post(&format!("{other}/join"), &json!({})).await.ok();
    refused(&ann.post(GAMES, &json!({"rules": "pip-pip"})).await, "games-at-once", 3);
    ann.post(&format!("{}/leave", games[0]), &json!({})).await.expect_status(204);
    open_game(&ann).await;
}

/// How many of these answers, which came at once, let ann into another game; the others name the quota.
#[track_caller]
fn entered(answers: &[Answer], most: u64) -> usize {
    let is_in = |answer: &&Answer| matches!(answer.status.as_u16(), 200 | 201);
    for answer in answers.iter().filter(|answer| !is_in(answer)) {
        refused(answer, "games-at-once", most);
    }
    answers.iter().filter(is_in).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_at_once_enter_no_more_games_than_the_quota() {
    const MOST: u64 = 3;
    let app = limited(MOST, 1_000_000).await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let new = json!({"rules": "pip-pip"}).to_string();
    let creating = (0..8).map(|_| ann.send(Method::POST, GAMES, Some(new.clone()), &[]));
    assert_eq!(entered(&join_all(creating).await, MOST), 3, "created");
    for game in ann.get("/api/v1/games?list=mine").await.ok()["games"].as_array().expect("a list") {
        let game = format!("{GAMES}/{}", game["id"].as_str().expect("an id"));
        ann.post(&format!("{game}/leave"), &json!({})).await.expect_status(204);
    }
    let mut joins = Vec::new();
    for creator in [&bob, &eve] {
        for _ in 0..MOST {
            joins.push(format!("{}/join", open_game(creator).await));
        }
    }
    let joining = joins.iter().map(|join| ann.send(Method::POST, join, Some("{}".to_owned()), &[]));
    let creating = (0..2).map(|_| ann.send(Method::POST, GAMES, Some(new.clone()), &[]));
    let (joined, created) = futures_util::future::join(join_all(joining), join_all(creating)).await;
    assert_eq!(entered(&joined, MOST) + entered(&created, MOST), 3, "joined or created");
    assert_eq!(quotas(&ann).await["games_at_once"]["used"], MOST);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_stored_much_in_a_month_begins_no_other_game_and_plays_on() {
    let app = limited(50, 5 * EVENT_BYTES).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = pip_pip_again(&ann, &bob).await;
    let open = open_game(&ann).await;
    let end = play_to_the_end(&game, &[ann.clone(), bob.clone()]).await;
    let events = end["seq"].as_u64().expect("a number") + 1;
    assert!(events > 5, "a whole game was played");
    for player in [&ann, &bob] {
        assert_eq!(
            quotas(player).await["stored_bytes"],
            json!({"used": events * EVENT_BYTES, "most": 5 * EVENT_BYTES})
        );
        refused(&player.post(GAMES, &json!({"rules": "pip-pip"})).await, "stored-bytes", 5 * EVENT_BYTES);
    }
    refused(&bob.post(&format!("{open}/join"), &json!({})).await, "stored-bytes", 5 * EVENT_BYTES);
    app.app.clock.advance(Duration::days(30));
    let bob = app.log_in("bob").await;
    assert_eq!(quotas(&bob).await["stored_bytes"]["used"], 0);
    open_game(&bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_stores_ten_times_as_much_and_sits_in_no_more_games() {
    let app = limited(2, 5 * EVENT_BYTES).await;
    let new = json!({"handle": "robot", "email": "robot@bots.invalid", "password": PASSWORD, "bot": true});
    let session = app.stranger().post("/api/v1/accounts", &new).await.expect_status(201).json();
    let robot = Client::new(&app.url, session["access_token"].as_str().map(str::to_owned));
    let shown = quotas(&robot).await;
    assert_eq!(shown["stored_bytes"]["most"], 50 * EVENT_BYTES);
    assert_eq!(shown["games_at_once"]["most"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_games_take_is_summed_by_indexes() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection.batch_execute("analyze").await.expect("statistics");
    let player = "'00000000-0000-0000-0000-000000000007'::uuid";
    let statement = USAGE
        .replace("$1", player)
        .replace("$2", "now() - interval '30 days'")
        .replace("$3", "'01a1fe2a-89df-7515-9c5d-9fde96828ff2'::uuid")
        .replace("$4", "2000");
    let plan = plan(&mut connection, &statement).await;
    for index in ["game_players_player", "games_pkey", "game_states_pkey"] {
        assert!(plan.contains(index), "{index} is not used:\n{plan}");
    }
    assert!(plan.contains("(game_id >= "), "only games of that time are looked at:\n{plan}");
    assert!(!plan.contains("Seq Scan"), "{plan}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_a_bot_are_counted_by_indexes() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection.batch_execute("analyze").await.expect("statistics");
    let statement = BOT_GAMES
        .replace("$1", &format!("'{}'::uuid", player(7)))
        .replace("$2", &format!("'{}'::uuid", player(8)))
        .replace("$3", &format!("'{}'::uuid", game(7)))
        .replace("$4", "100");
    let plan = plan(&mut connection, &statement).await;
    for index in ["game_players_player", "games_pkey"] {
        assert!(plan.contains(index), "{index} is not used:\n{plan}");
    }
    assert!(!plan.contains("Seq Scan"), "{plan}");
}

#[test]
fn the_figures_of_the_page_are_those_of_the_code() {
    let page = include_str!("../../docs/API.md");
    let GameQuotas { games_at_once, stored_bytes, .. } = GameQuotas::default();
    let stored = stored_bytes / 1_000_000;
    for figure in [format!("{games_at_once} games"), format!("{stored} MB")] {
        assert!(page.contains(&figure), "docs/API.md does not say `{figure}`");
    }
}
