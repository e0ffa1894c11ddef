//! Who gives out tokens.

/// This server as an issuer of tokens: its public address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer(String);

impl Issuer {
    /// The issuer at a public address.
    #[must_use]
    pub fn at(public_url: &str) -> Self {
        Self(public_url.trim_end_matches('/').to_owned())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
