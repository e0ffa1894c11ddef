//! Moves the clock forward, and does what becomes due on the way when it is due.

use time::{Duration, OffsetDateTime};
use tokio::time::Instant;

use super::{MAX_WORK, Sandbox, SandboxError};
use pippost_clock::MAX_AHEAD;
use pippost_record::record::Timestamp;
use pippost_store::sandbox;

/// The most times at which the clock stops on one way, because something is due there. What is due at later ones is done at the end.
pub const MAX_STOPS: usize = 1000;

/// Where to move the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Later(Duration),
    At(OffsetDateTime),
}

/// The clock, and what happened while it was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    pub now: OffsetDateTime,
    /// By how much the clock is ahead of the machine's.
    pub ahead: Duration,
    /// At how many times on the way something was due.
    pub stops: usize,
    /// Whether everything was done at the time when it was due. If not, the rest was done at the end.
    pub on_time: bool,
    /// What is still due now: more than could be done, or what a failure keeps from being done.
    pub due: u64,
}

impl Sandbox {
    /// The clock as it is.
    ///
    /// # Errors
    /// The database failed.
    pub async fn clock(&self) -> Result<Moved, SandboxError> {
        let now = self.0.parts.clock.now();
        let due = sandbox::count_due(&self.0.parts.database, now).await?;
        Ok(Moved { now, ahead: self.ahead(), stops: 0, on_time: true, due })
    }

    /// Moves the clock. It stops wherever something is due, so that reminders, flags and mails come in their order and at their times.
    ///
    /// # Errors
    /// The target lies in the past or too far ahead, others move the clock, or the database failed; what was done stays done.
    pub async fn move_clock(&self, target: Target) -> Result<Moved, SandboxError> {
        let deadline = Instant::now() + MAX_WORK;
        let _turn = self.turn(deadline).await?;
        let now = self.0.parts.clock.now();
        let target = match target {
            Target::Later(by) => now.checked_add(by).ok_or_else(|| self.too_far())?,
            Target::At(at) if at < now => return Err(SandboxError::Back(Timestamp::new(now))),
            Target::At(at) => at,
        };
        let ahead = self.ahead() + (target - now);
        if ahead > MAX_AHEAD {
            return Err(self.too_far());
        }
        self.work(deadline).await?;
        let (stops, on_time) = self.stop_on_the_way(target, deadline).await?;
        // Exactly as far as asked, however long the work on the way took.
        self.move_ahead(ahead).await?;
        self.work(deadline).await?;
        Ok(Moved { stops, on_time, ..self.clock().await? })
    }

    /// Returns how often the clock stopped, and whether it stopped wherever something was due.
    async fn stop_on_the_way(
        &self,
        target: OffsetDateTime,
        deadline: Instant,
    ) -> Result<(usize, bool), SandboxError> {
        let database = &self.0.parts.database;
        let mut stops = 0;
        let mut last = self.0.parts.clock.now();
        while let Some(next) = sandbox::next_due(database, last, target).await? {
            if stops == MAX_STOPS || Instant::now() >= deadline {
                return Ok((stops, false));
            }
            let further = (next - self.0.parts.clock.now()).max(Duration::ZERO);
            self.move_ahead(self.ahead() + further).await?;
            self.work(deadline).await?;
            (stops, last) = (stops + 1, next);
        }
        Ok((stops, true))
    }

    /// Moves the clock so far ahead, in the database first: a restarted server must not show an earlier time.
    async fn move_ahead(&self, ahead: Duration) -> Result<(), SandboxError> {
        let kept = sandbox::move_clock(&self.0.parts.database, microseconds(ahead)).await?;
        self.0.ahead.move_to(kept);
        Ok(())
    }

    fn ahead(&self) -> Duration {
        Duration::microseconds(self.0.ahead.ahead())
    }

    fn too_far(&self) -> SandboxError {
        SandboxError::TooFar { left_seconds: (MAX_AHEAD - self.ahead()).whole_seconds() }
    }
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.whole_microseconds()).unwrap_or(i64::MAX)
}
