//! Games in play while a node is lost: those on it are refused, and the others go on.

use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use crate::cluster::{Cluster, Server};
use crate::playing::{self, Game, is_refused};
use support::client::Client;

/// How long a move of a game on another node may take meanwhile.
pub const PROMPT: Duration = Duration::from_secs(5);

/// How many clients ask for games of the lost node at once: more than the server has connections to the database.
const CROWD: usize = 64;

/// A cluster of which one node is to be lost, and games on all of its nodes.
pub struct Interrupted {
    pub cluster: Cluster,
    pub server: Server,
    pub players: [Client; 2],
    /// The port of the node that is to be lost.
    pub node: u16,
    /// Games on that node.
    pub there: Vec<Game>,
    /// Games on the other one.
    pub elsewhere: Vec<Game>,
    /// Games of both nodes, whose moves are under way when the node is lost.
    running: JoinHandle<Vec<Game>>,
}

impl Interrupted {
    /// Games that have begun.
    pub async fn begin() -> Self {
        Self::begin_on(Cluster::start(2, "").await).await
    }

    /// Games that have begun on a cluster of two workers, of which the second is to be lost.
    pub async fn begin_on(cluster: Cluster) -> Self {
        let server = Server::start(&cluster, "server");
        let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
        let mut games = playing::start_all(&players, 0..16).await;
        for game in &mut games {
            game.play_move().await;
            game.play_move().await;
        }
        let node = cluster.ports[2];
        let (there, elsewhere) = divided(&cluster, games, node).await;
        let others = [playing::register(&server, "cid").await, playing::register(&server, "dan").await];
        let more = playing::start_all(&others, 100..116).await;
        let (mut more, more_elsewhere) = divided(&cluster, more, node).await;
        more.extend(more_elsewhere);
        // Last, so that games of that node are still in play when it is lost.
        let running = tokio::spawn(playing::play_all(more));
        Self { cluster, server, players, node, there, elsewhere, running }
    }

    /// Asks for a game of the lost node with many clients at once.
    pub fn crowd(&self) -> Crowd {
        Crowd::ask_for(&self.there[0])
    }

    /// Plays all games to their end once the node is back, and verifies everything.
    pub async fn end(self) {
        let mut ended = playing::play_all(self.there.into_iter().chain(self.elsewhere).collect()).await;
        let interrupted = self.running.await.expect("games that end");
        assert!(interrupted.iter().any(|game| game.refused > 0), "some were interrupted");
        ended.extend(interrupted);
        for game in &ended {
            game.verify().await;
        }
        drop(self.server);
        self.cluster.audit();
    }
}

async fn divided(cluster: &Cluster, games: Vec<Game>, port: u16) -> (Vec<Game>, Vec<Game>) {
    let (mut there, mut elsewhere) = (Vec::new(), Vec::new());
    for game in games {
        if cluster.node_of(&game.id).await == port { there.push(game) } else { elsewhere.push(game) }
    }
    assert!(!there.is_empty() && !elsewhere.is_empty(), "games lie on both nodes");
    (there, elsewhere)
}

/// Plays some moves of games on another node one after the other, each answered promptly.
pub async fn go_on(games: &mut [Game]) {
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

/// Clients that ask for a game of a lost node without end.
pub struct Crowd(Vec<JoinHandle<()>>);

impl Crowd {
    fn ask_for(game: &Game) -> Self {
        let (client, path) = (game.to_act().unchecked(), format!("{}/actions", game.path()));
        let ask = |_| {
            let (client, path) = (client.clone(), path.clone());
            tokio::spawn(async move {
                loop {
                    let answer = client.get(&path).await;
                    assert!(is_refused(&answer), "its node is lost: {}", answer.text());
                }
            })
        };
        Self((0..CROWD).map(ask).collect())
    }

    /// Ends it; each of its requests must have been refused.
    pub fn end(self) {
        assert!(self.0.iter().all(|asking| !asking.is_finished()), "each was refused");
        self.0.iter().for_each(JoinHandle::abort);
    }
}
