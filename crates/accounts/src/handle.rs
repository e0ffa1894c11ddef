//! Handles: the public names of players.

use std::fmt;

/// The fewest characters of a handle.
pub const MIN_HANDLE_CHARS: usize = 2;

/// The most characters of a handle.
pub const MAX_HANDLE_CHARS: usize = 32;

/// What the names of guests begin with. Nobody registers such a name.
pub(crate) const GUEST_PREFIX: &str = "guest-";

/// A handle: lower-case letters a to z and digits, with `-` and `_` inside. Upper case is converted, so no two handles differ
/// only in case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Handle(String);

/// The text is not a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a handle has 2 to 32 letters a to z, digits, and inside also - or _")]
pub struct HandleError;

impl Handle {
    /// Parses a handle.
    ///
    /// # Errors
    /// [`HandleError`].
    pub fn parse(text: &str) -> Result<Self, HandleError> {
        let folded = text.to_ascii_lowercase();
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = folded.as_bytes();
        let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return Err(HandleError) };
        let fits = (MIN_HANDLE_CHARS..=MAX_HANDLE_CHARS).contains(&bytes.len());
        let readable = bytes.iter().all(|&byte| plain(byte) || byte == b'-' || byte == b'_');
        if fits && readable && plain(first) && plain(last) { Ok(Self(folded)) } else { Err(HandleError) }
    }

    /// Whether it is the name of a guest.
    #[must_use]
    pub fn is_of_guest(&self) -> bool {
        self.0.starts_with(GUEST_PREFIX)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Handle {
    type Error = HandleError;

    fn try_from(text: String) -> Result<Self, HandleError> {
        Self::parse(&text)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_folded_to_lower_case() {
        assert_eq!(Handle::parse("Ann_B-2").map(|handle| handle.0), Ok("ann_b-2".to_owned()));
        assert!(Handle::parse("ab").is_ok());
        assert!(Handle::parse(&"a".repeat(32)).is_ok());
    }

    #[test]
    fn anything_else_is_no_handle() {
        for bad in
            ["", "a", "-ab", "ab-", "_ab", "ab_", "a b", "a@b", "änn", "a\0b", "ann\n", &"a".repeat(33)]
        {
            assert_eq!(Handle::parse(bad), Err(HandleError), "{bad:?}");
        }
    }
}
