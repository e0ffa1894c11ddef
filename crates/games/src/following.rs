//! Whom a player follows, and the games that a player has marked. Nobody is told, and nothing is shown that the player could not find
//! otherwise: so whoever mutes a player, or blocks an inviter, may be followed and may follow.

use time::Duration;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::viewing::view::Requester;
use crate::viewing::visibility::expect_visible;
use pippost_accounts::names;
use pippost_store::following::{FAVOURITES, FOLLOWED, games_of_followed, visible_favourites};

pub use pippost_store::bounded_list::ListedPlayer;
pub use pippost_store::following::{MAX_FAVOURITES, MAX_FOLLOWED};

/// How long the finished games of followed players are shown.
pub const NEWLY_FINISHED: Duration = Duration::days(7);

fn held_to(is_within: bool, limit: &'static str, most: i64) -> Result<(), GameError> {
    let refused = || GameError::TooManyMarked { limit, most: most.unsigned_abs() };
    if is_within { Ok(()) } else { Err(refused()) }
}

/// Lets a player follow another.
///
/// # Errors
/// It is the same player, the player follows [`MAX_FOLLOWED`], or the database failed.
pub async fn follow(games: &Games, player_id: Uuid, followed_id: Uuid) -> Result<(), GameError> {
    if player_id == followed_id {
        return Err(GameError::NotFound);
    }
    let now = games.inner.clock.now();
    let is_within = FOLLOWED.add(&games.database, player_id, followed_id, now).await?;
    held_to(is_within, names::FOLLOWED_PLAYERS, MAX_FOLLOWED)
}

/// Lets a player follow another no more.
///
/// # Errors
/// The database failed.
pub async fn unfollow(games: &Games, player_id: Uuid, followed_id: Uuid) -> Result<(), GameError> {
    Ok(FOLLOWED.remove(&games.database, player_id, followed_id).await?)
}

/// Whether a player follows another.
///
/// # Errors
/// The database failed.
pub async fn follows(games: &Games, player_id: Uuid, followed_id: Uuid) -> Result<bool, GameError> {
    Ok(FOLLOWED.holds(&games.database, player_id, followed_id).await?)
}

/// The players whom a player follows, the newest first.
///
/// # Errors
/// The database failed.
pub async fn followed(games: &Games, player_id: Uuid) -> Result<Vec<ListedPlayer>, GameError> {
    Ok(FOLLOWED.players(&games.database, player_id).await?)
}

/// Marks a game that the player may see.
///
/// # Errors
/// There is no such game for the player, the player has marked [`MAX_FAVOURITES`], or the database failed.
pub async fn mark(games: &Games, player_id: Uuid, game_id: Uuid) -> Result<(), GameError> {
    expect_visible(games, game_id, &Requester::player(player_id)).await?;
    let now = games.inner.clock.now();
    let is_within = FAVOURITES.add(&games.database, player_id, game_id, now).await?;
    held_to(is_within, names::FAVOURITES, MAX_FAVOURITES)
}

/// Takes a player's mark from a game.
///
/// # Errors
/// The database failed.
pub async fn unmark(games: &Games, player_id: Uuid, game_id: Uuid) -> Result<(), GameError> {
    Ok(FAVOURITES.remove(&games.database, player_id, game_id).await?)
}

/// Whether a player has marked a game.
///
/// # Errors
/// The database failed.
pub async fn has_marked(games: &Games, player_id: Uuid, game_id: Uuid) -> Result<bool, GameError> {
    Ok(FAVOURITES.holds(&games.database, player_id, game_id).await?)
}

/// The games that a player has marked, the newest mark first, also those that the player sees no more.
///
/// # Errors
/// The database failed.
pub async fn marked(games: &Games, player_id: Uuid) -> Result<Vec<Uuid>, GameError> {
    Ok(FAVOURITES.ids(&games.database, player_id).await?)
}

/// The marked games that the player may see.
///
/// # Errors
/// The database failed.
pub async fn favourites(games: &Games, player_id: Uuid) -> Result<Vec<Uuid>, GameError> {
    Ok(visible_favourites(&games.database, player_id).await?)
}

/// The public games of those whom a player follows that run, or have ended within [`NEWLY_FINISHED`].
///
/// # Errors
/// The database failed.
pub async fn of_followed(games: &Games, player_id: Uuid) -> Result<Vec<Uuid>, GameError> {
    let since = games.inner.clock.now() - NEWLY_FINISHED;
    Ok(games_of_followed(&games.database, player_id, since).await?)
}
