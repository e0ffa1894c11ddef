//! Leaves the games of players whose accounts were deleted, by the rules for everybody: a seat resigns, so the others win or play on, and
//! their records stay whole.

use time::Duration;
use uuid::Uuid;

use super::error::GameError;
use super::playing::request::{ActRequest, Command, ListMode};
use super::{Games, lobby, playing, viewing};
use pippost_store::{GameStatus, deletion};

/// Games left by one statement's list.
const PAGE: i64 = 100;

/// The most games that the request itself leaves; the worker leaves the others.
const MAX_LEFT_AT_ONCE: usize = 100;

/// Players whose departure one step of the worker goes on with.
const PLAYERS_A_STEP: i64 = 10;

/// So long other processes may trust a token of the account, so the worker looks again after it.
const TRUST: Duration = Duration::minutes(1);

/// Leaves the first games of a deleted account at once, so that opponents do not wait for the worker, which leaves the others.
pub async fn leave_soon(games: &Games, player_id: Uuid) {
    if let Err(error) = leave_all(games, player_id, MAX_LEFT_AT_ONCE).await {
        tracing::warn!(%player_id, %error, "a deleted player's games are left later");
    }
}

/// Leaves what deleted accounts have not left yet. Returns the number of accounts that are gone now.
///
/// # Errors
/// The database failed.
pub async fn finish(games: &Games) -> Result<usize, GameError> {
    let now = games.now();
    let mut gone = 0;
    for player_id in deletion::departing(&games.database, now - TRUST, PLAYERS_A_STEP).await? {
        if leave_all(games, player_id, usize::MAX).await? {
            deletion::depart(&games.database, player_id, now).await?;
            gone += 1;
        }
    }
    Ok(gone)
}

/// Whether at most `most` games were all that the player had to leave, and each was left.
async fn leave_all(games: &Games, player_id: Uuid, most: usize) -> Result<bool, GameError> {
    let (mut cursor, mut tried, mut all_left) = (None, 0, true);
    loop {
        let unfinished = deletion::unfinished_of(&games.database, player_id, cursor, PAGE).await?;
        let Some((last, _)) = unfinished.last() else { return Ok(all_left) };
        cursor = Some(*last);
        for (game_id, status) in unfinished {
            if tried == most {
                return Ok(false);
            }
            tried += 1;
            match leave(games, game_id, player_id, status).await {
                Ok(left) => all_left &= left,
                Err(error @ GameError::Store(_)) => return Err(error),
                Err(error) => {
                    tracing::warn!(%game_id, %player_id, %error, "a deleted player's game was not left");
                    all_left = false;
                }
            }
        }
    }
}

/// Whether the player is out of the game; false while it waits for its beacon.
async fn leave(games: &Games, game_id: Uuid, player_id: Uuid, status: GameStatus) -> Result<bool, GameError> {
    if status == GameStatus::Starting {
        return Ok(false);
    }
    if status == GameStatus::Open {
        return match lobby::leave(games, game_id, player_id).await {
            Ok(()) | Err(GameError::Cancelled) => Ok(true),
            // It has started meanwhile.
            Err(GameError::Started) => Ok(false),
            Err(error) => Err(error),
        };
    }
    let resigning = ActRequest {
        command: Command::Resign,
        mode: ListMode::default(),
        expected_seq: None,
        if_match: None,
        key: None,
    };
    let claim = viewing::claim_seat(games, game_id, player_id).await?;
    match playing::act(games, &claim, &resigning).await {
        // A refusal says that the seat has left, or that the game is over.
        Ok(_) | Err(GameError::Refused { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}
