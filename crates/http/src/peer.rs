//! The peer of a request, for rate limits: the connection's address, or what trusted proxies report.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use actix_web::dev::Payload;
use actix_web::http::header::{FORWARDED, HeaderMap, HeaderName, HeaderValue, X_FORWARDED_FOR};
use actix_web::{FromRequest, HttpRequest, web};
use ipnet::IpNet;

/// The longest chain of proxies that is followed.
const MAX_PROXIES: usize = 16;

/// The address of the client, for rate limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

impl FromRequest for Peer {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

impl Peer {
    /// The client of a request.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        let connected = request.peer_addr().map(|address| address.ip());
        let proxies = request.app_data::<web::Data<TrustedProxies>>();
        let client = proxies.map_or(connected, |proxies| proxies.client(connected, request.headers()));
        // All connections over a Unix socket count as one peer, unless a trusted proxy reports the clients.
        Self(client.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
    }
}

/// The origin of a trusted proxy's connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustedProxy {
    /// A Unix socket: on this machine, and admitted by the permissions of the socket's folder.
    Unix,
    Network(IpNet),
}

/// The error for a text that names no proxies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a network, as in 10.0.0.0/8, nor an address, nor `unix:`")]
pub struct TrustedProxyError;

impl FromStr for TrustedProxy {
    type Err = TrustedProxyError;

    /// Parses a network, the address of one machine, or `unix:`.
    fn from_str(text: &str) -> Result<Self, TrustedProxyError> {
        let text = text.trim();
        if text == "unix:" {
            return Ok(Self::Unix);
        }
        let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        network.map(Self::Network).map_err(|_| TrustedProxyError)
    }
}

/// The header in which proxies name their clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    #[default]
    XForwardedFor,
    /// RFC 7239.
    Forwarded,
}

/// The trusted proxies; by default none.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    proxies: Vec<TrustedProxy>,
    header: ProxyHeader,
}

impl TrustedProxies {
    #[must_use]
    pub fn new(proxies: Vec<TrustedProxy>, header: ProxyHeader) -> Self {
        Self { proxies, header }
    }

    /// Whether a connection comes from a trusted proxy; `None` is a Unix socket.
    #[must_use]
    pub fn trusts(&self, address: Option<IpAddr>) -> bool {
        self.proxies.iter().any(|proxy| match (proxy, address) {
            (TrustedProxy::Unix, None) => true,
            (TrustedProxy::Network(network), Some(address)) => network.contains(&address),
            _ => false,
        })
    }

    /// The nearest address that is not a trusted proxy. Each proxy appends the address it sees, so the header is read from its
    /// end, up to the first untrusted address. A proxy that reports no address stands for all clients behind it. A Unix socket
    /// has no address.
    fn client(&self, connected: Option<IpAddr>, headers: &HeaderMap) -> Option<IpAddr> {
        let mut nearest = connected.map(|address| address.to_canonical());
        let mut heard = self.heard(headers);
        for _ in 0..MAX_PROXIES {
            if !self.trusts(nearest) {
                break;
            }
            let Some(before) = heard.next().and_then(address) else { break };
            nearest = Some(before);
        }
        nearest
    }

    /// The addresses in the header, last first; an unreadable one is empty.
    fn heard<'a>(&self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> + use<'a> {
        let (name, named): (HeaderName, fn(&str) -> &str) = match self.header {
            ProxyHeader::XForwardedFor => (X_FORWARDED_FOR, |element| element),
            ProxyHeader::Forwarded => (FORWARDED, forwarded_for),
        };
        let lines: Vec<&[u8]> = headers.get_all(name).map(HeaderValue::as_bytes).collect();
        let elements = lines.into_iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
        elements.map(move |element| named(std::str::from_utf8(element).unwrap_or_default()))
    }
}

/// The `for` parameter of one element of a `Forwarded` header (RFC 7239, section 4); empty if there is none.
fn forwarded_for(element: &str) -> &str {
    let pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut named = pairs.filter(|(name, _)| name.eq_ignore_ascii_case("for")).map(|(_, value)| value);
    named.next().unwrap_or_default().trim_matches('"')
}

/// Parses an address with or without a port, and IPv6 with or without brackets.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip()));
    Some(address.ok()?.to_canonical())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const NETWORKS: &[&str] = &["10.0.0.0/8", "2001:db8:1::/48"];

    /// The peer of a request from `connected` with these header lines.
    fn client(header: ProxyHeader, connected: &str, lines: &[(&str, &str)]) -> String {
        let socket = SocketAddr::new(connected.parse().expect("an address"), 4711);
        client_behind(NETWORKS, header, TestRequest::default().peer_addr(socket), lines)
    }

    fn client_behind(
        proxies: &[&str],
        header: ProxyHeader,
        request: TestRequest,
        lines: &[(&str, &str)],
    ) -> String {
        let proxies = proxies.iter().map(|proxy| proxy.parse().expect("a proxy")).collect();
        let request = request.app_data(web::Data::new(TrustedProxies::new(proxies, header)));
        let request = lines.iter().fold(request, |request, line| request.append_header(*line));
        let peer = Peer::from_request(&request.to_http_request(), &mut Payload::None).into_inner();
        peer.expect("a peer").0.to_string()
    }

    fn by_x(connected: &str, lines: &[&str]) -> String {
        let lines: Vec<_> = lines.iter().map(|line| ("X-Forwarded-For", *line)).collect();
        client(ProxyHeader::XForwardedFor, connected, &lines)
    }

    fn by_forwarded(lines: &[&str]) -> String {
        let lines: Vec<_> = lines.iter().map(|line| ("Forwarded", *line)).collect();
        client(ProxyHeader::Forwarded, "10.0.0.1", &lines)
    }

    #[test]
    fn a_stranger_s_header_says_nothing() {
        for connected in ["203.0.113.7", "2001:db8:2::7"] {
            assert_eq!(by_x(connected, &["198.51.100.1"]), connected);
            assert_eq!(by_x(connected, &["10.0.0.1"]), connected);
        }
        let nobody = TrustedProxies::default();
        let mut headers = HeaderMap::new();
        headers.insert(X_FORWARDED_FOR, "198.51.100.1".parse().expect("a value"));
        let connected = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
        assert_eq!(nobody.client(connected, &headers), connected);
    }

    #[test]
    fn the_nearest_address_that_is_no_trusted_proxy_is_the_client() {
        assert_eq!(by_x("10.0.0.1", &["203.0.113.7"]), "203.0.113.7");
        assert_eq!(
            by_x("10.0.0.1", &["198.51.100.1, 203.0.113.7"]),
            "203.0.113.7",
            "what a client says of itself"
        );
        assert_eq!(by_x("10.0.0.1", &["198.51.100.1, 203.0.113.7, 10.0.0.2,10.9.9.9"]), "203.0.113.7");
        assert_eq!(by_x("10.0.0.1", &["198.51.100.1", "203.0.113.7", "10.0.0.2"]), "203.0.113.7", "in lines");
        assert_eq!(by_x("10.0.0.1", &["10.0.0.3, 10.0.0.2"]), "10.0.0.3", "a client among the proxies");
        assert_eq!(by_x("10.0.0.1", &[]), "10.0.0.1", "a proxy's own request");
    }

    #[test]
    fn a_unix_socket_has_no_address_and_may_be_trusted() {
        let line = [("X-Forwarded-For", "198.51.100.1, 203.0.113.7, 10.0.0.2")];
        let by_unix = |proxies: &[&str], lines: &[(&str, &str)]| {
            client_behind(proxies, ProxyHeader::XForwardedFor, TestRequest::default(), lines)
        };
        assert_eq!(by_unix(NETWORKS, &line), "0.0.0.0", "nobody's word");
        assert_eq!(by_unix(&["unix:"], &line), "10.0.0.2");
        assert_eq!(by_unix(&["unix:", "10.0.0.0/8"], &line), "203.0.113.7");
        assert_eq!(by_unix(&["unix:"], &[]), "0.0.0.0", "the proxy's own request");
        let socket = SocketAddr::from(([203, 0, 113, 9], 4711));
        let by_tcp = TestRequest::default().peer_addr(socket);
        assert_eq!(client_behind(&["unix:"], ProxyHeader::XForwardedFor, by_tcp, &line), "203.0.113.9");
    }

    #[test]
    fn addresses_have_many_forms() {
        for (written, meant) in [
            ("203.0.113.7:4711", "203.0.113.7"),
            ("2001:db8:2::7", "2001:db8:2::7"),
            ("[2001:DB8:2::7]", "2001:db8:2::7"),
            ("[2001:db8:2::7]:4711", "2001:db8:2::7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("203.0.113.7, 2001:db8:1::2", "203.0.113.7"),
        ] {
            assert_eq!(by_x("10.0.0.1", &[written]), meant, "{written}");
            assert_eq!(by_x("::ffff:10.0.0.1", &[written]), meant, "{written}");
        }
    }

    #[test]
    fn who_names_rubbish_stands_for_all_behind_it() {
        for rubbish in ["", ",", "unknown", "_hidden", "203.0.113", "203.0.113.7 10.0.0.2", "[::1", "\u{e4}"]
        {
            assert_eq!(by_x("10.0.0.1", &[rubbish]), "10.0.0.1", "{rubbish}");
            let behind = format!("198.51.100.1, {rubbish}, 10.0.0.2");
            assert_eq!(by_x("10.0.0.1", &[&behind]), "10.0.0.2", "{rubbish}");
        }
        let endless = vec!["10.0.0.2"; 10_000].join(",");
        assert_eq!(by_x("10.0.0.1", &[&format!("203.0.113.7,{endless}")]), "10.0.0.2");
    }

    #[test]
    fn the_standard_header_is_read_where_it_is_the_one_that_the_proxies_set() {
        for (line, meant) in [
            ("for=203.0.113.7", "203.0.113.7"),
            ("For=\"203.0.113.7:4711\";proto=https;by=10.0.0.2", "203.0.113.7"),
            ("proto=https; for=\"[2001:db8:2::7]:4711\"", "2001:db8:2::7"),
            ("for=198.51.100.1, for=203.0.113.7 , for=10.0.0.2", "203.0.113.7"),
            ("for=\"198.51.100.1, for=203.0.113.7", "203.0.113.7"),
            ("proto=https", "10.0.0.1"),
            ("for=unknown, for=\"_gazonk\"", "10.0.0.1"),
        ] {
            assert_eq!(by_forwarded(&[line]), meant, "{line}");
        }
    }

    #[test]
    fn a_header_that_the_proxies_do_not_set_is_the_client_s_own_and_is_not_read() {
        let lines = [("Forwarded", "for=198.51.100.1"), ("X-Forwarded-For", "203.0.113.7")];
        assert_eq!(client(ProxyHeader::XForwardedFor, "10.0.0.1", &lines), "203.0.113.7");
        assert_eq!(client(ProxyHeader::Forwarded, "10.0.0.1", &lines), "198.51.100.1");
    }

    #[test]
    fn proxies_are_networks_or_single_addresses() {
        for (text, meant) in [
            ("10.0.0.0/8", "10.0.0.0/8"),
            (" 10.0.0.7", "10.0.0.7/32"),
            ("2001:db8::/48", "2001:db8::/48"),
            ("::1", "::1/128"),
        ] {
            let network = TrustedProxy::Network(meant.parse().expect("a network"));
            assert_eq!(text.parse(), Ok(network), "{text}");
        }
        assert_eq!("unix:".parse(), Ok(TrustedProxy::Unix));
        for text in ["", "10.0.0.0/33", "10.0.0", "proxy.example.org", "*", "unix", "unix:/run/x"] {
            text.parse::<TrustedProxy>().expect_err(text);
        }
    }
}
