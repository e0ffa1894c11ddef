//! Settles a move whose database answer was lost: finds out whether it was written before anything is decided again.

use std::time::{Duration, Instant};

use crate::games::Games;
use crate::games::error::GameError;
use crate::games::memory::live::LiveGame;
use crate::record::Recorded;
use crate::store::StoreError;
use crate::store::settle::{self, Attempt};

/// How long a request waits for an unreachable database; PostgreSQL usually restarts faster.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);

/// How often the database is asked meanwhile.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Whether the step from `before` that made `events` was written. If not, it never will be.
///
/// # Errors
/// [`StoreError::InDoubt`]: the database cannot be reached.
pub(super) async fn settle(
    games: &Games,
    before: &LiveGame,
    events: &[Recorded],
    lost: &StoreError,
) -> Result<bool, GameError> {
    let Some(last) = events.last() else { return Ok(false) };
    let attempt = Attempt {
        game_id: before.fixed.id,
        expected_seq: before.seq(),
        expected_edition: before.edition,
        seq: last.event.seq.into(),
        line: &last.line,
    };
    let deadline = Instant::now() + SETTLE_TIMEOUT;
    loop {
        match settle::settle(&games.database, &attempt).await {
            Ok(written) => {
                tracing::warn!(game = %attempt.game_id, %lost, written, "the answer about a move was lost; the database was asked");
                return Ok(written);
            }
            Err(error) if !error.is_outage() => return Err(error.into()),
            Err(error) if Instant::now() >= deadline => {
                return Err(StoreError::InDoubt(error.to_string()).into());
            }
            Err(_) => tokio::time::sleep(RETRY_INTERVAL).await,
        }
    }
}
