//! Verifies webhooks: nothing is sent to an address before whoever is there has said that it is wanted.

use data_encoding::BASE32_NOPAD;
use time::Duration;
use uuid::Uuid;

use super::{Attempt, Webhook, WebhookError, Webhooks, message};
use crate::keys::random_bytes;
use crate::keys::secret::sha256;
use crate::store::webhook_deliveries::{self, DeliveryRow};
use crate::store::webhooks as store;
use crate::store::webhooks::WebhookRow;
use crate::store::{DeliveryOutcome, EventId};

/// How long a challenge can be met.
pub const CHALLENGE_LIFETIME: Duration = Duration::minutes(15);

/// The random bytes of a challenge: too many to be guessed.
const CHALLENGE_BYTES: usize = 16;

/// The longest text that is compared with a challenge.
pub const MAX_CHALLENGE_CHARS: usize = 64;

impl Webhooks {
    /// Sends a challenge. If the answer carries it, the webhook is active; else [`Webhooks::meet_challenge`] can make it so.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::Target`] if the server's settings allow less now, [`WebhookError::Busy`], or a
    /// failure.
    pub async fn challenge(&self, player_id: Uuid, id: Uuid) -> Result<(Webhook, DeliveryRow), WebhookError> {
        let _place = self.0.by_hand.try_acquire().map_err(|_full| WebhookError::Busy)?;
        let row = self.find(player_id, id).await?;
        let (target, secrets, now) = (self.target(&row)?, self.secrets(&row)?, self.now());
        let language = self.0.accounts.preferences(player_id).await?.language;
        let challenge = BASE32_NOPAD.encode(&random_bytes::<CHALLENGE_BYTES>()?);
        let hash = sha256(challenge.as_bytes());
        store::set_challenge(&self.0.database, id, &hash, now + CHALLENGE_LIFETIME).await?;
        let message = message::challenge(row.format, Uuid::now_v7(), &challenge, now, language);
        let attempt = self.0.sender.send(&target, message, &secrets, now).await;
        let delivery = self.logged(&row, None, &attempt);
        webhook_deliveries::keep(&self.0.database, &delivery).await?;
        if attempt.outcome == DeliveryOutcome::Delivered && message::meets(&attempt.answer, &challenge) {
            store::verify(&self.0.database, id, &hash, self.now()).await?;
        }
        Ok((self.show(player_id, id).await?, delivery))
    }

    /// Makes a webhook active if that is the challenge that was sent to it last.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::WrongChallenge`], or the database failed.
    pub async fn meet_challenge(
        &self,
        player_id: Uuid,
        id: Uuid,
        challenge: &str,
    ) -> Result<Webhook, WebhookError> {
        self.find(player_id, id).await?;
        let hash = sha256(challenge.trim().as_bytes());
        if !store::verify(&self.0.database, id, &hash, self.now()).await? {
            return Err(WebhookError::WrongChallenge);
        }
        tracing::info!(%player_id, webhook_id = %id, "webhook verified");
        self.show(player_id, id).await
    }

    /// An attempt as the log of deliveries keeps it.
    #[must_use]
    pub fn logged(&self, row: &WebhookRow, event: Option<EventId>, attempt: &Attempt) -> DeliveryRow {
        DeliveryRow {
            id: Uuid::now_v7(),
            webhook_id: row.id,
            game_id: event.map(|event| event.game_id),
            seq: event.map(|event| event.seq),
            at: self.now(),
            outcome: attempt.outcome,
            status: attempt.status.and_then(|status| i16::try_from(status).ok()),
            milliseconds: i32::try_from(attempt.took.as_millis()).unwrap_or(i32::MAX),
        }
    }
}
