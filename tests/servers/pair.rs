//! A PostgreSQL and its streaming replica, which may be its standby.

use std::io::Write;
use std::path::Path;
use std::process::Child;
use std::sync::Arc;

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use pippost::store::{Address, database};
use tempfile::TempDir;

use crate::external_database::{Programs, assert_success, give, owner, programs_folder, run_postgres};
use support::waiting::until;

/// Ports that are only part of the socket files' names.
pub const PRIMARY: u16 = 5001;
pub const REPLICA: u16 = 5002;

/// The name under which the replica streams.
const STANDBY: &str = "walreceiver";

/// A PostgreSQL and its streaming replica, stopped on drop.
pub struct Pair {
    primary: Child,
    replica: Child,
    folder: TempDir,
}

impl Pair {
    /// A primary that does not wait for its replica.
    pub fn start() -> Self {
        Self::with("")
    }

    /// A primary that acknowledges what its replica has, too.
    pub fn synchronous() -> Self {
        Self::with(&format!("synchronous_standby_names = '{STANDBY}'\n"))
    }

    /// Both with further lines of the configuration, which the replica copies as it copies all.
    fn with(configuration: &str) -> Self {
        let folder =
            tempfile::Builder::new().prefix("pippost-pair").tempdir_in("/var/tmp").expect("a folder");
        let owner = owner();
        give(folder.path(), owner.as_ref());
        let programs = Programs { folder: programs_folder(), owner, work: folder.path().to_owned() };
        let mut make = programs.command("initdb");
        make.args([
            "-D",
            "primary",
            "-U",
            "app",
            "--auth=trust",
            "--no-sync",
            "--locale=C",
            "--encoding=UTF8",
        ]);
        assert_success(&make.output().expect("initdb runs"));
        let own =
            std::fs::OpenOptions::new().append(true).open(folder.path().join("primary/postgresql.auto.conf"));
        own.and_then(|mut own| own.write_all(configuration.as_bytes())).expect("the configuration");
        let sockets = format!("unix_socket_directories={}", folder.path().display());
        let settings = ["listen_addresses=", sockets.as_str()];
        let primary = run_postgres(&programs, "primary", PRIMARY, &settings);
        let mut copy = programs.command("pg_basebackup");
        copy.args(["-D", "replica", "-R", "-X", "stream", "-c", "fast", "--no-sync", "-U", "app"]);
        copy.arg("-h").arg(folder.path()).args(["-p", &PRIMARY.to_string()]);
        assert_success(&copy.output().expect("pg_basebackup runs"));
        let replica = run_postgres(&programs, "replica", REPLICA, &settings);
        Self { primary, replica, folder }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The address of the primary, or of the replica, for the program.
    pub fn url(&self, port: u16) -> String {
        format!("host='{}' port={port} user=app dbname=postgres", self.folder().display())
    }

    /// The address of whichever takes writes.
    pub fn url_of_both(&self) -> String {
        let folder = self.folder().display();
        format!(
            "host={folder},{folder} port={PRIMARY},{REPLICA} user=app dbname=postgres target_session_attrs=read-write"
        )
    }

    pub async fn connection(&self, port: u16) -> AsyncPgConnection {
        database::open(&address(self.folder(), port)).await.expect("a connection")
    }

    /// Asks the primary, or the replica.
    pub async fn db_ask(&self, port: u16, question: &str) -> String {
        db_text(&mut self.connection(port).await, question).await
    }

    /// Repeats a query until the replica answers as wanted.
    pub async fn db_until(&self, question: &str, wanted: &str) {
        let mut replica = self.connection(REPLICA).await;
        until(question, async || db_text(&mut replica, question).await == wanted).await;
    }

    /// Waits until the replica has everything that the primary has now.
    pub async fn db_follow(&self) {
        let newest = self.db_ask(PRIMARY, "select pg_current_wal_lsn()::text as text").await;
        let question = format!("select (pg_last_wal_replay_lsn() >= '{newest}')::text as text");
        self.db_until(&question, "true").await;
    }

    /// Makes the replica lag from now on.
    pub async fn db_pause(&self) {
        self.db_ask(REPLICA, "select pg_wal_replay_pause()::text as text").await;
        self.db_until("select pg_get_wal_replay_pause_state() as text", "paused").await;
    }

    pub async fn db_resume(&self) {
        self.db_ask(REPLICA, "select pg_wal_replay_resume()::text as text").await;
    }

    /// From now on the replica receives nothing, as behind a cut wire. What it only has not replayed, a promotion would replay.
    pub async fn db_cut(&self) {
        let question = "select count(*)::text as text from pg_stat_wal_receiver";
        self.db_set(REPLICA, "primary_conninfo", "").await;
        self.db_until(question, "0").await;
    }

    /// Whether the primary waits for the replica.
    pub async fn db_standby_is(&self, wanted: &str) {
        let question = "select coalesce(max(sync_state), 'none') as text from pg_stat_replication";
        until("the standby", async || self.db_ask(PRIMARY, question).await == wanted).await;
    }

    /// Changes a setting of the configuration.
    pub async fn db_set(&self, port: u16, name: &str, value: &str) {
        use diesel_async::SimpleAsyncConnection;
        let mut connection = self.connection(port).await;
        // Each in a message of its own: the first cannot run in a transaction.
        for statement in
            [format!("alter system set {name} = '{value}'"), "select pg_reload_conf()".to_owned()]
        {
            connection.batch_execute(&statement).await.expect("a setting");
        }
    }

    /// Makes the replica the primary.
    pub async fn db_promote(&self) {
        let promoted = self.db_ask(REPLICA, "select pg_promote()::text as text").await;
        assert_eq!(promoted, "true");
    }

    /// Ends the primary as the loss of its machine does: all its processes at once, none of which answers anybody any more.
    pub async fn lose_primary(&mut self) {
        let main = i32::try_from(self.primary.id()).expect("a process number");
        // Stopped, it starts no further process.
        kill(Pid::from_raw(main), Signal::SIGSTOP).expect("it runs");
        let children = children_of(main);
        assert!(!children.is_empty(), "PostgreSQL has processes");
        for child in &children {
            // One may have ended by itself.
            let _gone = kill(Pid::from_raw(*child), Signal::SIGKILL);
        }
        self.primary.kill().expect("it runs");
        self.primary.wait().expect("an exit");
        let lives = |child: &i32| {
            let status = std::fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
            status.contains("Name:\tpostgres") && !status.contains("State:\tZ")
        };
        until("the end of the primary", async || !children.iter().any(lives)).await;
    }
}

/// The processes that this one has started and that run.
fn children_of(parent: i32) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_child = |number: &i32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{parent}"))
    };
    numbers.filter(is_child).collect()
}

impl Drop for Pair {
    fn drop(&mut self) {
        for postgres in [&mut self.replica, &mut self.primary] {
            // The number of one that has ended may be another's by now.
            if !matches!(postgres.try_wait(), Ok(None)) {
                continue;
            }
            // Immediately, without a checkpoint; PostgreSQL ends its own processes first.
            if let Ok(id) = i32::try_from(postgres.id()) {
                let _ = kill(Pid::from_raw(id), Signal::SIGQUIT);
            }
            let _ = postgres.wait();
        }
    }
}

pub fn address(folder: &Path, port: u16) -> Arc<Address> {
    let text = format!("host='{}' port={port} user=app dbname=postgres", folder.display());
    Arc::new(Address::parse(&text, None).expect("an address"))
}

async fn db_text(connection: &mut AsyncPgConnection, question: &str) -> String {
    #[derive(QueryableByName)]
    struct Answer {
        #[diesel(sql_type = Text)]
        text: String,
    }
    let answer: Answer = diesel::sql_query(question).get_result(connection).await.expect("an answer");
    answer.text
}
