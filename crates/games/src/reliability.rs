//! How reliable players are: finished public games are counted by a worker, once each, from their records and clock logs, and the
//! figures are kept (docs/decisions/0091). What a game says for ratings is kept with them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::TryStreamExt;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::history::reading;
use crate::memory::live::Fixed;
use crate::playing::set_aside::for_each;
use crate::ratings;
use crate::viewing::view;
use pippost_clock::log::reliability::{self, CountedGame, GameFigures, MAX_EVENTS, Outcome, Reliability};
use pippost_clock::log::split;
use pippost_record::record::Timestamp;
use pippost_store::reliability::{OutcomeRow, ReliabilityRow, StoredOutcome};
use pippost_store::set_aside::Task;
use pippost_traffic as traffic;

/// The most games that one step counts.
const BATCH: i64 = 20;

/// Counts the finished public games that have not been counted; returns how many this call counted. A game that causes a failure is
/// set aside.
///
/// # Errors
/// The database failed; games that were counted stay so.
pub async fn count_ended(games: &Games) -> Result<usize, GameError> {
    let now = games.inner.clock.now();
    let uncounted = pippost_store::reliability::uncounted(&games.database, now, BATCH).await?;
    let counted = for_each(games, Task::Reliability, uncounted, 1, |game_id| count_one(games, game_id));
    Ok(counted.await?.len())
}

/// False if another process was faster.
async fn count_one(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let live = view::load_live(games, game_id).await?;
    // A game from before there were clock logs cannot be recomputed by anybody.
    let counts = live.clock_rules.conditions.head.is_some() && live.seq().get() < MAX_EVENTS;
    let (mut outcomes, mut rated) = (Vec::new(), None);
    if counts {
        let fixed = Arc::clone(&live.fixed);
        let pages = reading::record_of(games, live, true);
        let text: Vec<u8> = pages
            .try_fold(Vec::new(), async |mut text, page| {
                text.extend_from_slice(&page);
                Ok(text)
            })
            .await?;
        // On a thread that yields to requests: a long game takes as long as hundreds of moves.
        let figures = traffic::compute(traffic::Work::Other, move || {
            let (record, log) = split(&text);
            reliability::figures(record, log)
        });
        let figures = figures.await.map_err(|_panic| corrupt(game_id, "the program stumbled over it"))?;
        let figures = figures.map_err(|why| corrupt(game_id, why))?;
        rated = ratings::of_game(&fixed, &figures);
        outcomes = rows(&fixed, figures);
    }
    Ok(pippost_store::reliability::count(&games.database, game_id, outcomes, rated, figures_of).await?)
}

fn corrupt(game_id: Uuid, why: impl ToString) -> GameError {
    GameError::Corrupt(game_id, why.to_string())
}

/// The rows of a game.
fn rows(fixed: &Fixed, figures: GameFigures) -> Vec<OutcomeRow> {
    let game_id = fixed.id;
    let GameFigures { ended_at, seats, .. } = figures;
    let row = |seat: reliability::SeatFigures| {
        let outcome = stored(seat.outcome?);
        let player_id = fixed.player_of(seat.seat, seat.is_substitute)?;
        let (ended_at, answers_seconds) = (ended_at.get(), seat.answers_seconds);
        Some(OutcomeRow { player_id, game_id, ended_at, outcome, answers_seconds })
    };
    seats.into_iter().filter_map(row).collect()
}

fn stored(outcome: Outcome) -> StoredOutcome {
    match outcome {
        Outcome::Finished => StoredOutcome::Finished,
        Outcome::Left => StoredOutcome::Left,
        Outcome::TimedOut => StoredOutcome::TimedOut,
        Outcome::Aborted => StoredOutcome::Aborted,
    }
}

fn outcome(stored: StoredOutcome) -> Outcome {
    match stored {
        StoredOutcome::Finished => Outcome::Finished,
        StoredOutcome::Left => Outcome::Left,
        StoredOutcome::TimedOut => Outcome::TimedOut,
        StoredOutcome::Aborted => Outcome::Aborted,
    }
}

/// The figures of a player's games, which are cut to those that count.
fn figures_of(rows: &mut Vec<OutcomeRow>) -> ReliabilityRow {
    let counted = rows.iter().map(|row| CountedGame {
        game: row.game_id,
        ended_at: Timestamp::new(row.ended_at),
        outcome: outcome(row.outcome),
        answers_seconds: row.answers_seconds.clone(),
    });
    let mut counted: Vec<CountedGame> = counted.collect();
    let of_games = Reliability::of(&mut counted);
    rows.retain(|row| counted.iter().any(|game| game.game == row.game_id));
    ReliabilityRow {
        games_finished: of_games.games_finished,
        games_left: of_games.games_left,
        games_timed_out: of_games.games_timed_out,
        games_aborted: of_games.games_aborted,
        answers: of_games.answers,
        median_seconds: of_games.median_seconds,
        percentile_90_seconds: of_games.percentile_90_seconds,
    }
}

/// How reliable the players with these handles are; who has no game that counts is missing.
///
/// # Errors
/// The database failed.
pub async fn of_players(
    games: &Games,
    handles: &BTreeSet<String>,
) -> Result<HashMap<String, Reliability>, GameError> {
    if handles.is_empty() {
        return Ok(HashMap::new());
    }
    let handles: Vec<String> = handles.iter().map(|handle| handle.to_ascii_lowercase()).collect();
    let rows = pippost_store::reliability::of_handles(&games.database, &handles).await?;
    Ok(rows.into_iter().map(|(handle, row)| (handle, shown(row))).collect())
}

/// How reliable a player is.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, handle: &str) -> Result<Reliability, GameError> {
    let all = of_players(games, &BTreeSet::from([handle.to_owned()])).await?;
    Ok(all.into_values().next().unwrap_or_default())
}

fn shown(row: ReliabilityRow) -> Reliability {
    Reliability {
        games_finished: row.games_finished,
        games_left: row.games_left,
        games_timed_out: row.games_timed_out,
        games_aborted: row.games_aborted,
        answers: row.answers,
        median_seconds: row.median_seconds,
        percentile_90_seconds: row.percentile_90_seconds,
    }
}
