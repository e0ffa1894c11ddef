//! `pippost serve`

use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::task::Poll;

use anyhow::Context;
use clap::Args;

use super::replying::{Lmtp, add_replies};
use super::storage::{Running, Storage};
use super::{logging, work};
use crate::accounts::AccountLimits;
use crate::api::peer::TrustedProxies;
use crate::app::{App, Parts};
use crate::beacon::{Chain, Drand};
use crate::clock::Clock;
use crate::endpoint::{Listener, SocketFile};
use crate::games::Tuning;
use crate::keys::{SecretKey, SigningKeys};
use crate::settings::{
    BeaconSettings, DatabaseSettings, HttpSettings, KeySettings, LogSettings, MailSettings, ReplySettings,
    WorkerSettings,
};
use crate::store::Address;

#[derive(Args)]
pub struct ServeArgs {
    #[command(flatten)]
    http: HttpSettings,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    mail: MailSettings,
    #[command(flatten)]
    beacon: BeaconSettings,
    #[command(flatten)]
    replies: ReplySettings,
    #[command(flatten)]
    worker: WorkerSettings,
    #[command(flatten)]
    log: LogSettings,
    /// Leave the worker's tasks to `pippost work` in another process.
    #[arg(long)]
    no_worker: bool,
}

/// Serves until told to stop (SIGTERM, SIGINT) or until the database is gone.
pub fn run(args: ServeArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    // The sockets first: a mistake there shows at once, before a database starts.
    let (listeners, _files) = listen(&args.http)?;
    let public_url = public_url(&args.http, &listeners)?;
    let storage = Storage::open(&args.database, Running::Refuse)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let served = runtime.block_on(serve(&args, &storage, listeners, public_url));
    // Connections end with the runtime, and the database after them.
    drop(runtime);
    let closed = storage.close();
    served.and(closed)
}

async fn serve(
    args: &ServeArgs,
    storage: &Storage,
    listeners: Vec<Listener>,
    public_url: String,
) -> anyhow::Result<()> {
    crate::store::database::migrate(&storage.address).await?;
    let app = build_app(storage, &args.database, &args.keys, open_beacon(&args.beacon)?, public_url).await?;
    let app = add_replies(app, &args.replies)?;
    let trusted_proxies = TrustedProxies::new(args.http.trusted_proxies.clone(), args.http.proxy_header);
    let app = App { trusted_proxies, ..app };
    let lmtp = Lmtp::start(&app, &args.replies)?;
    let threads = args.http.threads.map_or_else(|| usual_threads(&storage.address), usize::from);
    let server = crate::http::serve(&app, listeners, threads)?;
    let handle = server.handle();
    let mut server = std::pin::pin!(server);
    // Once polled it hears signals: whoever reads that the server is ready may stop it at once.
    if let Poll::Ready(stopped) = futures_util::poll!(server.as_mut()) {
        return Ok(stopped?);
    }
    let workers = if args.no_worker {
        None
    } else {
        Some(work::Workers::start(&app, &args.mail, &args.worker, &args.database, storage)?)
    };
    announce(&app.public_url, args, workers.is_some());
    let died = storage.died();
    let outcome = tokio::select! {
        stopped = server => stopped.map_err(anyhow::Error::from),
        error = died => {
            handle.stop(false).await;
            Err(anyhow::Error::from(error))
        }
    };
    if let Some(lmtp) = lmtp {
        lmtp.stop().await;
    }
    if let Some(workers) = workers {
        workers.stop().await;
    }
    app.database.close();
    tracing::info!("stopped");
    outcome
}

/// Puts the server's parts together; `work` does too.
pub async fn build_app(
    storage: &Storage,
    database: &DatabaseSettings,
    keys: &KeySettings,
    beacon: Option<Drand>,
    public_url: String,
) -> anyhow::Result<App> {
    let (secret, signing) = open_keys(keys, database)?;
    let parts = Parts {
        address: storage.address.clone(),
        replica: storage.replica.clone(),
        connections: database.database_connections.into(),
        tuning: Tuning { cache_bytes: u64::from(database.cache_mib) << 20, writers: database.writers },
        clock: Clock::System,
        secret: Arc::new(secret),
        signing: Arc::new(signing),
        public_url,
        account_limits: AccountLimits::default(),
        beacon: beacon.map(Arc::new),
    };
    Ok(App::build(parts).await?)
}

/// The beacon, if endpoints are named.
pub fn open_beacon(settings: &BeaconSettings) -> anyhow::Result<Option<Drand>> {
    if settings.beacon_url.is_empty() {
        return Ok(None);
    }
    let chain = match &settings.beacon_chain {
        None => Chain::quicknet(),
        Some(path) => {
            let info = std::fs::read_to_string(path)
                .with_context(|| format!("description of the beacon's chain {}", path.display()))?;
            Chain::parse(&info)?
        }
    };
    Ok(Some(Drand::new(chain, &settings.beacon_url)?))
}

fn open_keys(keys: &KeySettings, database: &DatabaseSettings) -> anyhow::Result<(SecretKey, SigningKeys)> {
    let folder = keys.folder(&database.data_dir);
    make_private_folder(&folder)?;
    let secret = match &keys.secret_key {
        Some(text) => SecretKey::from_hex(text)?,
        None => SecretKey::in_folder(&folder)?,
    };
    let signing = if keys.signing_keys.is_empty() {
        SigningKeys::in_folder(&folder)?
    } else {
        let read = |path: &std::path::PathBuf| {
            std::fs::read_to_string(path).with_context(|| format!("signing key {}", path.display()))
        };
        let texts: Vec<String> = keys.signing_keys.iter().map(read).collect::<Result<_, _>>()?;
        SigningKeys::from_pems(&texts)?
    };
    Ok((secret, signing))
}

pub fn make_private_folder(folder: &std::path::Path) -> anyhow::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// One for each processor; where the database runs on the same ones it and the writers have work for half of them.
fn usual_threads(address: &Address) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    if address.is_on_this_machine() { processors.div_ceil(2) } else { processors }
}

/// Opens the sockets. The files of those of Unix go with what is returned besides.
fn listen(http: &HttpSettings) -> anyhow::Result<(Vec<Listener>, Vec<SocketFile>)> {
    let (mut listeners, mut files) = (Vec::new(), Vec::new());
    for endpoint in &http.listen {
        let (listener, file) = endpoint.bind().with_context(|| format!("cannot listen on {endpoint}"))?;
        listeners.push(listener);
        files.extend(file);
    }
    Ok((listeners, files))
}

/// How players reach the server.
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

/// Tells the person who started the server where everything is.
fn announce(public_url: &str, args: &ServeArgs, works: bool) {
    let url = public_url.trim_end_matches('/');
    println!("pippost is ready.");
    println!("  API            {url}/api/v1");
    println!("  try it out     {url}/docs/");
    println!("  OpenAPI        {url}/openapi.json");
    println!("  health         {url}/healthz");
    if !works {
        println!("  mails          sent by `pippost work`, which must run besides");
    } else if args.mail.smtp_url.is_some() {
        println!("  mails          sent by SMTP");
    } else {
        println!("  mails          as files in {}", args.database.data_dir.join("outbox").display());
    }
    println!("  data           {}", args.database.data_dir.display());
}
