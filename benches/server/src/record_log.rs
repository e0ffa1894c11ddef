//! Measures the log over all records: how many entries a second a worker puts into it, how long after its commit an event stands under
//! a signed checkpoint while moves are made over many connections, and how many fewer moves these are than while the log stands still.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::bail;

use super::flags;
use super::growth::copy;
use super::load::{self, Taken};
use super::report::{line, median};
use super::rounds::Setup;
use super::seeding::RecordLog;
use super::server::{Process, free_address};

/// Copies of the typical game whose events wait for the log, in a round.
const BACKLOG_GAMES: i64 = 20_000;
const BACKLOG_GAMES_WHEN_QUICK: i64 = 20;

/// Connections over which moves are made meanwhile, and for how long.
const CONNECTIONS: usize = 64;
const LOAD_SECONDS: f64 = 20.0;

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
    let (mut rates, mut delays, mut moves, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..setup.args.rounds {
        copy(setup, if setup.args.quick { BACKLOG_GAMES_WHEN_QUICK } else { BACKLOG_GAMES }).await?;
        let worker = Process::work(&setup.data(), setup.args.pg_bindir.as_deref(), free_address()?, 1)?;
        rates.push(entries_a_second(setup).await?);
        // In turn, because both find the processors as the other has left them.
        let before = if round % 2 == 0 { Some(moves_without(setup).await?) } else { None };
        let (delay, rate) = delay_beside_moves(setup).await?;
        let without = if let Some(before) = before { before } else { moves_without(setup).await? };
        delays.push(delay);
        moves.push(rate);
        ratios.push(rate / without);
        println!("  round {}: {rate:.0} moves a second beside it, {without:.0} without", round + 1);
        worker.stop()?;
    }
    line("entries of waiting events a second", median(rates.into_iter()), "at least 20,000");
    line("moves a second beside the log", median(moves.into_iter()), "");
    line("moves beside the log / while it stands still", median(ratios.into_iter()), "at least 0.97");
    line("s from commit to signed checkpoint, p99", median(delays.into_iter()), "at most 1.5");
    Ok(())
}

/// How many moves a second are made while the log stands still: its row is locked, which is the lease of who puts entries into it.
/// Returns once the log has them all the same.
async fn moves_without(setup: &mut Setup) -> anyhow::Result<f64> {
    let source = flags::moves(setup).await?;
    setup.seeder.hold_record_log().await?;
    let taken = load::send(setup.server.address, CONNECTIONS, load_seconds(setup), source).await;
    setup.seeder.release_record_log().await?;
    let (begun, mut looks) = (Instant::now(), tokio::time::interval(POLL_INTERVAL));
    loop {
        looks.tick().await;
        let now = setup.seeder.record_log().await?;
        if now.position >= now.newest {
            return Ok(moves_a_second(&taken?));
        }
        late(&now, begun)?;
    }
}

#[allow(clippy::cast_precision_loss)]
fn moves_a_second(taken: &Taken) -> f64 {
    taken.requests as f64 / taken.seconds
}

/// # Errors
/// The log has taken too long since then.
fn late(now: &RecordLog, begun: Instant) -> anyhow::Result<()> {
    if begun.elapsed() > TIMEOUT {
        bail!("the log has {} of {} positions after {} s", now.position, now.newest, TIMEOUT.as_secs());
    }
    Ok(())
}

fn load_seconds(setup: &Setup) -> f64 {
    if setup.args.quick { 3.0 } else { LOAD_SECONDS }
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

/// The 99th percentile of the time from a look that saw an event to one that saw a checkpoint over it, in seconds, while moves are made;
/// and how many moves a second were.
async fn delay_beside_moves(setup: &mut Setup) -> anyhow::Result<(f64, f64)> {
    let seconds = load_seconds(setup);
    let source = flags::moves(setup).await?;
    let done = RefCell::new(false);
    let loading = async {
        let taken = load::send(setup.server.address, CONNECTIONS, seconds, source).await;
        done.replace(true);
        taken
    };
    let watching = async {
        let (mut waiting, mut delays) = (VecDeque::new(), Vec::new());
        let mut looks = tokio::time::interval(POLL_INTERVAL);
        while !*done.borrow() {
            looks.tick().await;
            let now = setup.seeder.record_log().await?;
            waiting.push_back((now.newest, Instant::now()));
            while let Some((_, seen)) = waiting.pop_front_if(|(newest, _)| *newest <= now.position) {
                delays.push(seen.elapsed().as_secs_f64());
            }
        }
        delays.sort_by(f64::total_cmp);
        anyhow::Ok(delays)
    };
    let (taken, delays) = tokio::join!(loading, watching);
    let (taken, delays) = (taken?, delays?);
    let Some(p99) = delays.get(delays.len() * 99 / 100) else { bail!("the log did not go on") };
    Ok((*p99, moves_a_second(&taken)))
}
