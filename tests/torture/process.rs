//! The program as a process that is started again whenever it ends, as systemd does.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use support::INBOUND_SECRET;
use support::program::program;

use super::arguments::Planted;
use super::disk::Orders;

/// The shortest time between two starts.
const START_INTERVAL: Duration = Duration::from_millis(500);

pub struct Process {
    pub name: &'static str,
    command: Command,
    child: Option<Child>,
    started: Option<Instant>,
    pub orders: Orders,
    log: PathBuf,
    /// How often it was started.
    pub starts: u32,
}

/// How a process is started.
pub struct Recipe<'a> {
    pub name: &'static str,
    pub folder: &'a Path,
    /// The port of its wire to the database.
    pub database: u16,
    pub arguments: Vec<String>,
    pub orders: (Orders, Vec<(&'static str, PathBuf)>),
    pub planted: Option<Planted>,
}

/// The address of the database behind a wire.
pub fn database_url(port: u16) -> String {
    format!("host=127.0.0.1 port={port} user=app dbname=pippost sslmode=disable")
}

impl Process {
    pub fn of(recipe: Recipe<'_>) -> Self {
        let Recipe { name, folder, database, arguments, orders: (orders, environment), planted } = recipe;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = program(folder, name, &database_url(database), &arguments);
        command.env("PIPPOST_INBOUND_SECRET", INBOUND_SECRET).envs(environment);
        if let Some(Planted::InServer(fault)) = planted {
            command.env(pippost::store::planted::VARIABLE, fault.name());
        }
        let log = folder.join(format!("{name}.log"));
        Self { name, command, child: None, started: None, orders, log, starts: 0 }
    }

    /// Starts it unless it runs.
    pub fn keep_running(&mut self) {
        let runs = self.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)));
        if runs || self.started.is_some_and(|started| started.elapsed() < START_INTERVAL) {
            return;
        }
        self.started = Some(Instant::now());
        let log = File::options().create(true).append(true).open(&self.log).expect("a log");
        let out = log.try_clone().expect("a log");
        let child = self.command.stdout(Stdio::from(out)).stderr(Stdio::from(log)).spawn();
        self.child = Some(child.expect("the program"));
        self.starts += 1;
    }

    pub fn signal(&self, signal: Signal) {
        let Some(child) = &self.child else { return };
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process number"));
        // It may have ended by itself.
        let _gone = kill(pid, signal);
    }

    /// Asks it to end, and waits for that.
    pub fn stop(&mut self) {
        self.signal(Signal::SIGCONT);
        self.signal(Signal::SIGTERM);
        if let Some(mut child) = self.child.take() {
            let _ended = child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _gone = child.kill();
            let _gone = child.wait();
        }
    }
}
