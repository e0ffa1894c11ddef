//! Reads ratings, of those who show them.

use std::fmt;
use std::str::FromStr;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Date as SqlDate, Integer, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::Date;
use uuid::Uuid;

use super::RatingRow;
use crate::database::Database;
use crate::error::StoreError;
use crate::schema::{player_preferences, player_ratings};

/// Whether others may see the ratings of a player.
async fn are_shown(database: &Database, player_id: Uuid) -> Result<bool, StoreError> {
    let chosen = player_preferences::table.find(player_id).select(player_preferences::ratings);
    Ok(chosen.first(&mut database.get().await?).await.optional()?.unwrap_or(true))
}

/// The ratings of a player.
///
/// # Errors
/// The database failed.
pub async fn of_player(database: &Database, player_id: Uuid) -> Result<Vec<RatingRow>, StoreError> {
    if !are_shown(database, player_id).await? {
        return Ok(Vec::new());
    }
    let newest = player_ratings::player_id.eq(player_id).and(player_ratings::is_newest);
    let newest = player_ratings::table.filter(newest).select(RatingRow::as_select());
    let newest = newest.order((player_ratings::pool.desc(), player_ratings::rules, player_ratings::pace));
    Ok(newest.load(&mut database.get().await?).await?)
}

/// Of each of these players the rating with the most games.
///
/// # Errors
/// The database failed.
pub async fn most_played(database: &Database, players: &[Uuid]) -> Result<Vec<RatingRow>, StoreError> {
    let mut connection = database.get().await?;
    let hidden = player_preferences::table
        .filter(player_preferences::player_id.eq_any(players))
        .filter(player_preferences::ratings.eq(false))
        .select(player_preferences::player_id);
    let hidden: Vec<Uuid> = hidden.load(&mut connection).await?;
    let shown: Vec<Uuid> = players.iter().filter(|player| !hidden.contains(player)).copied().collect();
    let newest = player_ratings::player_id.eq_any(shown).and(player_ratings::is_newest);
    let newest = player_ratings::table.filter(newest).select(RatingRow::as_select()).order((
        player_ratings::player_id,
        player_ratings::games.desc(),
        player_ratings::pool,
        player_ratings::rules,
        player_ratings::pace,
    ));
    let mut rows: Vec<RatingRow> = newest.load(&mut connection).await?;
    rows.dedup_by_key(|row| row.player_id);
    Ok(rows)
}

/// The ratings of a player in a class by day, the newest first; those before the day `before`.
///
/// # Errors
/// The database failed.
pub async fn history(
    database: &Database,
    player_id: Uuid,
    [pool, rules, pace]: [&str; 3],
    before: Option<Date>,
    limit: i64,
) -> Result<Vec<RatingRow>, StoreError> {
    if !are_shown(database, player_id).await? {
        return Ok(Vec::new());
    }
    let of_player = player_ratings::player_id.eq(player_id).and(player_ratings::pool.eq(pool));
    let of_class = player_ratings::rules.eq(rules).and(player_ratings::pace.eq(pace));
    let days = player_ratings::table
        .filter(of_player)
        .filter(of_class)
        .filter(player_ratings::day.lt(before.unwrap_or(Date::MAX)))
        .order(player_ratings::day.desc())
        .limit(limit)
        .select(RatingRow::as_select());
    Ok(days.load(&mut database.get().await?).await?)
}

/// A rating that is asked for: the player's newest of a class (pool, rule set, pace) from before a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub player_id: Uuid,
    pub pool: &'static str,
    pub rules: String,
    pub pace: &'static str,
    pub before: Date,
}

/// A rating by the number of its question, from 1 on.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct Found {
    #[diesel(sql_type = BigInt)]
    pub number: i64,
    #[diesel(sql_type = SqlDate)]
    pub day: Date,
    #[diesel(sql_type = Integer)]
    pub rating: i32,
    #[diesel(sql_type = Integer)]
    pub deviation: i32,
    #[diesel(sql_type = Integer)]
    pub volatility: i32,
}

/// The ratings of the players `$1` in the classes `$2` to `$4` before the days `$5`, of those who show them.
pub const BEFORE: &str = "
select w.number, r.day, r.rating, r.deviation, r.volatility
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::date[])
    with ordinality as w(player_id, pool, rules, pace, before, number)
cross join lateral (
    select p.day, p.rating, p.deviation, p.volatility from player_ratings p
    where p.player_id = w.player_id and p.pool = w.pool and p.rules = w.rules and p.pace = w.pace and p.day < w.before
    order by p.day desc limit 1
) r
where not exists (select from player_preferences f where f.player_id = w.player_id and not f.ratings)";

/// The ratings that are asked for; those who have none, or do not show theirs, are missing.
///
/// # Errors
/// The database failed.
pub async fn before(database: &Database, wanted: &[Wanted]) -> Result<Vec<Found>, StoreError> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let texts = |text: fn(&Wanted) -> &str| wanted.iter().map(text).collect::<Vec<&str>>();
    let found = diesel::sql_query(BEFORE)
        .bind::<Array<SqlUuid>, _>(wanted.iter().map(|one| one.player_id).collect::<Vec<Uuid>>())
        .bind::<Array<Text>, _>(texts(|one| one.pool))
        .bind::<Array<Text>, _>(texts(|one| &one.rules))
        .bind::<Array<Text>, _>(texts(|one| one.pace))
        .bind::<Array<SqlDate>, _>(wanted.iter().map(|one| one.before).collect::<Vec<Date>>());
    Ok(found.load(&mut database.get().await?).await?)
}

/// A player of a list of the best.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct Listed {
    #[diesel(sql_type = SqlUuid)]
    pub player_id: Uuid,
    #[diesel(sql_type = Text)]
    pub handle: String,
    #[diesel(sql_type = SqlDate)]
    pub day: Date,
    #[diesel(sql_type = Integer)]
    pub rating: i32,
    #[diesel(sql_type = Integer)]
    pub deviation: i32,
    #[diesel(sql_type = Integer)]
    pub volatility: i32,
    #[diesel(sql_type = Integer)]
    pub games: i32,
}

/// A place in a list of the best: after this rating, and of those who have it after this player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub rating: i32,
    pub player_id: Uuid,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.rating, self.player_id)
    }
}

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let (rating, player_id) = text.split_once('.').ok_or(NoPlace)?;
        let (rating, player_id) = (rating.parse(), Uuid::try_parse(player_id));
        Ok(Self { rating: rating.map_err(|_| NoPlace)?, player_id: player_id.map_err(|_| NoPlace)? })
    }
}

/// The text names no place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no place in a list")]
pub struct NoPlace;

/// The best of a class `$1` to `$3` who have played on the day `$4` or later, after the place `$5` and `$6`, at most `$7`. The
/// conditions on deviation and games are those of the index.
pub const BEST: &str = "
select r.player_id, p.handle, r.day, r.rating, r.deviation, r.volatility, r.games
from player_ratings r join players p on p.id = r.player_id
where r.pool = $1 and r.rules = $2 and r.pace = $3 and r.is_newest and r.deviation <= 110000 and r.games >= 5
    and r.day >= $4 and r.rating <= $5 and (r.rating < $5 or r.player_id > $6) and p.deleted_at is null
    and not exists (select from player_preferences f where f.player_id = r.player_id and not f.ratings)
order by r.rating desc, r.player_id
limit $7";

/// The best of a class who have played since a day, after a place.
///
/// # Errors
/// The database failed.
pub async fn best(
    database: &Database,
    [pool, rules, pace]: [&str; 3],
    since: Date,
    after: Option<Place>,
    limit: i64,
) -> Result<Vec<Listed>, StoreError> {
    let Place { rating, player_id } = after.unwrap_or(Place { rating: i32::MAX, player_id: Uuid::nil() });
    let best = diesel::sql_query(BEST)
        .bind::<Text, _>(pool)
        .bind::<Text, _>(rules)
        .bind::<Text, _>(pace)
        .bind::<SqlDate, _>(since)
        .bind::<Integer, _>(rating)
        .bind::<SqlUuid, _>(player_id)
        .bind::<BigInt, _>(limit);
    Ok(best.load(&mut database.get().await?).await?)
}
