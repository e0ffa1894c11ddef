//! What only a sandbox has: a clock that its players move, and mails that they read here because they are sent to nobody.
//!
//! Everything else of a sandbox is as on any server: the same games, accounts and mails, without the limits of how often.

mod answering;
mod moving;
mod reading;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};
use tokio::time::{Instant, timeout_at};

use crate::{OutboxWorker, PushWorker, StopSignal, WebhookWorker, run_loop};
use pippost_clock::{AheadClock, Clock};
pub use pippost_games::SandboxError;
use pippost_games::{Games, clocks, ladders, lobby, playing, reliability, standing_orders, tournaments};
use pippost_mail::replies::Replies;
use pippost_notices::Digests;
use pippost_store::{Changes, Database, OutboxSignal, sandbox};

pub use moving::{MAX_STOPS, Moved, Target};
pub use reading::{CapturedLink, CapturedMail, MAX_PAGE};

/// How long a request may wait until what is due is done.
const MAX_WORK: Duration = Duration::from_secs(10);

/// The longest delay of what becomes due while nobody asks.
const INTERVAL: Duration = Duration::from_secs(1);

/// The parts of a server that a sandbox works with.
pub struct SandboxParts {
    pub database: Database,
    pub clock: Clock,
    pub games: Games,
    pub replies: Replies,
    pub outbox: OutboxWorker,
    pub webhooks: WebhookWorker,
    pub pushes: PushWorker,
    pub outbox_signal: OutboxSignal,
}

/// A sandbox. Cheap to clone.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    parts: SandboxParts,
    ahead: Arc<AheadClock>,
    digests: Digests,
    /// Held while the clock is moved and while due work is done, so that whoever gets it finds nothing half done.
    turn: Mutex<()>,
}

impl Sandbox {
    /// The sandbox of a server; `None` if its clock cannot be moved.
    #[must_use]
    pub fn new(parts: SandboxParts) -> Option<Self> {
        let Clock::Ahead(ahead) = &parts.clock else { return None };
        let (ahead, digests) = (Arc::clone(ahead), Digests::new(parts.database.clone()));
        Some(Self(Arc::new(Inner { parts, ahead, digests, turn: Mutex::new(()) })))
    }

    /// Does what becomes due until `stop` is set: the loop of a sandbox, in place of the worker's.
    pub async fn run(self, stop: StopSignal) {
        let wake = Arc::clone(self.0.parts.outbox_signal.local());
        run_loop("sandbox", INTERVAL, wake, stop, || self.step()).await;
    }

    /// Does what is due now; returns how much was done.
    ///
    /// # Errors
    /// The database failed, or a game could not be read.
    pub async fn step(&self) -> Result<usize, SandboxError> {
        let _turn = self.0.turn.lock().await;
        // Another process on the same database may have moved the clock.
        self.0.ahead.move_to(sandbox::clock_ahead(&self.0.parts.database).await?);
        self.round().await
    }

    /// Does all that is due now, so that its mails can be read; not longer than [`MAX_WORK`].
    async fn catch_up(&self) -> Result<(), SandboxError> {
        let deadline = Instant::now() + MAX_WORK;
        let _turn = self.turn(deadline).await?;
        self.work(deadline).await
    }

    async fn turn(&self, deadline: Instant) -> Result<MutexGuard<'_, ()>, SandboxError> {
        timeout_at(deadline, self.0.turn.lock()).await.map_err(|_late| SandboxError::Busy)
    }

    /// Does what is due, and what follows from it, until nothing is or `deadline` is past.
    async fn work(&self, deadline: Instant) -> Result<(), SandboxError> {
        while self.round().await? > 0 && Instant::now() < deadline {}
        Ok(())
    }

    /// One step of each of the worker's tasks.
    async fn round(&self) -> Result<usize, SandboxError> {
        let parts = &self.0.parts;
        let mut done = self.0.digests.queue(parts.clock.now()).await?;
        done += clocks::take_updates(&parts.games).await?;
        done += playing::let_flags_fall(&parts.games).await?;
        done += playing::remind(&parts.games).await?;
        done += lobby::start_awaited(&parts.games).await?;
        done += reliability::count_ended(&parts.games).await?;
        done += lobby::expire(&parts.games).await?;
        done += lobby::renew(&parts.games).await?;
        done += tournaments::step(&parts.games).await?;
        done += ladders::step(&parts.games).await?;
        done += standing_orders::carry_out(&parts.games, &Changes::All).await?;
        done += parts.webhooks.step().await?;
        done += parts.outbox.step().await?;
        done += parts.pushes.step().await?;
        Ok(done)
    }
}
