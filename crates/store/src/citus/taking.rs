//! Takes rows of several shards, which no statement can lock: they are read without locks, and each is then taken by itself.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::StoreError;
use crate::queue::{GameId, set_aside_until};
use crate::standing_orders::OrdersRow;

/// As `turns::FLAGS_DUE`, without claims: a lock that a shard gives while it looks for its first games would be held for games that are not
/// taken. `$3` are games to be left out.
const FLAGS_DUE: &str = concat!(
    "
select game_id as id from game_states s
where deadline_at is not null and least(remind_at, deadline_at) <= $1 and coalesce(deadline_at, 'infinity') <= $1
    and game_id <> all($3) and ",
    set_aside_until!("flag", "s.game_id"),
    " <= $1 order by least(remind_at, deadline_at) limit $2"
);

/// The first `$2` of the games `$1`, in their order, that no other worker has claimed. Claims are on the coordinator.
const CLAIM_FLAGS: &str = "
select game_id as id from unnest($1) as due (game_id)
where pg_try_advisory_xact_lock(1718378855, hashtext(game_id::text)) limit $2";

/// How many times in a row a claim may find that others hold all that is due first.
const CLAIM_ROUNDS: usize = 16;

/// Claims the flags that are due first and free, with as many looks as that takes while others hold what is due before.
pub(crate) async fn flags(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let (mut seen, mut claimed) = (Vec::new(), Vec::new());
    for _ in 0..CLAIM_ROUNDS {
        let missing = limit - i64::try_from(claimed.len()).unwrap_or(limit);
        if missing <= 0 {
            break;
        }
        let due = diesel::sql_query(FLAGS_DUE).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
        let due = GameId::all(due.bind::<Array<SqlUuid>, _>(&seen).load(connection).await?);
        if due.is_empty() {
            break;
        }
        let free = diesel::sql_query(CLAIM_FLAGS).bind::<Array<SqlUuid>, _>(&due).bind::<BigInt, _>(missing);
        claimed.extend(GameId::all(free.load(connection).await?));
        seen.extend(due);
    }
    Ok(claimed)
}

/// As `commit::EXPIRED`.
const EXPIRED: &str = "
select id from games
where status in ('open', 'starting') and coalesce(awaits_until, expires_at) <= $1
order by coalesce(awaits_until, expires_at) limit $2";

/// Locks one of them if its time is still up.
const TAKE_EXPIRED: &str = "
select id from games
where id = $1 and status in ('open', 'starting') and coalesce(awaits_until, expires_at) <= $2 for update skip locked";

/// Locks games that wait and whose time is up.
pub(crate) async fn expired(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> QueryResult<Vec<Uuid>> {
    let expired = diesel::sql_query(EXPIRED).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    let mut taken = Vec::new();
    for id in GameId::all(expired.load(connection).await?) {
        let take = diesel::sql_query(TAKE_EXPIRED).bind::<SqlUuid, _>(id).bind::<Timestamptz, _>(now);
        taken.extend(GameId::all(take.load(connection).await?));
    }
    Ok(taken)
}

/// Players who are asked and have orders: `$1` now, `$2` the games that are looked at, `$3` how many.
const ASKED: &str = "
select o.game_id, o.player_id
from standing_orders o join game_states s on s.game_id = o.game_id
where o.is_active and o.look_at <= $1 and s.seq > o.seq and s.to_act_player = o.player_id and ($2 is null or o.game_id = any($2))
order by o.look_at limit $3";

/// The orders of the player `$3` in the game `$2` if they are still to be carried out at `$1`, locked.
const TAKE: &str = "
select o.game_id, o.player_id, o.orders, o.seq, o.is_active, o.look_at
from standing_orders o join game_states s on s.game_id = o.game_id
where o.game_id = $2 and o.player_id = $3 and o.is_active and o.look_at <= $1 and s.seq > o.seq and s.to_act_player = o.player_id
for no key update of o skip locked";

/// How many are tried to be taken, if other workers have taken the first.
const MOST_TRIED: i64 = 16;

#[derive(QueryableByName)]
struct Asked {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    player_id: Uuid,
}

/// Locks the orders of a player who is asked, in one of these games.
pub(crate) async fn orders(
    connection: &mut AsyncPgConnection,
    games: Option<Vec<Uuid>>,
    now: OffsetDateTime,
) -> QueryResult<Option<OrdersRow>> {
    let asked = diesel::sql_query(ASKED).bind::<Timestamptz, _>(now);
    let asked = asked.bind::<Nullable<Array<SqlUuid>>, _>(games).bind::<BigInt, _>(MOST_TRIED);
    for Asked { game_id, player_id } in asked.load(connection).await? {
        let take = diesel::sql_query(TAKE).bind::<Timestamptz, _>(now);
        let take = take.bind::<SqlUuid, _>(game_id).bind::<SqlUuid, _>(player_id);
        if let Some(row) = take.get_result(connection).await.optional()? {
            return Ok(Some(row));
        }
    }
    Ok(None)
}
