//! The rules of the games, with an example to step through, drawn by the code that draws every board.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, get, web};
use minijinja::{Value, context};
use pulldown_cmark::{Options, Parser, html};
use serde::Deserialize;

use super::page::page;
use super::statistics;
use super::visitor::Visitor;
use pippost_games::Games;
use pippost_games::lobby::at_once;
use pippost_games::statistics::{KnownRuleSets, MAX_GAMES_OF_RULES};
use pippost_http::admission::{Admitted, Rendering};
use pippost_http::conditional::EntityTag;
use pippost_http::{Code, Problem};
use pippost_language::Language;
use pippost_record::board::{self, Theme};
use pippost_record::rules::{self, Captions, Example, MAX_EXAMPLE_MOVES, RuleSet, Seat, Viewer};

/// After how many moves an example looks like a game: for pictures of a rule set.
const TYPICAL_MOVES: usize = 14;

/// The names of those who play the examples.
const NAMES: [&str; 8] = ["ann", "bob", "carol", "dave", "eve", "frank", "grace", "heidi"];

/// The newest version of each rule set, as pages list them.
#[must_use]
pub fn newest() -> Vec<&'static dyn RuleSet> {
    let mut newest: Vec<&'static dyn RuleSet> = Vec::new();
    for rules in rules::all() {
        if newest.iter().all(|known| known.name() != rules.name()) {
            newest.push(rules);
        }
    }
    newest
}

/// A rule set as cards show it.
#[must_use]
pub fn card(rules: &dyn RuleSet, language: Language) -> Value {
    let players = rules.players_by_options();
    let least = players.iter().map(|(_, seats)| *seats.start()).min().unwrap_or(1);
    let most = players.iter().map(|(_, seats)| *seats.end()).max().unwrap_or(1);
    context! {
        name => rules.name(),
        title => rules.title(),
        about => language.find(&format!("{}-about", rules.name())),
        least,
        most,
        moves => TYPICAL_MOVES,
        against_bot => at_once::is_for_two(rules),
        guided => !rules.guide().moves.is_empty(),
    }
}

/// Lists the games.
#[get("/rules")]
pub async fn all_rules(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let games: Vec<_> = newest().into_iter().map(|rules| card(rules, visitor.language)).collect();
    page(StatusCode::OK, "rules.html", visitor, context! { games })
}

/// Explains the first turns of one game on its board.
#[get("/rules/{name}/first-turns")]
pub async fn first_turns(
    visitor: Visitor,
    name: web::Path<String>,
    query: web::Query<StepQuery>,
) -> Result<HttpResponse, Problem> {
    let none = || Problem::new(Code::NotFound);
    let rules = rules::find(&name, None).ok_or_else(none)?;
    let language = visitor.language;
    let Example { position, seats, told, moves: step, .. } =
        rules::guided(rules, query.step.unwrap_or(0)).ok_or_else(none)?;
    let (names, steps) = (names(seats), rules.guide().moves.len());
    let told: Vec<_> = told.iter().map(|sentence| language.tell(sentence, &names)).collect();
    let captions = Captions::new(&names, &language);
    let values = context! {
        game => card(rules, language),
        step,
        steps,
        text => language.say(&format!("{}-guide-{step}", rules.name())),
        told,
        notation => step.checked_sub(1).map(|index| rules.guide().moves[index]),
        before => step.checked_sub(1),
        after => (step < steps).then_some(step + 1),
        board => position.board_text(viewer(), &captions),
        picture => position.picture(viewer(), &captions, &[]).description,
    };
    page(StatusCode::OK, "first_turns.html", visitor.with_form_to_play(), values)
}

/// Which position of the example to show.
#[derive(Debug, Default, Deserialize)]
pub struct StepQuery {
    #[serde(default)]
    step: Option<usize>,
    /// Of the prepared game instead.
    #[serde(default)]
    guide: Option<usize>,
    #[serde(default)]
    theme: Option<String>,
    #[serde(default)]
    language: Option<String>,
}

/// Explains one game.
#[get("/rules/{name}")]
pub async fn one_rules(
    visitor: Visitor,
    games: web::Data<Games>,
    known: web::Data<KnownRuleSets>,
    name: web::Path<String>,
    query: web::Query<StepQuery>,
) -> Result<HttpResponse, Problem> {
    let rules = rules::find(&name, None).ok_or_else(|| Problem::new(Code::NotFound))?;
    let language = visitor.language;
    let step = query.step.unwrap_or(0).min(MAX_EXAMPLE_MOVES);
    let example = example(rules, step)?;
    let names = names(example.seats);
    let told: Vec<_> = example.told.iter().map(|sentence| language.tell(sentence, &names)).collect();
    let is_over = example.position.to_act().is_none();
    let step = example.moves;
    let to_act = example.position.to_act().and_then(|seat| names.get(seat.index()).cloned());
    let captions = Captions::new(&names, &language);
    let values = context! {
        game => card(rules, language),
        text => text(rules, language),
        step,
        told,
        to_act,
        before => step.checked_sub(1),
        after => (!is_over && step < MAX_EXAMPLE_MOVES).then_some(step + 1),
        board => example.position.board_text(viewer(), &captions),
        figures => statistics::of_rules(&*known.of(&games, rules.name()).await?, language),
        most => MAX_GAMES_OF_RULES,
    };
    page(StatusCode::OK, "rules_of.html", visitor, values)
}

/// Draws a position of the example.
#[get("/rules/{name}/board.svg")]
pub async fn example_board(
    _place: Admitted<Rendering>,
    request: HttpRequest,
    name: web::Path<String>,
    query: web::Query<StepQuery>,
) -> Result<HttpResponse, Problem> {
    let rules = rules::find(&name, None).ok_or_else(|| Problem::new(Code::NotFound))?;
    let StepQuery { step, guide, theme, language } = query.into_inner();
    let theme = match theme.as_deref() {
        Some("dark") => Theme::Dark,
        Some("light") => Theme::Light,
        _ => Theme::Auto,
    };
    let language = language.and_then(|tag| Language::of_tag(&tag)).unwrap_or_default();
    let example = match guide {
        Some(step) => rules::guided(rules, step).ok_or_else(|| Problem::new(Code::NotFound))?,
        None => example(rules, step.unwrap_or(0).min(MAX_EXAMPLE_MOVES))?,
    };
    let names = names(example.seats);
    let picture = example.position.picture(viewer(), &Captions::new(&names, &language), &example.last);
    let svg = board::svg(&picture, theme);
    Ok(EntityTag::of(&[svg.as_bytes()]).respond(&request, |mut answer| {
        answer
            .insert_header((CONTENT_TYPE, "image/svg+xml"))
            .insert_header((CACHE_CONTROL, "public, max-age=3600"))
            .body(svg)
    }))
}

fn example(rules: &dyn RuleSet, moves: usize) -> Result<Example, Problem> {
    let broken = || Problem::new(Code::Internal).cause("the example cannot be played");
    rules::example(rules, moves).ok_or_else(broken)
}

/// Examples are seen from the first seat, so that hands show.
fn viewer() -> Viewer {
    Viewer::Seat(Seat(0))
}

fn names(seats: u8) -> Vec<String> {
    NAMES.iter().take(seats.into()).map(|name| (*name).to_owned()).collect()
}

/// Rules as HTML by name and language. There are few, and they never change.
static HTML: LazyLock<Mutex<HashMap<(&'static str, &'static str), Value>>> = LazyLock::new(Mutex::default);

/// The rules for people as HTML.
#[must_use]
pub fn text(rules: &dyn RuleSet, language: Language) -> Value {
    let mut known = HTML.lock().unwrap_or_else(PoisonError::into_inner);
    let html = || Value::from_safe_string(as_html(text_in(rules, language)));
    known.entry((rules.name(), language.tag())).or_insert_with(html).clone()
}

/// The rules for people in a language, or in English.
fn text_in(rules: &dyn RuleSet, language: Language) -> &'static str {
    if let Some(added) = language.added_rules(rules.name()) {
        return added;
    }
    let translated = rules.texts().iter().find(|texts| texts.language == language.tag());
    translated.and_then(|texts| texts.rules).unwrap_or_else(|| rules.text())
}

/// Markdown as HTML, without its title, which the page has. The text is the program's own.
fn as_html(markdown: &str) -> String {
    let body = markdown
        .split_once('\n')
        .filter(|(title, _)| title.starts_with("# "))
        .map_or(markdown, |(_, body)| body);
    let mut text = String::new();
    html::push_html(&mut text, Parser::new_ext(body, Options::ENABLE_TABLES));
    // Keys scroll what is too wide, and an empty cell is the heading of nothing.
    text.replace("<table>", "<div class=\"table-box\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
        .replace("<th></th>", "<td></td>")
}
