//! `pippost monitor`: follows a log, and notices if it takes anything back.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use clap::Args;
use uuid::Uuid;

use super::super::known_checkpoint::write;
use super::delay::{Delays, Measure, Measured};
use super::monitor_figures::Figures;
use super::reading::Log;
use super::{BROKEN, TOO_LATE, UNCHECKED, described, read_key, read_text};
use crate::games::transparency::DEFAULT_LOG_WITHIN_SECONDS;
use crate::log::checkpoint::{Comparison, compare};
use crate::log::entry::game_digest;
use crate::log::note::{MAX_NOTE_BYTES, Note, VerifierKey};
use crate::log::tiles::{Growing, Tiles};
use crate::log::{Checkpoint, Entry, Hash};

#[derive(Args)]
pub struct MonitorArgs {
    /// The server whose log is followed.
    url: String,
    /// The log's public key; without it the one that the server gives is believed when it is first seen.
    #[arg(long, value_parser = read_key)]
    log_key: Option<VerifierKey>,
    /// File with the newest checkpoint that was seen: what contradicts it is found after a restart, too.
    #[arg(long, default_value = "monitor.checkpoint")]
    state: PathBuf,
    /// How many seconds to wait between two looks.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86400))]
    interval: u64,
    /// Look once, and end with exit code 0 if all is well, 1 if the log contradicts itself, 2 if it cannot be read, 3 if it lacks
    /// events of public games although their time is over.
    #[arg(long)]
    once: bool,
    /// How many seconds the log has for an event, as the server's receipts promise.
    #[arg(long, default_value_t = DEFAULT_LOG_WITHIN_SECONDS)]
    within: u32,
    /// Write figures to this file after each look, for the textfile collector of Prometheus's node exporter.
    #[arg(long)]
    metrics: Option<PathBuf>,
}

/// What the log has done that no log may.
struct Misdeed(String);

/// What became of following a log.
enum Ended {
    Well,
    Late,
    Misdeed(Misdeed),
}

/// What the monitor knows of a log.
#[derive(Default)]
struct Known {
    /// The newest checkpoint, with its signatures.
    last: Option<(Checkpoint, Note)>,
    tree: Growing,
    /// By game, the number that comes next.
    next: HashMap<Hash, u32>,
    delays: Delays,
    /// When the newest checkpoint was seen first, and whether its file does not have it yet.
    seen_at: Option<SystemTime>,
    is_new: bool,
}

/// Follows a log until it misbehaves.
pub fn run(args: &MonitorArgs) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return unchecked(&error.into()),
    };
    match runtime.block_on(follow(args)) {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Late) => ExitCode::from(TOO_LATE),
        Ok(Ended::Misdeed(Misdeed(what))) => {
            println!("{what}");
            ExitCode::from(BROKEN)
        }
        Err(error) => unchecked(&error),
    }
}

fn unchecked(error: &anyhow::Error) -> ExitCode {
    eprintln!("pippost: {error:#}");
    ExitCode::from(UNCHECKED)
}

async fn follow(args: &MonitorArgs) -> anyhow::Result<Ended> {
    let log = Log::at(&args.url)?;
    let key = match &args.log_key {
        Some(key) => key.clone(),
        None => log.own_key().await?,
    };
    let mut known = Known { last: stored(&args.state, &key)?, ..Known::default() };
    known.seen_at = args.state.metadata().and_then(|file| file.modified()).ok();
    loop {
        let looked = match look(&log, &key, &mut known).await {
            Ok(Some(misdeed)) => Err(misdeed),
            Ok(None) => match told(&log, &key, args, &mut known).await {
                Ok(told) => told,
                Err(error) => unreadable(args, error)?,
            },
            Err(error) => unreadable(args, error)?,
        };
        match looked {
            Err(misdeed) => {
                write_figures(args, &known, false, &Measured::default())?;
                return Ok(Ended::Misdeed(misdeed));
            }
            Ok(is_late) if args.once => return Ok(if is_late { Ended::Late } else { Ended::Well }),
            Ok(_) => {}
        }
        // A log tells nobody of new checkpoints: it is asked.
        tokio::time::sleep(Duration::from_secs(args.interval)).await;
    }
}

/// Tells of a log that could not be read, and goes on unless one look was asked for.
fn unreadable(args: &MonitorArgs, error: anyhow::Error) -> anyhow::Result<Result<bool, Misdeed>> {
    if args.once {
        return Err(error);
    }
    eprintln!("pippost: {error:#}");
    Ok(Ok(false))
}

/// Keeps what was seen, and tells of it; returns whether the log is late.
async fn told(
    log: &Log,
    key: &VerifierKey,
    args: &MonitorArgs,
    known: &mut Known,
) -> anyhow::Result<Result<bool, Misdeed>> {
    let Some((checkpoint, note)) = &known.last else { return Ok(Ok(false)) };
    if known.is_new {
        write(&args.state, &note.to_string()).with_context(|| args.state.display().to_string())?;
        known.is_new = false;
    }
    let holds = |game: Uuid| known.next.get(&game_digest(game)).copied().unwrap_or_default();
    let within = Duration::from_secs(args.within.into());
    let measured = known.delays.look(&Measure { log, key, within, holds: &holds }).await?;
    let age = known.age().as_secs();
    let longest = measured.longest.map_or_else(
        || "no delay was measured".to_owned(),
        |longest| format!("events are in the log within {:.1} seconds", longest.as_secs_f64()),
    );
    println!("consistent: {}, known for {age} seconds; {longest}", described(checkpoint));
    for event in &measured.late {
        println!("TOO LATE: the log does not have {event}");
    }
    if let Some(event) = measured.replaced.first() {
        return Ok(Err(contradiction(
            &format!("has no proof of {event}, and something in its place"),
            note,
            note,
        )));
    }
    write_figures(args, known, true, &measured)?;
    Ok(Ok(!measured.late.is_empty()))
}

fn write_figures(
    args: &MonitorArgs,
    known: &Known,
    is_consistent: bool,
    measured: &Measured,
) -> anyhow::Result<()> {
    let (Some(file), Some((checkpoint, _))) = (&args.metrics, &known.last) else { return Ok(()) };
    let (age, longest, late) = (known.age(), measured.longest, measured.late.len());
    let figures = Figures { checkpoint, is_consistent, age, longest, late };
    figures.write(file).with_context(|| file.display().to_string())
}

impl Known {
    /// Since when the newest checkpoint is known.
    fn age(&self) -> Duration {
        self.seen_at.and_then(|at| at.elapsed().ok()).unwrap_or_default()
    }
}

/// The checkpoint of an earlier run.
fn stored(state: &Path, key: &VerifierKey) -> anyhow::Result<Option<(Checkpoint, Note)>> {
    if !state.exists() {
        return Ok(None);
    }
    let note = Note::read(&read_text(state, MAX_NOTE_BYTES)?)?;
    let checkpoint = Checkpoint::open(&note, key)
        .with_context(|| format!("{} is of another log, or of this one with another key", state.display()))?;
    Ok(Some((checkpoint, note)))
}

async fn look(log: &Log, key: &VerifierKey, known: &mut Known) -> anyhow::Result<Option<Misdeed>> {
    let (newest, note) = log.checkpoint(key).await?;
    if let Some((last, signed)) = &known.last {
        let (old, new) = (last.size.min(newest.size), last.size.max(newest.size));
        let is_shorter = newest.size < last.size;
        let proof = match log.consistency(old, new).await {
            Ok(proof) => proof,
            // Of a log that went back it cannot be had.
            Err(_) if is_shorter => None,
            Err(error) => return Err(error),
        };
        match compare(last, &newest, |_, _| proof) {
            // An older checkpoint from a cache is not a new history.
            Comparison::Continues if is_shorter => return Ok(None),
            Comparison::Same | Comparison::Continues => {}
            _ if is_shorter => return Ok(Some(contradiction("has become shorter", signed, &note))),
            _ => {
                return Ok(Some(contradiction(
                    "shows a history that does not continue the last",
                    signed,
                    &note,
                )));
            }
        }
    }
    if let Some(what) = read_entries(log, &newest, known).await? {
        return Ok(Some(contradiction(&what, &note, &note)));
    }
    if known.last.as_ref().is_none_or(|(last, _)| *last != newest) || known.seen_at.is_none() {
        (known.seen_at, known.is_new) = (Some(SystemTime::now()), true);
    }
    known.last = Some((newest, note));
    Ok(None)
}

/// Reads all entries that are new, and holds them against the checkpoint.
async fn read_entries(log: &Log, newest: &Checkpoint, known: &mut Known) -> anyhow::Result<Option<String>> {
    while known.tree.size() < newest.size {
        let first = known.tree.size();
        let entries = log.bundle(first, newest.size).await?;
        let within = usize::try_from(first % crate::log::tiles::TILE_WIDTH)?;
        let new = entries.get(within..).filter(|new| !new.is_empty()).context("a bundle is too short")?;
        for entry in new {
            if let Some(what) = follow_game(&mut known.next, entry) {
                return Ok(Some(what));
            }
        }
        let _changed: Tiles = known.tree.add(new.iter().map(Entry::leaf));
    }
    let same = known.tree.root() == newest.root;
    Ok((!same).then(|| "shows entries that are not those that it has signed".to_owned()))
}

/// Entries of a game come in order, each once.
fn follow_game(next: &mut HashMap<Hash, u32>, entry: &Entry) -> Option<String> {
    let expected = next.entry(entry.game).or_default();
    if entry.seq == *expected {
        *expected += 1;
        return None;
    }
    let what = if entry.seq < *expected { "has two entries for" } else { "has left out entries before" };
    Some(format!("{what} event {} of a game", entry.seq))
}

fn contradiction(what: &str, one: &Note, other: &Note) -> Misdeed {
    let both = if one == other { one.to_string() } else { format!("{one}\n{other}") };
    Misdeed(format!("THE LOG {what}. Keep what it has signed:\n\n{both}"))
}
