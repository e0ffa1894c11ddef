//! Opens the database of a command: the configured or the embedded one.

use std::sync::Arc;

use anyhow::Context;

use crate::archive::Archive;
use crate::settings::DatabaseSettings;
use crate::store::embedded::{Cancel, Embedded, EmbeddedError, EmbeddedSettings};
use crate::store::{Address, Database};

/// What to do if another process already runs the embedded database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// Fail, because two servers must not share a data folder.
    Refuse,
    /// Connect to that process's database.
    Share,
}

/// An open database.
pub struct Storage {
    pub address: Arc<Address>,
    /// A replica for reading history.
    pub replica: Option<Arc<Address>>,
    /// Where finished games lie outside the database.
    pub archive: Option<Arc<Archive>>,
    embedded: Option<Embedded>,
}

impl Storage {
    /// Opens the database and starts the embedded one if needed. Blocks.
    pub fn open(settings: &DatabaseSettings, running: Running) -> anyhow::Result<Self> {
        Self::open_unless(settings, running, &Cancel::default())
    }

    /// The same, but stops once `cancel` is set.
    pub fn open_unless(
        settings: &DatabaseSettings,
        running: Running,
        cancel: &Cancel,
    ) -> anyhow::Result<Self> {
        let open = |place| Archive::open(place, settings.archive.access()).map(Arc::new);
        let archive = settings.archive.place.as_ref().map(open).transpose()?;
        if let Some(url) = &settings.database_url {
            let address = Address::parse(url, settings.database_ca.clone()).context("DATABASE_URL")?;
            let replica = settings
                .replica_url
                .as_ref()
                .map(|url| Address::parse(url, settings.database_ca.clone()).context("PIPPOST_REPLICA_URL"));
            let replica = replica.transpose()?.map(Arc::new);
            return Ok(Self { address: Arc::new(address), replica, archive, embedded: None });
        }
        let embedded = EmbeddedSettings {
            data_dir: settings.data_dir.clone(),
            programs_dir: settings.pg_bindir.clone(),
            user: settings.database_user.clone(),
            durable: true,
        };
        let shared = |archive, url: &str| -> anyhow::Result<Self> {
            let address = Arc::new(Address::parse(url, None)?.direct());
            Ok(Self { address, replica: None, archive, embedded: None })
        };
        // Before the wait for a server that may just be ending.
        if running == Running::Share
            && let Some(url) = embedded.url_if_ready()?
        {
            return shared(archive, &url);
        }
        match Embedded::start_unless(&embedded, cancel) {
            Ok(embedded) => {
                let address = Address::parse(embedded.url(), None)?.direct().supervised(embedded.status());
                Ok(Self { address: Arc::new(address), replica: None, archive, embedded: Some(embedded) })
            }
            Err(EmbeddedError::AlreadyRunning { .. }) if running == Running::Share => {
                shared(archive, &embedded.url_of_running()?)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Runs `work` on a runtime of its own, and closes the database whatever comes of it.
    pub fn run<T>(self, work: impl AsyncFnOnce(&Self) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let runtime = tokio::runtime::Runtime::new()?;
        let done = runtime.block_on(work(&self));
        drop(runtime);
        self.close()?;
        done
    }

    /// The same for work that needs the database alone, with all migrations.
    pub fn run_with_database<T>(
        self,
        connections: usize,
        work: impl AsyncFnOnce(&Database) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.run(async |storage: &Self| {
            crate::app::migrate(&storage.address, false).await?;
            let database = Database::new(storage.address.clone(), connections)?.with_its_topology().await?;
            let done = work(&database).await;
            database.close();
            done
        })
    }

    /// Whether this process runs the database.
    pub fn is_ours(&self) -> bool {
        self.embedded.is_some()
    }

    /// Stops the database if this process started it. All connections must be closed.
    pub fn close(self) -> anyhow::Result<()> {
        if let Some(embedded) = self.embedded {
            embedded.stop()?;
        }
        Ok(())
    }
}
