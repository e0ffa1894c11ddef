//! A limit on a quantity in all and for each peer.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The limits of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub in_all: u64,
    /// For one peer: an IPv4 address, or an IPv6 network of 64 bits.
    pub of_peer: u64,
}

/// Why a peer is refused now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    #[error("you hold as much as one peer may")]
    Peer(Quantity, u64),
    #[error("others hold all there is")]
    All(Quantity),
}

/// What a gate limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The limit's name, as answers show it.
    pub name: &'static str,
    pub unit: Unit,
}

/// The unit of a limited quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Requests at the same time.
    Requests,
    Bytes,
}

impl Quantity {
    #[must_use]
    pub const fn requests(name: &'static str) -> Self {
        Self { name, unit: Unit::Requests }
    }

    #[must_use]
    pub const fn bytes(name: &'static str) -> Self {
        Self { name, unit: Unit::Bytes }
    }
}

/// Admits peers up to the limits.
#[derive(Debug)]
pub struct Gate {
    quantity: Quantity,
    share: Share,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    in_all: u64,
    /// Has no more entries than there are passes.
    peers: HashMap<Ipv6Addr, u64>,
}

/// An admitted quantity, released when dropped.
#[derive(Debug)]
pub struct TrafficPermit {
    gate: Arc<Gate>,
    /// `None` if it counts towards the total only.
    network: Option<Ipv6Addr>,
    weight: u64,
}

impl Gate {
    #[must_use]
    pub fn new(quantity: Quantity, share: Share) -> Arc<Self> {
        Arc::new(Self { quantity, share, held: Mutex::default() })
    }

    /// Admits `peer` with `weight`. `None` stands for a peer that represents many clients, such as a proxy, and counts towards
    /// the total only.
    ///
    /// # Errors
    /// There is no room.
    pub fn enter(self: &Arc<Self>, peer: Option<IpAddr>, weight: u64) -> Result<TrafficPermit, Full> {
        let mut pass = TrafficPermit { gate: Arc::clone(self), network: peer.map(network), weight: 0 };
        pass.grow(weight)?;
        Ok(pass)
    }

    /// The quantity that is held now.
    #[must_use]
    pub fn in_use(&self) -> u64 {
        self.held().in_all
    }

    /// No panic inside leaves the counters inconsistent, so poisoning is ignored.
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TrafficPermit {
    /// Adds `more` to what is held.
    ///
    /// # Errors
    /// There is no room; what was held is still held.
    pub fn grow(&mut self, more: u64) -> Result<(), Full> {
        let share = self.gate.share;
        let mut held = self.gate.held();
        if let Some(network) = self.network {
            let of_peer = held.peers.get(&network).copied().unwrap_or_default();
            if of_peer + more > share.of_peer {
                return Err(Full::Peer(self.gate.quantity, share.of_peer));
            }
        }
        if held.in_all + more > share.in_all {
            return Err(Full::All(self.gate.quantity));
        }
        held.in_all += more;
        if let Some(network) = self.network {
            *held.peers.entry(network).or_default() += more;
        }
        drop(held);
        self.weight += more;
        Ok(())
    }
}

impl Drop for TrafficPermit {
    fn drop(&mut self) {
        if self.weight == 0 {
            return;
        }
        let mut held = self.gate.held();
        held.in_all -= self.weight;
        let Some(network) = self.network else { return };
        if let Some(of_peer) = held.peers.get_mut(&network) {
            *of_peer -= self.weight;
            if *of_peer == 0 {
                held.peers.remove(&network);
            }
        }
    }
}

/// The part of an address that identifies a peer: an IPv4 address, or the 64 bits of an IPv6 network.
#[must_use]
pub fn network(peer: IpAddr) -> Ipv6Addr {
    match peer.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: Quantity = Quantity::requests("places");

    fn peer(text: &str) -> IpAddr {
        text.parse().expect("an IP address")
    }

    #[test]
    fn a_peer_has_its_part_and_all_have_the_whole() {
        let gate = Gate::new(PLACES, Share { in_all: 5, of_peer: 2 });
        let first = gate.enter(Some(peer("192.0.2.1")), 1).expect("room");
        let _second = gate.enter(Some(peer("::ffff:192.0.2.1")), 1).expect("room");
        assert_eq!(gate.enter(Some(peer("192.0.2.1")), 1).expect_err("its part"), Full::Peer(PLACES, 2));
        let _network = gate.enter(Some(peer("2001:db8::1")), 2).expect("room");
        assert_eq!(gate.enter(Some(peer("2001:db8::2")), 1).expect_err("one network"), Full::Peer(PLACES, 2));
        let _proxy = gate.enter(None, 1).expect("room");
        assert_eq!(gate.enter(Some(peer("192.0.2.2")), 1).expect_err("nothing left"), Full::All(PLACES));
        assert_eq!(gate.enter(None, 1).expect_err("nothing left"), Full::All(PLACES));
        drop(first);
        assert_eq!(gate.in_use(), 4);
        gate.enter(Some(peer("192.0.2.1")), 1).expect("given back");
        assert_eq!(gate.in_use(), 4, "given back at once");
    }

    #[test]
    fn what_grows_is_bounded_like_what_comes_in() {
        let gate = Gate::new(PLACES, Share { in_all: 5, of_peer: 3 });
        let mut first = gate.enter(Some(peer("192.0.2.1")), 0).expect("room");
        first.grow(2).expect("room");
        assert_eq!(first.grow(2), Err(Full::Peer(PLACES, 3)));
        let mut second = gate.enter(Some(peer("192.0.2.2")), 2).expect("room");
        first.grow(1).expect("room");
        assert_eq!(second.grow(1), Err(Full::All(PLACES)));
        assert_eq!(gate.in_use(), 5);
        drop(first);
        second.grow(1).expect("given back");
        assert_eq!(gate.in_use(), 3);
    }

    #[test]
    fn nothing_is_remembered_of_those_who_have_left() {
        let gate = Gate::new(PLACES, Share { in_all: 1, of_peer: 1 });
        for last in 0..=255 {
            gate.enter(Some(IpAddr::from([192, 0, 2, last])), 1).expect("room");
        }
        assert!(gate.held().peers.is_empty());
    }

    #[test]
    fn a_network_of_64_bits_is_one_peer() {
        let of = |text: &str| network(text.parse().expect("an IP address"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
