//! The worker's step: begins the games of accepted challenges, notes how they ended, lets challenges expire that nobody has answered, and
//! takes off who has no account any more or does not play. Everything is done once, under the lock of the ladder.

use std::collections::HashMap;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{ANSWER_TIME, change, is_idle, new_game, read};
use crate::Games;
use crate::error::GameError;
use crate::lobby::joining::new_row;
use crate::tournaments::{begin_game, settled};
use pippost_keys::random_bytes;
use pippost_record::record::Master;
use pippost_store::tournaments::{GameEnd, game_ends};
use pippost_store::{calendars, games as rows, ladders as store};
use pippost_tournaments::Outcome;
use pippost_tournaments::ladder::{Challenge, Ending, Happening, Ladder, Leaving};

/// Carries on all ladders; returns how much has happened.
///
/// # Errors
/// The database failed; what has happened stays.
pub async fn step(games: &Games) -> Result<usize, GameError> {
    let mut done = 0;
    for (rules, state) in store::all(&games.database).await? {
        let ladder = read(&rules, &state)?;
        match carry_on(games, &rules, &ladder).await {
            Ok(more) => done += more,
            Err(GameError::Store(error)) if error.is_of_the_connection() => return Err(error.into()),
            Err(error) => tracing::error!(rules, %error, "a ladder cannot be carried on"),
        }
    }
    Ok(done)
}

async fn carry_on(games: &Games, rules: &str, ladder: &Ladder) -> Result<usize, GameError> {
    let now = games.inner.clock.now();
    let mut due = of_accounts(games, ladder).await?;
    for challenge in ladder.challenges().iter().filter(|challenge| challenge.game.is_none()) {
        let is_old = challenge.since.get() + ANSWER_TIME <= now;
        if is_old && answer_by(games, challenge).await? <= now {
            due.push(Happening::Expired { challenge: challenge.number });
        }
    }
    let ended = of_games(games, rules, ladder).await?;
    // Only when none of their games is over: it might count as having played.
    if ended.is_empty() {
        due.extend(idle(ladder, now));
    }
    due.extend(ended);
    if due.is_empty() {
        return Ok(0);
    }
    Ok(change(games, rules, due).await?.happened)
}

async fn of_accounts(games: &Games, ladder: &Ladder) -> Result<Vec<Happening>, GameError> {
    let player_ids: Vec<Uuid> = ladder.rungs().iter().map(|rung| rung.player).collect();
    if player_ids.is_empty() {
        return Ok(Vec::new());
    }
    let gone = store::gone(&games.database, &player_ids).await?;
    let left = |player| Happening::Left { player, leaving: Leaving::Account };
    Ok(gone.into_iter().map(left).collect())
}

fn idle(ladder: &Ladder, now: OffsetDateTime) -> Vec<Happening> {
    let idle = ladder.rungs().iter().filter(|rung| is_idle(ladder, rung, now));
    idle.map(|rung| Happening::Left { player: rung.player, leaving: Leaving::Idle }).collect()
}

/// Until when a challenge may be answered, if no further holiday is booked.
pub(super) async fn answer_by(games: &Games, challenge: &Challenge) -> Result<OffsetDateTime, GameError> {
    let since = challenge.since.get();
    let holidays = calendars::holidays(&games.database, challenge.challenged, since).await?;
    let holidays: Vec<_> = holidays.iter().map(|holiday| (holiday.from_at, holiday.until_at)).collect();
    Ok(after_holidays(since, ANSWER_TIME, &holidays))
}

/// When so much time has passed since then outside of these holidays, which are ordered by their beginnings.
#[must_use]
pub fn after_holidays(
    since: OffsetDateTime,
    mut left: Duration,
    holidays: &[(OffsetDateTime, OffsetDateTime)],
) -> OffsetDateTime {
    let mut at = since;
    for (from, until) in holidays {
        let counted = (*from - at).max(Duration::ZERO);
        if counted >= left {
            break;
        }
        left -= counted;
        at = (at + counted).max(*until);
    }
    at + left
}

/// Begins the games that are missing; how those ended that are over.
async fn of_games(games: &Games, rules: &str, ladder: &Ladder) -> Result<Vec<Happening>, GameError> {
    let played: Vec<&Challenge> = ladder.challenges().iter().filter(|one| one.game.is_some()).collect();
    if played.is_empty() {
        return Ok(Vec::new());
    }
    let game_ids: Vec<Uuid> = played.iter().filter_map(|challenge| challenge.game).collect();
    let ends = game_ends(&games.database, &game_ids).await?;
    let ends: HashMap<Uuid, GameEnd> = ends.into_iter().map(|end| (end.game_id, end)).collect();
    let mut ended = Vec::new();
    for challenge in played {
        match challenge.game.and_then(|game_id| ends.get(&game_id)) {
            None => begin(games, rules, challenge).await?,
            Some(end) => {
                if let Some((outcome, _)) = settled(games, end).await? {
                    let ending = ending(games, challenge, end.game_id, outcome).await?;
                    ended.push(Happening::Ended { challenge: challenge.number, ending });
                }
            }
        }
    }
    Ok(ended)
}

/// How a game ended for the challenge: the start has drawn the seats.
async fn ending(
    games: &Games,
    challenge: &Challenge,
    game_id: Uuid,
    outcome: Outcome,
) -> Result<Ending, GameError> {
    let winner = match outcome {
        Outcome::Draw => return Ok(Ending::Draw),
        Outcome::Void => return Ok(Ending::Void),
        Outcome::First => 0,
        Outcome::Second => 1,
    };
    let whole = rows::load(&games.database, game_id).await?.ok_or(GameError::NotFound)?;
    let winner = whole.members.iter().find(|member| member.seat == Some(winner));
    let is_challenger = winner.is_some_and(|winner| winner.player_id == challenge.challenger);
    Ok(if is_challenger { Ending::ChallengerWon } else { Ending::ChallengedWon })
}

/// Begins the game of an accepted challenge, unless it exists.
pub(super) async fn begin(games: &Games, rules: &str, challenge: &Challenge) -> Result<(), GameError> {
    let Some(game_id) = challenge.game else { return Ok(()) };
    let master = Master::from_bytes(random_bytes()?);
    let game = new_row(games, challenge.challenger, &new_game(rules), (game_id, master))?;
    begin_game(games, game, &[challenge.challenger, challenge.challenged]).await
}
