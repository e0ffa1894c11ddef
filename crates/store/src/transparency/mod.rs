//! The log over all records as it is stored: its newest checkpoint, its entries, and the tiles of its tree. What is stored here has
//! been committed together with the checkpoint that covers it.

mod growing;
mod sequencing;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pippost_log::tiles::{TILE_WIDTH, Tile, Tiles};
use pippost_log::{Entry, Hash};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::numbers::Seq;

pub use growing::{NewEntry, Run, runs};
pub use sequencing::{
    CheckpointSigner, ENTRIES_OF_A_STEP, GAP_KEPT, MAX_SINGLE_POSITIONS, NEWS, NEXT, POSITIONS_OF_A_STEP,
    UNLOGGED, gaps, step,
};

/// The bytes of a hash.
const HASH_BYTES: usize = 32;

/// The newest checkpoint, as it was signed.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct StoredCheckpoint {
    #[diesel(sql_type = Text)]
    pub origin: String,
    #[diesel(sql_type = BigInt)]
    size: i64,
    #[diesel(sql_type = Binary)]
    root: Vec<u8>,
    /// The signed note.
    #[diesel(sql_type = Text)]
    pub note: String,
    #[diesel(sql_type = Timestamptz)]
    pub signed_at: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    cosigned_size: i64,
    /// The newest signed note with signatures of witnesses, which may be older.
    #[diesel(sql_type = Nullable<Text>)]
    pub cosigned: Option<String>,
}

impl StoredCheckpoint {
    #[must_use]
    pub fn size(&self) -> u64 {
        u64::try_from(self.size).unwrap_or_default()
    }

    /// The size that witnesses have signed last; 0 if they have signed none.
    #[must_use]
    pub fn cosigned_size(&self) -> u64 {
        u64::try_from(self.cosigned_size).unwrap_or_default()
    }

    /// The note of the newest tree, with the signatures of witnesses if they have signed it already.
    #[must_use]
    pub fn newest_note(&self) -> &str {
        let cosigned = self.cosigned.as_deref().filter(|_| self.cosigned_size == self.size);
        cosigned.unwrap_or(&self.note)
    }

    /// The note with the most signatures of those that have the entry at a place, and its size.
    #[must_use]
    pub fn note_with(&self, index: u64) -> (&str, u64) {
        match &self.cosigned {
            Some(cosigned) if index < self.cosigned_size() => (cosigned, self.cosigned_size()),
            _ => (&self.note, self.size()),
        }
    }

    /// The root.
    ///
    /// # Errors
    /// The row holds none.
    pub fn root(&self) -> Result<Hash, StoreError> {
        hash(&self.root)
    }
}

fn hash(bytes: &[u8]) -> Result<Hash, StoreError> {
    bytes.try_into().map_err(|_| StoreError::Corrupt("a hash of the log".to_owned()))
}

/// A number of the log as a row holds it.
fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Begins the log of that name, unless the database has one already; a log keeps its name. Does nothing on a cluster, which has none.
///
/// # Errors
/// The database failed.
pub async fn begin(
    database: &Database,
    origin: &str,
    signer: &dyn CheckpointSigner,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if database.topology().is_citus() {
        return Ok(());
    }
    let root = pippost_log::tree::empty_root();
    diesel::sql_query(
        "insert into transparency_log (origin, public_key, size, root, checkpoint, signed_at, position, filled_to, is_filled) \
         values ($1, $2, 0, $3, $4, $5, 0, '00000000-0000-0000-0000-000000000000', false) on conflict do nothing",
    )
    .bind::<Text, _>(origin)
    .bind::<Binary, _>(signer.public_key(origin).as_slice())
    .bind::<Binary, _>(root.as_slice())
    .bind::<Text, _>(signer.sign(origin, 0, root))
    .bind::<Timestamptz, _>(now)
    .execute(&mut database.get().await?)
    .await?;
    Ok(())
}

/// The newest checkpoint; `None` if this database has no log.
///
/// # Errors
/// The database failed.
pub async fn checkpoint(database: &Database) -> Result<Option<StoredCheckpoint>, StoreError> {
    let newest = diesel::sql_query(
        "select origin, size, root, checkpoint as note, signed_at, cosigned_size, cosigned from transparency_log",
    );
    Ok(newest.get_result(&mut database.get().await?).await.optional()?)
}

/// Keeps a note that witnesses have signed, unless one of a larger tree is kept.
///
/// # Errors
/// The database failed.
pub async fn keep_cosigned(database: &Database, size: u64, note: &str) -> Result<(), StoreError> {
    diesel::sql_query(
        "update transparency_log set cosigned_size = $1, cosigned = $2 where cosigned_size <= $1 and size >= $1",
    )
    .bind::<BigInt, _>(stored(size))
    .bind::<Text, _>(note)
    .execute(&mut database.get().await?)
    .await?;
    Ok(())
}

#[derive(QueryableByName)]
struct TileRow {
    #[diesel(sql_type = SmallInt)]
    level: i16,
    #[diesel(sql_type = BigInt)]
    index: i64,
    #[diesel(sql_type = Binary)]
    hashes: Vec<u8>,
}

/// The tiles of those levels and places, whole.
const TILES: &str = "select t.level, t.index, t.hashes from unnest($1::smallint[], $2::bigint[]) as wanted(level, index) \
     join transparency_tiles t on t.level = wanted.level and t.index = wanted.index";

fn places(wanted: &[Tile]) -> (Vec<i16>, Vec<i64>) {
    wanted.iter().filter_map(|tile| Some((i16::from(tile.level?), stored(tile.index)))).unzip()
}

fn of_rows(rows: Vec<TileRow>) -> Result<Tiles, StoreError> {
    let mut tiles = Tiles::default();
    for row in rows {
        let corrupt = || StoreError::Corrupt(format!("tile {} {} of the log", row.level, row.index));
        let level = u8::try_from(row.level).map_err(|_| corrupt())?;
        let index = u64::try_from(row.index).map_err(|_| corrupt())?;
        let width = (row.hashes.len() / HASH_BYTES) as u64;
        let hashes = pippost_log::tiles::hashes(&row.hashes, width).ok_or_else(corrupt)?;
        tiles.insert(level, index, hashes);
    }
    Ok(tiles)
}

/// Those tiles, as far as they are there.
///
/// # Errors
/// The database failed.
pub async fn tiles(database: &Database, wanted: &[Tile]) -> Result<Tiles, StoreError> {
    let (levels, indices) = places(wanted);
    let query = diesel::sql_query(TILES)
        .bind::<diesel::sql_types::Array<SmallInt>, _>(levels)
        .bind::<diesel::sql_types::Array<BigInt>, _>(indices);
    of_rows(query.load(&mut database.get().await?).await?)
}

/// The bytes of a tile or of a bundle of entries; `None` if the log does not have so much of it.
///
/// # Errors
/// The database failed.
pub async fn resource(database: &Database, tile: &Tile) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(level) = tile.level else {
        let Some(first) = tile.first_entry() else { return Ok(None) };
        let entries = entries(database, first, tile.width.min(TILE_WIDTH)).await?;
        let whole = entries.len() as u64 == tile.width;
        return Ok(whole.then(|| pippost_log::tiles::bundle(&entries)));
    };
    let found = tiles(database, std::slice::from_ref(tile)).await?;
    let hashes = found.iter().find(|(of, index, _)| (*of, *index) == (level, tile.index));
    let width = usize::try_from(tile.width).unwrap_or(usize::MAX);
    Ok(hashes.and_then(|(.., hashes)| hashes.get(..width)).map(<[Hash]>::concat))
}

/// How many entries one row holds at most.
pub const MAX_RUN: u8 = 128;

/// A run: entries of one game that follow each other in the log.
#[derive(QueryableByName)]
struct RunRow {
    /// The place of the first.
    #[diesel(sql_type = BigInt)]
    index: i64,
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
    /// Of the first.
    #[diesel(sql_type = BigInt)]
    seq: i64,
    /// One behind the other.
    #[diesel(sql_type = Binary)]
    hash: Vec<u8>,
}

impl RunRow {
    /// The hashes, each with its place in the log and in its game.
    fn hashes(&self) -> impl Iterator<Item = (i64, i64, &Hash)> {
        let hashes = self.hash.as_chunks::<HASH_BYTES>().0.iter();
        hashes.zip(0..).map(|(hash, place)| (self.index + place, self.seq + place, hash))
    }
}

/// The runs with entries of a bundle, by index: `$1` its first, `$2` how many it has, `$3` how many a run has at most.
pub const ENTRIES: &str = "select index, game_id, seq, hash from transparency_entries \
     where index > $1 - $3 and index < $1 + $2 order by index";

async fn entries(database: &Database, first: u64, count: u64) -> Result<Vec<Entry>, StoreError> {
    let first = stored(first).min(i64::MAX - stored(count));
    let rows: Vec<RunRow> = diesel::sql_query(ENTRIES)
        .bind::<BigInt, _>(first)
        .bind::<BigInt, _>(stored(count))
        .bind::<BigInt, _>(i64::from(MAX_RUN))
        .load(&mut database.get().await?)
        .await?;
    let bundle = first..first + stored(count);
    let in_bundle = rows.iter().flat_map(|run| {
        run.hashes()
            .filter(|(index, ..)| bundle.contains(index))
            .map(|(_, seq, hash)| (run.game_id, seq, *hash))
    });
    let entry =
        |(game_id, seq, hash)| Ok(Entry::of(game_id, u32::try_from(seq).map_err(|_| corrupt_entry())?, hash));
    in_bundle.map(entry).collect()
}

fn corrupt_entry() -> StoreError {
    StoreError::Corrupt("an entry of the log".to_owned())
}

/// Where an entry of a game lies in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEntry {
    pub index: u64,
    pub seq: Seq,
    pub hash: Hash,
}

/// The run with the newest entry of a game up to one.
pub const LOGGED_ENTRY: &str = "select index, game_id, seq, hash from transparency_entries where game_id = $1 and seq <= $2 order by seq desc limit 1";

/// The newest entry of a game that is not after `seq`; `None` if the log has none.
///
/// # Errors
/// The database failed.
pub async fn logged_entry(
    database: &Database,
    game_id: Uuid,
    seq: Seq,
) -> Result<Option<LoggedEntry>, StoreError> {
    let run: Option<RunRow> = diesel::sql_query(LOGGED_ENTRY)
        .bind::<SqlUuid, _>(game_id)
        .bind::<BigInt, _>(seq.bound())
        .get_result(&mut database.get().await?)
        .await
        .optional()?;
    let Some(run) = run else { return Ok(None) };
    let newest = run.hashes().take_while(|(_, of, _)| *of <= seq.bound()).last();
    let (index, seq, hash) = newest.ok_or_else(corrupt_entry)?;
    let index = u64::try_from(index).map_err(|_| corrupt_entry())?;
    let seq = Seq::from_row(seq).ok_or_else(corrupt_entry)?;
    Ok(Some(LoggedEntry { index, seq, hash: *hash }))
}
