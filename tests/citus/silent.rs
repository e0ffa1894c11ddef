//! A node is silent rather than gone: it accepts connections and answers none.

use std::time::{Duration, Instant};

use crate::client::Client;
use crate::cluster::{Cluster, Server};
use crate::killing::{PROMPT, crowd, divided};
use crate::playing::{self, Game, is_refused};

/// The longest that the first requests wait for a node that has just become silent (docs/SCALING.md), on a busy machine.
const BOUND: Duration = Duration::from_secs(15);

/// How many lists are asked for at once: more than the server has connections to the database.
const LISTS: usize = 40;

/// Asks until a node that is silent refuses, which it must within the bound; then it does so at once.
async fn refused_within_bound(game: &Game) {
    let path = format!("{}/actions", game.path());
    for bound in [BOUND, PROMPT] {
        let begun = Instant::now();
        let answer = game.to_act().unchecked().get(&path).await;
        assert!(is_refused(&answer), "its node is silent: {}", answer.text());
        assert!(begun.elapsed() < bound, "{:?} until it was refused", begun.elapsed());
    }
}

async fn lists_are_refused_within_bound(player: &Client, bound: Duration) {
    let asking = (0..LISTS).map(|_| async {
        let begun = Instant::now();
        let answer = player.unchecked().get("/api/v1/games?list=mine").await;
        assert!(is_refused(&answer), "a list asks all nodes: {}", answer.text());
        assert!(begun.elapsed() < bound, "{:?} until a list was refused", begun.elapsed());
    });
    futures_util::future::join_all(asking).await;
}

/// Plays moves one after the other, each answered promptly.
async fn go_on(games: &mut [Game]) {
    for game in games {
        for _ in 0..3 {
            if game.has_ended() {
                break;
            }
            let begun = Instant::now();
            game.play_move().await;
            assert!(begun.elapsed() < PROMPT, "{:?} for a move on another node", begun.elapsed());
        }
        assert_eq!(game.refused, 0, "{} is on another node", game.id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_worker_stops_its_games_alone_and_they_go_on_when_it_answers() {
    let cluster = Cluster::start(2, "").await;
    let server = Server::start(&cluster, "server");
    let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
    let mut games = playing::start_all(&players, 0..12).await;
    for game in &mut games {
        game.play_move().await;
        game.play_move().await;
    }
    // In mid-play: moves are under way when the node falls silent.
    let silent = cluster.ports[2];
    let running = playing::start_all(&players, 100..108).await;
    let running = tokio::spawn(playing::play_all(running));
    let (there, mut elsewhere) = divided(&cluster, games, silent).await;
    cluster.silence_node(silent);

    let waiting = crowd(&there[0]);
    let refused = async {
        for game in &there {
            refused_within_bound(game).await;
        }
    };
    tokio::join!(go_on(&mut elsewhere), refused, lists_are_refused_within_bound(&players[0], BOUND));
    lists_are_refused_within_bound(&players[1], PROMPT).await;
    go_on(&mut elsewhere).await;
    assert!(waiting.iter().all(|asking| !asking.is_finished()), "each was refused");
    for asking in waiting {
        asking.abort();
    }

    cluster.let_node_go_on(silent);
    let mut ended = playing::play_all(there.into_iter().chain(elsewhere).collect()).await;
    let interrupted = running.await.expect("games that end");
    assert!(interrupted.iter().any(|game| game.refused > 0), "some were interrupted");
    ended.extend(interrupted);
    for game in &ended {
        game.verify().await;
    }
    drop(server);
    cluster.audit();
}
