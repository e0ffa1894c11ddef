//! `pippost work`, and the same tasks beside `serve`.

use std::path::Path;

use clap::Args;
use tokio::task::JoinHandle;

use super::logging;
use super::serve::build_app;
use super::storage::{Running, Storage};
use crate::app::App;
use crate::settings::{DatabaseSettings, KeySettings, LogSettings, MailSettings};
use crate::worker::{self, Stop};

#[derive(Args)]
pub struct WorkArgs {
    /// How players reach the server, for links in mails.
    #[arg(long, env = "PIPPOST_PUBLIC_URL", default_value = "http://127.0.0.1:8080")]
    public_url: String,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    mail: MailSettings,
    #[command(flatten)]
    log: LogSettings,
}

/// Works until told to stop (SIGTERM, SIGINT) or until the database is gone.
pub fn run(args: WorkArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    let storage = Storage::open(&args.database, Running::Share)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let worked = runtime.block_on(work(&args, &storage));
    drop(runtime);
    let closed = storage.close();
    worked.and(closed)
}

async fn work(args: &WorkArgs, storage: &Storage) -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    crate::store::database::migrate(&storage.address).await?;
    let app = build_app(storage, &args.database, &args.keys, args.public_url.clone()).await?;
    let workers = Workers::start(&app, &args.mail, &args.database.data_dir)?;
    tracing::info!("working");
    let outcome = tokio::select! {
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
        error = storage.died() => Err(anyhow::Error::from(error)),
    };
    workers.stop().await;
    app.database.close();
    tracing::info!("stopped");
    outcome
}

/// The worker's loops, running.
pub struct Workers {
    stop: Stop,
    loops: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts all loops on the current runtime.
    pub fn start(app: &App, mail: &MailSettings, data_dir: &Path) -> anyhow::Result<Self> {
        let stop = Stop::new();
        let loops = worker::start_all(app, mail, data_dir, &stop)?;
        Ok(Self { stop, loops })
    }

    /// Stops all loops; each finishes the work at hand.
    pub async fn stop(self) {
        self.stop.stop();
        for running in self.loops {
            if let Err(error) = running.await {
                tracing::error!(%error, "a loop of the worker has failed");
            }
        }
    }
}
