//! Carries out standing orders soon after the moves that they wait for.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pippost_games::{GameError, Games, standing_orders};
use pippost_store::{Changes, OutboxSignal};

/// How often all games are looked at, because news of a move may be lost.
pub const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// Carries out standing orders. Any number of workers may run in any number of processes.
pub struct OrdersWorker {
    games: Games,
    signal: OutboxSignal,
    /// When all games were looked at last.
    looked_at: Mutex<Option<Instant>>,
}

impl OrdersWorker {
    /// Makes a worker, which is told of moves from now on.
    #[must_use]
    pub fn new(games: Games, signal: OutboxSignal) -> Self {
        signal.follow_for_orders();
        Self { games, signal, looked_at: Mutex::new(None) }
    }

    /// Looks at the games with new events, or at all of them if that is due; returns for how many players.
    ///
    /// # Errors
    /// The database failed.
    pub async fn step(&self) -> Result<usize, GameError> {
        let news = self.signal.take_changes_for_orders();
        let changes = if self.all_are_due() { Changes::All } else { news };
        if changes.is_empty() {
            return Ok(0);
        }
        standing_orders::carry_out(&self.games, &changes).await
    }

    fn all_are_due(&self) -> bool {
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = looked_at.is_none_or(|looked_at| looked_at.elapsed() >= LOOK_INTERVAL);
        if is_due {
            *looked_at = Some(Instant::now());
        }
        is_due
    }
}
