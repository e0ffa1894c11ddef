//! Places at costly work: a stalling client does not keep others from them.

use std::time::Duration;

use pippost::traffic::Limits;
use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;

use super::connections::read_head;
use super::{LimitedServer, unlimited, until, until_closed};
use support::Client;
use support::client::Answer;

pub const RECORD: &str = include_str!("../vectors/pip-pip-1.ndjson");

/// The head of a record's request from `peer`, without the body.
fn stalled_record(peer: &str) -> String {
    format!(
        "POST /api/v1/verify HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {peer}\r\nContent-Type: application/x-ndjson\r\n\
         Content-Length: 8000000\r\n\r\n{{"
    )
}

async fn verify(stranger: &Client, peer: &str) -> Answer {
    let headers = [("Content-Type", "application/x-ndjson"), ("X-Forwarded-For", peer)];
    stranger.send_bytes(Method::POST, "/api/v1/verify", Some(RECORD.into()), &headers).await
}

#[tokio::test(flavor = "multi_thread")]
async fn while_strangers_stall_a_record_is_verified_all_the_same() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    let mut stalling = Vec::new();
    for _ in 0..2 {
        stalling.push(server.send(&stalled_record("203.0.113.7")).await);
        stalling.push(server.send(&stalled_record("2001:db8::7")).await);
    }
    let traffic = server.traffic.clone();
    until("they hold places", || traffic.verifications.in_use() == 4).await;
    // A peer that holds its maximum is refused before its body is read.
    for peer in ["203.0.113.7", "2001:db8::8"] {
        let refused = until_closed(&mut server.send(&stalled_record(peer)).await).await;
        assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 1"), "{refused}");
    }
    verify(&server.stranger(), "203.0.113.8").await.expect_status(200);
    assert_eq!(traffic.verifications.in_use(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bytes_of_records_that_have_not_come_whole_are_counted() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    let mut first = server.send(&stalled_record("203.0.113.7")).await;
    first.write_all(&vec![b' '; 7_000_000]).await.expect("taken");
    let bytes = std::sync::Arc::clone(&server.traffic.record_bytes);
    until("they have come", || bytes.in_use() > 7_000_000).await;
    let mut second = server.send(&stalled_record("203.0.113.7")).await;
    // The answer may come before all of this is read.
    let _ = second.write_all(&vec![b' '; 2_000_000]).await;
    let refused = read_head(&mut second).await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 1"), "{refused}");
    assert!(bytes.in_use() <= 8 << 20, "{}", bytes.in_use());
    verify(&server.stranger(), "203.0.113.8").await.expect_status(200);
    drop(first);
    until("they are given back", || bytes.in_use() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn places_that_all_are_taken_by_strangers_who_stall_are_soon_free_again() {
    let server =
        LimitedServer::behind_proxy(Limits { body_pause: Duration::from_millis(400), ..unlimited() }).await;
    let mut stalling = Vec::new();
    // The sixth place is kept for known networks.
    for peer in 1..=5 {
        stalling.push(server.send(&stalled_record(&format!("203.0.{peer}.113"))).await);
    }
    // The honest client retries as it is told.
    let honest = async {
        loop {
            let answer = verify(&server.stranger(), "198.51.100.1").await;
            if answer.status == 200 {
                return;
            }
            answer.problem(503, "unavailable");
            assert_eq!(answer.headers["retry-after"], "1");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(super::TIMEOUT, honest).await.expect("it is verified");
    for stream in &mut stalling {
        assert!(until_closed(stream).await.starts_with("HTTP/1.1 408 "));
    }
}

/// A player of this server with a finished game or two, so that an archive has content.
pub async fn player(server: &LimitedServer, handle: &str) -> Client {
    let player = server.test.player(handle).await;
    Client::new(&server.url(), player.token.clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_is_sent_while_others_do_not_read_theirs() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    let ann = player(&server, "ann").await;
    let bob = player(&server, "bob").await;
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let id = created["id"].as_str().expect("an id");
    bob.post(&format!("/api/v1/games/{id}/join"), &json!({})).await.expect_status(200);
    let token = bob.token.clone().expect("a token");
    let ask = |peer: &str| {
        format!(
            "GET /api/v1/me/records.zip HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {peer}\r\nAuthorization: Bearer {token}\r\n\r\n"
        )
    };
    let mut unread = Vec::new();
    for number in 0..20 {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let mut stream = socket.connect(server.address).await.expect("a connection");
        stream.write_all(ask(&format!("203.0.{number}.113")).as_bytes()).await.expect("a request");
        unread.push(stream);
    }
    let headers = [("X-Forwarded-For", "198.51.100.1")];
    let archive = ann.send(Method::GET, "/api/v1/me/records.zip", None, &headers).await;
    archive.expect_status(200);
    assert!(archive.body.len() > 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_peer_has_only_two_archives_made_at_once_and_gives_them_back() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    let ann = player(&server, "ann").await;
    let places: Vec<_> = (0..2)
        .map(|_| server.traffic.archives.enter("203.0.113.7".parse().ok(), 1).expect("a place"))
        .collect();
    let get = async |peer: &str| {
        ann.send(Method::GET, "/api/v1/me/records.zip", None, &[("X-Forwarded-For", peer)]).await
    };
    let refused = get("203.0.113.7").await;
    refused.problem(429, "too_many_requests");
    assert_eq!(refused.headers["retry-after"], "1");
    get("203.0.113.8").await.expect_status(200);
    drop(places);
    get("203.0.113.7").await.expect_status(200);
    let traffic = server.traffic.clone();
    until("the place is given back", || traffic.archives.in_use() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_costly_work_has_places_for_a_peer_and_for_all() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    let ann = player(&server, "ann").await;
    let bob = player(&server, "bob").await;
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    let log_in = json!({"login": "ann", "password": support::PASSWORD});
    let traffic = &server.traffic;
    for (gate, of_peer, method, path, body) in [
        (&traffic.passwords, 16, Method::POST, "/api/v1/sessions".to_owned(), Some(log_in.to_string())),
        (&traffic.drawings, 64, Method::GET, format!("{game}/board.png"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}/replay"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}/choices?seq=0"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}?seq=0"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}?turn=0"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}?%73eq=0"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}/board.txt?turn=0"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}/board.svg?turn=0"), None),
        (&traffic.replays, 64, Method::GET, format!("{game}/news"), None),
    ] {
        let peer = "203.0.113.7".parse().ok();
        let places: Vec<_> = (0..of_peer).map(|_| gate.enter(peer, 1).expect("a place")).collect();
        assert!(gate.enter(peer, 1).is_err(), "{path}");
        let ask = async |peer: &str| {
            ann.send(method.clone(), &path, body.clone(), &[("X-Forwarded-For", peer)]).await
        };
        ask("203.0.113.7").await.problem(429, "too_many_requests");
        let other = ask("198.51.100.8").await;
        assert!(other.status.is_success(), "{path}: {}", other.text());
        drop(places);
        assert!(ask("203.0.113.7").await.status.is_success(), "{path}");
        assert_eq!(gate.in_use(), 0, "{path}");
    }
    // The current state of the game needs no place.
    let peer = "203.0.113.7".parse().ok();
    let _places: Vec<_> = (0..64).map(|_| traffic.replays.enter(peer, 1).expect("a place")).collect();
    ann.send(Method::GET, &game, None, &[("X-Forwarded-For", "203.0.113.7")]).await.expect_status(200);
}
