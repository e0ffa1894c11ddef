//! Full games that wait for a round of the public beacon, and start with it.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::Games;
use super::error::GameError;
use super::timing::or_passed_over;
use crate::record::Beacon;
use crate::store::games::{self, LobbyChange, WholeGame};

/// The most games looked at in one step.
const BATCH: i64 = 100;

impl Games {
    /// Starts the full games whose round has come; each round is fetched once. A server without a beacon starts what an earlier
    /// configuration left waiting. Returns how many started here.
    ///
    /// # Errors
    /// A round cannot be had, or the database failed; the games of the other rounds have started.
    pub async fn start_awaited(&self) -> Result<usize, GameError> {
        let now = self.inner.clock.now();
        let newest = self.inner.beacon.as_ref().map_or(u64::MAX, |drand| drand.chain().round_at(now));
        let newest = i64::try_from(newest).unwrap_or(i64::MAX);
        let mut by_round: BTreeMap<i64, Vec<Uuid>> = BTreeMap::new();
        for (game_id, round) in games::awaiting_round(&self.database, newest, BATCH).await? {
            by_round.entry(round).or_default().push(game_id);
        }
        let (mut started, mut failed) = (0, None);
        for (round, game_ids) in by_round {
            match self.start_with_round(round, &game_ids).await {
                Ok(count) => started += count,
                Err(error) => failed = Some(error),
            }
        }
        if started > 0 {
            self.inner.bell.ring();
        }
        failed.map_or(Ok(started), Err)
    }

    async fn start_with_round(&self, round: i64, game_ids: &[Uuid]) -> Result<usize, GameError> {
        let beacon = match &self.inner.beacon {
            Some(drand) => Some(drand.fetch(u64::try_from(round).unwrap_or_default()).await?),
            None => None,
        };
        let mut started = 0;
        for game_id in game_ids {
            started += usize::from(or_passed_over(self.start_with(*game_id, beacon.clone()).await)?);
        }
        Ok(started)
    }

    /// False if another process was faster.
    async fn start_with(&self, game_id: Uuid, beacon: Option<Beacon>) -> Result<bool, GameError> {
        let games = self.clone();
        let decision = games::change_lobby(&self.database, game_id, move |whole| {
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
