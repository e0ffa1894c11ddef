//! `pippost replay`: steps through a game from its record in the terminal.

mod browser;
mod positions;
mod screen;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::verify::{REFUSED, UNREADABLE, describe_failure, read};
use crate::rules::{Seat, Viewer};
pub use positions::plain;
use positions::{NotReplayed, Positions};

#[derive(Args)]
pub struct ReplayArgs {
    /// The record, as exported by the API; `-` reads standard input.
    file: PathBuf,
    /// Print the game after this event, and exit.
    #[arg(long, value_name = "EVENT", conflicts_with = "all")]
    seq: Option<u64>,
    /// Print the game after every event, and exit. This is the default without a terminal.
    #[arg(long)]
    all: bool,
    /// Show what this seat saw; by default, what everybody saw.
    #[arg(long)]
    seat: Option<u8>,
}

/// Shows the game if its record is valid.
pub fn run(args: &ReplayArgs) -> ExitCode {
    let name = args.file.display();
    let viewer = args.seat.map_or(Viewer::Spectator, |seat| Viewer::Seat(Seat(seat)));
    let record = match read(&args.file) {
        Ok(record) => record,
        Err(error) => return fail(UNREADABLE, &format!("{name}: cannot be read: {error}")),
    };
    let positions = match Positions::of(&record, viewer) {
        Ok(positions) => positions,
        Err(NotReplayed::Refused(failure)) => {
            return fail(REFUSED, &format!("{name}: FAILED, {}", describe_failure(&failure)));
        }
        Err(other) => return fail(UNREADABLE, &format!("{name}: {other}")),
    };
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let shown = match args.seq {
        Some(seq) if seq >= positions.count() => {
            return fail(
                UNREADABLE,
                &format!("{name}: the record ends with event {}", positions.count() - 1),
            );
        }
        Some(seq) => print(&positions, seq..seq + 1),
        None if args.all || !on_terminal => print(&positions, 0..positions.count()),
        None => screen::show(&positions),
    };
    match shown {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe, as `| head` does.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(UNREADABLE, &format!("cannot be shown: {error}")),
    }
}

fn print(positions: &Positions, range: std::ops::Range<u64>) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for seq in range.clone() {
        if seq > range.start {
            writeln!(out)?;
        }
        for line in positions.lines(seq) {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    out.flush()
}

fn fail(code: u8, why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(code)
}
