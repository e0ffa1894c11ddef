//! What the command line says.

use pippost::store::planted;

/// How a run without arguments is: the suite of `./test --all`.
const SHORT: Arguments = Arguments { seed: 48, faults: 10, minutes: 1, tables: 6, planted: None };

pub const USAGE: &str = "usage: torture [--seed N] [--faults N] [--minutes N] [--tables N] [--plant FAULT]
FAULT: lost-guard, early-acknowledgement, double-notice, skipped-sync, stale-read";

/// A fault of the server or of its database's settings, which has to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    InServer(planted::Fault),
    /// PostgreSQL does not wait for the disk.
    SkippedSync,
}

impl Planted {
    pub fn name(self) -> &'static str {
        match self {
            Self::InServer(fault) => fault.name(),
            Self::SkippedSync => "skipped-sync",
        }
    }

    fn named(name: &str) -> Option<Self> {
        let of_server = planted::Fault::named(name).map(Self::InServer);
        of_server.or_else(|| (name == Self::SkippedSync.name()).then_some(Self::SkippedSync))
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    pub seed: u64,
    /// The most faults.
    pub faults: usize,
    /// The longest time for them.
    pub minutes: u64,
    /// Pairs of players, each of which plays one game after another.
    pub tables: usize,
    pub planted: Option<Planted>,
}

impl Arguments {
    /// `None` if they cannot be understood.
    pub fn read(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let mut read = SHORT;
        while let Some(name) = words.next() {
            let value = words.next()?;
            match name.as_str() {
                "--seed" => read.seed = value.parse().ok()?,
                "--faults" => read.faults = value.parse().ok()?,
                "--minutes" => read.minutes = value.parse().ok()?,
                "--tables" => read.tables = value.parse().ok().filter(|tables| (1..=60).contains(tables))?,
                "--plant" => read.planted = Some(Planted::named(&value)?),
                _ => return None,
            }
        }
        Some(read)
    }

    /// The command that does the same again.
    pub fn command(&self) -> String {
        let Self { seed, faults, minutes, tables, planted } = self;
        let plant = planted.map(|planted| format!(" --plant {}", planted.name())).unwrap_or_default();
        format!(
            "cargo test --workspace --locked --test torture -- --seed {seed} --faults {faults} \
             --minutes {minutes} --tables {tables}{plant}"
        )
    }
}
