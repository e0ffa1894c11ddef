//! Request and response bodies about webhooks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::json::not_null;
use crate::problem::{Code, Problem};
use pippost_record::record::Timestamp;
use pippost_record::rules::schema::{self, named_schema};
use pippost_store::event_id::NoEventId;
use pippost_store::webhook_deliveries::DeliveryRow;
use pippost_store::{DeliveryOutcome, EventId, WebhookFormat, WebhookKind, WebhookState};
use pippost_webhooks::guard::MAX_URL_BYTES;
use pippost_webhooks::{
    MAX_CHALLENGE_CHARS, Rotated, SigningSecret, Webhook, WebhookChanges, WebhookRequest,
};

/// The kinds of a webhook, for the document.
pub enum WebhookKinds {}

named_schema!(WebhookKinds, "WebhookKinds", schema::set_of::<WebhookKind>(1..=6, "What a webhook is told of."), with WebhookKind);

/// The id of an event, for the document.
pub enum EventIdText {}

named_schema!(
    EventIdText,
    "EventId",
    schema::text(
        "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:(0|[1-9][0-9]{0,17})$",
        "The id of an event: the id of its game or tournament, a colon and `seq`.",
    )
);

/// The address of a webhook, for the document.
pub enum WebhookUrlText {}

named_schema!(
    WebhookUrlText,
    "WebhookUrl",
    schema::text(
        "^https?://[!-~]{1,1000}$",
        "`https`, on port 443 or one from 1024 on, without user, password and fragment; `webhook_url_refused` otherwise, and if the host \
         is written as an address that is not public.",
    )
);

/// A webhook to register.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhookBody {
    #[schema(value_type = WebhookUrlText, example = "https://hooks.example.org/pippost")]
    pub url: String,
    /// `standard` if it is missing.
    pub format: Option<WebhookFormat>,
    #[schema(value_type = WebhookKinds, example = json!(["turn", "game_over"]))]
    pub kinds: Vec<WebhookKind>,
    /// The only game that it is told of, one that you are in: else `not_found`.
    pub game: Option<Uuid>,
    /// It is told of what comes after this event of your feed (`GET /me/feed`), `not_found` if there is no such event. Without it, of
    /// what comes from now on.
    #[schema(value_type = Option<EventIdText>)]
    pub after: Option<String>,
}

/// A change of a webhook; missing members stay as they are.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::option_option, reason = "null and missing are two things")]
pub struct WebhookChangeBody {
    /// Another address has to be verified.
    #[schema(value_type = Option<WebhookUrlText>, example = "https://hooks.example.org/games")]
    pub url: Option<String>,
    /// Another format has to be verified.
    pub format: Option<WebhookFormat>,
    #[schema(value_type = Option<WebhookKinds>)]
    pub kinds: Option<Vec<WebhookKind>>,
    /// The only game that it is told of; null: all your games.
    #[serde(default, deserialize_with = "not_null")]
    #[schema(value_type = Option<Uuid>)]
    pub game: Option<Option<Uuid>>,
    /// It is told of everything after this event of your feed, once more or for the first time.
    #[schema(value_type = Option<EventIdText>)]
    pub after: Option<String>,
    /// False: nothing is delivered to an active webhook any more. True: one that you disabled goes on where it stopped; any other that
    /// is not active is `webhook_not_verified`.
    pub enabled: Option<bool>,
}

fn event_id(text: Option<&str>, field: &str) -> Result<Option<EventId>, Problem> {
    let read = |text: &str| {
        text.parse::<EventId>()
            .map_err(|why| Problem::new(Code::InvalidValue).detail(why.to_string()).with("field", field))
    };
    text.map(read).transpose()
}

fn kinds_of(kinds: &[WebhookKind]) -> Result<Vec<WebhookKind>, Problem> {
    let is_twice = (1..kinds.len()).any(|index| kinds[..index].contains(&kinds[index]));
    if kinds.is_empty() || is_twice {
        let problem = Problem::new(Code::InvalidValue).detail("at least one kind, each at most once");
        return Err(problem.with("field", "kinds"));
    }
    Ok(kinds.to_vec())
}

/// The form that the document describes; what it leads to is checked later.
fn check_url(url: &str) -> Result<(), Problem> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    if rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
        && url.len() <= MAX_URL_BYTES
    {
        return Ok(());
    }
    let why =
        format!("an address that begins with https://, at most {MAX_URL_BYTES} visible ASCII characters");
    Err(Problem::new(Code::InvalidValue).detail(why).with("field", "url"))
}

impl NewWebhookBody {
    pub fn parse(self) -> Result<WebhookRequest, Problem> {
        check_url(&self.url)?;
        Ok(WebhookRequest {
            kinds: kinds_of(&self.kinds)?,
            after: event_id(self.after.as_deref(), "after")?,
            url: self.url,
            format: self.format.unwrap_or_default(),
            game_id: self.game,
        })
    }
}

impl WebhookChangeBody {
    pub fn parse(self) -> Result<WebhookChanges, Problem> {
        self.url.as_deref().map(check_url).transpose()?;
        Ok(WebhookChanges {
            kinds: self.kinds.as_deref().map(kinds_of).transpose()?,
            after: event_id(self.after.as_deref(), "after")?,
            url: self.url,
            format: self.format,
            game_id: self.game,
            is_enabled: self.enabled,
        })
    }
}

/// A challenge that was sent to a webhook.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChallengeBody {
    #[schema(
        min_length = 1,
        max_length = 64,
        pattern = "^[0-9A-Za-z]+$",
        example = "K5TEMVXQ2BLEYQJZ4HWVDB2T6A"
    )]
    pub challenge: String,
}

impl ChallengeBody {
    pub fn parse(self) -> Result<String, Problem> {
        let is_plain = self.challenge.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if (1..=MAX_CHALLENGE_CHARS).contains(&self.challenge.len()) && is_plain {
            return Ok(self.challenge);
        }
        let why = format!("1 to {MAX_CHALLENGE_CHARS} letters and digits");
        Err(Problem::new(Code::InvalidValue).detail(why).with("field", "challenge"))
    }
}

/// An event to deliver once more.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedeliverBody {
    /// An event of your feed or tournaments, else `not_found`.
    #[schema(value_type = EventIdText, example = "01a1fe2a-89df-7515-9c5d-9fde96828ff2:17")]
    pub event: String,
}

impl RedeliverBody {
    pub fn parse(self) -> Result<EventId, Problem> {
        self.event.parse().map_err(|why: NoEventId| {
            Problem::new(Code::InvalidValue).detail(why.to_string()).with("field", "event")
        })
    }
}

/// A webhook of yours.
#[derive(Serialize, ToSchema)]
pub struct WebhookAnswer {
    id: Uuid,
    /// Null if this server cannot read it any more: give it an address anew.
    url: Option<String>,
    format: WebhookFormat,
    #[schema(value_type = WebhookKinds)]
    kinds: Vec<WebhookKind>,
    /// The only game that it is told of; null for all.
    game: Option<Uuid>,
    state: WebhookState,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Up to this event of your feed it has been told; null before the first.
    #[schema(value_type = Option<EventIdText>)]
    cursor: Option<String>,
    /// Since when deliveries fail; null while they succeed.
    #[schema(value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
    /// When the failed delivery is tried again; null if none waits.
    #[schema(value_type = Option<String>, format = DateTime)]
    retry_at: Option<Timestamp>,
    /// Until when the secret before it signs as well; null if only one signs.
    #[schema(value_type = Option<String>, format = DateTime)]
    previous_secret_until: Option<Timestamp>,
}

impl From<Webhook> for WebhookAnswer {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id,
            url: webhook.target,
            format: webhook.format,
            kinds: webhook.kinds,
            game: webhook.game_id,
            state: webhook.state,
            created_at: Timestamp::new(webhook.created_at),
            cursor: webhook.cursor.map(|id| id.to_string()),
            failing_since: webhook.failing_since.map(Timestamp::new),
            retry_at: webhook.retry_at.map(Timestamp::new),
            previous_secret_until: webhook.previous_until.map(Timestamp::new),
        }
    }
}

/// Your webhooks.
#[derive(Serialize, ToSchema)]
pub struct WebhooksAnswer {
    /// Oldest first.
    pub webhooks: Vec<WebhookAnswer>,
}

/// A webhook that has just been registered.
#[derive(Serialize, ToSchema)]
pub struct NewWebhookAnswer {
    #[serde(flatten)]
    about: WebhookAnswer,
    /// The secret that signs: shown this once.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]+=*$")]
    secret: String,
}

impl NewWebhookAnswer {
    pub fn new(webhook: Webhook, secret: &SigningSecret) -> Self {
        Self { about: webhook.into(), secret: secret.reveal() }
    }
}

/// Another secret of a webhook.
#[derive(Serialize, ToSchema)]
pub struct SecretAnswer {
    /// The secret that signs from now on: shown this once.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]+=*$")]
    secret: String,
    /// Until then the secret that it had signs as well.
    #[schema(value_type = String, format = DateTime)]
    previous_secret_until: Timestamp,
}

impl From<Rotated> for SecretAnswer {
    fn from(rotated: Rotated) -> Self {
        let previous_secret_until = Timestamp::new(rotated.previous_until);
        Self { secret: rotated.secret.reveal(), previous_secret_until }
    }
}

/// An attempt to deliver.
#[derive(Serialize, ToSchema)]
pub struct DeliveryAnswer {
    id: Uuid,
    /// Also the `webhook-id` of the request; null of a challenge.
    #[schema(value_type = Option<EventIdText>)]
    event: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    outcome: DeliveryOutcome,
    /// The status of the answer; null if there was none.
    status: Option<i16>,
    /// How long it took.
    milliseconds: i32,
}

impl From<DeliveryRow> for DeliveryAnswer {
    fn from(row: DeliveryRow) -> Self {
        let event = row.game_id.zip(row.seq).map(|(game_id, seq)| EventId { game_id, seq }.to_string());
        Self {
            id: row.id,
            event,
            at: Timestamp::new(row.at),
            outcome: row.outcome,
            status: row.status,
            milliseconds: row.milliseconds,
        }
    }
}

/// The newest attempts of a webhook.
#[derive(Serialize, ToSchema)]
pub struct DeliveriesAnswer {
    /// Newest first, at most a hundred; older ones are forgotten.
    pub deliveries: Vec<DeliveryAnswer>,
}

/// A challenge that was sent.
#[derive(Serialize, ToSchema)]
pub struct ChallengedAnswer {
    /// The webhook now: `active` if the answer carried the challenge.
    pub webhook: WebhookAnswer,
    pub delivery: DeliveryAnswer,
}
