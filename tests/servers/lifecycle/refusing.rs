//! The database refuses to write, or to be connected to: requests get a problem that says so, nothing is half done, and the server goes
//! on by itself afterwards.

use std::sync::atomic::{AtomicUsize, Ordering};

use diesel_async::SimpleAsyncConnection;
use pippost::store::embedded::{APP_DATABASE, SUPERUSER};
use pippost::store::{Address, database};
use reqwest::Method;
use serde_json::{Value, json};

use super::players::{Match, Tried};
use super::{blocking, until};
use support::client::Answer;
use support::process::Server;
use support::{Client, PASSWORD};

/// Statements of the operator, each sent by itself.
async fn db_run(server: &Server, statements: &[&str]) {
    let folder = server.data_dir().join("sock");
    let address = format!("host='{}' user={SUPERUSER} dbname={APP_DATABASE}", folder.display());
    let address = Address::parse(&address, None).expect("an address");
    let mut connection = database::open(&address).await.expect("a connection");
    for statement in statements {
        connection.batch_execute(statement).await.expect(statement);
    }
}

async fn seq(playing: &Match) -> u64 {
    playing.players[0].get(&playing.game).await.ok()["seq"].as_u64().expect("a number")
}

/// A move that can be sent again.
struct Move {
    player: Client,
    path: String,
    body: String,
    key: String,
}

impl Move {
    /// One of whoever is to move now, under a key with that number.
    async fn of(playing: &Match, number: usize) -> Self {
        let view = playing.players[0].get(&playing.game).await.ok();
        let seat = usize::try_from(view["to_act"].as_u64().expect("it runs")).expect("a seat");
        let player = playing.players[seat].clone();
        let legal = player.get(&format!("{}/actions", playing.game)).await.ok();
        let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
        let body = json!({"actions": [action], "expected_seq": view["seq"]}).to_string();
        Self { player, path: format!("{}/moves", playing.game), body, key: format!("the-same-{number}") }
    }

    async fn send(&self) -> Answer {
        let key = [("Idempotency-Key", self.key.as_str())];
        self.player.send(Method::POST, &self.path, Some(self.body.clone()), &key).await
    }
}

/// Plays on, and holds that nothing is missing or there twice.
async fn goes_on(server: &mut Server, playing: &mut Match) {
    for _ in 0..10 {
        until("a move", async || matches!(playing.try_move().await, Tried::Moved)).await;
    }
    playing.check_record().await;
    let mut audit = server.command(&["audit"]);
    let audited = blocking(move || audit.output().expect("the program")).await;
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stdout));
}

/// Ends all connections to the database but the operator's.
const CUT: &str = "select pg_terminate_backend(pid) from pg_stat_activity \
                   where datname = current_database() and pid <> pg_backend_pid()";

/// Ways to let a database only read, as an operator, or a provider whose disk is nearly full, does, and how it is taken back.
const READ_ONLY: [[&[&str]; 2]; 2] = [
    [
        &["alter system set default_transaction_read_only = on", "select pg_reload_conf()"],
        &["alter system reset default_transaction_read_only", "select pg_reload_conf()"],
    ],
    // This stays with the connections that are opened meanwhile.
    [
        &["alter database pippost set default_transaction_read_only = on", CUT],
        &[
            "set default_transaction_read_only = off",
            "alter database pippost reset default_transaction_read_only",
        ],
    ],
];

/// Whether the server can write for a player.
async fn writes(player: &Client, tried: &AtomicUsize) -> bool {
    // Another one each time: what does not change is not written.
    let zone = ["Europe/Berlin", "Europe/Paris"][tried.fetch_add(1, Ordering::Relaxed) % 2];
    player.put("/api/v1/me/calendar", &json!({"zone": zone})).await.status != 503
}

/// What writes is put off, what reads is answered.
async fn only_reads(server: &Server, playing: &Match, the_move: &Move, account: &Value) {
    let stranger = Client::new(&server.url(), None);
    let (ann, game) = (&playing.players[0], &playing.game);
    let log_in = json!({"login": "matcha", "password": PASSWORD});
    let refused = [
        the_move.send().await,
        stranger.post("/api/v1/accounts", account).await,
        stranger.post("/api/v1/sessions", &log_in).await,
        ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await,
        ann.post(&format!("{game}/messages"), &json!({"text": "Hello"})).await,
        ann.post(&format!("{game}/resign"), &json!({})).await,
    ];
    for answer in &refused {
        answer.problem(503, "unavailable");
        assert!(answer.headers.contains_key("retry-after"), "{}", answer.text());
    }
    for path in ["", "/actions", "/events", "/record", "/board.svg", "/messages", "/clock"] {
        ann.get(&format!("{game}{path}")).await.expect_status(200);
    }
    for path in ["/api/v1/games?list=mine", "/api/v1/me", "/api/v1/rules", "/healthz", "/readyz"] {
        ann.get(path).await.expect_status(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_only_reads_what_is_read_is_answered_and_what_would_write_is_put_off() {
    let mut server = blocking(Server::start).await;
    let mut playing = Match::begin(&server, "match").await;
    let ann = playing.players[0].clone();
    let tried = AtomicUsize::new(0);
    for (number, [begin, end]) in READ_ONLY.into_iter().enumerate() {
        until("a move", async || matches!(playing.try_move().await, Tried::Moved)).await;
        db_run(&server, begin).await;
        // Each connection hears of it, or that it was ended, when it is used next.
        let only_read = async || {
            let reads = ann.get(&playing.game).await.status == 200 && ann.get("/readyz").await.status == 200;
            !writes(&ann, &tried).await && reads
        };
        until("refusals", async || only_read().await && only_read().await).await;
        let (before, the_move) = (seq(&playing).await, Move::of(&playing, number).await);
        let account = json!({"handle": format!("cid{number}"), "email": format!("{number}@example.org"), "password": PASSWORD});
        only_reads(&server, &playing, &the_move, &account).await;
        assert_eq!(seq(&playing).await, before);

        db_run(&server, end).await;
        until("writes", async || writes(&ann, &tried).await).await;
        let view = ann.get(&playing.game).await.ok();
        assert_eq!(
            (&view["seq"], &view["status"]),
            (&json!(before), &json!("running")),
            "nothing is done later"
        );
        // What was refused under a key is done under it now, once. Each thread has connections of its own, which may refuse once more.
        until("the move", async || the_move.send().await.status == 200).await;
        the_move.send().await.expect_status(200);
        assert_eq!(seq(&playing).await, before + 1);
        let stranger = Client::new(&server.url(), None);
        until("an account", async || stranger.post("/api/v1/accounts", &account).await.status == 201).await;
        playing.looked_again().await;
        goes_on(&mut server, &mut playing).await;
    }
    blocking(move || server.stop()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_takes_no_connections_requests_are_put_off_and_then_served_again() {
    let mut server = blocking(Server::start).await;
    let mut playing = Match::begin(&server, "match").await;
    assert!(matches!(playing.try_move().await, Tried::Moved));
    let before = seq(&playing).await;
    let none = format!("alter database {APP_DATABASE} connection limit 0");
    db_run(&server, &[&none, CUT]).await;
    let (ann, game) = (playing.players[0].clone(), playing.game.clone());
    let stranger = Client::new(&server.url(), None);
    until("a refusal", async || stranger.get("/readyz").await.status == 503).await;
    for answer in [
        ann.get(&format!("{game}/record")).await,
        ann.post(&format!("{game}/messages"), &json!({"text": "Hello"})).await,
        ann.post(&format!("{game}/resign"), &json!({})).await,
        stranger.get("/api/v1/games").await,
    ] {
        answer.problem(503, "unavailable");
        assert!(answer.headers.contains_key("retry-after"), "{}", answer.text());
    }
    stranger.get("/healthz").await.expect_status(200);

    db_run(&server, &[&format!("alter database {APP_DATABASE} connection limit -1")]).await;
    until("readiness", async || stranger.get("/readyz").await.status == 200).await;
    assert_eq!(seq(&playing).await, before, "nothing was half done");
    assert_eq!(ann.get(&game).await.ok()["status"], "running");
    goes_on(&mut server, &mut playing).await;
    blocking(move || server.stop()).await;
}
