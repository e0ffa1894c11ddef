//! The commands about logs over records: reading a log as a stranger does, and judging what it says.

mod compare;
mod delay;
mod finding;
mod monitor;
mod monitor_figures;
pub mod promise;
pub mod proving;
mod reading;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::replay::plain;
use crate::games::transparency::WitnessPolicy;
use crate::log::Checkpoint;
use crate::log::note::VerifierKey;

pub use monitor::{MonitorArgs, run as monitor};
pub use reading::{body, get, http_client};

/// The exit code when something could not be checked.
pub const UNCHECKED: u8 = 2;

/// The exit code when a log lacks what it should have by now.
pub const TOO_LATE: u8 = 3;

/// The exit code when a log or a server has broken its word.
pub const BROKEN: u8 = 1;

#[derive(Args)]
pub struct RecordLogArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compare two checkpoints of a log, from files or from two mails of its server, saved with their headers (`.eml`): the same
    /// history, one continues the other, or they contradict. Exit code 0 if no more is wrong, 1 if they contradict, 2 if it could
    /// not be checked.
    Compare(compare::CompareArgs),
}

/// Runs the command.
pub fn run(args: &RecordLogArgs) -> ExitCode {
    let Task::Compare(args) = &args.task;
    compare::run(args)
}

/// Reads the public key of a log or a witness.
pub fn read_key(text: &str) -> Result<VerifierKey, String> {
    VerifierKey::read(text.trim()).ok_or_else(|| "a key is like name+12345678+base64".to_owned())
}

/// The text of a file, at most so many bytes.
fn read_text(path: &Path, limit: usize) -> anyhow::Result<String> {
    use std::io::Read;
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        bail!("{} has more than {limit} bytes", path.display());
    }
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

/// The witnesses that a receipt or a proof names, in words.
pub fn named(policy: &WitnessPolicy) -> String {
    let names: Vec<&str> = policy.keys.iter().map(|key| key.split('+').next().unwrap_or_default()).collect();
    format!("the server names {} of {}: {}", policy.needed, names.len(), plain(&names.join(", ")))
}

/// A checkpoint in words.
fn described(checkpoint: &Checkpoint) -> String {
    format!("{} with {} entries, root {}", checkpoint.origin, checkpoint.size, checkpoint.root_text())
}
