//! `pippost receipt`: checks receipts.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::record_log::promise::{Promise, check as check_promise};
use super::record_log::{get, http_client, named, read_key};
use crate::games::RECEIPT_KIND;
use crate::games::history::receipts::MAX_RECEIPT_BYTES;
use crate::games::playing::move_response::ReceiptClaims;
use crate::keys::PublicKeys;
use crate::keys::jwks::MAX_JWKS_BYTES;
use crate::log::note::VerifierKey;
use crate::record::verify::MAX_RECORD_BYTES;
use crate::record::{Event, Header};

/// What it means that a newer record lacks the event.
const LOST: &str = "If this record is newer than the receipt, the server has lost a move that it had acknowledged, as after a restore from \
    an older backup. The move is not in the game any more; the receipt still proves that it was made";

/// What it means that a record has another event.
const REPLACED: &str = "The server accepted the receipt's event, lost it or took it back, and accepted this one in its place, as after a \
    restore from an older backup. The record is what the game goes by; the receipt still proves the other";

#[derive(Args)]
pub struct ReceiptArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check a receipt: whether a server signed it, whether a record contains the same event, and whether the server's log does. Exit code 0 if everything is
    /// correct, 1 if not, 2 if it could not be checked.
    Check(CheckArgs),
}

#[derive(Args)]
struct CheckArgs {
    /// The receipt; without it, or with `-`, standard input is read.
    receipt: Option<String>,
    /// Read the receipt from this file.
    #[arg(long, conflicts_with = "receipt")]
    file: Option<PathBuf>,
    /// The server's public keys: a file, or a URL such as `https://example.org/.well-known/jwks.json`.
    #[arg(long)]
    jwks: String,
    /// A record of the game that should contain the event.
    #[arg(long)]
    record: Option<PathBuf>,
    /// The server whose log should contain the event, as the receipt promises; what it answers is verified.
    #[arg(long)]
    log: Option<String>,
    /// The public key of the log; without it the one that the server gives is believed.
    #[arg(long, requires = "log", value_parser = read_key)]
    log_key: Option<VerifierKey>,
}

/// Checks the receipt and prints the result.
pub fn run(args: &ReceiptArgs) -> ExitCode {
    let Task::Check(args) = &args.task;
    match check(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("pippost: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn check(args: &CheckArgs) -> anyhow::Result<bool> {
    let receipt = receipt(args)?;
    let keys = PublicKeys::parse(&keys(&args.jwks)?)
        .with_context(|| format!("{} holds no keys (JWKS, RFC 7517)", args.jwks))?;
    let claims = match keys.verify::<ReceiptClaims>(RECEIPT_KIND, receipt.trim()) {
        Ok((claims, key)) => {
            let ReceiptClaims { game, seq, hash, .. } = &claims;
            println!("signature: OK, key {key} signed that event {seq} of game {game} has the hash {hash}");
            if let Some(policy) = &claims.witnesses {
                println!("witnesses: {}", named(policy));
            }
            claims
        }
        Err(why) => {
            println!("signature: FAILED, {why}");
            return Ok(false);
        }
    };
    if let Some(url) = &args.log
        && !promise(args, url, &claims)?
    {
        return Ok(false);
    }
    let Some(path) = &args.record else { return Ok(true) };
    match event_of(path, &claims)? {
        Ok(()) => println!("record: OK, it has that very event"),
        Err(why) => {
            println!("record: FAILED, {why}");
            return Ok(false);
        }
    }
    Ok(true)
}

fn receipt(args: &CheckArgs) -> anyhow::Result<String> {
    let read = |source: &mut dyn Read| {
        let mut text = String::new();
        source.take(MAX_RECEIPT_BYTES as u64 + 1).read_to_string(&mut text).map(|_| text)
    };
    let text = match (&args.receipt, &args.file) {
        (_, Some(path)) => std::fs::File::open(path).and_then(|mut file| read(&mut file)),
        (Some(text), None) if text != "-" => Ok(text.clone()),
        (_, None) => read(&mut std::io::stdin().lock()),
    };
    let text = text.context("the receipt cannot be read")?;
    if text.len() > MAX_RECEIPT_BYTES {
        bail!("a receipt has at most {MAX_RECEIPT_BYTES} bytes");
    }
    Ok(text)
}

/// The JSON of the keys, from a file or a server.
fn keys(source: &str) -> anyhow::Result<String> {
    if !source.starts_with("https://") && !source.starts_with("http://") {
        let file = std::fs::File::open(source).with_context(|| format!("the keys {source}"))?;
        let mut text = String::new();
        file.take(MAX_JWKS_BYTES as u64 + 1).read_to_string(&mut text).context("the keys cannot be read")?;
        return Ok(text);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(fetch(source)).with_context(|| format!("the keys at {source}"))
}

async fn fetch(url: &str) -> anyhow::Result<String> {
    let text = get(&http_client()?, url, MAX_JWKS_BYTES).await?.context("there is nothing")?;
    Ok(String::from_utf8(text)?)
}

/// Whether the log has the event; without a certain answer the check fails.
fn promise(args: &CheckArgs, url: &str, claims: &ReceiptClaims) -> anyhow::Result<bool> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match runtime.block_on(check_promise(url, args.log_key.as_ref(), claims))? {
        Promise::Kept(how) => {
            println!("log: OK, {how}");
            Ok(true)
        }
        Promise::Broken(how) => {
            println!("log: FAILED. {how}");
            Ok(false)
        }
        Promise::Open(why) => bail!("the log: {why}"),
    }
}

/// Whether the record contains the event; if not, the reason.
fn event_of(path: &Path, claims: &ReceiptClaims) -> anyhow::Result<Result<(), String>> {
    let file = std::fs::File::open(path).with_context(|| format!("the record {}", path.display()))?;
    let mut lines = BufReader::new(file.take(MAX_RECORD_BYTES as u64)).lines();
    let header = lines.next().transpose().context("the record cannot be read")?.unwrap_or_default();
    let Ok(header) = serde_json::from_str::<Header>(&header) else {
        return Ok(Err("this is no record: its first line is no header".into()));
    };
    if header.id != claims.game {
        return Ok(Err(format!("it is of another game, {}", header.id)));
    }
    let mut last = None;
    for line in lines {
        let line = line.context("the record cannot be read")?;
        let Ok(event) = serde_json::from_str::<Event>(&line) else { continue };
        if event.seq != claims.seq {
            last = last.max(Some(event.seq));
            continue;
        }
        return Ok(match (event.hash == claims.hash, event.computed_hash() == event.hash) {
            (true, true) => Ok(()),
            (true, false) => {
                Err(format!("its event {} has that hash written on it, but was changed", event.seq))
            }
            (false, _) => Err(format!(
                "its event {} is another one, with the hash {}. {REPLACED}",
                event.seq, event.hash
            )),
        });
    }
    let last = last.map_or_else(|| "it has no event".to_owned(), |last| format!("it ends with event {last}"));
    Ok(Err(format!("it has no event {}: {last}. {LOST}", claims.seq)))
}
