//! Whom a player follows, the games that a player has marked, and the games that both show; and the games of the members of a club.

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

/// Among how many of a player's newest games those are looked for that are shown.
pub const MAX_LOOKED_AT: i64 = 50;

/// Among how many of the newest games of all of them together on a cluster.
pub const MAX_LOOKED_AT_ON_A_CLUSTER: i64 = 1000;

/// The most games of all of them that are shown.
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

/// The public games of the players `$1` of which a condition holds, among the newest `$3` of each; the newest `$4`.
macro_rules! newest_of {
    ($condition:literal) => {
        concat!(
            "
select distinct n.game_id as id from unnest($1::uuid[]) as f(player_id)
cross join lateral (
    select l.game_id from game_players l where l.player_id = f.player_id order by l.game_id desc limit $3
) n
join games g on g.id = n.game_id
where not g.private and (",
            $condition,
            ")
order by n.game_id desc limit $4"
        )
    };
}

/// The same among the newest `$3` of all together, because a cluster plans no lateral limits.
macro_rules! newest_of_on_a_cluster {
    ($condition:literal) => {
        concat!(
            "
select distinct n.game_id as id from (
    select l.game_id from game_players l where l.player_id = any($1) order by l.game_id desc limit $3
) n
join games g on g.id = n.game_id
where not g.private and (",
            $condition,
            ")
order by n.game_id desc limit $4"
        )
    };
}

/// Those that run or have ended since `$2`.
pub const OF_FOLLOWED: &str =
    newest_of!("g.status = 'running' or g.status = 'finished' and g.finished_at >= $2");

const OF_FOLLOWED_ON_A_CLUSTER: &str =
    newest_of_on_a_cluster!("g.status = 'running' or g.status = 'finished' and g.finished_at >= $2");

/// Those that wait for players, run, or have ended since `$2`.
pub const OF_MEMBERS: &str =
    newest_of!("g.status in ('open', 'running') or g.status = 'finished' and g.finished_at >= $2");

const OF_MEMBERS_ON_A_CLUSTER: &str = newest_of_on_a_cluster!(
    "g.status in ('open', 'running') or g.status = 'finished' and g.finished_at >= $2"
);

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
    games_of(database, followed, [OF_FOLLOWED, OF_FOLLOWED_ON_A_CLUSTER], since).await
}

/// The newest public games of these players that wait for players, run, or have ended since a time.
///
/// # Errors
/// The database failed.
pub async fn games_of_members(
    database: &Database,
    players: Vec<Uuid>,
    since: OffsetDateTime,
) -> Result<Vec<Uuid>, StoreError> {
    games_of(database, players, [OF_MEMBERS, OF_MEMBERS_ON_A_CLUSTER], since).await
}

async fn games_of(
    database: &Database,
    players: Vec<Uuid>,
    [plain, on_a_cluster]: [&str; 2],
    since: OffsetDateTime,
) -> Result<Vec<Uuid>, StoreError> {
    if players.is_empty() {
        return Ok(Vec::new());
    }
    let (statement, looked_at) = match database.topology() {
        Topology::Plain => (plain, MAX_LOOKED_AT),
        Topology::Citus => (on_a_cluster, MAX_LOOKED_AT_ON_A_CLUSTER),
    };
    let asked = diesel::sql_query(statement)
        .bind::<Array<SqlUuid>, _>(players)
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
