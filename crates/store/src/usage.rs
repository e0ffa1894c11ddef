//! What the games of a player take of this server.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;

/// What a player's games take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct Usage {
    /// Games that are not over: an open one may begin without the player doing anything.
    #[diesel(sql_type = BigInt)]
    pub games: i64,
    /// Events in the database of games that are not older than asked.
    #[diesel(sql_type = BigInt)]
    pub events: i64,
}

/// Of the player `$1`, the events of games created after `$2`. Their histories in the archive count no more.
pub const USAGE: &str = "
select count(*) filter (where g.status in ('open', 'starting', 'running')) as games,
    coalesce(sum(s.seq + 1) filter (where g.created_at > $2 and g.history = 'rows'), 0)::bigint as events
from game_players p
join games g on g.id = p.game_id
left join game_states s on s.game_id = p.game_id
where p.player_id = $1";

/// What the games of a player take.
///
/// # Errors
/// The database failed.
pub async fn of_player(
    database: &Database,
    player_id: Uuid,
    since: OffsetDateTime,
) -> Result<Usage, StoreError> {
    let usage = diesel::sql_query(USAGE).bind::<SqlUuid, _>(player_id).bind::<Timestamptz, _>(since);
    Ok(usage.get_result(&mut database.get_for_all_nodes().await?).await?)
}
