//! Request and response bodies about subscriptions to web push.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use pippost_record::record::Timestamp;
use pippost_store::push_subscriptions::PushSubscriptionRow;
use pippost_webhooks::push::SubscriptionRequest;

/// What `PushSubscription.toJSON()` of a service worker gives, with a label.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PushSubscriptionBody {
    /// Of the push service: HTTPS at a public host.
    #[schema(max_length = 1024, pattern = "^[^\\u0000]*$", example = "https://push.example.net/send/3f1c")]
    endpoint: String,
    keys: PushKeysBody,
    /// What you know the browser by. What is longer than 64 characters is cut.
    #[serde(default)]
    #[schema(pattern = "^[^\\u0000]*$", example = "Firefox, Linux")]
    label: Option<String>,
    /// Not used.
    #[serde(default, rename = "expirationTime")]
    #[schema(value_type = Option<f64>)]
    _expiration_time: Option<f64>,
}

/// The keys that messages are encrypted with, in base64 for URLs.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushKeysBody {
    /// An uncompressed point of P-256.
    #[schema(
        pattern = "^B[A-P][0-9A-Za-z_-]{84}[AEIMQUYcgkosw048]=*$",
        example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )]
    p256dh: String,
    /// 16 bytes.
    #[schema(pattern = "^[0-9A-Za-z_-]{21}[AQgw]=*$", example = "BTBZMqHH6r4Tts7J_aSIgg")]
    auth: String,
}

impl From<PushSubscriptionBody> for SubscriptionRequest {
    fn from(body: PushSubscriptionBody) -> Self {
        let PushKeysBody { p256dh, auth } = body.keys;
        Self { endpoint: body.endpoint, p256dh, auth, label: body.label }
    }
}

/// A subscription to web push.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushSubscriptionAnswer {
    id: Uuid,
    /// The host of the push service.
    host: String,
    label: Option<String>,
    created_at: Timestamp,
    /// When the push service took the last message; null if it has taken none.
    last_sent_at: Option<Timestamp>,
    /// Since when no message could be given to the push service; null if the last one could.
    failing_since: Option<Timestamp>,
}

impl From<PushSubscriptionRow> for PushSubscriptionAnswer {
    fn from(subscription: PushSubscriptionRow) -> Self {
        Self {
            id: subscription.id,
            host: subscription.host,
            label: subscription.label,
            created_at: Timestamp::new(subscription.created_at),
            last_sent_at: subscription.last_sent_at.map(Timestamp::new),
            failing_since: subscription.failing_since.map(Timestamp::new),
        }
    }
}

/// Subscriptions to web push, and what a new one needs.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushSubscriptionsAnswer {
    /// The `applicationServerKey` of browsers. Null if this server sends nothing by web push.
    public_key: Option<String>,
    push_subscriptions: Vec<PushSubscriptionAnswer>,
}

impl PushSubscriptionsAnswer {
    pub fn new(public_key: Option<&str>, subscriptions: Vec<PushSubscriptionRow>) -> Self {
        Self {
            public_key: public_key.map(str::to_owned),
            push_subscriptions: subscriptions.into_iter().map(PushSubscriptionAnswer::from).collect(),
        }
    }
}
