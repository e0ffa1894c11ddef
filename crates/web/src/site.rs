//! This server as a site in a browser: the names and attributes of its cookies, and where its forms come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::cookie::{Cookie, SameSite as SameSitePolicy, time::Duration};
use actix_web::http::header::{self, HeaderName};

use super::assets::COLOURS;
use super::branding::Branding;
use pippost_accounts::Handle;

/// How long a cookie is kept, in days: the longest that browsers allow. The server ends sessions earlier.
const COOKIE_DAYS: i64 = 400;

/// Where a request comes from, as browsers say (Fetch Metadata).
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The cookies of the pages. None is read by scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CookieName {
    /// The session.
    Session,
    /// By what the forms of a browser without a session are recognised.
    Form,
    /// The language that the visitor has chosen.
    Language,
    /// The theme that the visitor has chosen.
    Theme,
}

/// The site.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its public address, without a slash at the end.
    public_url: String,
    /// Whether browsers reach it by TLS only.
    is_secure: bool,
    /// The bot of the server's own, if it has one.
    house_bot: Option<Handle>,
    /// The folder with dumps of public games, if it has any.
    dumps: Option<PathBuf>,
    /// What its operator gives its pages.
    branding: Arc<Branding>,
}

impl Site {
    /// The site at a public address.
    #[must_use]
    pub fn at(public_url: &str) -> Self {
        let is_secure = public_url.starts_with("https://");
        let public_url = public_url.trim_end_matches('/').to_owned();
        Self { public_url, is_secure, house_bot: None, dumps: None, branding: Arc::default() }
    }

    /// The public address of a path.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// Its public host, with the port.
    #[must_use]
    pub fn host(&self) -> &str {
        self.public_url.split_once("://").map_or("", |(_, host)| host)
    }

    /// The same site, on which this bot plays with whoever wants to begin at once, and which gives away the dumps in this folder.
    #[must_use]
    pub fn with(self, house_bot: Option<Handle>, dumps: Option<PathBuf>) -> Self {
        Self { house_bot, dumps, ..self }
    }

    /// The same site with what its operator gives its pages.
    #[must_use]
    pub fn with_branding(self, branding: Arc<Branding>) -> Self {
        Self { branding, ..self }
    }

    /// What its operator gives its pages.
    #[must_use]
    pub fn branding(&self) -> &Branding {
        &self.branding
    }

    /// The address of the style sheet with its own colours.
    #[must_use]
    pub fn colours(&self) -> Option<String> {
        self.branding.colours().map(|colours| format!("/static/{}/{COLOURS}", colours.hash()))
    }

    /// The folder with dumps of public games.
    #[must_use]
    pub fn dumps(&self) -> Option<&Path> {
        self.dumps.as_deref()
    }

    /// The bot that plays with whoever wants to begin at once.
    #[must_use]
    pub fn house_bot(&self) -> Option<&Handle> {
        self.house_bot.as_ref()
    }

    /// The name of a cookie. With the prefix a browser takes it from this host by TLS alone.
    #[must_use]
    pub fn name(&self, cookie: CookieName) -> &'static str {
        match (self.is_secure, cookie) {
            (true, CookieName::Session) => "__Host-pippost",
            (true, CookieName::Form) => "__Host-pippost-form",
            (true, CookieName::Language) => "__Host-pippost-language",
            (true, CookieName::Theme) => "__Host-pippost-theme",
            (false, CookieName::Session) => "pippost",
            (false, CookieName::Form) => "pippost-form",
            (false, CookieName::Language) => "pippost-language",
            (false, CookieName::Theme) => "pippost-theme",
        }
    }

    /// A cookie to set.
    #[must_use]
    pub fn cookie(&self, name: CookieName, value: String) -> Cookie<'static> {
        Cookie::build(self.name(name), value)
            .path("/")
            .http_only(true)
            .secure(self.is_secure)
            .same_site(SameSitePolicy::Lax)
            .max_age(Duration::days(COOKIE_DAYS))
            .finish()
    }

    /// A cookie that removes the one of that name.
    #[must_use]
    pub fn no_cookie(&self, name: CookieName) -> Cookie<'static> {
        let mut cookie = self.cookie(name, String::new());
        cookie.make_removal();
        cookie
    }

    /// The value of a cookie that a request brings.
    #[must_use]
    pub fn read(&self, request: &HttpRequest, name: CookieName) -> Option<String> {
        request.cookie(self.name(name)).map(|cookie| cookie.value().to_owned())
    }
}

/// Whether a request comes from a page of this site, or from a program that is no browser. Browsers say where a request comes from;
/// those that do not send `Sec-Fetch-Site` here (by plain HTTP, or old ones) send `Origin` with a form.
#[must_use]
pub fn is_from_this_site(request: &HttpRequest) -> bool {
    let text = |name: HeaderName| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    match text(SEC_FETCH_SITE) {
        Some(site) => matches!(site, "same-origin" | "none"),
        None => text(header::ORIGIN).is_none_or(|origin| {
            let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            host.is_some() && host == text(header::HOST)
        }),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn is_taken(headers: &[(&str, &str)]) -> bool {
        let with = |request: TestRequest, header: &(&str, &str)| request.append_header(*header);
        let request = TestRequest::post().append_header(("host", "games.example.org"));
        is_from_this_site(&headers.iter().fold(request, with).to_http_request())
    }

    #[test]
    fn a_request_from_another_site_is_recognised() {
        let own = ("origin", "https://games.example.org");
        for headers in [
            vec![],
            vec![own],
            vec![("sec-fetch-site", "same-origin")],
            vec![("sec-fetch-site", "none")],
            vec![("sec-fetch-site", "same-origin"), ("origin", "null")],
        ] {
            assert!(is_taken(&headers), "{headers:?}");
        }
        for headers in [
            vec![("origin", "null")],
            vec![("origin", "https://evil.example.org")],
            vec![("origin", "https://games.example.org.evil.org")],
            vec![("origin", "https://games.example.org:8443")],
            vec![("origin", "games.example.org")],
            vec![("sec-fetch-site", "cross-site"), own],
            vec![("sec-fetch-site", "same-site"), own],
            vec![("sec-fetch-site", "\u{e4}"), own],
        ] {
            assert!(!is_taken(&headers), "{headers:?}");
        }
    }

    #[test]
    fn by_tls_cookies_belong_to_this_host_alone() {
        let text = |url, name| Site::at(url).cookie(name, "x".into()).to_string();
        let secure = text("https://example.org", CookieName::Session);
        for part in ["__Host-pippost=x", "HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
            assert!(secure.contains(part), "{secure}");
        }
        assert!(!secure.contains("Domain"), "{secure}");
        let plain = text("http://127.0.0.1:8080", CookieName::Session);
        assert!(
            plain.starts_with("pippost=x; HttpOnly; SameSite=Lax") && !plain.contains("Secure"),
            "{plain}"
        );
    }
}
