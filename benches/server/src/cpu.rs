//! Measures which programs use the processors, from `/proc`, in clock ticks.

use std::fs;

use nix::unistd::{SysconfVar, sysconf};

/// Processor time used since a fixed time in the past, in ticks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// This program and the programs that it started and waited for (pgbench).
    client: u64,
    server: u64,
    postgres: u64,
    /// The first node's part of it.
    coordinator: u64,
    sink: u64,
    /// All programs, and the time that the machine's host took away.
    everybody: u64,
}

/// Processor time of one round, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Split {
    pub client: f64,
    pub server: f64,
    pub postgres: f64,
    /// The first node's part of it.
    pub coordinator: f64,
    /// The SMTP server that takes mails, if there is one.
    pub sink: f64,
    pub foreign: f64,
}

/// The processes whose time is counted.
#[derive(Clone, Debug)]
pub struct Watched {
    pub server: u32,
    /// The first process of each PostgreSQL.
    pub postmasters: Vec<u32>,
    /// The SMTP server that takes mails.
    pub sink: Option<u32>,
}

impl Watched {
    /// The counters now.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let client = times(std::process::id()).map_or(0, |times| times.own + times.children);
        let server = times(self.server).map_or(0, |times| times.own);
        let nodes: Vec<u64> = self.postmasters.iter().map(|postmaster| of_postgres(*postmaster)).collect();
        let (postgres, coordinator) = (nodes.iter().sum(), nodes.first().copied().unwrap_or_default());
        let sink = self.sink.and_then(times).map_or(0, |times| times.own);
        Usage { client, server, postgres, coordinator, sink, everybody: everybody() }
    }
}

impl Usage {
    /// The time used from `before` until this.
    #[must_use]
    pub fn since(&self, before: &Self) -> Split {
        let seconds = |now: u64, before: u64| ticks_to_seconds(now.saturating_sub(before));
        let (client, server) = (seconds(self.client, before.client), seconds(self.server, before.server));
        let postgres = seconds(self.postgres, before.postgres);
        let (sink, all) = (seconds(self.sink, before.sink), seconds(self.everybody, before.everybody));
        let coordinator = seconds(self.coordinator, before.coordinator);
        Split {
            client,
            server,
            postgres,
            coordinator,
            sink,
            foreign: (all - client - server - postgres - sink).max(0.0),
        }
    }
}

impl Split {
    /// The rest without `part`.
    #[must_use]
    pub fn without(self, part: &Self) -> Self {
        let less = |all: f64, part: f64| (all - part).max(0.0);
        Self {
            client: less(self.client, part.client),
            postgres: less(self.postgres, part.postgres),
            coordinator: less(self.coordinator, part.coordinator),
            ..self
        }
    }
}

/// The postmaster's account includes ended backends; living ones have their own.
fn of_postgres(postmaster: u32) -> u64 {
    let living: u64 = children(postmaster).iter().filter_map(|pid| times(*pid)).map(|times| times.own).sum();
    times(postmaster).map_or(0, |times| times.own + times.children) + living
}

struct Times {
    parent: u32,
    own: u64,
    children: u64,
}

/// The fields of `/proc/PID/stat` after the program's name, which may contain any characters.
fn times(pid: u32) -> Option<Times> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    let parent = u32::try_from(number(1)?).ok()?;
    Some(Times { parent, own: number(11)? + number(12)?, children: number(13)? + number(14)? })
}

fn children(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| times(*pid).is_some_and(|times| times.parent == parent)).collect()
}

/// User, nice, system and stolen ticks of all processors.
fn everybody() -> u64 {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let fields: Vec<u64> = text
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(1)
        .filter_map(|field| field.parse().ok())
        .collect();
    [0, 1, 2, 7].iter().filter_map(|index| fields.get(*index)).sum()
}

#[allow(clippy::cast_precision_loss)]
fn ticks_to_seconds(ticks: u64) -> f64 {
    let a_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100);
    ticks as f64 / a_second as f64
}

/// A process's resident memory in bytes: now, and its peak.
#[must_use]
pub fn memory(pid: u32) -> (u64, u64) {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes = line
            .and_then(|rest| rest.trim().strip_suffix(" kB"))
            .and_then(|number| number.trim().parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_time_and_memory_and_has_a_parent() {
        let own = times(std::process::id()).expect("this process");
        assert!(children(own.parent).contains(&std::process::id()));
        let (now, most) = memory(std::process::id());
        assert!(now > 0 && most >= now);
        assert!(everybody() > 0);
    }
}
