//! What the games of a player take of this server.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::{Duration, OffsetDateTime};
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

/// Of how many games of a player, the newest, it is asked whether they are over.
const MAX_GAMES_ASKED: i64 = 2_000;

/// Of the player `$1`, the events of games created after `$2`, whose ids are not below `$3`. Their histories in the archive count no
/// more. Of the newest `$4` games those that are not over.
pub const USAGE: &str = "
select unfinished.games, recent.events
from (
    select count(*) as games
    from (
        select game_id from game_players where player_id = $1 order by game_id desc limit $4
    ) newest
    join games g on g.id = newest.game_id
    where g.status in ('open', 'starting', 'running')
) unfinished,
(
    select coalesce(sum(s.seq + 1), 0)::bigint as events
    from game_players p
    join games g on g.id = p.game_id
    join game_states s on s.game_id = p.game_id
    where p.player_id = $1 and p.game_id >= $3 and g.created_at > $2 and g.history = 'rows'
) recent";

/// The bits of a game's id (UUIDv7) below the milliseconds of the machine's clock when it was made.
const RANDOM_BITS: u32 = 80;

/// The least id of a game made within `period`, by the machine's clock.
fn least_id_within(period: Duration) -> Uuid {
    let now = Uuid::now_v7().as_u128() >> RANDOM_BITS;
    let period = u128::try_from(period.whole_milliseconds()).unwrap_or_default();
    Uuid::from_u128(now.saturating_sub(period) << RANDOM_BITS)
}

/// What the games of a player take at `now`; events count for so long.
///
/// # Errors
/// The database failed.
pub async fn of_player(
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
    counted_for: Duration,
) -> Result<Usage, StoreError> {
    let usage = diesel::sql_query(USAGE)
        .bind::<SqlUuid, _>(player_id)
        .bind::<Timestamptz, _>(now - counted_for)
        .bind::<SqlUuid, _>(least_id_within(counted_for))
        .bind::<BigInt, _>(MAX_GAMES_ASKED);
    Ok(usage.get_result(&mut database.get_for_all_nodes().await?).await?)
}
