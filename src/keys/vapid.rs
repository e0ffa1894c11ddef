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
