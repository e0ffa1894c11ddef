//! Connections with slow heads, without requests, and with unread answers.

use std::time::Duration;

use pippost::traffic::{Limits, MAX_HEAD_BYTES, Share};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::{LimitedServer, TIMEOUT, unlimited, until, until_closed};

pub const SHORT_TIMEOUT: Duration = Duration::from_millis(1500);

/// Reads one answer without a body.
pub async fn read_head(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    while !said.ends_with(b"\r\n\r\n") {
        let byte = tokio::time::timeout(TIMEOUT, stream.read_u8()).await.expect("an answer");
        said.push(byte.expect("an answer"));
    }
    String::from_utf8(said).expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_does_not_come_to_its_end_is_cut_off_also_on_a_connection_that_was_good_before() {
    let server = LimitedServer::start(Limits { head: SHORT_TIMEOUT, ..unlimited() }).await;
    let mut first = server.send("GET /healthz HTT").await;
    until_closed(&mut first).await;
    let mut silent = server.send("").await;
    until_closed(&mut silent).await;
    let mut good = server.send("HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(read_head(&mut good).await.starts_with("HTTP/1.1 404 "));
    good.write_all(b"G").await.expect("a byte");
    assert_eq!(until_closed(&mut good).await, "");
    let traffic = server.traffic.clone();
    until("no connection is kept", || traffic.connections.in_use() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_asks_nothing_is_closed() {
    let server = LimitedServer::start(Limits { idle: SHORT_TIMEOUT, ..unlimited() }).await;
    let mut stream = server.send("HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(until_closed(&mut stream).await.starts_with("HTTP/1.1 404 "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_without_end_is_cut_off_before_it_takes_much_memory() {
    let server = LimitedServer::start(unlimited()).await;
    let mut stream = server.send("GET / HTTP/1.1\r\nHost: a\r\nX-Long: ").await;
    let mut sent = 0;
    let line = [b'x'; 4096];
    while stream.write_all(&line).await.is_ok() {
        sent += line.len();
        assert!(sent < 64 << 20, "the server reads on");
        tokio::task::yield_now().await;
    }
    assert!(sent >= MAX_HEAD_BYTES / 2, "a head of usual length is read");
    until_closed(&mut stream).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_its_answers_is_cut_off_and_nothing_is_kept_for_it() {
    let server = LimitedServer::start(Limits { read_period: SHORT_TIMEOUT, ..unlimited() }).await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut stream = socket.connect(server.address).await.expect("a connection");
    let large = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n";
    stream.write_all(large.repeat(8).as_bytes()).await.expect("requests");
    let traffic = server.traffic.clone();
    until("a large answer waits", || traffic.answers.in_use() > 0).await;
    until("it is given up", || traffic.answers.in_use() == 0 && traffic.connections.in_use() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_slowly_but_steadily_gets_its_answer_whole() {
    let server = LimitedServer::start(Limits { read_period: Duration::from_secs(2), ..unlimited() }).await;
    let whole = server.stranger().get("/docs/swagger-ui-bundle.js").await.body.len();
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(16 * 1024).expect("a small buffer");
    let mut stream = socket.connect(server.address).await.expect("a connection");
    let ask = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    stream.write_all(ask.as_bytes()).await.expect("a request");
    let (mut read, mut piece) = (0, vec![0; 64 * 1024]);
    loop {
        let bytes =
            tokio::time::timeout(TIMEOUT, stream.read(&mut piece)).await.expect("more").expect("more");
        if bytes == 0 {
            break;
        }
        read += bytes;
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert!(read > whole, "{read} of {whole} and a head");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_peer_keeps_only_so_many_large_answers_waiting() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    let ask = |peer: &str| {
        format!("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {peer}\r\n\r\n")
    };
    let mut unread = Vec::new();
    let mut refused = false;
    for _ in 0..64 {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let mut stream = socket.connect(server.address).await.expect("a connection");
        stream.write_all(ask("203.0.113.7").as_bytes()).await.expect("a request");
        let mut first = [0; 12];
        tokio::time::timeout(TIMEOUT, stream.read_exact(&mut first))
            .await
            .expect("an answer")
            .expect("an answer");
        refused |= first == *b"HTTP/1.1 429";
        unread.push(stream);
    }
    assert!(refused);
    assert!(server.traffic.answers.in_use() <= 16 << 20);
    let mut other = server.send(&ask("203.0.113.8")).await;
    assert!(read_head(&mut other).await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_and_all_peers_have_only_so_many_connections() {
    let server =
        LimitedServer::start(Limits { connections: Share { in_all: 5, of_peer: 3 }, ..unlimited() }).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut stream = server.send("HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(read_head(&mut stream).await.starts_with("HTTP/1.1 404 "));
        open.push(stream);
    }
    let mut fourth = TcpStream::connect(server.address).await.expect("a connection");
    let said = until_closed(&mut fourth).await;
    assert!(said.starts_with("HTTP/1.1 503 ") && said.contains("retry-after: 5"), "{said}");
    drop(open.pop());
    let traffic = server.traffic.clone();
    until("its place is given back", || traffic.connections.in_use() == 2).await;
    let mut again = server.send("HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(read_head(&mut again).await.starts_with("HTTP/1.1 404 "));

    // A trusted proxy represents many clients, so it may have all connections.
    let server =
        LimitedServer::behind_proxy(Limits { connections: Share { in_all: 5, of_peer: 3 }, ..unlimited() })
            .await;
    let mut open = Vec::new();
    for _ in 0..5 {
        let mut stream = server.send("HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(read_head(&mut stream).await.starts_with("HTTP/1.1 404 "));
        open.push(stream);
    }
    let mut sixth = TcpStream::connect(server.address).await.expect("a connection");
    assert!(until_closed(&mut sixth).await.starts_with("HTTP/1.1 503 "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_of_a_head_that_ends_without_cr_is_refused_also_after_a_body_in_the_same_packet() {
    let server = LimitedServer::start(unlimited()).await;
    let body = "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\n\n\n\n";
    for bad in [
        "GET /healthz HTTP/1.1\nHost: a\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\n\n",
        "\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    ] {
        let mut stream = server.send(bad).await;
        let said = until_closed(&mut stream).await;
        assert!(said.starts_with("HTTP/1.1 400 "), "{bad:?}: {said}");
        let mut stream = server.send(&format!("{body}{bad}")).await;
        let said = until_closed(&mut stream).await;
        assert!(said.starts_with("HTTP/1.1 404 ") && !said.contains("HTTP/1.1 200 "), "{bad:?}: {said}");
    }
    let good = "\r\nGET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let said = until_closed(&mut server.send(good).await).await;
    assert!(said.starts_with("HTTP/1.1 200 "), "{said}");
}
