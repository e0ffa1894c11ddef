//! Which addresses webhooks may lead to: no way into this server's own networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};
use url::{Host, Url};

/// The longest address of a webhook, in bytes.
pub const MAX_URL_BYTES: usize = 1024;

/// The lowest port besides those of HTTP: the ports below are those of other services.
const LOWEST_PORT: u16 = 1024;

const fn v4(a: u8, b: u8, c: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, 0), length)
}

const fn v6(a: u16, b: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), length)
}

/// Networks of IPv4 that are not public (IANA's registry of special addresses), and those of groups.
const NOT_PUBLIC_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 8),
    v4(10, 0, 0, 8),
    v4(100, 64, 0, 10),
    v4(127, 0, 0, 8),
    v4(169, 254, 0, 16),
    v4(172, 16, 0, 12),
    v4(192, 0, 0, 24),
    v4(192, 0, 2, 24),
    v4(192, 88, 99, 24),
    v4(192, 168, 0, 16),
    v4(198, 18, 0, 15),
    v4(198, 51, 100, 24),
    v4(203, 0, 113, 24),
    v4(224, 0, 0, 4),
    v4(240, 0, 0, 4),
];

/// All public addresses of IPv6 lie here. Mapped and translated ones of IPv4, local ones and groups do not.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 3);

/// Networks in it that are not public, or lead elsewhere: protocols and Teredo, documentation, 6to4, documentation.
const NOT_PUBLIC_V6: [Ipv6Net; 4] =
    [v6(0x2001, 0, 23), v6(0x2001, 0x0db8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

/// Whether an address is one of the public internet.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_V6.contains(&address) && !NOT_PUBLIC_V6.iter().any(|network| network.contains(&address))
        }
    }
}

/// Where webhooks of a server may lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// To public addresses, by HTTPS.
    #[default]
    Public,
    /// Anywhere, also by plain HTTP: for tests, and sandboxes of one person.
    Anywhere,
}

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetRefused {
    #[error("no address of HTTP with a host and without white space, of at most {MAX_URL_BYTES} bytes")]
    Unreadable,
    #[error("https only")]
    Scheme,
    #[error("without user and password; check the signature instead")]
    Credentials,
    #[error("without fragment")]
    Fragment,
    #[error("port 443, or one from {LOWEST_PORT} on")]
    Port,
    #[error("not a public address")]
    NotPublic,
}

/// The checked address of a webhook. Addresses of chats are secrets, so it is not shown in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Target(Url);

impl Target {
    /// Checks an address. A host's name is looked up when something is sent, each time.
    ///
    /// # Errors
    /// [`TargetRefused`]
    pub fn read(text: &str, reach: Reach) -> Result<Self, TargetRefused> {
        if text.len() > MAX_URL_BYTES || text.contains(|sign: char| sign.is_control() || sign.is_whitespace())
        {
            return Err(TargetRefused::Unreadable);
        }
        let url = Url::parse(text).map_err(|_| TargetRefused::Unreadable)?;
        let may_be_plain = reach == Reach::Anywhere;
        if !(url.scheme() == "https" || may_be_plain && url.scheme() == "http") {
            return Err(TargetRefused::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetRefused::Credentials);
        }
        if url.fragment().is_some() {
            return Err(TargetRefused::Fragment);
        }
        // `port` is `None` for the scheme's own.
        if url.port().is_some_and(|port| port < LOWEST_PORT) {
            return Err(TargetRefused::Port);
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(TargetRefused::Unreadable),
        };
        if reach == Reach::Public && address.is_some_and(|address| !is_public(address)) {
            return Err(TargetRefused::NotPublic);
        }
        // In its normal form it may be longer.
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(TargetRefused::Unreadable);
        }
        Ok(Self(url))
    }

    /// The whole address, for its owner and for sending.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The scheme, host and port, which push services call the audience.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Whether nobody can ever be there: the host's name ends in `.invalid` (RFC 6761).
    #[must_use]
    pub fn is_nowhere(&self) -> bool {
        let name = self.host().trim_end_matches('.');
        name == "invalid" || name.ends_with(".invalid")
    }

    /// The host, which may be told in mails.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The address of the host if it is written as one: it is not looked up then.
    #[must_use]
    pub fn literal_address(&self) -> Option<IpAddr> {
        match self.0.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Target {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Target({})", self.host())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_at_hosts_of_the_reserved_name_and_at_no_others() {
        let target =
            |host: &str| Target::read(&format!("https://{host}/"), Reach::Public).expect("an address");
        for host in ["receiver.invalid", "a.b.invalid", "invalid", "RECEIVER.INVALID", "receiver.invalid."] {
            assert!(target(host).is_nowhere(), "{host}");
        }
        for host in ["invalid.example.org", "notinvalid", "receiver.invalid.org", "1.1.1.1"] {
            assert!(!target(host).is_nowhere(), "{host}");
        }
    }

    #[test]
    fn private_and_special_addresses_are_not_public_however_they_are_written() {
        for text in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "4000::1",
        ] {
            assert!(!is_public(text.parse().expect("an address")), "{text}");
        }
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.167.0.1",
            "198.17.0.1",
            "223.255.255.255",
            "2001:200::1",
            "2606:4700::1111",
            "2a00::1",
        ] {
            assert!(is_public(text.parse().expect("an address")), "{text}");
        }
    }

    #[test]
    fn only_https_to_a_public_host_is_taken() {
        let refused = |text: &str| Target::read(text, Reach::Public).expect_err(text);
        for (text, why) in [
            ("", TargetRefused::Unreadable),
            ("hooks.example.org", TargetRefused::Unreadable),
            ("https://", TargetRefused::Unreadable),
            ("https://a b.example/", TargetRefused::Unreadable),
            ("https://a.example/\n", TargetRefused::Unreadable),
            ("http://a.example/", TargetRefused::Scheme),
            ("ftp://a.example/", TargetRefused::Scheme),
            ("file:///etc/passwd", TargetRefused::Scheme),
            ("https://ann@a.example/", TargetRefused::Credentials),
            ("https://:x@a.example/", TargetRefused::Credentials),
            ("https://a.example/#x", TargetRefused::Fragment),
            ("https://a.example:25/", TargetRefused::Port),
            ("https://a.example:80/", TargetRefused::Port),
            ("https://a.example:0/", TargetRefused::Port),
            ("https://127.0.0.1/", TargetRefused::NotPublic),
            ("https://2130706433/", TargetRefused::NotPublic),
            ("https://0x7f.1/", TargetRefused::NotPublic),
            ("https://0177.0.0.1/", TargetRefused::NotPublic),
            ("https://[::1]/", TargetRefused::NotPublic),
            ("https://[::ffff:a9fe:a9fe]/", TargetRefused::NotPublic),
            ("https://169.254.169.254/latest", TargetRefused::NotPublic),
        ] {
            assert_eq!(refused(text), why, "{text}");
        }
        assert_eq!(
            refused(&format!("https://a.example/{}", "x".repeat(MAX_URL_BYTES))),
            TargetRefused::Unreadable
        );
        for text in [
            "https://a.example/",
            "https://a.example:443/x?y=z",
            "https://a.example:8443/",
            "https://1.1.1.1/",
        ] {
            let target = Target::read(text, Reach::Public).expect(text);
            assert!(!format!("{target:?}").contains("/x"), "{target:?}");
        }
        assert!(Target::read("http://127.0.0.1:8080/", Reach::Anywhere).is_ok());
    }
}
