//! The parameters of OAuth requests: a query, or a form.

use std::collections::BTreeMap;
use std::fmt;

use super::OAuthError;

/// Parameters by name. One without a value counts as missing, and none may come twice (RFC 6749, section 3.1).
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Parameters(BTreeMap<String, String>);

impl Parameters {
    /// Reads `application/x-www-form-urlencoded` text.
    ///
    /// # Errors
    /// A parameter comes twice.
    pub fn read(text: &[u8]) -> Result<Self, OAuthError> {
        let mut found = BTreeMap::new();
        for (name, value) in url::form_urlencoded::parse(text) {
            if found.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err(OAuthError::request("a parameter comes twice"));
            }
        }
        found.retain(|_, value| !value.is_empty());
        Ok(Self(found))
    }

    /// The value of a parameter that may be missing.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value of a parameter.
    ///
    /// # Errors
    /// It is missing: `why` says so.
    pub(super) fn need(&self, name: &str, why: &'static str) -> Result<&str, OAuthError> {
        self.get(name).ok_or(OAuthError::request(why))
    }
}

/// Hides the values, among which are codes, tokens and passwords.
impl fmt::Debug for Parameters {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Parameters(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_empty_ones_are_missing() {
        let read = Parameters::read(b"a=1+%2B%C3%A4&b=&c").expect("parameters");
        assert_eq!((read.get("a"), read.get("b"), read.get("c")), (Some("1 +\u{e4}"), None, None));
        assert_eq!(format!("{read:?}"), "Parameters(hidden)");
    }

    #[test]
    fn a_parameter_that_comes_twice_is_refused_even_if_it_is_the_same() {
        for text in ["a=1&a=2", "a=1&a=1", "a=&a=1", "a=1&%61=1"] {
            assert!(Parameters::read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
