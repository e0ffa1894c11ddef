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

    /// Switches off a kind of mail.
    #[must_use]
    pub fn unsubscribe(&self, token: &str) -> String {
        self.to(&format!("/unsubscribe?token={token}"))
    }

    /// Where the API can be tried by hand.
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
