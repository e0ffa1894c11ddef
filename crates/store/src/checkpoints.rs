//! Checkpoints: the game after some of its events. They follow from the events and can be rebuilt.

use diesel::prelude::*;
use diesel::upsert::excluded;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::numbers::{Seq, TurnNumber};
use super::schema::checkpoints;

/// The counters of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = checkpoints)]
pub struct Mark {
    /// The turn that the event belongs to.
    pub turn: TurnNumber,
    /// Whether the event is the last of its turn.
    pub ends_turn: bool,
    /// By seat the newest event of its own, as a JSON list of numbers and nulls.
    pub last_events: String,
}

/// A game after event `seq`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = checkpoints)]
pub struct Checkpoint {
    pub game_id: Uuid,
    pub seq: Seq,
    #[diesel(embed)]
    pub mark: Mark,
    pub snapshot: String,
}

/// The newest checkpoint of a game at or before event `seq`.
pub async fn at_or_before(
    database: &Database,
    game_id: Uuid,
    seq: Seq,
) -> Result<Option<Checkpoint>, StoreError> {
    let newest = checkpoints::table
        .filter(checkpoints::game_id.eq(game_id))
        .filter(checkpoints::seq.le(seq))
        .order(checkpoints::seq.desc())
        .select(Checkpoint::as_select())
        .first(&mut database.get().await?)
        .await;
    Ok(newest.optional()?)
}

/// The same without the snapshot: its event and counters.
pub async fn mark_at_or_before(
    database: &Database,
    game_id: Uuid,
    seq: Seq,
) -> Result<Option<(Seq, Mark)>, StoreError> {
    let newest = checkpoints::table
        .filter(checkpoints::game_id.eq(game_id))
        .filter(checkpoints::seq.le(seq))
        .order(checkpoints::seq.desc())
        .select((checkpoints::seq, Mark::as_select()))
        .first(&mut database.get().await?)
        .await;
    Ok(newest.optional()?)
}

/// The newest checkpoint of a game whose event belongs to turn `turn` or an earlier one.
pub async fn at_or_before_turn(
    database: &Database,
    game_id: Uuid,
    turn: TurnNumber,
) -> Result<Option<Checkpoint>, StoreError> {
    let newest = checkpoints::table
        .filter(checkpoints::game_id.eq(game_id))
        .filter(checkpoints::turn.le(turn))
        .order((checkpoints::turn.desc(), checkpoints::seq.desc()))
        .select(Checkpoint::as_select())
        .first(&mut database.get().await?)
        .await;
    Ok(newest.optional()?)
}

/// The first event after `seq` that has a checkpoint.
pub async fn first_after(database: &Database, game_id: Uuid, seq: Seq) -> Result<Option<Seq>, StoreError> {
    let first = checkpoints::table
        .filter(checkpoints::game_id.eq(game_id))
        .filter(checkpoints::seq.gt(seq))
        .order(checkpoints::seq)
        .select(checkpoints::seq)
        .first(&mut database.get().await?)
        .await;
    Ok(first.optional()?)
}

/// Writes a checkpoint, replacing that event's earlier one.
pub async fn write(database: &Database, checkpoint: &Checkpoint) -> Result<(), StoreError> {
    diesel::insert_into(checkpoints::table)
        .values(checkpoint)
        .on_conflict((checkpoints::game_id, checkpoints::seq))
        .do_update()
        .set((
            checkpoints::turn.eq(excluded(checkpoints::turn)),
            checkpoints::ends_turn.eq(excluded(checkpoints::ends_turn)),
            checkpoints::snapshot.eq(excluded(checkpoints::snapshot)),
            checkpoints::last_events.eq(excluded(checkpoints::last_events)),
        ))
        .execute(&mut database.get().await?)
        .await?;
    Ok(())
}

/// Removes the checkpoints of a game at these events; returns how many there were.
pub async fn remove(database: &Database, game_id: Uuid, seqs: &[Seq]) -> Result<usize, StoreError> {
    let of_game = checkpoints::table.filter(checkpoints::game_id.eq(game_id));
    let damaged = of_game.filter(checkpoints::seq.eq_any(seqs));
    Ok(diesel::delete(damaged).execute(&mut database.get().await?).await?)
}
