//! A real PgBouncer in transaction mode in front of the test's own PostgreSQL, with two server processes behind it. Needs
//! PgBouncer 1.21 or newer, so it is not part of a plain `cargo test`; `./test` runs it where possible (see docs/TESTING.md).
//! `PGBOUNCER` names the program.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pippost::record::verify;
use pippost::store::embedded::{APP_DATABASE, APP_ROLE, Embedded, EmbeddedSettings};
use pippost::store::{Address, database};
use serde_json::{Value, json};
use support::client::Client;
use support::feed::{FeedReader, NDJSON};
use support::port::free_port;
use support::program::program;
use support::sample::Sampler;
use tempfile::TempDir;

/// The number of database connections that the pooler may use: fewer than each server's connections to the pooler.
const LENT: u16 = 4;

const GAMES_AT_ONCE: u64 = 12;

/// The program that `PGBOUNCER` names, in a place where another user may run it: its own folder may be closed to that user.
fn program_in(folder: &Path) -> PathBuf {
    let Some(named) = std::env::var_os("PGBOUNCER") else { return "pgbouncer".into() };
    let copy = folder.join("pgbouncer");
    // By a program of its own: a child that another test starts meanwhile would inherit the open copy, which then cannot be run.
    let copied = Command::new("cp").arg(named).arg(&copy).status().expect("cp");
    assert!(copied.success(), "the program that PGBOUNCER names");
    copy
}

/// A PostgreSQL and a PgBouncer in front of it, stopped on drop.
struct Pooled {
    pooler: Child,
    port: u16,
    embedded: Embedded,
    folder: TempDir,
}

impl Pooled {
    fn start(pooler_settings: &str) -> Self {
        // Short, because a socket's path must be; and open to the database's user.
        let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("an open folder");
        let programs_dir = std::env::var_os("PG_BINDIR").map(Into::into);
        let settings =
            EmbeddedSettings { programs_dir, ..EmbeddedSettings::in_folder(folder.path().join("data")) };
        let embedded = Embedded::start(&settings).expect("PostgreSQL");
        let (port, sockets) = (free_port(), embedded.socket_dir());
        let config = folder.path().join("pgbouncer.ini");
        let text = format!(
            "[databases]\npippost = host={} port=5432 dbname={APP_DATABASE} user={APP_ROLE}\n[pgbouncer]\n\
             listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
             default_pool_size = {LENT}\nmax_client_conn = 100\n{pooler_settings}",
            sockets.display()
        );
        fs::write(&config, text).expect("a configuration");
        let program = program_in(folder.path());
        // Runs as the user who may enter the folder of the sockets; it refuses to run as root anyway.
        let owner = fs::metadata(sockets).expect("a folder");
        let mut command = Command::new(program);
        command.arg("-q").arg(&config).uid(owner.uid()).gid(owner.gid()).stdin(Stdio::null());
        let pooler = command.spawn().expect("PgBouncer runs");
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "PgBouncer does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        Self { pooler, port, embedded, folder }
    }

    /// The address of the database through the pooler.
    fn url(&self) -> String {
        format!("postgres://anybody@127.0.0.1:{}/pippost?sslmode=disable", self.port)
    }

    /// A command of the program on the database through the pooler; each name has its own data folder, and all share the keys.
    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        program(self.folder.path(), name, &self.url(), arguments)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command("command", arguments).output().expect("the program")
    }

    /// A direct connection, without the pooler.
    async fn direct(&self) -> AsyncPgConnection {
        let address =
            Address::parse(&self.embedded.url_for(APP_ROLE, APP_DATABASE), None).expect("an address");
        database::open(&address).await.expect("a connection")
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let _ = self.pooler.kill();
        let _ = self.pooler.wait();
    }
}

/// A running `pippost serve`.
struct Server {
    url: String,
    child: Child,
    warnings: Receiver<String>,
}

impl Server {
    /// Starts a server with these additional settings.
    fn start(pooled: &Pooled, name: &str, more: &[(&str, String)]) -> Self {
        let address = format!("127.0.0.1:{}", free_port());
        let mut command = pooled.command(name, &["serve", "--listen", &address, "--log", "warn"]);
        command.envs(more.iter().map(|(name, value)| (name, value)));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        let (warn, warnings) = mpsc::channel();
        let log = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        // Reads until the end, so that the server never blocks on a full pipe.
        std::thread::spawn(move || {
            for line in log.map_while(Result::ok) {
                println!("{line}");
                let _ = warn.send(line);
            }
        });
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "pippost is ready.");
        std::thread::spawn(move || lines.count());
        Self { url: format!("http://{address}"), child, warnings }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.child.id()).expect("a pid"));
        let _ended = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM);
        let _ended = self.child.wait();
    }
}

async fn register(server: &Server, handle: &str) -> Client {
    let stranger = Client::new(&server.url, None);
    let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": "correct horse battery"});
    let answer = stranger.post("/api/v1/accounts", &body).await;
    let token = answer.expect_status(201).json()["access_token"].as_str().expect("a token").to_owned();
    Client::new(&server.url, Some(token))
}

/// Plays one game of Pip•Pip to its end, with servers alternating from move to move; returns its path.
async fn play(players: [Client; 2], servers: [String; 2], seed: u64) -> String {
    let created = players[0].post("/api/v1/games", &json!({"rules": "pip-pip", "seating": "joined"})).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    let mut view = players[1].at(&servers[1]).post(&format!("{game}/join"), &json!({})).await.ok();
    let mut sampler = Sampler::new(seed);
    while let Some(seat) = view["to_act"].as_u64() {
        let seq = view["seq"].as_u64().expect("a number");
        let turn = usize::try_from(seq).expect("small numbers") % 2;
        let player = &players[usize::try_from(seat).expect("a seat")];
        // The other server knows the answered move.
        let legal = player.at(&servers[1 - turn]).get(&format!("{game}/actions")).await.ok();
        assert_eq!(legal["seq"], seq, "{legal}");
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        let body = json!({"actions": [action], "expected_seq": seq}).to_string();
        let headers = [("Idempotency-Key", format!("{game}{seq}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let player = player.at(&servers[turn]);
        let path = format!("{game}/moves");
        let moved = player.send(reqwest::Method::POST, &path, Some(body), &headers).await.ok();
        view = moved["game"].clone();
    }
    game
}

/// Reads so many events of a player's games: each once, those of a game in order. How many each game has.
async fn feed_of_all_games(mut feed: FeedReader, events: i64) -> HashMap<String, u64> {
    let mut next: HashMap<String, u64> = HashMap::new();
    for _ in 0..events {
        let (_, line) = feed.line().await;
        let (game, seq) = line["id"].as_str().and_then(|id| id.split_once(':')).expect("an event's id");
        let expected = next.entry(game.to_owned()).or_default();
        assert_eq!(seq, expected.to_string(), "{line}");
        *expected += 1;
    }
    next
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    count: i64,
}

async fn count(connection: &mut AsyncPgConnection, of: &str) -> i64 {
    let counted: Count = diesel::sql_query(format!("select count(*) from {of}"))
        .get_result(connection)
        .await
        .expect("a number");
    counted.count
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_play_whole_games_over_connections_that_are_lent_by_the_transaction() {
    let pooled = tokio::task::spawn_blocking(|| {
        Pooled::start("pool_mode = transaction\nmax_prepared_statements = 200\n")
    });
    let pooled = pooled.await.expect("a pooler");
    // The first server creates the tables through the pooler.
    let past_the_pooler = [("PIPPOST_LISTEN_URL", pooled.embedded.url_for(APP_ROLE, APP_DATABASE))];
    let servers = [Server::start(&pooled, "first", &past_the_pooler), Server::start(&pooled, "second", &[])];
    let urls = servers.each_ref().map(|server| server.url.clone());
    let players = [register(&servers[0], "ann").await, register(&servers[1], "bob").await];
    // One server is told of news past the pooler, the other looks by itself.
    let feeds = urls.each_ref().map(|url| {
        let ann = players[0].at(url);
        tokio::spawn(async move { FeedReader::open(&ann, "/api/v1/me/feed", NDJSON, None).await })
    });
    let playing = (0..GAMES_AT_ONCE).map(|seed| tokio::spawn(play(players.clone(), urls.clone(), seed)));
    let games = futures_util::future::join_all(playing).await;
    let mut direct = pooled.direct().await;
    let (mut events, mut lengths) = (0, Vec::new());
    for game in games {
        let game = game.expect("a game that ends");
        for url in &urls {
            let record = Client::new(url, None).unchecked().get(&format!("{game}/record")).await;
            let verdict = verify(&record.body).unwrap_or_else(|failure| panic!("{game}: {failure}"));
            assert!(verdict.proved);
            let asked = (reqwest::Method::POST, "/api/v1/verify");
            let text = [("Content-Type", "application/x-ndjson")];
            let said = Client::new(url, None)
                .unchecked()
                .send_bytes(asked.0, asked.1, Some(record.body.clone()), &text)
                .await;
            assert_eq!((&said.ok()["verdict"], &said.ok()["proved"]), (&json!("accepted"), &json!(true)));
            lengths.push(record.text().lines().count());
        }
        events += players[0].get(&game).await.ok()["seq"].as_i64().expect("a number") + 1;
    }
    for feed in feeds {
        let told = feed_of_all_games(feed.await.expect("a feed"), events).await;
        assert_eq!(told.len(), usize::try_from(GAMES_AT_ONCE).expect("few"));
    }
    assert!(lengths.iter().all(|length| *length > 3));
    assert_eq!(count(&mut direct, "events").await, events);

    for list in ["finished", "mine", "open", "my_turn"] {
        for url in &urls {
            let listed: Value = players[0].at(url).get(&format!("/api/v1/games?list={list}")).await.ok();
            assert!(listed["games"].is_array(), "{listed}");
        }
    }
    let archive = players[1].get("/api/v1/me/records.zip").await;
    assert!(archive.expect_status(200).body.starts_with(b"PK"));

    let audit = pooled.run(&["audit"]);
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));

    let listening = "pg_stat_activity where query = 'listen pippost_notices'";
    assert_eq!(count(&mut direct, listening).await, 1, "the one that was told how");
    let warning = servers[1].warnings.recv_timeout(Duration::from_secs(20)).expect("a warning");
    assert!(warning.contains("PIPPOST_LISTEN_URL"), "{warning}");
    assert!(servers[1].warnings.try_recv().is_err(), "it gives up");
    assert!(servers[0].warnings.try_recv().is_err());
    let lent = format!(
        "pg_stat_activity where usename = '{APP_ROLE}' and pid <> pg_backend_pid() and query <> 'listen pippost_notices'"
    );
    let lent = count(&mut direct, &lent).await;
    assert!((1..=i64::from(LENT)).contains(&lent), "{lent} connections for two servers of sixteen each");
    assert_eq!(count(&mut direct, "pg_locks where locktype = 'advisory'").await, 0, "no lock stays behind");
}

#[test]
fn a_pooler_that_leaves_prepared_statements_behind_is_refused_at_the_start() {
    let pooled = Pooled::start("pool_mode = transaction\nmax_prepared_statements = 0\n");
    for command in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let refused = pooled.run(command);
        assert_eq!(refused.status.code(), Some(1));
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("mixes up prepared statements") && said.contains("1.21"), "{said}");
    }
}

#[test]
fn a_pooler_that_lends_by_the_session_is_as_good_as_none() {
    let pooled = Pooled::start("pool_mode = session\nmax_prepared_statements = 0\n");
    let migrated = pooled.run(&["migrate"]);
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
}
