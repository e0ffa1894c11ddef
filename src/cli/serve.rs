//! `pippost serve`: serves the API and runs the worker.

use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use anyhow::Context;
use clap::Args;
use lettre::message::Mailbox;
use tokio::task::JoinHandle;

use super::building::{add_push, build_app_with, clock, open_beacon, reach};
use super::cosigning::Witnesses;
use super::house::{self, HouseBot};
use super::languages::add_languages;
use super::replying::{Lmtp, add_replies};
use super::shutdown::{FINISH_SECONDS, Shutdown, StopKind};
use super::storage::{Running, Storage};
use super::{known_checkpoint, logging, ready, shutdown, work};
use crate::accounts::{AccountLimits, Handle, RegistrationPolicy, RequestLimit};
use crate::api::peer::TrustedProxies;
use crate::app::App;
use crate::endpoint::{Endpoint, Listener, SocketFile};
use crate::games::{Games, clocks};
use crate::keys::{SharedSecret, SigningKeys};
use crate::mail::Mailer;
use crate::settings::{
    AccountSettings, BeaconSettings, BrandingSettings, DatabaseSettings, HttpSettings, KeySettings,
    LanguageSettings, LobbySettings, LogSettings, MailFlags, MetricsSettings, PushSettings,
    RecordLogSettings, ReplySettings, WebhookSettings, WorkerSettings,
};
use crate::store::Address;
use crate::store::embedded::Cancel;
use crate::traffic::{KnownNetworks, Limits, Share, Traffic};
use crate::web::Branding;
use crate::worker::{Stop, listen as listen_for_events};

#[derive(Args)]
pub struct ServeArgs {
    #[command(flatten)]
    http: HttpSettings,
    #[command(flatten)]
    metrics: MetricsSettings,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    mail: MailFlags,
    #[command(flatten)]
    beacon: BeaconSettings,
    #[command(flatten)]
    accounts: AccountSettings,
    #[command(flatten)]
    lobby: LobbySettings,
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
    branding: BrandingSettings,
    #[command(flatten)]
    log: LogSettings,
    /// Leave the worker's tasks to `pippost work` in another process.
    #[arg(long)]
    no_worker: bool,
    /// Serve a sandbox, for those who write clients: nothing in it counts. Its players move its clock, choose the chance of their
    /// games, and read their mails by API, because none is sent. It needs a data folder or database of its own.
    #[arg(long, env = "PIPPOST_SANDBOX")]
    sandbox: bool,
    /// Keep the limits of accounts, games and requests in a sandbox, where they are lifted otherwise: for one that strangers reach.
    #[arg(long, env = "PIPPOST_SANDBOX_LIMITS", requires = "sandbox")]
    sandbox_limits: bool,
    /// Handle of a bot of the server's own, which keeps one game of each rule set open for newcomers and plays it. Its account is made
    /// at the first start. Without a handle there is none; `./run` has `house-bot`.
    #[arg(long, env = "PIPPOST_HOUSE_BOT", value_name = "HANDLE")]
    house_bot: Option<String>,
}

/// Serves until SIGTERM or SIGINT. If the embedded database ends unexpectedly, it is restarted.
pub fn run(args: ServeArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    add_languages(&args.languages)?;
    check_sandbox(&args)?;
    let branding = Arc::new(branding(&args.branding)?);
    crate::http::make_room_for_connections();
    // Open the sockets first, so that a mistake there shows before a database starts.
    let (listeners, _files) = listen(&args.http.listen)?;
    let (mut for_metrics, _file) = listen(args.metrics.listener.metrics_listen.as_slice())?;
    let public_url = public_url(&args.http, &listeners)?;
    let (runtime, cancel) = (tokio::runtime::Runtime::new()?, Cancel::default());
    let shutdown = Shutdown::on_signals(&runtime, cancel.clone())?;
    let storage = match Storage::open_unless(&args.database, Running::Refuse, &cancel) {
        // A signal arrived during the start.
        Err(_) if shutdown.is_asked() => return Ok(()),
        opened => opened?,
    };
    let served = runtime.block_on(serve(
        &args,
        &storage,
        listeners,
        for_metrics.pop(),
        Face { public_url, branding },
        shutdown,
    ));
    // Connections end with the runtime, so the database is stopped after it.
    shutdown::end(runtime);
    let closed = storage.close();
    served.and(closed)
}

/// How the server shows itself to people.
struct Face {
    public_url: String,
    branding: Arc<Branding>,
}

/// What the pages have of the operator.
fn branding(settings: &BrandingSettings) -> anyhow::Result<Branding> {
    let BrandingSettings { name, texts, colours } = settings;
    let read = Branding::read(name.site_name.as_deref(), texts.as_deref(), colours.as_deref());
    read.context("PIPPOST_SITE_NAME, PIPPOST_TEXTS or PIPPOST_COLOURS cannot be used")
}

/// A running server.
struct Serving {
    app: App,
    server: JoinHandle<std::io::Result<()>>,
    handle: ServerHandle,
    lmtp: Option<Lmtp>,
    workers: Option<work::Workers>,
    house_bot: Option<HouseBot>,
}

async fn serve(
    args: &ServeArgs,
    storage: &Storage,
    listeners: Vec<Listener>,
    for_metrics: Option<Listener>,
    face: Face,
    mut shutdown: Shutdown,
) -> anyhow::Result<()> {
    let mut serving = tokio::select! {
        _ = shutdown.asked() => return Ok(()),
        started = start(args, storage, listeners, for_metrics, face) => started?,
    };
    announce(&serving.app.public_url, args, serving.workers.is_some());
    ready::tell();
    let (outcome, kind) = tokio::select! {
        kind = shutdown.asked() => (Ok(()), kind),
        ended = &mut serving.server => {
            let ended = ended.map_err(anyhow::Error::from).and_then(|ended| Ok(ended?));
            (ended.and(Err(anyhow::anyhow!("the HTTP server has ended by itself"))), StopKind::Immediate)
        }
    };
    serving.stop(kind).await;
    tracing::info!("stopped");
    outcome
}

async fn start(
    args: &ServeArgs,
    storage: &Storage,
    listeners: Vec<Listener>,
    for_metrics: Option<Listener>,
    face: Face,
) -> anyhow::Result<Serving> {
    crate::app::migrate(&storage.address, args.sandbox).await?;
    let Face { public_url, branding } = face;
    let beacon = open_beacon(&args.beacon)?;
    let (clock, limits) = (clock(args.sandbox), account_limits(args));
    let app = build_app_with(clock, &limits, storage, &args.database, &args.keys, beacon, public_url).await?;
    let app = app.with_open_days(args.lobby.open_days);
    let app = add_replies(app, &replies(args))?.with_webhooks_to(reach(&args.webhooks))?;
    let mail = args.mail.settings(&args.branding.name);
    let app = add_push(app, &args.push, &mail)?;
    let trusted_proxies = TrustedProxies::new(args.http.trusted_proxies.clone(), args.http.proxy_header);
    let metrics_token = metrics_token(&args.metrics)?;
    let traffic = traffic(&args.http, app.accounts.known_networks());
    let house_bot = house_bot(args)?;
    let dumps = args.worker.dumps.clone().filter(|_| !args.sandbox);
    let app = App { trusted_proxies, traffic, metrics_token, house_bot, dumps, branding, ..app };
    let sender: Mailbox = mail.mail_from.parse().context("PIPPOST_MAIL_FROM")?;
    app.accounts.own_address(sender.email.as_ref());
    if mail.smtp_url.is_some() && !args.sandbox {
        // Sends nothing: it asks the server which addresses it takes.
        app.accounts.ask_mail_server(Arc::new(Mailer::new(&mail, &args.database.data_dir)?));
    }
    let app = app.with_sandbox(&mail.mail_from)?;
    let lmtp = Lmtp::start(&app, &args.replies)?;
    let threads = args.http.threads.map_or_else(|| usual_threads(&storage.address), usize::from);
    let address = listeners.iter().find_map(Listener::tcp_address).map(reachable);
    // Before the first request: a clock that ran while no worker worked is given the time back first.
    if !args.sandbox && !args.no_worker {
        clocks::beat(&app.games).await?;
    }
    clocks::know_outages(&app.games).await?;
    let witnesses = begin_log(&app, args).await?;
    let server = crate::http::serve_with_metrics(&app, listeners, for_metrics, threads)?;
    let handle = server.handle();
    // Ends with the runtime.
    tokio::spawn(follow_keys(app.signing.clone()));
    tokio::spawn(follow_outages(app.games.clone()));
    // A spawned task, because a server that is not polled cannot stop.
    let server = tokio::spawn(server);
    let workers = if args.no_worker {
        // Feeds wait for the events of other processes; the worker would listen otherwise. Ends with the runtime.
        let address = work::listening_address(&args.worker, &args.database, storage)?;
        let (stop, outbox_signal) = (Stop::new(), app.outbox_signal.clone());
        tokio::spawn(async move { listen_for_events(address, outbox_signal, stop.signal()).await });
        None
    } else {
        Some(work::Workers::start(&app, &mail, &args.worker, &args.database, storage, witnesses)?)
    };
    let house_bot = start_house_bot(&app, address).await?;
    Ok(Serving { app, server, handle, lmtp, workers, house_bot })
}

/// Begins the log, or goes on with it, unless the database is older than what the server has signed.
async fn begin_log(app: &App, args: &ServeArgs) -> anyhow::Result<Option<Arc<Witnesses>>> {
    if args.sandbox || app.database.topology().is_citus() {
        return Ok(None);
    }
    known_checkpoint::begin(app, &args.database.data_dir, args.record_log.log_within).await?;
    Witnesses::checked(&args.record_log, &app.games).await
}

/// The handle of the house bot; an empty name is none.
fn house_bot(args: &ServeArgs) -> anyhow::Result<Option<Handle>> {
    let Some(handle) = args.house_bot.as_deref().filter(|handle| !handle.is_empty()) else { return Ok(None) };
    Handle::parse(handle).with_context(|| format!("PIPPOST_HOUSE_BOT: {handle}")).map(Some)
}

/// Starts the house bot, if there is one.
async fn start_house_bot(app: &App, address: Option<SocketAddr>) -> anyhow::Result<Option<HouseBot>> {
    let Some(handle) = &app.house_bot else { return Ok(None) };
    let address = address.context("the house bot needs a TCP address to connect to: say PIPPOST_LISTEN")?;
    if app.accounts.registration_policy() != RegistrationPolicy::Open {
        // It cannot register like others.
        app.accounts.create_house_bot(handle, &house::password(handle, &app.secret)).await?;
    }
    HouseBot::start(handle, address, &app.secret, &app.games).map(Some)
}

/// Learns of outages that workers of other processes have found.
async fn follow_outages(games: Games) {
    loop {
        tokio::time::sleep(clocks::HEARTBEAT_INTERVAL).await;
        if let Err(error) = clocks::know_outages(&games).await {
            tracing::error!(%error, "the newest outage cannot be read");
        }
    }
}

/// How often the signing keys are reloaded.
const KEYS_INTERVAL: Duration = Duration::from_secs(5);

/// Reloads the signing keys regularly, because `pippost admin rotate-keys` may have added one.
async fn follow_keys(signing: Arc<SigningKeys>) {
    loop {
        tokio::time::sleep(KEYS_INTERVAL).await;
        if let Err(error) = signing.reload() {
            tracing::error!(%error, "the signing keys cannot be read; the known ones are used");
        }
    }
}

impl Serving {
    /// Stops all parts concurrently, within [`FINISH_SECONDS`].
    async fn stop(self, kind: StopKind) {
        let Self { app, handle, lmtp, workers, house_bot, .. } = self;
        drop(house_bot);
        // Streams would keep their connections open.
        app.games.feeds().close();
        let http = handle.stop(kind == StopKind::Graceful);
        let lmtp = async {
            if let Some(lmtp) = lmtp {
                lmtp.stop().await;
            }
        };
        let workers = async {
            if let Some(workers) = workers {
                workers.stop().await;
            }
        };
        let stopping = async { futures_util::join!(http, lmtp, workers) };
        if tokio::time::timeout(Duration::from_secs(FINISH_SECONDS), stopping).await.is_err() {
            tracing::warn!(FINISH_SECONDS, "what was under way did not finish and is cut off");
        }
        app.database.close();
    }
}

/// Where the mails of a sandbox are answered, unless the settings say otherwise. No mail gets there.
const SANDBOX_REPLY_ADDRESS: &str = "play@sandbox.invalid";

/// The settings for answers. A sandbox always has an address, because players answer there without a mail server.
fn replies(args: &ServeArgs) -> ReplySettings {
    let mut settings = args.replies.clone();
    if args.sandbox {
        settings.reply_address.get_or_insert_with(|| SANDBOX_REPLY_ADDRESS.to_owned());
    }
    settings
}

/// Refuses settings that would reach out of a sandbox, or wait for the world outside it.
fn check_sandbox(args: &ServeArgs) -> anyhow::Result<()> {
    let clashing = [
        (args.mail.smtp_url.is_some(), "PIPPOST_SMTP_URL: a sandbox sends no mail"),
        (args.replies.lmtp_listen.is_some(), "PIPPOST_LMTP_LISTEN: a sandbox receives no mail"),
        (!args.beacon.beacon_url.is_empty(), "PIPPOST_BEACON_URL: a beacon does not follow a moved clock"),
        (args.no_worker, "--no-worker: a sandbox is one process"),
    ];
    match clashing.into_iter().find(|(is_set, _)| args.sandbox && *is_set) {
        Some((_, what)) => anyhow::bail!("--sandbox does not go with {what}"),
        None => Ok(()),
    }
}

/// What people may do how often. In a sandbox one script may make thousands of accounts and games.
fn account_limits(args: &ServeArgs) -> AccountLimits {
    let registration_policy = args.accounts.registration;
    if args.sandbox && !args.sandbox_limits {
        return AccountLimits { registration_policy, ..AccountLimits::lifted() };
    }
    let requests = RequestLimit::in_a_minute(args.http.requests_of_a_token, args.http.requests_of_a_peer);
    AccountLimits { requests, registration_policy, ..AccountLimits::default() }
}

/// One thread for each processor; half as many if the database runs on the same machine, where it and the writers need the rest.
fn usual_threads(address: &Address) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    if address.is_on_this_machine() { processors.div_ceil(2) } else { processors }
}

/// Opens the sockets. The returned files remove the Unix sockets when dropped.
pub fn listen(endpoints: &[Endpoint]) -> anyhow::Result<(Vec<Listener>, Vec<SocketFile>)> {
    let (mut listeners, mut files) = (Vec::new(), Vec::new());
    for endpoint in endpoints {
        let (listener, file) = endpoint.bind().with_context(|| format!("cannot listen on {endpoint}"))?;
        listeners.push(listener);
        files.extend(file);
    }
    Ok((listeners, files))
}

/// The limits on clients' traffic in the settings.
fn traffic(http: &HttpSettings, known: &KnownNetworks) -> Traffic {
    let connections = Share { in_all: http.connections.into(), of_peer: http.connections_of_a_peer.into() };
    Traffic::new(Limits { connections, ..Limits::default() }, known)
}

fn metrics_token(settings: &MetricsSettings) -> anyhow::Result<Option<SharedSecret>> {
    let Some(text) = &settings.metrics_token else { return Ok(None) };
    let secret = SharedSecret::new(text).with_context(|| {
        format!("PIPPOST_METRICS_TOKEN must have at least {} characters", SharedSecret::MIN_BYTES)
    });
    secret.map(Some)
}

/// The public URL: the setting or, without one, the address of a listener.
fn public_url(http: &HttpSettings, listeners: &[Listener]) -> anyhow::Result<String> {
    if let Some(url) = &http.public_url {
        return Ok(url.clone());
    }
    let address = listeners.iter().find_map(Listener::tcp_address);
    let address = address.context("nobody could open the links in mails: say PIPPOST_PUBLIC_URL")?;
    Ok(format!("http://{}", reachable(address)))
}

/// An address that a browser on this machine can open.
fn reachable(address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        let loopback = match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        };
        return SocketAddr::new(loopback, address.port());
    }
    address
}

/// Prints where the server can be reached.
fn announce(public_url: &str, args: &ServeArgs, works: bool) {
    let url = public_url.trim_end_matches('/');
    println!("pippost is ready.");
    if args.sandbox {
        println!("  SANDBOX        nothing here counts: players move the clock and choose the chance");
    }
    println!("  API            {url}/api/v1");
    println!("  try it out     {url}/docs/");
    println!("  OpenAPI        {url}/openapi.json");
    println!("  health         {url}/healthz");
    if !works {
        println!("  mails          sent by `pippost work`, which must run beside this server");
    } else if args.sandbox {
        println!("  mails          read by API; none is sent");
    } else if args.mail.smtp_url.is_some() {
        println!("  mails          sent by SMTP");
    } else {
        println!("  mails          as files in {}", args.database.data_dir.join("outbox").display());
    }
    println!("  data           {}", args.database.data_dir.display());
}
