//! The loops of the worker that go on with games: their clocks, beginnings and ends, and the log over their events.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::app::App;
use crate::games::{
    GameError, clocks, ladders, lobby, playing, ratings, reliability, tournaments, transparency,
};
use crate::notices::Digests;
use crate::worker::{Stop, StopSignal, run_loop};

/// The longest delay before due flags begin to fall, and reminders to be queued. The last of 10,000 flags shall have fallen after 5 s.
const CLOCKS_INTERVAL: Duration = Duration::from_secs(1);

/// The longest delay between the publication of a beacon round and the start of a game that waits for it.
const STARTS_INTERVAL: Duration = Duration::from_secs(2);

/// How often finished games are counted in the reliability of their players, some at a time.
const RELIABILITY_INTERVAL: Duration = Duration::from_secs(1);

/// How often to look for a day whose games can be rated.
const RATINGS_INTERVAL: Duration = Duration::from_mins(1);

/// The longest delay before a round is paired whose games are over, and before its games begin.
const TOURNAMENTS_INTERVAL: Duration = Duration::from_secs(2);

/// The longest delay before the end of a game, or a challenge that nobody has answered, changes places on a ladder.
const LADDERS_INTERVAL: Duration = Duration::from_secs(10);

/// How often new events are put into the log, and a checkpoint over them is signed: in groups, because each costs a transaction.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// A step that has put fewer entries into the log has left none that is worth a transaction before the interval is over, however fast
/// moves come.
const MIN_ENTRIES_TO_GO_ON: usize = 5000;

/// Starts them on the current runtime.
pub fn start(app: &App, stop: &Stop) -> Vec<JoinHandle<()>> {
    vec![
        tokio::spawn(beat(app.clone(), stop.signal())),
        tokio::spawn(watch_clocks(app.clone(), stop.signal())),
        tokio::spawn(start_games(app.clone(), stop.signal())),
        tokio::spawn(count_ended_games(app.clone(), stop.signal())),
        tokio::spawn(rate_days(app.clone(), stop.signal())),
        tokio::spawn(hold_tournaments(app.clone(), stop.signal())),
        tokio::spawn(carry_on_ladders(app.clone(), stop.signal())),
        tokio::spawn(log_events(app.clone(), stop.signal())),
    ]
}

async fn beat(app: App, stop: StopSignal) {
    let step = || async {
        clocks::beat(&app.games).await?;
        // It is done again after the interval, not at once.
        Ok::<_, GameError>(0)
    };
    run_loop("heartbeat", clocks::HEARTBEAT_INTERVAL, Arc::default(), stop, step).await;
}

async fn watch_clocks(app: App, stop: StopSignal) {
    let digests = Digests::new(app.database.clone());
    let step = || async {
        // Run both, even if one fails.
        let digested = digests.queue(app.clock.now()).await;
        if digested.as_ref().is_ok_and(|digested| *digested > 0) {
            app.outbox_signal.notify();
        }
        // Before any flag falls, so that the time of an outage is given back first.
        let beaten = clocks::beat(&app.games).await;
        let given_back = clocks::give_back(&app.games).await;
        let updated = clocks::take_updates(&app.games).await;
        let fallen = match &beaten {
            Ok(()) => playing::let_flags_fall(&app.games).await,
            Err(_) => Ok(0),
        };
        let reminded = playing::remind(&app.games).await;
        beaten?;
        let mut done = 0;
        for (what, result) in [
            ("digests", digested.map_err(GameError::from)),
            ("outages", given_back),
            ("calendars", updated),
            ("flags", fallen),
            ("reminders", reminded),
        ] {
            let count = result?;
            app.metrics.count_worker("clocks", what, count);
            done += count;
        }
        Ok::<_, GameError>(done)
    };
    run_loop("clocks", CLOCKS_INTERVAL, Arc::default(), stop, step).await;
}

async fn start_games(app: App, stop: StopSignal) {
    let step = || async {
        let started = lobby::start_awaited(&app.games).await;
        if let Ok(started @ 1..) = started {
            app.metrics.count_worker("starts", "games", started);
            return Ok(started);
        }
        // Only when no game can be started, so that none expires that waited for a worker.
        let expired = lobby::expire(&app.games).await?;
        app.metrics.count_worker("starts", "expired", expired);
        let renewed = lobby::renew(&app.games).await?;
        app.metrics.count_worker("starts", "renewed", renewed);
        started.map(|_| expired + renewed)
    };
    run_loop("starts", STARTS_INTERVAL, Arc::default(), stop, step).await;
}

async fn count_ended_games(app: App, stop: StopSignal) {
    let step = || async {
        let counted = reliability::count_ended(&app.games).await?;
        app.metrics.count_worker("reliability", "games", counted);
        // The next batch comes after the interval, not at once, so that many games that end together cost others little.
        Ok::<_, GameError>(0)
    };
    run_loop("reliability", RELIABILITY_INTERVAL, Arc::default(), stop, step).await;
}

async fn rate_days(app: App, stop: StopSignal) {
    let step = || async {
        let rated = ratings::rate_day(&app.games).await?;
        app.metrics.count_worker("ratings", "days", rated);
        Ok::<_, GameError>(rated)
    };
    run_loop("ratings", RATINGS_INTERVAL, Arc::default(), stop, step).await;
}

async fn hold_tournaments(app: App, stop: StopSignal) {
    let step = || async {
        let done = tournaments::step(&app.games).await?;
        app.metrics.count_worker("tournaments", "steps", done);
        Ok::<_, GameError>(done)
    };
    run_loop("tournaments", TOURNAMENTS_INTERVAL, Arc::default(), stop, step).await;
}

async fn carry_on_ladders(app: App, stop: StopSignal) {
    let step = || async {
        let happened = ladders::step(&app.games).await?;
        app.metrics.count_worker("ladders", "happenings", happened);
        Ok::<_, GameError>(happened)
    };
    run_loop("ladders", LADDERS_INTERVAL, Arc::default(), stop, step).await;
}

async fn log_events(app: App, stop: StopSignal) {
    let step = || async {
        let entries = transparency::sequence(&app.games).await?;
        app.metrics.count_worker("log", "entries", entries);
        Ok::<_, GameError>(if entries < MIN_ENTRIES_TO_GO_ON { 0 } else { entries })
    };
    run_loop("log", LOG_INTERVAL, Arc::default(), stop, step).await;
}
