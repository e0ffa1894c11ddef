//! Limits on what one player may ask of others: creating, inviting, joining, messages. A legal move is never refused for them.

use pippost::accounts::{AccountLimits, PlayerLimit, PlayerLimits, Rate};
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use support::client::Answer;
use support::games::{open_game, pip_pip, play_to_the_end};
use support::{Client, TestApp};

const GAMES: &str = "/api/v1/games";

/// A server with the documented limits.
async fn limited() -> TestApp {
    TestApp::with_limits(AccountLimits { players: PlayerLimits::default(), ..AccountLimits::generous() })
        .await
}

/// The number of equal requests that are accepted before one is refused, and the refusal.
async fn taken(client: &Client, path: &str, body: &Value) -> (usize, Answer) {
    for count in 0..1000 {
        let answer = client.unchecked().post(path, body).await;
        if answer.status == 429 {
            return (count, answer);
        }
        assert!(answer.status.is_success() || answer.status == 409, "{}", answer.text());
    }
    panic!("no end of {path}");
}

#[track_caller]
fn wait_seconds(answer: &Answer) -> i64 {
    answer.problem(429, "too_many_requests");
    answer.headers["retry-after"].to_str().expect("digits").parse().expect("seconds")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_creates_thirty_games_and_then_one_every_two_minutes() {
    let app = limited().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (count, refused) = taken(&ann, GAMES, &json!({"rules": "pip-pip"})).await;
    assert_eq!((count, wait_seconds(&refused)), (30, 120));
    open_game(&bob).await;
    app.app.clock.advance(Duration::minutes(2));
    open_game(&ann).await;
    wait_seconds(&ann.post(GAMES, &json!({"rules": "pip-pip"})).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_creates_sixty_games_whoever_plays_there() {
    let app = limited().await;
    let mut created = 0;
    for handle in ["ann", "bob", "eve"] {
        created += taken(&app.player(handle).await, GAMES, &json!({"rules": "pip-pip"})).await.0;
    }
    assert_eq!(created, 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn joining_inviting_and_saying_have_limits_of_their_own() {
    let app = limited().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let game = open_game(&ann).await;
    // Refusals count too.
    let (joins, refused) = taken(&ann, &format!("{game}/join"), &json!({})).await;
    assert_eq!((joins, wait_seconds(&refused)), (60, 60));
    let (invited, refused) = taken(&ann, &format!("{game}/invitations"), &json!({"handle": "eve"})).await;
    assert_eq!((invited, wait_seconds(&refused)), (30, 120));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    eve.post(&format!("{game}/join"), &json!({})).await.problem(409, "game_full");
    let (said, refused) = taken(&bob, &format!("{game}/messages"), &json!({"text": "hello"})).await;
    assert_eq!((said, wait_seconds(&refused)), (60, 60));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_has_heard_enough_says_when_it_listens_again() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let say = json!({"text": "hello"});
    for _ in 0..60 {
        ann.post(&format!("{game}/messages"), &say).await.expect_status(201);
        app.app.clock.advance(Duration::seconds(1));
    }
    let wait = wait_seconds(&ann.post(&format!("{game}/messages"), &say).await);
    assert!((3540..=3541).contains(&wait), "{wait}");
    app.app.clock.advance(Duration::seconds(wait));
    app.log_in("ann").await.post(&format!("{game}/messages"), &say).await.expect_status(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legal_move_is_never_refused_however_much_its_player_has_asked_for() {
    let none = PlayerLimit {
        per_player: Rate::new(1, std::time::Duration::from_hours(24)),
        per_peer: Rate::new(4, std::time::Duration::from_hours(24)),
    };
    let players = PlayerLimits {
        create_game: none,
        invite: none,
        join: none,
        say: none,
        send_to_webhook: none,
        make_club: none,
    };
    let app = TestApp::with_limits(AccountLimits { players, ..AccountLimits::generous() }).await;
    let (game, both) = pip_pip(&app).await;
    for player in &both {
        let say = json!({"text": "hello"});
        let (said, _) = taken(player, &format!("{game}/messages"), &say).await;
        assert_eq!(said, 1);
        player.post(GAMES, &json!({"rules": "pip-pip"})).await;
        wait_seconds(&player.post(GAMES, &json!({"rules": "pip-pip"})).await);
    }
    assert_eq!(play_to_the_end(&game, &both).await["status"], "finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_fifty_games_of_a_player_wait_for_others() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let mut games = Vec::new();
    for _ in 0..50 {
        games.push(open_game(&ann.unchecked()).await);
    }
    ann.post(GAMES, &json!({"rules": "pip-pip"})).await.problem(409, "too_many_open_games");
    open_game(&bob).await;
    bob.post(&format!("{}/join", games[0]), &json!({})).await.ok();
    open_game(&ann).await;
    ann.post(GAMES, &json!({"rules": "pip-pip"})).await.problem(409, "too_many_open_games");
    ann.post(&format!("{}/leave", games[1]), &json!({})).await.expect_status(204);
    let tries =
        (0..8).map(|_| ann.send(Method::POST, GAMES, Some(json!({"rules": "pip-pip"}).to_string()), &[]));
    let answers = futures_util::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1, "at once, too");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_a_hundred_invitations_of_a_player_wait() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let mut invited = 0;
    let mut games = Vec::new();
    for game in 0..7 {
        games.push(open_game(&ann).await);
        let count = if game < 6 { 16 } else { 4 };
        for number in 0..count {
            let stranger = json!({"email": format!("stranger{game}-{number}@example.org")});
            ann.post(&format!("{}/invitations", games[game]), &stranger).await.expect_status(202);
            invited += 1;
        }
    }
    assert_eq!(invited, 100);
    let (first, last) = (format!("{}/invitations", games[0]), format!("{}/invitations", games[6]));
    let more = json!({"email": "more@example.org"});
    ann.post(&first, &more).await.problem(409, "too_many_invitations");
    ann.post(&last, &more).await.problem(409, "too_many_invitations");
    ann.post(&format!("{}/leave", games[0]), &json!({})).await.expect_status(204);
    ann.post(&last, &more).await.expect_status(202);
    app.app.clock.advance(Duration::days(8));
    let ann = app.log_in("ann").await;
    ann.post(&last, &json!({"email": "later@example.org"})).await.expect_status(202);
}
