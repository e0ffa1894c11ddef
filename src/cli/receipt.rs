//! `pippost receipt`: checks receipts.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use crate::games::RECEIPT_KIND;
use crate::games::history::receipts::MAX_RECEIPT_BYTES;
use crate::games::playing::move_response::ReceiptClaims;
use crate::keys::PublicKeys;
use crate::keys::jwks::MAX_JWKS_BYTES;
use crate::record::verify::MAX_RECORD_BYTES;
use crate::record::{Event, Header};

/// The time limit for a server's answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Args)]
pub struct ReceiptArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check a receipt: whether a server signed it, and whether a record contains the same event. Exit code 0 if everything is
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
            claims
        }
        Err(why) => {
            println!("signature: FAILED, {why}");
            return Ok(false);
        }
    };
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
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = std::sync::Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = reqwest::Client::builder().use_preconfigured_tls(tls).timeout(REQUEST_TIMEOUT).build()?;
    let mut response = client.get(url).send().await?.error_for_status()?;
    let mut text = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        text.extend_from_slice(&chunk);
        if text.len() > MAX_JWKS_BYTES {
            bail!("keys have at most {MAX_JWKS_BYTES} bytes");
        }
    }
    Ok(String::from_utf8(text)?)
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
    for line in lines {
        let line = line.context("the record cannot be read")?;
        let Ok(event) = serde_json::from_str::<Event>(&line) else { continue };
        if event.seq != claims.seq {
            continue;
        }
        return Ok(match (event.hash == claims.hash, event.computed_hash() == event.hash) {
            (true, true) => Ok(()),
            (true, false) => {
                Err(format!("its event {} has that hash written on it, but was changed", event.seq))
            }
            (false, _) => {
                Err(format!("its event {} is another one, with the hash {}", event.seq, event.hash))
            }
        });
    }
    Ok(Err(format!("it has no event {}", claims.seq)))
}
