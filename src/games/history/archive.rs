//! All records of a player in one ZIP, built while it is sent: memory holds a piece of one record at most.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};
use uuid::Uuid;
use zip::ZipWriter;
use zip::write::{SimpleFileOptions, StreamWriter};

use crate::games::Games;
use crate::games::error::GameError;
use crate::games::history::reading;
use crate::games::viewing::view::Requester;
use crate::store::lists;

/// The most archives that one process packs at once, because each keeps a processor busy. Archives that wait for their clients do
/// not count.
pub const MAX_AT_ONCE: usize = 4;

/// Games listed by one query.
const PAGE: i64 = 100;

/// How many bytes are packed at a time: one to two milliseconds of work.
const PIECE_BYTES: usize = 64 * 1024;

/// A ZIP of the records of all games of a player that have started, newest first, running ones as they stand:
/// `<rules>-<id>.ndjson` each.
pub fn records_of(games: &Games, player_id: Uuid) -> impl Stream<Item = Result<Bytes, GameError>> + use<> {
    let archive = Archive::new(games.clone(), player_id);
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
    /// Listed games that are not packed yet.
    waiting: VecDeque<(Uuid, String)>,
    /// The last listed game.
    cursor: Option<Uuid>,
    record: Option<BoxStream<'static, Result<Bytes, GameError>>>,
    /// The part of the current record that is not packed yet.
    unpacked: Bytes,
}

impl Archive {
    fn new(games: Games, player_id: Uuid) -> Self {
        let packed = Sink::default();
        Self {
            games,
            player_id,
            zip: Some(ZipWriter::new_stream(packed.clone())),
            packed,
            waiting: VecDeque::new(),
            cursor: None,
            record: None,
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
        let options = SimpleFileOptions::default().large_file(true);
        self.pack(|zip| Ok(zip.start_file(format!("{rules}-{game_id}.ndjson"), options)?))
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
