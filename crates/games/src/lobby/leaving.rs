//! Leaving a game before its start, and what is possible only then.

use time::OffsetDateTime;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::joining::Decision;
use crate::viewing::view::Requester;
use crate::viewing::visibility;
use pippost_store::GameStatus;
use pippost_store::commit::lobby::{LobbyChange, change_lobby};
use pippost_store::games::WholeGame;

/// Lets a player leave a game that has not started.
///
/// # Errors
/// No such game, not in it, or started.
pub async fn leave(games: &Games, game_id: Uuid, player_id: Uuid) -> Result<(), GameError> {
    visibility::expect_visible(games, game_id, &Requester::player(player_id)).await?;
    let now = games.inner.clock.now();
    let decision = change_lobby(&games.database, game_id, None, now, move |whole| {
        Ok(match decide_leave(whole, player_id, now) {
            Ok(change) => (change, Decision::Ok(())),
            Err(error) => (LobbyChange::Nothing, Err(error)),
        })
    });
    decision.await?
}

fn decide_leave(
    whole: Option<WholeGame>,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<LobbyChange, GameError> {
    let whole = member_of_open(whole, player_id)?;
    Ok(match whole.members.len() {
        1 => LobbyChange::Cancel { player_id, at: now },
        _ => LobbyChange::Leave { player_id },
    })
}

/// A game that is still open and has this player.
pub(super) fn member_of_open(whole: Option<WholeGame>, player_id: Uuid) -> Result<WholeGame, GameError> {
    let whole = whole.ok_or(GameError::NotFound)?;
    if !whole.members.iter().any(|member| member.player_id == player_id) {
        return Err(if whole.game.private { GameError::NotFound } else { GameError::NotJoined });
    }
    expect_open(whole.game.status)?;
    Ok(whole)
}

/// Refuses what is possible only while a game waits for players.
pub(super) fn expect_open(status: GameStatus) -> Result<(), GameError> {
    match status {
        GameStatus::Open => Ok(()),
        GameStatus::Starting | GameStatus::Running | GameStatus::Finished => Err(GameError::Started),
        GameStatus::Cancelled => Err(GameError::Cancelled),
    }
}
