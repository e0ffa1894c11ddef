//! Down time of the server: found by the heartbeat, and given back to every clock that ran meanwhile.

use std::sync::atomic::Ordering;

use uuid::Uuid;

use super::changing::{Changed, Decision, change};
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::set_aside::for_each;
use pippost_clock::log::{self, Change, MAX_LINES, Opened};
use pippost_clock::microseconds;
use pippost_record::record::Timestamp;
use pippost_store::outages::{self, Outage};
use pippost_store::set_aside::Task;

/// Without a heartbeat for so long, the server did not work. Workers say so every [`HEARTBEAT_INTERVAL`].
pub const MAX_HEARTBEAT_GAP: time::Duration = time::Duration::seconds(60);

/// How often a worker says that it works.
pub const HEARTBEAT_INTERVAL: std::time::Duration = std::time::Duration::from_secs(10);

/// The most games that are given back time in one step.
const BATCH: i64 = 500;

/// How many games are given back time at once.
const AT_ONCE: usize = 16;

/// The most outages that one change of a clock gives back.
const MAX_OUTAGES: i64 = 16;

/// Says that this worker works, and notes an outage if none has for [`MAX_HEARTBEAT_GAP`]. From then on no flag falls and no move is
/// decided in a game that has not been given it back.
///
/// # Errors
/// The database failed.
pub async fn beat(games: &Games) -> Result<(), GameError> {
    let newest = outages::beat(&games.database, games.inner.clock.now(), MAX_HEARTBEAT_GAP).await?;
    games.inner.newest_outage.fetch_max(newest, Ordering::SeqCst);
    Ok(())
}

/// Reads the newest outage, for a process that does not beat.
///
/// # Errors
/// The database failed.
pub async fn know_outages(games: &Games) -> Result<(), GameError> {
    let newest = outages::newest(&games.database).await?;
    games.inner.newest_outage.fetch_max(newest, Ordering::SeqCst);
    Ok(())
}

/// Makes sure that the newest outage is known, which is asked before any flag falls: this process may have gone on while the workers, or the
/// database, were away.
///
/// # Errors
/// [`GameError::NoWorker`] if no worker has worked for [`MAX_HEARTBEAT_GAP`]: the outage is written down by the first that does.
pub(crate) async fn check_work(games: &Games) -> Result<(), GameError> {
    let work = outages::work(&games.database).await?;
    games.inner.newest_outage.fetch_max(work.newest, Ordering::SeqCst);
    let now = games.inner.clock.now();
    if work.beat_at.is_some_and(|at| now - at > MAX_HEARTBEAT_GAP) {
        Err(GameError::NoWorker)
    } else {
        Ok(())
    }
}

/// Gives the newest outages back to games that have not been given them; returns how many games this call changed.
///
/// # Errors
/// The database failed.
pub async fn give_back(games: &Games) -> Result<usize, GameError> {
    let newest = games.inner.newest_outage.load(Ordering::SeqCst);
    let waiting = outages::games_before(&games.database, newest, BATCH, games.inner.clock.now()).await?;
    let give = |game_id| async move {
        let _in_flight = games.committer.begin_move();
        give_back_to(games, game_id).await.map(|()| true)
    };
    Ok(for_each(games, Task::Clock, waiting, AT_ONCE, give).await?.len())
}

/// Whether an outage has not been given back to a game yet.
#[must_use]
pub(crate) fn is_behind(games: &Games, live: &LiveGame) -> bool {
    live.running.is_some() && live.outage < games.inner.newest_outage.load(Ordering::SeqCst)
}

/// Gives one game all outages back that it has not been given.
pub(crate) async fn give_back_to(games: &Games, game_id: Uuid) -> Result<(), GameError> {
    let mut first = change(games, game_id, |live, _| Ok(Decision::Leave(live.outage))).await?;
    loop {
        let missed = outages::after(&games.database, first, MAX_OUTAGES).await?;
        give_back_these(games, game_id, &missed).await?;
        match missed.last() {
            Some(last) if missed.len() >= usize::try_from(MAX_OUTAGES).unwrap_or_default() => first = last.id,
            _ => return Ok(()),
        }
    }
}

async fn give_back_these(games: &Games, game_id: Uuid, missed: &[Outage]) -> Result<(), GameError> {
    change(games, game_id, |live, changed| {
        let mut new = missed.iter().filter(|outage| outage.id > live.outage).peekable();
        if new.peek().is_none() {
            return Ok(Decision::Leave(()));
        }
        for outage in new {
            changed.outage = outage.id;
            take_outage(live, changed, outage);
        }
        Ok(Decision::Write(()))
    })
    .await
}

/// Gives one outage back, if it concerns the running clock and its log has room for it.
fn take_outage(live: &LiveGame, changed: &mut Changed, outage: &Outage) {
    let (from, until) = (Timestamp::new(outage.from_at), Timestamp::new(outage.until_at));
    let concerned =
        changed.running.as_ref().is_some_and(|running| running.since < microseconds(outage.until_at));
    if !concerned || changed.writer.number() >= MAX_LINES {
        return;
    }
    // The worker that found the outage may be a little ahead of this process.
    changed.writer.not_before(until);
    let (number, at) = (changed.writer.number(), changed.at.max(until));
    let opened = Opened::Down { from, until };
    if let Err(why) = log::apply(&mut changed.clock_rules, &mut changed.running, number, at, &opened) {
        tracing::error!(game = %live.fixed.id, why, "an outage is not given back");
        return;
    }
    // A game from before the clock log is given the time back, too.
    if live.clock_rules.conditions.head.is_some() {
        changed.writer.write(Change::Down { from, until });
    }
}
