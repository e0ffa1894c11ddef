//! Moves that players have given in advance, one row for each player of a game.

use diesel::prelude::*;
use diesel::sql_types::{Array, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use futures_util::future::BoxFuture;
use time::OffsetDateTime;
use uuid::Uuid;

use super::changes::Changes;
use super::database::Database;
use super::error::StoreError;
use super::numbers::Seq;
use super::schema::standing_orders;
use super::{Topology, citus};

/// The orders of a player in a game.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset, QueryableByName)]
#[diesel(table_name = standing_orders, primary_key(game_id, player_id))]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub struct OrdersRow {
    pub game_id: Uuid,
    pub player_id: Uuid,
    /// JSON.
    pub orders: String,
    /// The newest event that they have taken into account.
    pub seq: Seq,
    pub is_active: bool,
    /// Nobody looks at them before.
    pub look_at: OffsetDateTime,
}

/// The orders of a player in a game.
///
/// # Errors
/// The database failed.
pub async fn find(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
) -> Result<Option<OrdersRow>, StoreError> {
    let row = standing_orders::table.find((game_id, player_id)).select(OrdersRow::as_select());
    Ok(row.first(&mut database.get().await?).await.optional()?)
}

/// Writes orders in place of those that were there. Waits for a process that carries them out.
///
/// # Errors
/// The database failed.
pub async fn write(database: &Database, row: &OrdersRow) -> Result<(), StoreError> {
    let written = diesel::insert_into(standing_orders::table)
        .values(row)
        .on_conflict((standing_orders::game_id, standing_orders::player_id))
        .do_update()
        .set(row);
    written.execute(&mut database.get().await?).await?;
    Ok(())
}

/// Removes the orders of a player in a game, if there are any. Waits for a process that carries them out.
///
/// # Errors
/// The database failed.
pub async fn remove(database: &Database, game_id: Uuid, player_id: Uuid) -> Result<(), StoreError> {
    let row = diesel::delete(standing_orders::table.find((game_id, player_id)));
    row.execute(&mut database.get().await?).await?;
    Ok(())
}

/// Whether orders of the player will soon be looked at because of event `seq`, which asks the player.
///
/// # Errors
/// The database failed.
pub async fn are_pending(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
    seq: Seq,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    Ok(are_pending_of(database, &[(game_id, player_id, seq)], now).await?.contains(&true))
}

/// The same for several players who are asked: whether of each.
///
/// # Errors
/// The database failed.
pub async fn are_pending_of(
    database: &Database,
    asked: &[(Uuid, Uuid, Seq)],
    now: OffsetDateTime,
) -> Result<Vec<bool>, StoreError> {
    let games: Vec<Uuid> = asked.iter().map(|(game_id, ..)| *game_id).collect();
    let active = standing_orders::table
        .filter(standing_orders::game_id.eq_any(games))
        .filter(standing_orders::is_active)
        .filter(standing_orders::look_at.le(now))
        .select((standing_orders::game_id, standing_orders::player_id, standing_orders::seq));
    let active: Vec<(Uuid, Uuid, Seq)> = active.load(&mut database.get().await?).await?;
    let is_pending = |(game_id, player_id, seq): &(Uuid, Uuid, Seq)| {
        active.iter().any(|(game, player, known)| game == game_id && player == player_id && known < seq)
    };
    Ok(asked.iter().map(is_pending).collect())
}

/// The orders of a player who is asked, locked: `$1` is now, `$2` the games that are looked at.
const NEXT_IN: &str = "
select o.game_id, o.player_id, o.orders, o.seq, o.is_active, o.look_at
from standing_orders o join game_states s on s.game_id = o.game_id
where o.is_active and o.look_at <= $1 and s.seq > o.seq and s.to_act_player = o.player_id and o.game_id = any($2)
order by o.look_at limit 1 for no key update of o skip locked";

/// The same among all games.
const NEXT: &str = "
select o.game_id, o.player_id, o.orders, o.seq, o.is_active, o.look_at
from standing_orders o join game_states s on s.game_id = o.game_id
where o.is_active and o.look_at <= $1 and s.seq > o.seq and s.to_act_player = o.player_id
order by o.look_at limit 1 for no key update of o skip locked";

async fn next(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    games: Option<Vec<Uuid>>,
    now: OffsetDateTime,
) -> QueryResult<Option<OrdersRow>> {
    if topology == Topology::Citus {
        return citus::taking::orders(connection, games, now).await;
    }
    match games {
        None => {
            let next = diesel::sql_query(NEXT).bind::<Timestamptz, _>(now);
            next.get_result(connection).await.optional()
        }
        Some(ids) => {
            let next = diesel::sql_query(NEXT_IN).bind::<Timestamptz, _>(now);
            next.bind::<Array<SqlUuid>, _>(ids).get_result(connection).await.optional()
        }
    }
}

/// Carries out the orders of one player who is asked, in one of the games of `changes`: `work` gets the row and gives it back as it is to
/// be written. The row stays locked meanwhile, so neither another process nor a change by the player gets between. Returns whether
/// there was one.
///
/// # Errors
/// The database failed.
pub async fn carry_out_next<W>(
    database: &Database,
    changes: &Changes,
    now: OffsetDateTime,
    work: W,
) -> Result<bool, StoreError>
where
    W: FnOnce(OrdersRow) -> BoxFuture<'static, OrdersRow> + Send,
{
    let mut connection = database.get_for_all_nodes().await?;
    let done = connection.transaction::<bool, StoreError, _>(async |connection| {
        let games = match changes {
            Changes::All => None,
            Changes::Some(ids) => Some(ids.iter().copied().collect()),
        };
        let found = next(connection, database.topology(), games, now).await?;
        let Some(row) = found else { return Ok(false) };
        let key = (row.game_id, row.player_id);
        let row = work(row).await;
        diesel::update(standing_orders::table.find(key)).set(&row).execute(connection).await?;
        Ok(true)
    });
    done.await
}
