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

/// Proposes, in place of an own proposal and of one that does not wait any more, and tells others; false if another one waits. The same
/// proposal again is told to nobody.
///
/// # Errors
/// The database failed.
pub async fn propose(
    database: &Database,
    proposal: &PauseProposal,
    told: &[NewNotice],
    waits: impl Fn(&PauseProposal) -> bool + Send + Sync,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let proposed = connection.transaction::<bool, StoreError, _>(async |connection| {
        let row = pause_proposals::table.find(proposal.game_id).select(PauseProposal::as_select());
        let before = row.for_update().first(connection).await.optional()?;
        if let Some(before) = before {
            let mine = before.by_player == proposal.by_player;
            let waits = waits(&before);
            if waits && mine && before.until_at == proposal.until_at {
                return Ok(true);
            }
            if waits && !mine {
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

/// Agrees with a proposal: `$1` the game, `$2` what it says, `$3` the player. It was made after `$4`.
const AGREE: &str = "
update pause_proposals p set agreed = case when $3 = any(agreed) then agreed else array_append(agreed, $3) end
where game_id = $1 and until_at is not distinct from $2 and created_at > $4
returning game_id, by_player, until_at, created_at, agreed";

/// Agrees with the proposal that says `until_at` and was made after `oldest`; `None` if there is none.
///
/// # Errors
/// The database failed.
pub async fn agree(
    database: &Database,
    game_id: Uuid,
    until_at: Option<OffsetDateTime>,
    player_id: Uuid,
    oldest: OffsetDateTime,
) -> Result<Option<PauseProposal>, StoreError> {
    let agree = diesel::sql_query(AGREE)
        .bind::<SqlUuid, _>(game_id)
        .bind::<Nullable<Timestamptz>, _>(until_at)
        .bind::<SqlUuid, _>(player_id)
        .bind::<Timestamptz, _>(oldest);
    Ok(agree.get_result(&mut database.get().await?).await.optional()?)
}

/// Removes the proposal that says `until_at`; false if there is none.
///
/// # Errors
/// The database failed.
pub async fn decline(
    database: &Database,
    game_id: Uuid,
    until_at: Option<OffsetDateTime>,
) -> Result<bool, StoreError> {
    let said = pause_proposals::until_at.is_not_distinct_from(until_at);
    let removed = diesel::delete(pause_proposals::table.find(game_id).filter(said));
    Ok(removed.execute(&mut database.get().await?).await? > 0)
}

/// Removes this proposal, whoever has agreed; false if it is not there any more.
///
/// # Errors
/// The database failed.
pub async fn take(database: &Database, proposal: &PauseProposal) -> Result<bool, StoreError> {
    let same = pause_proposals::by_player
        .eq(proposal.by_player)
        .and(pause_proposals::created_at.eq(proposal.created_at))
        .and(pause_proposals::until_at.is_not_distinct_from(proposal.until_at));
    let taken = diesel::delete(pause_proposals::table.find(proposal.game_id).filter(same));
    Ok(taken.execute(&mut database.get().await?).await? > 0)
}

/// Lets a proposal that was taken wait again, unless there is another one.
///
/// # Errors
/// The database failed.
pub async fn put_back(database: &Database, proposal: &PauseProposal) -> Result<(), StoreError> {
    let back = diesel::insert_into(pause_proposals::table).values(proposal).on_conflict_do_nothing();
    back.execute(&mut database.get().await?).await?;
    Ok(())
}
