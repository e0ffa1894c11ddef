//! All records of a player, or all that is stored of one, in one ZIP, built while it is sent: memory holds a piece of one record, or a
//! page of rows, at most.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};
use uuid::Uuid;
use zip::ZipWriter;
use zip::write::{SimpleFileOptions, StreamWriter};

use crate::Games;
use crate::error::GameError;
use crate::history::reading;
use crate::transparency::{self, WantedEntry};
use crate::viewing::view::Requester;
use pippost_store::games::{self as stored_games, GameStatus};
use pippost_store::lists;
use pippost_store::personal_data::{self, DataTable, PARTS};

/// The most archives that one process packs at once, because each keeps a processor busy. Archives that wait for their clients do
/// not count.
pub const MAX_AT_ONCE: usize = 4;

/// Games, or rows of another kind, listed by one query.
const PAGE: i64 = 100;

/// How many bytes are packed at a time: one to two milliseconds of work.
const PIECE_BYTES: usize = 64 * 1024;

/// A ZIP of the records of all games of a player that have started, newest first, running ones as they stand:
/// `<rules>-<id>.ndjson` each, and for finished games the proof that the log has it, `<rules>-<id>.proof`.
pub fn records_of(games: &Games, player_id: Uuid) -> impl Stream<Item = Result<Bytes, GameError>> + use<> {
    packed(Archive::new(games.clone(), player_id, &[]))
}

/// A ZIP of all that is stored of a player, a file of NDJSON for each kind, and of the records as [`records_of`] has them.
pub fn everything_of(games: &Games, player_id: Uuid) -> impl Stream<Item = Result<Bytes, GameError>> + use<> {
    packed(Archive::new(games.clone(), player_id, PARTS))
}

fn packed(archive: Archive) -> impl Stream<Item = Result<Bytes, GameError>> + use<> {
    futures_util::stream::try_unfold(archive, |mut archive| async move {
        Ok(archive.next().await?.map(|bytes| (bytes, archive)))
    })
}

struct Archive {
    games: Games,
    player_id: Uuid,
    /// `None` once it is complete.
    zip: Option<ZipWriter<StreamWriter<Sink>>>,
    /// Packed bytes that are not sent yet.
    packed: Sink,
    /// Kinds of data that are not packed yet; the first one after the key, if its file has begun.
    parts: &'static [DataTable],
    row: Option<Uuid>,
    has_begun: bool,
    /// Listed games that are not packed yet.
    waiting: VecDeque<(Uuid, String)>,
    /// The last listed game.
    cursor: Option<Uuid>,
    record: Option<BoxStream<'static, Result<Bytes, GameError>>>,
    /// The game whose record is packed, and the name of its files.
    current: Option<(Uuid, String)>,
    /// The part of the current record that is not packed yet.
    unpacked: Bytes,
}

impl Archive {
    fn new(games: Games, player_id: Uuid, parts: &'static [DataTable]) -> Self {
        let packed = Sink::default();
        Self {
            games,
            player_id,
            zip: Some(ZipWriter::new_stream(packed.clone())),
            packed,
            parts,
            row: None,
            has_begun: false,
            waiting: VecDeque::new(),
            cursor: None,
            record: None,
            current: None,
            unpacked: Bytes::new(),
        }
    }

    /// The next bytes of the archive; `None` when it is complete.
    async fn next(&mut self) -> Result<Option<Bytes>, GameError> {
        // The permit is released before waiting for the client.
        let _processor = Arc::clone(&self.games.inner.archives).acquire_owned().await.expect("never closed");
        while self.zip.is_some() {
            self.step().await?;
            let packed = self.packed.take();
            if !packed.is_empty() {
                return Ok(Some(packed.into()));
            }
            // Packing never waits by itself, so yield to other requests.
            tokio::task::yield_now().await;
        }
        Ok(None)
    }

    async fn step(&mut self) -> Result<(), GameError> {
        if !self.unpacked.is_empty() {
            let piece = self.unpacked.split_to(self.unpacked.len().min(PIECE_BYTES));
            return self.pack(|zip| zip.write_all(&piece));
        }
        if let Some(record) = &mut self.record {
            match record.next().await {
                Some(read) => self.unpacked = read?,
                None => self.record = None,
            }
            return Ok(());
        }
        if let Some((game_id, name)) = self.current.take() {
            return self.pack_proof(game_id, &name).await;
        }
        if let Some((part, others)) = self.parts.split_first() {
            return self.pack_rows(*part, others).await;
        }
        if self.waiting.is_empty() {
            let database = &self.games.database;
            self.waiting = lists::started_of(database, self.player_id, self.cursor, PAGE).await?.into();
            self.cursor = self.waiting.back().map(|(game_id, _)| *game_id).or(self.cursor);
        }
        let Some((game_id, rules)) = self.waiting.pop_front() else {
            let zip = self.zip.take().expect("asked for only while there is one");
            return zip.finish().map(drop).map_err(|error| packing(&error.into()));
        };
        let record = reading::record(&self.games, game_id, &Requester::player(self.player_id), false).await?;
        self.record = Some(record.boxed());
        let name = format!("{rules}-{game_id}");
        self.begin(format!("{name}.ndjson"))?;
        self.current = Some((game_id, name));
        Ok(())
    }

    /// Packs the proof that the log has the record of a finished game. That of a running one would soon be another.
    async fn pack_proof(&mut self, game_id: Uuid, name: &str) -> Result<(), GameError> {
        let (games, requester) = (&self.games, Requester::player(self.player_id));
        if games.inner.log.get().is_none()
            || stored_games::status(&games.database, game_id).await? != Some(GameStatus::Finished)
        {
            return Ok(());
        }
        match transparency::proof(games, game_id, &requester, WantedEntry::default()).await {
            Ok(proof) => {
                self.begin(format!("{name}.proof"))?;
                self.unpacked = proof.text().into();
                Ok(())
            }
            // The log does not have the game yet.
            Err(GameError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Packs the next rows of a kind; a kind without rows has no file.
    async fn pack_rows(&mut self, part: DataTable, others: &'static [DataTable]) -> Result<(), GameError> {
        let lines = personal_data::lines(&self.games.database, part, self.player_id, self.row, PAGE).await?;
        let Some(last) = lines.last() else {
            (self.parts, self.row, self.has_begun) = (others, None, false);
            return Ok(());
        };
        self.row = Some(last.key);
        if !self.has_begun {
            self.has_begun = true;
            self.begin(format!("{}.ndjson", part.name))?;
        }
        let text: String = lines.into_iter().flat_map(|line| [line.line, "\n".to_owned()]).collect();
        self.unpacked = text.into();
        Ok(())
    }

    fn begin(&mut self, name: String) -> Result<(), GameError> {
        let options = SimpleFileOptions::default().large_file(true);
        self.pack(|zip| Ok(zip.start_file(name, options)?))
    }

    fn pack(
        &mut self,
        pack: impl FnOnce(&mut ZipWriter<StreamWriter<Sink>>) -> io::Result<()>,
    ) -> Result<(), GameError> {
        let zip = self.zip.as_mut().expect("asked for only while there is one");
        pack(zip).map_err(|error| packing(&error))
    }
}

fn packing(error: &io::Error) -> GameError {
    GameError::Packing(error.to_string())
}

/// The buffer that the archive is written to and taken from.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().expect("nobody panics with it"))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics with it").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
