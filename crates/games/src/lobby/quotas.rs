//! What a player's games may take of this server. It is asked where a game is created, joined or taken over, and never by a move: whoever
//! sits down may play on.

use serde::Serialize;
use time::Duration;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::joining::PlayerIdentity;
use pippost_accounts::{FACTOR_OF_PROGRAMS, GameQuotas, names};
use pippost_store::StoreError;
use pippost_store::usage::{self, Usage, UsageLimits, UsedUp};

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

/// What the games of a player, who may be a program, may take.
fn most(games: &Games, is_program: bool) -> GameQuotas {
    let factor = if is_program { u64::from(FACTOR_OF_PROGRAMS) } else { 1 };
    GameQuotas { stored_bytes: games.quotas.stored_bytes.saturating_mul(factor), ..games.quotas }
}

/// The quotas of a player, who may be a program.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, player_id: Uuid, is_program: bool) -> Result<Quotas, GameError> {
    let now = games.inner.clock.now();
    let used = usage::of_player(&games.database, player_id, now, COUNTED_FOR).await?;
    let stored = used.events.unsigned_abs().saturating_mul(EVENT_BYTES);
    let GameQuotas { games_at_once, stored_bytes, .. } = most(games, is_program);
    Ok(Quotas {
        games_at_once: Quota { used: used.games.unsigned_abs(), most: games_at_once },
        stored_bytes: Quota { used: stored, most: stored_bytes },
    })
}

/// The limits within which a player enters another game. They are asked under a lock by the transaction that writes it.
pub(crate) fn limits(games: &Games, player: &PlayerIdentity) -> UsageLimits {
    let GameQuotas { games_at_once, stored_bytes, .. } = most(games, player.bot);
    let count = |most: u64| i64::try_from(most).unwrap_or(i64::MAX);
    UsageLimits {
        player_id: player.player_id,
        most: Usage { games: count(games_at_once), events: count(stored_bytes.div_ceil(EVENT_BYTES)) },
        now: games.inner.clock.now(),
        counted_for: COUNTED_FOR,
    }
}

/// Names the quota that a player has reached, if that is the failure.
pub(crate) fn refused(games: &Games, player: &PlayerIdentity, error: impl Into<GameError>) -> GameError {
    let GameQuotas { games_at_once, stored_bytes, .. } = most(games, player.bot);
    let (limit, most) = match error.into() {
        GameError::Store(StoreError::UsedUp(UsedUp::Games)) => (names::GAMES_AT_ONCE, games_at_once),
        GameError::Store(StoreError::UsedUp(UsedUp::Events)) => (names::STORED_BYTES, stored_bytes),
        other => return other,
    };
    GameError::QuotaReached { limit, most }
}
