//! Runs the server in a process of its own, as a user starts it.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use uuid::Uuid;

use super::client::{self, Connection};
use pippost::endpoint::Endpoint;

/// A folder that is removed with its contents on drop.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates a folder with a new name in `parent`. The database's user may pass through it.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn make(parent: &Path) -> anyhow::Result<Self> {
        use std::os::unix::fs::PermissionsExt;
        let path = parent.join(format!("pippost-bench-{}", &Uuid::new_v4().simple().to_string()[..8]));
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o711))?;
        Ok(Self(path))
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The name of the server's Unix socket, beside its data folder.
const SOCKET: &str = "http.sock";

/// The token with which the bench reads the server's metrics.
const METRICS_TOKEN: &str = "the bench reads numbers";

/// The secret with which the bench posts mails.
pub const INBOUND_SECRET: &str = "the bench is a mail provider, and has this secret";

/// How long a process may take to stop after a failure.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The interval between checks whether it has stopped: the standard library cannot wait for a child with a timeout.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A running process of this program that listens.
pub struct Process {
    pub address: SocketAddr,
    socket: Option<PathBuf>,
    /// The time from the start of the process until it reported that it was ready.
    pub ready_after: Duration,
    child: Child,
}

impl Process {
    /// Starts `pippost serve` on `data_dir` and waits until it is ready.
    ///
    /// # Errors
    /// It did not become ready.
    pub fn serve(data_dir: &Path, pg_bindir: Option<&Path>, further: &[String]) -> anyhow::Result<Self> {
        // All requests come from one peer.
        let unlimited = [
            "--connections=24000",
            "--connections-of-a-peer=24000",
            "--requests-of-a-peer=4000000000",
            "--requests-of-a-token=4000000000",
        ]
        .map(str::to_owned);
        Self::serve_with_limits(data_dir, pg_bindir, &[&unlimited, further].concat())
    }

    /// The same with the default limits for one peer.
    ///
    /// # Errors
    /// It did not become ready.
    pub fn serve_with_limits(
        data_dir: &Path,
        pg_bindir: Option<&Path>,
        further: &[String],
    ) -> anyhow::Result<Self> {
        let address = free_address()?;
        let mut arguments = vec!["serve".to_owned(), "--no-worker".into(), "--log".into(), "warn".into()];
        let socket = data_dir.with_file_name(SOCKET);
        arguments.extend(["--listen".to_owned(), format!("{address},{}", Endpoint::Unix(socket.clone()))]);
        arguments.extend(["--data-dir".to_owned(), data_dir.display().to_string()]);
        if let Some(folder) = pg_bindir {
            arguments.extend(["--pg-bindir".to_owned(), folder.display().to_string()]);
        }
        arguments.extend_from_slice(further);
        Self::start(address, Some(socket), &arguments)
    }

    /// Starts the empty handler.
    ///
    /// # Errors
    /// It did not become ready.
    pub fn empty() -> anyhow::Result<Self> {
        let address = free_address()?;
        Self::start(address, None, &["--empty-handler".to_owned(), address.to_string()])
    }

    /// Starts `pippost work` on the database of the server in `data_dir`, sending mails to `smtp`. The first mail shows that it
    /// is ready.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn work(
        data_dir: &Path,
        pg_bindir: Option<&Path>,
        smtp: SocketAddr,
        connections: u16,
    ) -> anyhow::Result<Self> {
        let mut arguments = vec!["work".to_owned(), "--log".into(), "warn".into()];
        arguments.extend(["--data-dir".to_owned(), data_dir.display().to_string()]);
        arguments.extend(["--smtp-url".to_owned(), format!("smtp://{smtp}")]);
        arguments.extend(["--smtp-connections".to_owned(), connections.to_string()]);
        arguments.extend(["--mails-per-hour-to-address", "0"].map(str::to_owned));
        arguments.extend(["--games-searched-a-day", "0"].map(str::to_owned));
        arguments.extend(["--reply-address", "play@example.org"].map(str::to_owned));
        if let Some(folder) = pg_bindir {
            arguments.extend(["--pg-bindir".to_owned(), folder.display().to_string()]);
        }
        let child = command(&arguments)?.spawn().context("cannot start the worker")?;
        Ok(Self { address: smtp, socket: None, ready_after: Duration::ZERO, child })
    }

    fn start(address: SocketAddr, socket: Option<PathBuf>, arguments: &[String]) -> anyhow::Result<Self> {
        let started = Instant::now();
        let mut command = command(arguments)?;
        let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
        let mut lines = BufReader::new(child.stdout.take().context("no pipe")?).lines();
        let Some(Ok(_ready)) = lines.next() else {
            let _ = child.kill();
            bail!("the server did not start: {:?}", child.wait());
        };
        let ready_after = started.elapsed();
        // Reads until the end, so that the server never blocks on a full pipe.
        std::thread::spawn(move || lines.count());
        Ok(Self { address, socket, ready_after, child })
    }

    /// The server's Unix socket.
    ///
    /// # Errors
    /// The server has none.
    pub fn socket(&self) -> anyhow::Result<Endpoint> {
        self.socket.clone().map(Endpoint::Unix).context("no server")
    }

    /// The number of statements that the server has sent to its database.
    ///
    /// # Errors
    /// The server does not report it.
    pub async fn statements_sent(&self) -> anyhow::Result<f64> {
        let mut connection = Connection::open(self.address).await?;
        connection.expect(&client::get("/metrics", Some(METRICS_TOKEN))).await?;
        let text = connection.text();
        let name = "pippost_database_statements_total ";
        let count = text.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        count.context("the server counts its statements")
    }

    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks the process to stop and waits for its end; returns how long that took.
    ///
    /// # Errors
    /// The process failed.
    pub fn stop(mut self) -> anyhow::Result<Duration> {
        let started = Instant::now();
        self.ask_to_stop()?;
        let exit = self.child.wait()?;
        // A process that has only just started does not handle signals yet, and dies of this one.
        if !exit.success() && exit.signal() != Some(Signal::SIGTERM as i32) {
            bail!("the server ended badly: {exit}");
        }
        Ok(started.elapsed())
    }

    fn ask_to_stop(&self) -> anyhow::Result<()> {
        Ok(kill(Pid::from_raw(i32::try_from(self.child.id())?), Signal::SIGTERM)?)
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|exit| exit.is_some())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // After a failure or a signal. A server that stops by itself has stopped its database before; the database of a killed
        // server ends a moment later, while the folder is being removed.
        let asked = !self.has_ended() && self.ask_to_stop().is_ok();
        let until = Instant::now() + STOP_TIMEOUT;
        while asked && !self.has_ended() && Instant::now() < until {
            std::thread::sleep(POLL_INTERVAL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command for this program with an empty environment.
fn command(arguments: &[String]) -> anyhow::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if name.starts_with("PIPPOST_") || name.starts_with("DATABASE_") {
            command.env_remove(name);
        }
    }
    command.env("PIPPOST_METRICS_TOKEN", METRICS_TOKEN).env("PIPPOST_INBOUND_SECRET", INBOUND_SECRET);
    Ok(command)
}

/// A port that is currently free.
///
/// # Errors
/// No port is free.
pub fn free_address() -> anyhow::Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// The process id of the PostgreSQL in `data_dir`, and the folder of its programs.
///
/// # Errors
/// No PostgreSQL runs there.
pub fn postmaster(data_dir: &Path) -> anyhow::Result<(u32, PathBuf)> {
    postmaster_in(&data_dir.join("pg"))
}

/// The same of the PostgreSQL whose own folder this is.
///
/// # Errors
/// No PostgreSQL runs there.
pub fn postmaster_in(folder: &Path) -> anyhow::Result<(u32, PathBuf)> {
    let text = std::fs::read_to_string(folder.join("postmaster.pid")).context("no PostgreSQL runs")?;
    let pid: u32 = text.lines().next().unwrap_or_default().trim().parse()?;
    let program = std::fs::read_link(format!("/proc/{pid}/exe")).context("whose program is PostgreSQL?")?;
    Ok((pid, program.parent().context("a program lies in a folder")?.to_owned()))
}
