//! The loops of the worker that keep the house: what has expired goes, records are audited, archived and searched.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

use super::dump;
use crate::app::App;
use crate::games::{GameError, archiving, audit, departing, learning, playing};
use crate::settings::{DatabaseSettings, WorkerSettings};
use crate::worker::{Stop, StopSignal, run_loop};

/// How often finished games are moved into the archive, some at a time.
const ARCHIVE_INTERVAL: Duration = Duration::from_secs(10);

/// How often a finished game is searched for what can be learned from it, one at a time.
const LEARNING_INTERVAL: Duration = Duration::from_secs(10);

/// How often expired rows are removed.
const CLEAN_UP_INTERVAL: Duration = Duration::from_mins(1);

/// How often to check whether the nightly audit is due.
const AUDIT_INTERVAL: Duration = Duration::from_mins(1);

/// The loops that need no clock to be right to the second, so that a sandbox has them as they are.
pub fn start(
    app: &App,
    worker: &WorkerSettings,
    database: &DatabaseSettings,
    stop: &Stop,
) -> Vec<JoinHandle<()>> {
    let mut loops = vec![
        tokio::spawn(clean_up(app.clone(), stop.signal())),
        tokio::spawn(audit(app.clone(), worker.audit_hour, stop.signal())),
    ];
    if worker.games_searched_a_day > 0 {
        loops.push(tokio::spawn(learn(app.clone(), worker.games_searched_a_day, stop.signal())));
    }
    if let Some(folder) = worker.dumps.clone().filter(|_| app.sandbox.is_none()) {
        loops.push(tokio::spawn(dump::keep_writing(app.clone(), folder, stop.signal())));
    }
    if database.archive.place.is_some() {
        loops.push(tokio::spawn(archive_games(app.clone(), database.archive.after_days, stop.signal())));
    }
    loops
}

async fn archive_games(app: App, after_days: u16, stop: StopSignal) {
    let step = || async {
        let mut stopping = stop.clone();
        let moved = tokio::select! {
            moved = Box::pin(archiving::archive_due(&app.games, after_days)) => moved?,
            // What is cut off leaves at most an object that no game needs.
            () = stopping.wait() => return Ok(0),
        };
        app.metrics.count_worker("archive", "games", moved);
        // The next batch comes after the interval, so that many games that become due together cost others little.
        Ok::<_, GameError>(0)
    };
    run_loop("archive", ARCHIVE_INTERVAL, Arc::default(), stop.clone(), step).await;
}

async fn clean_up(app: App, stop: StopSignal) {
    let step = || async {
        app.signing.reload()?;
        let removed = app.accounts.clean_up().await? + playing::forget_stored_responses(&app.games).await?;
        app.metrics.count_worker("clean_up", "answered", app.replies.settle_left_over().await?);
        app.metrics.count_worker("clean_up", "removed", removed);
        app.metrics.count_worker("clean_up", "departed", departing::finish(&app.games).await?);
        for (task, games) in playing::count_set_aside(&app.games).await? {
            app.metrics.show_set_aside(task.as_str(), games);
        }
        Ok::<_, anyhow::Error>(removed)
    };
    run_loop("clean_up", CLEAN_UP_INTERVAL, Arc::default(), stop, step).await;
}

async fn learn(app: App, games_a_day: u16, stop: StopSignal) {
    let step = || async {
        let mut stopping = stop.clone();
        let searched = tokio::select! {
            searched = Box::pin(learning::search_next(&app.games, games_a_day)) => searched?,
            // A game whose search is cut off is searched later.
            () = stopping.wait() => return Ok(0),
        };
        app.metrics.count_worker("learning", "games", searched);
        // The next game comes after the interval, so that many games that end together cost others little.
        Ok::<_, GameError>(0)
    };
    run_loop("learning", LEARNING_INTERVAL, Arc::default(), stop.clone(), step).await;
}

async fn audit(app: App, hour_utc: u8, stop: StopSignal) {
    let step = || async {
        let mut stopping = stop.clone();
        let audited = tokio::select! {
            audited = audit::nightly_audit(&app.games, hour_utc) => audited?,
            // An audit may take long. An unfinished one stays due, so it can be abandoned here.
            () = stopping.wait() => return Ok(0),
        };
        if let Some(newest) = audit::newest_audit(&app.games).await? {
            app.metrics.show_audit(&newest);
        }
        let games = audited.map_or(0, |summary| summary.games);
        app.metrics.count_worker("audit", "games", usize::try_from(games).unwrap_or(usize::MAX));
        // The next audit is due on the next day.
        Ok::<_, GameError>(0)
    };
    run_loop("audit", AUDIT_INTERVAL, Arc::default(), stop.clone(), step).await;
}
