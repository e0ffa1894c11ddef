//! `pippost verify`: checks records of games.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::replay::plain;
use crate::api::verdict::{FailureView, Outcome, PROVES_NOTHING, Verdict, verdict};
use crate::clock::log::{self, LogCheck};
use crate::record::verify::{Check, MAX_RECORD_BYTES};

/// The exit code when a record is refused.
pub const REFUSED: u8 = 1;

/// The exit code when no record is refused but a file cannot be read; also the one for a wrong command line.
pub const UNREADABLE: u8 = 2;

/// The exit code when all files are read and no record is refused, but one is a sandbox's, which proves nothing.
pub const SANDBOX: u8 = 3;

#[derive(Args)]
pub struct VerifyArgs {
    /// Records to check, as exported by the API; `-`, or no file, reads standard input.
    files: Vec<PathBuf>,
    /// Print one JSON object per record: its name, the verdict, and the reason.
    #[arg(long)]
    json: bool,
    /// Also print what each seat had left at each event, recomputed from the clock log (`…/record?with=clock`).
    #[arg(long, conflicts_with = "json")]
    times: bool,
}

/// Checks each file and prints its result.
pub fn run(args: &VerifyArgs) -> ExitCode {
    let standard_input = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard_input[..] } else { &args.files };
    let (mut refused, mut unreadable, mut sandbox) = (false, false, false);
    for file in files {
        let name = file.display().to_string();
        match read(file) {
            Ok(record) => {
                let verdict = verdict(&record);
                refused |= verdict.failure.is_some();
                sandbox |= verdict.verdict == Outcome::Sandbox;
                let said = if args.json { as_json(&name, &verdict) } else { describe(&name, &verdict) };
                println!("{said}");
                if args.times {
                    print_times(&record);
                }
            }
            Err(error) => {
                unreadable = true;
                let why = format!("cannot be read: {error}");
                if args.json {
                    println!("{}", json!({"name": name, "verdict": "unreadable", "why": why}));
                } else {
                    println!("{name}: FAILED, {why}");
                }
            }
        }
    }
    match (refused, unreadable, sandbox) {
        (true, _, _) => ExitCode::from(REFUSED),
        (false, true, _) => ExitCode::from(UNREADABLE),
        (false, false, true) => ExitCode::from(SANDBOX),
        (false, false, false) => ExitCode::SUCCESS,
    }
}

/// Reads a record. A longer one is cut one byte after the verifier's limit, so that the verifier refuses it.
pub fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut record = Vec::new();
    let limit = MAX_RECORD_BYTES as u64 + 1;
    if file.as_os_str() == "-" {
        let input = std::io::stdin();
        if input.is_terminal() {
            eprintln!("Reading a record from the terminal; Ctrl-D ends it.");
        }
        input.lock().take(limit).read_to_end(&mut record)?;
    } else {
        std::fs::File::open(file)?.take(limit).read_to_end(&mut record)?;
    }
    Ok(record)
}

/// What each seat had left when it acted, in hours of counted time.
fn print_times(text: &[u8]) {
    let (record, Some(clock_log)) = log::split(text) else { return };
    let Ok((_, Ok(clock))) = log::verify(record, clock_log) else { return };
    for taken in clock.times.unwrap_or_default() {
        let parts = [("limit", taken.left.limit), ("bank", taken.left.bank), ("wait", taken.left.wait)];
        let parts = parts.into_iter().filter_map(|(part, left)| Some(format!("{part} {}", hours(left?))));
        let left: Vec<String> = parts.collect();
        println!("  event {} at {}: seat {} had left: {}", taken.seq, taken.at, taken.seat, left.join(", "));
    }
}

/// Microseconds as hours, minutes and seconds with six decimals.
fn hours(microseconds: i64) -> String {
    let (seconds, part) = (microseconds / 1_000_000, microseconds % 1_000_000);
    format!("{}:{:02}:{:02}.{part:06}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn as_json(name: &str, verdict: &Verdict) -> String {
    let mut said = serde_json::to_value(verdict).expect("plain data");
    said["name"] = name.into();
    said.to_string()
}

fn describe(name: &str, verdict: &Verdict) -> String {
    if let Some(failure) = &verdict.failure {
        return format!("{name}: FAILED, {}", describe_failure(failure));
    }
    let (rules, players) = (verdict.rules.as_deref().unwrap_or_default(), verdict.players.as_deref());
    let (players, events) = (
        players.unwrap_or_default().iter().map(|name| plain(name)).collect::<Vec<_>>().join(", "),
        verdict.events.unwrap_or_default(),
    );
    if verdict.verdict == Outcome::Sandbox {
        return format!("{name}: {PROVES_NOTHING} ({rules} by {players}, {events} events, as the rules say)");
    }
    let proof = if verdict.proved == Some(true) {
        "every die and card proved"
    } else {
        "still running: what is revealed so far is consistent"
    };
    let clock = match verdict.clock {
        None => String::new(),
        Some(clock) if clock.times_recomputed => {
            format!("; clock log of {} lines: every time recomputed", clock.lines)
        }
        Some(clock) => {
            format!(
                "; clock log of {} lines: consistent, calendars are sealed while the game runs",
                clock.lines
            )
        }
    };
    format!("{name}: OK, {rules} by {players}, {events} events, {proof}{clock}")
}

/// The place and the failure and, on its own line, what the failure means.
pub fn describe_failure(failure: &FailureView) -> String {
    let part = match (failure.event, failure.line) {
        (Some(event), _) => format!("event {event}"),
        (None, Some(line)) => format!("clock line {line}"),
        (None, None) => serde_json::to_value(failure.part)
            .map_or(String::new(), |part| part.as_str().unwrap_or_default().to_owned()),
    };
    let all = if failure.check > Check::COUNT { Check::COUNT + LogCheck::COUNT } else { Check::COUNT };
    let (check, name) = (failure.check, failure.check_name);
    format!("{part}: {}\n  (check {check} of {all}, {name}: {})", failure.why, failure.meaning)
}
