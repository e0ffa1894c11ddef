//! Handles: the public names of players.

use std::fmt;
use std::hash::{Hash, Hasher};

/// The fewest characters of a handle.
pub const MIN_HANDLE_CHARS: usize = 2;

/// The most characters of a handle.
pub const MAX_HANDLE_CHARS: usize = 32;

/// What the names of guests begin with. Nobody registers such a name.
pub(crate) const GUEST_PREFIX: &str = "guest-";

/// A handle: letters a to z and digits, with `-` and `_` inside. It keeps its capitals, and is the same handle with others, so no two
/// players differ only in case.
#[derive(Clone, Debug)]
pub struct Handle {
    typed: String,
    key: String,
}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Handle {}

impl Hash for Handle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

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
        let key = text.to_ascii_lowercase();
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = key.as_bytes();
        let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return Err(HandleError) };
        let fits = (MIN_HANDLE_CHARS..=MAX_HANDLE_CHARS).contains(&bytes.len());
        let readable = bytes.iter().all(|&byte| plain(byte) || byte == b'-' || byte == b'_');
        if fits && readable && plain(first) && plain(last) {
            Ok(Self { typed: text.to_owned(), key })
        } else {
            Err(HandleError)
        }
    }

    /// Whether it is the name of a guest.
    #[must_use]
    pub fn is_of_guest(&self) -> bool {
        self.key.starts_with(GUEST_PREFIX)
    }

    /// As its owner has typed it, for people.
    #[must_use]
    pub fn as_typed(&self) -> &str {
        &self.typed
    }

    /// In lower case, to look for and to count by.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
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
        out.write_str(&self.typed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_keep_their_capitals_and_are_the_same_with_others() {
        let typed = Handle::parse("Ann_B-2").expect("a handle");
        assert_eq!(
            (typed.as_typed(), typed.key(), typed.to_string()),
            ("Ann_B-2", "ann_b-2", "Ann_B-2".into())
        );
        assert_eq!(typed, Handle::parse("aNN_b-2").expect("a handle"));
        assert_ne!(typed, Handle::parse("Ann-B-2").expect("a handle"));
        assert!(Handle::parse("Guest-2a").expect("a handle").is_of_guest());
        assert!(Handle::parse("ab").is_ok());
        assert!(Handle::parse(&"a".repeat(32)).is_ok());
    }

    #[test]
    fn anything_else_is_no_handle() {
        for bad in [
            "",
            "a",
            "-ab",
            "ab-",
            "_ab",
            "ab_",
            "a b",
            "a@b",
            "änn",
            "İnn",
            "\u{212a}en",
            "a\0b",
            "ann\n",
            &"a".repeat(33),
        ] {
            assert_eq!(Handle::parse(bad), Err(HandleError), "{bad:?}");
        }
    }
}
