//! `PIPPOST_REPLICA_URL`: history is read from a streaming replica that may lag or be down, without a visible difference.

use std::net::TcpListener;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use pippost::accounts::AccountLimits;
use pippost::app::{App, Parts};
use pippost::clock::Clock;
use pippost::games::Tuning;
use pippost::keys::{SecretKey, SigningKeys};
use pippost::record::verify;
use pippost::store::{Address, database};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::pair::{PRIMARY, Pair, REPLICA, address};
use support::feed::{FeedReader, NDJSON};
use support::games::play_to_the_end;
use support::{Client, PASSWORD, START, cluster};

/// A server on a database with a replica.
struct Server {
    app: App,
    url: String,
    handle: ServerHandle,
    _keys: TempDir,
}

impl Server {
    async fn start(address: Arc<Address>, replica: Arc<Address>) -> Self {
        let keys = tempfile::tempdir().expect("a folder for the keys");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let parts = Parts {
            address,
            replica: Some(replica),
            archive: None,
            connections: 4,
            tuning: Tuning { cache_bytes: 1 << 20, writers: 1 },
            clock: Clock::standing_at(START),
            secret: Arc::new(SecretKey::in_folder(keys.path()).expect("a secret key")),
            signing: Arc::new(SigningKeys::in_folder(keys.path()).expect("a signing key")),
            public_url: url.clone(),
            account_limits: AccountLimits::generous(),
            beacon: None,
        };
        let app = App::build(parts).await.expect("a server");
        let server = pippost::http::serve(&app, vec![listener.into()], 1).expect("a server");
        let handle = server.handle();
        tokio::spawn(server);
        Self { app, url, handle, _keys: keys }
    }

    async fn register(&self, handle: &str) -> Client {
        let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
        let answer = Client::new(&self.url, None).post("/api/v1/accounts", &body).await;
        let token = answer.expect_status(201).json()["access_token"].as_str().expect("a token").to_owned();
        Client::new(&self.url, Some(token))
    }

    /// A started game of Pip•Pip.
    async fn game(&self) -> (String, [Client; 2]) {
        let players = [self.register("ann").await, self.register("bob").await];
        let wanted = json!({"rules": "pip-pip", "seating": "joined"});
        let created = players[0].post("/api/v1/games", &wanted).await;
        let game =
            format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
        players[1].post(&format!("{game}/join"), &json!({})).await.ok();
        (game, players)
    }

    /// The statements that `ask` sends to the database and to the replica. `ask` should use no token, because a player's last
    /// visit is written now and then; the players here have been seen before.
    async fn statements<T>(&self, ask: impl Future<Output = T>) -> (T, [u64; 2]) {
        self.app.accounts.presence().write().await.expect("who was seen");
        let count = || {
            let database = &self.app.database;
            [database.statements(), database.replica().expect("a replica").statements()]
        };
        let before = count();
        let answer = ask.await;
        let after = count();
        (answer, [after[0] - before[0], after[1] - before[1]])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server ends with the test, which does not wait for the answer.
        drop(self.handle.stop(false));
    }
}

fn numbers(page: &Value) -> Vec<u64> {
    let events = page["events"].as_array().expect("a list");
    events.iter().map(|event| event["seq"].as_u64().expect("a number")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn history_comes_from_the_replica_and_what_it_lacks_from_the_database() {
    let pair = tokio::task::spawn_blocking(Pair::start).await.expect("two databases");
    let (primary, replica) = (address(pair.folder(), PRIMARY), address(pair.folder(), REPLICA));
    database::migrate(&primary).await.expect("migrations");
    let server = Server::start(primary, replica).await;
    let (game, [ann, bob]) = server.game().await;
    let stranger = Client::new(&server.url, None);
    let (record, events) = (format!("{game}/record"), format!("{game}/events"));
    let store = json!({"notation": "store"});
    ann.post(&format!("{game}/moves"), &store).await.ok();
    pair.db_follow().await;

    let (page, asked) = server.statements(stranger.get(&events)).await;
    assert_eq!(numbers(&page.ok()), [0, 1]);
    assert_eq!(asked, [1, 1], "the database says how far the game is, the replica what happened");

    pair.db_pause().await;
    let moved = ann.post(&format!("{game}/moves"), &store).await.ok();
    let (page, asked) = server.statements(stranger.get(&events)).await;
    assert_eq!(
        numbers(&page.ok()),
        [0, 1, 2],
        "whoever has seen a move answered sees it in every later answer"
    );
    assert_eq!(asked, [2, 1], "the replica lacks the move, so the database is asked");
    let (page, asked) = server.statements(stranger.get(&format!("{events}?first=0&limit=2"))).await;
    assert_eq!((numbers(&page.ok()), asked), (vec![0, 1], [1, 1]), "it has these");
    let receipt = json!({"receipt": moved["receipts"][0]});
    let (checked, asked) = server.statements(stranger.post("/api/v1/receipts", &receipt)).await;
    assert_eq!(
        (checked.ok()["verdict"].clone(), asked),
        (json!("kept"), [2, 1]),
        "the clock log is the database's"
    );

    let players = [ann.clone(), bob];
    play_to_the_end(&game, &players).await;
    let behind = ann.get(&record).await;
    assert!(verify(&behind.body).expect("a good record").proved);
    let replayed = players[1].get(&format!("{game}/replay?first=0&limit=200")).await.ok();
    assert!(replayed["next"].is_null());

    pair.db_resume().await;
    pair.db_follow().await;
    let (level, asked) = server.statements(stranger.get(&record)).await;
    assert_eq!(level.body, behind.body);
    assert_eq!(asked, [1, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_is_gone_or_silent_is_asked_once_and_then_left_alone() {
    // Accepts connections and sends nothing.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    silent.set_nonblocking(true).expect("a setting");
    let port = silent.local_addr().expect("an address").port();
    let silent_address = format!("host=127.0.0.1 port={port} user=app dbname=pippost sslmode=disable");
    let gone = "host=/nowhere port=1 user=app dbname=pippost".to_owned();
    for text in [silent_address, gone] {
        let database = Arc::new(cluster::address(&cluster::new_database().await));
        let server =
            Server::start(database, Arc::new(Address::parse(&text, None).expect("an address"))).await;
        let (game, players) = server.game().await;
        play_to_the_end(&game, &players).await;
        let stranger = Client::new(&server.url, None);
        for _ in 0..3 {
            let (record, asked) = server.statements(stranger.get(&format!("{game}/record"))).await;
            assert!(verify(&record.body).expect("a good record").proved, "{text}");
            assert_eq!(asked, [2, 0], "{text}");
        }
    }
    silent.accept().expect("it was asked");
    silent.accept().expect_err("it was asked once");
}

#[tokio::test(flavor = "multi_thread")]
async fn feeds_tell_each_event_at_once_and_once_however_far_the_replica_lags() {
    let pair = tokio::task::spawn_blocking(Pair::start).await.expect("two databases");
    let (primary, replica) = (address(pair.folder(), PRIMARY), address(pair.folder(), REPLICA));
    database::migrate(&primary).await.expect("migrations");
    let server = Server::start(primary, replica).await;
    let (game, [ann, bob]) = server.game().await;
    pair.db_follow().await;
    pair.db_pause().await;
    let of_game = format!("{game}/feed");
    let mut watching = [
        FeedReader::open(&Client::new(&server.url, None), &of_game, NDJSON, None).await,
        FeedReader::open(&ann, "/api/v1/me/feed", NDJSON, None).await,
    ];
    // The replica has event 0 alone.
    let end = play_to_the_end(&game, &[ann.clone(), bob]).await["seq"].as_u64().expect("a number");
    let id = |seq: u64| format!("{}:{seq}", game.rsplit('/').next().expect("an id"));
    for feed in &mut watching {
        for seq in 0..=end {
            assert_eq!(feed.line().await.1["id"], id(seq));
        }
    }
    // A reader that comes back while the replica lags, and one that does when it has caught up.
    for caught_up in [false, true] {
        if caught_up {
            pair.db_resume().await;
            pair.db_follow().await;
        }
        for feed in [&of_game, "/api/v1/me/feed"] {
            let page = ann.get(&format!("{feed}?after={}&limit=500", id(1))).await.ok();
            let told: Vec<Value> = page["entries"]
                .as_array()
                .expect("entries")
                .iter()
                .map(|entry| entry["id"].clone())
                .collect();
            let expected: Vec<Value> = (2..=end).map(|seq| json!(id(seq))).collect();
            assert_eq!(told, expected, "{feed}, {caught_up}");
        }
    }
}
