//! Sends deliveries. A host's addresses are looked up and checked, and the connection goes to the very addresses that were checked.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::RequestBuilder;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER, USER_AGENT};
use reqwest::redirect::Policy;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use super::guard::{Reach, Target, is_public};
use super::message::Message;
use super::signing::{self, SigningSecret};
use pippost_store::DeliveryOutcome;

/// The time limit of an attempt: looking up, connecting, sending and the answer.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// The headers that are the same in all deliveries.
pub const MEDIA_TYPE: &str = "application/json";
pub const AGENT: &str = "pippost";

/// The most bytes of an answer that are read.
pub const MAX_ANSWER_BYTES: usize = 4096;

/// How long the body of an answer is read that nobody asked for, so that the connection can be used again.
const REST_TIMEOUT: Duration = Duration::from_millis(100);

/// How long a connection is kept for the next delivery.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// The status of an address that is gone for good, as Standard Webhooks says.
const GONE: u16 = 410;

/// Statuses with which a receiver may say how long to wait: too many requests, and not available.
const ASKING_TO_WAIT: [u16; 2] = [429, 503];

/// Looks up the addresses of a host.
pub type Lookup = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> + Send + Sync>;

/// Decides to which addresses something may be sent.
pub type Allowed = Arc<dyn Fn(IpAddr) -> bool + Send + Sync>;

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub outcome: DeliveryOutcome,
    /// Of the answer, if there was one.
    pub status: Option<u16>,
    pub took: Duration,
    /// How long the receiver asks to wait before the next attempt.
    pub retry_after: Option<time::Duration>,
    /// The beginning of the answer, if it was asked for.
    pub answer: Vec<u8>,
}

impl Attempt {
    /// Nothing was sent: nobody answers there, or nothing may be sent there. Which of the two, and how soon, is told to nobody: it would
    /// tell which names there are inside.
    #[must_use]
    pub fn not_reached() -> Self {
        let outcome = DeliveryOutcome::Unreachable;
        Self { outcome, status: None, took: Duration::ZERO, retry_after: None, answer: Vec::new() }
    }

    /// The message was taken without being sent: by a sandbox, which keeps it.
    #[must_use]
    pub fn kept() -> Self {
        Self { outcome: DeliveryOutcome::Delivered, ..Self::not_reached() }
    }

    /// Nothing was sent, because this server cannot read what it needs: the address, the secret or the event.
    #[must_use]
    pub fn not_readable() -> Self {
        Self { outcome: DeliveryOutcome::NotReadable, ..Self::not_reached() }
    }

    /// Whether the receiver says that nothing will ever be received there.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.status == Some(GONE)
    }
}

/// A message with what its receiver checks: what one attempt sends.
#[derive(Clone, Debug)]
pub struct SignedMessage {
    pub message: Message,
    /// When it was signed, in seconds since 1970.
    pub timestamp: i64,
    pub signatures: String,
}

impl SignedMessage {
    /// The message, signed at that time.
    #[must_use]
    pub fn new(message: Message, secrets: &[SigningSecret], now: OffsetDateTime) -> Self {
        let signatures = signing::signatures(secrets, &message.id, now, &message.body);
        Self { message, timestamp: now.unix_timestamp(), signatures }
    }
}

/// What one attempt gives to a push service.
#[derive(Clone)]
pub struct PushRequest {
    /// Encrypted (RFC 8291).
    pub body: Vec<u8>,
    /// Shows who sends (RFC 8292).
    pub authorization: String,
    /// How long the service keeps it for a browser that is not connected.
    pub lifetime_seconds: i64,
    /// A message that the service still keeps under this name is replaced.
    pub topic: String,
    pub urgency: &'static str,
}

/// Sends messages to webhooks and push services. Cheap to clone.
#[derive(Clone)]
pub struct Sender {
    http: reqwest::Client,
    reach: Reach,
    allowed: Allowed,
}

/// The sender cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("TLS for webhooks cannot be set up: {0}")]
pub struct SenderError(String);

impl Sender {
    /// A sender to that part of the world.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn new(reach: Reach) -> Result<Self, SenderError> {
        let allowed: Allowed = match reach {
            Reach::Public => Arc::new(is_public),
            Reach::Anywhere => Arc::new(|_| true),
        };
        Self::with(reach, allowed, Arc::new(|host| look_up(host).boxed()), ATTEMPT_TIMEOUT)
    }

    /// A sender with other parts, for tests.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn with(
        reach: Reach,
        allowed: Allowed,
        lookup: Lookup,
        timeout: Duration,
    ) -> Result<Self, SenderError> {
        let resolver = Arc::new(CheckedLookup { lookup, allowed: Arc::clone(&allowed) });
        let http = reqwest::Client::builder()
            .use_preconfigured_tls(tls()?)
            .dns_resolver(resolver)
            // A proxy would look up the host by itself.
            .no_proxy()
            .redirect(Policy::none())
            .http1_only()
            .timeout(timeout)
            .pool_max_idle_per_host(1)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build()
            .map_err(|error| SenderError(error.to_string()))?;
        Ok(Self { http, reach, allowed })
    }

    /// Where webhooks may lead.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Sends one message once. The status decides; a receiver that is slow to answer more does not hold anybody up.
    pub async fn send(&self, target: &Target, message: SignedMessage) -> Attempt {
        let (attempt, answer) = self.post(target, message).await;
        if let Some(answer) = answer {
            let _read_or_late = tokio::time::timeout(REST_TIMEOUT, beginning(answer)).await;
        }
        attempt
    }

    /// As [`Sender::send`], and reads the beginning of the answer.
    pub async fn ask(&self, target: &Target, message: SignedMessage) -> Attempt {
        let (mut attempt, answer) = self.post(target, message).await;
        if let Some(answer) = answer {
            attempt.answer = beginning(answer).await;
        }
        attempt
    }

    /// Gives a message to a push service (RFC 8030) once. Besides what came of it, says how long the service asks to wait.
    pub async fn push(
        &self,
        target: &Target,
        request: PushRequest,
        now: OffsetDateTime,
    ) -> (Attempt, Option<time::Duration>) {
        let (attempt, answer) = self
            .request(target, |http| {
                http.header(CONTENT_TYPE, "application/octet-stream")
                    .header(CONTENT_ENCODING, "aes128gcm")
                    .header(AUTHORIZATION, request.authorization)
                    .header("ttl", request.lifetime_seconds.max(0).to_string())
                    .header("topic", request.topic)
                    .header("urgency", request.urgency)
                    .body(request.body)
            })
            .await;
        let wait = answer.as_ref().and_then(|answer| retry_after(answer.headers(), now));
        if let Some(answer) = answer {
            let _read_or_late = tokio::time::timeout(REST_TIMEOUT, beginning(answer)).await;
        }
        (attempt, wait)
    }

    async fn post(&self, target: &Target, signed: SignedMessage) -> (Attempt, Option<reqwest::Response>) {
        let SignedMessage { message, timestamp, signatures } = signed;
        let (mut attempt, answer) = self
            .request(target, |http| {
                http.header(CONTENT_TYPE, MEDIA_TYPE)
                    .header(signing::ID_HEADER, message.id)
                    .header(signing::TIMESTAMP_HEADER, timestamp.to_string())
                    .header(signing::SIGNATURE_HEADER, signatures)
                    .body(message.body)
            })
            .await;
        let asks = answer.as_ref().filter(|answer| ASKING_TO_WAIT.contains(&answer.status().as_u16()));
        attempt.retry_after = asks.and_then(|answer| {
            let now = OffsetDateTime::from_unix_timestamp(timestamp).ok()?;
            retry_after(answer.headers(), now)
        });
        (attempt, answer)
    }

    async fn request(
        &self,
        target: &Target,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> (Attempt, Option<reqwest::Response>) {
        let begun = Instant::now();
        let ended = |outcome, status| Attempt {
            outcome,
            status,
            took: begun.elapsed(),
            retry_after: None,
            answer: Vec::new(),
        };
        if target.literal_address().is_some_and(|address| !(self.allowed)(address)) {
            return (Attempt::not_reached(), None);
        }
        let request = fill(self.http.post(target.as_str()).header(USER_AGENT, AGENT));
        match request.send().await {
            Ok(answer) => {
                let status = answer.status();
                let outcome =
                    if status.is_success() { DeliveryOutcome::Delivered } else { DeliveryOutcome::Refused };
                (ended(outcome, Some(status.as_u16())), Some(answer))
            }
            Err(error) => match outcome_of(&error) {
                DeliveryOutcome::Unreachable => (Attempt::not_reached(), None),
                outcome => (ended(outcome, None), None),
            },
        }
    }
}

/// How long an answer asks to wait, in seconds or until a date.
fn retry_after(headers: &HeaderMap, now: OffsetDateTime) -> Option<time::Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(time::Duration::seconds(seconds.into()));
    }
    let until = OffsetDateTime::parse(text, &Rfc2822).ok()?;
    Some((until - now).max(time::Duration::ZERO))
}

/// The beginning of an answer; what is longer is not read, and what breaks off ends there.
async fn beginning(mut answer: reqwest::Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        body.extend_from_slice(&chunk[..chunk.len().min(MAX_ANSWER_BYTES - body.len())]);
        if body.len() == MAX_ANSWER_BYTES {
            break;
        }
    }
    body
}

fn outcome_of(error: &reqwest::Error) -> DeliveryOutcome {
    if error.is_timeout() { DeliveryOutcome::TooSlow } else { DeliveryOutcome::Unreachable }
}

/// A host has an address to which nothing may be sent.
#[derive(Clone, Copy, Debug)]
struct NotAllowed;

impl fmt::Display for NotAllowed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the host is not, or not only, at public addresses")
    }
}

impl Error for NotAllowed {}

/// Gives the client the addresses that were checked, and none if one of them is not allowed.
struct CheckedLookup {
    lookup: Lookup,
    allowed: Allowed,
}

impl Resolve for CheckedLookup {
    fn resolve(&self, name: Name) -> Resolving {
        let (found, allowed) = ((self.lookup)(name.as_str().to_owned()), Arc::clone(&self.allowed));
        Box::pin(async move {
            let found = found.await?;
            if !found.iter().all(|address| allowed(*address)) {
                return Err(NotAllowed.into());
            }
            // The client puts the port of the URL in.
            let addresses: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}

async fn look_up(host: String) -> io::Result<Vec<IpAddr>> {
    let found = tokio::net::lookup_host((host, 0)).await?;
    Ok(found.map(|address| address.ip()).collect())
}

/// TLS with the certificate authorities of browsers.
fn tls() -> Result<rustls::ClientConfig, SenderError> {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| SenderError(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_wait_is_asked_for_in_seconds_or_until_a_date() {
        let now = datetime!(2026-11-21 12:00 UTC);
        let asked = |text: &'static str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().expect("a value"))]);
            retry_after(&headers, now).map(time::Duration::whole_seconds)
        };
        assert_eq!(asked("120"), Some(120));
        assert_eq!(asked("Sat, 21 Nov 2026 12:01:00 GMT"), Some(60));
        assert_eq!(asked("Sat, 21 Nov 2026 11:00:00 GMT"), Some(0));
        for unreadable in ["", "-1", "soon", "99999999999999999999"] {
            assert_eq!(asked(unreadable), None, "{unreadable}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
