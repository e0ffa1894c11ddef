//! `pippost verify`

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::record::verify::MAX_RECORD_BYTES;
use crate::record::{Verified, verify};

#[derive(Args)]
pub struct VerifyArgs {
    /// Records to check, as the API exports them; `-` is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Checks each file and says what it found.
pub fn run(args: &VerifyArgs) -> ExitCode {
    let mut all_good = true;
    for file in &args.files {
        let name = file.display();
        match check(file) {
            Ok(verified) => println!("{name}: OK, {}", describe(&verified)),
            Err(why) => {
                println!("{name}: FAILED, {why}");
                all_good = false;
            }
        }
    }
    if all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(file: &PathBuf) -> Result<Verified, String> {
    let mut record = Vec::new();
    // One byte more than allowed, so that the verifier refuses what is too long.
    let limit = MAX_RECORD_BYTES as u64 + 1;
    let read = if file.as_os_str() == "-" {
        std::io::stdin().lock().take(limit).read_to_end(&mut record)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(limit).read_to_end(&mut record))
    };
    read.map_err(|error| format!("cannot be read: {error}"))?;
    verify(&record).map_err(|failure| failure.to_string())
}

fn describe(verified: &Verified) -> String {
    let players = verified.players.join(", ");
    let proof = if verified.proved {
        "every die and card proved"
    } else {
        "still running: what is revealed so far is consistent"
    };
    format!("{} by {players}, {} events, {proof}", verified.rules, verified.events)
}
