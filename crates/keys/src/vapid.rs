//! The key by which push services know this server (VAPID, RFC 8292). It is derived from the secret key, so there is nothing to configure,
//! and a server that keeps its secret key keeps its subscriptions.

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::KeyError;

/// The header of the tokens: `{"typ":"JWT","alg":"ES256"}`.
const HEADER: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9";

/// What a push service checks.
#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: i64,
    sub: &'a str,
}

/// An ECDSA key on P-256.
pub struct VapidKey {
    pair: EcdsaKeyPair,
    /// The uncompressed point, in base64.
    public: String,
}

impl VapidKey {
    /// The key with this private number; `None` if no key has it, which one in four thousand million has not.
    #[must_use]
    pub(super) fn from_number(number: &[u8; 32]) -> Option<Self> {
        let public = PrivateKey::from_private_key(&ECDH_P256, number).ok()?.compute_public_key().ok()?;
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let pair = EcdsaKeyPair::from_private_key_and_public_key(algorithm, number, public.as_ref()).ok()?;
        Some(Self { pair, public: URL_SAFE_NO_PAD.encode(public.as_ref()) })
    }

    /// The public key as browsers take it: the uncompressed point in base64, without padding.
    #[must_use]
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The value of the header `Authorization` for a push service at `origin`, good until `expires_at` in seconds since 1970. `contact` is
    /// where its operators reach those of this server.
    ///
    /// # Errors
    /// The operating system gave no random bytes.
    pub fn authorization(&self, origin: &str, expires_at: i64, contact: &str) -> Result<String, KeyError> {
        let claims = Claims { aud: origin, exp: expires_at, sub: contact };
        let claims = serde_json::to_vec(&claims).expect("claims are plain data");
        let signed = format!("{HEADER}.{}", URL_SAFE_NO_PAD.encode(claims));
        let signature =
            self.pair.sign(&SystemRandom::new(), signed.as_bytes()).map_err(|_| KeyError::Random)?;
        Ok(format!("vapid t={signed}.{}, k={}", URL_SAFE_NO_PAD.encode(signature), self.public))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SecretKey;

    #[test]
    fn a_secret_key_has_one_key_for_push_services_and_another_has_another() {
        let key = |digit: &str| SecretKey::from_hex(&digit.repeat(64)).expect("64 digits");
        assert_eq!(key("1").vapid().public(), key("1").vapid().public());
        assert_ne!(key("1").vapid().public(), key("2").vapid().public());
        let point = URL_SAFE_NO_PAD.decode(key("1").vapid().public()).expect("base64");
        assert_eq!((point.len(), point[0]), (65, 4), "an uncompressed point");
    }

    #[test]
    fn numbers_that_are_no_keys_make_none() {
        assert!(VapidKey::from_number(&[0; 32]).is_none());
        assert!(VapidKey::from_number(&[0xff; 32]).is_none());
        let mut one = [0; 32];
        one[31] = 1;
        assert!(VapidKey::from_number(&one).is_some());
    }

    #[test]
    fn the_header_is_what_it_says() {
        assert_eq!(URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"ES256"}"#), HEADER);
    }
}
