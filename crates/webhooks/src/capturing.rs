//! What a sandbox sends to webhooks is kept as well, so that their owners read it without a receiver.

use uuid::Uuid;

use super::sender::SignedMessage;
use super::{Attempt, Message, SigningSecret, Target, Webhooks};
use pippost_store::captured_deliveries::{self, CapturedDelivery};
use pippost_store::webhooks::WebhookRow;

/// Whether the beginning of an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Read,
    Ignored,
}

impl Webhooks {
    /// Sends a message once. In a sandbox it is kept before, and not sent if the host is one that nobody can have.
    pub(super) async fn send(
        &self,
        row: &WebhookRow,
        target: &Target,
        message: Message,
        secrets: &[SigningSecret],
        wanted: Answer,
    ) -> Attempt {
        let signed = SignedMessage::new(message, secrets, self.real_now());
        if self.0.clock.is_sandbox() {
            self.capture(row, &signed).await;
            if target.is_nowhere() {
                return Attempt::kept();
            }
        }
        match wanted {
            Answer::Read => self.0.sender.ask(target, signed).await,
            Answer::Ignored => self.0.sender.send(target, signed).await,
        }
    }

    /// Keeps what one attempt sends. What cannot be kept is sent all the same.
    async fn capture(&self, row: &WebhookRow, signed: &SignedMessage) {
        let delivery = CapturedDelivery {
            id: Uuid::now_v7(),
            player_id: row.player_id,
            webhook_id: row.id,
            message_id: signed.message.id.clone(),
            timestamp: signed.timestamp,
            signatures: signed.signatures.clone(),
            body: signed.message.body.clone(),
            sent_at: self.now(),
        };
        if let Err(error) = captured_deliveries::keep(&self.0.database, &delivery).await {
            tracing::error!(webhook_id = %row.id, %error, "a delivery could not be kept");
        }
    }
}
