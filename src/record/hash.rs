//! 32 bytes, written as lower-case hex.

use std::fmt;

use aws_lc_rs::digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A SHA-256 value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// SHA-256 of the parts, joined.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut context = digest::Context::new(&digest::SHA256);
        for part in parts {
            context.update(part);
        }
        Self(context.finish().as_ref().try_into().expect("SHA-256 has 32 bytes"))
    }

    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hex(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_hex(deserializer).map(Self)
    }
}

/// Writes 32 bytes as 64 hex digits.
pub(super) fn serialize_hex<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = [0; 64];
    hex::encode_to_slice(bytes, &mut text).expect("twice as long");
    serializer.serialize_str(std::str::from_utf8(&text).expect("hex is ASCII"))
}

/// Reads 64 lower-case hex digits.
pub(super) fn deserialize_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
    let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
    read_hex(&text).ok_or_else(|| serde::de::Error::custom("32 bytes in lower-case hex expected"))
}

/// 64 lower-case hex digits as 32 bytes.
pub(super) fn read_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let readable = is_lower_hex(text) && hex::decode_to_slice(text, &mut bytes).is_ok();
    readable.then_some(bytes)
}

/// Digits and the letters a to f only.
pub(super) fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
