//! Reads history from a replica, which may lag behind. Only immutable rows are read there: a row that it has is final, and one
//! that it lacks is read from the primary, so its lag is invisible.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel_async::AsyncPgConnection;
use diesel_async::pooled_connection::deadpool::Pool;

use super::address::Address;
use super::database::{Connection, pool};
use super::error::StoreError;

/// The time limit of a read including a new connection, before the primary is asked.
const READ_TIMEOUT: Duration = Duration::from_millis(500);

/// How long a failed replica is not used.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// A replica and its state.
#[derive(Clone)]
pub struct Replica {
    pool: Pool<AsyncPgConnection>,
    statements: Arc<AtomicU64>,
    rests_until: Arc<Mutex<Option<Instant>>>,
}

impl Replica {
    /// A pool for `address`; opens nothing yet.
    pub(super) fn new(address: Arc<Address>, connections: usize) -> Result<Self, StoreError> {
        let statements = Arc::new(AtomicU64::new(0));
        let pool = pool(address, connections, &statements, None)?;
        Ok(Self { pool, statements, rests_until: Arc::default() })
    }

    /// The result of `read`; `None` if the replica does not answer, which is logged once for each pause.
    pub(super) async fn read<T>(
        &self,
        read: impl AsyncFnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Option<T> {
        if self.rests() {
            return None;
        }
        let reading = async {
            let connection = self.pool.get().await;
            let connection = connection.map_err(|error| StoreError::Pool(error.to_string()))?;
            read(&mut Connection::from(connection)).await
        };
        let late = |_| Err(StoreError::Pool("it took too long".to_owned()));
        match tokio::time::timeout(READ_TIMEOUT, reading).await.unwrap_or_else(late) {
            Ok(found) => Some(found),
            Err(error) => {
                if !self.rests() {
                    tracing::warn!(%error, "the replica is left alone for a while");
                }
                *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(Instant::now() + RETRY_INTERVAL);
                None
            }
        }
    }

    fn rests(&self) -> bool {
        let rests_until = self.rests_until.lock().unwrap_or_else(PoisonError::into_inner);
        rests_until.is_some_and(|until| Instant::now() < until)
    }

    /// How many statements were sent over its connections.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    pub(super) fn close(&self) {
        self.pool.close();
    }
}
