//! The rated games of a time whose players are rated highest.

use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::database::Database;
use crate::error::StoreError;
use crate::queue::GameId;

/// Among how many rated games, the newest, the best are looked for.
pub const MAX_CONSIDERED: i64 = 2000;

/// Of the newest `$3` rated games of people that ended from `$1` to `$2`, the `$4` whose lowest rating is highest; then the newer ones.
/// Every player has a rating by now that is not provisional, and shows it.
pub const WEEK: &str = "
select r.game_id as id from (
    select game_id, ended_at, pool, rules, pace, player_ids from rated_games
    where pool = 'people' and ended_at >= $1 and ended_at <= $2 order by ended_at desc, game_id desc limit $3
) r
cross join lateral (
    select min(p.rating) as lowest, count(*) as rated from player_ratings p
    where p.player_id = any(r.player_ids) and p.pool = r.pool and p.rules = r.rules and p.pace = r.pace
        and p.is_newest and p.deviation <= 110000
        and not exists (select from player_preferences w where w.player_id = p.player_id and not w.ratings)
) s
where s.rated = cardinality(r.player_ids)
order by s.lowest desc, r.ended_at desc, r.game_id limit $4";

/// The `limit` best of the games that ended in a time.
///
/// # Errors
/// The database failed.
pub async fn best_games(
    database: &Database,
    since: OffsetDateTime,
    until: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let asked = diesel::sql_query(WEEK)
        .bind::<Timestamptz, _>(since)
        .bind::<Timestamptz, _>(until)
        .bind::<BigInt, _>(MAX_CONSIDERED)
        .bind::<BigInt, _>(limit);
    Ok(GameId::all(asked.load(&mut database.get().await?).await?))
}
