//! What players ask of the lobby by mail: to join by an invitation or without a link, and to play again.

use uuid::Uuid;

use crate::error::GameError;
use crate::lobby::joining;
use crate::lobby::renewing::like;
use crate::viewing::view::{self, GameView, Requester};
use crate::viewing::visibility;
use crate::{Games, NewGame, PlayerIdentity};
use pippost_accounts::Handle;
use pippost_store::lists::{self, Filter, GamesOf, Whose};
use pippost_store::{GameStatus, games};

/// The most open games of a rule set among which the one to join is looked for.
const MAX_LOOKED_AT: i64 = 100;

/// Joins the game that the player was invited to.
///
/// # Errors
/// As [`joining::join`].
pub async fn accept_invitation(
    games: &Games,
    game_id: Uuid,
    player: &PlayerIdentity,
) -> Result<GameView, GameError> {
    let invitation = view::invitation(games, game_id);
    joining::join(games, game_id, player, String::new(), Some(&invitation)).await
}

/// Joins the open public game of a rule set that has waited longest among the newest; `None` if there is none for this player.
///
/// # Errors
/// As [`joining::join`].
pub async fn join_open(
    games: &Games,
    rules: &str,
    player: &PlayerIdentity,
) -> Result<Option<GameView>, GameError> {
    let whose = Whose::Public { status: GameStatus::Open };
    let filter = Filter { rules: Some(rules.to_owned()), ..Filter::all(whose) };
    let open = lists::games(&games.database, &filter, None, MAX_LOOKED_AT).await?.rows;
    for row in open.iter().rev().filter(|row| row.players.iter().all(|member| member.id != player.player_id))
    {
        match joining::join(games, row.game.id, player, String::new(), None).await {
            Ok(view) => return Ok(Some(view)),
            // Somebody else was quicker.
            Err(GameError::Full | GameError::Cancelled | GameError::AlreadyJoined | GameError::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The newest game of a player that waits for others to join.
///
/// # Errors
/// The database failed.
pub async fn newest_open(games: &Games, player_id: Uuid) -> Result<Option<Uuid>, GameError> {
    let filter = Filter::all(Whose::Of(GamesOf::player(player_id, Some(GameStatus::Open))));
    Ok(lists::games(&games.database, &filter, None, 1).await?.rows.first().map(|row| row.game.id))
}

/// A game like one that is over.
#[derive(Clone, Debug)]
pub struct Rematch {
    pub new: NewGame,
    /// The others who played it.
    pub others: Vec<Handle>,
    /// Whether the player who asks had the first seat.
    pub sat_first: bool,
}

/// A game like this one.
///
/// # Errors
/// No such game for this player, or it is not over.
pub async fn again(games: &Games, game_id: Uuid, player_id: Uuid) -> Result<Rematch, GameError> {
    visibility::expect_visible(games, game_id, &Requester::player(player_id)).await?;
    let whole = games::load(&games.database, game_id).await?.ok_or(GameError::NotFound)?;
    let own = whole.members.iter().find(|member| member.player_id == player_id);
    let sat_first = own.ok_or(GameError::NotJoined)?.seat == Some(0);
    if whole.game.status != GameStatus::Finished {
        return Err(GameError::Started);
    }
    let others = whole.members.iter().filter(|member| member.player_id != player_id);
    let new = NewGame { title: None, ..like(&whole.game)? };
    let others = others.filter_map(|member| Handle::parse(&member.handle).ok()).collect();
    Ok(Rematch { new, others, sat_first })
}
