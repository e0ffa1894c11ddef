//! Webhooks, signed as Standard Webhooks says (<https://www.standardwebhooks.com>).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// How old a message may be, and how far ahead a sender's clock.
pub const TOLERANCE: Duration = Duration::from_mins(5);

const PREFIX: &str = "whsec_";

/// Whoever sent it does not have the secret, or sent it long ago. Answer with 401 and believe nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRefused {
    #[error("the secret is none of a webhook")]
    Secret,
    #[error("the time is not of now")]
    Time,
    #[error("no signature fits the secret")]
    Signature,
    #[error("the body is no JSON")]
    Body,
}

/// The headers of a request to your receiver.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'a> {
    /// `webhook-id`
    pub id: &'a str,
    /// `webhook-timestamp`
    pub timestamp: &'a str,
    /// `webhook-signature`
    pub signature: &'a str,
}

/// What to answer as `{"challenge": …}`, so that the webhook becomes active; `None` of other messages.
#[must_use]
pub fn challenge_of(message: &Value) -> Option<&str> {
    message["data"]["challenge"].as_str().filter(|_| message["type"] == "challenge")
}

/// The message in a request to your receiver, if the server that has the webhook's secret sent it. `body` is what came, byte for byte.
///
/// # Errors
/// [`WebhookRefused`].
pub fn verify(
    secret: &str,
    headers: Headers<'_>,
    body: &[u8],
    now: SystemTime,
) -> Result<Value, WebhookRefused> {
    let secret = STANDARD.decode(secret.strip_prefix(PREFIX).unwrap_or(secret));
    let secret = secret.ok().filter(|secret| !secret.is_empty()).ok_or(WebhookRefused::Secret)?;
    let sent = headers.timestamp.parse().map(Duration::from_secs).map_err(|_| WebhookRefused::Time)?;
    let now = now.duration_since(UNIX_EPOCH).map_err(|_| WebhookRefused::Time)?;
    if now.abs_diff(sent) > TOLERANCE {
        return Err(WebhookRefused::Time);
    }
    let signed = [format!("{}.{}.", headers.id, headers.timestamp).as_bytes(), body].concat();
    let key = hmac::Key::new(hmac::HMAC_SHA256, &secret);
    // During a rotation there are two signatures.
    let signatures = headers.signature.split(' ').filter_map(|part| part.strip_prefix("v1,"));
    let mut signatures = signatures.filter_map(|signature| STANDARD.decode(signature).ok());
    if !signatures.any(|signature| hmac::verify(&key, &signed, &signature).is_ok()) {
        return Err(WebhookRefused::Signature);
    }
    serde_json::from_slice(body).map_err(|_| WebhookRefused::Body)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard's libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const HEADERS: Headers<'_> = Headers {
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp: "1614265330",
        signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn the_example_of_the_standard_is_believed_and_nothing_else() {
        let now = at(1_614_265_330);
        assert_eq!(verify(SECRET, HEADERS, BODY, now).expect("a message")["test"], 2_432_232_314_u64);
        let two = Headers { signature: "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", ..HEADERS };
        assert!(verify(SECRET, two, BODY, now).is_ok());
        let refused = |headers, body, now| verify(SECRET, headers, body, now).expect_err("a forgery");
        assert_eq!(refused(HEADERS, br#"{"test": 2432232315}"#, now), WebhookRefused::Signature);
        assert_eq!(refused(Headers { id: "msg_other", ..HEADERS }, BODY, now), WebhookRefused::Signature);
        assert_eq!(refused(Headers { signature: "", ..HEADERS }, BODY, now), WebhookRefused::Signature);
        assert_eq!(refused(Headers { timestamp: "soon", ..HEADERS }, BODY, now), WebhookRefused::Time);
        assert_eq!(refused(HEADERS, BODY, at(1_614_265_630 + 1)), WebhookRefused::Time);
        assert_eq!(refused(HEADERS, BODY, at(1_614_265_030 - 1)), WebhookRefused::Time);
        assert_eq!(verify("whsec_", HEADERS, BODY, now), Err(WebhookRefused::Secret));
    }
}
