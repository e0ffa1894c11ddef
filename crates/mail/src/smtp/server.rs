//! Parses the URL of the SMTP server.

use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use percent_encoding::percent_decode_str;
use url::{Host, Url};

use crate::mailer::MailerError;

/// The default ports: without TLS, with TLS from the first byte on, and with STARTTLS.
const PORT: u16 = 25;
const TLS_PORT: u16 = 465;
const SUBMISSION_PORT: u16 = 587;

/// When TLS is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    Never,
    /// With STARTTLS, if the server offers it.
    IfOffered,
    /// With STARTTLS; without it, nothing is sent.
    Required,
    /// From the first byte on.
    FromStart,
}

/// An SMTP server and the settings of connections to it.
pub struct Server {
    pub host: String,
    pub port: u16,
    pub tls: Tls,
    pub credentials: Option<Credentials>,
    /// The client's name in the greeting.
    pub hello: ClientId,
}

impl Server {
    /// Parses a URL as lettre does: `smtps://` for TLS from the start; `smtp://` with `?tls=required` or `?tls=opportunistic` for
    /// STARTTLS, and without it for no TLS. User and password are percent-encoded; the path is the client's name in the greeting.
    ///
    /// # Errors
    /// The URL is invalid, or its password would be sent without encryption.
    pub fn parse(url: &str) -> Result<Self, MailerError> {
        let refused = |why| MailerError::SmtpUrl(why);
        let url = Url::parse(url).map_err(|_| refused("it is no URL"))?;
        let host = url.host().ok_or(refused("it names no host"))?.to_owned();
        let mut wanted = None;
        for (name, value) in url.query_pairs() {
            match &*name {
                "tls" => wanted = Some(value.into_owned()),
                _ => return Err(refused("it has a setting other than tls")),
            }
        }
        let (tls, port) = match (url.scheme(), wanted.as_deref()) {
            ("smtps", None) => (Tls::FromStart, TLS_PORT),
            ("smtp", None) => (Tls::Never, PORT),
            ("smtp", Some("required")) => (Tls::Required, SUBMISSION_PORT),
            ("smtp", Some("opportunistic")) => (Tls::IfOffered, SUBMISSION_PORT),
            ("smtp", Some(_)) => return Err(refused("tls is required or opportunistic")),
            _ => {
                return Err(refused(
                    "it begins with smtp:// or smtps://, and only smtp:// has a setting tls",
                ));
            }
        };
        let credentials = credentials(&url)?;
        if credentials.is_some() && matches!(tls, Tls::Never | Tls::IfOffered) && !is_local(&host) {
            return Err(refused(
                "a password goes over TLS only: use smtps://, or smtp:// with ?tls=required",
            ));
        }
        let hello = match url.path().trim_matches('/') {
            "" => ClientId::default(),
            name => ClientId::Domain(name.to_owned()),
        };
        Ok(Self { host: plain(&host), port: url.port().unwrap_or(port), tls, credentials, hello })
    }
}

fn credentials(url: &Url) -> Result<Option<Credentials>, MailerError> {
    let decode = |text| {
        let decoded = percent_decode_str(text).decode_utf8();
        decoded.map(String::from).map_err(|_| MailerError::SmtpUrl("user or password is not UTF-8"))
    };
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) => Ok(Some(Credentials::new(decode(user)?, decode(password)?))),
        (_, None) => Err(MailerError::SmtpUrl("it has a user and no password")),
    }
}

fn is_local(host: &Host) -> bool {
    match host {
        // `url` does not parse IP addresses in URLs of schemes that it does not know.
        Host::Domain(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

/// The host without the brackets of an IPv6 address.
fn plain(host: &Host) -> String {
    match host {
        Host::Domain(name) => name.clone(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str) -> String {
        Server::parse(url).err().unwrap_or_else(|| panic!("{url} was taken")).to_string()
    }

    #[test]
    fn the_scheme_and_the_tls_setting_choose_encryption_and_port() {
        for (url, tls, port) in [
            ("smtp://mail.example.org", Tls::Never, 25),
            ("smtp://mail.example.org?tls=opportunistic", Tls::IfOffered, 587),
            ("smtp://mail.example.org?tls=required", Tls::Required, 587),
            ("smtps://mail.example.org", Tls::FromStart, 465),
            ("smtps://mail.example.org:4650", Tls::FromStart, 4650),
        ] {
            let server = Server::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
            assert_eq!(
                (server.tls, server.port, server.host.as_str()),
                (tls, port, "mail.example.org"),
                "{url}"
            );
        }
        let server = Server::parse("smtp://[::1]:2525/play.example.org").expect("an address");
        assert_eq!((server.host.as_str(), server.port), ("::1", 2525));
        assert_eq!(server.hello, ClientId::Domain("play.example.org".to_owned()));
    }

    #[test]
    fn user_and_password_are_percent_decoded() {
        let server =
            Server::parse("smtps://pip%40example.org:p%3Aw%2F%C3%A4@mail.example.org").expect("a URL");
        let expected = Credentials::new("pip@example.org".to_owned(), "p:w/ä".to_owned());
        assert_eq!(server.credentials, Some(expected));
    }

    #[test]
    fn a_password_is_never_sent_in_the_clear_to_another_machine() {
        for url in ["smtp://u:secret@mail.example.org", "smtp://u:secret@mail.example.org?tls=opportunistic"]
        {
            assert!(refusal(url).contains("over TLS only"), "{url}");
        }
        for url in ["smtp://u:secret@localhost", "smtp://u:secret@127.0.0.1:2525", "smtp://u:secret@[::1]"] {
            assert!(Server::parse(url).is_ok(), "{url}");
        }
    }

    #[test]
    fn a_url_that_cannot_be_used_is_refused_without_showing_it() {
        for url in [
            "mail.example.org",
            "http://u:secret@mail.example.org",
            "smtp://u:secret@mail.example.org?tls=maybe",
            "smtps://u:secret@mail.example.org?tls=required",
            "smtp://u:secret@mail.example.org?speed=high",
            "smtps://secret@mail.example.org",
            "smtp:///secret",
        ] {
            assert!(!refusal(url).contains("secret"), "{url}: {}", refusal(url));
        }
    }
}
