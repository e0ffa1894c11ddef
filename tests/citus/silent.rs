//! A node is silent rather than gone: it accepts connections and answers none, or what is sent to it is lost.

use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::interrupted::{Interrupted, PROMPT, go_on};
use crate::network::Machine;
use crate::playing::{Game, is_refused};
use support::client::Client;

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

/// What holds while a node is silent: its games and all lists are refused within the bound, and the other games go on.
async fn only_its_games_stop(games: &mut Interrupted) {
    let crowd = games.crowd();
    let refused = async {
        for game in &games.there {
            refused_within_bound(game).await;
        }
    };
    let lists = lists_are_refused_within_bound(&games.players[0], BOUND);
    tokio::join!(go_on(&mut games.elsewhere), refused, lists);
    lists_are_refused_within_bound(&games.players[1], PROMPT).await;
    go_on(&mut games.elsewhere).await;
    crowd.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_worker_stops_its_games_alone_and_they_go_on_when_it_answers() {
    let mut games = Interrupted::begin().await;
    games.cluster.silence_node(games.node);
    only_its_games_stop(&mut games).await;
    games.cluster.let_node_go_on(games.node);
    games.end().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs root and network namespaces: ./test runs it where it can"]
async fn a_worker_whose_machine_leaves_the_network_stops_its_games_alone_until_it_is_back() {
    let mut games = Interrupted::begin_on(Cluster::start_with(Machine::new()).await).await;
    games.cluster.machine().unplug();
    only_its_games_stop(&mut games).await;
    games.cluster.machine().plug_in();
    games.end().await;
}
