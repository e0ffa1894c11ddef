//! Repairs: rewrites rows that follow from events. It never writes events.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::append::EventNotice;
use super::guard::StateWrite;
use super::states;
use crate::archived_games;
use crate::games::NewState;
use crate::schema::{events, game_players, games, notices};
use crate::{Database, Edition, GameStatus, Seq, StoreError};

/// Everything about a started game that follows from its events.
#[derive(Clone, Debug)]
pub struct Rebuild {
    pub game_id: Uuid,
    /// The `seq` and `edition` that the game's state had when it was audited; `None` if it had none.
    pub found: Option<(Seq, Edition)>,
    pub state: NewState,
    pub status: GameStatus,
    pub started_at: OffsetDateTime,
    pub finished_at: Option<OffsetDateTime>,
    /// How it ended, as JSON.
    pub result: Option<String>,
    /// By seat.
    pub players: Vec<Uuid>,
    /// Notices that are missing.
    pub notices: Vec<EventNotice>,
    /// The event of these notices.
    pub told_seq: Seq,
    pub now: OffsetDateTime,
}

/// Writes everything in one transaction; false, and nothing is written, if the game has changed since the audit.
pub async fn rebuild(database: &Database, rebuild: &Rebuild) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let right = StateWrite::of([rebuild.game_id]);
    let rebuilt = connection.transaction::<bool, StoreError, _>(async |connection| {
        let game_id = rebuild.game_id;
        let found = states::lock(connection, game_id).await?;
        let newest: Option<Seq> = events::table
            .filter(events::game_id.eq(game_id))
            .select(diesel::dsl::max(events::seq))
            .first(connection)
            .await?;
        let newest = match newest {
            Some(newest) => Some(newest),
            None => archived_games::newest_event(connection, game_id).await?,
        };
        if found != rebuild.found || newest != Some(rebuild.state.seq) {
            return Ok(false);
        }
        write_state(connection, &right, rebuild).await?;
        write_game(connection, rebuild).await?;
        write_notices(connection, rebuild).await?;
        Ok(true)
    });
    rebuilt.await
}

async fn write_state(
    connection: &mut diesel_async::AsyncPgConnection,
    right: &StateWrite,
    rebuild: &Rebuild,
) -> QueryResult<()> {
    // A new edition makes every process load the game again, even one that cached it before its state was lost.
    let edition = rebuild.found.map_or_else(|| Edition::of_time(rebuild.now), |(_, edition)| edition.next());
    states::rewrite(connection, right, rebuild.game_id, rebuild.state.clone(), edition).await
}

async fn write_game(connection: &mut diesel_async::AsyncPgConnection, rebuild: &Rebuild) -> QueryResult<()> {
    diesel::update(games::table.find(rebuild.game_id))
        .set((
            games::status.eq(rebuild.status),
            games::started_at.eq(rebuild.started_at),
            games::finished_at.eq(rebuild.finished_at),
            games::result.eq(&rebuild.result),
        ))
        .execute(connection)
        .await?;
    for (seat, player_id) in (0i16..).zip(&rebuild.players) {
        diesel::update(game_players::table.find((rebuild.game_id, *player_id)))
            .set(game_players::seat.eq(seat))
            .execute(connection)
            .await?;
    }
    Ok(())
}

async fn write_notices(
    connection: &mut diesel_async::AsyncPgConnection,
    rebuild: &Rebuild,
) -> QueryResult<()> {
    let row = |notice: &EventNotice| notice.row(rebuild.game_id, rebuild.told_seq, rebuild.now);
    let rows: Vec<_> = rebuild.notices.iter().map(row).collect();
    if !rows.is_empty() {
        diesel::insert_into(notices::table).values(rows).execute(connection).await?;
    }
    Ok(())
}

/// Deletes the state of a missing game.
pub async fn remove_orphan_state(database: &Database, game_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    Ok(states::remove_orphan(&mut connection, &StateWrite::of([game_id]), game_id).await?)
}
