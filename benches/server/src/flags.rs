//! Measures flags that are due at once: when the last of them has fallen, alone and beside moves, with two workers of which each flag
//! shall fall by one.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::Deserialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::load::{self, Source, Taken, Unplayed};
use super::report::{line, median};
use super::rounds::{Setup, seed};
use super::server::{Process, free_address};
use pippost::record::Timestamp;

/// Flags that are due at once.
const FLAGS: usize = 10_000;

/// The same in a smoke test.
const FLAGS_WHEN_QUICK: usize = 60;

/// Workers that let them fall.
const WORKERS: usize = 2;

/// The most rounds: each makes as many games.
const MAX_ROUNDS: u16 = 3;

/// Connections over which moves are made meanwhile.
const CONNECTIONS: usize = 64;

/// For how long moves are made, from before the flags are due; and for how many a second games are kept ready.
const LOAD_SECONDS: f64 = 20.0;
const MOVES_A_SECOND: f64 = 12_000.0;

/// How long before they are due the deadlines are written.
const AHEAD: Duration = Duration::from_secs(3);

/// The longest wait for the flags, and for the workers.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The interval between looks at what is left.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The results of one round.
struct Round {
    /// From the deadline until no flag was left, in seconds.
    last: f64,
    /// From the deadline until the time of each time-out, in seconds, ascending.
    decided: Vec<f64>,
    /// Moves a second meanwhile, if any were made.
    moves: Option<f64>,
}

/// Measures both.
///
/// # Errors
/// A program could not be started or failed, a flag did not fall, or one fell twice.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    setup.seeder.clear_outbox().await?;
    let workers = workers(setup).await?;
    let flags = if setup.args.quick { FLAGS_WHEN_QUICK } else { FLAGS };
    println!("\n{flags} flags due at once, {WORKERS} workers; seconds from their time; mails are off\n");
    println!("{:<24} {:>8} {:>8} {:>8} {:>8} {:>10}", "", "first", "half", "last", "written", "moves/s");
    for (what, beside) in [("alone", false), ("beside moves", true)] {
        let mut rounds = Vec::new();
        for _ in 0..setup.args.rounds.min(MAX_ROUNDS) {
            rounds.push(round(setup, flags, beside).await?);
        }
        report(what, &rounds);
    }
    for worker in workers {
        worker.stop()?;
    }
    Ok(())
}

/// Starts the workers, and waits until they work.
async fn workers(setup: &Setup) -> anyhow::Result<Vec<Process>> {
    let started = OffsetDateTime::now_utc();
    let start = |_| Process::work(&setup.data(), setup.args.pg_bindir.as_deref(), free_address()?, 1);
    let workers = (0..WORKERS).map(start).collect::<anyhow::Result<Vec<_>>>()?;
    until("a worker works", async || Ok(setup.seeder.heartbeats(started).await? > 0)).await?;
    Ok(workers)
}

async fn until(what: &str, mut done: impl AsyncFnMut() -> anyhow::Result<bool>) -> anyhow::Result<()> {
    let started = Instant::now();
    while !done().await? {
        if started.elapsed() > TIMEOUT {
            bail!("not within {} s: {what}", TIMEOUT.as_secs());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

async fn round(setup: &mut Setup, flags: usize, beside: bool) -> anyhow::Result<Round> {
    let games = setup.games_in_play(flags).await?;
    let source = if beside { Some(moves(setup).await?) } else { None };
    setup.seeder.settle().await?;
    let falling = fall(setup, &games);
    let loading = async {
        let Some(source) = source else { return anyhow::Ok(None) };
        let seconds = if setup.args.quick { 3.0 } else { LOAD_SECONDS };
        let taken = load::send(setup.server.address, CONNECTIONS, seconds, source).await?;
        Ok(Some(taken))
    };
    let (last, taken) = tokio::try_join!(falling, loading)?;
    let decided = decided(setup, &games, last.due_at).await?;
    if let Some(taken) = &taken
        && !setup.args.quick
        && taken.seconds < last.seconds + AHEAD.as_secs_f64()
    {
        bail!("the moves were over before the flags had fallen: there were too few games");
    }
    #[allow(clippy::cast_precision_loss)]
    let rate = |taken: Taken| taken.requests as f64 / taken.seconds;
    Ok(Round { last: last.seconds, decided, moves: taken.map(rate) })
}

/// Games to be played beside.
///
/// # Errors
/// The database refused.
pub async fn moves(setup: &mut Setup) -> anyhow::Result<Rc<dyn Source>> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let wanted = (LOAD_SECONDS * MOVES_A_SECOND * setup.args.readiness()) as usize;
    let count = wanted / setup.moves_of_a_game() + CONNECTIONS;
    let scripts = seed(&setup.seeder, &mut setup.author, count, 0).await?;
    Ok(Rc::new(Unplayed(RefCell::new(scripts.into()))))
}

/// When flags were due, and after how long the last had fallen.
struct Fallen {
    due_at: OffsetDateTime,
    seconds: f64,
}

/// Lets the clocks of `games` run out soon, and waits until every flag has fallen.
async fn fall(setup: &Setup, games: &[Uuid]) -> anyhow::Result<Fallen> {
    let due_at = OffsetDateTime::now_utc() + AHEAD;
    let due_at = due_at.replace_nanosecond(due_at.microsecond() * 1000)?;
    let written = setup.seeder.let_run_out(games, due_at).await?;
    if usize::try_from(written)? != games.len() || OffsetDateTime::now_utc() >= due_at {
        bail!("{written} deadlines were written, and not before their time");
    }
    until("all flags have fallen", async || Ok(setup.seeder.flags_up(due_at).await? == 0)).await?;
    Ok(Fallen { due_at, seconds: (OffsetDateTime::now_utc() - due_at).as_seconds_f64() })
}

/// How long after the deadline each flag fell, by its event.
async fn decided(setup: &Setup, games: &[Uuid], due_at: OffsetDateTime) -> anyhow::Result<Vec<f64>> {
    #[derive(Deserialize)]
    struct Fell {
        at: Timestamp,
    }
    let timeouts = setup.seeder.timeouts(games).await?;
    let once: HashSet<Uuid> = timeouts.iter().map(|(game, _)| *game).collect();
    if timeouts.len() != games.len() || once.len() != games.len() {
        bail!("{} time-outs in {} of {} games", timeouts.len(), once.len(), games.len());
    }
    let late = timeouts.iter().map(|(_, line)| {
        let fell: Fell = serde_json::from_str(line).context("an event")?;
        anyhow::Ok((fell.at.get() - due_at).as_seconds_f64())
    });
    let mut late = late.collect::<anyhow::Result<Vec<f64>>>()?;
    late.sort_by(f64::total_cmp);
    if late.first().is_none_or(|first| *first < 0.0) {
        bail!("a flag fell before its time");
    }
    Ok(late)
}

fn report(what: &str, rounds: &[Round]) {
    let of = |value: &dyn Fn(&Round) -> f64| median(rounds.iter().map(value));
    let [first, half, last] = [
        of(&|round| round.decided[0]),
        of(&|round| round.decided[round.decided.len() / 2]),
        of(&|round| round.decided[round.decided.len() - 1]),
    ];
    let (written, moves) = (of(&|round| round.last), of(&|round| round.moves.unwrap_or(0.0)));
    println!("{what:<24} {first:>8.2} {half:>8.2} {last:>8.2} {written:>8.2} {moves:>10.0}");
    let most = rounds.iter().map(|round| round.last).fold(0.0, f64::max);
    line(&format!("s until the last flag has fallen, {what}"), most, "at most 5");
}
