//! Whom a player follows, the games that a player has marked, and the games that both show.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::queue::GameId;
use super::schema::{favourite_games, followed_players, players};
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

/// A player who is followed by another.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct FollowedPlayer {
    pub id: Uuid,
    pub handle: String,
    pub followed_at: OffsetDateTime,
}

/// Lets a player follow another; false if that one follows [`MAX_FOLLOWED`] already.
///
/// # Errors
/// The database failed.
pub async fn follow(
    database: &Database,
    player_id: Uuid,
    followed_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let held = ids_followed(database, player_id).await?;
    if held.contains(&followed_id) {
        return Ok(true);
    }
    if is_full(&held, MAX_FOLLOWED) {
        return Ok(false);
    }
    let row = (
        followed_players::player_id.eq(player_id),
        followed_players::followed_id.eq(followed_id),
        followed_players::followed_at.eq(now),
    );
    let written = diesel::insert_into(followed_players::table).values(row).on_conflict_do_nothing();
    written.execute(&mut database.get_for_writing().await?).await?;
    Ok(true)
}

fn is_full(held: &[Uuid], most: i64) -> bool {
    i64::try_from(held.len()).is_ok_and(|count| count >= most)
}

/// Lets a player follow another no more.
///
/// # Errors
/// The database failed.
pub async fn unfollow(database: &Database, player_id: Uuid, followed_id: Uuid) -> Result<(), StoreError> {
    let followed = followed_players::table.find((player_id, followed_id));
    diesel::delete(followed).execute(&mut database.get_for_writing().await?).await?;
    Ok(())
}

/// The players whom a player follows, the newest first.
///
/// # Errors
/// The database failed.
pub async fn followed_by(database: &Database, player_id: Uuid) -> Result<Vec<FollowedPlayer>, StoreError> {
    let followed = followed_players::table
        .inner_join(players::table.on(players::id.eq(followed_players::followed_id)))
        .filter(followed_players::player_id.eq(player_id))
        .order((followed_players::followed_at.desc(), players::id))
        .select((players::id, players::handle, followed_players::followed_at))
        .limit(MAX_FOLLOWED);
    Ok(followed.load(&mut database.get().await?).await?)
}

async fn ids_followed(database: &Database, player_id: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let followed = followed_players::table
        .filter(followed_players::player_id.eq(player_id))
        .select(followed_players::followed_id)
        .limit(MAX_FOLLOWED);
    Ok(followed.load(&mut database.get().await?).await?)
}

/// Whether a player follows another.
///
/// # Errors
/// The database failed.
pub async fn follows(database: &Database, player_id: Uuid, followed_id: Uuid) -> Result<bool, StoreError> {
    let followed = followed_players::table.find((player_id, followed_id));
    Ok(diesel::select(diesel::dsl::exists(followed)).get_result(&mut database.get().await?).await?)
}

/// Marks a game for a player; false if that one has marked [`MAX_FAVOURITES`] already.
///
/// # Errors
/// The database failed.
pub async fn mark(
    database: &Database,
    player_id: Uuid,
    game_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let held = marked_by(database, player_id).await?;
    if held.contains(&game_id) {
        return Ok(true);
    }
    if is_full(&held, MAX_FAVOURITES) {
        return Ok(false);
    }
    let row = (
        favourite_games::player_id.eq(player_id),
        favourite_games::game_id.eq(game_id),
        favourite_games::marked_at.eq(now),
    );
    let written = diesel::insert_into(favourite_games::table).values(row).on_conflict_do_nothing();
    written.execute(&mut database.get_for_writing().await?).await?;
    Ok(true)
}

/// Takes a player's mark from a game.
///
/// # Errors
/// The database failed.
pub async fn unmark(database: &Database, player_id: Uuid, game_id: Uuid) -> Result<(), StoreError> {
    let marked = favourite_games::table.find((player_id, game_id));
    diesel::delete(marked).execute(&mut database.get_for_writing().await?).await?;
    Ok(())
}

/// The games that a player has marked, the newest mark first.
///
/// # Errors
/// The database failed.
pub async fn marked_by(database: &Database, player_id: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let marked = favourite_games::table
        .filter(favourite_games::player_id.eq(player_id))
        .order((favourite_games::marked_at.desc(), favourite_games::game_id))
        .select(favourite_games::game_id)
        .limit(MAX_FAVOURITES);
    Ok(marked.load(&mut database.get().await?).await?)
}

/// Whether a player has marked a game.
///
/// # Errors
/// The database failed.
pub async fn has_marked(database: &Database, player_id: Uuid, game_id: Uuid) -> Result<bool, StoreError> {
    let marked = favourite_games::table.find((player_id, game_id));
    Ok(diesel::select(diesel::dsl::exists(marked)).get_result(&mut database.get().await?).await?)
}

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
    let followed = ids_followed(database, player_id).await?;
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
    let marked = marked_by(database, player_id).await?;
    if marked.is_empty() {
        return Ok(marked);
    }
    let asked = diesel::sql_query(VISIBLE).bind::<Array<SqlUuid>, _>(marked).bind::<SqlUuid, _>(player_id);
    Ok(GameId::all(asked.load(&mut database.get_for_all_nodes().await?).await?))
}
