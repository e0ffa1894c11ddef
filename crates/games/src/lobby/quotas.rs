//! What a player's games may take of this server. It is asked where a game is created, joined or taken over, and never by a move: whoever
//! sits down may play on.

use serde::Serialize;
use time::Duration;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::joining::PlayerIdentity;
use pippost_accounts::{FACTOR_OF_PROGRAMS, names};
use pippost_store::usage::{self, Usage};

/// What an event counts, in bytes; with its row and indexes it takes less.
pub const EVENT_BYTES: u64 = 1_000;

/// How long the events of a new game count.
pub const COUNTED_FOR: Duration = Duration::days(30);

/// What is used of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Quota {
    pub used: u64,
    pub most: u64,
}

/// What your games take. Beyond it you begin no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Quotas {
    /// Games that are not over.
    pub games_at_once: Quota,
    /// Events of games created in the last 30 days, 1 KB each.
    pub stored_bytes: Quota,
}

/// The quotas of a player, who may be a program.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, player_id: Uuid, is_program: bool) -> Result<Quotas, GameError> {
    let now = games.inner.clock.now();
    let used = usage::of_player(&games.database, player_id, now, COUNTED_FOR).await?;
    let Usage { games: at_once, events } = used;
    let most = games.quotas;
    let factor = if is_program { u64::from(FACTOR_OF_PROGRAMS) } else { 1 };
    let stored = events.unsigned_abs().saturating_mul(EVENT_BYTES);
    Ok(Quotas {
        games_at_once: Quota { used: at_once.unsigned_abs(), most: most.games_at_once },
        stored_bytes: Quota { used: stored, most: most.stored_bytes.saturating_mul(factor) },
    })
}

/// Refuses a player another game beyond the quotas.
///
/// # Errors
/// [`GameError::QuotaReached`], or the database failed.
pub(crate) async fn check(games: &Games, player: &PlayerIdentity) -> Result<(), GameError> {
    let Quotas { games_at_once, stored_bytes } = of_player(games, player.player_id, player.bot).await?;
    for (limit, Quota { used, most }) in
        [(names::GAMES_AT_ONCE, games_at_once), (names::STORED_BYTES, stored_bytes)]
    {
        if used >= most {
            return Err(GameError::QuotaReached { limit, most });
        }
    }
    Ok(())
}
