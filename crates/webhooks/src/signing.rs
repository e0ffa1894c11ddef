//! Signs deliveries as Standard Webhooks says (<https://www.standardwebhooks.com>): HMAC-SHA256 over id, time and body.

use std::fmt;

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use time::OffsetDateTime;

use pippost_keys::{KeyError, random_bytes};

/// The prefix of secrets.
const PREFIX: &str = "whsec_";

/// The version of the signatures.
const VERSION: &str = "v1";

/// The length of a secret; the standard wants 24 to 64.
const SECRET_BYTES: usize = 32;

/// The headers that a receiver checks.
pub const ID_HEADER: &str = "webhook-id";
pub const TIMESTAMP_HEADER: &str = "webhook-timestamp";
pub const SIGNATURE_HEADER: &str = "webhook-signature";

/// The secret that a webhook and its receiver share.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(Vec<u8>);

impl SigningSecret {
    /// A new secret.
    ///
    /// # Errors
    /// The operating system gave no random bytes.
    pub fn draw() -> Result<Self, KeyError> {
        Ok(Self(random_bytes::<SECRET_BYTES>()?.to_vec()))
    }

    /// The secret with those bytes.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes, to be sealed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The secret as its owner is shown it, once.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// The signature of one message.
    #[must_use]
    pub fn sign(&self, id: &str, at: OffsetDateTime, body: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let signed = format!("{id}.{}.{body}", at.unix_timestamp());
        format!("{VERSION},{}", STANDARD.encode(hmac::sign(&key, signed.as_bytes())))
    }
}

/// Hides the secret from logs.
impl fmt::Debug for SigningSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SigningSecret(secret)")
    }
}

/// The value of the signature's header: one signature for each secret that is valid, the newest first.
#[must_use]
pub fn signatures(secrets: &[SigningSecret], id: &str, at: OffsetDateTime, body: &str) -> String {
    let signatures: Vec<String> = secrets.iter().map(|secret| secret.sign(id, at, body)).collect();
    signatures.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard's libraries.
    #[test]
    fn a_signature_is_that_of_the_known_answer() {
        let secret = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
        let secret = SigningSecret::from_bytes(secret);
        let at = OffsetDateTime::from_unix_timestamp(1_614_265_330).expect("a time");
        let signed = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", at, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(secret.reveal(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }

    #[test]
    fn two_secrets_sign_side_by_side_and_neither_is_shown_in_a_log() {
        let (new, old) = (SigningSecret::draw().expect("a secret"), SigningSecret::draw().expect("a secret"));
        let at = OffsetDateTime::UNIX_EPOCH;
        let both = signatures(&[new.clone(), old.clone()], "id", at, "{}");
        assert_eq!(both, format!("{} {}", new.sign("id", at, "{}"), old.sign("id", at, "{}")));
        assert_ne!(new, old);
        assert_eq!(format!("{new:?}"), "SigningSecret(secret)");
    }
}
