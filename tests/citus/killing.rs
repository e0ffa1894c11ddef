//! A node is lost, and comes back.

use std::time::{Duration, Instant};

use crate::cluster::{Cluster, Server};
use crate::playing::{self, Game, is_refused};

/// How long a move of a game on another node may take meanwhile.
pub const PROMPT: Duration = Duration::from_secs(5);

/// How many clients ask for games of the lost node at once: more than the server has connections to the database.
const CROWD: usize = 64;

pub async fn divided(cluster: &Cluster, games: Vec<Game>, port: u16) -> (Vec<Game>, Vec<Game>) {
    let (mut there, mut elsewhere) = (Vec::new(), Vec::new());
    for game in games {
        if cluster.node_of(&game.id).await == port { there.push(game) } else { elsewhere.push(game) }
    }
    assert!(!there.is_empty() && !elsewhere.is_empty(), "games lie on both nodes");
    (there, elsewhere)
}

/// Asks for a game of a lost node with many clients at once, without end.
pub fn crowd(game: &Game) -> Vec<tokio::task::JoinHandle<()>> {
    let (client, path) = (game.to_act().unchecked(), format!("{}/actions", game.path()));
    let ask = |_| {
        let (client, path) = (client.clone(), path.clone());
        tokio::spawn(async move {
            loop {
                let answer = client.get(&path).await;
                assert!(is_refused(&answer), "its node is gone: {}", answer.text());
            }
        })
    };
    (0..CROWD).map(ask).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_worker_stops_its_games_alone_and_they_go_on_when_it_is_back() {
    let cluster = Cluster::start(2, "").await;
    let server = Server::start(&cluster, "server");
    let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
    let mut games = playing::start_all(&players, 0..12).await;
    for game in &mut games {
        game.play_move().await;
        game.play_move().await;
    }
    // In mid-play: moves are under way when the node is killed.
    let lost = cluster.ports[2];
    let running = playing::start_all(&players, 100..108).await;
    let running = tokio::spawn(playing::play_all(running));
    let (there, mut elsewhere) = divided(&cluster, games, lost).await;
    cluster.kill_node(lost);

    let refused = there[0].to_act().get(&format!("{}/actions", there[0].path())).await;
    assert!(is_refused(&refused), "{}", refused.text());
    let waiting = crowd(&there[0]);
    for game in &mut elsewhere {
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
    assert!(waiting.iter().all(|asking| !asking.is_finished()), "each was refused");
    for asking in waiting {
        asking.abort();
    }

    cluster.start_node(lost);
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
