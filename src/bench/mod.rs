//! The server measured from outside, by a client over HTTP, beside pgbench in the same run: `pippost bench`.
//!
//! Everything runs on one machine and shares its processors: this program (the client, and PostgreSQL's `pgbench`), the server in
//! a process of its own, and the PostgreSQL that the server starts. In each round the parts follow each other in an order drawn
//! anew, and within a part its measures, which are compared with each other, do; a round that something foreign disturbed is thrown
//! away and repeated.

pub mod boardgame;
pub mod client;
pub mod cpu;
pub mod empty;
pub mod feeds;
pub mod growth;
pub mod hostile;
pub mod load;
pub mod mail;
pub mod measure;
pub mod pgbench;
pub mod pictures;
pub mod report;
pub mod rounds;
pub mod rules;
pub mod script;
pub mod server;
pub mod smtp;

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

/// What to measure, and how long.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// A smoke test: one short round of everything, no figures worth reading.
    #[arg(long)]
    quick: bool,
    /// Rounds of each measure; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=99))]
    rounds: u16,
    /// Seconds of each round.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// The rule set to play. [default: the first that is for exactly two]
    #[arg(long)]
    rules: Option<String>,
    /// Measure only this. [default: everything]
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// With `--only hostile`: attack with those alone whose names hold one of these.
    #[arg(long = "attack", value_name = "NAME", value_delimiter = ',')]
    attacks: Vec<String>,
    /// With `--only hostile`: leave those out whose names hold one of these.
    #[arg(long = "without-attack", value_name = "NAME", value_delimiter = ',')]
    without_attacks: Vec<String>,
    /// The most games in the database, for the growth.
    #[arg(long, default_value_t = 1_000_000)]
    games: i64,
    /// Most of the processors' time, in percent, that other programs may take in a round that counts.
    #[arg(long, default_value_t = 5.0)]
    foreign_percent: f64,
    /// Folder for the data, made and removed again; on the disk to be measured.
    #[arg(long, default_value = "/var/tmp")]
    folder: PathBuf,
    /// Folder with the programs that drive boardgame.io, and its packages.
    #[arg(long, default_value = "benches/boardgame.io")]
    boardgame: PathBuf,
    /// A further argument of `pippost serve`, as in `--serve=--writers=2`.
    #[arg(long, allow_hyphen_values = true)]
    serve: Vec<String>,
    /// Folder with PostgreSQL's programs.
    #[arg(long, env = "PG_BINDIR")]
    pg_bindir: Option<PathBuf>,
    /// Serve an empty handler at this address instead: what HTTP alone costs. The bench starts this itself.
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
    /// Beside boardgame.io, where Node.js and its packages are.
    Boardgame,
    Mail,
    Rules,
    Growth,
    /// Attacks on a server of its own, while honest players move; only where it is asked for.
    Hostile,
}

impl BenchArgs {
    /// Whether the part was asked for.
    #[must_use]
    pub fn wants(&self, part: Part) -> bool {
        // What takes minutes of attack is run on demand.
        self.only.contains(&part) || (self.only.is_empty() && part != Part::Hostile)
    }

    /// The part of the usual number of games that is kept ready.
    fn readiness(&self) -> f64 {
        if self.quick { 0.02 } else { 1.0 }
    }

    /// The same, as short as it can be.
    fn shortened(&self) -> Self {
        Self { rounds: 1, seconds: 0.3, games: 1_500, foreign_percent: 100.0, ..self.clone() }
    }
}

/// Measures everything that is wanted and prints it.
///
/// # Errors
/// A program could not be started, or did not do what was asked; or a signal came (SIGINT, SIGTERM).
pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let args = if args.quick { args.shortened() } else { args.clone() };
    // Client and seeding are one thread's work: what they take is not the server's.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        // What has been started is stopped, and the folder removed, when the rounds are dropped.
        tokio::select! {
            done = parts(&args) => done,
            _ = interrupt.recv() => bail!("interrupted"),
            _ = terminate.recv() => bail!("asked to stop"),
        }
    })
}

async fn parts(args: &BenchArgs) -> anyhow::Result<()> {
    // It has a server of its own, with limits.
    if args.only != [Part::Hostile] {
        rounds::run(args).await?;
    }
    if args.wants(Part::Hostile) {
        Box::pin(hostile::run(args)).await?;
    }
    Ok(())
}
