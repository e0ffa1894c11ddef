//! How fast the rules are played and records verified, on one thread: by processor time, so that other programs of the machine
//! make little difference, and by the clock on the wall.

use std::time::{Duration, Instant};

use anyhow::Context;
use nix::time::{ClockId, clock_gettime};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::json;

use super::playouts::{playout, zipline_11};
use super::random_games::play;
use super::report::{median, spread_percent};
use super::rounds::Lab;
use super::script::Author;
use pippost::record::verify;
use pippost::rules::dominion::Dominion;
use pippost::rules::pip_pip::PipPip;
use pippost::rules::serpent::Serpent;
use pippost::rules::{self, Rules};

/// Seconds of a round.
const ROUND_SECONDS: f64 = 0.3;

/// The fewest rounds, unless the bench is a smoke test.
const MIN_ROUNDS: usize = 5;

/// Records of each rule set.
const RECORDS: usize = 20;

/// Where the random numbers begin: every round plays the same games.
const SEED: u64 = 11;

/// Something to count: how much of it was done by one call.
type Work<'a> = Box<dyn FnMut() -> u64 + 'a>;

struct Task<'a> {
    name: String,
    target: &'static str,
    work: Work<'a>,
    rounds: Vec<Round>,
}

/// How often it was done in a second.
struct Round {
    by_processor: f64,
    by_wall: f64,
}

/// Measures and prints.
///
/// # Errors
/// A record does not verify, or the system does not say what time was used.
pub fn run(lab: &Lab) -> anyhow::Result<()> {
    let (seconds, rounds) = if lab.args.quick {
        (0.01, 1)
    } else {
        (ROUND_SECONDS, usize::from(lab.args.rounds).max(MIN_ROUNDS))
    };
    let mut tasks = tasks(lab)?;
    for _ in 0..rounds {
        for task in &mut tasks {
            task.rounds.push(round(&mut task.work, seconds)?);
        }
    }
    println!(
        "\nRules and the verifier on one thread, nothing else running; medians of {rounds} rounds of {seconds} s. A second of its processor \
         time; by the clock on the wall; spread\n"
    );
    for task in &tasks {
        let of = |value: fn(&Round) -> f64| median(task.rounds.iter().map(value));
        let (rate, wall) = (of(|round| round.by_processor), of(|round| round.by_wall));
        println!(
            "  {:<46} {rate:>9.0} {wall:>9.0} {:>4.0}%   {}",
            task.name,
            spread_percent(task.rounds.iter().map(|round| round.by_processor)),
            task.target
        );
    }
    Ok(())
}

fn tasks(lab: &Lab) -> anyhow::Result<Vec<Task<'static>>> {
    let mut words = ChaCha8Rng::seed_from_u64(SEED);
    let mut words = move || words.next_u32();
    let start = zipline_11();
    let playouts: Work = Box::new(move || {
        std::hint::black_box(playout(&start, &mut words));
        1
    });
    let task = |name: String, target, work| Task { name, target, work, rounds: Vec::new() };
    let actions = "at least 200000";
    let mut tasks = vec![
        task("Zipline 11×11, random playouts".into(), "at least 100000", playouts),
        task("Dominion 4×4, actions".into(), actions, games::<Dominion>(&json!({"size": 4}), 3)?),
        task("Serpent, actions".into(), actions, games::<Serpent>(&json!({}), 2)?),
        task("Pip•Pip, actions".into(), actions, games::<PipPip>(&json!({}), 2)?),
    ];
    for rules in rules::all() {
        let mut author = Author::new(rules, &lab.data().join("keys"), lab.players.clone())?;
        let records: Vec<_> = (0..RECORDS).map(|_| author.record()).collect::<anyhow::Result<_>>()?;
        for record in &records {
            verify(record).context("a record of the bench is a good one")?;
        }
        let mut at = 0;
        let work: Work = Box::new(move || {
            at += 1;
            verify(&records[at % RECORDS]).map_or(0, |verified| verified.events)
        });
        tasks.push(task(format!("{}, events verified", rules.title()), "at least 100000", work));
    }
    Ok(tasks)
}

/// The same random games again and again, counted by their actions.
fn games<R: Rules>(options: &serde_json::Value, seats: u8) -> anyhow::Result<Work<'static>>
where
    R::Options: 'static,
{
    let options: R::Options = serde_json::from_value(options.clone())?;
    let mut source = ChaCha8Rng::seed_from_u64(SEED);
    Ok(Box::new(move || play::<R>(&options, seats, &mut source) as u64))
}

/// Works for that long.
#[allow(clippy::cast_precision_loss)]
fn round(work: &mut Work<'_>, seconds: f64) -> anyhow::Result<Round> {
    let (started, used, mut done) = (Instant::now(), thread_time()?, 0);
    while started.elapsed().as_secs_f64() < seconds {
        done += work();
    }
    let (used, wall) = (thread_time()?.saturating_sub(used), started.elapsed());
    let rate = |time: Duration| done as f64 / time.as_secs_f64();
    Ok(Round { by_processor: rate(used), by_wall: rate(wall) })
}

/// The processor time that this thread has used.
fn thread_time() -> nix::Result<Duration> {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from)
}
