//! What is learned from games that are over: where they were lost, and problems with one best answer. A worker searches each game once,
//! by random games from the positions in its record, with seeds that follow from the game; what it finds is kept (docs/BOTS.md).

mod choices;
mod problems;
mod searching;

pub(crate) use problems::problem_of_day_and_before;
pub use problems::{
    Answer, MAX_LISTED, Problem, ShownProblem, drawn, list, problem, problem_of_day, show, turning_points,
};
pub use searching::{MIN_FALL, MIN_MARGIN, TurningPoint};

use std::sync::Arc;

use time::{Date, UtcOffset};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::set_aside::for_each;
use crate::viewing::view;
use choices::PastChoice;
use pippost_record::rules::Seat;
use pippost_store::learning::{self, ProblemRow, TurningPointRow};
use pippost_store::set_aside::Task;
use pippost_traffic as traffic;
use searching::{Found, Glance, Search};

/// How many games are searched in a day (UTC) unless the settings say otherwise, so that whoever plays many short games takes no more
/// than this of a processor.
pub const GAMES_A_DAY: u16 = 500;

/// The most choices of a seat whose first glance is checked by the second search.
const MAX_CHECKED: usize = 5;

/// Searches the finished game that ended last of those that have not been searched, if there is one and fewer than `most` have been on
/// this day; returns how many. A game that causes a failure is set aside.
///
/// # Errors
/// The database failed.
pub async fn search_next(games: &Games, most: u16) -> Result<usize, GameError> {
    let now = games.inner.clock.now();
    let day = now.to_offset(UtcOffset::UTC).date();
    if learning::searched_on(&games.database, day).await? >= i32::from(most) {
        return Ok(0);
    }
    let due = learning::unsearched(&games.database, now, 1).await?;
    let searched = for_each(games, Task::Search, due, 1, |game_id| Box::pin(search(games, game_id, day)));
    Ok(searched.await?.len())
}

/// False if another process was faster.
async fn search(games: &Games, game_id: Uuid, day: Date) -> Result<bool, GameError> {
    let live = view::load_live(games, game_id).await?;
    let mut found = Found::default();
    if let Some(places) = places(&live) {
        let search = Search::of(&live);
        let glances = glances(&search, choices::of_game(games, &live).await?).await?;
        found.lost = lost(&search, &glances, &places).await?;
        if !live.fixed.private {
            found.problem = problem_in(&search, &glances).await?;
        }
    }
    let (lost, problems) = rows(&live, day, found)?;
    Ok(learning::keep(&games.database, game_id, day, lost, problems).await?)
}

/// The places by seat; `None` of an aborted game.
fn places(live: &LiveGame) -> Option<Vec<u8>> {
    live.chronicle.table().result()?.places.clone()
}

/// A glance at every choice, each on a thread that yields to requests, so that nobody waits for a whole game.
async fn glances(
    search: &Search,
    choices: Vec<PastChoice>,
) -> Result<Vec<(Arc<PastChoice>, Glance)>, GameError> {
    let mut glances = Vec::with_capacity(choices.len());
    for choice in choices.into_iter().map(Arc::new) {
        let asked = Arc::clone(&choice);
        let glance = compute(search, move |search| search.glance(&asked)).await?;
        glances.push((choice, glance));
    }
    Ok(glances)
}

/// Where each seat that has not the first place lost the most by its own action.
async fn lost(
    search: &Search,
    glances: &[(Arc<PastChoice>, Glance)],
    places: &[u8],
) -> Result<Vec<TurningPoint>, GameError> {
    let mut found = Vec::new();
    for seat in (0..).map(Seat).zip(places).filter(|(_, place)| **place > 1).map(|(seat, _)| seat) {
        let own = glances.iter().filter(|(choice, glance)| choice.seat == seat && glance.fall > 0.0);
        let mut own: Vec<_> = own.collect();
        own.sort_by(|one, other| other.1.fall.total_cmp(&one.1.fall));
        let mut worst: Option<TurningPoint> = None;
        for (choice, glance) in own.into_iter().take(MAX_CHECKED) {
            let (choice, best) = (Arc::clone(choice), glance.best.clone());
            let checked = compute(search, move |search| search.check_fall(&choice, &best)).await?;
            worst = [worst, checked]
                .into_iter()
                .flatten()
                .max_by(|one, other| one.fall().total_cmp(&other.fall()));
        }
        found.extend(worst);
    }
    Ok(found)
}

/// The position whose best answer is the furthest ahead of all others, if the second search agrees.
async fn problem_in(
    search: &Search,
    glances: &[(Arc<PastChoice>, Glance)],
) -> Result<Option<(Arc<PastChoice>, Vec<Answer>)>, GameError> {
    let mut clear: Vec<_> = glances.iter().filter(|(_, glance)| glance.may_be_problem()).collect();
    clear.sort_by(|one, other| other.1.margin.total_cmp(&one.1.margin));
    for (choice, glance) in clear.into_iter().take(MAX_CHECKED) {
        let (asked, best) = (Arc::clone(choice), glance.best.clone());
        let checked = compute(search, move |search| search.check_problem(&asked, &best)).await?;
        if let Some(answers) = checked {
            return Ok(Some((Arc::clone(choice), answers)));
        }
    }
    Ok(None)
}

/// Searches on a thread that yields to requests.
async fn compute<T: Send + 'static>(
    search: &Search,
    work: impl FnOnce(&Search) -> Result<T, GameError> + Send + 'static,
) -> Result<T, GameError> {
    let (game_id, search) = (search.game_id, search.clone());
    let done = traffic::compute(traffic::Work::Other, move || work(&search)).await;
    done.map_err(|_panic| GameError::Corrupt(game_id, "the program stumbled over it".to_owned()))?
}

fn rows(
    live: &LiveGame,
    day: Date,
    found: Found,
) -> Result<(Vec<TurningPointRow>, Vec<ProblemRow>), GameError> {
    let game_id = live.fixed.id;
    let lost = found.lost.into_iter().map(|point| point.row(game_id)).collect();
    let row = |(choice, answers): (Arc<PastChoice>, Vec<Answer>)| -> Result<ProblemRow, GameError> {
        let corrupt = |error: serde_json::Error| GameError::Corrupt(game_id, error.to_string());
        Ok(ProblemRow {
            id: Uuid::new_v4(),
            game_id,
            seq: choice.seq,
            seat: choice.seat.0.into(),
            rules: live.fixed.rules.name().to_owned(),
            day,
            played: choice.written(&choice.played),
            answers: serde_json::to_string(&answers).map_err(corrupt)?,
        })
    };
    Ok((lost, found.problem.map(row).transpose()?.into_iter().collect()))
}
