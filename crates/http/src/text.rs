//! Texts that requests hold, each checked against the pattern that the document gives for it.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::{Code, Problem};
use pippost_record::rules::schema::{self, named_schema};

/// The longest name of a rule set, in bytes.
const MAX_RULES_NAME_BYTES: usize = 64;

/// The longest token, in bytes.
const MAX_TOKEN_BYTES: usize = 128;

/// The largest number that every JSON library reads exactly: 2^53 - 1.
pub const MAX_EXACT: u64 = (1 << 53) - 1;

/// A text does not have the form that the document gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormError(&'static str);

/// Defines a checked text with its pattern.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $schema:literal, $pattern:literal, $said:literal, $fits:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl TryFrom<String> for $name {
            type Error = FormError;

            fn try_from(text: String) -> Result<Self, FormError> {
                let fits: fn(&str) -> bool = $fits;
                if fits(&text) { Ok(Self(text)) } else { Err(FormError($said)) }
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        named_schema!($name, $schema, schema::text($pattern, $said));
    };
}

checked_text! {
    /// A secret that the server has made: of a link, an invitation or a session.
    TokenText, "TokenText", "^[A-Za-z0-9_.~-]{1,128}$",
    "1 to 128 letters, digits and _ . ~ -, as the server made it.",
    |text| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'~' | b'-');
        (1..=MAX_TOKEN_BYTES).contains(&text.len()) && text.bytes().all(plain)
    }
}

checked_text! {
    /// The name of a rule set, known or not.
    RulesName, "RulesName", "^[a-z0-9-]{1,64}$",
    "The name of a rule set: lower-case words joined by `-`.",
    |text| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        (1..=MAX_RULES_NAME_BYTES).contains(&text.len()) && text.bytes().all(plain)
    }
}

checked_text! {
    /// A title of a game. Whether it can be shown is asked where the game is created.
    TitleText, "TitleText",
    "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\uffff]{0,60}$",
    "What everybody who may see the game reads, without blanks around it.",
    |_| true
}

checked_text! {
    /// A JWS in compact form, whoever signed it.
    CompactJws, "CompactJws", "^[A-Za-z0-9_-]{1,1024}\\.[A-Za-z0-9_-]{1,2048}\\.[A-Za-z0-9_-]{1,1024}$",
    "A JWS in compact form: three parts in base64url, joined by dots.",
    |text| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let parts: Vec<&str> = text.split('.').collect();
        let fits = |part: &str, most: usize| (1..=most).contains(&part.len()) && part.bytes().all(plain);
        matches!(parts[..], [head, body, tag] if fits(head, 1024) && fits(body, 2048) && fits(tag, 1024))
    }
}

checked_text! {
    /// What could be the name of a time zone.
    ZoneName, "ZoneName", "^[A-Za-z0-9_+/-]{1,64}$",
    "The name of a time zone in the IANA database, as in `Europe/Berlin`. One that the server does not know is refused with \
        `unknown_zone`.",
    |text| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'/' | b'-');
        (1..=64).contains(&text.len()) && text.bytes().all(plain)
    }
}

checked_text! {
    /// When a player is reminded.
    ReminderTime, "ReminderTime", "^(([1-9]|[1-6][0-9]|7[0-5])%|([1-9][0-9]{0,2}|1[0-3][0-9]{2}|14[0-3][0-9]|1440)h)$",
    "So much of the time for a turn is left: `1%` to `75%`, or `1h` to `1440h`.",
    |text| pippost_clock::Reminder::parse(text).is_some()
}

/// Checks a member of a body.
///
/// # Errors
/// [`Code::InvalidValue`].
pub fn checked<T>(field: &'static str, text: String) -> Result<T, Problem>
where
    T: TryFrom<String, Error: std::fmt::Display>,
{
    T::try_from(text)
        .map_err(|error| Problem::new(Code::InvalidValue).detail(error.to_string()).with("field", field))
}

/// Whether a character shows nothing: spaces and control characters of Latin-1.
#[must_use]
pub fn is_blank(character: char) -> bool {
    matches!(character, '\0'..='\u{20}' | '\u{7f}'..='\u{a0}')
}

/// Refuses a number that not every JSON library reads exactly.
///
/// # Errors
/// [`Code::InvalidValue`].
pub fn exact(field: &'static str, number: u64) -> Result<u64, Problem> {
    if number <= MAX_EXACT {
        return Ok(number);
    }
    Err(Problem::new(Code::InvalidValue).detail(format!("{field}: at most {MAX_EXACT}")).with("field", field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is<T: TryFrom<String>>(text: &str) -> bool {
        T::try_from(text.to_owned()).is_ok()
    }

    #[test]
    fn texts_are_read_as_their_patterns_say() {
        assert!(is::<TokenText>("ppr_Az09-_.~") && is::<TokenText>(&"a".repeat(128)));
        assert!(is::<RulesName>("two-words") && is::<RulesName>("a"));
        assert!(is::<CompactJws>("eyJ-_.e30.c2ln"));
        assert!(is::<ZoneName>("Etc/GMT+1") && is::<ZoneName>("America/Argentina/Buenos_Aires"));
        for bad in ["", "a b", "ä", "a\n", "a\0", &"a".repeat(129)] {
            assert!(!is::<TokenText>(bad) && !is::<RulesName>(bad) && !is::<ZoneName>(bad), "{bad:?}");
            assert!(!is::<CompactJws>(bad), "{bad:?}");
        }
        for bad in ["a.b", "a.b.c.d", "..", "a.b.", "a.b.c=", &format!("a.{}.c", "b".repeat(2049))] {
            assert!(!is::<CompactJws>(bad), "{bad:?}");
        }
    }

    #[test]
    fn numbers_are_exact_up_to_two_to_the_53() {
        assert_eq!(exact("seq", MAX_EXACT).ok(), Some(9_007_199_254_740_991));
        assert_eq!(exact("seq", MAX_EXACT + 1).err().map(|problem| problem.code()), Some(Code::InvalidValue));
    }
}
