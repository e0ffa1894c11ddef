//! Readers of feeds who are cut off 500 times while two server processes are killed and started: every event once, in order, and
//! hidden information hidden.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;
use uuid::Uuid;

use support::chaos::Chaos;
use support::feed::{FeedReader, NDJSON, SSE, Said};
use support::process::Server;
use support::sample::Sampler;
use support::{Client, cluster};

/// How often connections are cut off at least.
const CUTS: usize = 500;

/// One server is killed, or stopped, after so many cuts.
const CUTS_BETWEEN_KILLS: usize = 70;

/// How long a reader waits for a byte. Idle connections end by it, too.
const REQUEST_TIMEOUT: Duration = Duration::from_millis(400);

/// The most bytes that a reader and a player get by one connection.
const MAX_READ_BYTES: u32 = 4_000;
const MAX_PLAYED_BYTES: u32 = 20_000;

const SEED: u64 = 20_261_124;

/// What the players do and the readers follow.
struct Play {
    /// Between the readers and the servers.
    chaos: Chaos,
    /// Between the players and the servers; gentler, so that they go on.
    players_chaos: Chaos,
    /// The addresses of the games, one after another.
    games: watch::Sender<Vec<String>>,
    /// How many events the players have made.
    made: AtomicUsize,
    is_over: AtomicBool,
}

/// What one reader has got.
#[derive(Default)]
struct Got {
    /// Ids in the order of their arrival, with the events.
    events: Vec<(String, Value)>,
    /// Snapshots with the addresses of their games.
    games: Vec<(String, Value)>,
    connections: usize,
}

impl Got {
    fn is_all_of(&self, play: &Play) -> bool {
        play.is_over.load(Ordering::SeqCst) && self.events.len() >= play.made.load(Ordering::SeqCst)
    }
}

/// What a reader follows: one game after another, or all of a player's games at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feed {
    EachGame,
    Mine,
}

/// Reads through the proxy until it has all events that the players have made, and they have stopped. Each connection goes on where
/// the last one was cut.
async fn follow(client: Client, feed: Feed, play: Arc<Play>) -> Got {
    let client = client.with_timeout(&play.chaos.url, REQUEST_TIMEOUT);
    let mut games = play.games.subscribe();
    let (mut got, mut number) = (Got::default(), 0);
    while !got.is_all_of(&play) {
        let game = match feed {
            Feed::Mine => String::new(),
            Feed::EachGame => {
                let known = games.wait_for(|games| games.len() > number).await.expect("the play goes on");
                known[number].clone()
            }
        };
        if read_once(&client, &game, &mut got, &play).await {
            number += 1;
        }
    }
    got
}

/// Reads until the connection ends; true if the game is over.
async fn read_once(client: &Client, game: &str, got: &mut Got, play: &Play) -> bool {
    got.connections += 1;
    let id = game.rsplit('/').next().expect("an id");
    let last = got.events.last().map(|(last, _)| last.clone()).filter(|last| last.starts_with(id));
    // A snapshot without a cursor would pass the events before it.
    let snapshot = if last.is_some() { "each" } else { "none" };
    let mut path = match game {
        "" => "/api/v1/me/feed?limit=1".to_owned(),
        game => format!("{game}/feed?snapshot={snapshot}"),
    };
    // Server-sent events resume by their header, NDJSON by the query.
    let accept = if got.connections.is_multiple_of(2) { SSE } else { NDJSON };
    if let Some(last) = last.as_ref().filter(|_| accept == NDJSON) {
        path = format!("{path}&after={last}");
    }
    let header = last.as_deref().filter(|_| accept == SSE);
    // Cut off before the answer came, or its server is being started.
    let Ok(mut reader) = FeedReader::try_open(client, &path, accept, header).await else { return false };
    while !got.is_all_of(play) {
        match reader.next().await {
            Said::Line(id, line) => match line["type"].as_str() {
                Some("event") => {
                    let own = line["id"].as_str().expect("an id").to_owned();
                    assert!(id.is_none_or(|id| id == own));
                    got.events.push((own, line["event"].clone()));
                }
                Some("game") => got.games.push((game.to_owned(), line["game"].clone())),
                Some("end") if line["reason"] == "game_over" => return true,
                _ => {}
            },
            Said::Heartbeat => {}
            Said::Nothing => return reader.has_no_more(),
        }
    }
    false
}

/// An answer, asked for until it comes.
async fn patiently(client: &Client, method: Method, path: &str, body: Option<&Value>) -> Value {
    let key = Uuid::new_v4().to_string();
    let keyed = [("Idempotency-Key", key.as_str())];
    let headers = if body.is_some() { &keyed[..] } else { &[] };
    loop {
        let bytes = body.map(|body| body.to_string().into_bytes());
        match client.try_send_bytes(method.clone(), path, bytes, headers).await {
            Ok(answer) if answer.status.is_success() => return answer.json(),
            // The server has lost its answer, or is being started.
            Ok(answer) if answer.status.is_server_error() => {}
            Ok(answer) => panic!("{path}: {}", answer.text()),
            Err(_cut) => {}
        }
    }
}

/// Plays one game after another by random moves through the proxy, until there were enough cuts.
async fn play(players: &[Client; 2], play: &Play) {
    let mut sampler = Sampler::new(SEED);
    let players = players.clone().map(|player| player.with_timeout(&play.players_chaos.url, REQUEST_TIMEOUT));
    while play.chaos.cuts() < CUTS {
        let game = started_game(&players).await;
        play.made.fetch_add(1, Ordering::SeqCst);
        play.games.send_modify(|games| games.push(game.clone()));
        while play.chaos.cuts() < CUTS {
            let view = patiently(&players[0], Method::GET, &game, None).await;
            let Some(seat) = view["to_act"].as_u64() else { break };
            let player = &players[usize::try_from(seat).expect("a seat")];
            let legal = patiently(player, Method::GET, &format!("{game}/actions"), None).await;
            let action = sampler.action(legal["actions"].as_array().expect("a list"));
            let body = json!({"actions": [action], "expected_seq": legal["seq"]});
            let moved = patiently(player, Method::POST, &format!("{game}/moves"), Some(&body)).await;
            play.made.fetch_add(moved["events"].as_array().expect("events").len(), Ordering::SeqCst);
        }
    }
}

/// A new game with hidden hands.
async fn started_game(players: &[Client; 2]) -> String {
    let wanted = json!({"rules": "serpent", "seating": "joined"});
    let created = patiently(&players[0], Method::POST, "/api/v1/games", Some(&wanted)).await;
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    loop {
        // A join has no key: whether one whose answer was lost was made, the game says.
        let join = Some(b"{}".to_vec());
        let _lost = players[1].try_send_bytes(Method::POST, &format!("{game}/join"), join, &[]).await;
        if patiently(&players[1], Method::GET, &game, None).await["status"] == "running" {
            return game;
        }
    }
}

/// Two server processes on one database. One of them always runs.
struct Pair {
    servers: Vec<Option<Server>>,
    arguments: Vec<String>,
}

impl Pair {
    async fn start(keys: &str) -> Self {
        let url = cluster::url(&cluster::new_database().await);
        let arguments =
            ["--database-url", &url, "--keys-dir", keys, "--no-worker", "--database-connections", "6"];
        let arguments = arguments.map(str::to_owned).to_vec();
        let start = || {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            Some(Server::start_bare(&arguments))
        };
        let servers = vec![start(), start()];
        Self { servers, arguments }
    }

    /// Kills or stops one of the servers and starts it again.
    fn restarted(mut self, number: usize) -> Self {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let place = &mut self.servers[number % 2];
        let server = place.take().expect("a server");
        *place = Some(if number.is_multiple_of(3) {
            server.stop_and_start_with(&arguments)
        } else {
            server.kill_and_start_with(&arguments)
        });
        self
    }

    fn addresses(&self) -> Vec<std::net::SocketAddr> {
        let addresses = self.servers.iter().flatten();
        addresses.map(|server| server.address.parse().expect("an address")).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_who_are_cut_off_five_hundred_times_have_every_event_once_and_in_order() {
    let keys = tempfile::tempdir().expect("a folder");
    let mut pair = Pair::start(keys.path().to_str().expect("a path")).await;
    let url = pair.servers[0].as_ref().expect("a server").url();
    let players = {
        let server = pair.servers[0].as_ref().expect("a server");
        [server.register("ann").await, server.register("bob").await]
    };
    let stranger = Client::new(&url, None);
    let play_of_all = Arc::new(Play {
        chaos: Chaos::before(pair.addresses(), MAX_READ_BYTES, SEED).await,
        players_chaos: Chaos::before(pair.addresses(), MAX_PLAYED_BYTES, SEED + 1).await,
        games: watch::Sender::default(),
        made: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    });
    let followed = [
        (players[0].clone(), Feed::EachGame),
        (players[1].clone(), Feed::EachGame),
        (stranger.clone(), Feed::EachGame),
        (players[0].clone(), Feed::Mine),
    ];
    let reading = followed.map(|(client, feed)| tokio::spawn(follow(client, feed, Arc::clone(&play_of_all))));
    let mut playing = {
        let (players, play_of_all) = (players.clone(), Arc::clone(&play_of_all));
        tokio::spawn(async move { play(&players, &play_of_all).await })
    };
    for restart in 1..=CUTS / CUTS_BETWEEN_KILLS {
        tokio::select! {
            () = play_of_all.chaos.wait_for_cuts(restart * CUTS_BETWEEN_KILLS) => {}
            stopped = &mut playing => panic!("the players have stopped: {stopped:?}"),
        }
        pair = tokio::task::spawn_blocking(move || pair.restarted(restart)).await.expect("a server");
    }
    playing.await.expect("the players play");
    play_of_all.chaos.calm_down();
    play_of_all.is_over.store(true, Ordering::SeqCst);
    let mut all = Vec::new();
    for reader in reading {
        all.push(reader.await.expect("a reader"));
    }
    let games = play_of_all.games.borrow().clone();
    check(&all, &games, &[players[0].clone(), players[1].clone(), stranger]).await;
}

/// Compares what the readers got with the games.
async fn check(all: &[Got], games: &[String], viewers: &[Client; 3]) {
    let mut truth = Vec::new();
    for game in games {
        let id = game.rsplit('/').next().expect("an id");
        let page = viewers[0].get(&format!("{game}/events?limit=500")).await.ok();
        let events = page["events"].as_array().expect("events");
        truth.extend(events.iter().map(|event| (format!("{id}:{}", event["seq"]), event.clone())));
    }
    for got in all {
        let differs = got.events.iter().zip(&truth).position(|(got, event)| got != event);
        assert_eq!((differs, got.events.len()), (None, truth.len()), "{} connections", got.connections);
    }
    for (viewer, got) in viewers.iter().zip(all) {
        assert!(!got.games.is_empty());
        let mut then: HashMap<(String, String), Value> = HashMap::new();
        for (game, shown) in &got.games {
            let place = (game.clone(), shown["seq"].to_string());
            if !then.contains_key(&place) {
                let view = viewer.get(&format!("{game}?seq={}", place.1)).await.ok();
                then.insert(place.clone(), view);
            }
            for member in ["view", "my_seat", "to_act", "head"] {
                assert_eq!(shown[member], then[&place][member], "{member} after event {}", place.1);
            }
        }
    }
}
