//! The server's own PostgreSQL dies alone: it is started again, the server reports it, and no acknowledged move is lost.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use nix::sys::signal::{Signal, kill};
use serde_json::json;

use super::players::{Match, Players, Tried};
use super::{SHUTDOWN_BOUND, blocking, programs_dir, until};
use support::process::Server;
use support::{Client, METRICS_TOKEN};

/// The value of a metric in `/metrics`.
async fn number(client: &Client, name: &str) -> Option<u64> {
    let mut collector = client.clone();
    collector.token = Some(METRICS_TOKEN.to_owned());
    let text = collector.get("/metrics").await.text();
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

async fn is_ready(client: &Client) -> bool {
    client.get("/readyz").await.status == 200
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_that_is_killed_is_started_again_and_nothing_that_was_answered_is_lost() {
    let mut server = blocking(Server::start).await;
    let stranger = Client::new(&server.url(), None);
    assert_eq!(number(&stranger, "pippost_embedded_database_up").await, Some(1));
    let players = Players::begin(&server, 3).await;
    for round in 1..=3 {
        players.goes_on(20).await;
        kill(server.postmaster(), Signal::SIGKILL).expect("PostgreSQL runs");
        until("the next PostgreSQL", async || {
            number(&stranger, "pippost_embedded_database_restarts_total").await == Some(round)
        })
        .await;
        until("readiness", async || is_ready(&stranger).await).await;
    }
    players.goes_on(20).await;
    for mut played in players.end().await {
        assert!(played.look().await.is_some());
        played.check_record().await;
    }
    let audit = server.command(&["audit"]).output().expect("an exit");
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
    blocking(move || server.stop()).await;
}

/// A server whose PostgreSQL can be made impossible to start.
struct StoppablePostgres {
    server: Server,
    program: PathBuf,
    real: PathBuf,
}

impl StoppablePostgres {
    fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("an open folder");
        let programs = folder.keep();
        let real = programs_dir();
        for name in ["postgres", "initdb"] {
            symlink(real.join(name), programs.join(name)).expect("a link");
        }
        let server = Server::start_with(&["--pg-bindir", programs.to_str().expect("text")]);
        Self { server, program: programs.join("postgres"), real: real.join("postgres") }
    }

    /// Kills PostgreSQL, which cannot be started again then.
    fn kill_for_good(&self) {
        fs::remove_file(&self.program).expect("a link");
        kill(self.server.postmaster(), Signal::SIGKILL).expect("PostgreSQL runs");
    }

    fn mend(&self) {
        symlink(&self.real, &self.program).expect("a link");
    }
}

impl Drop for StoppablePostgres {
    fn drop(&mut self) {
        // The system also cleans /var/tmp.
        let _ = fs::remove_dir_all(self.program.parent().expect("a folder"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_postgresql_cannot_be_started_the_server_says_so_and_it_goes_on_once_that_is_mended() {
    let mut hampered = blocking(StoppablePostgres::start).await;
    let stranger = Client::new(&hampered.server.url(), None);
    let mut playing = Match::begin(&hampered.server, "match").await;
    assert!(matches!(playing.try_move().await, Tried::Moved));
    hampered.kill_for_good();

    until("tries", async || {
        let answer = stranger.get("/readyz").await;
        answer.status == 503 && answer.problem(503, "unavailable")["detail"].to_string().contains("(3 tries")
    })
    .await;
    assert_eq!(stranger.get("/readyz").await.headers["retry-after"], "1");
    stranger.get("/healthz").await.expect_status(200);
    assert_eq!(number(&stranger, "pippost_embedded_database_up").await, Some(0));
    let refused = playing.players[0].post(&format!("{}/resign", playing.game), &json!({})).await;
    refused.problem(503, "unavailable");
    assert_eq!(refused.headers["retry-after"], "1");

    hampered.mend();
    until("readiness", async || is_ready(&stranger).await).await;
    assert_eq!(number(&stranger, "pippost_embedded_database_up").await, Some(1));
    for _ in 0..10 {
        assert!(matches!(playing.try_move().await, Tried::Moved));
    }
    playing.check_record().await;
    blocking(move || hampered.server.stop()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_postgresql_cannot_be_started_ends_when_it_is_told_to() {
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let mut hampered = blocking(StoppablePostgres::start).await;
        hampered.kill_for_good();
        let stranger = Client::new(&hampered.server.url(), None);
        until("the end of PostgreSQL", async || !is_ready(&stranger).await).await;
        hampered.server.signal(signal);
        let exit = blocking(move || hampered.server.ended_within(SHUTDOWN_BOUND)).await;
        assert!(exit.success(), "{signal}: {exit}");
    }
}
