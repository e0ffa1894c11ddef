//! Ratings of players: the games from which they follow, and a row for each day with games. A day is rated in one transaction.

mod reading;
mod week;

use diesel::prelude::*;
use diesel::sql_types::{Array, Date as SqlDate, Integer, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::{Date, OffsetDateTime, Time};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{player_ratings, rated_games, rating_progress};

pub use reading::{
    BEFORE, BEST, Found, Listed, NoPlace, Place, Wanted, before, best, history, most_played, of_player,
};
pub use week::{MAX_CONSIDERED, WEEK, best_games};

/// A game that counts, before it is known whether a program plays in it.
#[derive(Clone, Debug)]
pub struct NewRatedGame {
    pub game_id: Uuid,
    pub ended_at: OffsetDateTime,
    pub rules: String,
    pub pace: &'static str,
    /// By seat.
    pub player_ids: Vec<Uuid>,
    pub places: Vec<i16>,
}

/// A game that counts.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = rated_games)]
pub struct RatedGameRow {
    pub game_id: Uuid,
    pub ended_at: OffsetDateTime,
    pub pool: String,
    pub rules: String,
    pub pace: String,
    pub player_ids: Vec<Uuid>,
    pub places: Vec<i16>,
}

/// A player's rating after a day.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = player_ratings)]
pub struct RatingRow {
    pub player_id: Uuid,
    pub pool: String,
    pub rules: String,
    pub pace: String,
    pub day: Date,
    pub rating: i32,
    pub deviation: i32,
    pub volatility: i32,
    pub games: i32,
}

/// Players' programs are rated apart.
const ADD: &str = "
insert into rated_games (game_id, ended_at, pool, rules, pace, player_ids, places)
select $1, $2, case when exists (select from players where id = any($5) and bot) then 'bots' else 'people' end, $3, $4, $5, $6
on conflict do nothing";

/// Adds a game. If its day has been rated, the days from it on are rated again.
pub(crate) async fn add(connection: &mut AsyncPgConnection, game: &NewRatedGame) -> QueryResult<()> {
    // Locked first: a day that is just being rated is over before the game is added, or sees it.
    let next_day = lock_progress(connection).await?;
    let added = diesel::sql_query(ADD)
        .bind::<SqlUuid, _>(game.game_id)
        .bind::<Timestamptz, _>(game.ended_at)
        .bind::<Text, _>(&game.rules)
        .bind::<Text, _>(game.pace)
        .bind::<Array<SqlUuid>, _>(&game.player_ids)
        .bind::<Array<SmallInt>, _>(&game.places);
    let added = added.execute(connection).await?;
    let day = game.ended_at.date();
    if added > 0 && day < next_day {
        set_progress(connection, day).await?;
    }
    Ok(())
}

async fn lock_progress(connection: &mut AsyncPgConnection) -> QueryResult<Date> {
    rating_progress::table.select(rating_progress::next_day).for_update().first(connection).await
}

async fn set_progress(connection: &mut AsyncPgConnection, next_day: Date) -> QueryResult<()> {
    let progress = diesel::update(rating_progress::table).set(rating_progress::next_day.eq(next_day));
    progress.execute(connection).await?;
    Ok(())
}

/// Rates the next day with games, if it is before `end`: `rate` makes the day's ratings of the newest ones of its players. The day that
/// was rated.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn rate_day<F>(
    database: &Database,
    end: Date,
    rate: impl FnOnce(Date, Vec<RatingRow>, Vec<RatedGameRow>) -> F + Send,
) -> Result<Option<Date>, StoreError>
where
    F: Future<Output = Result<Vec<RatingRow>, StoreError>> + Send,
{
    let mut connection = database.get_for_writing().await?;
    let rated = connection.transaction::<Option<Date>, StoreError, _>(async |connection| {
        let next_day = lock_progress(connection).await?;
        forget_from(connection, next_day).await?;
        let from = rated_games::table
            .filter(rated_games::ended_at.ge(next_day.with_time(Time::MIDNIGHT).assume_utc()));
        let first = from.select(rated_games::ended_at).order(rated_games::ended_at);
        let first: Option<OffsetDateTime> = first.first(connection).await.optional()?;
        let Some(day) = first.map(|first| first.to_offset(time::UtcOffset::UTC).date()) else {
            return Ok(None);
        };
        let Some(next) = day.next_day().filter(|_| day < end) else { return Ok(None) };
        let midnight = |day: Date| day.with_time(Time::MIDNIGHT).assume_utc();
        let of_day = rated_games::ended_at.ge(midnight(day)).and(rated_games::ended_at.lt(midnight(next)));
        let games = rated_games::table.filter(of_day).select(RatedGameRow::as_select());
        let games: Vec<RatedGameRow> = games.load(connection).await?;
        let mut players: Vec<Uuid> = games.iter().flat_map(|game| game.player_ids.clone()).collect();
        players.sort_unstable();
        players.dedup();
        let newest = player_ratings::is_newest.and(player_ratings::player_id.eq_any(players));
        let newest = player_ratings::table.filter(newest).select(RatingRow::as_select());
        let rows = rate(day, newest.load(connection).await?, games).await?;
        write(connection, &rows).await?;
        set_progress(connection, next).await?;
        Ok(Some(day))
    });
    rated.await
}

/// Forgets the ratings of days that are rated again.
const FORGET: &str = "
with gone as (delete from player_ratings where day >= $1 returning player_id, pool, rules, pace),
newest as (
    select r.player_id, r.pool, r.rules, r.pace, max(r.day) as day
    from player_ratings r join (select distinct * from gone) g using (player_id, pool, rules, pace)
    where r.day < $1 group by 1, 2, 3, 4
)
update player_ratings r set is_newest = true from newest n
where r.player_id = n.player_id and r.pool = n.pool and r.rules = n.rules and r.pace = n.pace and r.day = n.day";

async fn forget_from(connection: &mut AsyncPgConnection, day: Date) -> QueryResult<()> {
    diesel::sql_query(FORGET).bind::<SqlDate, _>(day).execute(connection).await?;
    Ok(())
}

const REPLACE: &str = "
update player_ratings r set is_newest = false
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as n(player_id, pool, rules, pace)
where r.player_id = n.player_id and r.pool = n.pool and r.rules = n.rules and r.pace = n.pace and r.is_newest";

const INSERT: &str = "
insert into player_ratings (player_id, pool, rules, pace, day, rating, deviation, volatility, games, is_newest)
select n.player_id, n.pool, n.rules, n.pace, n.day, n.rating, n.deviation, n.volatility, n.games, true
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::date[], $6::integer[], $7::integer[], $8::integer[], $9::integer[])
    as n(player_id, pool, rules, pace, day, rating, deviation, volatility, games)";

/// As arrays, because a day has any number of players.
async fn write(connection: &mut AsyncPgConnection, rows: &[RatingRow]) -> QueryResult<()> {
    let players: Vec<Uuid> = rows.iter().map(|row| row.player_id).collect();
    let texts = |text: fn(&RatingRow) -> &str| rows.iter().map(text).collect::<Vec<&str>>();
    let numbers = |number: fn(&RatingRow) -> i32| rows.iter().map(number).collect::<Vec<i32>>();
    let (pools, rules, paces) = (texts(|row| &row.pool), texts(|row| &row.rules), texts(|row| &row.pace));
    let replaced = diesel::sql_query(REPLACE)
        .bind::<Array<SqlUuid>, _>(&players)
        .bind::<Array<Text>, _>(&pools)
        .bind::<Array<Text>, _>(&rules)
        .bind::<Array<Text>, _>(&paces);
    replaced.execute(connection).await?;
    let inserted = diesel::sql_query(INSERT)
        .bind::<Array<SqlUuid>, _>(players)
        .bind::<Array<Text>, _>(pools)
        .bind::<Array<Text>, _>(rules)
        .bind::<Array<Text>, _>(paces)
        .bind::<Array<SqlDate>, _>(rows.iter().map(|row| row.day).collect::<Vec<Date>>())
        .bind::<Array<Integer>, _>(numbers(|row| row.rating))
        .bind::<Array<Integer>, _>(numbers(|row| row.deviation))
        .bind::<Array<Integer>, _>(numbers(|row| row.volatility))
        .bind::<Array<Integer>, _>(numbers(|row| row.games));
    inserted.execute(connection).await?;
    Ok(())
}
