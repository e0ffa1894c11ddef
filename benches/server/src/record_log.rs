//! Measures the log over all records: how many entries a second a worker puts into it, how long after its commit an event stands under
//! a signed checkpoint while moves are made over many connections, and how many fewer moves these are than while the log stands still.

use std::cell::Cell;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::bail;

use super::flags;
use super::growth::copy;
use super::load;
use super::report::{line, median};
use super::rounds::Setup;
use super::seeding::RecordLog;
use super::server::{Process, free_address};

/// Copies of the typical game whose events wait for the log, in a round.
const BACKLOG_GAMES: i64 = 20_000;
const BACKLOG_GAMES_WHEN_QUICK: i64 = 20;

/// Connections over which moves are made meanwhile, and for how long.
const CONNECTIONS: usize = 64;
const LOAD_SECONDS: f64 = 60.0;
const LOAD_SECONDS_WHEN_QUICK: f64 = 12.0;

/// For how long in turn the log goes on or stands still: the processors and the disk are not equally fast for long.
const TURN: Duration = Duration::from_secs(2);

/// No player wants mails.
const NO_MAILS: &str = "insert into player_preferences (player_id, turns, reminders, games) \
                        select id, 'none', false, false from players;\n";

/// The longest wait until the log has all events.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The interval between looks at what the log has: nobody is told when it goes on.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Measures both, in each round with a new worker.
///
/// # Errors
/// A program could not be started or failed, or the log did not go on.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    println!("\nThe log, by one worker, between players who want no mails\n");
    // Else the worker makes mails all the time, and moves are a fifth of what the log has to keep up with.
    setup.seeder.run(NO_MAILS).await?;
    // Nor does it audit the copies, whose keys are those of other games.
    setup.seeder.clear_outbox().await?;
    let (mut rates, mut delays, mut beside, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..setup.args.rounds {
        copy(setup, if setup.args.quick { BACKLOG_GAMES_WHEN_QUICK } else { BACKLOG_GAMES }).await?;
        let worker = Process::work(&setup.data(), setup.args.pg_bindir.as_deref(), free_address()?, 1)?;
        rates.push(entries_a_second(setup).await?);
        let moves = beside_moves(setup).await?;
        let of_turns = moves.ratios();
        println!(
            "  round {}: {:.0} moves a second beside it, {:.2} of those while it stands still ({} turns)",
            round + 1,
            moves.beside(),
            median(of_turns.iter().copied()),
            of_turns.len(),
        );
        delays.push(moves.delay);
        beside.push(moves.beside());
        ratios.extend(of_turns);
        worker.stop()?;
    }
    line("entries of waiting events a second", median(rates.into_iter()), "at least 20,000");
    line("moves a second beside the log", median(beside.into_iter()), "");
    line("moves beside the log / while it stands still", median(ratios.into_iter()), "at least 0.97");
    line("s from commit to signed checkpoint, p99", median(delays.into_iter()), "at most 1.5");
    Ok(())
}

/// Moves a second from one look to another.
#[allow(clippy::cast_precision_loss)]
fn moves_a_second(from: &(RecordLog, Instant), to: &(RecordLog, Instant)) -> f64 {
    (to.0.newest - from.0.newest) as f64 / (to.1 - from.1).as_secs_f64()
}

/// # Errors
/// The log has taken too long since then.
fn late(now: &RecordLog, begun: Instant) -> anyhow::Result<()> {
    if begun.elapsed() > TIMEOUT {
        bail!("the log has {} of {} positions after {} s", now.position, now.newest, TIMEOUT.as_secs());
    }
    Ok(())
}

/// Waits until the log has all events; returns how many entries a second it took from its first step on.
async fn entries_a_second(setup: &Setup) -> anyhow::Result<f64> {
    let first = setup.seeder.record_log().await?;
    let (begun, mut looks) = (Instant::now(), tokio::time::interval(POLL_INTERVAL));
    let mut started = None;
    loop {
        looks.tick().await;
        let now = setup.seeder.record_log().await?;
        if now.size > first.size {
            // The first step is not counted: it began at an unknown time.
            let (at, size) = *started.get_or_insert((Instant::now(), now.size));
            if now.position >= now.newest {
                #[allow(clippy::cast_precision_loss)]
                return Ok((now.size - size).max(1) as f64 / at.elapsed().as_secs_f64().max(f64::EPSILON));
            }
        }
        late(&now, begun)?;
    }
}

/// What was measured beside moves.
#[derive(Default)]
struct BesideMoves {
    /// The 99th percentile of the time from a look that saw an event to one that saw a checkpoint over it, in seconds.
    delay: f64,
    /// Moves a second by turns: while the log goes on, then while it stands still.
    turns: Vec<(f64, f64)>,
}

impl BesideMoves {
    /// The median of moves a second while the log goes on.
    fn beside(&self) -> f64 {
        median(self.turns.iter().map(|(beside, _)| *beside))
    }

    /// For each turn in which the log stands still, how many moves were made in the turns before and after it for one in it: what gets
    /// slower or faster all the time is the same for both.
    fn ratios(&self) -> Vec<f64> {
        let neighbours = self.turns.array_windows();
        neighbours.map(|[(before, held), (after, _)]| f64::midpoint(*before, *after) / held).collect()
    }
}

/// Lets the log go on and stand still by turns, while moves are made.
async fn beside_moves(setup: &mut Setup) -> anyhow::Result<BesideMoves> {
    let seconds = if setup.args.quick { LOAD_SECONDS_WHEN_QUICK } else { LOAD_SECONDS };
    let source = flags::moves(setup).await?;
    let is_over = Cell::new(false);
    let loading = async {
        let taken = load::send(setup.server.address, CONNECTIONS, seconds, source).await;
        is_over.set(true);
        taken
    };
    let watching = async {
        let (mut measured, mut delays) = (BesideMoves::default(), Vec::new());
        while !is_over.get() {
            let begun = looked(setup).await?;
            let ended = watch(setup, Some(&mut delays)).await?;
            setup.seeder.hold_record_log().await?;
            let held = looked(setup).await?;
            let released = watch(setup, None).await?;
            setup.seeder.release_record_log().await?;
            caught_up(setup).await?;
            // Not the turns in which the load ended.
            if !is_over.get() {
                measured.turns.push((moves_a_second(&begun, &ended), moves_a_second(&held, &released)));
            }
        }
        delays.sort_by(f64::total_cmp);
        let Some(p99) = delays.get(delays.len() * 99 / 100) else { bail!("the log did not go on") };
        measured.delay = *p99;
        Ok(measured)
    };
    let (taken, measured) = tokio::join!(loading, watching);
    taken?;
    measured
}

async fn looked(setup: &Setup) -> anyhow::Result<(RecordLog, Instant)> {
    Ok((setup.seeder.record_log().await?, Instant::now()))
}

/// Looks at the log for a turn, equally often whether it goes on or not; collects the seconds until events were under a checkpoint.
async fn watch(setup: &Setup, mut delays: Option<&mut Vec<f64>>) -> anyhow::Result<(RecordLog, Instant)> {
    let (begun, mut waiting, mut ended) = (Instant::now(), VecDeque::new(), None);
    let mut looks = tokio::time::interval(POLL_INTERVAL);
    loop {
        looks.tick().await;
        let now = looked(setup).await?;
        if let Some(delays) = delays.as_deref_mut() {
            if ended.is_none() {
                waiting.push_back((now.0.newest, now.1));
            }
            while let Some((_, seen)) = waiting.pop_front_if(|(newest, _)| *newest <= now.0.position) {
                delays.push(seen.elapsed().as_secs_f64());
            }
        }
        late(&now.0, begun)?;
        if begun.elapsed() >= TURN {
            let ended = ended.get_or_insert(now);
            if waiting.is_empty() {
                return Ok(*ended);
            }
        }
    }
}

/// Waits until the log has what was there when it was released.
async fn caught_up(setup: &Setup) -> anyhow::Result<()> {
    let (begun, newest) = (Instant::now(), setup.seeder.record_log().await?.newest);
    let mut looks = tokio::time::interval(POLL_INTERVAL);
    loop {
        looks.tick().await;
        let now = setup.seeder.record_log().await?;
        if now.position >= newest {
            return Ok(());
        }
        late(&now, begun)?;
    }
}
