//! Who may see a game: decided here, before a body is read, a game is loaded or its cache is filled.
//!
//! A private game does not exist for outsiders, and must not take longer than none either: whoever is refused has asked the database
//! the same questions in both cases.

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::viewing::view::{self, Requester, is_invitation};
use pippost_keys::Purpose;
use pippost_store::visibility as stored;

/// Whether the game exists for the requester. What they may see of it is for [`view::viewer`] to say, on the newest state.
///
/// # Errors
/// There is no such game for this requester, or the database failed.
pub async fn expect_visible(games: &Games, game_id: Uuid, requester: &Requester) -> Result<(), GameError> {
    // Whether somebody is a player may be out of date here; whoever once was knows the game.
    let cached = games.inner.cache.peek(game_id);
    if cached.is_some_and(|live| view::viewer(games, &live, requester).is_ok()) {
        return Ok(());
    }
    // Boxed, because it is rare and would enlarge the future of every view.
    Box::pin(ask(games, game_id, requester)).await
}

async fn ask(games: &Games, game_id: Uuid, requester: &Requester) -> Result<(), GameError> {
    let token = requester.token.as_deref();
    if token.is_some_and(|token| is_invitation(games, game_id, token)) {
        return Ok(());
    }
    if stored::exists_for(&games.database, game_id, requester.player_id).await? {
        return Ok(());
    }
    // The token of a link in a mail names no game: one of another game costs a question here, too.
    let link = token.and_then(|token| games.inner.secret.read_link_token(Purpose::Look, token));
    if let Some(link) = link {
        let players = stored::players_now(&games.database, game_id).await?;
        let is_of = |(player_id, seq)| view::look_id(game_id, player_id, seq) == link;
        if players.into_iter().any(is_of) {
            return Ok(());
        }
    }
    Err(GameError::NotFound)
}
