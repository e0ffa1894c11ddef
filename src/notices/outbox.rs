//! The outbox: notices on their way.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::bounces;
use super::schedule::{self, Outcome};
use crate::accounts::RESET_LIFETIME;
use crate::store::mail_links::{self, OfferedReset};
use crate::store::notices::{self, ClaimedNotice, NoticeClass, Wanted};
use crate::store::{Database, StoreError, preferences};

/// How many notices a worker takes at once.
pub const BATCH: usize = 64;

/// A worker begins no more mails of a batch after so long, and gives the rest back.
pub const BATCH_TIME: std::time::Duration = std::time::Duration::from_mins(1);

/// How long a worker may be at a batch before it is taken for dead and another repeats its mails: [`BATCH_TIME`], and the limits
/// of the mails that were begun then.
pub const LEASE: Duration = Duration::minutes(5);

/// The notices that wait in the database. Any number of workers may share them.
#[derive(Clone)]
pub struct Outbox {
    database: Database,
}

impl Outbox {
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// Takes notices of these classes that are due, at most [`BATCH`], fairly among accounts, in the order in which to send them; no other worker gets them for the time of [`LEASE`].
    ///
    /// # Errors
    /// The database fails.
    pub async fn claim(
        &self,
        classes: &[NoticeClass],
        now: OffsetDateTime,
    ) -> Result<Vec<ClaimedNotice>, StoreError> {
        let mut connection = self.database.get().await?;
        let limit = i64::try_from(BATCH).expect("a small number");
        let after = Uuid::new_v4();
        let wanted = Wanted { now, lease_until: now + LEASE, limit, classes, after };
        notices::claim(&mut connection, &wanted).await
    }

    /// Whether the one mail until the player comes back may be that of this notice.
    ///
    /// # Errors
    /// The database fails.
    pub async fn take_turn_to_tell(
        &self,
        player_id: Uuid,
        notice_id: Uuid,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        preferences::take_turn_to_tell(&self.database, player_id, notice_id, now).await
    }

    /// Writes the link that a mail offers to somebody whose address a stranger gave; returns until when it works.
    ///
    /// # Errors
    /// The database fails.
    pub async fn offer_reset(
        &self,
        link_id: Uuid,
        player_id: Uuid,
        (email, email_key): (&str, &str),
        now: OffsetDateTime,
    ) -> Result<OffsetDateTime, StoreError> {
        let expires_at = now + RESET_LIFETIME;
        let offered = OfferedReset { link_id, player_id, email, email_key, now, expires_at };
        mail_links::offer_reset(&self.database, &offered).await?;
        Ok(expires_at)
    }

    /// Writes down how the attempts went.
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
