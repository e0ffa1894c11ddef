//! Ratings: the best players, and how one got there.

use actix_web::{get, web};
use serde::{Deserialize, Serialize};
use time::Date;
use time::macros::format_description;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::access::MaybeReader;
use crate::games::bodies::RecordQuery;
use crate::games::refusals::{ListProblems, LookProblems};
use crate::routes::Routes;
use pippost_accounts::Accounts;
use pippost_games::Games;
use pippost_games::ratings::{self, MAX_PAGE, Place};
use pippost_games::statistics::{Prospect, prospects};
use pippost_games::viewing::view::{Requester, view};
use pippost_http::text::RulesName;
use pippost_http::{Code, Problem};
use pippost_ratings::{Class, Pace, Pool, Rating};

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(list_ratings).service(list_ratings_of_player).service(show_chances);
}

/// Which ratings to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RatingsQuery {
    /// The rule set.
    rules: RulesName,
    /// The pace.
    pace: Pace,
    /// The pool.
    #[serde(default)]
    #[param(value_type = Option<Pool>, default = "people")]
    pool: Pool,
    /// `next_cursor` of the page before.
    #[param(pattern = "^[-.0-9a-f]+$")]
    cursor: Option<String>,
    /// The most entries.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: u16,
}

fn default_page() -> u16 {
    20
}

/// A page of ratings.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingPage {
    ratings: Vec<Rating>,
    next_cursor: Option<String>,
}

fn invalid(field: &str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(format!("{field}: {why}")).with("field", field)
}

impl RatingsQuery {
    /// What is asked for, and how many of it.
    fn parsed<T>(self, cursor: impl FnOnce(&str) -> Option<T>) -> Result<(Class, Option<T>, u16), Problem> {
        if !(1..=MAX_PAGE).contains(&self.limit) {
            return Err(invalid("limit", &format!("1 to {MAX_PAGE}")));
        }
        let after = match self.cursor {
            Some(text) => {
                Some(cursor(&text).ok_or_else(|| invalid("cursor", "the `next_cursor` of a page"))?)
            }
            None => None,
        };
        Ok((Class { pool: self.pool, rules: self.rules.into(), pace: self.pace }, after, self.limit))
    }
}

fn day(cursor: &str) -> Option<Date> {
    Date::parse(cursor, format_description!("[year]-[month]-[day]")).ok()
}

/// Lists the best players: no provisional ratings, at least 5 games, one within a year.
#[utoipa::path(tag = "games", params(RatingsQuery), responses(
    (status = 200, description = "A page of ratings, the highest first.", body = RatingPage),
))]
#[get("/ratings")]
pub async fn list_ratings(
    games: web::Data<Games>,
    query: web::Query<RatingsQuery>,
) -> Result<web::Json<RatingPage>, Problem> {
    let (class, after, limit) = query.into_inner().parsed(|cursor| cursor.parse().ok())?;
    let (ratings, last) = ratings::best(&games, &class, after, limit).await?;
    Ok(web::Json(RatingPage { ratings, next_cursor: last.map(|last: Place| last.to_string()) }))
}

/// Lists a player's ratings after each day with rated games, newest first.
#[utoipa::path(tag = "games", params(("handle" = String, Path, max_length = 32, example = "ann"), RatingsQuery), responses(
    (status = 200, description = "A page of ratings.", body = RatingPage),
    ListProblems,
))]
#[get("/players/{handle}/ratings")]
pub async fn list_ratings_of_player(
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
    query: web::Query<RatingsQuery>,
) -> Result<web::Json<RatingPage>, Problem> {
    let (class, before, limit) = query.into_inner().parsed(day)?;
    let player = accounts.player_named(&handle).await?;
    let mut ratings = ratings::history(&games, &player, &class, before, limit + 1).await?;
    let is_more = ratings.len() > usize::from(limit);
    ratings.truncate(limit.into());
    let last = ratings.last().filter(|_| is_more);
    let next_cursor = last.map(|rating| rating.day.clone());
    Ok(web::Json(RatingPage { ratings, next_cursor }))
}

/// The chances to win a game that waits.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatedChances {
    /// Whether the game will count for ratings.
    rated: bool,
    /// In joining order; none unless `rated`.
    chances: Vec<Prospect>,
    /// You, should you join; the others' chances are then those against you.
    me: Option<Prospect>,
}

/// Tells the chances in a game that waits, by today's ratings.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), RecordQuery), responses(
    (status = 200, description = "The chances.", body = RatedChances),
    LookProblems,
))]
#[get("/games/{id}/chances")]
pub async fn show_chances(
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<RecordQuery>,
) -> Result<web::Json<RatedChances>, Problem> {
    let token = query.into_inner().token.map(Into::into);
    let player_id = account.player_id();
    view(&games, *id, &Requester { player_id, token }).await?;
    let held = prospects(&games, *id, player_id).await?;
    let rated = held.is_some();
    let (chances, me) = held.map(|held| (held.seated, held.viewer)).unwrap_or_default();
    Ok(web::Json(RatedChances { rated, chances, me }))
}
