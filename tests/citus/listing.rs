//! Lists name games at once, at every server.

use std::collections::BTreeSet;

use crate::cluster::{Cluster, Server};
use crate::playing::{self, Game};
use support::client::Client;

/// The ids on the first page of a list.
async fn ids(player: &Client, list: &str) -> BTreeSet<String> {
    let page = player.get(&format!("/api/v1/games?list={list}")).await.ok();
    let games = page["games"].as_array().expect("a list");
    games.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_server_lists_a_turn_as_soon_as_the_move_before_is_answered() {
    let cluster = Cluster::start(2, "").await;
    let servers = [Server::start(&cluster, "one"), Server::start(&cluster, "two")];
    let players = [playing::register(&servers[0], "ann").await, playing::register(&servers[0], "bob").await];
    let elsewhere = players.each_ref().map(|player| player.at(&servers[1].url));
    let mut games = playing::start_all(&players, 0..4).await;
    let all: BTreeSet<String> = games.iter().map(|game| game.id.clone()).collect();
    while games.iter().any(|game| !game.has_ended()) {
        for game in games.iter_mut().filter(|game| !game.has_ended()) {
            game.play_move().await;
        }
        for (seat, player) in elsewhere.iter().enumerate() {
            let waiting = |game: &&Game| game.seat_to_act() == Some(seat);
            let expected = games.iter().filter(waiting).map(|game| game.id.clone()).collect();
            assert_eq!(ids(player, "my_turn").await, expected, "turns of seat {seat}");
            assert_eq!(ids(player, "mine").await, all);
            let running = games.iter().filter(|game| !game.has_ended()).map(|game| game.id.clone()).collect();
            assert_eq!(ids(player, "mine&status=running").await, running);
        }
    }
    assert_eq!(ids(&elsewhere[0], "finished").await, all);
}
