//! The bell: tells workers that notices wait, those of this process at once, those of others by NOTIFY.
//!
//! A notification is never sent by the statement that writes notices: its commit takes a lock that all of the cluster's commits
//! with notifications share. One that is lost costs no more than the worker's next look.

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

/// How long a process rests after each notification; all that rings meanwhile is told of by the next.
const REST: Duration = Duration::from_millis(50);

/// Rung when notices wait. Cheap to clone, and to ring.
#[derive(Clone)]
pub struct Bell(Arc<Inner>);

struct Inner {
    /// What this process's notifications carry, so that it does not listen to itself.
    name: Uuid,
    here: Arc<Notify>,
    /// Rung too when the bell is gone.
    elsewhere: Arc<Notify>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.elsewhere.notify_one();
    }
}

impl Bell {
    /// Starts the task that notifies other processes; needs a runtime.
    #[must_use]
    pub fn hang(database: Database) -> Self {
        let inner = Arc::new(Inner { name: Uuid::new_v4(), here: Arc::default(), elsewhere: Arc::default() });
        tokio::spawn(notify_others(database, inner.elsewhere.clone(), Arc::downgrade(&inner)));
        Self(inner)
    }

    /// Notices have been committed. Waits for nothing.
    pub fn ring(&self) {
        self.0.here.notify_one();
        self.0.elsewhere.notify_one();
    }

    /// What the worker of this process waits for.
    #[must_use]
    pub fn here(&self) -> &Arc<Notify> {
        &self.0.here
    }
}

async fn notify_others(database: Database, elsewhere: Arc<Notify>, bell: Weak<Inner>) {
    loop {
        elsewhere.notified().await;
        let Some(name) = bell.upgrade().map(|inner| inner.name) else { return };
        if let Err(error) = database.notify(CHANNEL, name).await {
            tracing::debug!(%error, "workers elsewhere were not told of notices");
        }
        tokio::time::sleep(REST).await;
    }
}

/// A connection of its own that hears the bells of other processes.
pub struct Listening {
    connection: AsyncPgConnection,
    own: String,
}

impl Listening {
    /// Begins to listen. The address must lead to PostgreSQL itself, or to a pooler that gives each client a connection for good.
    ///
    /// # Errors
    /// The database cannot be reached, or [`StoreError::Deaf`]: the pooler's connection would go on listening, for whoever has it next.
    pub async fn begin(address: &Address, bell: &Bell) -> Result<Self, StoreError> {
        let address = address.watchful();
        let opening = database::open(&address).await;
        let mut connection = opening.map_err(|error| StoreError::Unreachable(error.to_string()))?;
        if !address.is_direct() && pooler::lends_by_the_transaction(&mut connection).await? {
            return Err(StoreError::Deaf);
        }
        connection.batch_execute(&format!("listen {CHANNEL}")).await?;
        Ok(Self { connection, own: bell.0.name.to_string() })
    }

    /// Waits for the bell of another process.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn heard(&mut self) -> Result<(), StoreError> {
        let mut heard = pin!(self.connection.notifications_stream());
        while let Some(notification) = heard.next().await {
            if notification?.payload != self.own {
                return Ok(());
            }
        }
        Err(StoreError::Unreachable("the connection was closed".to_owned()))
    }
}
