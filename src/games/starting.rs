//! Starts full games that wait for a round of the public beacon.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use uuid::Uuid;

use super::Games;
use super::error::GameError;
use crate::commit::lobby::{LobbyChange, change_lobby};
use crate::record::Beacon;
use crate::store::games::{self, WholeGame};
use crate::store::set_aside::{self, Task};

/// The most games read in one step.
const BATCH: i64 = 100;

/// A step ends after so many unavailable rounds, because each may take until its endpoints time out.
const MAX_FAILED_ROUNDS: usize = 3;

/// Sorts before every round.
pub(super) const FROM_THE_FIRST: i64 = -1;

impl Games {
    /// Starts the full games whose round is available; each round is fetched once. Also starts games that wait under an earlier
    /// configuration if there is no beacon now. A game that causes a failure is set aside; after unavailable rounds the next step
    /// continues with later ones. Returns how many games this call started.
    ///
    /// # Errors
    /// A round is not available, or the database failed; the games of the other rounds have started.
    pub async fn start_awaited(&self) -> Result<usize, GameError> {
        let mut by_round: BTreeMap<i64, Vec<Uuid>> = BTreeMap::new();
        for (game_id, round) in self.next_awaiting().await? {
            by_round.entry(round).or_default().push(game_id);
        }
        let (mut started, mut failures, mut error) = (0, 0, None);
        let mut start_after = FROM_THE_FIRST;
        for (round, game_ids) in by_round {
            match self.start_with_round(round, &game_ids).await {
                Ok(count) => started += count,
                Err(failed) => {
                    (failures, start_after, error) = (failures + 1, round, Some(failed));
                    if failures == MAX_FAILED_ROUNDS {
                        break;
                    }
                }
            }
        }
        self.inner.start_after.store(start_after, Ordering::Relaxed);
        if started > 0 {
            self.inner.outbox_signal.notify();
        }
        error.map_or(Ok(started), Err)
    }

    /// The waiting games, from where the last step stopped, or from the first round on.
    async fn next_awaiting(&self) -> Result<Vec<(Uuid, i64)>, GameError> {
        let now = self.inner.clock.now();
        let newest = self.inner.beacon.as_ref().map_or(u64::MAX, |drand| drand.chain().round_at(now));
        let newest = i64::try_from(newest).unwrap_or(i64::MAX);
        let after = self.inner.start_after.load(Ordering::Relaxed);
        let waiting = games::awaiting_round(&self.database, after, newest, now, BATCH).await?;
        if !waiting.is_empty() || after == FROM_THE_FIRST {
            return Ok(waiting);
        }
        Ok(games::awaiting_round(&self.database, FROM_THE_FIRST, newest, now, BATCH).await?)
    }

    async fn start_with_round(&self, round: i64, game_ids: &[Uuid]) -> Result<usize, GameError> {
        let beacon = match &self.inner.beacon {
            Some(drand) => Some(drand.fetch(u64::try_from(round).unwrap_or_default()).await?),
            None => None,
        };
        let mut started = 0;
        for game_id in game_ids {
            let starting = self.start_with(*game_id, beacon.clone());
            if self.or_set_aside(Task::Start, *game_id, starting).await? == Some(true) {
                set_aside::clear(&self.database, Task::Start, *game_id).await?;
                started += 1;
            }
        }
        Ok(started)
    }

    /// False if another process was faster.
    async fn start_with(&self, game_id: Uuid, beacon: Option<Beacon>) -> Result<bool, GameError> {
        let games = self.clone();
        let decision = change_lobby(&self.database, game_id, move |whole| {
            Ok(match games.decide_start(whole, beacon) {
                Ok(Some(change)) => (change, Ok(true)),
                Ok(None) => (LobbyChange::Nothing, Ok(false)),
                Err(error) => (LobbyChange::Nothing, Err(error)),
            })
        });
        decision.await?
    }

    fn decide_start(
        &self,
        whole: Option<WholeGame>,
        beacon: Option<Beacon>,
    ) -> Result<Option<LobbyChange>, GameError> {
        let Some(whole) = whole.filter(|whole| whole.game.status == "starting") else { return Ok(None) };
        let awaited = whole.game.beacon_round.and_then(|round| u64::try_from(round).ok());
        if beacon.as_ref().is_some_and(|beacon| Some(beacon.round) != awaited) {
            return Ok(None);
        }
        Ok(Some(LobbyChange::Start(Box::new(self.start(&whole, beacon)?))))
    }
}
