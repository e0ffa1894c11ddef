//! Builds the links in mails.

use url::{Position, Url};

/// Why the public URL cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the public URL must be like https://play.example.org, without query or fragment: {0}")]
pub struct PublicUrlError(String);

/// Builds links to this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    /// Without a slash at the end.
    base: String,
    host: String,
}

impl Links {
    /// Creates links from `public_url`, which may have a path.
    ///
    /// # Errors
    /// The URL cannot be used.
    pub fn new(public_url: &str) -> Result<Self, PublicUrlError> {
        let url = Url::parse(public_url).map_err(|error| PublicUrlError(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
            return Err(PublicUrlError(public_url.to_owned()));
        }
        let host = url.host_str().ok_or_else(|| PublicUrlError("it names no host".to_owned()))?.to_owned();
        let base = url[..Position::AfterPath].trim_end_matches('/').to_owned();
        Ok(Self { base, host })
    }

    /// The server's home page.
    #[must_use]
    pub fn home(&self) -> &str {
        &self.base
    }

    /// The host without a port; mail ids end with it.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The URL of `path`, which begins with a slash.
    #[must_use]
    pub fn to(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The link that confirms an address.
    #[must_use]
    pub fn confirm_email(&self, token: &str) -> String {
        self.to(&format!("/confirm-email?token={token}"))
    }

    /// The link that sets a new password.
    #[must_use]
    pub fn reset_password(&self, token: &str) -> String {
        self.to(&format!("/reset-password?token={token}"))
    }

    /// The link by which somebody registers who is invited to this server.
    #[must_use]
    pub fn sign_up(&self, invitation: &str) -> String {
        self.to(&format!("/sign-up?invitation={invitation}"))
    }

    /// The link that switches off a kind of mail.
    #[must_use]
    pub fn unsubscribe(&self, token: &str) -> String {
        self.to(&format!("/unsubscribe?token={token}"))
    }

    /// The link to what an operator did about a player, which appeals against it.
    #[must_use]
    pub fn appeal(&self, token: &str) -> String {
        self.to(&format!("/moderation/act?token={token}"))
    }

    /// The page for trying the API.
    #[must_use]
    pub fn api_page(&self) -> String {
        self.to("/docs/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_on_the_public_url_with_its_path() {
        for (url, home) in [
            ("https://play.example.org", "https://play.example.org"),
            ("https://play.example.org:8443/pippost/", "https://play.example.org:8443/pippost"),
        ] {
            let links = Links::new(url).expect("a URL");
            assert_eq!(links.home(), home);
            assert_eq!(links.host(), "play.example.org");
            assert_eq!(links.confirm_email("abc"), format!("{home}/confirm-email?token=abc"));
        }
    }

    #[test]
    fn what_is_no_public_url_is_refused() {
        for url in
            ["", "play.example.org", "ftp://play.example.org", "https://x.org/?a=b", "https://x.org/#top"]
        {
            assert!(Links::new(url).is_err(), "{url}");
        }
    }
}
