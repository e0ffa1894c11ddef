//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;

/// What to measure, and how long.
#[derive(Clone, Debug, Parser)]
#[command(name = "pippost-bench", version, max_term_width = 100)]
pub struct BenchArgs {
    /// A smoke test: one short round of everything; its figures mean nothing.
    #[arg(long)]
    pub quick: bool,
    /// Rounds of each measure; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=99))]
    pub rounds: u16,
    /// Seconds of each round.
    #[arg(long, default_value_t = 3.0)]
    pub seconds: f64,
    /// The rule set to play. [default: the first for exactly two players]
    #[arg(long)]
    pub rules: Option<String>,
    /// Measure only this part. [default: everything]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub only: Vec<Part>,
    /// With `--only hostile`: run only attacks whose names contain one of these.
    #[arg(long = "attack", value_name = "NAME", value_delimiter = ',')]
    pub attacks: Vec<String>,
    /// With `--only hostile`: omit attacks whose names contain one of these.
    #[arg(long = "without-attack", value_name = "NAME", value_delimiter = ',')]
    pub without_attacks: Vec<String>,
    /// The most games in the database, for measuring its growth.
    #[arg(long, default_value_t = 1_000_000)]
    pub games: i64,
    /// The most processor time, in percent, that other programs may take in a round that counts.
    #[arg(long, default_value_t = 5.0)]
    pub foreign_percent: f64,
    /// Folder for the data, created and removed again; on the disk to be measured.
    #[arg(long, default_value = "/var/tmp")]
    pub folder: PathBuf,
    /// Folder with the programs that drive boardgame.io, and its packages.
    #[arg(long, default_value = "benches/boardgame.io")]
    pub boardgame: PathBuf,
    /// An additional argument of `pippost serve`, as in `--serve=--writers=2`.
    #[arg(long, allow_hyphen_values = true)]
    pub serve: Vec<String>,
    /// A migrated database without games to be measured in place of an own one, for `moves`, `outbox` and `lists`: of a cluster, the
    /// coordinator's.
    #[arg(long, requires = "nodes")]
    pub database_url: Option<String>,
    /// The data folders of that database's PostgreSQL, of all nodes of a cluster: their processes are counted.
    #[arg(long, value_delimiter = ',', requires = "database_url")]
    pub nodes: Vec<PathBuf>,
    /// Folder with PostgreSQL's programs.
    #[arg(long, env = "PG_BINDIR")]
    pub pg_bindir: Option<PathBuf>,
    /// Serve an empty handler at this address instead, to measure HTTP alone. The bench starts this itself.
    #[arg(long, hide = true)]
    pub empty_handler: Option<SocketAddr>,
}

/// A part of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    Moves,
    Views,
    Feeds,
    Exports,
    Pictures,
    /// A comparison with boardgame.io, if Node.js and its packages are installed.
    Boardgame,
    Mail,
    /// Claims and settlements of notices, beside a transaction that stays open and without.
    Outbox,
    /// Flags that are due at once, on an idle server and beside moves.
    Flags,
    /// The log over all records: entries a second, and the delay beside moves.
    RecordLog,
    /// Idle readers of server-sent events: their memory, their wake-up, and moves beside them.
    Readers,
    Rules,
    Growth,
    /// Lists of a player among 100,000 games; only on request, since its games stay.
    Lists,
    /// Pages in a browser on a throttled phone; only on request, since it needs Chromium.
    Pages,
    /// Attacks on a server of its own while honest players move; only on request.
    Hostile,
}

impl BenchArgs {
    /// Whether the part was requested.
    #[must_use]
    pub fn wants(&self, part: Part) -> bool {
        // The attacks take minutes, and the pages need a browser, so they run on request only.
        let on_request = matches!(part, Part::Hostile | Part::Pages | Part::Lists);
        self.only.contains(&part) || (self.only.is_empty() && !on_request)
    }

    /// The further arguments of the server.
    #[must_use]
    pub fn of_server(&self) -> Vec<String> {
        let database = self.database_url.iter().map(|url| format!("--database-url={url}"));
        self.serve.iter().cloned().chain(database).collect()
    }

    /// The fraction of the usual number of games to keep ready.
    pub fn readiness(&self) -> f64 {
        if self.quick { 0.02 } else { 1.0 }
    }

    /// The same with the shortest duration.
    pub fn shortened(&self) -> Self {
        Self { rounds: 1, seconds: 0.3, games: 1_500, foreign_percent: 100.0, ..self.clone() }
    }
}
