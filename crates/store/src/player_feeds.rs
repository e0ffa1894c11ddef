//! The order in which a player is told of the events of all own games.
//!
//! An event gets its position when somebody reads the feed and the event is committed, under a lock on the player's row that is held
//! until the positions are committed. So whoever sees a position sees all lower ones, and an event that is committed late gets a
//! later position: no cursor can have passed it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::event_id::EventId;
use super::numbers::{FeedPosition, Seq};
use super::schema::{feed_heads, feed_ranges};
use super::{Topology, citus};

/// The games of player `$1` that have events without a position: each with the first and the last of them.
pub const UNPLACED: &str = "
select p.game_id, coalesce(r.last_seq + 1, 0) as first_seq, s.seq as last_seq
from game_players p join game_states s on s.game_id = p.game_id
left join lateral (
    select last_seq from feed_ranges r where r.player_id = p.player_id and r.game_id = p.game_id
    order by r.last_seq desc limit 1
) r on true
where p.player_id = $1 and s.seq > coalesce(r.last_seq, -1)";

fn unplaced(topology: Topology) -> &'static str {
    topology.pick(UNPLACED, citus::statements::UNPLACED)
}

/// Consecutive events of a game, at consecutive positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable)]
pub struct FeedRange {
    pub game_id: Uuid,
    pub first_seq: Seq,
    pub last_seq: Seq,
    /// Of the last event.
    pub position: FeedPosition,
}

impl FeedRange {
    /// The position of one of its events.
    #[must_use]
    pub fn position_of(&self, seq: Seq) -> FeedPosition {
        FeedPosition::from(self.position.get().saturating_sub(self.last_seq - seq))
    }

    /// The part of it after a position; `None` if there is none.
    #[must_use]
    pub fn after(self, cursor: FeedPosition) -> Option<Self> {
        let events = self.position.get().saturating_sub(cursor.get());
        if events == 0 {
            return None;
        }
        let first_seq = self.first_seq.max(self.last_seq.back(events - 1));
        Some(Self { first_seq, ..self })
    }
}

/// Gives a position to every event of the player's games that has none; returns the last position.
///
/// # Errors
/// The database failed.
pub async fn place(database: &Database, player_id: Uuid) -> Result<FeedPosition, StoreError> {
    let (mut connection, topology) = (database.get_for_all_nodes().await?, database.topology());
    // Most often there is nothing to write, and nothing is locked. The head is read afterwards, because others may just have given
    // positions to what was committed before.
    let is_placed = !any_unplaced(&mut connection, topology, player_id).await?;
    let newest = feed_heads::table.find(player_id).select(feed_heads::newest);
    let newest: Option<FeedPosition> = newest.first(&mut connection).await.optional()?;
    if let Some(newest) = newest.filter(|_| is_placed) {
        return Ok(newest);
    }
    if newest.is_none() {
        let head = (feed_heads::player_id.eq(player_id), feed_heads::newest.eq(0_i64));
        diesel::insert_into(feed_heads::table)
            .values(head)
            .on_conflict_do_nothing()
            .execute(&mut connection)
            .await?;
    }
    connection
        .transaction::<FeedPosition, StoreError, _>(async |connection| {
            place_locked(connection, topology, player_id).await
        })
        .await
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = diesel::sql_types::Bool)]
    found: bool,
}

async fn any_unplaced(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    player_id: Uuid,
) -> Result<bool, StoreError> {
    let query = diesel::sql_query(format!("select exists ({}) as found", unplaced(topology)));
    let found: Found = query.bind::<SqlUuid, _>(player_id).get_result(connection).await?;
    Ok(found.found)
}

#[derive(QueryableByName)]
struct Placed {
    #[diesel(sql_type = BigInt)]
    newest: FeedPosition,
}

/// The second statement sees what was committed before it got the lock, because each statement has a snapshot of its own.
async fn place_locked(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    player_id: Uuid,
) -> Result<FeedPosition, StoreError> {
    let head = feed_heads::table.find(player_id).for_update().select(feed_heads::newest);
    let before: FeedPosition = head.first(connection).await?;
    let unplaced = unplaced(topology);
    let statement = format!(
        "with unplaced as ({unplaced}), placed as (
             insert into feed_ranges (player_id, position, game_id, first_seq, last_seq)
             select $1, $2 + (sum(last_seq - first_seq + 1) over (order by game_id))::bigint, game_id, first_seq, last_seq
             from unplaced returning position
         ) update feed_heads set newest = greatest($2, (select max(position) from placed)) where player_id = $1
         returning newest"
    );
    let placing = diesel::sql_query(statement).bind::<SqlUuid, _>(player_id).bind::<BigInt, _>(before);
    let placed: Placed = placing.get_result(connection).await?;
    Ok(placed.newest)
}

/// The ranges after a position, at most `limit`; the first may begin in the middle.
///
/// # Errors
/// The database failed.
pub async fn ranges_after(
    database: &Database,
    player_id: Uuid,
    cursor: FeedPosition,
    limit: i64,
) -> Result<Vec<FeedRange>, StoreError> {
    let ranges = feed_ranges::table
        .filter(feed_ranges::player_id.eq(player_id).and(feed_ranges::position.gt(cursor)))
        .order(feed_ranges::position)
        .limit(limit)
        .select((feed_ranges::game_id, feed_ranges::first_seq, feed_ranges::last_seq, feed_ranges::position));
    let ranges: Vec<FeedRange> = ranges.load(&mut database.get().await?).await?;
    Ok(ranges.into_iter().filter_map(|range| range.after(cursor)).collect())
}

/// The position of an event in a player's feed; `None` if it has none.
///
/// # Errors
/// The database failed.
pub async fn position_of(
    database: &Database,
    player_id: Uuid,
    id: EventId,
) -> Result<Option<FeedPosition>, StoreError> {
    let range = feed_ranges::table
        .filter(feed_ranges::player_id.eq(player_id).and(feed_ranges::game_id.eq(id.game_id)))
        .filter(feed_ranges::last_seq.ge(id.seq))
        .order(feed_ranges::last_seq)
        .select((feed_ranges::game_id, feed_ranges::first_seq, feed_ranges::last_seq, feed_ranges::position));
    let range: Option<FeedRange> = range.first(&mut database.get().await?).await.optional()?;
    Ok(range.map(|range| range.position_of(id.seq)))
}

/// The last event at or before a position; `None` at the beginning of the feed.
///
/// # Errors
/// The database failed.
pub async fn event_at(
    database: &Database,
    player_id: Uuid,
    position: FeedPosition,
) -> Result<Option<EventId>, StoreError> {
    if position == FeedPosition::default() {
        return Ok(None);
    }
    let range = feed_ranges::table
        .filter(feed_ranges::player_id.eq(player_id).and(feed_ranges::position.ge(position)))
        .order(feed_ranges::position)
        .select((feed_ranges::game_id, feed_ranges::first_seq, feed_ranges::last_seq, feed_ranges::position));
    let range: Option<FeedRange> = range.first(&mut database.get().await?).await.optional()?;
    Ok(range.map(|range| EventId {
        game_id: range.game_id,
        seq: range.last_seq.back(range.position.get() - position.get()),
    }))
}

/// The player's games that have started, are not over and have events up to a position, with the last of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct GameInFeed {
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    #[diesel(sql_type = BigInt)]
    pub seq: Seq,
}

/// The running games of `$1` with the newest event at or before position `$2`, at most `$3`.
pub const RUNNING: &str = "
select p.game_id, r.last_seq as seq
from game_players p join game_states s on s.game_id = p.game_id and s.to_act_seat is not null
join lateral (
    select last_seq from feed_ranges r
    where r.player_id = p.player_id and r.game_id = p.game_id and r.position <= $2 order by r.last_seq desc limit 1
) r on true
where p.player_id = $1 order by p.game_id desc limit $3";

/// The player's running games, newest first.
///
/// # Errors
/// The database failed.
pub async fn running(
    database: &Database,
    player_id: Uuid,
    position: FeedPosition,
    limit: i64,
) -> Result<Vec<GameInFeed>, StoreError> {
    let statement = database.topology().pick(RUNNING, citus::statements::RUNNING);
    let query = diesel::sql_query(statement)
        .bind::<SqlUuid, _>(player_id)
        .bind::<BigInt, _>(position)
        .bind::<BigInt, _>(limit);
    Ok(query.load(&mut database.get_for_all_nodes().await?).await?)
}
