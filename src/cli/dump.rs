//! `pippost dump`: writes the public games of each day to a folder, and checks what others have downloaded from it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;
use sha2::{Digest, Sha256};

use super::building::{NO_LINKS, build_app_with, clock};
use super::logging;
use super::record_log::proving::{self, Policy};
use super::storage::{Running, Storage};
use super::verify::{REFUSED, UNREADABLE};
use crate::accounts::AccountLimits;
use crate::api::verdict::{Outcome, verdict};
use crate::app::App;
use crate::clock::log;
use crate::games::dumps::{self, DumpError, DumpFile, FORMAT, IndexEntry, Manifest};
use crate::record::Hash;
use crate::record::verify::MAX_RECORD_BYTES;
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};
use crate::worker::{StopSignal, run_loop};

/// The longest line of an index: a proof has some kilobytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// How much of a file is read at a time.
const BUFFER_BYTES: usize = 1 << 20;

#[derive(Args)]
pub struct DumpArgs {
    /// The folder to write the days to that it does not have yet.
    #[arg(long, env = "PIPPOST_DUMPS", value_name = "FOLDER", required_unless_present = "check")]
    folder: Option<PathBuf>,
    /// Check days by their manifests, with the files beside these: hashes, every record with its clock log, and with `--log-key` every
    /// proof that the log has it.
    #[arg(long, value_name = "MANIFEST", num_args = 1..)]
    check: Vec<PathBuf>,
    #[command(flatten)]
    policy: Policy,
    /// The public URL of the server, for manifests.
    #[arg(long, env = "PIPPOST_PUBLIC_URL", default_value = NO_LINKS)]
    public_url: String,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

/// Writes what is missing, or checks what is there.
pub fn run(args: &DumpArgs) -> ExitCode {
    if args.check.is_empty() {
        return match write(args) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("pippost: {error:#}");
                ExitCode::FAILURE
            }
        };
    }
    let (mut refused, mut unreadable) = (false, false);
    for manifest in &args.check {
        match check(manifest, &args.policy) {
            Ok(Checked { said, is_sound }) => {
                println!("{}: {said}", manifest.display());
                refused |= !is_sound;
            }
            Err(error) => {
                println!("{}: FAILED, {error:#}", manifest.display());
                let cannot_be_read = error.downcast_ref::<io::Error>().is_some();
                (refused, unreadable) = (refused || !cannot_be_read, unreadable || cannot_be_read);
            }
        }
    }
    match (refused, unreadable) {
        (true, _) => ExitCode::from(REFUSED),
        (false, true) => ExitCode::from(UNREADABLE),
        (false, false) => ExitCode::SUCCESS,
    }
}

fn write(args: &DumpArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    let Some(folder) = &args.folder else { bail!("name a folder with --folder") };
    let storage = Storage::open(&args.database, Running::Share)?;
    let written = storage.run(async |storage: &Storage| write_days(args, storage, folder).await)?;
    println!("days written: {written}");
    Ok(())
}

async fn write_days(args: &DumpArgs, storage: &Storage, folder: &Path) -> anyhow::Result<usize> {
    crate::app::migrate(&storage.address, false).await?;
    let limits = AccountLimits::default();
    let (database, keys, public_url) = (&args.database, &args.keys, args.public_url.clone());
    let app = build_app_with(clock(false), &limits, storage, database, keys, None, public_url).await?;
    let mut days = 0;
    while dumps::write_next(&app.games, folder).await? {
        days += 1;
    }
    app.database.close();
    Ok(days)
}

/// How often a worker looks for a day whose games are not dumped.
const LOOK_INTERVAL: Duration = Duration::from_mins(5);

/// Writes each day once it is over, until the worker stops.
pub async fn keep_writing(app: App, folder: PathBuf, stop: StopSignal) {
    let step = || async {
        let mut stopping = stop.clone();
        let written = tokio::select! {
            written = Box::pin(dumps::write_next(&app.games, &folder)) => usize::from(written?),
            // The next worker begins the day anew.
            () = stopping.wait() => return Ok(0),
        };
        app.metrics.count_worker("dumps", "days", written);
        Ok::<_, DumpError>(written)
    };
    run_loop("dumps", LOOK_INTERVAL, Arc::default(), stop.clone(), step).await;
}

/// What a check has found.
struct Checked {
    said: String,
    is_sound: bool,
}

/// Checks a day. An error says that its files do not fit together.
fn check(manifest: &Path, policy: &Policy) -> anyhow::Result<Checked> {
    let text = std::fs::read(manifest)?;
    let said: Manifest = serde_json::from_slice(&text).context("it is no manifest of a dump")?;
    ensure!(said.format == FORMAT, "its form is {}, not {FORMAT}", said.format);
    let beside = |file: &DumpFile| {
        ensure!(dumps::is_dump_file(&file.name), "{:?} is no name of a file of a dump", file.name);
        let path = manifest.with_file_name(&file.name);
        check_file(&path, file)?;
        Ok(File::open(path)?)
    };
    let mut records = zstd::Decoder::new(beside(&said.records)?)?;
    let mut index = BufReader::new(beside(&said.index)?);
    let (mut games, mut refused, mut proved, mut offset) = (0, 0, 0, 0);
    let mut line = String::new();
    while (&mut index).take(MAX_LINE_BYTES).read_line(&mut line)? > 0 {
        ensure!(line.ends_with('\n'), "a line of the index does not end, or is too long");
        let entry: IndexEntry = serde_json::from_str(&line).context("a line of the index")?;
        line.clear();
        ensure!(entry.offset == offset, "game {}: the index has another place for it", entry.game);
        let record = next_record(&mut records, &entry)?;
        (games, offset) = (games + 1, offset + entry.bytes);
        match check_game(&entry, &record, policy) {
            Ok(is_proved) => proved += u64::from(is_proved),
            Err(why) => {
                refused += 1;
                println!("game {}: FAILED, {why:#}", entry.game);
            }
        }
    }
    ensure!(records.read(&mut [0])? == 0, "there is more in it than the index says");
    ensure!(games == said.games, "it has {games} games, and its manifest says {}", said.games);
    let proofs = match &policy.log_key {
        Some(key) => format!("; the log {} has {proved} of them", key.name),
        None => String::new(),
    };
    let outcome = if refused == 0 { "OK".to_owned() } else { format!("FAILED, {refused} refused") };
    let said = format!("{outcome}, {games} games of {} by {}{proofs}", said.day, said.server);
    Ok(Checked { said, is_sound: refused == 0 })
}

fn check_file(path: &Path, said: &DumpFile) -> anyhow::Result<()> {
    let (mut file, mut buffer) = (File::open(path)?, vec![0; BUFFER_BYTES]);
    let (mut digest, mut bytes) = (Sha256::new(), 0);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
        bytes += read as u64;
    }
    let sha256 = Hash::from_bytes(digest.finalize().into());
    let is_it = bytes == said.bytes && sha256 == said.sha256;
    ensure!(
        is_it,
        "{} has {bytes} bytes with the hash {sha256}, which is not what the manifest says",
        said.name
    );
    Ok(())
}

/// The bytes of the next game.
fn next_record(records: &mut impl Read, entry: &IndexEntry) -> anyhow::Result<Vec<u8>> {
    ensure!(
        entry.bytes <= MAX_RECORD_BYTES as u64,
        "game {}: {} bytes are too many",
        entry.game,
        entry.bytes
    );
    let mut record = Vec::new();
    records.take(entry.bytes).read_to_end(&mut record)?;
    let is_it = record.len() as u64 == entry.bytes && Hash::of(&[&record]) == entry.sha256;
    ensure!(is_it, "game {}: the index has another hash or length", entry.game);
    Ok(record)
}

/// Whether the log is shown to have the game, too.
fn check_game(entry: &IndexEntry, record: &[u8], policy: &Policy) -> anyhow::Result<bool> {
    let verdict = verdict(record);
    if let Some(failure) = &verdict.failure {
        bail!("{}: {}", failure.check_name, failure.why);
    }
    ensure!(verdict.verdict == Outcome::Accepted, "it is a sandbox's, which proves nothing");
    ensure!(verdict.game == Some(entry.game), "it is the record of another game");
    let (Some(_), Some(proof)) = (&policy.log_key, &entry.proof) else { return Ok(false) };
    proving::check(log::split(record).0, proof, policy).map_err(anyhow::Error::msg)?;
    Ok(true)
}
