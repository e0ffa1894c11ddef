//! Workers that are separate processes, one of which is killed at the worst moment.

use std::collections::HashSet;
use std::process::Child;
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use pippost::notices::outbox::LEASE;
use pippost::store::embedded::EmbeddedSettings;
use pippost::store::schema::notices;
use pippost::store::{Address, database};
use serde_json::json;

use super::read;
use support::process::Server;
use support::smtp_sink::{Received, SmtpSink, Treatment};
use support::{Client, PASSWORD};

/// How long to wait for an expected event.
const TIMEOUT: Duration = Duration::from_mins(3);

/// A `pippost work` beside the server.
struct Worker(Child);

impl Worker {
    fn start(server: &Server, sink: &SmtpSink, connections: u16) -> Self {
        let connections = connections.to_string();
        let mut command = server.command(&["work", "--log", "warn", "--smtp-connections", &connections]);
        Self(command.args(["--smtp-url", &sink.url()]).spawn().expect("a worker"))
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.0.id()).expect("a pid"))
    }

    /// Kills the process, as in a crash.
    fn kill(mut self) {
        self.0.kill().expect("a running worker");
        self.0.wait().expect("an exit");
    }

    /// Asks the process to stop and waits for its end.
    fn stop(mut self) {
        kill(self.pid(), Signal::SIGTERM).expect("a running worker");
        let exit = self.0.wait().expect("an exit");
        assert!(exit.success(), "{exit}");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Needed after a failed test.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Each registration writes one notice.
async fn register(server: &Server, names: &[&str]) {
    for name in names {
        let account = json!({"handle": name, "email": format!("{name}@example.org"), "password": PASSWORD});
        Client::new(&server.url(), None).post("/api/v1/accounts", &account).await.expect_status(201);
    }
}

async fn db_open(server: &Server) -> AsyncPgConnection {
    let programs_dir = std::env::var_os("PG_BINDIR").map(Into::into);
    let data_dir = server.folder.path().join("data");
    let embedded = EmbeddedSettings { programs_dir, ..EmbeddedSettings::in_folder(data_dir) };
    let address = Address::parse(&embedded.url_of_running().expect("a database"), None).expect("an address");
    database::open(&address).await.expect("a connection")
}

/// Waits until that many workers listen for outbox signals.
async fn db_listening(connection: &mut AsyncPgConnection, count: i64) {
    #[derive(QueryableByName)]
    struct Listening {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let asked = "select count(*) from pg_stat_activity where query like 'listen %'";
    while diesel::sql_query(asked).get_result::<Listening>(connection).await.expect("a count").count < count {
        tokio::task::yield_now().await;
    }
}

/// State and attempts of every notice.
async fn db_fates(connection: &mut AsyncPgConnection) -> Vec<(String, i16)> {
    let fates = notices::table.order(notices::id).select((notices::state, notices::attempts));
    fates.load(connection).await.expect("notices")
}

fn message_ids(mails: &[Received]) -> Vec<String> {
    let id = |mail: &Received| read(mail.data.as_bytes()).message_id().expect("a Message-ID").to_owned();
    mails.iter().map(id).collect()
}

async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(TIMEOUT, what).await.expect("in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn two_living_workers_send_nothing_twice_and_what_a_killed_one_sent_is_repeated_under_its_message_id() {
    let start = || Server::start_with(&["--no-worker"]);
    let mut server = tokio::task::spawn_blocking(start).await.expect("a server");
    let mut connection = db_open(&server).await;

    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let workers = [Worker::start(&server, &sink, 4), Worker::start(&server, &sink, 4)];
    in_time(db_listening(&mut connection, 2)).await;
    register(&server, &["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"]).await;
    in_time(sink.wait_for(8)).await;
    // Each worker finishes its current work, so everything that it would send is sent now.
    workers.into_iter().for_each(Worker::stop);
    let ids = message_ids(&sink.received());
    assert_eq!((ids.len(), ids.iter().collect::<HashSet<_>>().len()), (8, 8));
    assert!(db_fates(&mut connection).await.iter().all(|fate| *fate == ("sent".to_owned(), 1)));

    // It has one connection, so nothing else is in flight when the first mail has come and waits for its answer.
    let holding = SmtpSink::start(|_| Treatment::Hold).await;
    let doomed = Worker::start(&server, &holding, 1);
    register(&server, &["ida", "joe", "kim"]).await;
    in_time(holding.holding()).await;
    doomed.kill();
    holding.let_go().await;
    let before = message_ids(&holding.received());
    assert_eq!(before.len(), 1);

    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let leased = notices::table.filter(notices::state.eq("waiting")).filter(notices::attempts.eq(1));
    let leased: Vec<time::OffsetDateTime> =
        leased.select(notices::next_attempt_at).load(&mut connection).await.expect("notices");
    let now = time::OffsetDateTime::now_utc();
    assert!(!leased.is_empty() && leased.iter().all(|until| *until > now), "nobody else may take them yet");
    let out = diesel::update(notices::table.filter(notices::state.eq("waiting")))
        .set(notices::next_attempt_at.eq(now - LEASE))
        .execute(&mut connection)
        .await;
    assert_eq!(out.expect("leases that have run out"), 3);
    let successor = Worker::start(&server, &sink, 4);
    in_time(sink.wait_for(3)).await;
    successor.stop();
    let after = message_ids(&sink.received());
    assert_eq!((after.len(), after.iter().collect::<HashSet<_>>().len()), (3, 3));
    assert_eq!(after.iter().filter(|id| before.contains(id)).count(), 1, "{before:?} {after:?}");
    let fates = db_fates(&mut connection).await;
    assert!(fates.len() == 11 && fates.iter().all(|(state, _)| state == "sent"), "{fates:?}");
    drop(connection);
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}
