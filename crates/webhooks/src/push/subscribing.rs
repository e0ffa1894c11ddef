//! Subscribes browsers and programs, lists and removes their subscriptions.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use web_push_native::p256::PublicKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;

use super::{MAX_SUBSCRIPTIONS, Pushes};
use crate::{Target, TargetRefused};
use pippost_accounts::{Account, AccountError};
use pippost_keys::secret::sha256;
use pippost_store::StoreError;
use pippost_store::push_subscriptions::{
    self as store, NewPushSubscription, PushSubscriptionRow, Subscribed,
};
use pippost_store::webhook_managers::{Holder, Manager};

/// The most characters of a label; longer ones are cut.
pub const MAX_LABEL_CHARS: usize = 64;

/// The bytes of a browser's public key: an uncompressed point of P-256.
const KEY_BYTES: usize = 65;

/// The bytes of a browser's secret.
const AUTH_BYTES: usize = 16;

/// What a browser gives: where its push service takes messages, and the keys that they are encrypted with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionRequest {
    pub endpoint: String,
    /// The public key, in base64.
    pub p256dh: String,
    /// The secret, in base64.
    pub auth: String,
    /// What its owner knows the browser by.
    #[serde(skip)]
    pub label: Option<String>,
}

/// The longest name of a host, in bytes.
const MAX_HOST_BYTES: usize = 253;

/// A subscription whose address and keys were checked.
pub(super) struct Checked {
    pub target: Target,
    pub key: PublicKey,
    pub auth: [u8; AUTH_BYTES],
}

/// Why an operation with subscriptions failed. Never contains an address or a secret.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    #[error("there is no such subscription")]
    NotFound,
    #[error("this server sends nothing by web push")]
    Off,
    #[error("endpoint: {0}")]
    Target(#[from] TargetRefused),
    /// `field` is the member of the request.
    #[error("{field}: not the {what} of a browser, in base64 for URLs")]
    Key { field: &'static str, what: &'static str },
    #[error("a player has at most {most} of them; remove one first")]
    TooMany { most: i64 },
    #[error("confirm your e-mail address first")]
    AddressNotConfirmed,
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Pushes {
    /// Which subscriptions a request may manage.
    ///
    /// # Errors
    /// The database failed.
    pub async fn manager(&self, account: &Account) -> Result<Manager, PushError> {
        let player_id = account.player_id;
        Ok(match account.session_id {
            Some(session_id) => Manager::of_session(player_id, session_id),
            None => Manager::of_token(self.database(), player_id, account.token_id).await?,
        })
    }

    /// Subscribes a browser, or renews its subscription.
    ///
    /// # Errors
    /// [`PushError`]
    pub async fn subscribe(
        &self,
        manager: &Manager,
        request: SubscriptionRequest,
    ) -> Result<PushSubscriptionRow, PushError> {
        if !self.is_on() {
            return Err(PushError::Off);
        }
        let checked = self.check(&request)?;
        let (player_id, now) = (manager.player_id, self.now());
        let endpoint_hash = sha256(checked.target.as_str().as_bytes()).to_vec();
        let before = store::with_endpoint(self.database(), player_id, &endpoint_hash).await?;
        let id = before.unwrap_or_else(Uuid::now_v7);
        let (session_id, token_id, grant_id) = match manager.holder {
            Holder::Session(id) => (Some(id), None, None),
            Holder::PersonalToken(id) => (None, Some(id), None),
            Holder::Grant(id) => (None, None, Some(id)),
        };
        let sealed = serde_json::to_vec(&checked.plain()).expect("plain data");
        let new = NewPushSubscription {
            id,
            player_id,
            session_id,
            token_id,
            grant_id,
            endpoint_hash,
            host: checked.target.host().to_owned(),
            label: request.label.as_deref().and_then(label),
            sealed: self.parts().secret.seal(id, &sealed),
            created_at: now,
            not_before: now,
            rate_free_at: now,
        };
        match store::insert(self.database(), &new, manager.holder, MAX_SUBSCRIPTIONS).await? {
            Subscribed::Done => {}
            Subscribed::TooMany => return Err(PushError::TooMany { most: MAX_SUBSCRIPTIONS }),
            Subscribed::AddressNotConfirmed => return Err(PushError::AddressNotConfirmed),
            Subscribed::Ended => return Err(AccountError::Unauthenticated.into()),
        }
        tracing::info!(%player_id, subscription = %id, "subscribed to web push");
        let mine = self.list(manager).await?;
        mine.into_iter().find(|one| one.id == id).ok_or(PushError::NotFound)
    }

    /// The subscriptions that a manager manages, oldest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(&self, manager: &Manager) -> Result<Vec<PushSubscriptionRow>, PushError> {
        let rows = store::list(self.database(), manager, self.now()).await?;
        Ok(rows)
    }

    /// Removes a subscription.
    ///
    /// # Errors
    /// [`PushError::NotFound`], or the database failed.
    pub async fn remove(&self, manager: &Manager, id: Uuid) -> Result<(), PushError> {
        let removed = store::remove(self.database(), manager, id).await?;
        if removed { Ok(()) } else { Err(PushError::NotFound) }
    }

    /// Removes the player's subscription with this address, if there is one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn remove_endpoint(&self, player_id: Uuid, endpoint: &str) -> Result<(), PushError> {
        // What was never an address was never subscribed.
        if let Ok(target) = Target::read(endpoint, self.parts().sender.reach()) {
            let endpoint_hash = sha256(target.as_str().as_bytes());
            store::remove_endpoint(self.database(), player_id, &endpoint_hash).await?;
        }
        Ok(())
    }

    /// Checks what a browser has given. An address from the time when more was allowed is refused now.
    pub(super) fn check(&self, request: &SubscriptionRequest) -> Result<Checked, PushError> {
        let target = Target::read(&request.endpoint, self.parts().sender.reach())?;
        if target.host().len() > MAX_HOST_BYTES {
            return Err(TargetRefused::Unreadable.into());
        }
        let key = decode(&request.p256dh).filter(|key| key.len() == KEY_BYTES);
        let key = key.and_then(|key| PublicKey::from_sec1_bytes(&key).ok());
        let key = key.ok_or(PushError::Key { field: "p256dh", what: "public key" })?;
        let auth = decode(&request.auth).and_then(|auth| auth.try_into().ok());
        let auth = auth.ok_or(PushError::Key { field: "auth", what: "secret of 16 bytes" })?;
        Ok(Checked { target, key, auth })
    }
}

impl Checked {
    /// The same in its usual form, whose length is bounded.
    fn plain(&self) -> SubscriptionRequest {
        SubscriptionRequest {
            endpoint: self.target.as_str().to_owned(),
            p256dh: URL_SAFE_NO_PAD.encode(self.key.to_encoded_point(false).as_bytes()),
            auth: URL_SAFE_NO_PAD.encode(self.auth),
            label: None,
        }
    }
}

fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}

/// A label without what cannot be read; `None` if nothing is left.
fn label(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|sign| !sign.is_control()).take(MAX_LABEL_CHARS).collect();
    let plain = plain.trim();
    (!plain.is_empty()).then(|| plain.to_owned())
}
