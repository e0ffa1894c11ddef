//! The outbox signal: wakes the workers that send notices, those of this process at once, those of others by NOTIFY.
//!
//! The statement that writes notices never sends the notification: its commit takes a lock that all of the cluster's commits
//! with notifications share. A lost notification delays notices until the worker polls the outbox again.

use std::pin::pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures_util::StreamExt;
use tokio::sync::Notify;
use uuid::Uuid;

use super::address::Address;
use super::database::{self, Database};
use super::error::StoreError;
use super::pooler;

/// The channel of the notifications.
const CHANNEL: &str = "pippost_notices";

/// How long a process waits after each notification; one notification stands for all signals of that time.
const NOTIFY_INTERVAL: Duration = Duration::from_millis(50);

/// Wakes outbox workers when notices wait. Cheap to clone and to use.
#[derive(Clone)]
pub struct OutboxSignal(Arc<Inner>);

struct Inner {
    /// What this process's notifications carry, so that it ignores its own.
    process: Uuid,
    /// Wakes one of the workers that send every notice.
    local: Arc<Notify>,
    /// Wakes the worker that sends only mails about accounts: it must not take the other workers' wake-up.
    accounts: Arc<Notify>,
    /// Also notified when the signal is dropped.
    remote: Arc<Notify>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.remote.notify_one();
    }
}

impl OutboxSignal {
    /// Starts the task that notifies other processes; needs a runtime.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let (local, accounts, remote) = (Arc::default(), Arc::default(), Arc::<Notify>::default());
        let inner = Arc::new(Inner { process: Uuid::new_v4(), local, accounts, remote: Arc::clone(&remote) });
        tokio::spawn(notify_others(database, remote, Arc::downgrade(&inner)));
        Self(inner)
    }

    /// Call it when notices have been committed. Does not block.
    pub fn notify(&self) {
        self.notify_here();
        self.0.remote.notify_one();
    }

    /// Wakes the workers of this process only. Does not block.
    pub fn notify_here(&self) {
        self.0.local.notify_one();
        self.0.accounts.notify_one();
    }

    /// What the workers of this process wait for that send every notice.
    #[must_use]
    pub fn local(&self) -> &Arc<Notify> {
        &self.0.local
    }

    /// What the worker of this process waits for that sends only mails about accounts.
    #[must_use]
    pub fn local_accounts(&self) -> &Arc<Notify> {
        &self.0.accounts
    }
}

async fn notify_others(database: Database, remote: Arc<Notify>, signal: Weak<Inner>) {
    loop {
        remote.notified().await;
        let Some(process) = signal.upgrade().map(|inner| inner.process) else { return };
        if let Err(error) = database.notify(CHANNEL, process).await {
            tracing::debug!(%error, "workers of other processes were not notified of notices");
        }
        tokio::time::sleep(NOTIFY_INTERVAL).await;
    }
}

/// A dedicated connection that receives the notifications of other processes.
pub struct OutboxListener {
    connection: AsyncPgConnection,
    own: String,
}

impl OutboxListener {
    /// Begins to listen. The address must lead to PostgreSQL itself, or to a pooler that keeps one connection for each client.
    ///
    /// # Errors
    /// The database cannot be reached, or [`StoreError::ListenUnsupported`]: the pooler's connection would go on listening for
    /// the client that has it next.
    pub async fn begin(address: &Address, signal: &OutboxSignal) -> Result<Self, StoreError> {
        let address = address.watchful();
        let opening = database::open(&address).await;
        let mut connection = opening.map_err(|error| StoreError::Unreachable(error.to_string()))?;
        if !address.is_direct() && pooler::lends_by_the_transaction(&mut connection).await? {
            return Err(StoreError::ListenUnsupported);
        }
        connection.batch_execute(&format!("listen {CHANNEL}")).await?;
        Ok(Self { connection, own: signal.0.process.to_string() })
    }

    /// Waits for a notification of another process.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn notified(&mut self) -> Result<(), StoreError> {
        let mut notifications = pin!(self.connection.notifications_stream());
        while let Some(notification) = notifications.next().await {
            if notification?.payload != self.own {
                return Ok(());
            }
        }
        Err(StoreError::Unreachable("the connection was closed".to_owned()))
    }
}
