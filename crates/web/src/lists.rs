//! Lists of games: those that wait for players, and public ones.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::{Value, context};
use serde::Deserialize;
use time::Duration;
use uuid::Uuid;

use super::game::own_result;
use super::narrowing::{fields, hours, kept, named};
use super::page::page;
use super::problems;
use super::ratings;
use super::reliability::sentence;
use super::rules::{card, newest};
use super::visitor::Visitor;
use pippost_accounts::Accounts;
use pippost_clock::TimeControl;
use pippost_games::letters::outcome;
use pippost_games::lobby::listing::{self, GamePage, ListedGame, ListedPlayer, RuleSetResults};
use pippost_games::week::{KnownWeek, MAX_OF_WEEK};
use pippost_games::{Games, following, lobby, reliability};
use pippost_http::Problem;
use pippost_language::{Arguments, Language, words};
use pippost_record::record::Timestamp;
use pippost_store::GameStatus;
use pippost_store::lists::{Filter, GamesOf, Whose};

/// Games on a page of the lobby.
const LOBBY_PAGE: u16 = 20;

/// Games of each kind that the front page shows.
const FRONT_SHOWN: u16 = 3;

/// A turn is urgent if less than this is left.
const SOON: Duration = Duration::hours(24);

/// Which public games to show.
#[derive(Debug, Default, Deserialize)]
pub struct LobbyQuery {
    #[serde(default)]
    rules: Option<String>,
    /// Of games that wait for players, only those with this one.
    #[serde(default)]
    opponent: String,
    #[serde(default)]
    pace: String,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    cursor: Option<Uuid>,
}

/// The lobby: public games, above all those that wait for players.
#[get("/games")]
pub async fn lobby_page(
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    week: web::Data<KnownWeek>,
    query: web::Query<LobbyQuery>,
) -> Result<HttpResponse, Problem> {
    let LobbyQuery { rules, mut opponent, mut pace, status, cursor } = query.into_inner();
    let public = |status| Whose::Public { status };
    let (whose, shown) = match status.as_deref() {
        Some("running") => (public(GameStatus::Running), "running"),
        Some("finished") => (public(GameStatus::Finished), "finished"),
        Some("seats") => (Whose::SeatsOffered, "seats"),
        _ => (public(GameStatus::Open), "open"),
    };
    if shown != "open" {
        (opponent, pace) = Default::default();
    }
    let with = named(&accounts, &opponent).await?;
    let whose = with.map_or(whose, |player_id| {
        let of = GamesOf::player(player_id, Some(GameStatus::Open));
        Whose::Of(GamesOf { public_only: true, ..of })
    });
    let rules = rules.filter(|name| newest().iter().any(|rules| rules.name() == name));
    let filter = Filter { rules: rules.clone(), hours: hours(&pace), cursor, ..Filter::all(whose) };
    let list = lobby::list(&games, &filter, visitor.player_id(), LOBBY_PAGE).await?;
    let kinds: Vec<_> =
        newest().into_iter().map(|rules| context! { name => rules.name(), title => rules.title() }).collect();
    // Where the newest games that are over begin, whatever their rules.
    let is_of_all = shown == "finished" && rules.is_none() && cursor.is_none();
    let of_week = if is_of_all {
        of_week(&games, &week, &visitor).await?
    } else {
        context! {}
    };
    let values = context! {
        list => listed(&list, &visitor),
        next => list.next_cursor.map(|cursor| cursor.to_string()),
        kinds,
        chosen => rules,
        status => shown,
        dumps => visitor.site.dumps().is_some(),
        kept => kept(&[("opponent", &opponent), ("pace", &pace)]),
        ..context! { ..of_week, ..fields(&opponent, with, &pace, visitor.language) }
    };
    page(StatusCode::OK, "lobby.html", visitor, values)
}

/// What everybody may know of a player.
#[get("/players/{handle}")]
pub async fn player_page(
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let player = accounts.player_named(&handle).await?;
    let whose = Whose::Of(GamesOf { public_only: true, ..GamesOf::player(player.id, None) });
    let filter = Filter::all(whose);
    let list = lobby::list(&games, &filter, visitor.player_id(), LOBBY_PAGE).await?;
    let reliability = reliability::of_player(&games, &player.handle).await?;
    let results = listing::results(&games, player.id).await?;
    let reader = visitor.registered().filter(|reader| reader.player_id != player.id);
    let followed = match reader {
        Some(reader) => Some(following::follows(&games, reader.player_id, player.id).await?),
        None => None,
    };
    let values = context! {
        followed,
        ratings => ratings::of_player(&games, &player, visitor.language).await?,
        reliability => sentence(&reliability, visitor.language),
        results => results.iter().map(figures).collect::<Vec<_>>(),
        name => player.handle,
        since => words::date_time(player.created_at, &visitor.zone, visitor.language),
        list => listed(&list, &visitor),
        is_me => visitor.player_id() == Some(player.id),
    };
    page(StatusCode::OK, "player.html", visitor, values)
}

/// The games of a page as lists show them.
#[must_use]
pub fn listed(page: &GamePage, visitor: &Visitor) -> Vec<Value> {
    page.games.iter().map(|game| entry(game, visitor)).collect()
}

/// A game as lists show it.
#[must_use]
pub fn entry(game: &ListedGame, visitor: &Visitor) -> Value {
    let language = visitor.language;
    let time_left = game.time_left_seconds.map(Duration::seconds);
    let moved = |at: Timestamp| words::date(visitor.zone.day(at.get()), language);
    let free = usize::from(game.seats).saturating_sub(game.players.len());
    let is_own =
        |handle: &str| visitor.account.as_ref().is_some_and(|own| own.handle.eq_ignore_ascii_case(handle));
    let is_member = game.players.iter().any(|player| is_own(&player.handle));
    context! {
        id => game.id.to_string(),
        rules => &game.rules,
        title => &game.title,
        game_title => &game.game_title,
        number => game.number,
        started => game.board.is_some(),
        turn_of => (!game.my_turn).then_some(&game.to_act_player),
        moved => game.last_event_at.map(moved),
        result => result(game, language),
        players => game.players.iter().map(|player| player.handle.clone()).collect::<Vec<_>>(),
        reliability => reliability_of(game, language),
        status => game.status.as_str(),
        private => game.private,
        my_turn => game.my_turn,
        is_member,
        free,
        seats => game.seats,
        time => time_left.map(|left| words::span(left, language)),
        soon => game.my_turn && time_left.is_some_and(|left| left < SOON),
        pace => pace(&game.time_control, language),
        substitutes => game.substitutes,
        renews => game.renews,
        created => words::date_time(game.created_at.get(), &visitor.zone, language),
    }
}

fn figures(results: &RuleSetResults) -> Value {
    let title = pippost_record::rules::find(&results.rules, None).map(pippost_record::rules::RuleSet::title);
    context! { title => title.unwrap_or(&results.rules), won => results.won, drawn => results.drawn, lost => results.lost }
}

/// How a game ended: for whom it was their own, and for all others.
fn result(game: &ListedGame, language: Language) -> Option<String> {
    let result = game.result.as_ref()?;
    let mut seated: Vec<_> = game.players.iter().filter(|player| player.seat.is_some()).collect();
    seated.sort_by_key(|player| player.seat);
    let handles: Vec<String> =
        seated.iter().map(|player| words::player(&player.handle, player.bot)).collect();
    let sentence = || outcome::sentence(result.reason, result.places.as_deref(), &handles, language);
    Some(own_result(result, game.my_seat, language).unwrap_or_else(sentence))
}

/// Whom one would sit down with, and how reliable they are; before the start only.
fn reliability_of(game: &ListedGame, language: Language) -> Vec<Value> {
    let told = |player: &ListedPlayer| {
        let figures = player.reliability.as_ref()?;
        Some(context! { handle => &player.handle, told => sentence(figures, language) })
    };
    game.players.iter().filter_map(told).collect()
}

/// The time that players have, in words.
#[must_use]
pub fn pace(control: &TimeControl, language: Language) -> String {
    let span = |hours: i32| words::span(Duration::hours(hours.into()), language);
    let limit = control
        .limit_hours
        .map(|hours| language.say_with("pace-per-turn", &Arguments::default().text("span", span(hours))));
    let bank = control.bank.map(|bank| {
        let saved =
            Arguments::default().text("start", span(bank.start_hours)).text("gain", span(bank.gain_hours));
        language.say_with("pace-bank", &saved)
    });
    match (limit, bank) {
        (None, None) => language.say("pace-unlimited"),
        (limit, bank) => limit.into_iter().chain(bank).collect::<Vec<_>>().join("; "),
    }
}

/// The games of the front page: the rule sets as cards, and what is played just now.
///
/// # Errors
/// The database failed.
pub async fn front(games: &Games, week: &KnownWeek, visitor: &Visitor) -> Result<Value, Problem> {
    let filter = |status| Filter::all(Whose::Public { status });
    let running = lobby::list(games, &filter(GameStatus::Running), visitor.player_id(), FRONT_SHOWN).await?;
    let open = lobby::list(games, &filter(GameStatus::Open), visitor.player_id(), FRONT_SHOWN).await?;
    let cards: Vec<_> = newest().into_iter().map(|rules| card(rules, visitor.language)).collect();
    let problem_of_day = problems::of_day(games, visitor.language).await?;
    let lists = context! { problem_of_day, running => listed(&running, visitor), open => listed(&open, visitor), cards };
    Ok(context! { ..lists, ..of_week(games, week, visitor).await? })
}

/// The games of the week, and the most that there are.
async fn of_week(games: &Games, week: &KnownWeek, visitor: &Visitor) -> Result<Value, Problem> {
    let page = week.of(games, visitor.player_id()).await?;
    Ok(context! { week => listed(&page, visitor), week_most => MAX_OF_WEEK })
}
