//! Verifies what a server signed, using only its published keys (JWKS, RFC 7517).

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::de::DeserializeOwned;

use super::TokenError;

/// The largest set of keys that is read, in bytes.
pub const MAX_JWKS_BYTES: usize = 64 * 1024;

/// A server's public keys.
pub struct PublicKeys(JwkSet);

impl PublicKeys {
    /// Parses a set of keys; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = text.len() <= MAX_JWKS_BYTES;
        fits.then(|| serde_json::from_str(text).ok()).flatten().map(Self)
    }

    /// The claims of a JWS of that `kind`, and the `kid` of the key that signed it.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn verify<T: DeserializeOwned>(&self, kind: &str, token: &str) -> Result<(T, String), TokenError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Unreadable)?;
        if header.typ.as_deref() != Some(kind) || header.alg != Algorithm::EdDSA {
            return Err(TokenError::Unreadable);
        }
        let kid = header.kid.ok_or(TokenError::UnknownKey)?;
        let key = self.0.find(&kid).ok_or(TokenError::UnknownKey)?;
        let key = DecodingKey::from_jwk(key).map_err(|_| TokenError::UnknownKey)?;
        let decoded = jsonwebtoken::decode(token, &key, &super::signing::no_expiry());
        decoded.map(|decoded| (decoded.claims, kid)).map_err(|_| TokenError::Unreadable)
    }
}
