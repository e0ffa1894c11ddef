//! Requests for which something is sent to a webhook, or sent again. They count on a limit, by whatever way they come.

use uuid::Uuid;

use super::bodies::{RedeliverBody, WebhookChangeBody};
use crate::peer::Peer;
use crate::problem::Problem;
use pippost_accounts::{Account, AccountError, Accounts, PlayerRequest};
use pippost_store::webhook_deliveries::DeliveryRow;
use pippost_webhooks::{Webhook, Webhooks};

/// Somebody who sends something.
pub struct ByHand<'a> {
    pub webhooks: &'a Webhooks,
    pub accounts: &'a Accounts,
    pub account: &'a Account,
    pub peer: Peer,
}

impl ByHand<'_> {
    fn count(&self) -> Result<(), AccountError> {
        self.accounts.count_request(PlayerRequest::SendToWebhook, self.account.player_id, self.peer.0)
    }

    /// Changes a webhook, for which much may be sent again.
    ///
    /// # Errors
    /// What the API refuses.
    pub async fn change(&self, id: Uuid, body: WebhookChangeBody) -> Result<Webhook, Problem> {
        let changes = body.parse()?;
        self.count()?;
        let manager = self.webhooks.manager(self.account).await?;
        Ok(self.webhooks.change(&manager, id, changes).await?)
    }

    /// Sends a challenge.
    ///
    /// # Errors
    /// What the API refuses.
    pub async fn challenge(&self, id: Uuid) -> Result<(Webhook, DeliveryRow), Problem> {
        let manager = self.webhooks.manager(self.account).await?;
        let place = self.webhooks.place_to_send(self.account.player_id)?;
        self.count()?;
        Ok(self.webhooks.challenge(place, &manager, id).await?)
    }

    /// Delivers an event once more.
    ///
    /// # Errors
    /// What the API refuses.
    pub async fn redeliver(&self, id: Uuid, body: RedeliverBody) -> Result<DeliveryRow, Problem> {
        let event = body.parse()?;
        let manager = self.webhooks.manager(self.account).await?;
        let place = self.webhooks.place_to_send(self.account.player_id)?;
        self.count()?;
        Ok(self.webhooks.redeliver(place, &manager, id, event).await?)
    }
}
