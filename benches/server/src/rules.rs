//! Measures the speed of rules and of verification on one thread: by processor time, which other programs hardly affect, and by
//! wall-clock time.

use std::time::{Duration, Instant};

use anyhow::Context;
use nix::time::{ClockId, clock_gettime};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::{Value, json};

use super::random_games::{play_fast, play_listed};
use super::report::{median, spread_percent};
use super::rounds::Setup;
use super::script::Author;
use pippost::record::verify;
use pippost::rules::registry::Visitor;
use pippost::rules::{self, Rules};

/// The length of a round, in seconds.
const ROUND_SECONDS: f64 = 0.3;

/// The fewest rounds, except in a smoke test.
const MIN_ROUNDS: usize = 5;

/// The number of records of each rule set.
const RECORDS: usize = 20;

/// The seed of the random numbers: every round plays the same games.
const SEED: u64 = 11;

/// Repeatable work; returns how many items one call processed.
type Work<'a> = Box<dyn FnMut() -> u64 + 'a>;

struct Task<'a> {
    name: String,
    target: &'static str,
    work: Work<'a>,
    rounds: Vec<Round>,
}

/// The number of items per second.
struct Round {
    by_processor: f64,
    by_wall: f64,
}

/// Measures and prints.
///
/// # Errors
/// A record does not verify, or the system does not report the used time.
pub fn run(setup: &Setup) -> anyhow::Result<()> {
    let (seconds, rounds) = if setup.args.quick {
        (0.01, 1)
    } else {
        (ROUND_SECONDS, usize::from(setup.args.rounds).max(MIN_ROUNDS))
    };
    let mut tasks = tasks(setup)?;
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

impl<'a> Task<'a> {
    fn new(name: String, target: &'static str, work: Work<'a>) -> Self {
        Self { name, target, work, rounds: Vec::new() }
    }
}

fn tasks(setup: &Setup) -> anyhow::Result<Vec<Task<'static>>> {
    let mut games = Games(Vec::new());
    rules::visit_all(&mut games);
    let mut tasks = games.0;
    for rules in rules::all() {
        let mut author = Author::new(rules, &setup.data().join("keys"), setup.players.clone())?;
        let records: Vec<_> = (0..RECORDS).map(|_| author.record()).collect::<anyhow::Result<_>>()?;
        for record in &records {
            verify(record).context("a record of the bench is a good one")?;
        }
        let mut at = 0;
        let work: Work = Box::new(move || {
            at += 1;
            verify(&records[at % RECORDS]).map_or(0, |verified| verified.events)
        });
        tasks.push(Task::new(format!("{}, events verified", rules.title()), "at least 100000", work));
    }
    Ok(tasks)
}

/// Random games of every rule set: actions from lists under its default options, and games without lists under each of its
/// variants.
struct Games(Vec<Task<'static>>);

impl Visitor for Games {
    fn visit<R: Rules>(&mut self) {
        let usual = options::<R>(&json!({}));
        let mut source = ChaCha8Rng::seed_from_u64(SEED);
        let listed: Work = Box::new(move || play_listed::<R>(&usual, &mut source) as u64);
        self.0.push(Task::new(format!("{}, actions", R::TITLE), "at least 200000", listed));
        for (name, given) in variants(&R::options_schema()) {
            let options = options::<R>(&given);
            let mut source = ChaCha8Rng::seed_from_u64(SEED);
            let fast: Work = Box::new(move || {
                std::hint::black_box(play_fast::<R>(&options, &mut source));
                1
            });
            self.0.push(Task::new(format!("{}{name}, random games", R::TITLE), "", fast));
        }
    }
}

/// Options that the rule set's schema allows.
fn options<R: Rules>(given: &Value) -> R::Options {
    serde_json::from_value(given.clone()).expect("options of the schema are possible")
}

/// The default options, and variants with each other value of an enumerated option; with a name for each.
fn variants(schema: &Value) -> Vec<(String, Value)> {
    let mut variants = vec![(String::new(), json!({}))];
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let values = property["enum"].as_array().into_iter().flatten();
        for value in values.filter(|value| **value != property["default"]) {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            variants.push((format!(" ({name} {shown})"), json!({name: value})));
        }
    }
    variants
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

/// The processor time of this thread.
fn thread_time() -> nix::Result<Duration> {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from)
}
