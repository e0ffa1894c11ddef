//! Five times as much as there are places for: what goes beyond is told at once to try again, takes no memory, and leaves nothing behind.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use pippost::traffic::{Gate, TrafficPermit};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::places::{RECORD, player};
use super::{LimitedServer, TIMEOUT, unlimited};
use support::client::Answer;
use support::games::play_to_the_end;
use support::process::Server;
use support::{Client, PASSWORD};

/// So many requests for each place.
const OVERLOAD: usize = 5;

/// The requests that are under way at once.
const AT_ONCE: usize = 48;

/// A peer in a network of its own.
fn peer(number: usize) -> IpAddr {
    let [.., high, low] = number.to_be_bytes();
    Ipv4Addr::new(20, high, low, 1).into()
}

/// All places that strangers get.
fn filled(gate: &Arc<Gate>) -> Vec<TrafficPermit> {
    (0..).map_while(|number| gate.enter(Some(peer(number)), 1).ok()).collect()
}

/// A kind of costly work: a request that needs a place for it.
struct Work {
    gate: Arc<Gate>,
    client: Client,
    method: Method,
    path: String,
    header: (&'static str, &'static str),
    body: Option<String>,
}

impl Work {
    async fn ask(&self, number: usize) -> Answer {
        let peer = peer(number).to_string();
        let headers = [("X-Forwarded-For", peer.as_str()), self.header];
        self.client.send(self.method.clone(), &self.path, self.body.clone(), &headers).await
    }
}

/// Every kind of costly work for which strangers can hold all places.
async fn kinds(server: &LimitedServer) -> Vec<Work> {
    let players = [player(server, "ann").await, player(server, "bob").await];
    let wanted = json!({"rules": "pip-pip", "seating": "joined"});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    players[1].post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    play_to_the_end(&game, &players).await;
    let traffic = &server.traffic;
    let (stranger, ann) = (server.stranger(), players[0].clone());
    let get = |gate: &Arc<Gate>, client: &Client, path: String| Work {
        gate: Arc::clone(gate),
        client: client.unchecked(),
        method: Method::GET,
        path,
        header: ("Accept", "*/*"),
        body: None,
    };
    let post = |gate: &Arc<Gate>, path: &str, content_type, body: String| Work {
        method: Method::POST,
        header: ("Content-Type", content_type),
        body: Some(body),
        ..get(gate, &stranger, path.to_owned())
    };
    let log_in = json!({"login": "ann", "password": PASSWORD}).to_string();
    vec![
        post(&traffic.passwords, "/api/v1/sessions", "application/json", log_in),
        post(&traffic.verifications, "/api/v1/verify", "application/x-ndjson", RECORD.to_owned()),
        get(&traffic.drawings, &stranger, format!("{game}/board.png")),
        get(&traffic.replays, &stranger, format!("{game}/replay")),
        get(&traffic.archives, &ann, "/api/v1/me/records.zip".to_owned()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn while_all_places_are_held_five_times_as_many_requests_are_put_off_at_once_and_served_afterwards() {
    let server = LimitedServer::behind_proxy(unlimited()).await;
    for work in kinds(&server).await {
        let held = filled(&work.gate);
        let places = held.len();
        assert!(places >= 3, "{} has {places} places", work.path);
        // None of them is let in before the test lets go: a request that waited for a place would wait for ever.
        let beyond = (1_000..1_000 + OVERLOAD * places).map(|number| work.ask(number));
        let answers: Vec<Answer> = stream::iter(beyond).buffer_unordered(AT_ONCE).collect().await;
        for answer in &answers {
            answer.problem(503, "unavailable");
            let seconds =
                answer.headers["retry-after"].to_str().ok().and_then(|text| text.parse::<u64>().ok());
            assert!(seconds.is_some_and(|seconds| seconds > 0), "{}: {:?}", work.path, answer.headers);
        }
        assert_eq!(work.gate.in_use(), places as u64, "{}: who was put off holds nothing", work.path);
        drop(held);
        let served = work.ask(1).await;
        assert!(served.status.is_success(), "{}: {}", work.path, served.text());
        let gate = Arc::clone(&work.gate);
        super::until("all is given back", || gate.in_use() == 0).await;
    }
}

/// The connections that the program takes, and how many of them strangers get: a quarter is kept.
const FEW: usize = 64;
const OPEN: usize = FEW - FEW / 4;

/// How often the flood comes, and how much memory it may add once it has come twice, in KiB.
const FLOODS: usize = 10;
const MAX_GROWTH_KIB: u64 = 24 * 1024;

/// A connection of a stranger from a network of this machine, which has asked for something.
async fn stranger(server: SocketAddr, number: usize) -> TcpStream {
    let [.., low] = number.to_be_bytes();
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((Ipv4Addr::new(127, 1, low, 1), 0).into()).expect("an address of this machine");
    let mut stream = socket.connect(server).await.expect("a connection");
    // One that is refused may be closed before it has asked.
    let _refused = stream.write_all(b"GET /api/v1/rules HTTP/1.1\r\nHost: a\r\n\r\n").await;
    stream
}

/// Reads the status of an answer, and all that a refusal says.
async fn answer(stream: &mut TcpStream) -> String {
    let mut said = vec![0; 12];
    let read = tokio::time::timeout(TIMEOUT, stream.read_exact(&mut said)).await;
    read.expect("an answer").expect("an answer");
    if said.ends_with(b"503") {
        // Its end may be a reset, where the server did not read what was asked.
        let _ended = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut said)).await.expect("an end");
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// The memory that the process has now, in KiB.
fn memory_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let now = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    now.trim().trim_end_matches(" kB").trim().parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_five_times_the_connections_is_refused_at_once_keeps_no_memory_and_a_player_goes_on() {
    let arguments = ["--connections", "64", "--connections-of-a-peer", "64"];
    let server = tokio::task::spawn_blocking(move || Server::start_with(&arguments)).await.expect("a server");
    let address: SocketAddr = server.address.parse().expect("an address");
    // Where somebody has logged in, places are kept.
    let ann = server.register("ann").await;
    let log_in = json!({"login": "ann", "password": PASSWORD});
    ann.post("/api/v1/sessions", &log_in).await.expect_status(201);
    let mut after_two = 0;
    for flood in 1..=FLOODS {
        let mut held = Vec::new();
        let mut refused = 0;
        for number in 0..FEW * OVERLOAD {
            let mut stream = stranger(address, number).await;
            let said = answer(&mut stream).await;
            match said.as_str() {
                "HTTP/1.1 200" => held.push(stream),
                said => {
                    assert!(said.starts_with("HTTP/1.1 503 ") && said.contains("retry-after: "), "{said}");
                    refused += 1;
                }
            }
        }
        // Those who were let in hold their places, so nobody was refused because he had waited too long.
        assert!(held.len() <= OPEN && held.len() + refused == FEW * OVERLOAD, "{} were let in", held.len());
        assert!(flood > 1 || held.len() >= OPEN - 2, "{} were let in", held.len());
        ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201);
        drop(held);
        if flood == 2 {
            after_two = memory_kib(server.pid());
        }
    }
    support::waiting::until("free places for as many as before", async || {
        let mut held = Vec::new();
        for number in 0..OPEN - 2 {
            let mut stream = stranger(address, number).await;
            if answer(&mut stream).await == "HTTP/1.1 200" {
                held.push(stream);
            }
        }
        held.len() == OPEN - 2
    })
    .await;
    let grown = memory_kib(server.pid()).saturating_sub(after_two);
    assert!(grown < MAX_GROWTH_KIB, "{grown} KiB more after {FLOODS} floods than after two");
}
