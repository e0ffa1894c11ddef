//! The networks that limits count: that of a peer, and the wider ones around it, which one customer may hold whole.

use std::collections::{HashSet, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use quick_cache::sync::Cache;

/// The prefixes of an IPv6 address that count, with how many times what one peer may all of such a network may. A line at home
/// has 64 to 56 bits, a site 48.
const IPV6_PREFIXES: &[(u8, u32)] = &[(64, 1), (56, 2), (48, 4)];

/// Those of an IPv4 address, mapped to IPv6: the address (/32), and its network of 24 bits.
const IPV4_PREFIXES: &[(u8, u32)] = &[(128, 1), (120, 4)];

/// How many of the widest networks are remembered, those seen last.
const MAX_WIDE_NETWORKS: usize = 4_096;

/// How many known peers of one of them are remembered, so that nobody pushes out all others.
const MAX_KNOWN_OF_A_NETWORK: usize = 32;

/// A network that a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    address: Ipv6Addr,
    prefix: u8,
    /// Known peers of a wide network are counted apart, so that strangers beside them take none of their places.
    known: bool,
}

/// A network around a peer, and how many times what one peer may it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    pub network: Network,
    pub factor: u32,
}

/// The networks around a peer, its own first.
pub fn networks(peer: IpAddr, known: bool) -> impl Iterator<Item = Counted> + Clone {
    let (address, prefixes) = match peer.to_canonical() {
        IpAddr::V4(address) => (address.to_ipv6_mapped(), IPV4_PREFIXES),
        IpAddr::V6(address) => (address, IPV6_PREFIXES),
    };
    prefixes.iter().map(move |(prefix, factor)| Counted {
        network: Network { address: masked(address, *prefix), prefix: *prefix, known: known && *factor > 1 },
        factor: *factor,
    })
}

/// The part of an address that identifies a peer: an IPv4 address, or the 64 bits of an IPv6 network.
#[must_use]
pub fn network(peer: IpAddr) -> Ipv6Addr {
    networks(peer, false).next().map_or(Ipv6Addr::UNSPECIFIED, |own| own.network.address)
}

/// The widest network around a peer.
fn widest(peer: IpAddr) -> Ipv6Addr {
    networks(peer, false).last().map_or(Ipv6Addr::UNSPECIFIED, |wide| wide.network.address)
}

fn masked(address: Ipv6Addr, prefix: u8) -> Ipv6Addr {
    let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or_default();
    Ipv6Addr::from_bits(address.to_bits() & mask)
}

/// The peers from which players came with a valid password or token lately. They have places that strangers do not get. Cheap to
/// clone.
#[derive(Clone)]
pub struct KnownNetworks(Arc<Inner>);

struct Inner {
    /// By wide network.
    learnt: Cache<Ipv6Addr, Arc<Mutex<VecDeque<Ipv6Addr>>>>,
    before: OnceLock<KnownBefore>,
}

/// The networks that were known before the process began. Of each a fingerprint is stored, which `fingerprint_of` makes.
pub struct KnownBefore {
    pub fingerprints: HashSet<[u8; 32]>,
    pub fingerprint_of: Box<dyn Fn(Ipv6Addr) -> [u8; 32] + Send + Sync>,
}

impl KnownBefore {
    fn contains(&self, network: Ipv6Addr) -> bool {
        !self.fingerprints.is_empty() && self.fingerprints.contains(&(self.fingerprint_of)(network))
    }
}

impl Default for KnownNetworks {
    fn default() -> Self {
        Self(Arc::new(Inner { learnt: Cache::new(MAX_WIDE_NETWORKS), before: OnceLock::new() }))
    }
}

impl std::fmt::Debug for KnownNetworks {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("KnownNetworks").finish_non_exhaustive()
    }
}

impl KnownNetworks {
    /// Remembers the network of a peer; its wide network forgets the one that came first if it has too many.
    pub fn learn(&self, peer: IpAddr) {
        let none = || Ok::<_, std::convert::Infallible>(Arc::default());
        let Ok(known) = self.0.learnt.get_or_insert_with(&widest(peer), none);
        let (mut known, network) = (locked(&known), network(peer));
        if !known.contains(&network) {
            if known.len() == MAX_KNOWN_OF_A_NETWORK {
                known.pop_front();
            }
            known.push_back(network);
        }
    }

    /// Adds those that were known before the process began; only the first call counts.
    pub fn remember(&self, before: KnownBefore) {
        let _first = self.0.before.set(before);
    }

    /// Whether a player came from the peer's network.
    #[must_use]
    pub fn contains(&self, peer: IpAddr) -> bool {
        let network = network(peer);
        let learnt = self.0.learnt.get(&widest(peer)).is_some_and(|known| locked(&known).contains(&network));
        learnt || self.0.before.get().is_some_and(|before| before.contains(network))
    }
}

/// No panic inside leaves the list half changed, so poisoning is ignored.
fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(text: &str) -> IpAddr {
        text.parse().expect("an IP address")
    }

    #[test]
    fn a_network_of_64_bits_is_one_peer() {
        let of = |text: &str| network(peer(text));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[test]
    fn wider_networks_hold_narrower_ones() {
        let shared = |one: &str, other: &str| {
            let others: Vec<_> = networks(peer(other), false).collect();
            networks(peer(one), false).filter(|network| others.contains(network)).count()
        };
        for (one, other, count) in [
            ("2001:db8::1", "2001:db8::2", 3),
            ("2001:db8::1", "2001:db8:0:ff::1", 2),
            ("2001:db8::1", "2001:db8:0:100::1", 1),
            ("2001:db8::1", "2001:db8:1::1", 0),
            ("192.0.2.1", "::ffff:192.0.2.1", 2),
            ("192.0.2.1", "192.0.2.2", 1),
            ("192.0.2.1", "192.0.3.1", 0),
        ] {
            assert_eq!(shared(one, other), count, "{one} {other}");
        }
    }

    #[test]
    fn known_peers_are_counted_apart_in_wide_networks_alone() {
        let (stranger, known): (Vec<_>, Vec<_>) =
            networks(peer("2001:db8::1"), false).zip(networks(peer("2001:db8::1"), true)).unzip();
        assert_eq!(stranger[0], known[0]);
        assert!(stranger[1] != known[1] && stranger[2] != known[2]);
    }

    #[test]
    fn one_network_does_not_push_known_ones_of_others_out() {
        let known = KnownNetworks::default();
        known.learn(peer("2001:db8:1::7"));
        for number in 0..=u16::MAX {
            known.learn(IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 2, number, 0, 0, 0, 1)));
        }
        assert!(known.contains(peer("2001:db8:1::99")), "the same network");
        assert!(!known.contains(peer("2001:db8:1:1::7")));
        assert!(!known.contains(peer("2001:db8:2:0::1")), "too many of one network");
        assert!(known.contains(peer("2001:db8:2:ffff::1")));
    }

    #[test]
    fn what_was_known_before_is_recognised_by_its_fingerprint() {
        let known = KnownNetworks::default();
        let fingerprint_of = |network: Ipv6Addr| {
            let mut fingerprint = [7; 32];
            fingerprint[..16].copy_from_slice(&network.octets());
            fingerprint
        };
        let fingerprints = [fingerprint_of(network(peer("2001:db8:1::7")))].into();
        known.remember(KnownBefore { fingerprints, fingerprint_of: Box::new(fingerprint_of) });
        assert!(known.contains(peer("2001:db8:1::99")), "the same network");
        assert!(!known.contains(peer("2001:db8:1:1::7")));
    }
}
