//! Cancels games that have not started in time.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::games::{MemberRow, members_query};
use crate::notices::{self, NewNotice};
use crate::queue::GameId;
use crate::schema::{game_players, games};
use crate::{Database, GameStatus, StoreError, Topology, citus};

/// Games that wait and whose time is up: `$1` now, `$2` how many, the longest overdue first. A game that somebody else changes just now
/// is left out.
pub const EXPIRED: &str = "
select id from games
where status in ('open', 'starting') and coalesce(awaits_until, expires_at) <= $1
order by coalesce(awaits_until, expires_at) limit $2 for update skip locked";

async fn take(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    now: OffsetDateTime,
    limit: i64,
) -> QueryResult<Vec<Uuid>> {
    if topology == Topology::Citus {
        return citus::taking::expired(connection, now, limit).await;
    }
    let expired = diesel::sql_query(EXPIRED).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    Ok(GameId::all(expired.load(connection).await?))
}

/// Cancels at most `limit` games whose time is up and writes a notice for each player who waits there. Returns their ids.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn expire(database: &Database, now: OffsetDateTime, limit: i64) -> Result<Vec<Uuid>, StoreError> {
    let (mut connection, topology) = (database.get_for_all_nodes().await?, database.topology());
    let expired = connection.transaction::<Vec<Uuid>, StoreError, _>(async |connection| {
        let ids = take(connection, topology, now, limit).await?;
        if ids.is_empty() {
            return Ok(ids);
        }
        let cancelled = (games::status.eq(GameStatus::Cancelled), games::finished_at.eq(now));
        diesel::update(games::table.filter(games::id.eq_any(&ids)))
            .set(cancelled)
            .execute(connection)
            .await?;
        // Read under the locks: nobody joins or leaves any more.
        let members: Vec<MemberRow> =
            members_query().filter(game_players::game_id.eq_any(&ids)).load(connection).await?;
        let told =
            members.iter().map(|member| NewNotice::game_expired(member.player_id, member.game_id, now));
        notices::insert(connection, &told.collect::<Vec<_>>()).await?;
        Ok(ids)
    });
    expired.await
}
