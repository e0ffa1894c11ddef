//! The program itself, started as a user would start it, in a folder of its own.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tempfile::TempDir;

use super::{Client, METRICS_TOKEN, PASSWORD};
use crate::port::free_port;

/// The file in the server's folder that holds its log.
const LOG: &str = "server.log";

/// A running `pippost serve`.
pub struct Server {
    pub folder: TempDir,
    /// Host and port.
    pub address: String,
    child: Child,
}

impl Server {
    /// Starts the server in a new folder and waits until it reports that it is ready.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with additional arguments of `pippost serve`.
    pub fn start_with(arguments: &[&str]) -> Self {
        Self::start_bare(&[&["--metrics-token", METRICS_TOKEN], arguments].concat())
    }

    /// The same without the arguments that all other test servers have.
    pub fn start_bare(arguments: &[&str]) -> Self {
        // Short, because a socket's path must be; and open to the database's user.
        let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
        let address = format!("127.0.0.1:{}", free_port());
        let child = start_in(&folder, &address, arguments);
        Self { folder, address, child }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A server that logs to the file [`Server::log`], from the level `info` on.
    pub fn start_logging(arguments: &[&str]) -> Self {
        Self::start_with(&[&["--log", "info"], arguments].concat())
    }

    /// The log of a server that [`Server::start_logging`] started.
    pub fn log(&self) -> PathBuf {
        self.folder.path().join(LOG)
    }

    /// A new player with that handle.
    pub async fn register(&self, handle: &str) -> Client {
        let stranger = Client::new(&self.url(), None);
        let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
        let answer = stranger.post("/api/v1/accounts", &body).await;
        let token = answer.expect_status(201).json()["access_token"].as_str().expect("a token").to_owned();
        Client::new(&self.url(), Some(token))
    }

    /// Another command of the program in the same folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        command_in(&self.folder, arguments)
    }

    /// Kills the server, as in a crash, and starts it again on the same data.
    pub fn kill_and_start_again(mut self) -> Self {
        self.child.kill().expect("a running server");
        self.child.wait().expect("an exit");
        self.child = start_in(&self.folder, &self.address, &[]);
        self
    }

    /// Kills the server and starts it again on the same data with these arguments.
    pub fn kill_and_start_with(mut self, arguments: &[&str]) -> Self {
        self.child.kill().expect("a running server");
        self.child.wait().expect("an exit");
        self.child = start_in(&self.folder, &self.address, arguments);
        self
    }

    /// Stops the server, unless it has stopped already, and starts it again on the same data with these arguments.
    pub fn stop_and_start_with(mut self, arguments: &[&str]) -> Self {
        if self.child.try_wait().expect("our child").is_none() {
            self.stop();
        }
        self.child = start_in(&self.folder, &self.address, arguments);
        self
    }

    /// The server's data folder.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// PostgreSQL's main process.
    pub fn postmaster(&self) -> Pid {
        let text = std::fs::read_to_string(self.data_dir().join("pg/postmaster.pid"));
        let text = text.expect("PostgreSQL runs");
        Pid::from_raw(text.lines().next().expect("a line").parse().expect("a process number"))
    }

    /// Sends the server a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).expect("a pid"));
        kill(pid, signal).expect("a running server");
    }

    /// Waits for the end of the server; fails if that takes too long.
    pub fn ended_within(&mut self, time_limit: Duration) -> ExitStatus {
        ended_within(&mut self.child, time_limit)
    }

    /// Asks the server to stop and waits for its clean end.
    pub fn stop(&mut self) {
        self.signal(Signal::SIGTERM);
        let exit = self.child.wait().expect("an exit");
        assert!(exit.success(), "{exit}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Needed after a failed test; the database ends with the server.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end of a process; fails if that takes too long.
pub fn ended_within(child: &mut Child, time_limit: Duration) -> ExitStatus {
    let deadline = Instant::now() + time_limit;
    loop {
        if let Some(exit) = child.try_wait().expect("our child") {
            return exit;
        }
        assert!(Instant::now() < deadline, "it has not ended within {time_limit:?}");
        // The standard library cannot wait for a child with a deadline.
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Secrets come by the environment: the program refuses them as flags.
const SECRETS: [(&str, &str); 2] =
    [("--metrics-token", "PIPPOST_METRICS_TOKEN"), ("--inbound-secret", "PIPPOST_INBOUND_SECRET")];

/// A command of the program, run in that folder.
pub fn command_in(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::program::executable());
    command.current_dir(folder.path()).stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if name.starts_with("PIPPOST_") || name.starts_with("DATABASE_") {
            command.env_remove(name);
        }
    }
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match SECRETS.iter().find(|(flag, _)| flag == argument) {
            Some((_, variable)) => command.env(variable, arguments.next().expect("a secret")),
            None => command.arg(argument),
        };
    }
    command
}

fn start_in(folder: &TempDir, address: &str, further: &[&str]) -> Child {
    let logs = further.contains(&"--log");
    let quiet: &[&str] = if logs { &[] } else { &["--log", "warn"] };
    let arguments = [&["serve", "--listen", address], quiet, further].concat();
    let mut command = command_in(folder, &arguments);
    if logs {
        let log = OpenOptions::new().create(true).append(true).open(folder.path().join(LOG));
        command.stderr(log.expect("a file for the log"));
    }
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("the server says something").expect("text");
    assert_eq!(first, "pippost is ready.");
    // Reads until the end, so that the server never blocks on a full pipe.
    std::thread::spawn(move || lines.count());
    child
}
