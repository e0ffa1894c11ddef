//! Ratings: the best players, how ratings are made, and a player's own with pictures of how they went.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::{Value, context};
use serde::Deserialize;
use time::Date;
use time::macros::format_description;

use super::page::page;
use super::rules::newest;
use super::visitor::Visitor;
use pippost_games::{Games, ratings};
use pippost_http::Problem;
use pippost_language::{Arguments, Language};
use pippost_ratings::{Class, Pace, Pool, Rating};
use pippost_store::players::PlayerRow;

/// Players on a page of the best.
const BEST_PAGE: u16 = 50;

/// What recomputes all ratings from the records in a folder.
const COMMAND: &str = "pippost ratings games/";

/// The most pictures on a player's page: of the ratings with the most games.
const MAX_PICTURES: usize = 4;

/// The most days of a picture.
const MAX_DAYS: u16 = 60;

/// The size of a picture, and what is left free around it.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 90.0;
const MARGIN: f64 = 6.0;

/// Which of the best to show.
#[derive(Debug, Default, Deserialize)]
pub struct BestQuery {
    #[serde(default)]
    rules: String,
    #[serde(default)]
    pace: String,
    #[serde(default)]
    pool: String,
    #[serde(default)]
    cursor: String,
}

/// The best players of a rule set at a pace, and how ratings are made.
#[get("/ratings")]
pub async fn ratings_page(
    visitor: Visitor,
    games: web::Data<Games>,
    query: web::Query<BestQuery>,
) -> Result<HttpResponse, Problem> {
    let BestQuery { rules, pace, pool, cursor } = query.into_inner();
    let kinds = newest();
    let chosen = kinds.iter().find(|one| one.name() == rules).or(kinds.first());
    let rules = chosen.map_or(rules, |chosen| chosen.name().to_owned());
    let (pace, pool) = (Pace::named(&pace).unwrap_or_default(), Pool::named(&pool).unwrap_or_default());
    let class = Class { pool, rules, pace };
    let after = cursor.parse().ok();
    let (best, last) = ratings::best(&games, &class, after, BEST_PAGE).await?;
    let language = visitor.language;
    let shown = |one: &Rating| context! { handle => &one.handle, figure => figure(one, language), games => one.games, day => &one.day };
    let values = context! {
        kinds => kinds.iter().map(|one| context! { name => one.name(), title => one.title() }).collect::<Vec<_>>(),
        paces => Pace::ALL.map(Pace::as_str).to_vec(),
        pools => Pool::ALL.map(Pool::as_str).to_vec(),
        rules => &class.rules,
        pace => class.pace.as_str(),
        pool => class.pool.as_str(),
        best => best.iter().map(shown).collect::<Vec<_>>(),
        is_first => after.is_none(),
        next => last.map(|last| last.to_string()),
        command => COMMAND,
        min_games => pippost_ratings::MIN_GAMES,
        settled => pippost_ratings::SETTLED_DEVIATION / 1000,
    };
    page(StatusCode::OK, "ratings.html", visitor, values)
}

/// A rating and how far it may be off, in whole points.
pub(super) fn figure(rating: &Rating, language: Language) -> String {
    let whole = |number: f64| format!("{number:.0}");
    let arguments =
        Arguments::default().text("rating", whole(rating.rating)).text("deviation", whole(rating.deviation));
    language.say_with("ratings-figure", &arguments)
}

/// The ratings of a player, those with the most games first, and with pictures.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, player: &PlayerRow, language: Language) -> Result<Vec<Value>, Problem> {
    let mut all = ratings::of_player(games, player).await?;
    all.sort_by_key(|one| std::cmp::Reverse(one.games));
    let mut shown = Vec::new();
    for (number, one) in all.into_iter().enumerate() {
        let class = Class { pool: one.pool, rules: one.rules.clone(), pace: one.pace };
        let mut days = Vec::new();
        if number < MAX_PICTURES {
            days = ratings::history(games, player, &class, None, MAX_DAYS).await?;
            days.reverse();
        }
        let title = pippost_record::rules::find(&one.rules, None).map(pippost_record::rules::RuleSet::title);
        shown.push(context! {
            title => title.unwrap_or(&one.rules),
            rules => &one.rules,
            pace => one.pace.as_str(),
            pool => one.pool.as_str(),
            figure => figure(&one, language),
            games => one.games,
            provisional => one.provisional,
            picture => picture(&days, language),
        });
    }
    Ok(shown)
}

/// How a rating went: a line, with a band as wide as the deviations; nothing of a single day.
fn picture(days: &[Rating], language: Language) -> Option<Value> {
    let [first, .., last] = days else { return None };
    let number = |rating: &Rating| {
        let day = Date::parse(&rating.day, format_description!("[year]-[month]-[day]")).ok()?;
        Some(f64::from(day.to_julian_day()))
    };
    let (start, end) = (number(first)?, number(last)?);
    let lowest = days.iter().map(|day| day.rating - day.deviation).fold(f64::INFINITY, f64::min);
    let highest = days.iter().map(|day| day.rating + day.deviation).fold(f64::NEG_INFINITY, f64::max);
    let x = |day: &Rating| {
        let part = number(day).map_or(0.0, |number| (number - start) / (end - start));
        MARGIN + part * (WIDTH - 2.0 * MARGIN)
    };
    let y = |rating: f64| MARGIN + (highest - rating) / (highest - lowest) * (HEIGHT - 2.0 * MARGIN);
    let point = |day: &Rating, rating: f64| format!("{:.1},{:.1}", x(day), y(rating));
    let line: Vec<String> = days.iter().map(|day| point(day, day.rating)).collect();
    let above = days.iter().map(|day| point(day, day.rating + day.deviation));
    let below = days.iter().rev().map(|day| point(day, day.rating - day.deviation));
    let band: Vec<String> = above.chain(below).collect();
    let told = Arguments::default()
        .text("from", figure(first, language))
        .text("first", first.day.clone())
        .text("to", figure(last, language))
        .text("last", last.day.clone());
    Some(context! {
        width => WIDTH,
        height => HEIGHT,
        line => line.join(" "),
        band => band.join(" "),
        x => format!("{:.1}", x(last)),
        y => format!("{:.1}", y(last.rating)),
        told => language.say_with("ratings-history", &told),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: &str, rating: f64, deviation: f64) -> Rating {
        Rating {
            handle: "ann".to_owned(),
            pool: Pool::People,
            rules: "a-game".to_owned(),
            pace: Pace::Slow,
            rating,
            deviation,
            volatility: 0.06,
            games: 1,
            day: day.to_owned(),
            provisional: true,
        }
    }

    #[test]
    fn a_picture_is_drawn_to_its_edges_by_days_and_ratings() {
        assert!(picture(&[day("2026-11-01", 1500.0, 100.0)], Language::ENGLISH).is_none(), "of one day");
        let days = [
            day("2026-11-01", 1500.0, 100.0),
            day("2026-11-03", 1600.0, 100.0),
            day("2026-11-05", 1500.4, 60.0),
        ];
        let picture = picture(&days, Language::ENGLISH).expect("a picture");
        let text = |name: &str| picture.get_attr(name).expect("an attribute").to_string();
        assert_eq!(text("line"), "6.0,58.0 150.0,32.0 294.0,57.9");
        assert_eq!(
            text("band"),
            "6.0,32.0 150.0,6.0 294.0,42.3 294.0,73.5 150.0,58.0 6.0,84.0",
            "above from left to right, and back below"
        );
        assert_eq!(text("told"), "From 1500 ± 100 on 2026-11-01 to 1500 ± 60 on 2026-11-05");
    }
}
