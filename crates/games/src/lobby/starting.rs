//! Starts full games that wait for a round of the public beacon.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::joining;
use crate::playing::set_aside::for_each;
use pippost_record::record::Beacon;
use pippost_store::commit::lobby::{LobbyChange, Start, change_lobby};
use pippost_store::games::{self, WholeGame};
use pippost_store::set_aside::Task;
use pippost_store::{BeaconRound, GameStatus};

/// The most games read in one step.
const BATCH: i64 = 100;

/// A step ends after so many unavailable rounds, because each may take until its endpoints time out.
const MAX_FAILED_ROUNDS: usize = 3;

/// Starts the full games whose round is available; each round is fetched once. Also starts games that wait under an earlier
/// configuration if there is no beacon now. A game that causes a failure is set aside; after unavailable rounds the next step
/// continues with later ones. Returns how many games this call started.
///
/// # Errors
/// A round is not available, or the database failed; the games of the other rounds have started.
pub async fn start_awaited(games: &Games) -> Result<usize, GameError> {
    let mut by_round: BTreeMap<BeaconRound, Vec<Uuid>> = BTreeMap::new();
    for (game_id, round) in next_awaiting(games).await? {
        by_round.entry(round).or_default().push(game_id);
    }
    let (mut started, mut failures, mut error) = (0, 0, None);
    let mut start_after = None;
    for (round, game_ids) in by_round {
        match start_with_round(games, round, &game_ids).await {
            Ok(count) => started += count,
            Err(failed) => {
                (failures, start_after, error) = (failures + 1, Some(round), Some(failed));
                if failures == MAX_FAILED_ROUNDS {
                    break;
                }
            }
        }
    }
    *games.inner.start_after.lock().unwrap_or_else(PoisonError::into_inner) = start_after;
    error.map_or(Ok(started), Err)
}

/// The waiting games, from where the last step stopped, or from the first round on.
async fn next_awaiting(games: &Games) -> Result<Vec<(Uuid, BeaconRound)>, GameError> {
    let now = games.inner.clock.now();
    let newest = games.inner.beacon.as_ref().map(|drand| drand.chain().round_at(now).into());
    let after = *games.inner.start_after.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = games::awaiting_round(&games.database, after, newest, now, BATCH).await?;
    if !waiting.is_empty() || after.is_none() {
        return Ok(waiting);
    }
    Ok(games::awaiting_round(&games.database, None, newest, now, BATCH).await?)
}

async fn start_with_round(games: &Games, round: BeaconRound, game_ids: &[Uuid]) -> Result<usize, GameError> {
    let beacon = match &games.inner.beacon {
        Some(drand) => Some(drand.fetch(round.get()).await?),
        None => None,
    };
    let start = |game_id| start_with(games, game_id, beacon.clone());
    Ok(for_each(games, Task::Start, game_ids.to_vec(), 1, start).await?.len())
}

/// False if another process was faster.
async fn start_with(games: &Games, game_id: Uuid, beacon: Option<Beacon>) -> Result<bool, GameError> {
    let decision = change_lobby(&games.database, game_id, None, games.inner.clock.now(), move |whole| {
        Ok(match decide_start(games, whole, beacon) {
            Ok(Some(start)) => {
                let seated = start.seated.clone();
                (LobbyChange::Start(Box::new(start)), Ok(Some(seated)))
            }
            Ok(None) => (LobbyChange::Nothing, Ok(None)),
            Err(error) => (LobbyChange::Nothing, Err(error)),
        })
    });
    let Some(mut changed) = decision.await?? else { return Ok(false) };
    changed.push(game_id);
    games.inner.outbox_signal.notify_of(&changed);
    Ok(true)
}

fn decide_start(
    games: &Games,
    whole: Option<WholeGame>,
    beacon: Option<Beacon>,
) -> Result<Option<Start>, GameError> {
    let Some(whole) = whole.filter(|whole| whole.game.status == GameStatus::Starting) else {
        return Ok(None);
    };
    let awaited = whole.game.beacon_round.map(BeaconRound::get);
    if beacon.as_ref().is_some_and(|beacon| Some(beacon.round) != awaited) {
        return Ok(None);
    }
    joining::start(games, &whole, beacon).map(Some)
}
