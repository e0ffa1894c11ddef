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
use super::{game_loops, house_keeping, known_checkpoint, logging, shutdown};
use crate::app::App;
use crate::endpoint::Listener;
use crate::games::{GameError, clocks, transparency};
use crate::mail::{MailLimits, Mailer};
use crate::notices::Links;
use crate::settings::{
    BeaconSettings, DatabaseSettings, KeySettings, LanguageSettings, LogSettings, MailFlags, MailSettings,
    MetricsListener, NameSettings, PushSettings, RecordLogSettings, ReplySettings, WebhookSettings,
    WorkerSettings,
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
    name: NameSettings,
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
    let mail = args.mail.settings(&args.name);
    let app = add_push(app, &args.push, &mail)?;
    clocks::beat(&app.games).await?;
    known_checkpoint::check(&app, &args.database.data_dir).await?;
    transparency::promise(&app.games, args.record_log.log_within).await?;
    let witnesses = Witnesses::checked(&args.record_log, &app.games).await?;
    let workers = Workers::start(&app, &mail, &args.worker, &args.database, storage, witnesses)?;
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
            let mut loops = house_keeping::start(app, worker, database, &stop);
            loops.push(tokio::spawn(sandbox.clone().run(stop.signal())));
            return Ok(Self { stop, loops });
        }
        let outbox = outbox_worker(app, mail, &database.data_dir)?;
        let webhooks = WebhookWorker::new(app.webhooks.clone(), app.outbox_signal.clone());
        let address = listening_address(worker, database, storage)?;
        let mut loops = house_keeping::start(app, worker, database, &stop);
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
        ]);
        loops.extend(game_loops::start(app, &stop));
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
