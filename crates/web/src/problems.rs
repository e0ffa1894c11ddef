//! Problems: positions of finished public games in which one action is clearly the best.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::game::{self, drawn, path};
use super::lists::entry;
use super::page::{message, page};
use super::rules::newest;
use super::visitor::Visitor;
use pippost_games::learning::{self, Answer, Problem, ShownProblem};
use pippost_games::{GameError, Games, lobby};
use pippost_http::Problem as HttpProblem;
use pippost_http::admission::{Admitted, Replaying};
use pippost_language::{Arguments, Language, words};
use pippost_record::rules::{self, RuleSet};
use pippost_store::lists::{Filter, Whose};

/// Which problems to list.
#[derive(Debug, Default, Deserialize)]
pub struct ProblemsQuery {
    #[serde(default)]
    rules: Option<String>,
    /// Shows those that come after this one.
    #[serde(default)]
    after: Option<Uuid>,
}

/// The problems, the newest first.
#[get("/problems")]
pub async fn problems_page(
    visitor: Visitor,
    games: web::Data<Games>,
    query: web::Query<ProblemsQuery>,
) -> Result<HttpResponse, HttpProblem> {
    let ProblemsQuery { rules, after } = query.into_inner();
    let rules = rules.filter(|name| newest().iter().any(|rules| rules.name() == name));
    let (problems, is_more) = learning::list(&games, rules.as_deref(), after).await?;
    let players = players(&games, &problems, &visitor).await?;
    let kinds = newest().into_iter().map(|kind| context! { name => kind.name(), title => kind.title() });
    let listed = problems.iter().map(|problem| {
        let players = players.get(&problem.game_id).cloned();
        context! { players, ..listed(problem, visitor.language) }
    });
    let values = context! {
        kinds => kinds.collect::<Vec<_>>(),
        chosen => rules,
        problems => listed.collect::<Vec<_>>(),
        next => problems.last().filter(|_| is_more).map(|problem| problem.id.to_string()),
    };
    page(StatusCode::OK, "problems.html", visitor, values)
}

/// Who played the games of these problems, as lists of games say it.
async fn players(
    games: &Games,
    problems: &[Problem],
    visitor: &Visitor,
) -> Result<HashMap<Uuid, Value>, GameError> {
    if problems.is_empty() {
        return Ok(HashMap::new());
    }
    let game_ids = problems.iter().map(|problem| problem.game_id).collect();
    let filter = Filter::all(Whose::Among { game_ids });
    let list = lobby::list(games, &filter, visitor.player_id(), learning::MAX_LISTED).await?;
    let each = list.games.iter().map(|game| {
        let shown = entry(game, visitor);
        (game.id, shown.get_attr("players").unwrap_or_default())
    });
    Ok(each.collect())
}

/// A problem as lists and the front page name it.
fn listed(problem: &Problem, language: Language) -> Value {
    let title = rules::find(&problem.rules, None).map(RuleSet::title);
    context! {
        id => problem.id.to_string(),
        title => title.unwrap_or(&problem.rules),
        day => words::date(problem.day, language),
    }
}

/// The problem of the day for the front page; nothing while there is none.
///
/// # Errors
/// The database failed.
pub(super) async fn of_day(games: &Games, language: Language) -> Result<Option<Value>, GameError> {
    Ok(learning::problem_of_day(games).await?.map(|problem| listed(&problem, language)))
}

/// An answer.
#[derive(Debug, Default, Deserialize)]
pub struct AnswerQuery {
    /// In notation.
    #[serde(default)]
    answer: Option<String>,
}

/// The longest answer that is read, in bytes.
const MAX_ANSWER_BYTES: usize = 256;

/// A problem, and with an answer how good every action is.
#[get("/problems/{id}")]
pub async fn problem_page(
    _place: Admitted<Replaying>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<AnswerQuery>,
) -> Result<HttpResponse, HttpProblem> {
    let Some(problem) = learning::problem(&games, *id).await? else { return none(visitor) };
    let shown = match learning::show(&games, &problem, visitor.language).await {
        Ok(shown) => shown,
        Err(GameError::NotFound) => return none(visitor),
        Err(error) => return Err(error.into()),
    };
    let answer = query.into_inner().answer.filter(|answer| answer.len() <= MAX_ANSWER_BYTES);
    let values = values(&problem, &shown, answer.as_deref(), visitor.language);
    page(StatusCode::OK, "problem.html", visitor, values)
}

fn none(visitor: Visitor) -> Result<HttpResponse, HttpProblem> {
    message(StatusCode::NOT_FOUND, visitor, "problem-none-title", "problem-none-text")
}

fn values(problem: &Problem, shown: &ShownProblem, answer: Option<&str>, language: Language) -> Value {
    let players = game::players(&shown.game);
    let mover = players.get(problem.seat.index()).map(|player| player.handle.clone()).unwrap_or_default();
    // By notation, so that the order says nothing.
    let mut choices: Vec<String> = problem.answers.iter().map(|answer| answer.notation.clone()).collect();
    choices.sort_unstable();
    let of_mover = Arguments::default().text("player", mover.as_str());
    let game = path(problem.game_id);
    context! {
        rules => &problem.rules,
        choices,
        question => language.say_with("problem-question", &of_mover),
        to_do => &shown.to_do,
        names => game::names(&players),
        game => &game,
        moment => format!("{game}/replay?seq={}", problem.seq),
        answer => answer.map(|answer| answered(problem, answer, &mover, language)),
        ..context! {
            ..listed(problem, language),
            ..drawn(&shown.picture, &shown.board_text, &shown.parts)
        }
    }
}

/// What is said of an answer; of one that is no legal action, that it is none.
fn answered(problem: &Problem, answer: &str, mover: &str, language: Language) -> Value {
    let said = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    let given = problem.answers.iter().find(|one| one.notation.eq_ignore_ascii_case(&said));
    let Some((given, best)) = given.zip(problem.answers.first()) else {
        return context! { said, verdict => language.say("problem-not-legal") };
    };
    let chances = Arguments::default()
        .text("given", percent(given))
        .text("best", percent(best))
        .text("answer", best.notation.as_str());
    let is_best = given.notation == best.notation;
    let played = Arguments::default().text("player", mover).text("move", problem.played.as_str());
    let each = problem.answers.iter().map(|one| {
        context! { notation => &one.notation, percent => percent(one), is_given => one.notation == given.notation }
    });
    context! {
        said => &given.notation,
        verdict => language.say_with(if is_best { "problem-right" } else { "problem-wrong" }, &chances),
        is_best,
        played => language.say_with("problem-played", &played),
        each => each.collect::<Vec<_>>(),
    }
}

/// A chance in per cent.
fn percent(answer: &Answer) -> String {
    game::percent(answer.chance)
}
