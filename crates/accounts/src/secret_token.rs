//! Tokens of random bytes. The server stores only their SHA-256.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use pippost_keys::secret::sha256;
pub use pippost_keys::secret::{
    APP_ACCESS_PREFIX, APP_REFRESH_PREFIX, CODE_PREFIX, COOKIE_PREFIX, DEVICE_PREFIX, INVITATION_PREFIX,
    PERSONAL_PREFIX, REFRESH_PREFIX,
};
use pippost_keys::{KeyError, random_bytes};

const RANDOM_BYTES: usize = 32;

/// A new token for its owner. Never shown in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

impl SecretToken {
    /// Creates a random token.
    ///
    /// # Errors
    /// The operating system provided no random bytes.
    pub(super) fn draw(prefix: &str) -> Result<Self, KeyError> {
        let random = URL_SAFE_NO_PAD.encode(random_bytes::<RANDOM_BYTES>()?);
        Ok(Self(format!("{prefix}{random}")))
    }

    /// A token that was derived.
    pub(super) fn made(text: String) -> Self {
        Self(text)
    }

    /// The stored form.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        sha256(self.0.as_bytes())
    }

    /// The token itself, shown once.
    #[must_use]
    pub fn reveal(self) -> String {
        self.0
    }
}

impl fmt::Debug for SecretToken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SecretToken(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_do_not_show_in_debug_output() {
        let (first, second) =
            (SecretToken::draw("ppt_").expect("random"), SecretToken::draw("ppt_").expect("random"));
        assert_ne!(first, second);
        assert_eq!(format!("{first:?}"), "SecretToken(hidden)");
        assert_eq!(first.hash(), sha256(first.0.as_bytes()));
        let text = first.reveal();
        assert!(text.starts_with("ppt_") && text.len() == 47, "32 bytes in base64url");
    }
}
