//! `pippost log compare`: two checkpoints of a log.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::finding::find_checkpoint;
use super::reading::Log;
use super::{BROKEN, UNCHECKED, described, read_key, read_text};
use crate::log::Checkpoint;
use crate::log::checkpoint::{Comparison, compare};
use crate::log::note::VerifierKey;
use crate::log::tree::Hash;

/// The largest file, in bytes: a mail with its pictures.
const MAX_FILE_BYTES: usize = 16 * 1024 * 1024;

#[derive(Args)]
pub struct CompareArgs {
    /// Two files, each with a checkpoint of the log: mails of its server with their headers, or what `/log/checkpoint` gave.
    #[arg(num_args = 2, required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The log's public key, as `/log/key` of its server says; without it the one that the server gives is believed.
    #[arg(long, value_parser = read_key, required_unless_present = "log")]
    log_key: Option<VerifierKey>,
    /// The server, which is asked for the proof that one checkpoint continues the other; without it the one that the log is
    /// called after. What it answers is verified.
    #[arg(long)]
    log: Option<String>,
}

/// Compares and prints what follows.
pub fn run(args: &CompareArgs) -> ExitCode {
    let compared = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(anyhow::Error::from)
        .and_then(|runtime| runtime.block_on(compared(args)));
    match compared {
        Ok((comparison, said)) => {
            println!("{said}");
            match comparison {
                Comparison::Same | Comparison::Continues => ExitCode::SUCCESS,
                Comparison::Contradict => ExitCode::from(BROKEN),
                Comparison::OtherLog | Comparison::Unknown => ExitCode::from(UNCHECKED),
            }
        }
        Err(error) => {
            eprintln!("pippost: {error:#}");
            ExitCode::from(UNCHECKED)
        }
    }
}

async fn compared(args: &CompareArgs) -> anyhow::Result<(Comparison, String)> {
    let key = match (&args.log_key, &args.log) {
        (Some(key), _) => key.clone(),
        (None, Some(url)) => Log::at(url)?.own_key().await?,
        (None, None) => bail!("the key of the log is needed"),
    };
    let mut found = Vec::new();
    for file in &args.files {
        let checkpoint = find_checkpoint(&read_text(file, MAX_FILE_BYTES)?, &key);
        let (checkpoint, _) = checkpoint
            .with_context(|| format!("{} has no checkpoint that this log has signed", file.display()))?;
        println!("{}: {}", file.display(), described(&checkpoint));
        found.push(checkpoint);
    }
    let url = args.log.clone().unwrap_or_else(|| format!("https://{}", key.name));
    let (asked, why) = match asked(&url, &found[0], &found[1]).await {
        Ok(proof) => (proof, String::new()),
        Err(error) => (None, format!(" It did not: {error:#}.")),
    };
    let by_proof = asked.is_some();
    let comparison = compare(&found[0], &found[1], |_, _| asked);
    Ok((comparison, in_words(comparison, by_proof) + &why))
}

/// The proof that the larger of two trees continues the smaller one, if one is needed.
async fn asked(url: &str, one: &Checkpoint, other: &Checkpoint) -> anyhow::Result<Option<Vec<Hash>>> {
    let (old, new) = (one.size.min(other.size), one.size.max(other.size));
    if old == 0 || old == new {
        return Ok(None);
    }
    Log::at(url)?.consistency(old, new).await
}

fn in_words(comparison: Comparison, by_proof: bool) -> String {
    let words = match comparison {
        // What a server says badly may be a mistake of its own: only two signed texts that cannot both be true are evidence.
        Comparison::Contradict if by_proof => {
            "THESE CONTRADICT, as far as the server can show: it has no history with both. Keep both, and ask it again."
        }
        Comparison::Contradict => {
            "THESE CONTRADICT: the log has signed two histories. Keep both: together they are the proof."
        }
        Comparison::Same => "They are the same history.",
        Comparison::Continues => "The larger one continues the smaller one.",
        Comparison::OtherLog => "They are of different logs.",
        Comparison::Unknown => {
            "They have different sizes: whether one continues the other, the server can prove (--log URL)."
        }
    };
    words.to_owned()
}
