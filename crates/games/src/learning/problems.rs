//! What was found in games, for who looks at it.

use serde::{Deserialize, Serialize};
use time::{Date, UtcOffset};
use uuid::Uuid;

use super::searching::TurningPoint;
use crate::error::GameError;
use crate::history::past_positions::{At, past_position};
use crate::viewing::board::picture;
use crate::viewing::view::{self, Requester};
use crate::{GameView, Games};
use pippost_language::Language;
use pippost_record::rules::picture::Picture;
use pippost_record::rules::{Captions, Group, Seat, Viewer, Words};
use pippost_search::Seeded;
use pippost_store::Seq;
use pippost_store::learning::{self, ProblemRow};

/// The most problems of a page.
pub const MAX_LISTED: u16 = 30;

/// One of the actions of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub notation: String,
    /// The chance of winning after it, in thousandths.
    pub chance: u16,
}

/// A position with one best action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub id: Uuid,
    pub game_id: Uuid,
    /// The event after which the seat is to act.
    pub seq: Seq,
    pub seat: Seat,
    /// The name of the rule set.
    pub rules: String,
    /// When it was found.
    pub day: Date,
    /// What was played, in notation.
    pub played: String,
    /// All legal actions, the best first.
    pub answers: Vec<Answer>,
}

/// A problem on its board, as the seat that was to act saw it then.
#[derive(Debug)]
pub struct ShownProblem {
    pub picture: Picture,
    pub board_text: String,
    pub parts: Vec<Group>,
    /// Who was to act.
    pub mover: String,
    /// What they had to do.
    pub to_do: String,
    /// The game as everybody sees it.
    pub game: GameView,
}

/// Where the seats of a finished game lost it. Whoever calls this has shown that the viewer may see the game.
///
/// # Errors
/// The database failed.
pub async fn turning_points(games: &Games, game_id: Uuid) -> Result<Vec<TurningPoint>, GameError> {
    let rows = learning::turning_points(&games.database, game_id).await?;
    let read = rows.into_iter().map(|row| {
        let seat = u8::try_from(row.seat).ok().map(Seat)?;
        let (before, after) = (u16::try_from(row.chance_before).ok()?, u16::try_from(row.chance_after).ok()?);
        Some(TurningPoint { seat, seq: row.seq, better: row.better, before, after })
    });
    let read: Option<Vec<_>> = read.collect();
    read.ok_or_else(|| GameError::Corrupt(game_id, "turning points".to_owned()))
}

/// A problem; `None` if there is none with this id.
///
/// # Errors
/// The database failed.
pub async fn problem(games: &Games, id: Uuid) -> Result<Option<Problem>, GameError> {
    learning::problem(&games.database, id).await?.map(read).transpose()
}

/// The newest problems, those of one rule set if it is given, after the one with the id `after`; and whether there are more.
///
/// # Errors
/// The database failed.
pub async fn list(
    games: &Games,
    rules: Option<&str>,
    after: Option<Uuid>,
) -> Result<(Vec<Problem>, bool), GameError> {
    let after = match after {
        Some(id) => learning::problem(&games.database, id).await?,
        None => None,
    };
    let limit = i64::from(MAX_LISTED) + 1;
    let mut rows = learning::problems(&games.database, rules, after.as_ref(), limit).await?;
    let is_more = rows.len() > usize::from(MAX_LISTED);
    rows.truncate(MAX_LISTED.into());
    Ok((rows.into_iter().map(read).collect::<Result<_, _>>()?, is_more))
}

/// The problem of today (UTC): the date alone decides which of those that were found before.
///
/// # Errors
/// The database failed.
pub async fn problem_of_day(games: &Games) -> Result<Option<Problem>, GameError> {
    problem_of(games, today(games)).await
}

/// The problem of today, and that of yesterday if it was another one: while there are few, one comes again.
///
/// # Errors
/// The database failed.
pub(crate) async fn problem_of_day_and_before(
    games: &Games,
) -> Result<Option<(Problem, Option<Problem>)>, GameError> {
    let today = today(games);
    let Some(problem) = problem_of(games, today).await? else { return Ok(None) };
    let before = match today.previous_day() {
        Some(yesterday) => problem_of(games, yesterday).await?,
        None => None,
    };
    let before = before.filter(|before| before.id != problem.id);
    Ok(Some((problem, before)))
}

fn today(games: &Games) -> Date {
    games.now().to_offset(UtcOffset::UTC).date()
}

async fn problem_of(games: &Games, day: Date) -> Result<Option<Problem>, GameError> {
    learning::problem_from(&games.database, drawn(day), day).await?.map(read).transpose()
}

/// The id from which the problem of a day is looked for.
#[must_use]
pub fn drawn(day: Date) -> Uuid {
    let mut words = Seeded::new(day.to_julian_day().unsigned_abs().into());
    let parts = (0..4).map(|_| u128::from(words.next_word()));
    Uuid::from_u128(parts.fold(0, |number, part| (number << u32::BITS) | part))
}

fn read(row: ProblemRow) -> Result<Problem, GameError> {
    let ProblemRow { id, game_id, seq, seat, rules, day, played, answers } = row;
    let corrupt = || GameError::Corrupt(game_id, "problem".to_owned());
    let seat = u8::try_from(seat).map(Seat).map_err(|_| corrupt())?;
    let answers = serde_json::from_str(&answers).map_err(|_| corrupt())?;
    Ok(Problem { id, game_id, seq, seat, rules, day, played, answers })
}

/// The board of a problem. Its game is over, and nothing in it is hidden any more; shown is what the seat knew then.
///
/// # Errors
/// The game cannot be read.
pub async fn show(games: &Games, problem: &Problem, language: Language) -> Result<ShownProblem, GameError> {
    let (live, viewer) = view::started_for(games, problem.game_id, &Requester::default()).await?;
    let then = past_position(games, &live, At::Event(problem.seq)).await?;
    let corrupt = || GameError::Corrupt(problem.game_id, "problem".to_owned());
    // What was played comes after it.
    let then = then.filter(|_| live.finished_at.is_some()).ok_or_else(corrupt)?;
    let (seat, position) = (Viewer::Seat(problem.seat), then.table.position());
    let captions = Captions::new(&live.fixed.names, &language);
    Ok(ShownProblem {
        picture: picture(&live, &then.table, seat, &then.event.effects, language),
        board_text: position.board_text(seat, &captions),
        parts: position.parts(seat, &captions),
        mover: live.fixed.names.get(problem.seat.index()).cloned().ok_or_else(corrupt)?,
        to_do: language.tell(&position.to_do(), &live.fixed.names),
        game: view::view_live(games, &live, viewer),
    })
}
