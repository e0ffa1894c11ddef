//! Whom a player follows, the games that a player has marked, and the games that both show.

use diesel::sql_types::{Array, BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::bounded_list::BoundedList;
use super::database::Database;
use super::error::StoreError;
use super::queue::GameId;
use super::topology::Topology;

/// The most players whom one player follows.
pub const MAX_FOLLOWED: i64 = 100;

/// The most games that one player marks.
pub const MAX_FAVOURITES: i64 = 100;

/// Among how many of a followed player's newest games those are looked for that are shown.
pub const MAX_LOOKED_AT: i64 = 50;

/// Among how many of the newest games of all of them together on a cluster.
pub const MAX_LOOKED_AT_ON_A_CLUSTER: i64 = 1000;

/// The most games of followed players that are shown.
pub const MAX_SHOWN: i64 = 100;

/// Whom a player follows.
pub const FOLLOWED: BoundedList = BoundedList {
    table: "followed_players",
    listed: "followed_id",
    since: "followed_at",
    most: MAX_FOLLOWED,
};

/// The games that a player has marked.
pub const FAVOURITES: BoundedList =
    BoundedList { table: "favourite_games", listed: "game_id", since: "marked_at", most: MAX_FAVOURITES };

/// The public games of the players `$1` that run or have ended since `$2`, among the newest `$3` of each; the newest `$4`.
pub const OF_FOLLOWED: &str = "
select distinct n.game_id as id from unnest($1::uuid[]) as f(player_id)
cross join lateral (
    select l.game_id from game_players l where l.player_id = f.player_id order by l.game_id desc limit $3
) n
join games g on g.id = n.game_id
where not g.private and (g.status = 'running' or g.status = 'finished' and g.finished_at >= $2)
order by n.game_id desc limit $4";

/// The same among the newest `$3` of all together, because a cluster plans no lateral limits.
const OF_FOLLOWED_ON_A_CLUSTER: &str = "
select distinct n.game_id as id from (
    select l.game_id from game_players l where l.player_id = any($1) order by l.game_id desc limit $3
) n
join games g on g.id = n.game_id
where not g.private and (g.status = 'running' or g.status = 'finished' and g.finished_at >= $2)
order by n.game_id desc limit $4";

/// Those of the games `$1` that are public, or that the player `$2` is in.
pub const VISIBLE: &str = "
select g.id from games g where g.id = any($1)
    and (not g.private or exists (select from game_players m where m.game_id = g.id and m.player_id = $2))";

/// The newest public games of those whom a player follows that run, or have ended since a time.
///
/// # Errors
/// The database failed.
pub async fn games_of_followed(
    database: &Database,
    player_id: Uuid,
    since: OffsetDateTime,
) -> Result<Vec<Uuid>, StoreError> {
    let followed = FOLLOWED.ids(database, player_id).await?;
    if followed.is_empty() {
        return Ok(Vec::new());
    }
    let (statement, looked_at) = match database.topology() {
        Topology::Plain => (OF_FOLLOWED, MAX_LOOKED_AT),
        Topology::Citus => (OF_FOLLOWED_ON_A_CLUSTER, MAX_LOOKED_AT_ON_A_CLUSTER),
    };
    let asked = diesel::sql_query(statement)
        .bind::<Array<SqlUuid>, _>(followed)
        .bind::<Timestamptz, _>(since)
        .bind::<BigInt, _>(looked_at)
        .bind::<BigInt, _>(MAX_SHOWN);
    Ok(GameId::all(asked.load(&mut database.get_for_all_nodes().await?).await?))
}

/// The games that a player has marked and may see.
///
/// # Errors
/// The database failed.
pub async fn visible_favourites(database: &Database, player_id: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let marked = FAVOURITES.ids(database, player_id).await?;
    if marked.is_empty() {
        return Ok(marked);
    }
    let asked = diesel::sql_query(VISIBLE).bind::<Array<SqlUuid>, _>(marked).bind::<SqlUuid, _>(player_id);
    Ok(GameId::all(asked.load(&mut database.get_for_all_nodes().await?).await?))
}
