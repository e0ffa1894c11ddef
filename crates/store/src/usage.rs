//! What the games of a player take of this server.

use diesel::sql_types::{BigInt, Timestamptz, Uuid as SqlUuid};
use diesel::{QueryResult, QueryableByName};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
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
    let mut connection = database.get_for_all_nodes().await?;
    Ok(usage(&mut connection, player_id, now, counted_for).await?)
}

async fn usage(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
    counted_for: Duration,
) -> QueryResult<Usage> {
    let usage = diesel::sql_query(USAGE)
        .bind::<SqlUuid, _>(player_id)
        .bind::<Timestamptz, _>(now - counted_for)
        .bind::<SqlUuid, _>(least_id_within(counted_for))
        .bind::<BigInt, _>(MAX_GAMES_ASKED);
    usage.get_result(connection).await
}

/// What the games of a player may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageLimits {
    pub player_id: Uuid,
    /// Whoever has as much enters no other game.
    pub most: Usage,
    pub now: OffsetDateTime,
    /// How long events count.
    pub counted_for: Duration,
}

/// What a player has as much of as may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedUp {
    Games,
    Events,
}

/// Not the player's row: whoever starts a game shares those of its players, in an order that has no place for one that is held alone.
const LOCK_ENTRIES: &str =
    "select pg_advisory_xact_lock(hashtextextended('entries of ' || $1::uuid::text, 0))";

/// Lets no other request enter the player into a game until the transaction ends. It comes before all other locks.
pub(crate) async fn lock_entries(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<()> {
    diesel::sql_query(LOCK_ENTRIES).bind::<SqlUuid, _>(player_id).execute(connection).await?;
    Ok(())
}

impl UsageLimits {
    /// [Locks](lock_entries) the player's entries.
    pub(crate) async fn lock(&self, connection: &mut AsyncPgConnection) -> QueryResult<()> {
        lock_entries(connection, self.player_id).await
    }

    /// Refuses another game beyond the limits. The caller holds the [lock](Self::lock).
    pub(crate) async fn check(&self, connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
        let used = usage(connection, self.player_id, self.now, self.counted_for).await?;
        match self.most {
            Usage { games, .. } if used.games >= games => Err(StoreError::UsedUp(UsedUp::Games)),
            Usage { events, .. } if used.events >= events => Err(StoreError::UsedUp(UsedUp::Events)),
            Usage { .. } => Ok(()),
        }
    }
}

/// The most games of a bot that are not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotLimits {
    pub bot: Uuid,
    pub most: i64,
    /// The player who wants another one, and the most with this player.
    pub challenger: Option<(Uuid, i64)>,
}

#[derive(QueryableByName)]
struct BotGames {
    #[diesel(sql_type = BigInt)]
    games: i64,
    #[diesel(sql_type = BigInt)]
    with_challenger: i64,
}

/// Of the newest `$4` games of the bot `$1` those that are not over, without the game `$3`; and those among them with the challenger `$2`.
/// Both may be nil, which no game and nobody has. Citus plans no join that a null makes impossible.
pub const BOT_GAMES: &str = "
select count(*) as games, count(challenger.player_id) as with_challenger
from (
    select game_id from game_players where player_id = $1 order by game_id desc limit $4
) newest
join games g on g.id = newest.game_id and g.id <> $3
left join game_players challenger on challenger.game_id = g.id and challenger.player_id = $2
where g.status in ('open', 'starting', 'running')";

impl BotLimits {
    /// Refuses another game beyond the limits.
    ///
    /// # Errors
    /// [`StoreError::TooMany`], or the database failed.
    pub async fn check(&self, database: &Database) -> Result<(), StoreError> {
        self.check_beside(None, &mut *database.get_for_all_nodes().await?).await
    }

    /// The same inside a transaction, for a game that may count already.
    pub(crate) async fn check_beside(
        &self,
        game_id: Option<Uuid>,
        connection: &mut AsyncPgConnection,
    ) -> Result<(), StoreError> {
        let counted = diesel::sql_query(BOT_GAMES)
            .bind::<SqlUuid, _>(self.bot)
            .bind::<SqlUuid, _>(self.challenger.map(|(player_id, _)| player_id).unwrap_or_default())
            .bind::<SqlUuid, _>(game_id.unwrap_or_default())
            .bind::<BigInt, _>(MAX_GAMES_ASKED);
        let BotGames { games, with_challenger } = counted.get_result(connection).await?;
        match self.challenger {
            Some((_, most)) if with_challenger >= most => Err(StoreError::TooMany(most)),
            _ if games >= self.most => Err(StoreError::TooMany(self.most)),
            _ => Ok(()),
        }
    }
}
