//! Places kept for networks from which players came: strangers from many networks do not get them.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use pippost::api::peer::TrustedProxies;
use pippost::traffic::{Limits, Share, TrafficPermit};
use serde_json::json;
use tokio::net::{TcpSocket, TcpStream};

use super::{LimitedServer, unlimited, until, until_closed};
use support::{PASSWORD, TestApp};

/// Few enough for a test to hold; a quarter of them is kept.
const CONNECTIONS: u64 = 64;
const OPEN: u64 = CONNECTIONS - CONNECTIONS / 4;

fn few_connections() -> Limits {
    Limits { connections: Share { in_all: CONNECTIONS, of_peer: CONNECTIONS }, ..unlimited() }
}

/// A network of this machine from which nobody has logged in, each beside none of the others. All clients of tests come from 127.0.0.1.
fn stranger(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 1, number, 1)
}

async fn connect(server: &LimitedServer, from: Ipv4Addr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((from, 0).into()).expect("an address of this machine");
    socket.connect(server.address).await.expect("a connection")
}

/// Connections of strangers, which say nothing, in all places that are to be had for them.
async fn filled(server: &LimitedServer) -> Vec<TcpStream> {
    let connections = Arc::clone(&server.traffic.connections);
    until("nobody is there", || connections.in_use() == 0).await;
    let mut held = Vec::new();
    for number in (0..OPEN).filter_map(|number| u8::try_from(number).ok()) {
        held.push(connect(server, stranger(number)).await);
    }
    until("they hold their places", || connections.in_use() == OPEN).await;
    let one_more = until_closed(&mut connect(server, stranger(200)).await).await;
    assert!(one_more.starts_with("HTTP/1.1 503 "), "{one_more}");
    held
}

async fn log_in(server: &LimitedServer) {
    let body = json!({"login": "ann", "password": PASSWORD});
    server.stranger().post("/api/v1/sessions", &body).await.expect_status(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_logs_in_while_strangers_hold_all_other_connections_also_after_a_restart() {
    let before = LimitedServer::start(few_connections()).await;
    before.test.player("ann").await;
    log_in(&before).await;
    let strangers = filled(&before).await;
    log_in(&before).await;
    drop(strangers);
    let next = before.test.second().await;
    let after = LimitedServer::on(next, few_connections(), TrustedProxies::default());
    let _strangers = filled(&after).await;
    log_in(&after).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_nothing_is_kept_for_a_network_from_which_nobody_logged_in() {
    let first = TestApp::start().await;
    let server = LimitedServer::on(first.second().await, few_connections(), TrustedProxies::default());
    let _strangers = filled(&server).await;
    let refused = until_closed(&mut connect(&server, Ipv4Addr::LOCALHOST).await).await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_limit_keeps_places_for_known_networks() {
    let server = LimitedServer::start(Limits::default()).await;
    let home = IpAddr::from([203, 0, 113, 7]);
    server.test.app.accounts.known_networks().learn(home);
    let traffic = &server.traffic;
    for gate in [
        &traffic.connections,
        &traffic.bodies,
        &traffic.answers,
        &traffic.verifications,
        &traffic.record_bytes,
        &traffic.archives,
        &traffic.drawings,
        &traffic.passwords,
        &traffic.replays,
        &traffic.feeds,
        &traffic.films,
    ] {
        let strangers = || (0..5_000_u16).map(|site| IpAddr::from([0x2001, site, 0, 0, 0, 0, 0, 1]));
        let enter = |weight: u64| strangers().filter_map(move |peer| gate.enter(Some(peer), weight).ok());
        let held: Vec<TrafficPermit> = [100_000, 100, 1].into_iter().flat_map(enter).collect();
        assert!(
            held.len() > 2 && gate.enter(Some(IpAddr::from([0x2001, 9_999, 0, 0, 0, 0, 0, 1])), 1).is_err()
        );
        gate.enter(Some(home), 1).unwrap_or_else(|full| panic!("{full:?}"));
    }
}
