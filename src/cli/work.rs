//! `pippost work`: runs the loops of the worker, which `serve` also uses.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::building::{add_push, build_app, open_beacon, reach};
use super::cosigning::{self, Witnesses};
use super::languages::add_languages;
use super::replying::add_replies;
use super::serve;
use super::shutdown::Shutdown;
use super::storage::{Running, Storage};
use super::{dump, known_checkpoint, logging, shutdown};
use crate::app::App;
use crate::endpoint::Listener;
use crate::games::{
    GameError, archiving, audit, clocks, departing, learning, lobby, playing, ratings, reliability,
    tournaments, transparency,
};
use crate::mail::{MailLimits, Mailer};
use crate::notices::{Digests, Links};
use crate::settings::{
    BeaconSettings, DatabaseSettings, KeySettings, LanguageSettings, LogSettings, MailFlags, MailSettings,
    MetricsListener, PushSettings, RecordLogSettings, ReplySettings, WebhookSettings, WorkerSettings,
};
use crate::store::embedded::Cancel;
use crate::store::{Address, StoreError};
use crate::worker::queue::Woken;
use crate::worker::standing_orders;
use crate::worker::{
    Flow, OrdersWorker, OutboxWorker, PushWorker, Stop, StopSignal, WebhookWorker, listen, run_loop,
};

#[derive(Args)]
pub struct WorkArgs {
    /// The public URL of the server, for links in mails.
    #[arg(long, env = "PIPPOST_PUBLIC_URL", default_value = "http://127.0.0.1:8080")]
    public_url: String,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    mail: MailFlags,
    #[command(flatten)]
    beacon: BeaconSettings,
    #[command(flatten)]
    record_log: RecordLogSettings,
    #[command(flatten)]
    replies: ReplySettings,
    #[command(flatten)]
    worker: WorkerSettings,
    #[command(flatten)]
    webhooks: WebhookSettings,
    #[command(flatten)]
    push: PushSettings,
    #[command(flatten)]
    languages: LanguageSettings,
    #[command(flatten)]
    metrics: MetricsListener,
    #[command(flatten)]
    log: LogSettings,
}

/// Works until SIGTERM or SIGINT.
pub fn run(args: WorkArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    add_languages(&args.languages)?;
    let (mut for_metrics, _file) = serve::listen(args.metrics.metrics_listen.as_slice())?;
    let (runtime, cancel) = (tokio::runtime::Runtime::new()?, Cancel::default());
    let shutdown = Shutdown::on_signals(&runtime, cancel.clone())?;
    let storage = match Storage::open_unless(&args.database, Running::Share, &cancel) {
        // A signal arrived during the start.
        Err(_) if shutdown.is_asked() => return Ok(()),
        opened => opened?,
    };
    let worked = runtime.block_on(work(&args, &storage, for_metrics.pop(), shutdown));
    shutdown::end(runtime);
    let closed = storage.close();
    worked.and(closed)
}

async fn work(
    args: &WorkArgs,
    storage: &Storage,
    for_metrics: Option<Listener>,
    mut shutdown: Shutdown,
) -> anyhow::Result<()> {
    let (app, workers) = tokio::select! {
        _ = shutdown.asked() => return Ok(()),
        started = start(args, storage) => started?,
    };
    if let Some(listener) = for_metrics {
        // Ends with the runtime.
        tokio::spawn(crate::http::serve_metrics(&app, listener)?);
    }
    tracing::info!("working");
    shutdown.asked().await;
    workers.stop().await;
    app.database.close();
    tracing::info!("stopped");
    Ok(())
}

async fn start(args: &WorkArgs, storage: &Storage) -> anyhow::Result<(App, Workers)> {
    crate::app::migrate(&storage.address, false).await?;
    let app =
        build_app(storage, &args.database, &args.keys, open_beacon(&args.beacon)?, args.public_url.clone())
            .await?;
    let app = add_replies(app, &args.replies)?.with_webhooks_to(reach(&args.webhooks))?;
    let app = add_push(app, &args.push, &args.mail.settings())?;
    clocks::beat(&app.games).await?;
    known_checkpoint::check(&app, &args.database.data_dir).await?;
    transparency::promise(&app.games, args.record_log.log_within).await?;
    let witnesses = Witnesses::checked(&args.record_log, &app.games).await?;
    let workers =
        Workers::start(&app, &args.mail.settings(), &args.worker, &args.database, storage, witnesses)?;
    Ok((app, workers))
}

/// The running loops of the worker.
pub struct Workers {
    stop: Stop,
    loops: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts all loops on the current runtime.
    pub fn start(
        app: &App,
        mail: &MailSettings,
        worker: &WorkerSettings,
        database: &DatabaseSettings,
        storage: &Storage,
        witnesses: Option<Arc<Witnesses>>,
    ) -> anyhow::Result<Self> {
        let stop = Stop::new();
        if let Some(sandbox) = &app.sandbox {
            let mut loops = house_keeping(app, worker, database, &stop);
            loops.push(tokio::spawn(sandbox.clone().run(stop.signal())));
            return Ok(Self { stop, loops });
        }
        let outbox = outbox_worker(app, mail, &database.data_dir)?;
        let webhooks = WebhookWorker::new(app.webhooks.clone(), app.outbox_signal.clone());
        let address = listening_address(worker, database, storage)?;
        let mut loops = house_keeping(app, worker, database, &stop);
        loops.extend([
            tokio::spawn(listen(address, app.outbox_signal.clone(), stop.signal())),
            tokio::spawn(send_mails(app.clone(), outbox.for_accounts(), OUTBOX_INTERVAL, stop.signal())),
            tokio::spawn(send_mails(app.clone(), outbox.clone(), OUTBOX_INTERVAL, stop.signal())),
            tokio::spawn(send_mails(app.clone(), outbox, SIGNALLED_INTERVAL, stop.signal())),
            tokio::spawn(work_off(
                app.clone(),
                webhooks,
                "attempts",
                (WEBHOOKS_INTERVAL, WEBHOOKS_GATHER),
                stop.signal(),
            )),
            tokio::spawn(carry_out_orders(app.clone(), stop.signal())),
            tokio::spawn(beat(app.clone(), stop.signal())),
            tokio::spawn(watch_clocks(app.clone(), stop.signal())),
            tokio::spawn(start_games(app.clone(), stop.signal())),
            tokio::spawn(count_ended_games(app.clone(), stop.signal())),
            tokio::spawn(rate_days(app.clone(), stop.signal())),
            tokio::spawn(hold_tournaments(app.clone(), stop.signal())),
            tokio::spawn(log_events(app.clone(), stop.signal())),
        ]);
        if app.pushes.is_on() {
            let pushes = PushWorker::new(app.pushes.clone(), app.outbox_signal.clone());
            let times = (PUSHES_INTERVAL, Duration::ZERO);
            loops.push(tokio::spawn(work_off(app.clone(), pushes, "settled", times, stop.signal())));
        }
        if let Some(witnesses) = witnesses {
            loops.push(tokio::spawn(cosigning::keep_signed(app.clone(), witnesses, stop.signal())));
        }
        Ok(Self { stop, loops })
    }

    /// Stops all loops. Each finishes its current work within [`STOP_TIMEOUT`], because a mail server may never answer. An
    /// interrupted mail is sent again later, with the same Message-ID.
    pub async fn stop(self) {
        self.stop.stop();
        let deadline = Instant::now() + STOP_TIMEOUT;
        for mut running in self.loops {
            match timeout_at(deadline, &mut running).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!(%error, "a loop of the worker has failed"),
                Err(_late) => {
                    tracing::warn!(
                        timeout = ?STOP_TIMEOUT,
                        "a loop of the worker did not finish in time and is cut off"
                    );
                    running.abort();
                }
            }
        }
    }
}

/// The loops that need no clock to be right to the second, so that a sandbox has them as they are.
fn house_keeping(
    app: &App,
    worker: &WorkerSettings,
    database: &DatabaseSettings,
    stop: &Stop,
) -> Vec<JoinHandle<()>> {
    let mut loops = vec![
        tokio::spawn(clean_up(app.clone(), stop.signal())),
        tokio::spawn(audit(app.clone(), worker.audit_hour, stop.signal())),
        tokio::spawn(learn(app.clone(), stop.signal())),
    ];
    if let Some(folder) = worker.dumps.clone().filter(|_| app.sandbox.is_none()) {
        loops.push(tokio::spawn(dump::keep_writing(app.clone(), folder, stop.signal())));
    }
    if database.archive.place.is_some() {
        loops.push(tokio::spawn(archive_games(app.clone(), database.archive.after_days, stop.signal())));
    }
    loops
}

/// How long the worker's loops may take to finish their work when stopped.
pub const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The address on which to listen for the outbox signals of other processes.
pub fn listening_address(
    worker: &WorkerSettings,
    database: &DatabaseSettings,
    storage: &Storage,
) -> anyhow::Result<Arc<Address>> {
    let Some(url) = &worker.listen_url else { return Ok(storage.address.clone()) };
    let address = Address::parse(url, database.database_ca.clone()).context("PIPPOST_LISTEN_URL")?;
    Ok(Arc::new(address))
}

/// How often to poll the outbox: the longest delay after a lost notification.
const OUTBOX_INTERVAL: Duration = Duration::from_secs(2);

/// The second loop sends on the signal only, so that new notices do not wait for a mail that takes long.
const SIGNALLED_INTERVAL: Duration = Duration::from_hours(1);

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

/// How often new events are put into the log, and a checkpoint over them is signed: in groups, because each costs a transaction.
const LOG_INTERVAL: Duration = Duration::from_millis(500);

/// A step that has put fewer entries into the log has left none that is worth a transaction before the interval is over, however fast
/// moves come.
const MIN_ENTRIES_TO_GO_ON: usize = 5000;

/// How often finished games are moved into the archive, some at a time.
const ARCHIVE_INTERVAL: Duration = Duration::from_secs(10);

/// How often a finished game is searched for what can be learned from it, one at a time.
const LEARNING_INTERVAL: Duration = Duration::from_secs(10);

/// How often expired rows are removed.
const CLEAN_UP_INTERVAL: Duration = Duration::from_mins(1);

/// How often to check whether the nightly audit is due.
const AUDIT_INTERVAL: Duration = Duration::from_mins(1);

/// The number of mails sent at once when no SMTP setting limits it.
const FILES_AT_ONCE: usize = 4;

fn outbox_worker(app: &App, mail: &MailSettings, data_dir: &Path) -> anyhow::Result<OutboxWorker> {
    let mailer = Mailer::new(mail, data_dir)?;
    let concurrency = mail.smtp_url.as_ref().map_or(FILES_AT_ONCE, |_| mail.smtp_connections.into());
    Ok(OutboxWorker::new(
        app.outbox(),
        Arc::new(mailer),
        Arc::new(app.games.clone()),
        app.secret.clone(),
        Links::new(&app.public_url)?,
        app.clock.clone(),
        concurrency,
    )
    .with_replies(app.reply_addresses.clone())
    .with_limits(MailLimits::new(mail, &app.clock))
    .with_figures(app.mail_figures.clone())
    .with_presence(app.accounts.presence().clone()))
}

async fn send_mails(app: App, outbox: OutboxWorker, interval: Duration, stop: StopSignal) {
    let wake = outbox.woken_by(&app.outbox_signal);
    let step = || async {
        let sent = outbox.step().await?;
        app.metrics.count_worker("outbox", "settled", sent);
        Ok::<_, StoreError>(sent)
    };
    run_loop("outbox", interval, wake, stop, step).await;
}

/// How often to look for webhooks that are due. News wakes the loops at once.
const WEBHOOKS_INTERVAL: Duration = Duration::from_secs(2);

/// How long news is gathered, so that many moves cost one statement.
const WEBHOOKS_GATHER: Duration = Duration::from_millis(50);

/// How often to look for what is to be sent by web push. The workers of the outbox wake the loop at once.
const PUSHES_INTERVAL: Duration = Duration::from_secs(2);

/// Whoever is slow to answer holds up nobody else. What is under way is finished at the end.
async fn work_off<Q: Woken>(
    app: App,
    queue: Q,
    counted: &'static str,
    (interval, gather): (Duration, Duration),
    stop: StopSignal,
) {
    let wake = Arc::clone(queue.wake());
    let flow = Mutex::new(Flow::new(queue));
    let step = || async {
        if !gather.is_zero() {
            // What comes meanwhile is claimed by the same statement.
            tokio::time::sleep(gather).await;
        }
        let mut flow = flow.lock().await;
        let begun = flow.fill().await;
        app.metrics.count_worker(Q::NAME, counted, flow.take_done());
        begun
    };
    run_loop(Q::NAME, interval, wake, stop, step).await;
    flow.lock().await.finish().await;
}

/// How long news of moves is gathered for standing orders, so that many moves cost one look at the table.
const ORDERS_GATHER: Duration = Duration::from_millis(50);

async fn carry_out_orders(app: App, stop: StopSignal) {
    let worker = OrdersWorker::new(app.games.clone(), app.outbox_signal.clone());
    let step = || async {
        // One look at the table serves all moves that are made meanwhile.
        tokio::time::sleep(ORDERS_GATHER).await;
        let looked = worker.step().await?;
        app.metrics.count_worker("standing_orders", "players", looked);
        // What these moves cause comes as news.
        Ok::<_, GameError>(0)
    };
    let wake = Arc::clone(app.outbox_signal.orders());
    run_loop("standing orders", standing_orders::LOOK_INTERVAL, wake, stop, step).await;
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
        started.map(|_| expired)
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

async fn log_events(app: App, stop: StopSignal) {
    let step = || async {
        let entries = transparency::sequence(&app.games).await?;
        app.metrics.count_worker("log", "entries", entries);
        Ok::<_, GameError>(if entries < MIN_ENTRIES_TO_GO_ON { 0 } else { entries })
    };
    run_loop("log", LOG_INTERVAL, Arc::default(), stop, step).await;
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

async fn learn(app: App, stop: StopSignal) {
    let step = || async {
        let mut stopping = stop.clone();
        let searched = tokio::select! {
            searched = Box::pin(learning::search_next(&app.games)) => searched?,
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
