//! E-mail addresses.

use std::borrow::Cow;
use std::fmt;

use lettre::Address;
use url::Host;
use url::quirks::domain_to_unicode;

/// The longest address, in bytes (RFC 5321, section 4.5.3.1.3, without the angle brackets).
pub const MAX_EMAIL_BYTES: usize = 254;

/// An address that mail can be sent to, as its owner wrote it.
#[derive(Clone, PartialEq, Eq)]
pub struct EmailAddress(String);

/// The text is not an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an e-mail address looks like name@example.org and has at most 254 bytes")]
pub struct EmailError;

impl EmailAddress {
    /// Parses an address without a display name.
    ///
    /// # Errors
    /// [`EmailError`].
    pub fn parse(text: &str) -> Result<Self, EmailError> {
        if text.len() > MAX_EMAIL_BYTES || text.chars().any(char::is_control) {
            return Err(EmailError);
        }
        text.parse::<Address>().map_err(|_| EmailError)?;
        Ok(Self(text.to_owned()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form by which addresses are compared; see [`email_key`].
    #[must_use]
    pub fn key(&self) -> String {
        email_key(&self.0)
    }

    /// The mailbox that the address leads to; see [`mailbox_key`].
    #[must_use]
    pub fn mailbox_key(&self) -> String {
        mailbox_key(&self.0)
    }

    /// Whether every mail server takes the name before the `@`.
    #[must_use]
    pub fn has_ascii_name(&self) -> bool {
        self.0.rsplit_once('@').is_none_or(|(name, _)| name.is_ascii())
    }

    /// Whether an address of a machine stands for the domain, as in `ann@[192.0.2.1]`.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        let domain = self.0.rsplit_once('@').map_or("", |(_, domain)| domain);
        domain.starts_with('[') || domain.parse::<std::net::IpAddr>().is_ok()
    }
}

/// The domains of a provider that ignores dots before the `@`, and the one that stands for all of them.
const DOTLESS_DOMAINS: &[&str] = &["gmail.com", "googlemail.com"];

/// The mailbox that an address leads to, as far as that can be told: without a tag behind `+`, and without dots where the provider
/// ignores them. Limits count by it, so that one person is not many.
#[must_use]
pub fn mailbox_key(email: &str) -> String {
    let key = ascii_key(email);
    let Some((local, domain)) = key.rsplit_once('@') else { return key };
    let name = local.split('+').next().filter(|name| !name.is_empty()).unwrap_or(local);
    if DOTLESS_DOMAINS.contains(&domain) {
        return format!("{}@{}", name.replace('.', ""), DOTLESS_DOMAINS[0]);
    }
    format!("{name}@{domain}")
}

/// The address with its domain in ASCII (RFC 5890), as every mail server takes it. One whose name before the `@` is not ASCII stays
/// as it is, because it needs a server that takes both (RFC 6531).
#[must_use]
pub fn ascii_domain(email: &str) -> Cow<'_, str> {
    let Some((name, domain)) = email.rsplit_once('@') else { return Cow::Borrowed(email) };
    if !name.is_ascii() || domain.is_ascii() {
        return Cow::Borrowed(email);
    }
    match Host::parse(domain) {
        Ok(Host::Domain(ascii)) => Cow::Owned(format!("{name}@{ascii}")),
        _ => Cow::Borrowed(email),
    }
}

/// The form by which addresses are compared. Hardly any server distinguishes upper from lower case, and nobody should be able to
/// register Ann@ when ann@ belongs to somebody else.
#[must_use]
pub fn email_key(email: &str) -> String {
    email.to_lowercase()
}

/// The form by which the address that a mail names is compared with that of a player: mail programs write either form of a domain.
#[must_use]
pub fn ascii_key(email: &str) -> String {
    email_key(&ascii_domain(email))
}

/// The keys under which a player may have the address: with its domain as it is written, in ASCII, and in letters.
#[must_use]
pub fn email_keys(email: &str) -> Vec<String> {
    let (written, ascii) = (email_key(email), ascii_key(email));
    let in_letters = ascii.rsplit_once('@').map(|(name, domain)| (name, domain_to_unicode(domain)));
    let in_letters = in_letters.filter(|(_, domain)| !domain.is_empty());
    let in_letters = in_letters.map(|(name, domain)| format!("{name}@{domain}"));
    let mut keys: Vec<_> = [written, ascii].into_iter().chain(in_letters).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

impl TryFrom<String> for EmailAddress {
    type Error = EmailError;

    fn try_from(text: String) -> Result<Self, EmailError> {
        Self::parse(&text)
    }
}

/// Hides the address, which must not get into a log.
impl fmt::Debug for EmailAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("EmailAddress(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_spelling_and_is_unique_in_lower_case() {
        let address = EmailAddress::parse("Ann.Other+pip@Example.org").expect("an address");
        assert_eq!(address.as_str(), "Ann.Other+pip@Example.org");
        assert_eq!(address.key(), "ann.other+pip@example.org");
        assert!(EmailAddress::parse("ann@localhost").is_ok());
        assert!(EmailAddress::parse("jörg@bücher.example").is_ok());
    }

    #[test]
    fn what_mail_cannot_be_sent_to_is_refused() {
        let long = format!("{}@example.org", "a".repeat(243));
        for bad in [
            "",
            "ann",
            "@example.org",
            "ann@",
            "Ann <ann@example.org>",
            "ann@example.org\r\nBcc: all@example.org",
            "ann@example.org, bob@example.org",
            " ann@example.org",
            "ann\0@example.org",
            &long,
        ] {
            assert_eq!(EmailAddress::parse(bad).err(), Some(EmailError), "{bad:?}");
        }
    }

    #[test]
    fn only_a_domain_beside_a_plain_name_becomes_ascii() {
        for (address, ascii) in [
            ("Ann@Bücher.example", "Ann@xn--bcher-kva.example"),
            ("ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example"),
            ("jörg@bücher.example", "jörg@bücher.example"),
            ("Ann@Example.org", "Ann@Example.org"),
            ("ann", "ann"),
        ] {
            assert_eq!(ascii_domain(address), ascii);
        }
    }

    #[test]
    fn tags_and_dots_that_a_provider_ignores_make_no_other_mailbox() {
        for (address, mailbox) in [
            ("Ann+Pip@Example.org", "ann@example.org"),
            ("ann+a+b@example.org", "ann@example.org"),
            ("a.nn@example.org", "a.nn@example.org"),
            ("A.n.n+x@GoogleMail.com", "ann@gmail.com"),
            ("ann@gmail.com", "ann@gmail.com"),
            ("+x@example.org", "+x@example.org"),
            ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        ] {
            assert_eq!(mailbox_key(address), mailbox, "{address}");
        }
    }

    #[test]
    fn an_address_of_a_machine_is_recognised() {
        for (address, is_literal) in
            [("ann@[192.0.2.1]", true), ("ann@[2001:db8::1]", true), ("ann@example.org", false)]
        {
            let address = EmailAddress::parse(address).expect("an address");
            assert_eq!(address.is_literal(), is_literal, "{}", address.as_str());
        }
    }

    #[test]
    fn an_address_does_not_show_in_debug_output() {
        let address = EmailAddress::parse("ann@example.org").expect("an address");
        assert_eq!(format!("{address:?}"), "EmailAddress(hidden)");
    }

    #[test]
    fn a_player_is_found_by_either_form_of_a_domain() {
        let both = ["ann@b\u{fc}cher.example", "ann@xn--bcher-kva.example"];
        for written in ["Ann@B\u{fc}cher.example", "ann@XN--bcher-kva.example"] {
            let keys = email_keys(written);
            assert!(both.iter().all(|form| keys.iter().any(|key| key == form)), "{keys:?}");
            assert_eq!(ascii_key(written), both[1]);
        }
        assert_eq!(email_keys("Ann@example.org"), ["ann@example.org"]);
        assert_eq!(email_keys("ann@[192.0.2.1]"), ["ann@[192.0.2.1]"]);
    }
}
