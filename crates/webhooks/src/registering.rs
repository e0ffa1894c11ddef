//! Registers, changes and removes webhooks, and rotates their secrets.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{SigningSecret, Target, WebhookError, Webhooks};
use pippost_accounts::{Account, AccountError};
use pippost_store::player_feeds;
use pippost_store::stored_responses::{Once, RequestKey};
use pippost_store::webhook_deliveries::{self, DeliveryRow};
use pippost_store::webhook_managers::{Holder, Manager};
use pippost_store::webhooks::{self as store, NewWebhook, RegisteredWebhook, WebhookChange, WebhookRow};
use pippost_store::{EventId, FeedPosition, WebhookFormat, WebhookKind, WebhookState};

/// The most webhooks of a player.
pub const MAX_WEBHOOKS: i64 = 10;

/// How long the secret before a rotation signs as well.
pub const PREVIOUS_SECRET_LIFETIME: Duration = Duration::hours(24);

/// A webhook to be registered.
#[derive(Clone)]
pub struct WebhookRequest {
    pub url: String,
    pub format: WebhookFormat,
    pub kinds: Vec<WebhookKind>,
    /// The only game that it is told of.
    pub game_id: Option<Uuid>,
    /// The last event that it is not told of; `None`: the newest now.
    pub after: Option<EventId>,
}

/// What is to be changed; `None` stays as it is.
#[derive(Clone, Default)]
#[allow(clippy::option_option, reason = "null and unchanged are two things")]
pub struct WebhookChanges {
    pub url: Option<String>,
    pub format: Option<WebhookFormat>,
    pub kinds: Option<Vec<WebhookKind>>,
    pub game_id: Option<Option<Uuid>>,
    pub after: Option<EventId>,
    pub is_enabled: Option<bool>,
}

/// A webhook as its player sees it: without its secret.
#[derive(Clone, Debug)]
pub struct Webhook {
    pub id: Uuid,
    /// `None` if this server cannot read it, because its secret key is another one than when it was written.
    pub target: Option<String>,
    pub format: WebhookFormat,
    pub kinds: Vec<WebhookKind>,
    pub game_id: Option<Uuid>,
    pub state: WebhookState,
    pub created_at: OffsetDateTime,
    /// The last event that it has been told of, or that it is not told of; `None` before the first.
    pub cursor: Option<EventId>,
    pub failing_since: Option<OffsetDateTime>,
    /// When the failed delivery is tried again.
    pub retry_at: Option<OffsetDateTime>,
    /// Until when the secret before the last rotation signs as well.
    pub previous_until: Option<OffsetDateTime>,
}

impl Webhook {
    /// Whether its player has switched it off, so that it need not be verified again.
    #[must_use]
    pub fn is_switched_off(&self) -> bool {
        is_switched_off(self.state, self.failing_since)
    }
}

fn is_switched_off(state: WebhookState, failing_since: Option<OffsetDateTime>) -> bool {
    state == WebhookState::Disabled && failing_since.is_none()
}

/// A rotated secret.
#[derive(Clone, Debug)]
pub struct Rotated {
    pub secret: SigningSecret,
    pub previous_until: OffsetDateTime,
}

/// Each once, the most special first.
fn in_order(kinds: &[WebhookKind]) -> Vec<WebhookKind> {
    WebhookKind::ALL.iter().copied().filter(|kind| kinds.contains(kind)).collect()
}

impl Webhooks {
    /// Which webhooks a request may manage.
    ///
    /// # Errors
    /// The database failed.
    pub async fn manager(&self, account: &Account) -> Result<Manager, WebhookError> {
        let player_id = account.player_id;
        Ok(match account.session_id {
            Some(session_id) => Manager::of_session(player_id, session_id),
            None => Manager::of_token(&self.0.database, player_id, account.token_id).await?,
        })
    }

    /// Registers a webhook; returns the response that `respond` makes of it. Only a repeated request with the same key is shown the
    /// secret once more.
    ///
    /// # Errors
    /// [`WebhookError`]
    pub async fn register(
        &self,
        manager: &Manager,
        request: WebhookRequest,
        key: Option<RequestKey>,
        respond: impl FnOnce(Webhook, SigningSecret) -> String,
    ) -> Result<String, WebhookError> {
        let (accounts, player_id) = (&self.0.accounts, manager.player_id);
        let key = accounts.sealed_key(key);
        if let Some(response) = accounts.response_before(key.as_ref(), player_id).await? {
            return Ok(response);
        }
        let target = Target::read(&request.url, self.0.sender.reach())?;
        self.expect_member(player_id, request.game_id).await?;
        let cursor = self.cursor_after(player_id, request.after).await?;
        let (id, secret, now) = (Uuid::now_v7(), SigningSecret::draw()?, self.now());
        let (grant_id, token_id) = match manager.holder {
            Holder::Session(_) => (None, None),
            Holder::PersonalToken(id) => (None, Some(id)),
            Holder::Grant(id) => (Some(id), None),
        };
        let new = NewWebhook {
            id,
            player_id,
            grant_id,
            token_id,
            url_sealed: self.0.secret.seal(id, target.as_str().as_bytes()),
            format: request.format,
            kinds: in_order(&request.kinds),
            game_id: request.game_id,
            state: WebhookState::Unverified,
            created_at: now,
            secret_sealed: self.0.secret.seal(id, secret.as_bytes()),
            cursor,
            look_at: now,
        };
        let webhook = Webhook {
            id,
            target: Some(target.as_str().to_owned()),
            format: new.format,
            kinds: new.kinds.clone(),
            game_id: new.game_id,
            state: new.state,
            created_at: now,
            cursor: player_feeds::event_at(&self.0.database, player_id, cursor).await?,
            failing_since: None,
            retry_at: None,
            previous_until: None,
        };
        let response = respond(webhook, secret);
        let stored = accounts.sealed_response(key.as_ref(), player_id, &response);
        let (database, holder) = (&self.0.database, manager.holder);
        match store::insert(database, &new, holder, MAX_WEBHOOKS, stored.as_ref()).await? {
            Once::Now(RegisteredWebhook::Done) => {
                tracing::info!(%player_id, webhook_id = %id, "webhook registered");
                Ok(response)
            }
            Once::Now(RegisteredWebhook::TooMany) => Err(WebhookError::TooMany { most: MAX_WEBHOOKS }),
            Once::Now(RegisteredWebhook::AddressNotConfirmed) => Err(WebhookError::AddressNotConfirmed),
            Once::Now(RegisteredWebhook::Ended) => Err(AccountError::Unauthenticated.into()),
            Once::Before(before) => Ok(accounts.opened_response(before, key.as_ref(), player_id)?),
        }
    }

    /// The webhooks that a manager manages, oldest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(&self, manager: &Manager) -> Result<Vec<Webhook>, WebhookError> {
        let mut shown = Vec::new();
        for row in store::list(&self.0.database, manager).await? {
            shown.push(self.shown(row).await?);
        }
        Ok(shown)
    }

    /// One webhook of a manager.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], or the database failed.
    pub async fn show(&self, manager: &Manager, id: Uuid) -> Result<Webhook, WebhookError> {
        self.shown(self.find(manager, id).await?).await
    }

    pub(super) async fn find(&self, manager: &Manager, id: Uuid) -> Result<WebhookRow, WebhookError> {
        store::find(&self.0.database, manager, id).await?.ok_or(WebhookError::NotFound)
    }

    async fn shown(&self, row: WebhookRow) -> Result<Webhook, WebhookError> {
        let is_active = row.state == WebhookState::Active;
        Ok(Webhook {
            id: row.id,
            target: self.opened_url(&row),
            format: row.format,
            kinds: row.kinds,
            game_id: row.game_id,
            state: row.state,
            created_at: row.created_at,
            cursor: player_feeds::event_at(&self.0.database, row.player_id, row.cursor).await?,
            failing_since: row.failing_since,
            retry_at: row.failing_since.filter(|_| is_active).map(|_| row.look_at),
            previous_until: row.previous_until.filter(|until| self.now() < *until),
        })
    }

    /// Changes a webhook. With another address or format than it has it must be verified anew. Only what was verified is enabled.
    ///
    /// # Errors
    /// [`WebhookError`]
    pub async fn change(
        &self,
        manager: &Manager,
        id: Uuid,
        changes: WebhookChanges,
    ) -> Result<Webhook, WebhookError> {
        let (player_id, row) = (manager.player_id, self.find(manager, id).await?);
        let may_be_active =
            row.state == WebhookState::Active || is_switched_off(row.state, row.failing_since);
        if changes.is_enabled == Some(true) && !may_be_active {
            return Err(WebhookError::NotVerified);
        }
        let target = changes.url.map(|url| Target::read(&url, self.0.sender.reach())).transpose()?;
        let current = self.opened_url(&row);
        let target = target.filter(|target| current.as_deref() != Some(target.as_str()));
        self.expect_member(player_id, changes.game_id.flatten()).await?;
        let cursor = match changes.after {
            Some(_) => Some(self.cursor_after(player_id, changes.after).await?),
            None => None,
        };
        let change = WebhookChange {
            url_sealed: target.map(|target| self.0.secret.seal(id, target.as_str().as_bytes())),
            format: changes.format.filter(|format| *format != row.format),
            kinds: changes.kinds.map(|kinds| in_order(&kinds)),
            game_id: changes.game_id,
            cursor,
        };
        let (database, is_enabled) = (&self.0.database, changes.is_enabled);
        let changed = store::change(database, manager, id, &change, is_enabled, self.now()).await?;
        self.shown(changed.ok_or(WebhookError::NotFound)?).await
    }

    /// Removes a webhook.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], or the database failed.
    pub async fn remove(&self, manager: &Manager, id: Uuid) -> Result<(), WebhookError> {
        if !store::remove(&self.0.database, manager, id).await? {
            return Err(WebhookError::NotFound);
        }
        tracing::info!(player_id = %manager.player_id, webhook_id = %id, "webhook removed");
        Ok(())
    }

    /// Gives a webhook another secret; returns the response that `respond` makes of it. The secret that it had signs as well for
    /// [`PREVIOUS_SECRET_LIFETIME`].
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], a key that was used for another request, or a failure.
    pub async fn rotate_secret(
        &self,
        manager: &Manager,
        id: Uuid,
        key: Option<RequestKey>,
        respond: impl FnOnce(Rotated) -> String,
    ) -> Result<String, WebhookError> {
        let (accounts, player_id) = (&self.0.accounts, manager.player_id);
        let key = accounts.sealed_key(key);
        if let Some(response) = accounts.response_before(key.as_ref(), player_id).await? {
            return Ok(response);
        }
        let (secret, now) = (SigningSecret::draw()?, self.now());
        let (sealed, until) = (self.0.secret.seal(id, secret.as_bytes()), now + PREVIOUS_SECRET_LIFETIME);
        let response = respond(Rotated { secret, previous_until: until });
        let stored = accounts.sealed_response(key.as_ref(), player_id, &response);
        let rotated =
            store::rotate(&self.0.database, (manager, id), &sealed, until, stored.as_ref(), now).await?;
        match rotated {
            Once::Now(Some(())) => Ok(response),
            Once::Now(None) => Err(WebhookError::NotFound),
            Once::Before(before) => Ok(accounts.opened_response(before, key.as_ref(), player_id)?),
        }
    }

    /// The newest attempts of a webhook, newest first.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], or the database failed.
    pub async fn deliveries(&self, manager: &Manager, id: Uuid) -> Result<Vec<DeliveryRow>, WebhookError> {
        self.find(manager, id).await?;
        Ok(webhook_deliveries::newest(&self.0.database, id).await?)
    }

    async fn expect_member(&self, player_id: Uuid, game_id: Option<Uuid>) -> Result<(), WebhookError> {
        match game_id {
            Some(game_id) if !store::is_in_game(&self.0.database, player_id, game_id).await? => {
                Err(WebhookError::NoSuchGame)
            }
            _ => Ok(()),
        }
    }

    /// The position of an event in the player's feed, or of the newest one.
    async fn cursor_after(
        &self,
        player_id: Uuid,
        after: Option<EventId>,
    ) -> Result<FeedPosition, WebhookError> {
        let newest = player_feeds::place(&self.0.database, player_id).await?;
        let Some(id) = after else { return Ok(newest) };
        let position = player_feeds::position_of(&self.0.database, player_id, id).await?;
        position.ok_or(WebhookError::NoSuchEvent { field: "after" })
    }
}
