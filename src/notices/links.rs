//! The addresses that mails link to, in one place.

use url::{Position, Url};

/// Why the public URL cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the public URL must be like https://play.example.org, without query or fragment: {0}")]
pub struct PublicUrlError(String);

/// How players reach the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    /// Without a slash at the end.
    base: String,
    host: String,
}

impl Links {
    /// Links on `public_url`, which may have a path.
    ///
    /// # Errors
    /// It is no such URL.
    pub fn new(public_url: &str) -> Result<Self, PublicUrlError> {
        let url = Url::parse(public_url).map_err(|error| PublicUrlError(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
            return Err(PublicUrlError(public_url.to_owned()));
        }
        let host = url.host_str().ok_or_else(|| PublicUrlError("it names no host".to_owned()))?.to_owned();
        let base = url[..Position::AfterPath].trim_end_matches('/').to_owned();
        Ok(Self { base, host })
    }

    /// The server itself.
    #[must_use]
    pub fn home(&self) -> &str {
        &self.base
    }

    /// The host alone, which the ids of mails end in.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// `path`, which begins with a slash, on this server.
    #[must_use]
    pub fn to(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Confirms an address.
    #[must_use]
    pub fn confirm_email(&self, token: &str) -> String {
        self.to(&format!("/confirm-email?token={token}"))
    }

    /// Sets a new password.
    #[must_use]
    pub fn reset_password(&self, token: &str) -> String {
        self.to(&format!("/reset-password?token={token}"))
    }

    /// Switches mails off and on.
    #[must_use]
    pub fn mail_switch(&self) -> String {
        self.to("/api/v1/account")
    }
}
