//! Writes what a step adds to the log: its entries, the tiles of its tree, and the checkpoint over them.

use diesel::sql_types::{Array, BigInt, Binary, Bool, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pippost_log::tiles::{Growing, Tiles};
use pippost_log::{Entry, Hash};
use time::OffsetDateTime;
use uuid::Uuid;

use super::sequencing::{CheckpointSigner, State};
use super::{MAX_RUN, TILES, TileRow, of_rows, places, stored};
use crate::error::StoreError;

/// An entry before it has a place.
pub struct NewEntry {
    pub game_id: Uuid,
    pub seq: i64,
    pub hash: Hash,
}

/// Writes the entries, the tiles that they change, and the log's row with the checkpoint over them.
pub(super) async fn grow(
    connection: &mut AsyncPgConnection,
    state: &State,
    entries: Vec<NewEntry>,
    signer: &dyn CheckpointSigner,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let corrupt = || StoreError::Corrupt("the tree of the log".to_owned());
    let size = u64::try_from(state.size).map_err(|_| corrupt())?;
    let mut tree = Growing::resume(size, edge(connection, size).await?).ok_or_else(corrupt)?;
    if !entries.is_empty() {
        let leaf = |entry: &NewEntry| {
            Some(Entry::of(entry.game_id, u32::try_from(entry.seq).ok()?, entry.hash).leaf())
        };
        let leaves: Vec<Hash> = entries.iter().map(leaf).collect::<Option<_>>().ok_or_else(corrupt)?;
        write_tiles(connection, &tree.add(leaves)).await?;
        write_runs(connection, runs(state.size, &entries)).await?;
        let note = signer.sign(&state.origin, tree.size(), tree.root());
        diesel::sql_query(
            "update transparency_log set size = $1, root = $2, checkpoint = $3, signed_at = $4",
        )
        .bind::<BigInt, _>(stored(tree.size()))
        .bind::<Binary, _>(tree.root().as_slice())
        .bind::<Text, _>(note)
        .bind::<Timestamptz, _>(now)
        .execute(connection)
        .await?;
    }
    diesel::sql_query("update transparency_log set position = $1, filled_to = $2, is_filled = $3")
        .bind::<BigInt, _>(state.position)
        .bind::<SqlUuid, _>(state.filled_to)
        .bind::<Bool, _>(state.is_filled)
        .execute(connection)
        .await?;
    Ok(())
}

/// The tiles at the right edge of the stored tree.
async fn edge(connection: &mut AsyncPgConnection, size: u64) -> Result<Tiles, StoreError> {
    let (levels, indices) = places(&Growing::edge(size));
    let query = diesel::sql_query(TILES).bind::<Array<SmallInt>, _>(levels).bind::<Array<BigInt>, _>(indices);
    let rows: Vec<TileRow> = query.load(connection).await?;
    of_rows(rows)
}

async fn write_tiles(connection: &mut AsyncPgConnection, tiles: &Tiles) -> Result<(), StoreError> {
    let (mut levels, mut indices, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
    for (level, index, of_tile) in tiles.iter() {
        levels.push(i16::from(level));
        indices.push(stored(index));
        hashes.push(of_tile.concat());
    }
    diesel::sql_query(
        "insert into transparency_tiles (level, index, hashes) \
         select * from unnest($1::smallint[], $2::bigint[], $3::bytea[]) \
         on conflict (level, index) do update set hashes = excluded.hashes",
    )
    .bind::<Array<SmallInt>, _>(levels)
    .bind::<Array<BigInt>, _>(indices)
    .bind::<Array<Binary>, _>(hashes)
    .execute(connection)
    .await?;
    Ok(())
}

/// A row: entries of one game that follow each other in the log.
pub struct Run {
    pub index: i64,
    pub game_id: Uuid,
    pub seq: i64,
    pub length: i16,
    pub hashes: Vec<u8>,
}

/// The rows of these entries, of which the first has that place in the log.
#[must_use]
pub fn runs(mut index: i64, entries: &[NewEntry]) -> Vec<Run> {
    let of_games = entries.chunk_by(|one, next| one.game_id == next.game_id && one.seq + 1 == next.seq);
    let mut runs = Vec::new();
    for run in of_games.flat_map(|of_game| of_game.chunks(usize::from(MAX_RUN))) {
        let length = i16::try_from(run.len()).unwrap_or(i16::MAX);
        let hashes = run.iter().flat_map(|entry| entry.hash).collect();
        runs.push(Run { index, game_id: run[0].game_id, seq: run[0].seq, length, hashes });
        index += i64::from(length);
    }
    runs
}

async fn write_runs(connection: &mut AsyncPgConnection, runs: Vec<Run>) -> Result<(), StoreError> {
    let (mut indices, mut games, mut seqs, mut lengths, mut hashes) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for run in runs {
        indices.push(run.index);
        games.push(run.game_id);
        seqs.push(run.seq);
        lengths.push(run.length);
        hashes.push(run.hashes);
    }
    diesel::sql_query(
        "insert into transparency_entries (index, game_id, seq, length, hash) \
         select * from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::smallint[], $5::bytea[])",
    )
    .bind::<Array<BigInt>, _>(indices)
    .bind::<Array<SqlUuid>, _>(games)
    .bind::<Array<BigInt>, _>(seqs)
    .bind::<Array<SmallInt>, _>(lengths)
    .bind::<Array<Binary>, _>(hashes)
    .execute(connection)
    .await?;
    Ok(())
}
