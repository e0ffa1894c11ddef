//! Ratings of players: a worker takes what finished public games say when it counts them, and rates each day once it is over. The
//! figures are those of the pure crate `pippost-ratings`; this room stores and reads them.

use std::collections::HashMap;

use time::{Date, Duration, UtcOffset};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::Fixed;
use pippost_clock::log::reliability::GameFigures;
use pippost_ratings::{
    Class, Pace, Pool, RatedGame, Rating, Standing, Standings, Strength, rate_day as ratings_after, rated,
};
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;
use pippost_store::StoreError;
use pippost_store::players::PlayerRow;
use pippost_store::ratings::{Listed, NewRatedGame, RatedGameRow, RatingRow};
use pippost_traffic as traffic;

pub use pippost_store::ratings::Place;

/// How long after its end a day is rated: games that ended at its very end are counted by then.
pub const DAY_SETTLES: Duration = Duration::hours(1);

/// Whoever has not played for longer is in no list of the best.
pub const MAX_IDLE: Duration = Duration::days(365);

/// The most entries of a page.
pub const MAX_PAGE: u16 = 100;

/// What a game says for ratings, if it counts.
pub(crate) fn of_game(fixed: &Fixed, figures: &GameFigures) -> Option<NewRatedGame> {
    let rated = rated(figures).ok()?;
    let began = |seat| fixed.player_of(Seat(seat), false);
    let player_ids = (0..).take(rated.places.len()).map(began).collect::<Option<Vec<Uuid>>>()?;
    Some(NewRatedGame {
        game_id: fixed.id,
        ended_at: figures.ended_at.get(),
        rules: rated.rules,
        pace: rated.pace.as_str(),
        player_ids,
        places: rated.places.into_iter().map(i16::from).collect(),
    })
}

/// Rates the next day with games that is over and whose games have all been counted; returns how many days. Games that cannot be counted
/// hold nothing up: if one is counted later, its day and all later ones are rated again. In a sandbox nothing is rated.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn rate_day(games: &Games) -> Result<usize, GameError> {
    if games.inner.clock.is_sandbox() {
        return Ok(0);
    }
    let now = games.inner.clock.now();
    let day = |at: time::OffsetDateTime| at.to_offset(UtcOffset::UTC).date();
    let uncounted = pippost_store::reliability::first_uncounted(&games.database, now).await?;
    let end = day(now - DAY_SETTLES);
    let end = uncounted.map_or(end, |first| end.min(day(first)));
    let rated = pippost_store::ratings::rate_day(&games.database, end, |day, before, played| {
        // On a thread that yields to requests.
        let rated = traffic::compute(traffic::Work::Other, move || rate(day, before, played));
        async move { rated.await.map_err(|_panic| StoreError::Corrupt(format!("the rated games of {day}")))? }
    });
    Ok(usize::from(rated.await?.is_some()))
}

fn rate(day: Date, before: Vec<RatingRow>, played: Vec<RatedGameRow>) -> Result<Vec<RatingRow>, StoreError> {
    let before: Standings<Uuid> = before.into_iter().map(standing).collect::<Result<_, _>>()?;
    let mut played: Vec<RatedGame<Uuid>> = played.into_iter().map(game).collect::<Result<_, _>>()?;
    Ok(ratings_after(&before, day, &mut played).into_iter().map(row).collect())
}

fn class(pool: &str, rules: String, pace: &str) -> Result<Class, StoreError> {
    let unreadable = || StoreError::Corrupt(format!("ratings of {pool} at the pace {pace}"));
    let named = Pool::named(pool).zip(Pace::named(pace));
    let (pool, pace) = named.ok_or_else(unreadable)?;
    Ok(Class { pool, rules, pace })
}

fn standing(row: RatingRow) -> Result<((Class, Uuid), Standing), StoreError> {
    let RatingRow { player_id, pool, rules, pace, day, rating, deviation, volatility, games } = row;
    let strength = Strength { rating, deviation, volatility };
    Ok(((class(&pool, rules, &pace)?, player_id), Standing { strength, games, day }))
}

fn game(row: RatedGameRow) -> Result<RatedGame<Uuid>, StoreError> {
    let RatedGameRow { game_id: game, ended_at, pool, rules, pace, player_ids: players, places } = row;
    let unreadable = |_| StoreError::Corrupt(format!("places of game {game}"));
    let places = places.into_iter().map(u8::try_from).collect::<Result<_, _>>().map_err(unreadable)?;
    let (class, ended_at) = (class(&pool, rules, &pace)?, Timestamp::new(ended_at));
    Ok(RatedGame { game, ended_at, class, players, places })
}

fn row(((class, player_id), standing): ((Class, Uuid), Standing)) -> RatingRow {
    let Standing { strength: Strength { rating, deviation, volatility }, games, day } = standing;
    let Class { pool, rules, pace } = class;
    let (pool, pace) = (pool.as_str().to_owned(), pace.as_str().to_owned());
    RatingRow { player_id, pool, rules, pace, day, rating, deviation, volatility, games }
}

fn shown(handle: &str, rows: Vec<RatingRow>) -> Result<Vec<Rating>, GameError> {
    let rating = |row| {
        let ((class, _), standing) = standing(row)?;
        Ok(Rating::of(handle.to_owned(), class, &standing))
    };
    rows.into_iter().map(rating).collect()
}

/// The ratings of a player; none if the player does not show them.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, player: &PlayerRow) -> Result<Vec<Rating>, GameError> {
    shown(&player.handle, pippost_store::ratings::of_player(&games.database, player.id).await?)
}

/// Of each of these players, by id and handle, the rating with the most games, if there is one and the player shows it.
///
/// # Errors
/// The database failed.
pub async fn most_played(
    games: &Games,
    players: &[(Uuid, &str)],
) -> Result<HashMap<Uuid, Rating>, GameError> {
    let ids: Vec<Uuid> = players.iter().map(|(id, _)| *id).collect();
    let handles: HashMap<Uuid, &str> = players.iter().copied().collect();
    let mut found = HashMap::new();
    for row in pippost_store::ratings::most_played(&games.database, &ids).await? {
        let ((class, player_id), standing) = standing(row)?;
        let handle = handles.get(&player_id).copied().unwrap_or_default();
        found.insert(player_id, Rating::of(handle.to_owned(), class, &standing));
    }
    Ok(found)
}

/// The ratings of a player in a class by day, the newest first; those before the day `before`.
///
/// # Errors
/// The database failed.
pub async fn history(
    games: &Games,
    player: &PlayerRow,
    class: &Class,
    before: Option<Date>,
    limit: u16,
) -> Result<Vec<Rating>, GameError> {
    let names = names(class);
    let rows = pippost_store::ratings::history(&games.database, player.id, names, before, limit.into());
    shown(&player.handle, rows.await?)
}

fn names(class: &Class) -> [&str; 3] {
    [class.pool.as_str(), &class.rules, class.pace.as_str()]
}

/// The best of a class who have played within [`MAX_IDLE`], after a place; and after which place those follow who are left.
///
/// # Errors
/// The database failed.
pub async fn best(
    games: &Games,
    class: &Class,
    after: Option<Place>,
    limit: u16,
) -> Result<(Vec<Rating>, Option<Place>), GameError> {
    let since = (games.inner.clock.now() - MAX_IDLE).to_offset(UtcOffset::UTC).date();
    let rows =
        pippost_store::ratings::best(&games.database, names(class), since, after, i64::from(limit) + 1);
    let mut rows = rows.await?;
    let is_more = rows.len() > usize::from(limit);
    rows.truncate(limit.into());
    let last = rows.last().filter(|_| is_more);
    let last = last.map(|row| Place { rating: row.rating, player_id: row.player_id });
    let best = rows.into_iter().map(|row| {
        let Listed { handle, day, rating, deviation, volatility, games, .. } = row;
        let strength = Strength { rating, deviation, volatility };
        Rating::of(handle, class.clone(), &Standing { strength, games, day })
    });
    Ok((best.collect(), last))
}
