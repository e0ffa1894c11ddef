//! Readers of feeds: who does not read is cut off, and no peer takes all places.

use std::time::Duration;

use diesel_async::SimpleAsyncConnection;
use pippost::traffic::{Limits, Share};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::connections::{SHORT_TIMEOUT, read_head};
use super::{LimitedServer, TIMEOUT, unlimited, until, until_closed, until_within};
use support::games::pip_pip;

/// More events than the kernel keeps for a connection.
const EVENTS: u32 = 4_000;

/// Two heartbeats, and a little more: the first after a reader has gone can still be written.
const GONE_AFTER: Duration = Duration::from_secs(40);

fn ask(game: &str, peer: &str) -> String {
    format!(
        "GET {game}/feed HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nX-Forwarded-For: {peer}\r\n\r\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_who_does_not_read_is_cut_off_and_nothing_is_kept_for_it() {
    let server = LimitedServer::start(Limits { read_period: SHORT_TIMEOUT, ..unlimited() }).await;
    let (game, _) = pip_pip(&server.test).await;
    let id = game.rsplit('/').next().expect("an id");
    let write = format!(
        "insert into events select game_id, number, line from events, generate_series(1, {EVENTS}) number
         where game_id = '{id}' and seq = 0;
         update game_states set seq = {EVENTS}, edition = edition + 1 where game_id = '{id}'"
    );
    server.test.db_superuser().await.batch_execute(&write).await.expect("events");
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut stream = socket.connect(server.address).await.expect("a connection");
    stream.write_all(ask(&game, "203.0.113.7").as_bytes()).await.expect("a request");
    let traffic = server.traffic.clone();
    until("it reads", || traffic.feeds.in_use() == 1).await;
    until("it is given up", || traffic.feeds.in_use() == 0 && traffic.connections.in_use() == 0).await;
    assert_eq!(server.test.app.games.feeds().watched(), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_has_only_so_many_feeds_and_the_others_have_theirs() {
    let connections = Share { in_all: 1000, of_peer: 4 };
    let server = LimitedServer::behind_proxy(Limits { connections, ..unlimited() }).await;
    let (game, _) = pip_pip(&server.test).await;
    let mut open = Vec::new();
    for peer in ["203.0.113.7", "203.0.113.7", "203.0.113.8"] {
        let mut stream = server.send(&ask(&game, peer)).await;
        assert!(read_head(&mut stream).await.starts_with("HTTP/1.1 200 "));
        open.push(stream);
    }
    let refused = read_head(&mut server.send(&ask(&game, "203.0.113.7")).await).await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("\"feeds\";q=2"), "{refused}");
    drop(open.remove(0));
    let traffic = server.traffic.clone();
    until("its place is given back", || traffic.feeds.in_use() == 2).await;
    let mut again = server.send(&ask(&game, "203.0.113.7")).await;
    assert!(read_head(&mut again).await.starts_with("HTTP/1.1 200 "));
    server.test.app.games.feeds().close();
    drop(again.shutdown().await);
    assert!(until_closed(&mut again).await.contains("ask_again"));
}

/// Reads the head of a stream and its first lines, so that nothing is left unread.
async fn read_greeting(stream: &mut TcpStream) {
    let mut said = Vec::new();
    while !String::from_utf8_lossy(&said).contains("retry: ") || !said.ends_with(b"\n\n\r\n") {
        let byte = tokio::time::timeout(TIMEOUT, stream.read_u8()).await.expect("a stream");
        said.push(byte.expect("a stream"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_who_goes_while_there_is_nothing_to_say_loses_its_place() {
    let server = LimitedServer::start(unlimited()).await;
    let (game, _) = pip_pip(&server.test).await;
    let id = game.rsplit('/').next().expect("an id");
    let up_to_date = ask(&game, "203.0.113.7").replace("/feed", &format!("/feed?after={id}:0"));
    let mut stream = server.send(&up_to_date).await;
    read_greeting(&mut stream).await;
    assert_eq!(server.traffic.feeds.in_use(), 1);
    drop(stream);
    let traffic = server.traffic.clone();
    let is_free = || traffic.feeds.in_use() == 0 && traffic.connections.in_use() == 0;
    until_within(GONE_AFTER, "its place is given back", is_free).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_beside_a_stream_does_not_end_it_and_is_answered_after_it() {
    let server = LimitedServer::start(unlimited()).await;
    let (game, _) = pip_pip(&server.test).await;
    let mut stream = server.send(&ask(&game, "203.0.113.7")).await;
    assert!(read_head(&mut stream).await.starts_with("HTTP/1.1 200 "));
    let next = b"HEAD /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    stream.write_all(next).await.expect("a request");
    server.test.app.games.feeds().close();
    let said = until_closed(&mut stream).await;
    let (streamed, answer) = said.split_once("0\r\n\r\n").expect("the end of the stream");
    assert!(streamed.contains("ask_again") && answer.starts_with("HTTP/1.1 404 "), "{said}");
}
