//! Bodies: compressed ones are refused, slow ones cut off.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use pippost::traffic::Limits;
use reqwest::Method;
use tokio::io::AsyncWriteExt;

use super::{LimitedServer, unlimited, until, until_closed};
use support::{TestApp, contract};

const JSON: &str = "Content-Type: application/json";

/// That many zeros, compressed a thousandfold.
pub fn bomb(unpacked_bytes: usize) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..unpacked_bytes >> 20 {
        packer.write_all(&zeros).expect("room");
    }
    packer.finish().expect("a bomb")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_packed_body_is_refused_at_every_address_before_it_is_looked_at() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await.unchecked();
    let packed = bomb(1 << 20);
    let mut addresses: Vec<(Method, String)> = Vec::new();
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        let path = path.replace("{id}", "01a1fe2a-89df-7515-9c5d-9fde96828ff2").replace("{handle}", "ann");
        for method in item.as_object().expect("operations").keys() {
            addresses
                .push((method.to_uppercase().parse().expect("a method"), path.replace("{name}", "serpent")));
        }
    }
    assert!(addresses.len() > 30);
    for page in ["/reset-password", "/confirm-email", "/unsubscribe", "/nothing/here", "/docs/"] {
        addresses.push((Method::POST, page.into()));
    }
    for (method, path) in addresses {
        for encoding in ["gzip", "GZIP", "deflate", "br", "identity, gzip", "x-gzip", ""] {
            let headers = [("Content-Encoding", encoding)];
            let answer = ann.send_bytes(method.clone(), &path, Some(packed.clone()), &headers).await;
            answer.problem(415, "unsupported_encoding");
        }
    }
    let headers = [("Content-Encoding", "Identity")];
    let body = Some(r#"{"login": "ann", "password": "correct horse battery staple"}"#.into());
    app.stranger().send(Method::POST, "/api/v1/sessions", body, &headers).await.expect_status(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_stops_is_cut_off_and_its_place_given_back() {
    let server = LimitedServer::start(Limits { body_pause: Duration::from_millis(200), ..unlimited() }).await;
    let length = "Content-Length: 1000";
    for (head, begun) in [
        (format!("POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\n{JSON}\r\n{length}\r\n\r\n"), "{\"login\":"),
        (
            format!(
                "POST /api/v1/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n{length}\r\n\r\n"
            ),
            "",
        ),
        (
            format!(
                "POST /api/v1/receipts HTTP/1.1\r\nHost: a\r\n{JSON}\r\nTransfer-Encoding: chunked\r\n\r\n"
            ),
            "5\r\n{\"rec",
        ),
    ] {
        let mut stream = server.send(&format!("{head}{begun}")).await;
        let said = until_closed(&mut stream).await;
        assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
        assert!(said.contains("\"code\":\"body_too_slow\""), "{said}");
    }
    let traffic = server.traffic.clone();
    until("all places are given back", || {
        traffic.bodies.in_use() == 0 && traffic.verifications.in_use() == 0 && traffic.passwords.in_use() == 0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_trickles_is_cut_off_though_it_never_pauses_for_long() {
    let limits = Limits { body_pause: Duration::from_millis(500), ..unlimited() };
    let server = LimitedServer::start(limits).await;
    let head =
        format!("POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\n{JSON}\r\nContent-Length: 15000\r\n\r\n");
    let stream = server.send(&head).await;
    let (mut read, mut write) = stream.into_split();
    let trickle = tokio::spawn(async move {
        // Ends when the server has closed the connection.
        while write.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let said = until_closed(&mut read).await;
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    drop(read);
    trickle.await.expect("an end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_a_deadline_however_fast_it_comes() {
    let server = LimitedServer::start(Limits { body: Duration::from_millis(300), ..unlimited() }).await;
    let head = "POST /api/v1/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
    let stream = server.send(head).await;
    let (mut read, mut write) = stream.into_split();
    let pouring = tokio::spawn(async move {
        let chunk = format!("400\r\n{}\r\n", " ".repeat(1024));
        while write.write_all(chunk.as_bytes()).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let said = until_closed(&mut read).await;
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    drop(read);
    pouring.await.expect("an end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_has_only_so_many_unfinished_bodies_and_others_are_not_kept_out() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    let unfinished = |peer: &str| {
        format!(
            "POST /api/v1/receipts HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {peer}\r\n{JSON}\r\nContent-Length: 9\r\n\r\n{{"
        )
    };
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(server.send(&unfinished("203.0.113.7")).await);
    }
    let traffic = server.traffic.clone();
    until("all are waited for", || traffic.bodies.in_use() == 32).await;
    let refused = until_closed(&mut server.send(&unfinished("203.0.113.7")).await).await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 1"), "{refused}");
    let headers = [("X-Forwarded-For", "203.0.113.8"), ("Content-Type", "application/json")];
    let body = Some(br#"{"receipt": "none"}"#.to_vec());
    let honest = server.stranger().send_bytes(Method::POST, "/api/v1/receipts", body, &headers).await;
    honest.problem(422, "invalid_value");
    drop(open);
    until("hanging up gives places back", || traffic.bodies.in_use() == 0).await;
}
