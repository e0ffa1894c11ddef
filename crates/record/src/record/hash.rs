//! 32 bytes, written as lower-case hex.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::rules::schema::{self, named_schema};

/// 32 bytes as they are written.
pub(super) const HEX_PATTERN: &str = "^[0-9a-f]{64}$";

/// A SHA-256 value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

named_schema!(Hash, "Hash", schema::text(HEX_PATTERN, "A SHA-256 value: 64 lower-case hexadecimal digits."));

impl Hash {
    /// SHA-256 of the concatenated parts.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update(part);
        }
        Self(digest.finalize().into())
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

/// Parses 64 lower-case hex digits.
pub(super) fn deserialize_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
    let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
    read_hex(text.as_bytes()).ok_or_else(|| serde::de::Error::custom("32 bytes in lower-case hex expected"))
}

/// 64 lower-case hex digits as 32 bytes.
pub(super) fn read_hex(digits: &[u8]) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = digits.try_into().ok()?;
    let (mut bytes, mut worst) = ([0; 32], 0);
    for (byte, pair) in bytes.iter_mut().zip(digits.as_chunks::<2>().0) {
        let [high, low] = pair.map(|digit| VALUES[usize::from(digit)]);
        worst |= high | low;
        *byte = high << 4 | low;
    }
    (worst < NO_DIGIT).then_some(bytes)
}

/// The value of a byte that is no lower-case hex digit; digits are less.
const NO_DIGIT: u8 = 0x10;

/// The value of every byte as a lower-case hex digit.
static VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value as usize] as usize] = value;
        value += 1;
    }
    values
};

/// Whether the text has only digits and the letters a to f.
pub(super) fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sixty_four_lower_case_digits_are_read() {
        let text = "00ff".repeat(15) + "0a9f";
        assert_eq!(read_hex(text.as_bytes()).map(hex::encode), Some(text.clone()));
        for byte in (0..=255_u8).filter(|byte| !b"0123456789abcdef".contains(byte)) {
            for index in [0, 31, 63] {
                let mut digits = text.clone().into_bytes();
                digits[index] = byte;
                assert_eq!(read_hex(&digits), None, "{byte} at {index}");
            }
        }
        assert_eq!(read_hex(&text.as_bytes()[1..]), None);
        assert_eq!(read_hex((text + "0").as_bytes()), None);
    }
}
