//! A comparison with [boardgame.io](https://boardgame.io): its own server with its PostgreSQL adapter, on the same PostgreSQL
//! in a database of its own. A client in Node.js (`benches/boardgame.io`) sends moves over its own transport (socket.io). Its
//! rounds and ours alternate, in new games and in long ones: it reads and writes a match's whole log with every move.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;
use tokio_postgres::config::Host;

use super::cpu::Watched;
use super::load::{Taken, histogram};
use super::measure::{Measure, Round, undisturbed};
use super::report::{line, median, ratio, spread_percent};
use super::rounds::{Setup, foreign_percent};
use super::server::{free_address, postmaster};
use crate::seeding::new_database;
use pippost::store::embedded::{APP_ROLE, SUPERUSER};

/// The number of connections that move at once.
const CONNECTIONS: usize = 64;

/// The name of its database.
const DATABASE: &str = "boardgame";

/// The numbers of moves in a game before the measured ones.
const MADE: [u64; 2] = [0, 1_000];

/// The most rounds in long games, which take long to create.
const MAX_ROUNDS_OF_LONG: u16 = 3;

/// The number of our long games per round.
const LONG_GAMES: usize = 2 * CONNECTIONS;

/// The rate of moves for which matches are kept ready, per second.
const READY_FOR: f64 = 800.0;

/// The timeout for the next message of boardgame.io's programs, without the measured time.
const STEP_TIMEOUT: Duration = Duration::from_mins(1);

/// The client's result.
#[derive(Deserialize)]
struct Said {
    seconds: f64,
    /// From each move to the update that contains it.
    microseconds: Vec<u64>,
}

/// Measures and prints; says so if boardgame.io's programs are missing.
///
/// # Errors
/// A program failed.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    let folder = setup.args.boardgame.clone();
    let version = match version(&folder).await {
        Ok(version) => version,
        Err(why) => {
            println!("\nboardgame.io is not measured: {why:#}");
            return Ok(());
        }
    };
    let theirs = Peer::start(setup, folder).await?;
    let made = if setup.args.quick { [0, 50] } else { MADE };
    let mut found = Vec::new();
    for made in made {
        found.push((made, side_by_side(setup, &theirs, made).await?));
    }
    theirs.stop().await?;
    println!("\nMoves over {CONNECTIONS} connections, beside boardgame.io {version} with bgio-postgres\n");
    println!(
        "{:<14} {:>8} {:>9} {:>8} {:>8} {:>7} {:>8} {:>8} {:>8} {:>6}",
        "", "after", "a second", "p50 ms", "p99 ms", "spread", "client", "server", "pg", "foul"
    );
    for (made, [ours, theirs]) in &found {
        row("pippost", *made, ours);
        row("boardgame.io", *made, theirs);
    }
    println!();
    for (made, [ours, theirs]) in &found {
        let when = if *made == 0 { "in new games".to_owned() } else { format!("after {made} moves") };
        line(&format!("moves / boardgame.io's, {when}"), ratio(ours, theirs, Round::rate), "at least 50");
    }
    Ok(())
}

/// Alternates our rounds and theirs, in games after `made` moves.
async fn side_by_side(setup: &mut Setup, theirs: &Peer, made: u64) -> anyhow::Result<[Vec<Round>; 2]> {
    let long = made > 0;
    let rounds = if long { setup.args.rounds.min(MAX_ROUNDS_OF_LONG) } else { setup.args.rounds };
    let mut found = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        if long {
            found[0].push(setup.play_at(made, LONG_GAMES, CONNECTIONS).await?);
        } else {
            let measured = setup.measure(&[Measure::Moves { connections: CONNECTIONS }], 1).await?;
            found[0].extend(measured.into_values().flatten());
        }
        let (round, repeats) =
            undisturbed(async || theirs.once(setup, made).await, |round| round.disturbed).await?;
        setup.repeated += repeats;
        found[1].push(round);
    }
    Ok(found)
}

fn row(name: &str, made: u64, rounds: &[Round]) {
    let of = |value: &dyn Fn(&Round) -> f64| median(rounds.iter().map(value));
    println!(
        "{name:<14} {made:>8} {:>9.0} {:>8.2} {:>8.2} {:>6.0}% {:>8.1} {:>8.1} {:>8.1} {:>6}",
        of(&Round::rate),
        of(&|round| round.quantile_ms(0.5)),
        of(&|round| round.quantile_ms(0.99)),
        spread_percent(rounds.iter().map(Round::rate)),
        of(&|round| round.each((round.split.client + round.split.sink) * 1_000_000.0)),
        of(&Round::server_us),
        of(&Round::postgres_us),
        rounds.iter().filter(|round| round.disturbed).count(),
    );
}

/// The installed version.
async fn version(folder: &Path) -> anyhow::Result<String> {
    #[derive(Deserialize)]
    struct Package {
        version: String,
    }
    let node = Command::new("node").arg("--version").stdin(Stdio::null()).output().await;
    if !node.is_ok_and(|output| output.status.success()) {
        bail!("there is no Node.js");
    }
    let package = folder.join("node_modules/boardgame.io/package.json");
    let text = std::fs::read_to_string(&package)
        .with_context(|| format!("its packages are missing; `npm ci` in {} gets them", folder.display()))?;
    Ok(serde_json::from_str::<Package>(&text)?.version)
}

/// boardgame.io's server.
struct Peer {
    folder: PathBuf,
    /// The options of its storage adapter, as JSON.
    options: String,
    address: SocketAddr,
    server: Child,
}

impl Peer {
    async fn start(setup: &Setup, folder: PathBuf) -> anyhow::Result<Self> {
        let database = setup.database()?;
        let config = database.config();
        let Some(Host::Unix(socket)) = config.get_hosts().first() else { bail!("a database of our own") };
        new_database(&database, SUPERUSER, DATABASE, APP_ROLE).await?;
        let options = json!({"host": socket, "username": APP_ROLE, "database": DATABASE}).to_string();
        let address = free_address()?;
        let mut command = node(&folder, "server.js");
        command.env("DATABASE", &options).env("PORT", address.port().to_string());
        let mut server = command.spawn().context("cannot start boardgame.io")?;
        let mut said = lines(&mut server)?;
        next(&mut said, "ready", STEP_TIMEOUT).await?;
        // Reads until the end, so that the server never blocks on a full pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        Ok(Self { folder, options, address, server })
    }

    /// A round with new matches after `made` moves, in which as many moves follow as in a game of ours.
    async fn once(&self, setup: &Setup, made: u64) -> anyhow::Result<Round> {
        let (seconds, moves) = (setup.args.seconds, setup.moves_of_a_game());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let matches = (READY_FOR * seconds * setup.args.readiness()) as usize / moves + CONNECTIONS;
        let mut command = node(&self.folder, "client.js");
        command.arg(format!("http://{}", self.address));
        command.args([CONNECTIONS.to_string(), seconds.to_string(), moves.to_string(), matches.to_string()]);
        command.arg(made.to_string()).env("DATABASE", &self.options);
        let mut client = command.spawn().context("cannot start boardgame.io's client")?;
        let mut said = lines(&mut client)?;
        next(&mut said, "go", STEP_TIMEOUT).await?;
        let (postmaster, _) = postmaster(&setup.data())?;
        let server = self.server.id().context("boardgame.io has ended")?;
        let watched = Watched { server, postmasters: vec![postmaster], sink: client.id() };
        let usage = watched.usage();
        let last = timeout(STEP_TIMEOUT + Duration::from_secs_f64(seconds), said.next_line()).await??;
        let split = watched.usage().since(&usage);
        let Said { seconds, microseconds } = serde_json::from_str(&last.context("moves were not answered")?)?;
        client.wait().await?;
        let mut latencies = histogram();
        for time in microseconds {
            latencies.saturating_record(time);
        }
        let taken = Taken { requests: latencies.len(), seconds, latencies, bytes: 0, body_bytes: 0 };
        let disturbed = foreign_percent(&split, seconds) > setup.args.foreign_percent;
        Ok(Round { taken, split, wal_bytes: 0, disturbed })
    }

    async fn stop(mut self) -> anyhow::Result<()> {
        Ok(self.server.kill().await?)
    }
}

/// A program of boardgame.io in its production mode. It ends when it is dropped.
fn node(folder: &Path, program: &str) -> Command {
    let mut command = Command::new("node");
    command.current_dir(folder).arg(program).env("NODE_ENV", "production");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    command
}

fn lines(child: &mut Child) -> anyhow::Result<Lines<BufReader<ChildStdout>>> {
    Ok(BufReader::new(child.stdout.take().context("no pipe")?).lines())
}

/// Reads until a line says `what`.
async fn next(
    lines: &mut Lines<BufReader<ChildStdout>>,
    what: &str,
    time_limit: Duration,
) -> anyhow::Result<()> {
    let waiting = async {
        while let Some(said) = lines.next_line().await? {
            if said == what {
                return Ok(());
            }
        }
        bail!("boardgame.io ended before it said {what}")
    };
    timeout(time_limit, waiting).await.with_context(|| format!("boardgame.io does not say {what}"))?
}
