//! `pippost verify`: checks records of games.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::record_log::proving::{self, Policy};
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

/// The exit code with `--strict` when nothing else is to be told, but one is accepted with a warning.
pub const WARNED: u8 = 4;

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
    /// Exit with 4 if a record is accepted with a warning only.
    #[arg(long)]
    strict: bool,
    /// Also check a proof that a log has the record, as `/log/proof/GAME` gives it, offline; or a folder, such as an archive of
    /// your games, in which the proof of `NAME.ndjson` is `NAME.proof`. A record without a proof there is not refused.
    #[arg(long, requires = "log_key")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    policy: Policy,
}

/// Checks each file and prints its result.
pub fn run(args: &VerifyArgs) -> ExitCode {
    let standard_input = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard_input[..] } else { &args.files };
    if files.len() > 1 && args.proof.as_ref().is_some_and(|proof| !proof.is_dir()) {
        eprintln!("pippost: a proof is of one record; for more, name a folder with their proofs");
        return ExitCode::from(UNREADABLE);
    }
    let (mut refused, mut unreadable, mut sandbox, mut warned) = (false, false, false, false);
    for file in files {
        let name = file.display().to_string();
        match read(file) {
            Ok(record) => {
                let verdict = verdict(&record);
                refused |= verdict.failure.is_some();
                sandbox |= verdict.verdict == Outcome::Sandbox;
                warned |= verdict.clock.as_ref().is_some_and(|clock| clock.warning.is_some());
                let said = if args.json { as_json(&name, &verdict) } else { describe(&name, &verdict) };
                println!("{said}");
                if args.times {
                    print_times(&record);
                }
                if let Some(proof) = args.proof.as_ref().filter(|_| verdict.failure.is_none()) {
                    match proof_of(file, proof) {
                        Some(proof) => refused |= !is_proved(&record, &proof, &args.policy),
                        None => println!("{name}: no proof that a log has it is there"),
                    }
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
        (false, false, false) if warned && args.strict => ExitCode::from(WARNED),
        (false, false, false) => ExitCode::SUCCESS,
    }
}

/// The file with the proof of a record; `None` if the folder has none.
fn proof_of(record: &Path, proof: &Path) -> Option<PathBuf> {
    if !proof.is_dir() {
        return Some(proof.to_owned());
    }
    let file = proof.join(record.file_stem()?).with_added_extension("proof");
    file.exists().then_some(file)
}

/// Whether a proof shows that a log has the record; prints what it shows.
fn is_proved(record: &[u8], proof: &Path, policy: &Policy) -> bool {
    let text = std::fs::read_to_string(proof).map_err(|error| error.to_string());
    let shown = text.and_then(|text| proving::check(log::split(record).0, &text, policy));
    match &shown {
        Ok(what) => println!("{}: OK, {what}", proof.display()),
        Err(why) => println!("{}: FAILED, {why}", proof.display()),
    }
    shown.is_ok()
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
    let clock = match &verdict.clock {
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
    let warning = verdict.clock.as_ref().and_then(|clock| clock.warning.as_ref());
    let warning = warning.map(|warning| format!("\n  warning: {warning}")).unwrap_or_default();
    format!("{name}: OK, {rules} by {players}, {events} events, {proof}{clock}{warning}")
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
