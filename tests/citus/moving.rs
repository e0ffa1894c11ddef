//! Shards move to a new node and from an old one while games are played.

use crate::cluster::{Cluster, Server};
use crate::playing;

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_is_added_and_another_is_drained_while_games_are_played() {
    let mut cluster = Cluster::start(2, "").await;
    let server = Server::start(&cluster, "server");
    let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
    let added = cluster.new_node().await;
    let first = playing::start_all(&players, 0..8).await;
    let first = tokio::spawn(playing::play_all(first));
    cluster.add_node(added).await;
    cluster.sql("select citus_rebalance_start()").await;
    cluster.sql("select citus_rebalance_wait()").await;
    assert!(cluster.shards_on(added).await > 0, "the new node has shards");

    let drained = cluster.ports[1];
    let second = playing::start_all(&players, 8..16).await;
    let second = tokio::spawn(playing::play_all(second));
    cluster.sql(&format!("select citus_drain_node('127.0.0.1', {drained})")).await;
    assert_eq!(cluster.shards_on(drained).await, 0);
    let mut ended = first.await.expect("games that end");
    ended.extend(second.await.expect("games that end"));
    cluster.sql(&format!("select citus_remove_node('127.0.0.1', {drained})")).await;
    cluster.stop_node(drained);

    // Without the node that was removed, and with games that were played on it.
    let third = playing::start_all(&players, 16..20).await;
    ended.extend(playing::play_all(third).await);
    for game in &ended {
        game.verify().await;
    }
    drop(server);
    cluster.audit();
}
