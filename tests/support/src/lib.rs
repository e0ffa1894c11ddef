//! Support for all tests: a real PostgreSQL, a real HTTP server for each test on its own database, a clock that is set by hand,
//! and clients that check every answer against the OpenAPI document.
#![allow(clippy::large_types_passed_by_value, reason = "limits are made for one server each")]

pub mod analysing;
pub mod apps;
pub mod autopush;
pub mod beacon;
pub mod chaos;
pub mod browsing;
pub mod citus_refusals;
pub mod client;
pub mod cluster;
pub mod contract;
pub mod db;
pub mod feed;
pub mod firefox;
pub mod game_page;
pub mod games;
pub mod hands;
pub mod hooks;
pub mod javascript;
pub mod lmtp;
pub mod open_page;
pub mod picking;
pub mod plain_schema;
pub mod post;
pub mod smtp_sink;
pub mod port;
pub mod process;
pub mod program;
pub mod proxy;
pub mod push_service;
pub mod random_play;
pub mod raw;
pub mod readers;
pub mod receiver;
pub mod s3;
pub mod sample;
pub mod samples;
pub mod simulated_clocks;
pub mod skipped;
pub mod tab;
pub mod tampering;
pub mod transparency;
pub mod vectors;
pub mod waiting;
pub mod window;

use std::net::TcpListener;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pippost::accounts::{AccountLimits, Handle};
use pippost::app::{App, Parts};
use pippost::archive::{Access, Archive};
use pippost::beacon::Drand;
use pippost::clock::Clock;
use pippost::games::Tuning;
use pippost::keys::{SecretKey, SharedSecret, SigningKeys};
use pippost::replies::AuthenticationPolicy;
use pippost::store::Address;
use pippost::store::schema::{self, players};
use pippost::webhooks::Sender;
use tempfile::TempDir;
use time::macros::datetime;

pub use client::Client;

/// The time at the start of every test.
pub const START: time::OffsetDateTime = datetime!(2026-11-21 12:00:00 UTC);

/// A password that is long enough.
pub const PASSWORD: &str = "correct horse battery staple";

/// The address at which mails of the servers are answered.
pub const REPLY_ADDRESS: &str = "play@example.org";

/// The secret for delivering mail over HTTP.
pub const INBOUND_SECRET: &str = "a secret shared by tests";

/// The handle of the house bot.
pub const HOUSE_BOT: &str = "house-bot";

/// The token for reading the metrics.
pub const METRICS_TOKEN: &str = "a token for the numbers";

/// What few tests change about a server.
struct More {
    limits: AccountLimits,
    beacon: Option<Drand>,
    archive: Option<Arc<Archive>>,
}

/// A whole server for one test.
pub struct TestApp {
    pub app: App,
    pub url: String,
    pub keys: TempDir,
    database: String,
    handle: ServerHandle,
}

impl TestApp {
    /// A server on a new database.
    pub async fn start() -> Self {
        Self::with_limits(AccountLimits::generous()).await
    }

    /// A sandbox on a new database. Its clock stands still until a test moves it.
    pub async fn sandbox() -> Self {
        Self::sandbox_with(AccountLimits::generous()).await
    }

    /// A sandbox with these limits on attempts.
    pub async fn sandbox_with(limits: AccountLimits) -> Self {
        let keys = tempfile::tempdir().expect("a folder for the keys");
        let clock = Clock::ahead_of(Clock::standing_at(START));
        Self::on(cluster::new_database().await, keys, clock, limits, None).await
    }

    /// A second server on the sandbox's database, like another process: its clock knows only what the database tells it.
    pub async fn beside(&self) -> Self {
        let Clock::Ahead(clock) = &self.app.clock else { panic!("only a sandbox's clock is kept") };
        let clock = Clock::ahead_of(clock.base().clone());
        self.again_with(self.database.clone(), None, clock).await
    }

    /// A server on a new database with these limits on attempts.
    pub async fn with_limits(limits: AccountLimits) -> Self {
        let keys = tempfile::tempdir().expect("a folder for the keys");
        Self::on(cluster::new_database().await, keys, Clock::standing_at(START), limits, None).await
    }

    /// A server on a new database whose games mix in a public beacon.
    pub async fn with_beacon(beacon: Drand) -> Self {
        let keys = tempfile::tempdir().expect("a folder for the keys");
        let clock = Clock::standing_at(START);
        Self::on(cluster::new_database().await, keys, clock, AccountLimits::generous(), Some(beacon)).await
    }

    /// A second server on the same database, with the same keys and clock, like another process.
    pub async fn second(&self) -> Self {
        self.again_on(self.database.clone()).await
    }

    /// As [`second`](Self::second), with a clock of its own, which stands where this one's stands now.
    pub async fn second_with_own_clock(&self) -> Self {
        self.again_with(self.database.clone(), None, Clock::standing_at(self.app.clock.now())).await
    }

    /// As [`second`](Self::second), under this server's public address, like another process behind one proxy.
    pub async fn twin(&self) -> Self {
        self.again(self.database.clone(), Some(self.url.clone())).await
    }

    /// A server with the same keys and clock, on a copy of the database as it is now. This server loses its connections.
    pub async fn copied(&self) -> Self {
        self.again_on(cluster::copy_of(&self.database).await).await
    }

    async fn again_on(&self, database: String) -> Self {
        self.again(database, None).await
    }

    async fn again(&self, database: String, public_url: Option<String>) -> Self {
        self.again_with(database, public_url, self.app.clock.clone()).await
    }

    fn copied_keys(&self) -> TempDir {
        let keys = tempfile::tempdir().expect("a folder for the keys");
        for entry in std::fs::read_dir(self.keys.path()).expect("keys") {
            let path = entry.expect("a key").path();
            std::fs::copy(&path, keys.path().join(path.file_name().expect("a name"))).expect("a copy");
        }
        keys
    }

    async fn again_with(&self, database: String, public_url: Option<String>, clock: Clock) -> Self {
        let keys = self.copied_keys();
        let address = cluster::address(&database);
        let more = More { limits: AccountLimits::generous(), beacon: None, archive: None };
        Self::under(public_url, address, database, keys, clock, more).await
    }

    /// As [`twin`](Self::twin), with an archive of finished games.
    pub async fn archiving(&self, place: &str, access: Access) -> Self {
        let archive = Archive::open(&place.parse().expect("a place"), access).expect("an archive");
        let more = More { limits: AccountLimits::generous(), beacon: None, archive: Some(Arc::new(archive)) };
        let (url, database) = (self.url.clone(), self.database.clone());
        let (address, clock) = (cluster::address(&database), self.app.clock.clone());
        Self::under(Some(url), address, database, self.copied_keys(), clock, more).await
    }

    /// Replaces the masters of all games in the database. Past draws stay as they are; future draws change.
    pub async fn db_exchange_masters(&self) {
        let mut connection = self.app.database.get().await.expect("a connection");
        let ids: Vec<uuid::Uuid> =
            schema::games::table.select(schema::games::id).load(&mut connection).await.expect("the games");
        for id in ids {
            let master = pippost::keys::random_bytes::<32>().expect("random bytes");
            let sealed = self.app.secret.seal(id, &master);
            let update =
                diesel::update(schema::games::table.find(id)).set(schema::games::master_sealed.eq(sealed));
            assert_eq!(update.execute(&mut connection).await.expect("an update"), 1);
        }
    }

    async fn on(
        database: String,
        keys: TempDir,
        clock: Clock,
        account_limits: AccountLimits,
        beacon: Option<Drand>,
    ) -> Self {
        let address = cluster::address(&database);
        Self::at(address, database, keys, clock, account_limits, beacon).await
    }

    /// A server that connects to its database by that address.
    pub async fn by(address: Address, database: String) -> Self {
        let keys = tempfile::tempdir().expect("a folder for the keys");
        let clock = Clock::standing_at(START);
        Self::at(address, database, keys, clock, AccountLimits::generous(), None).await
    }

    async fn at(
        address: Address,
        database: String,
        keys: TempDir,
        clock: Clock,
        account_limits: AccountLimits,
        beacon: Option<Drand>,
    ) -> Self {
        let more = More { limits: account_limits, beacon, archive: None };
        Self::under(None, address, database, keys, clock, more).await
    }

    async fn under(
        public_url: Option<String>,
        address: Address,
        database: String,
        keys: TempDir,
        clock: Clock,
        more: More,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let parts = Parts {
            address: Arc::new(address),
            replica: None,
            archive: more.archive,
            connections: 8,
            tuning: Tuning { cache_bytes: 16 << 20, writers: 1 },
            clock,
            secret: Arc::new(SecretKey::in_folder(keys.path()).expect("a secret key")),
            signing: Arc::new(SigningKeys::in_folder(keys.path()).expect("a signing key")),
            public_url: public_url.unwrap_or_else(|| url.clone()),
            account_limits: more.limits,
            beacon: more.beacon.map(Arc::new),
        };
        let app = App::build(parts).await.expect("a server");
        let reply_address = Some(REPLY_ADDRESS.parse().expect("an address"));
        let app = app.with_replies(
            reply_address,
            SharedSecret::new(INBOUND_SECRET),
            AuthenticationPolicy::default(),
        );
        let app = app.with_sandbox("pippost <pippost@example.org>").expect("a sandbox, or none");
        let app = App { metrics_token: SharedSecret::new(METRICS_TOKEN), ..app };
        let server = pippost::http::serve(&app, vec![listener.into()], 1).expect("a server");
        let handle = server.handle();
        tokio::spawn(server);
        Self { app, url, keys, database, handle }
    }

    /// A server whose webhooks and web push are sent so.
    pub async fn with_sender(sender: Sender) -> Self {
        Self::start().await.sending_by(sender)
    }

    /// The same server at another address, whose webhooks and web push are sent so.
    pub fn sending_by(self, sender: Sender) -> Self {
        let app = self.app.clone().with_sender(&sender);
        let app = app.with_sandbox("pippost <pippost@example.org>").expect("a sandbox, or none");
        self.serving(app)
    }

    /// The same server with a house bot, and a client of the bot's account. Nobody moves for it.
    pub async fn with_house_bot(self) -> (Self, Client) {
        let body = serde_json::json!({"handle": HOUSE_BOT, "email": "bot@example.org", "password": PASSWORD, "bot": true});
        let registered = self.stranger().post("/api/v1/accounts", &body).await.expect_status(201).json();
        let token = registered["access_token"].as_str().expect("a token").to_owned();
        let house_bot = Handle::parse(HOUSE_BOT).ok();
        let app = App { house_bot, ..self.app.clone() };
        let app = self.serving(app);
        let bot = Client::new(&app.url, Some(token));
        (app, bot)
    }

    /// Serves `app` at another address.
    pub fn serving(mut self, app: App) -> Self {
        self.app = app;
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        self.url = format!("http://{}", listener.local_addr().expect("an address"));
        let server = pippost::http::serve(&self.app, vec![listener.into()], 1).expect("a server");
        drop(std::mem::replace(&mut self.handle, server.handle()).stop(false));
        tokio::spawn(server);
        self
    }

    /// The name of its database.
    pub fn database_name(&self) -> &str {
        &self.database
    }

    /// The address of its database.
    pub fn address(&self) -> Address {
        cluster::address(&self.database)
    }

    /// A direct connection to the database, as the superuser.
    pub async fn db_superuser(&self) -> diesel_async::AsyncPgConnection {
        let address = cluster::superuser_address(&self.database);
        pippost::store::database::open(&address).await.expect("a superuser's connection")
    }

    /// The `number` that a query answers.
    pub async fn db_count(&self, query: &str) -> i64 {
        use diesel_async::RunQueryDsl;

        #[derive(diesel::QueryableByName)]
        struct Counted {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            number: i64,
        }
        let counted: Counted =
            diesel::sql_query(query).get_result(&mut self.db_superuser().await).await.expect("a number");
        counted.number
    }

    /// A client without an account.
    pub fn stranger(&self) -> Client {
        Client::new(&self.url, None)
    }

    /// The metrics for Prometheus.
    pub async fn metrics(&self) -> String {
        let operator = Client::new(&self.url, Some(METRICS_TOKEN.to_owned()));
        operator.get("/metrics").await.expect_status(200).text()
    }

    /// A player who has registered and confirmed the address `<handle>@example.org`.
    pub async fn player(&self, handle: &str) -> Client {
        let client = self.unconfirmed_player(handle).await;
        self.db_confirm(handle).await;
        client
    }

    /// A player who has registered and not confirmed the address.
    pub async fn unconfirmed_player(&self, handle: &str) -> Client {
        let body = serde_json::json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
        let answer = self.stranger().post("/api/v1/accounts", &body).await;
        answer.expect_status(201);
        let token = answer.json()["access_token"].as_str().expect("a token").to_owned();
        Client::new(&self.url, Some(token))
    }

    /// The same player with a new session, as after a long absence.
    pub async fn log_in(&self, handle: &str) -> Client {
        let body = serde_json::json!({"login": handle, "password": PASSWORD});
        let answer = self.stranger().post("/api/v1/sessions", &body).await;
        let answer = answer.expect_status(201).json();
        Client::new(&self.url, Some(answer["access_token"].as_str().expect("a token").to_owned()))
    }

    pub async fn db_confirm(&self, handle: &str) {
        let mut connection = self.app.database.get().await.expect("a connection");
        let now = self.app.clock.now();
        let confirmed = diesel::update(players::table.filter(players::handle.eq(handle)))
            .set(players::email_confirmed_at.eq(now))
            .execute(&mut connection)
            .await;
        assert_eq!(confirmed.expect("an update"), 1);
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        // The server ends with the test, which does not wait for the answer.
        drop(self.handle.stop(false));
    }
}
