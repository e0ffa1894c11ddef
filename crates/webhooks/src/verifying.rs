//! Verifies webhooks: nothing is sent to an address before whoever is there has said that it is wanted.

use data_encoding::BASE32_NOPAD;
use time::Duration;
use uuid::Uuid;

use super::capturing::Answer;
use super::delivering::Told;
use super::{Attempt, PlaceToSend, Target, Webhook, WebhookError, Webhooks, message};
use pippost_keys::random_bytes;
use pippost_keys::secret::sha256;
use pippost_store::DeliveryOutcome;
use pippost_store::webhook_deliveries::{self, DeliveryRow};
use pippost_store::webhook_managers::Manager;
use pippost_store::webhooks as store;
use pippost_store::webhooks::WebhookRow;

/// How long a challenge can be met.
pub const CHALLENGE_LIFETIME: Duration = Duration::minutes(15);

/// The random bytes of a challenge: too many to be guessed.
const CHALLENGE_BYTES: usize = 16;

/// How often a challenge begins anew because the webhook was changed meanwhile.
const MAX_BEGINNINGS: usize = 3;

/// The longest text that is compared with a challenge.
pub const MAX_CHALLENGE_CHARS: usize = 64;

impl Webhooks {
    /// Sends a challenge. If the answer carries it, the webhook is active; else [`Webhooks::meet_challenge`] can make it so.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], also if it is removed meanwhile; [`WebhookError::Target`] if the server's settings allow less now;
    /// [`WebhookError::Busy`]; or a failure.
    pub async fn challenge(
        &self,
        _place: PlaceToSend,
        manager: &Manager,
        id: Uuid,
    ) -> Result<(Webhook, DeliveryRow), WebhookError> {
        let language = self.0.accounts.preferences(manager.player_id).await?.language;
        let challenge = BASE32_NOPAD.encode(&random_bytes::<CHALLENGE_BYTES>()?);
        let hash = sha256(challenge.as_bytes());
        let (row, target) = self.begin_challenge(manager, id, &hash).await?;
        let message = message::challenge(row.format, Uuid::now_v7(), &challenge, self.now(), language);
        let attempt = match (target, self.secrets(&row)) {
            (Some(target), Ok(secrets)) => self.send(&row, &target, message, &secrets, Answer::Read).await,
            _ => Attempt::not_readable(),
        };
        let delivery = self.logged(&row, None, &attempt);
        if !webhook_deliveries::keep(&self.0.database, &delivery).await? {
            return Err(WebhookError::NotFound);
        }
        if attempt.outcome == DeliveryOutcome::Delivered && message::meets(&attempt.answer, &challenge) {
            store::verify(&self.0.database, id, &hash, self.now()).await?;
        }
        Ok((self.show(manager, id).await?, delivery))
    }

    /// Keeps a challenge for a webhook as it is, so that it verifies the address to which it is sent and no other. The address is
    /// `None` if it cannot be read.
    async fn begin_challenge(
        &self,
        manager: &Manager,
        id: Uuid,
        hash: &[u8],
    ) -> Result<(WebhookRow, Option<Target>), WebhookError> {
        for _ in 0..MAX_BEGINNINGS {
            let row = self.find(manager, id).await?;
            let target = match self.target(&row) {
                Ok(target) => Some(target),
                Err(WebhookError::Corrupt(..)) => None,
                Err(error) => return Err(error),
            };
            let until = self.now() + CHALLENGE_LIFETIME;
            if store::set_challenge(&self.0.database, &row, hash, until).await? {
                return Ok((row, target));
            }
        }
        Err(WebhookError::Busy)
    }

    /// Makes a webhook active if that is the challenge that was sent to it last.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::WrongChallenge`], or the database failed.
    pub async fn meet_challenge(
        &self,
        manager: &Manager,
        id: Uuid,
        challenge: &str,
    ) -> Result<Webhook, WebhookError> {
        self.find(manager, id).await?;
        let hash = sha256(challenge.trim().as_bytes());
        if !store::verify(&self.0.database, id, &hash, self.now()).await? {
            return Err(WebhookError::WrongChallenge);
        }
        tracing::info!(player_id = %manager.player_id, webhook_id = %id, "webhook verified");
        self.show(manager, id).await
    }

    /// An attempt as the log of deliveries keeps it.
    #[must_use]
    pub fn logged(&self, row: &WebhookRow, told: Option<Told>, attempt: &Attempt) -> DeliveryRow {
        let (game_id, seq) = match told {
            Some(Told::Event(event) | Told::Tournament(event)) => (Some(event.game_id), Some(event.seq)),
            Some(Told::Message { game_id, .. }) => (Some(game_id), None),
            None => (None, None),
        };
        DeliveryRow {
            id: Uuid::now_v7(),
            webhook_id: row.id,
            game_id,
            seq,
            at: self.now(),
            outcome: attempt.outcome,
            status: attempt.status.and_then(|status| i16::try_from(status).ok()),
            milliseconds: i32::try_from(attempt.took.as_millis()).unwrap_or(i32::MAX),
        }
    }
}
