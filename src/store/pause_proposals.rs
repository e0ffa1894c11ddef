//! Proposals to pause the clocks of games, one a game at a time.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::{self, NewNotice};
use super::schema::pause_proposals;

/// A proposal to pause all clocks of a game, or to end the pause that lasts.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, QueryableByName)]
#[diesel(table_name = pause_proposals)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub struct PauseProposal {
    pub game_id: Uuid,
    pub by_player: Uuid,
    /// None: the pause that lasts shall end.
    pub until_at: Option<OffsetDateTime>,
    pub created_at: OffsetDateTime,
    /// The players who agree.
    pub agreed: Vec<Uuid>,
}

/// The proposal that waits in a game.
///
/// # Errors
/// The database failed.
pub async fn of_game(database: &Database, game_id: Uuid) -> Result<Option<PauseProposal>, StoreError> {
    let row = pause_proposals::table.find(game_id).select(PauseProposal::as_select());
    Ok(row.first(&mut database.get().await?).await.optional()?)
}

/// Proposes, in place of an own proposal and of one whose time is over at `now`, and tells others; false if another one waits. The same
/// proposal again is told to nobody.
///
/// # Errors
/// The database failed.
pub async fn propose(
    database: &Database,
    proposal: &PauseProposal,
    told: &[NewNotice],
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let proposed = connection.transaction::<bool, StoreError, _>(async |connection| {
        let row = pause_proposals::table.find(proposal.game_id).select(PauseProposal::as_select());
        let before = row.for_update().first(connection).await.optional()?;
        if let Some(before) = before {
            let mine = before.by_player == proposal.by_player;
            if mine && before.until_at == proposal.until_at {
                return Ok(true);
            }
            if !mine && before.until_at.is_none_or(|until| until > now) {
                return Ok(false);
            }
            diesel::delete(pause_proposals::table.find(proposal.game_id)).execute(connection).await?;
        }
        let written = diesel::insert_into(pause_proposals::table)
            .values(proposal)
            .on_conflict_do_nothing()
            .execute(connection)
            .await?;
        if written == 0 {
            return Ok(false);
        }
        notices::insert(connection, told).await?;
        Ok(true)
    });
    proposed.await
}

/// Agrees with a proposal: `$1` the game, `$2` what it says, `$3` the player.
const AGREE: &str = "
update pause_proposals p set agreed = case when $3 = any(agreed) then agreed else array_append(agreed, $3) end
where game_id = $1 and until_at is not distinct from $2
returning game_id, by_player, until_at, created_at, agreed";

/// Agrees with the proposal that says `until_at`; `None` if there is none.
///
/// # Errors
/// The database failed.
pub async fn agree(
    database: &Database,
    game_id: Uuid,
    until_at: Option<OffsetDateTime>,
    player_id: Uuid,
) -> Result<Option<PauseProposal>, StoreError> {
    let agree = diesel::sql_query(AGREE)
        .bind::<SqlUuid, _>(game_id)
        .bind::<Nullable<Timestamptz>, _>(until_at)
        .bind::<SqlUuid, _>(player_id);
    Ok(agree.get_result(&mut database.get().await?).await.optional()?)
}

/// Removes the proposal of a game; false if there is none.
///
/// # Errors
/// The database failed.
pub async fn remove(database: &Database, game_id: Uuid) -> Result<bool, StoreError> {
    let removed = diesel::delete(pause_proposals::table.find(game_id));
    Ok(removed.execute(&mut database.get().await?).await? > 0)
}
