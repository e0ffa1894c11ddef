//! Figures of games in words: chances before a game, how the games of a rule set go, and how a player's went.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::{Value, context};
use time::{Duration, OffsetDateTime};

use super::page::page;
use super::visitor::Visitor;
use pippost_accounts::Accounts;
use pippost_clock::Zone;
use pippost_games::Games;
use pippost_games::statistics::{
    self, Best, Opponent, PlayerFigures, Prospect, Prospects, Quartiles, RuleSetFigures, TableFigures,
};
use pippost_http::Problem;
use pippost_language::{Arguments, Language, words};
use pippost_record::rules::{self, RuleSet};

/// The hours of a day.
const HOURS: usize = 24;

/// How many of the hours with most moves are told.
const HOURS_TOLD: usize = 3;

/// The picture of a day: the width of an hour, the gap between two, and the height of the highest.
const HOUR_WIDTH: usize = 20;
const HOUR_GAP: usize = 4;
const HOUR_HEIGHT: usize = 100;

/// What is known of a player before a game, for the page of a game that waits.
#[must_use]
pub fn chance(prospect: &Prospect, language: Language) -> Option<String> {
    match prospect.chance {
        Some(chance) => Some(language.say_with("chance-of", &percent(chance))),
        None => (!prospect.is_rated).then(|| language.say("chance-unrated")),
    }
}

/// The chance of a viewer who would join.
#[must_use]
pub fn own_chance(prospects: &Prospects, language: Language) -> Option<String> {
    let chance = prospects.viewer.as_ref()?.chance?;
    Some(language.say_with("chance-yours", &percent(chance)))
}

/// In whole percents, never none and never all: ratings know of no certainty.
fn percent(chance: f64) -> Arguments {
    Arguments::default().text("percent", format!("{:.0}", (chance * 100.0).clamp(1.0, 99.0)))
}

/// The figures of a rule set, one table for people and one for games with programs.
#[must_use]
pub fn of_rules(figures: &RuleSetFigures, language: Language) -> Vec<Value> {
    let of = |bots: bool| {
        let rows: Vec<Value> = figures
            .tables
            .iter()
            .filter(|table| table.bots == bots)
            .map(|table| row(table, language))
            .collect();
        (!rows.is_empty()).then(|| context! { pool => if bots { "bots" } else { "people" }, rows })
    };
    [false, true].into_iter().filter_map(of).collect()
}

fn row(table: &TableFigures, language: Language) -> Value {
    let TableFigures { seats, games, first_seat_won, drawn, events, spans, .. } = *table;
    let percent = |number: usize, all: usize| (number * 100 + all / 2) / all.max(1);
    let range = |[lower, median, upper]: [String; 3]| {
        let values = Arguments::default().text("lower", lower).text("median", median).text("upper", upper);
        language.say_with("figures-range", &values)
    };
    let each = |told: &dyn Fn(Duration) -> String, of: Quartiles<Duration>| {
        range([told(of.lower), told(of.median), told(of.upper)])
    };
    let first = Arguments::default()
        .text("percent", percent(first_seat_won, games).to_string())
        .text("even", percent(games - drawn, games * seats).to_string());
    context! {
        seats,
        games,
        first => language.say_with("figures-first", &first),
        drawn => language.say_with("figures-percent", &Arguments::default().text("percent", percent(drawn, games).to_string())),
        events => range([events.lower, events.median, events.upper].map(|number| number.to_string())),
        spans => each(&|span| words::rough_span(span, language), spans),
    }
}

/// Whom a player meets, the best victories, and the times of day at which the player moves.
#[get("/players/{handle}/statistics")]
pub async fn player_statistics(
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let player = accounts.player_named(&handle).await?;
    let figures = statistics::of_player(&games, player.id).await?;
    let PlayerFigures { games, opponents, best, moved_at } = &figures;
    let values = context! {
        name => player.handle,
        most => statistics::MAX_GAMES_OF_PLAYER,
        most_read => statistics::MAX_GAMES_READ,
        games,
        opponents => opponents.iter().map(opponent).collect::<Vec<_>>(),
        best => best.iter().map(|one| victory(one, &visitor)).collect::<Vec<_>>(),
        hours => hours(moved_at, &visitor.zone, visitor.language),
        zone => visitor.zone.name(),
    };
    page(StatusCode::OK, "player_statistics.html", visitor, values)
}

fn opponent(opponent: &Opponent) -> Value {
    let Opponent { handle, balance } = opponent;
    context! { handle, won => balance.won, drawn => balance.drawn, lost => balance.lost }
}

fn victory(best: &Best, visitor: &Visitor) -> Value {
    let title = rules::find(&best.rules, None).map(RuleSet::title);
    let whole = |thousandths: i32| format!("{:.0}", f64::from(thousandths) / 1e3);
    let figure =
        Arguments::default().text("rating", whole(best.rating)).text("deviation", whole(best.deviation));
    context! {
        id => best.game_id.to_string(),
        title => title.unwrap_or(&best.rules),
        handle => &best.handle,
        figure => visitor.language.say_with("ratings-figure", &figure),
        day => words::date(visitor.zone.day(best.ended_at), visitor.language),
    }
}

/// How often the player has moved in each hour of the day, as bars; nothing without moves.
fn hours(moved_at: &[OffsetDateTime], zone: &Zone, language: Language) -> Option<Value> {
    let mut counts = [0_usize; HOURS];
    for at in moved_at {
        counts[usize::from(zone.local(*at).hour) % HOURS] += 1;
    }
    let highest = counts.into_iter().max().filter(|count| *count > 0)?;
    let bars = counts.into_iter().enumerate().filter(|(_, count)| *count > 0).map(|(hour, count)| {
        let height = (count * HOUR_HEIGHT).div_ceil(highest);
        context! { x => hour * HOUR_WIDTH + HOUR_GAP / 2, y => HOUR_HEIGHT - height, height }
    });
    let mut ranked: Vec<(usize, usize)> = counts.into_iter().enumerate().collect();
    ranked.sort_by_key(|(hour, count)| (std::cmp::Reverse(*count), *hour));
    let told = ranked.into_iter().filter(|(_, count)| *count > 0).take(HOURS_TOLD).map(|(hour, count)| {
        let values = Arguments::default()
            .text("from", hour.to_string())
            .text("to", (hour + 1).to_string())
            .text("count", count.to_string());
        language.say_with("figures-hour", &values)
    });
    let told = words::list(&told.collect::<Vec<_>>(), language);
    Some(context! {
        bars => bars.collect::<Vec<_>>(),
        width => HOURS * HOUR_WIDTH,
        height => HOUR_HEIGHT,
        bar_width => HOUR_WIDTH - HOUR_GAP,
        moves => moved_at.len(),
        told => language.say_with("figures-hours-told", &Arguments::default().text("hours", told)),
    })
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn hours_are_those_of_the_viewer_s_zone() {
        let moved_at = [
            datetime!(2026-11-20 23:30 UTC),
            datetime!(2026-11-21 23:59 UTC),
            datetime!(2026-11-21 11:00 UTC),
        ];
        let told = |zone: &Zone| {
            let picture = hours(&moved_at, zone, Language::ENGLISH).expect("a picture");
            picture.get_attr("told").expect("an attribute").to_string()
        };
        assert_eq!(told(&Zone::UTC), "Most moves: 23 to 24 o’clock (2) and 11 to 12 o’clock (1).");
        let berlin = Zone::named("Europe/Berlin").expect("a zone");
        assert_eq!(told(&berlin), "Most moves: 0 to 1 o’clock (2) and 12 to 13 o’clock (1).");
        assert!(hours(&[], &Zone::UTC, Language::ENGLISH).is_none());
    }

    #[test]
    fn bars_are_as_high_as_there_are_moves() {
        let moved_at = [
            datetime!(2026-11-20 02:30 UTC),
            datetime!(2026-11-21 02:59 UTC),
            datetime!(2026-11-21 00:00 UTC),
        ];
        let picture = hours(&moved_at, &Zone::UTC, Language::ENGLISH).expect("a picture");
        let bars = picture.get_attr("bars").expect("bars");
        let bar = |index: usize, name: &str| {
            let bar = bars.get_item_by_index(index).expect("a bar");
            bar.get_attr(name).expect("an attribute").to_string()
        };
        assert_eq!([bar(0, "x"), bar(0, "y"), bar(0, "height")], ["2", "50", "50"]);
        assert_eq!([bar(1, "x"), bar(1, "y"), bar(1, "height")], ["42", "0", "100"]);
    }

    #[test]
    fn chances_are_whole_percents_and_never_certain() {
        let told = |chance, is_rated| chance_of(chance, is_rated, Language::ENGLISH);
        assert_eq!(told(Some(0.434), true).as_deref(), Some("43% to win"));
        assert_eq!(told(Some(0.9999), true).as_deref(), Some("99% to win"));
        assert_eq!(told(Some(0.0001), true).as_deref(), Some("1% to win"));
        assert_eq!(told(None, false).as_deref(), Some("no rating yet"));
        assert_eq!(told(None, true), None, "somebody else has none");
    }

    fn chance_of(value: Option<f64>, is_rated: bool, language: Language) -> Option<String> {
        chance(&Prospect { handle: "ann".into(), is_rated, chance: value }, language)
    }
}
