//! Redirect URIs: where a player's browser brings codes to. They are compared byte for byte, except for the port of loopback
//! addresses (RFC 8252).

use url::{Host, Url};

/// The longest redirect URI, in bytes.
pub const MAX_REDIRECT_URI_BYTES: usize = 512;

/// A redirect URI that apps may register: `https`, `http` to a loopback address, or a scheme of the app's own with a dot in it, as in
/// `org.example.app:/done`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri(Url);

/// What a redirect URI leads to, in words of the consent page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A site, by its host.
    Site(String),
    /// A program on the player's own device.
    Device,
}

impl RedirectUri {
    /// Reads a redirect URI.
    ///
    /// # Errors
    /// Why no app may have it.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let url = plain_url(text)?;
        let fits = match url.scheme() {
            "https" => true,
            "http" => is_loopback(&url),
            scheme => scheme.contains('.'),
        };
        if !fits {
            return Err("https, http to 127.0.0.1 or [::1], or a scheme of your own with a dot in it");
        }
        Ok(Self(url))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether this is the `registered` one, whatever its port if both are loopback addresses.
    #[must_use]
    pub fn is(&self, registered: &str) -> bool {
        if self.as_str() == registered {
            return true;
        }
        let Ok(Self(registered)) = Self::read(registered) else { return false };
        is_loopback(&self.0) && is_loopback(&registered) && without_port(&self.0) == without_port(&registered)
    }

    /// What it leads to.
    #[must_use]
    pub fn destination(&self) -> Destination {
        match (self.0.scheme(), self.0.host_str()) {
            ("https", Some(host)) => Destination::Site(host.to_owned()),
            _ => Destination::Device,
        }
    }

    /// The URI with parameters after its own.
    pub(super) fn with(&self, parameters: &[(&str, &str)]) -> Url {
        let mut url = self.0.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        url
    }
}

/// Reads a URI that everybody reads alike: one that browsers write as it is, of plain characters, without user, password and fragment,
/// whose host is a domain name or a loopback address.
pub(super) fn plain_url(text: &str) -> Result<Url, &'static str> {
    if text.len() > MAX_REDIRECT_URI_BYTES {
        return Err("at most 512 bytes each");
    }
    let url = Url::parse(text).map_err(|_| "an absolute URI")?;
    if url.as_str() != text
        || url.fragment().is_some()
        || !url.username().is_empty()
        || url.password().is_some()
    {
        return Err("written as browsers write it, with a path, and without user, password and fragment");
    }
    let has_good_host = match (url.scheme(), url.host()) {
        ("https" | "http", Some(Host::Domain(name))) => name.contains('.') && !name.ends_with('.'),
        ("http", Some(_)) => is_loopback(&url),
        ("https", _) => false,
        (_, host) => host.is_none(),
    };
    if !has_good_host {
        return Err("a host name with a dot, or none after a scheme of your own");
    }
    let has_plain_path = url.path().strip_prefix('/').is_some_and(|path| {
        let path = if path.is_empty() { return true } else { path.strip_suffix('/').unwrap_or(path) };
        path.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && is_plain(part, b""))
    });
    let has_plain_query = url.query().is_none_or(|query| !query.is_empty() && is_plain(query, b"=&"));
    if has_plain_path && has_plain_query {
        Ok(url)
    } else {
        Err("a path of letters, digits, - . _ ~ and single slashes, and a query of the same with = and &")
    }
}

fn is_plain(text: &str, further: &[u8]) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    text.bytes().all(|byte| is_plain(byte) || further.contains(&byte))
}

fn is_loopback(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    };
    url.scheme() == "http" && is_loopback
}

fn without_port(url: &Url) -> Url {
    let mut url = url.clone();
    // Only an address without a host has no port to remove.
    let _removed = url.set_port(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> RedirectUri {
        RedirectUri::read(text).unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    #[test]
    fn https_loopback_and_private_schemes_are_taken() {
        for text in [
            "https://app.example.org/done",
            "https://app.example.org:8443/done?from=pippost",
            "http://127.0.0.1/done",
            "http://127.0.0.1:49152/",
            "http://[::1]:8000/done",
            "org.example.app:/done",
            "https://app.example.org/a/b.c_~-/",
            "https://xn--bcher-kva.example/done",
        ] {
            assert_eq!(read(text).as_str(), text);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("https://app.example.org/{}", "a".repeat(MAX_REDIRECT_URI_BYTES));
        for text in [
            "",
            "/done",
            "http://app.example.org/done",
            "http://localhost/done",
            "http://127.0.0.1.example.org/",
            "https://192.0.2.1/done",
            "https://user@app.example.org/done",
            "https://app.example.org/done#part",
            "https://app.example.org",
            "https://APP.example.org/done",
            "https://app.example.org/a/../done",
            "http://0x7f.1/done",
            "http://127.0.0.1:80/done",
            "javascript:alert(1)",
            "data:text/html,x",
            "app:/done",
            "org.example.app:done",
            "https://localhost/done",
            "https://app.example.org//",
            "https://app.example.org/a//b",
            "https://app.example.org/a%20b",
            "https://app.example.org/done?",
            "https://app.example.org/done?a='",
            "org.example.app://host/done",
            "file:///done",
            "https://app.example.org/\ndone",
            " https://app.example.org/done",
            &long,
        ] {
            assert!(RedirectUri::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_port_of_a_loopback_address_may_differ() {
        let registered = "http://127.0.0.1:8000/done";
        assert!(read(registered).is(registered) && read("http://127.0.0.1:9/done").is(registered));
        assert!(read("http://127.0.0.1/done").is(registered));
        for other in [
            "http://127.0.0.2:8000/done",
            "http://[::1]:8000/done",
            "http://127.0.0.1:8000/done/x",
            "http://127.0.0.1:8000/done?a=b",
            "https://app.example.org/done",
        ] {
            assert!(!read(other).is(registered), "{other}");
        }
        let site = "https://app.example.org/done";
        for other in [
            "https://app.example.org:8443/done",
            "https://app.example.org/done/x",
            "https://example.org/done",
        ] {
            assert!(!read(other).is(site), "{other}");
        }
        assert!(!read("org.example.app:/done2").is("org.example.app:/done"));
    }

    #[test]
    fn parameters_follow_those_of_the_uri() {
        let with = |text: &str| read(text).with(&[("code", "a b&c"), ("state", "x")]).to_string();
        assert_eq!(
            with("https://app.example.org/done?a=1"),
            "https://app.example.org/done?a=1&code=a+b%26c&state=x"
        );
        assert_eq!(with("org.example.app:/done"), "org.example.app:/done?code=a+b%26c&state=x");
        assert_eq!(read("http://[::1]/").destination(), Destination::Device);
        assert_eq!(read("https://a.example/").destination(), Destination::Site("a.example".into()));
    }
}
