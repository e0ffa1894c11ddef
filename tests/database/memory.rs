//! A server with a game in memory shows the newest state, whatever other processes write and whatever happens to its own
//! statements. `memory_model` checks the same rules for every order of their steps.

use std::process::Stdio;
use std::sync::Arc;

use diesel_async::SimpleAsyncConnection;
use pippost::beacon::Drand;
use pippost::games::viewing::view::Requester;
use pippost::games::{ActRequest, Command, Games, ListMode, Tuning, audit, playing, viewing};
use pippost::store::embedded::EmbeddedSettings;
use serde_json::json;
use uuid::Uuid;

use support::db::db_count;
use support::games::pip_pip;
use support::process::Server;
use support::waiting::until;
use support::{Client, TestApp, cluster};

fn id(game: &str) -> Uuid {
    game.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id")
}

/// A move of the player to act, through the server at `url`.
async fn move_by(players: [&Client; 2], url: &str, game: &str) {
    let to_act = players[0].at(url).get(game).await.ok()["to_act"].as_u64().expect("a seat");
    let player = players[usize::try_from(to_act).expect("a seat")].at(url);
    let legal = player.get(&format!("{game}/actions")).await.ok();
    let body = json!({"actions": [legal["actions"][0]]});
    player.post(&format!("{game}/moves"), &body).await.expect_status(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_over_leaves_memory_and_comes_back_for_whoever_looks() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    ann.get(&game).await.expect_status(200);
    ann.post(&format!("{game}/resign"), &json!({})).await.expect_status(200);
    let before = app.app.database.statements();
    assert_eq!(bob.get(&game).await.ok()["status"], "finished");
    assert!(app.app.database.statements() > before, "it is loaded");
    // On a cluster the server also asks for its nodes from time to time, so the fewest of some rounds count.
    let mut fewest = u64::MAX;
    for _ in 0..3 {
        let before = app.app.database.statements();
        for who in [&ann, &bob, &app.stranger()] {
            assert_eq!(who.get(&game).await.ok()["status"], "finished");
        }
        fewest = fewest.min(app.app.database.statements() - before);
    }
    assert_eq!(fewest, 3, "once: each of these asked for the version alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_has_moved_is_seen_at_once() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    ann.get(&game).await.expect_status(200);
    let other = app.second().await;
    for seq in 1..=4 {
        move_by([&ann, &bob], &other.url, &game).await;
        // The server with the game in memory is asked immediately.
        assert_eq!(bob.get(&game).await.ok()["seq"], seq);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_whose_player_has_hung_up_is_seen_once_it_is_written() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    bob.get(&game).await.expect_status(200);
    let mut holding = app.db_superuser().await;
    let mut looking = app.db_superuser().await;
    let hold = format!("begin; select from game_states where game_id = '{}' for update", id(&game));
    holding.batch_execute(&hold).await.expect("a lock");
    let moving = {
        let (ann, path) = (ann.clone(), format!("{game}/moves"));
        tokio::spawn(async move { ann.post(&path, &json!({"notation": "store"})).await })
    };
    let waiting = format!("select count(*) from {}", cluster::waiting_statements());
    until("the move's statement", async || db_count(&mut looking, &waiting).await > 0).await;
    moving.abort();
    assert!(moving.await.is_err_and(|error| error.is_cancelled()));
    // A request comes while the statement runs, and may see the state before it.
    let early = tokio::spawn({
        let (bob, game) = (bob.clone(), game.clone());
        async move { bob.get(&game).await.ok()["seq"].as_u64() }
    });
    holding.batch_execute("commit").await.expect("the lock is free");
    let written = format!("select seq as count from game_states where game_id = '{}'", id(&game));
    until("the move", async || db_count(&mut looking, &written).await == 1).await;
    assert_eq!(bob.get(&game).await.ok()["seq"], 1);
    assert!(early.await.expect("an answer").is_some_and(|seq| seq <= 1));
    assert_eq!(bob.get(&game).await.ok()["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_copies_of_a_game_in_one_process_none_is_shown_when_it_is_old() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    ann.get(&game).await.expect_status(200);
    let parts = &app.app;
    // As if the game had been dropped from the cache and loaded again while a request held it.
    let others = Games::new(
        parts.database.clone(),
        parts.clock.clone(),
        parts.secret.clone(),
        parts.signing.clone(),
        &parts.public_url,
        parts.outbox_signal.clone(),
        None::<Arc<Drand>>,
        &Tuning { cache_bytes: 1 << 20, writers: 1 },
    );
    let me = ann.get("/api/v1/me").await.ok()["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let requester = Requester::player(me);
    for (seq, mover) in [&parts.games, &others, &parts.games].into_iter().enumerate() {
        for games in [&parts.games, &others] {
            let view = viewing::view(games, id(&game), &requester).await.expect("a view");
            assert_eq!(view.seq, Some((seq as u64).into()));
        }
        let player =
            viewing::view(&parts.games, id(&game), &requester).await.expect("a view").to_act.expect("a seat");
        let claim = claim(mover, &app, &game, player).await;
        let legal = playing::legal_actions(mover, &claim).await.expect("a list").actions;
        let command = Command::Actions(vec![legal[0].clone()]);
        playing::act(
            mover,
            &claim,
            &ActRequest { command, mode: ListMode::default(), expected_seq: None, if_match: None, key: None },
        )
        .await
        .expect("a move");
    }
    for games in [&parts.games, &others] {
        assert_eq!(viewing::view(games, id(&game), &requester).await.expect("a view").seq, Some(3.into()));
    }
}

async fn claim(games: &Games, app: &TestApp, game: &str, seat: u8) -> pippost::games::SeatClaim {
    let handle = ["ann", "bob"][usize::from(seat)];
    let player = app.log_in(handle).await.get("/api/v1/me").await.ok();
    let player = player["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    viewing::claim_seat(games, id(game), player).await.expect("a seat")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_worker_or_an_audit_writes_is_seen_at_once() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "limit_hours": 24});
    let created = ann.post("/api/v1/games", &wanted).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    assert_eq!(bob.get(&game).await.ok()["status"], "open");
    bob.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    assert_eq!(ann.get(&game).await.ok()["status"], "running", "the start");
    let mut superuser = app.db_superuser().await;
    let damage = format!("update game_states set to_act_seat = 1 where game_id = '{}'", id(&game));
    superuser.batch_execute(&damage).await.expect("damage");
    let mut report = |_: &pippost::games::audit::Finding| {};
    let summary = audit::audit_one(&app.app.games, id(&game), true, &mut report).await.expect("an audit");
    assert!(summary.rebuilt > 0);
    let before = app.app.database.statements();
    assert_eq!(ann.get(&game).await.ok()["to_act"], 0);
    assert!(app.app.database.statements() > before + 1, "it is loaded again, not only asked about");
    app.app.clock.advance(time::Duration::hours(25));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("the database"), 1);
    let ann = app.log_in("ann").await;
    assert_eq!(ann.get(&game).await.ok()["status"], "finished", "the flag");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_moves_and_is_killed_and_the_first_shows_every_move_at_once() {
    let mut server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let ann = server.register("ann").await;
    let bob = server.register("bob").await;
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "seating": "joined"})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    let settings = EmbeddedSettings::in_folder(server.folder.path().join("data"));
    let url = settings.url_of_running().expect("an address");
    let mut seq = 0;
    for _ in 0..2 {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        drop(listener);
        let arguments =
            ["serve", "--no-worker", "--log", "warn", "--listen", &address, "--database-url", &url];
        // A failed test leaves no process behind.
        let mut second = tokio::process::Command::from(server.command(&arguments));
        let mut second = second.stdout(Stdio::null()).kill_on_drop(true).spawn().expect("a process");
        until("the second process", async || reqwest::get(format!("http://{address}/readyz")).await.is_ok())
            .await;
        for _ in 0..3 {
            move_by([&ann, &bob], &format!("http://{address}"), &game).await;
            seq += 1;
            assert_eq!(ann.get(&game).await.ok()["seq"], seq);
        }
        second.kill().await.expect("a running process");
        assert_eq!(ann.get(&game).await.ok()["seq"], seq);
        // The first server continues from what the second has written.
        move_by([&ann, &bob], &server.url(), &game).await;
        seq += 1;
        assert_eq!(ann.get(&game).await.ok()["seq"], seq);
    }
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}
