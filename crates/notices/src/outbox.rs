//! The outbox: claims, reserves and settles notices.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use futures_util::FutureExt;
use time::{Duration, OffsetDateTime};
use tokio::sync::Notify;
use uuid::Uuid;

use super::bounces;
use super::schedule::{self, Outcome};
use pippost_store::grouped::{Grouped, MAX_SMALL};
use pippost_store::mail_holds::{self, MailHolds};
use pippost_store::notices::{
    self, AccountRotation, ClaimRequest, ClaimedNotice, LowWaterMarks, NoticeClass, NoticeKind, WaitsFor,
};
use pippost_store::{Database, Seq, StoreError, standing_orders};

/// The most notices of one claim.
pub const BATCH: usize = 128;

/// How long after its claim a worker may begin a mail; it returns the others.
pub const BATCH_TIME: std::time::Duration = std::time::Duration::from_mins(1);

/// How long a claim lasts before other workers may repeat it: [`BATCH_TIME`], and the time limits of mails begun by then.
pub const LEASE: Duration = Duration::minutes(5);

/// How many of the mails that an outage of the mail server has put off become due at once after it.
pub const MAX_RELEASED: i64 = 256;

/// The waiting notices in the database. Any number of workers may share them.
#[derive(Clone)]
pub struct Outbox {
    database: Database,
    /// What sends them by web push, too; `None`: nothing does.
    pushes: Option<Arc<Notify>>,
    /// Where its claims begin.
    marks: LowWaterMarks,
    /// With whose notices its claims begin.
    rotation: AccountRotation,
    /// What an operator held when the last notices were claimed.
    holds: Arc<RwLock<MailHolds>>,
    /// Asks for the standing orders of all whose mails are written at the same time.
    orders: Arc<OnceLock<Grouped<AskedPlayer, bool>>>,
}

/// A player who is asked in a game by an event, and the time.
type AskedPlayer = (Uuid, Uuid, Seq, OffsetDateTime);

async fn pending_orders(database: Database, asked: Vec<AskedPlayer>) -> Result<Vec<bool>, StoreError> {
    let newest = asked.iter().map(|(.., now)| *now).max();
    let now = newest.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let players: Vec<_> =
        asked.into_iter().map(|(game_id, player_id, seq, _)| (game_id, player_id, seq)).collect();
    standing_orders::are_pending_of(&database, &players, now).await
}

impl Outbox {
    #[must_use]
    pub fn new(database: Database) -> Self {
        let (marks, rotation) = (LowWaterMarks::default(), AccountRotation::default());
        let (holds, orders) = (Arc::default(), Arc::default());
        Self { database, pushes: None, marks, rotation, holds, orders }
    }

    /// The same outbox; what is claimed is told by web push, too, by whoever is notified.
    #[must_use]
    pub fn with_pushes(self, pushes: Option<Arc<Notify>>) -> Self {
        Self { pushes, ..self }
    }

    /// Claims due notices of these classes, at most [`BATCH`], fairly among accounts, in the order in which to send them; no
    /// other worker gets them for [`LEASE`].
    ///
    /// # Errors
    /// The database fails.
    pub async fn claim(
        &self,
        classes: &[NoticeClass],
        now: OffsetDateTime,
    ) -> Result<Vec<ClaimedNotice>, StoreError> {
        notices::collect(&self.database).await?;
        let mut connection = self.database.get().await?;
        let limit = i64::try_from(BATCH).expect("a small number");
        let starts = &self.rotation.starts(classes);
        let pushed: Vec<NoticeKind> = NoticeKind::ALL
            .iter()
            .copied()
            .filter(|kind| self.pushes.is_some() && kind.is_pushed())
            .collect();
        let wanted = ClaimRequest { now, lease_until: now + LEASE, limit, starts, pushed: &pushed };
        let topology = self.database.topology();
        let claimed = notices::claim(&mut connection, topology, &wanted, &self.marks).await?;
        drop(connection);
        self.rotation.advance(starts, &claimed);
        if !claimed.is_empty() {
            let holds = mail_holds::all(&self.database).await?;
            *self.holds.write().unwrap_or_else(PoisonError::into_inner) = holds;
        }
        if let Some(pushes) = self.pushes.as_ref().filter(|_| !claimed.is_empty()) {
            pushes.notify_one();
        }
        Ok(claimed)
    }

    /// Whether standing orders of the player will soon be looked at because of event `seq`.
    ///
    /// # Errors
    /// The database fails.
    pub async fn has_pending_orders(
        &self,
        game_id: Uuid,
        player_id: Uuid,
        seq: Seq,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let orders = self.orders.get_or_init(|| {
            let database = self.database.clone();
            Grouped::start(MAX_SMALL, move |asked| pending_orders(database.clone(), asked).boxed())
        });
        orders.ask((game_id, player_id, seq, now)).await
    }

    /// Whether an operator lets nothing be sent to the domain of this address.
    #[must_use]
    pub fn holds(&self, address: &str) -> bool {
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        self.holds.read().unwrap_or_else(PoisonError::into_inner).holds(domain)
    }

    /// Whether mails wait until the mail server can be reached.
    ///
    /// # Errors
    /// The database fails.
    pub async fn waits_for_server(&self) -> Result<bool, StoreError> {
        Ok(notices::server_fault(&self.database).await?.is_some())
    }

    /// Makes mails due that wait for the mail server, at most [`MAX_RELEASED`]; returns how many.
    ///
    /// # Errors
    /// The database fails.
    pub async fn release(&self, now: OffsetDateTime) -> Result<usize, StoreError> {
        notices::release(&self.database, WaitsFor::Server, MAX_RELEASED, now).await
    }

    /// The database that has it.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Records the outcomes of attempts.
    ///
    /// # Errors
    /// The database fails. The notices are then tried again after the lease, with the same Message-ID.
    pub async fn settle(
        &self,
        outcomes: Vec<(ClaimedNotice, Outcome)>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let bounced: Vec<_> = outcomes
            .iter()
            .filter_map(|(notice, outcome)| match outcome {
                Outcome::Bounced { code, .. } => Some((notice.id, code.clone())),
                _ => None,
            })
            .collect();
        let settled: Vec<_> =
            outcomes.into_iter().map(|(notice, outcome)| schedule::settle(&notice, outcome, now)).collect();
        if settled.is_empty() {
            return Ok(());
        }
        let mut connection = self.database.get().await?;
        notices::settle(&mut connection, &settled, now).await?;
        drop(connection);
        for (notice_id, code) in bounced {
            bounces::record(&self.database, notice_id, &code, now).await?;
        }
        Ok(())
    }
}
