//! Entries that end by themselves.

use std::time::Instant;

use tokio::task::{JoinError, JoinSet};

use super::{Queue, Woken};
use pippost_store::StoreError;

/// The entries of a worker that are under way. Each is settled by itself and makes room for the next, so a slow one holds up nobody.
pub struct Flow<Q: Queue> {
    queue: Q,
    running: JoinSet<Result<usize, StoreError>>,
    done: usize,
    failed: Option<StoreError>,
}

impl<Q: Woken> Flow<Q> {
    /// None yet.
    #[must_use]
    pub fn new(queue: Q) -> Self {
        Self { queue, running: JoinSet::new(), done: 0, failed: None }
    }

    /// Claims what is due, waits for all of it, and returns how much was done. A claim may leave what others of the same account keep
    /// back, though what it takes has nothing to do.
    ///
    /// # Errors
    /// The database failed. What was done and not recorded is done again after the lease.
    pub async fn step(queue: &Q) -> Result<usize, StoreError> {
        loop {
            let mut flow = Self::new(queue.clone());
            let begun = flow.fill().await?;
            flow.finish().await;
            if let Some(failed) = flow.failed {
                return Err(failed);
            }
            if flow.done > 0 || begun == 0 {
                return Ok(flow.done);
            }
        }
    }

    /// Begins what is due, as much as there is room for, and waits for none of it. Returns how much.
    ///
    /// # Errors
    /// The database failed.
    pub async fn fill(&mut self) -> Result<usize, StoreError> {
        while let Some(ended) = self.running.try_join_next() {
            self.count(ended);
        }
        let room = self.queue.places() - self.running.len();
        if room == 0 {
            return Ok(0);
        }
        let claimed_at = Instant::now();
        let claimed = self.queue.claim(room).await?;
        let begun = claimed.len();
        for entry in claimed {
            let queue = self.queue.clone();
            self.running.spawn(async move {
                let outcome = queue.work(&entry, claimed_at).await;
                let settled = queue.settle(vec![(entry, outcome)]).await;
                queue.wake().notify_one();
                settled
            });
        }
        Ok(begun)
    }

    /// Waits until all that were begun have ended.
    pub async fn finish(&mut self) {
        while let Some(ended) = self.running.join_next().await {
            self.count(ended);
        }
    }

    /// How much was done since the last call.
    pub fn take_done(&mut self) -> usize {
        std::mem::take(&mut self.done)
    }

    fn count(&mut self, ended: Result<Result<usize, StoreError>, JoinError>) {
        match ended {
            Ok(Ok(done)) => self.done += done,
            Ok(Err(error)) => {
                tracing::error!(queue = Q::NAME, %error, "an entry was cut off");
                self.failed = Some(error);
            }
            Err(error) => tracing::error!(queue = Q::NAME, %error, "the program stumbled over an entry"),
        }
    }
}
