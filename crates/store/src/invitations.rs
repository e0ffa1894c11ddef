//! Invitations: notices of games that have not started.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::games::GameStatus;
use super::notices::{self, NewNotice, NoticeKind};
use super::schema::{games, notices as table, players};
use super::stored_responses::{self, NewStoredResponse, Once};

/// Limits on invitations.
pub struct Bounds {
    /// For one game, ever.
    pub of_game: i64,
    /// Of one player to games that have not started, …
    pub of_player: i64,
    /// … made since then.
    pub since: OffsetDateTime,
}

/// The outcome of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    Done,
    GameHasEnough,
    PlayerHasEnough,
}

/// Queues an invitation of `from_player_id` unless a limit is reached.
pub async fn queue(
    database: &Database,
    notice: &NewNotice,
    game_id: Uuid,
    from_player_id: Uuid,
    bounds: &Bounds,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<Queued>, StoreError> {
    let mut connection = database.get().await?;
    let queued = connection.transaction::<Once<Queued>, StoreError, _>(async |connection| {
        // Locks the player's row first, as everywhere, to serialise the count of the player's invitations.
        players::table
            .find(from_player_id)
            .for_no_key_update()
            .select(players::id)
            .first::<Uuid>(connection)
            .await?;
        if let Some(before) = stored_responses::take(connection, stored, notice.created_at).await? {
            return Ok(Once::Before(before));
        }
        // Locks the game's row to serialise the count of its invitations.
        games::table.find(game_id).for_no_key_update().select(games::id).first::<Uuid>(connection).await?;
        let sent: i64 = table::table
            .filter(table::game_id.eq(game_id))
            .filter(table::kind.eq(NoticeKind::Invitation))
            .count()
            .get_result(connection)
            .await?;
        if sent >= bounds.of_game {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(Queued::GameHasEnough));
        }
        let waiting: i64 = table::table
            .inner_join(games::table.on(games::id.nullable().eq(table::game_id)))
            .filter(table::from_player_id.eq(from_player_id))
            .filter(table::kind.eq(NoticeKind::Invitation))
            .filter(table::created_at.gt(bounds.since))
            .filter(games::status.eq(GameStatus::Open))
            .count()
            .get_result(connection)
            .await?;
        if waiting >= bounds.of_player {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(Queued::PlayerHasEnough));
        }
        notices::insert(connection, std::slice::from_ref(notice)).await?;
        Ok(Once::Now(Queued::Done))
    });
    queued.await
}
