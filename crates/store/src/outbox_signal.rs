//! The outbox signal: wakes the workers that send notices and the readers of feeds, those of this process at once, those of others
//! by NOTIFY.
//!
//! The statement that writes notices and events never sends the notification: its commit takes a lock that all of the cluster's
//! commits with notifications share. A lost notification delays notices until the worker polls the outbox again, and events until
//! the feeds poll the games.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures_util::StreamExt;
use tokio::sync::Notify;
use uuid::Uuid;

use super::address::Address;
use super::changes::Changes;
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
    feeds: Topic,
    webhooks: Topic,
    orders: Topic,
    /// Wakes the worker of web push.
    pushes: Arc<Notify>,
    /// Games with new events that other processes have not been told of.
    untold: Mutex<Changes>,
}

/// What some part of this process wants to know of events.
#[derive(Default)]
struct Topic {
    /// Games with new events that it has not looked at.
    changed: Mutex<Changes>,
    /// Notified when there are such games; also when the signal is dropped.
    news: Arc<Notify>,
    /// How many listen. Without any, moves pay nothing for them.
    listeners: AtomicUsize,
}

impl Topic {
    fn change(&self, change: impl FnOnce(&mut Changes)) {
        if self.listeners.load(Ordering::SeqCst) == 0 {
            return;
        }
        change(&mut held(&self.changed));
        self.news.notify_one();
    }
}

/// No panic inside leaves the changes inconsistent, so poisoning is ignored.
fn held(changes: &Mutex<Changes>) -> MutexGuard<'_, Changes> {
    changes.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.remote.notify_one();
        self.feeds.news.notify_one();
        self.webhooks.news.notify_one();
        self.orders.news.notify_one();
    }
}

impl OutboxSignal {
    /// Starts the task that notifies other processes; needs a runtime.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let (local, accounts, remote) = (Arc::default(), Arc::default(), Arc::<Notify>::default());
        let inner = Arc::new(Inner {
            process: Uuid::new_v4(),
            local,
            accounts,
            remote: Arc::clone(&remote),
            feeds: Topic::default(),
            webhooks: Topic::default(),
            orders: Topic::default(),
            pushes: Arc::default(),
            untold: Mutex::default(),
        });
        tokio::spawn(notify_others(database, remote, Arc::downgrade(&inner)));
        Self(inner)
    }

    /// Call it when notices have been committed. Does not block.
    pub fn notify(&self) {
        self.notify_here();
        self.0.remote.notify_one();
    }

    /// Call it when events of these games have been committed, or players have new games; notices usually came with them. Does
    /// not block.
    pub fn notify_of(&self, ids: &[Uuid]) {
        held(&self.0.untold).add(ids.iter().copied());
        self.change_here(|changed| changed.add(ids.iter().copied()));
        self.notify();
    }

    /// Wakes what waits in this process, as another process has asked. Does not block.
    pub fn hear(&self, changes: Changes) {
        self.notify_here();
        if !changes.is_empty() {
            self.change_here(|changed| changed.merge(changes.clone()));
        }
    }

    /// Counts a reader of feeds until the result is dropped. What is committed after this call is among [`Self::take_changes`].
    #[must_use]
    pub fn count_reader(&self) -> CountedReader {
        self.0.feeds.listeners.fetch_add(1, Ordering::SeqCst);
        CountedReader(self.clone())
    }

    /// Tells from now on what is committed by [`Self::take_changes_for_webhooks`]. Call it once for each worker of webhooks.
    pub fn follow_for_webhooks(&self) {
        self.0.webhooks.listeners.fetch_add(1, Ordering::SeqCst);
    }

    /// Tells from now on what is committed by [`Self::take_changes_for_orders`]. Call it once for each worker of standing orders.
    pub fn follow_for_orders(&self) {
        self.0.orders.listeners.fetch_add(1, Ordering::SeqCst);
    }

    /// As [`Self::take_changes`], for the worker of standing orders.
    #[must_use]
    pub fn take_changes_for_orders(&self) -> Changes {
        std::mem::take(&mut held(&self.0.orders.changed))
    }

    /// What the worker of standing orders of this process waits for.
    #[must_use]
    pub fn orders(&self) -> &Arc<Notify> {
        &self.0.orders.news
    }

    /// What the worker of web push of this process waits for: the workers of the outbox write its messages.
    #[must_use]
    pub fn pushes(&self) -> &Arc<Notify> {
        &self.0.pushes
    }

    fn change_here(&self, change: impl Fn(&mut Changes)) {
        self.0.feeds.change(&change);
        self.0.webhooks.change(&change);
        self.0.orders.change(&change);
    }

    /// Takes the games with new events that were not taken before.
    #[must_use]
    pub fn take_changes(&self) -> Changes {
        std::mem::take(&mut held(&self.0.feeds.changed))
    }

    /// As [`Self::take_changes`], for the worker of webhooks.
    #[must_use]
    pub fn take_changes_for_webhooks(&self) -> Changes {
        std::mem::take(&mut held(&self.0.webhooks.changed))
    }

    /// Gives back what the worker of webhooks has taken and could not look at. Wakes nobody: it is taken with the next step.
    pub fn put_back_for_webhooks(&self, changes: Changes) {
        held(&self.0.webhooks.changed).merge(changes);
    }

    /// What the feeds of this process wait for.
    #[must_use]
    pub fn feeds(&self) -> &Arc<Notify> {
        &self.0.feeds.news
    }

    /// What the workers of webhooks of this process wait for.
    #[must_use]
    pub fn webhooks(&self) -> &Arc<Notify> {
        &self.0.webhooks.news
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

/// A reader of feeds that counts.
pub struct CountedReader(OutboxSignal);

impl Drop for CountedReader {
    fn drop(&mut self) {
        self.0.0.feeds.listeners.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn notify_others(database: Database, remote: Arc<Notify>, signal: Weak<Inner>) {
    loop {
        remote.notified().await;
        let Some(payload) = signal.upgrade().map(|inner| {
            let untold = std::mem::take(&mut *held(&inner.untold));
            format!("{}{}", inner.process, untold.to_payload())
        }) else {
            return;
        };
        if let Err(error) = database.notify(CHANNEL, &payload).await {
            tracing::debug!(%error, "other processes were not notified of notices and events");
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

    /// Waits for a notification of another process, and returns the games with new events that it names.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn notified(&mut self) -> Result<Changes, StoreError> {
        let mut notifications = pin!(self.connection.notifications_stream());
        while let Some(notification) = notifications.next().await {
            let payload = notification?.payload;
            if payload.split(' ').next() != Some(&self.own) {
                return Ok(Changes::of_payload(&payload));
            }
        }
        Err(StoreError::Unreachable("the connection was closed".to_owned()))
    }
}
