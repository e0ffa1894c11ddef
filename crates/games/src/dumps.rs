//! Daily dumps of public games, for everybody: the records of the games that ended on a day, one after another with their clock logs, as
//! [`reading::record`] gives them, in a file compressed by zstd; an index with each game's place in it, hash and proof that the log has
//! it; and a manifest, which is written last, so a day without one is not done.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::{Date, Duration};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::history::reading;
use crate::transparency::{self, WantedEntry};
use crate::viewing::view::Requester;
use pippost_record::record::{Hash, Timestamp};
use pippost_store::dumped_games::{self, DumpedGame};

/// The form of manifests.
pub const FORMAT: &str = "pippost-dump/1";

/// How long after its end a day is written. By then the log has what was decided in its last second.
const SETTLES_IN: Duration = Duration::HOUR;

/// The games that are listed by one query.
const PAGE: i64 = 200;

/// How the names of a day's files begin and end; the day is between.
const PREFIX: &str = "pippost-";
const MANIFEST: &str = ".json";
const INDEX: &str = ".index.ndjson";
const RECORDS: &str = ".ndjson.zst";

/// The file whose lock the process has that writes.
pub const LOCK: &str = ".lock";

/// Why a dump cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("games of a sandbox prove nothing, so it has no dumps")]
    Sandbox,
}

/// What a day's dump has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    /// The public address of the server.
    pub server: String,
    /// The UTC day on which the games ended, as in `2026-11-28`.
    pub day: String,
    pub games: u64,
    /// Public games of players who do not want to be in dumps, or have deleted their accounts.
    pub left_out: u64,
    /// Games that the server could not read.
    pub unreadable: u64,
    /// The games by rule set.
    pub by_rules: BTreeMap<String, u64>,
    pub records: DumpFile,
    pub index: DumpFile,
    /// The newest checkpoint of the server's log at the end of the writing; null: the server has no log.
    pub checkpoint: Option<String>,
}

/// A file beside the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DumpFile {
    pub name: String,
    pub bytes: u64,
    pub sha256: Hash,
    /// The bytes of what is compressed in it.
    pub unpacked_bytes: u64,
}

/// A game of a dump: a line of the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexEntry {
    pub game: Uuid,
    pub rules: String,
    pub finished_at: Timestamp,
    /// Where its record begins in the uncompressed file, and how long it is with its clock log.
    pub offset: u64,
    pub bytes: u64,
    /// The hash of these bytes.
    pub sha256: Hash,
    /// The `tlog-proof` of its newest event; null: the log does not have it.
    pub proof: Option<String>,
}

/// The name of the manifest of a day.
#[must_use]
pub fn manifest_name(day: Date) -> String {
    stem(day) + MANIFEST
}

fn stem(day: Date) -> String {
    let (year, month, day) = day.to_calendar_date();
    format!("{PREFIX}{year:04}-{:02}-{day:02}", u8::from(month))
}

/// Writes the next day that has no dump in `folder`, from the first on that a public game ended on; false if there is none, or another
/// process writes.
///
/// # Errors
/// The database failed, or the folder cannot be written; the day is begun anew by the next call.
pub async fn write_next(games: &Games, folder: &Path) -> Result<bool, DumpError> {
    if games.inner.clock.is_sandbox() {
        return Err(DumpError::Sandbox);
    }
    let Some(first) = dumped_games::first_end(&games.database).await.map_err(GameError::from)? else {
        return Ok(false);
    };
    let today = (games.now() - SETTLES_IN).to_utc().date();
    let mut days = std::iter::successors(Some(first.to_utc().date()), |day| day.next_day());
    let mut missing =
        days.by_ref().take_while(|day| *day < today).filter(|day| !folder.join(manifest_name(*day)).exists());
    let Some(day) = missing.next() else { return Ok(false) };
    let Some(_locked) = lock(folder)? else { return Ok(false) };
    // Another process may have written it before this one had the lock.
    if !folder.join(manifest_name(day)).exists() {
        write(games, folder, day).await?;
    }
    Ok(true)
}

/// The lock of the folder; `None` if another process has it.
fn lock(folder: &Path) -> Result<Option<File>, DumpError> {
    let path = folder.join(LOCK);
    let file = File::create(&path).map_err(|error| DumpError::File(path.clone(), error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(DumpError::File(path, error)),
    }
}

async fn write(games: &Games, folder: &Path, day: Date) -> Result<(), DumpError> {
    let mut writing = Writing::begin(games, folder, day)?;
    let from = day.midnight().assume_utc();
    let span = (from, from + Duration::DAY);
    let mut last: Option<DumpedGame> = None;
    loop {
        let page =
            dumped_games::page(&games.database, span, last.as_ref(), PAGE).await.map_err(GameError::from)?;
        for game in &page {
            if game.left_out {
                writing.manifest.left_out += 1;
                continue;
            }
            match read(games, game.id).await {
                Ok((record, proof)) => writing.add(game, &record, proof)?,
                Err(error @ GameError::Corrupt(..)) => {
                    tracing::error!(game = %game.id, %error, "a game is not in the dump of its day");
                    writing.manifest.unreadable += 1;
                }
                Err(error) => return Err(error.into()),
            }
        }
        match page.into_iter().next_back() {
            Some(game) => last = Some(game),
            None => break,
        }
    }
    let newest = transparency::newest(games).await?;
    writing.manifest.checkpoint = newest.map(|newest| newest.newest_note().to_owned());
    let written = writing.finish()?;
    tracing::info!(
        day = written.day,
        games = written.games,
        bytes = written.records.bytes,
        "a dump is written"
    );
    Ok(())
}

/// The record of a game with its clock log, as everybody may see it, and the proof that the log has it.
async fn read(games: &Games, game_id: Uuid) -> Result<(Vec<u8>, Option<String>), GameError> {
    let everybody = Requester::default();
    let parts: Vec<Bytes> = reading::record(games, game_id, &everybody, true).await?.try_collect().await?;
    let proof = match transparency::proof(games, game_id, &everybody, WantedEntry::default()).await {
        Ok(proof) => Some(proof.text()),
        Err(GameError::NotFound) => None,
        Err(error) => return Err(error),
    };
    Ok((parts.concat(), proof))
}

/// Writes a file, and knows its length and hash.
struct Hashing {
    file: BufWriter<File>,
    digest: Sha256,
    bytes: u64,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Hashing {
    fn create(path: PathBuf) -> Result<Self, DumpError> {
        let file = File::create(&path).map_err(|error| DumpError::File(path, error))?;
        Ok(Self { file: BufWriter::new(file), digest: Sha256::new(), bytes: 0 })
    }

    /// Brings the file to the disk, and says in `file` what it is.
    fn finish(self, file: &mut DumpFile) -> io::Result<()> {
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        (file.sha256, file.bytes) = (Hash::from_bytes(self.digest.finalize().into()), self.bytes);
        Ok(())
    }
}

/// A day that is written: its files have other names until it is done.
struct Writing {
    folder: PathBuf,
    manifest: Manifest,
    records: zstd::Encoder<'static, Hashing>,
    index: Hashing,
}

/// The name of a file that is not complete.
#[must_use]
pub fn part(name: &str) -> String {
    format!(".{name}.part")
}

impl Writing {
    fn begin(games: &Games, folder: &Path, day: Date) -> Result<Self, DumpError> {
        let stem = stem(day);
        let none = |name: String| DumpFile { name, bytes: 0, sha256: Hash::of(&[]), unpacked_bytes: 0 };
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            server: games.inner.public_url.clone(),
            day: stem.trim_start_matches(PREFIX).to_owned(),
            games: 0,
            left_out: 0,
            unreadable: 0,
            by_rules: BTreeMap::new(),
            records: none(format!("{stem}{RECORDS}")),
            index: none(format!("{stem}{INDEX}")),
            checkpoint: None,
        };
        let create = |file: &DumpFile| Hashing::create(folder.join(part(&file.name)));
        let (records, index) = (create(&manifest.records)?, create(&manifest.index)?);
        let records = zstd::Encoder::new(records, zstd::DEFAULT_COMPRESSION_LEVEL)
            .map_err(|error| failed(folder, error))?;
        Ok(Self { folder: folder.to_owned(), manifest, records, index })
    }

    fn add(&mut self, game: &DumpedGame, record: &[u8], proof: Option<String>) -> Result<(), DumpError> {
        let entry = IndexEntry {
            game: game.id,
            rules: game.rules.clone(),
            finished_at: Timestamp::new(game.finished_at),
            offset: self.manifest.records.unpacked_bytes,
            bytes: record.len() as u64,
            sha256: Hash::of(&[record]),
            proof,
        };
        let mut line = serde_json::to_string(&entry).expect("plain data");
        line.push('\n');
        let written = self.records.write_all(record).and_then(|()| self.index.write_all(line.as_bytes()));
        written.map_err(|error| failed(&self.folder, error))?;
        self.manifest.records.unpacked_bytes += entry.bytes;
        self.manifest.index.unpacked_bytes += line.len() as u64;
        self.manifest.games += 1;
        *self.manifest.by_rules.entry(entry.rules).or_default() += 1;
        Ok(())
    }

    /// Gives the files their names, the manifest's last.
    fn finish(self) -> Result<Manifest, DumpError> {
        let Self { folder, mut manifest, records, index } = self;
        let finished = || -> io::Result<Manifest> {
            for (file, written) in [(&mut manifest.records, records.finish()?), (&mut manifest.index, index)]
            {
                written.finish(file)?;
                std::fs::rename(folder.join(part(&file.name)), folder.join(&file.name))?;
            }
            let name = format!("{PREFIX}{}{MANIFEST}", manifest.day);
            let mut file = File::create(folder.join(part(&name)))?;
            serde_json::to_writer_pretty(&mut file, &manifest)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            std::fs::rename(folder.join(part(&name)), folder.join(&name))?;
            Ok(manifest)
        };
        finished().map_err(|error| failed(&folder, error))
    }
}

fn failed(folder: &Path, error: io::Error) -> DumpError {
    DumpError::File(folder.to_owned(), error)
}

/// The manifests of the days before `before`, or of all, the newest day first; at most `limit`, and whether there are more.
///
/// # Errors
/// The folder or a manifest cannot be read.
pub fn manifests(folder: &Path, before: Option<Date>, limit: usize) -> io::Result<(Vec<Manifest>, bool)> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        if is_dump_file(&name) && name.ends_with(MANIFEST) {
            names.push(name);
        }
    }
    // Names sort as their days do.
    let before = before.map(manifest_name);
    names.retain(|name| before.as_ref().is_none_or(|before| name < before));
    names.sort_unstable_by(|one, other| other.cmp(one));
    let read = |name: &String| Ok(serde_json::from_slice(&std::fs::read(folder.join(name))?)?);
    let manifests = names.iter().take(limit).map(read).collect::<io::Result<_>>()?;
    Ok((manifests, names.len() > limit))
}

/// Whether a file of that name may be given to everybody: one of a day that is done.
#[must_use]
pub fn is_dump_file(name: &str) -> bool {
    let Some((day, kind)) = name.strip_prefix(PREFIX).and_then(|rest| rest.split_at_checked(10)) else {
        return false;
    };
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_day && [MANIFEST, INDEX, RECORDS].contains(&kind)
}
