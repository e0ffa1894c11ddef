//! What the operations of a sandbox take and answer.

use serde::{Deserialize, Serialize};
use time::Duration;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use pippost_clock::MAX_AHEAD;
use pippost_http::json::{not_null, whole};
use pippost_http::problem::{Code, Problem};
use pippost_record::record::Timestamp;
use pippost_record::rules::schema::{self, named_schema};
use pippost_store::captured_deliveries::CapturedDelivery;
use pippost_webhooks::sender::{AGENT, MEDIA_TYPE};
use pippost_worker::sandbox::{CapturedLink, CapturedMail, MAX_PAGE, Moved, Target};

/// The longest answer to a mail, in characters.
const MAX_ANSWER_CHARS: usize = 4000;

/// Moves the clock by a time.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct AdvanceClockBody {
    /// By how many seconds; 0 only does what is due.
    #[schema(minimum = 0, maximum = 315_619_200, example = 86400)]
    advance_seconds: i64,
}

/// Moves the clock to a time.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct SetClockBody {
    /// The time that the clock shows then; not before the time that it shows now.
    #[schema(format = DateTime, example = "2026-12-24T18:00:00Z")]
    to: String,
}

/// Where to move the clock: either `advance_seconds` or `to`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveClockBody {
    #[serde(default, deserialize_with = "whole")]
    pub advance_seconds: Option<i64>,
    #[serde(default, deserialize_with = "not_null")]
    pub to: Option<String>,
}

named_schema!(
    MoveClockBody,
    "MoveClockBody",
    schema::one_of(
        [schema::name_of::<AdvanceClockBody>(), schema::name_of::<SetClockBody>()],
        "Where to move the clock: either `advance_seconds` or `to`.",
    ),
    with AdvanceClockBody, SetClockBody
);

impl MoveClockBody {
    /// The checked target.
    pub fn target(self) -> Result<Target, Problem> {
        let invalid = |field: &str, why: String| {
            Problem::new(Code::InvalidValue).detail(format!("{field}: {why}")).with("field", field)
        };
        match (self.advance_seconds, self.to) {
            (Some(seconds), None) => {
                let most = MAX_AHEAD.whole_seconds();
                if !(0..=most).contains(&seconds) {
                    return Err(invalid("advance_seconds", format!("0 to {most}")));
                }
                Ok(Target::Later(Duration::seconds(seconds)))
            }
            (None, Some(to)) => {
                let at = Timestamp::read(&to).map(Timestamp::get);
                at.map(Target::At)
                    .ok_or_else(|| invalid("to", "a time as in 2026-12-24T18:00:00Z".to_owned()))
            }
            _ => Err(Problem::new(Code::InvalidValue).detail("give either `advance_seconds` or `to`")),
        }
    }
}

/// The clock of the sandbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockAnswer {
    /// The time that all of the sandbox goes by.
    #[schema(value_type = String, format = DateTime)]
    pub now: Timestamp,
    /// By how many seconds it is ahead of the machine's clock.
    pub ahead_seconds: i64,
    /// By how many more seconds it can be moved.
    pub left_seconds: i64,
    /// How much is due and not done yet: flags, reminders, digests and mails.
    pub due: u64,
}

/// What happened while the clock was moved.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockMoved {
    /// The time that the clock shows now.
    #[schema(value_type = String, format = DateTime)]
    pub now: Timestamp,
    /// By how many seconds it is ahead of the machine's clock.
    pub ahead_seconds: i64,
    /// By how many more seconds it can be moved.
    pub left_seconds: i64,
    /// How much is due and not done yet: flags, reminders, digests and mails. If it is not 0, the time that a request has was too
    /// short: ask once more with `advance_seconds` 0.
    pub due: u64,
    /// At how many times on the way something was due, and was done.
    pub stops: usize,
    /// False: so much was due on the way that the rest of it was done at the end, as after an outage.
    pub on_time: bool,
}

impl From<Moved> for ClockAnswer {
    fn from(moved: Moved) -> Self {
        Self {
            now: Timestamp::new(moved.now),
            ahead_seconds: moved.ahead.whole_seconds(),
            left_seconds: (MAX_AHEAD - moved.ahead).whole_seconds().max(0),
            due: moved.due,
        }
    }
}

impl From<Moved> for ClockMoved {
    fn from(moved: Moved) -> Self {
        let ClockAnswer { now, ahead_seconds, left_seconds, due } = moved.into();
        Self { now, ahead_seconds, left_seconds, due, stops: moved.stops, on_time: moved.on_time }
    }
}

/// Which mails to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SandboxMailsQuery {
    /// `next_cursor` of the page before.
    pub cursor: Option<Uuid>,
    /// Mails on a page, 1 to 100.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: u16,
}

fn default_page() -> u16 {
    20
}

/// The size of a page, if it is possible.
pub fn checked_page(limit: u16) -> Result<u16, Problem> {
    if (1..=MAX_PAGE).contains(&limit) {
        return Ok(limit);
    }
    Err(Problem::new(Code::InvalidValue).detail(format!("limit: 1 to {MAX_PAGE}")).with("field", "limit"))
}

/// A mail that the sandbox has kept instead of sending it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxMail {
    pub id: Uuid,
    /// The kind of mail, such as `turn`.
    pub kind: String,
    /// The address that it was written to.
    pub to: String,
    pub subject: String,
    /// Its plain text.
    pub text: String,
    /// The links in the text.
    pub links: Vec<SandboxLink>,
    /// Where an answer would go; null if the mail cannot be answered.
    pub reply_to: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub sent_at: Timestamp,
}

/// A link in a mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxLink {
    pub url: String,
    /// The token in it, as `/email/confirm` and others take it.
    pub token: Option<String>,
}

impl From<CapturedLink> for SandboxLink {
    fn from(link: CapturedLink) -> Self {
        Self { url: link.url, token: link.token }
    }
}

impl From<CapturedMail> for SandboxMail {
    fn from(mail: CapturedMail) -> Self {
        Self {
            id: mail.id,
            kind: mail.kind,
            to: mail.to,
            subject: mail.subject,
            text: mail.text,
            links: mail.links.into_iter().map(SandboxLink::from).collect(),
            reply_to: mail.reply_to,
            sent_at: Timestamp::new(mail.sent_at),
        }
    }
}

/// A page of mails.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxMails {
    /// Newest first.
    pub mails: Vec<SandboxMail>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<Uuid>,
}

/// Which deliveries to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SandboxDeliveriesQuery {
    /// `next_cursor` of the page before.
    pub cursor: Option<Uuid>,
    /// Deliveries on a page, 1 to 100.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: u16,
}

/// The headers of a delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SandboxDeliveryHeaders {
    pub content_type: &'static str,
    pub user_agent: &'static str,
    /// The event's id, or that of the challenge; of a message of web push that of the notice.
    pub webhook_id: String,
    /// When it was signed by the machine's clock, in seconds since 1970.
    pub webhook_timestamp: String,
    /// `v1,` and the signature; during a rotation two of them, with a space between. Empty of a message of web push.
    pub webhook_signature: String,
}

/// What was sent to a webhook, or by web push.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxDelivery {
    pub id: Uuid,
    /// The id of the webhook, or of the subscription to web push.
    pub webhook: Uuid,
    pub headers: SandboxDeliveryHeaders,
    /// Byte for byte, as it was signed, or before it was encrypted.
    pub body: String,
    /// By the clock of the sandbox.
    #[schema(value_type = String, format = DateTime)]
    pub sent_at: Timestamp,
}

impl From<CapturedDelivery> for SandboxDelivery {
    fn from(delivery: CapturedDelivery) -> Self {
        let headers = SandboxDeliveryHeaders {
            content_type: MEDIA_TYPE,
            user_agent: AGENT,
            webhook_id: delivery.message_id,
            webhook_timestamp: delivery.timestamp.to_string(),
            webhook_signature: delivery.signatures,
        };
        let sent_at = Timestamp::new(delivery.sent_at);
        Self { id: delivery.id, webhook: delivery.webhook_id, headers, body: delivery.body, sent_at }
    }
}

/// A page of deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxDeliveries {
    /// Newest first.
    pub deliveries: Vec<SandboxDelivery>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<Uuid>,
}

/// An answer to a mail.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailAnswerBody {
    /// What the mail's reader writes, as in `d4 n2`; at most 4000 characters.
    #[schema(max_length = 4000, pattern = "^[^\\u0000]*$", example = "d4 n2")]
    pub text: String,
}

impl MailAnswerBody {
    /// The checked text.
    pub fn checked(self) -> Result<String, Problem> {
        if self.text.chars().count() <= MAX_ANSWER_CHARS {
            return Ok(self.text);
        }
        let why = format!("text: at most {MAX_ANSWER_CHARS} characters");
        Err(Problem::new(Code::InvalidValue).detail(why).with("field", "text"))
    }
}
