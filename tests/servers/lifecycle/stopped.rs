//! When the program is told to stop, in any state, it ends in time and finishes what it can.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::Instant;

use diesel_async::SimpleAsyncConnection;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use pippost::store::embedded::EmbeddedSettings;
use pippost::store::{Address, database};
use serde_json::json;

use super::players::Match;
use super::{SHUTDOWN_BOUND, TIMEOUT, blocking, until};
use support::Client;
use support::process::{Server, command_in, ended_within};
use support::smtp_sink::{SmtpSink, Treatment};

async fn ends_in_time(mut server: Server, signal: Signal) {
    server.signal(signal);
    let exit = blocking(move || server.ended_within(SHUTDOWN_BOUND)).await;
    assert!(exit.success(), "{signal}: {exit}");
}

#[test]
fn a_server_that_waits_for_an_earlier_postgresql_to_end_is_stopped() {
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
        let data = folder.path().join("data");
        std::fs::create_dir(&data).expect("a folder");
        // As processes of an earlier PostgreSQL would hold it.
        let lock = File::create(data.join("pg.lock")).expect("a file");
        lock.lock().expect("a lock");
        let mut command = command_in(&folder, &["serve", "--listen", "127.0.0.1:0", "--log", "warn"]);
        let mut server = command.stdout(Stdio::null()).spawn().expect("the program");
        let begun = Instant::now();
        while !data.join("server.lock").exists() {
            assert!(begun.elapsed() < TIMEOUT, "it does not start");
            std::thread::yield_now();
        }
        kill(Pid::from_raw(i32::try_from(server.id()).expect("a pid")), signal).expect("it runs");
        let exit = ended_within(&mut server, SHUTDOWN_BOUND);
        assert!(exit.success(), "{signal}: {exit}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_postgresql_waits_to_be_started_again_is_stopped() {
    let server = blocking(Server::start).await;
    let lock = File::open(server.data_dir().join("pg.lock")).expect("a file");
    kill(server.postmaster(), Signal::SIGKILL).expect("PostgreSQL runs");
    // Taken before the server takes it, so the server waits for what seem to be processes of the killed PostgreSQL.
    let locked = blocking(move || lock.lock().map(|()| lock)).await.expect("a lock");
    let stranger = Client::new(&server.url(), None);
    until("the end of PostgreSQL", async || stranger.get("/readyz").await.status == 503).await;
    ends_in_time(server, Signal::SIGTERM).await;
    drop(locked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_clients_that_stay_connected_is_stopped() {
    let server = blocking(Server::start).await;
    let mut idle = TcpStream::connect(&server.address).expect("a connection");
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n").expect("a request");
    let mut answer = [0; 12];
    idle.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    let mut slow = TcpStream::connect(&server.address).expect("a connection");
    slow.write_all(b"POST /api/v1/games HTTP/1.1\r\nhost: te").expect("half a request");
    let mut body = TcpStream::connect(&server.address).expect("a connection");
    let half = b"POST /api/v1/verify HTTP/1.1\r\nhost: test\r\ncontent-length: 1000\r\n\r\n{";
    body.write_all(half).expect("half a request");
    ends_in_time(server, Signal::SIGTERM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_mail_server_never_answers_is_stopped() {
    let sink = SmtpSink::start(|_| Treatment::Hold).await;
    let server = blocking({
        let url = sink.url();
        move || Server::start_with(&["--smtp-url", &url])
    })
    .await;
    server.register("ann").await;
    tokio::time::timeout(TIMEOUT, sink.holding()).await.expect("a mail");
    ends_in_time(server, Signal::SIGTERM).await;

    // A server that accepts the connection and sends nothing.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("smtp://{}", silent.local_addr().expect("an address"));
    let server = blocking(move || Server::start_with(&["--smtp-url", &url])).await;
    server.register("bob").await;
    let (_connection, _) = blocking(move || silent.accept()).await.expect("a connection");
    ends_in_time(server, Signal::SIGTERM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_mail_server_never_answers_is_stopped() {
    let sink = SmtpSink::start(|_| Treatment::Hold).await;
    let mut server = blocking(|| Server::start_with(&["--no-worker"])).await;
    let mut worker = server.command(&["work", "--log", "warn", "--smtp-url", &sink.url()]);
    let mut worker = worker.spawn().expect("the program");
    server.register("ann").await;
    tokio::time::timeout(TIMEOUT, sink.holding()).await.expect("a mail");
    kill(Pid::from_raw(i32::try_from(worker.id()).expect("a pid")), Signal::SIGTERM).expect("it runs");
    let exit = blocking(move || ended_within(&mut worker, SHUTDOWN_BOUND)).await;
    assert!(exit.success(), "{exit}");
    blocking(move || server.stop()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_postgresql_hangs_is_stopped() {
    let server = blocking(Server::start).await;
    let playing = Match::begin(&server, "match").await;
    kill(server.postmaster(), Signal::SIGSTOP).expect("PostgreSQL runs");
    let mut server = server;
    server.signal(Signal::SIGTERM);
    let exit = blocking(move || server.ended_within(SHUTDOWN_BOUND)).await;
    // PostgreSQL had to be killed; it recovers at the next start.
    assert_eq!(exit.code(), Some(1), "{exit}");
    drop(playing);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_in_flight_is_answered_before_the_server_ends() {
    let mut server = blocking(Server::start).await;
    let playing = Match::begin(&server, "match").await;
    let url = EmbeddedSettings::in_folder(server.data_dir()).url_of_running().expect("a database");
    let address = Address::parse(&url, None).expect("an address");
    let mut behind = database::open(&address).await.expect("a connection");
    // The move waits in the database until this is rolled back.
    behind.batch_execute("begin; select from game_states for update").await.expect("a lock");
    let (player, game) = (playing.players[0].clone(), playing.game.clone());
    let resigning = tokio::spawn(async move { player.post(&format!("{game}/resign"), &json!({})).await });
    let mut watching = database::open(&address).await.expect("a connection");
    until("the move", async || {
        let waits = "do $$ begin if not exists (select from pg_locks where not granted) then raise 'none'; end if; end $$";
        watching.batch_execute(waits).await.is_ok()
    })
    .await;
    drop(watching);
    server.signal(Signal::SIGTERM);
    let address = server.address.clone();
    until("a closed port", async || TcpStream::connect(&address).is_err()).await;
    behind.batch_execute("rollback").await.expect("the lock goes");
    drop(behind);
    let view = resigning.await.expect("an answer").ok();
    assert_eq!(view["game"]["status"], "finished", "{view}");
    let exit = blocking(move || server.ended_within(SHUTDOWN_BOUND)).await;
    assert!(exit.success(), "{exit}");
}
