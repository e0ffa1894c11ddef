//! A limit on a quantity in all and for each peer.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::network::{Counted, KnownNetworks, Network, networks};

/// The limits of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub in_all: u64,
    /// For one peer: an IPv4 address, or an IPv6 network of 64 bits. Wider networks have a few times as much.
    pub of_peer: u64,
}

/// The part of all places, and of all bytes, that only known networks get: one in so many.
const KEPT_PART: u64 = 4;

/// The most known networks that share what is kept. Beyond its part, a known network competes with strangers: who has an account can
/// make networks known, too. A part of connections is enough for one person, and one of bytes for the pages that a few people of one house
/// look at together.
const MAX_KNOWN_AT_ONCE: u64 = 256;
const MAX_KNOWN_AT_ONCE_BY_BYTES: u64 = 32;

impl Share {
    /// What only known networks get: none where so few are to be had that it would shut out strangers.
    fn kept(self) -> u64 {
        self.in_all / KEPT_PART
    }

    /// What a known network may hold of it.
    fn kept_of(self, network: Counted, unit: Unit) -> u64 {
        let at_once = if unit == Unit::Bytes { MAX_KNOWN_AT_ONCE_BY_BYTES } else { MAX_KNOWN_AT_ONCE };
        (self.kept() / at_once).max(1) * u64::from(network.factor)
    }

    /// What a network may hold. A wide one never gets more than half of all, or a quarter in places of known peers.
    fn of(self, network: Counted, known: bool) -> u64 {
        let part = if known { 4 } else { 2 };
        let wide = (self.of_peer * u64::from(network.factor)).min(self.in_all / part);
        wide.max(self.of_peer)
    }
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
    known: KnownNetworks,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    in_all: u64,
    /// What peers hold of the places that nobody is kept.
    open: u64,
    /// What those hold who represent many clients.
    through: u64,
    /// Has at most three entries for each pass.
    networks: HashMap<Network, OfNetwork>,
}

/// What a network holds.
#[derive(Clone, Copy, Debug, Default)]
struct OfNetwork {
    in_all: u64,
    /// The part of it in places kept for known networks.
    kept: u64,
}

impl Held {
    fn of(&self, network: Network) -> OfNetwork {
        self.networks.get(&network).copied().unwrap_or_default()
    }
}

/// An admitted quantity, released when dropped.
#[derive(Debug)]
pub struct TrafficPermit {
    gate: Arc<Gate>,
    /// `None` if it counts towards the total only.
    peer: Option<Holder>,
    weight: u64,
    /// The part of the weight in places kept for known networks.
    kept: u64,
}

/// Who holds a pass. It stays counted as it came in, whatever is learnt of its network meanwhile.
#[derive(Clone, Copy, Debug)]
struct Holder {
    peer: IpAddr,
    known: bool,
}

impl Holder {
    fn networks(self) -> impl Iterator<Item = Counted> {
        networks(self.peer, self.known)
    }
}

impl Gate {
    #[must_use]
    pub fn new(quantity: Quantity, share: Share, known: &KnownNetworks) -> Arc<Self> {
        Arc::new(Self { quantity, share, known: known.clone(), held: Mutex::default() })
    }

    /// Admits `peer` with `weight`. `None` stands for peers that represent many clients, such as proxies. Together they may hold as much
    /// as all others: clients who come by themselves, past a proxy, take nothing from those who come through it.
    ///
    /// # Errors
    /// There is no room.
    pub fn enter(self: &Arc<Self>, peer: Option<IpAddr>, weight: u64) -> Result<TrafficPermit, Full> {
        let peer = peer.map(|peer| Holder { peer, known: self.known.contains(peer) });
        let mut pass = TrafficPermit { gate: Arc::clone(self), peer, weight: 0, kept: 0 };
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
        let (share, quantity) = (self.gate.share, self.gate.quantity);
        let mut held = self.gate.held();
        let mut is_kept = false;
        if let Some(peer) = self.peer {
            for counted in peer.networks() {
                let most = share.of(counted, peer.known);
                if held.of(counted.network).in_all + more > most {
                    return Err(Full::Peer(quantity, most));
                }
            }
            // What is kept is for the time when the rest is taken, and is asked for with `more`: a few large answers would take it all.
            is_kept = held.open + more > share.in_all - share.kept();
            let fits = |of: Counted| held.of(of.network).kept + more <= share.kept_of(of, quantity.unit);
            if is_kept && !(peer.known && peer.networks().all(fits)) {
                return Err(Full::All(quantity));
            }
        }
        let beside = if self.peer.is_some() { held.in_all - held.through } else { held.through };
        if beside + more > share.in_all {
            return Err(Full::All(quantity));
        }
        let kept = if is_kept { more } else { 0 };
        held.in_all += more;
        match self.peer {
            None => held.through += more,
            Some(peer) => {
                held.open += more - kept;
                for counted in peer.networks() {
                    let of_network = held.networks.entry(counted.network).or_default();
                    of_network.in_all += more;
                    of_network.kept += kept;
                }
            }
        }
        drop(held);
        self.weight += more;
        self.kept += kept;
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
        let Some(peer) = self.peer else {
            held.through -= self.weight;
            return;
        };
        held.open -= self.weight - self.kept;
        for Counted { network, .. } in peer.networks() {
            if let Some(of_network) = held.networks.get_mut(&network) {
                of_network.in_all -= self.weight;
                of_network.kept -= self.kept;
                if of_network.in_all == 0 {
                    held.networks.remove(&network);
                }
            }
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

    fn gate(share: Share) -> Arc<Gate> {
        Gate::new(PLACES, share, &KnownNetworks::default())
    }

    #[test]
    fn a_peer_has_its_part_and_all_have_the_whole() {
        let gate = gate(Share { in_all: 5, of_peer: 2 });
        let first = gate.enter(Some(peer("192.0.2.1")), 1).expect("room");
        let _second = gate.enter(Some(peer("::ffff:192.0.2.1")), 1).expect("room");
        assert_eq!(gate.enter(Some(peer("192.0.2.1")), 1).expect_err("its part"), Full::Peer(PLACES, 2));
        let _network = gate.enter(Some(peer("2001:db8::1")), 2).expect("room");
        assert_eq!(gate.enter(Some(peer("2001:db8::2")), 1).expect_err("one network"), Full::Peer(PLACES, 2));
        assert_eq!(gate.enter(Some(peer("192.0.7.2")), 1).expect_err("nothing left"), Full::All(PLACES));
        let _proxy = gate.enter(None, 5).expect("as much again");
        assert_eq!(gate.enter(None, 1).expect_err("nothing left"), Full::All(PLACES));
        drop(first);
        assert_eq!(gate.in_use(), 8);
        gate.enter(Some(peer("192.0.2.1")), 1).expect("given back");
        assert_eq!(gate.in_use(), 8, "given back at once");
    }

    #[test]
    fn what_grows_is_bounded_like_what_comes_in() {
        let gate = gate(Share { in_all: 6, of_peer: 3 });
        let mut first = gate.enter(Some(peer("192.0.2.1")), 0).expect("room");
        first.grow(2).expect("room");
        assert_eq!(first.grow(2), Err(Full::Peer(PLACES, 3)));
        let mut second = gate.enter(Some(peer("192.0.7.2")), 2).expect("room");
        first.grow(1).expect("room");
        assert_eq!(second.grow(1), Err(Full::All(PLACES)));
        assert_eq!(gate.in_use(), 5);
        drop(first);
        second.grow(1).expect("given back");
        assert_eq!(gate.in_use(), 3);
    }

    #[test]
    fn nothing_is_remembered_of_those_who_have_left() {
        let gate = gate(Share { in_all: 1, of_peer: 1 });
        for last in 0..=255 {
            gate.enter(Some(IpAddr::from([192, 0, 2, last])), 1).expect("room");
        }
        assert!(gate.held().networks.is_empty());
    }

    /// How many places strangers of `peers` get, one after the other.
    fn taken(gate: &Arc<Gate>, peers: impl Iterator<Item = IpAddr>) -> Vec<TrafficPermit> {
        peers.filter_map(|peer| gate.enter(Some(peer), 1).ok()).collect()
    }

    #[test]
    fn a_line_at_home_gets_twice_and_a_site_four_times_what_a_peer_gets_and_never_more_than_half() {
        let lines = |line: u16| {
            (0..400_u16).map(move |number| IpAddr::from([0x2001, 0xdb8, 7, line + number % 256, 0, 0, 0, 1]))
        };
        let gate = gate(Share { in_all: 132, of_peer: 16 });
        let line = taken(&gate, lines(0));
        assert_eq!(line.len(), 32);
        let site = taken(&gate, (1..40).flat_map(|number| lines(number * 256)));
        assert_eq!(line.len() + site.len(), 64);
        let block = taken(&gate, (0..=255).map(|last| IpAddr::from([192, 0, 2, last])));
        assert_eq!(block.len(), 132 - 33 - 64, "all that strangers get");
        drop((line, site));
        assert_eq!(
            taken(&gate, (0..=255).map(|last| IpAddr::from([192, 0, 2, last]))).len(),
            64 - block.len()
        );
        drop(block);
        assert!(gate.held().networks.is_empty() && gate.held().open == 0);
    }

    #[test]
    fn known_networks_have_places_that_strangers_do_not_get() {
        let known = KnownNetworks::default();
        let gate = Gate::new(PLACES, Share { in_all: 16, of_peer: 4 }, &known);
        let (home, neighbour) = (peer("2001:db8:1::1"), peer("2001:db8:1:2::1"));
        let strangers = taken(&gate, (0..100).map(|number| IpAddr::from([192, 0, number, 1])));
        assert_eq!(strangers.len(), 12);
        assert_eq!(gate.enter(Some(home), 1).expect_err("a stranger"), Full::All(PLACES));
        known.learn(home);
        let place = gate.enter(Some(home), 1).expect("a place kept for known networks");
        assert_eq!(gate.enter(Some(neighbour), 1).expect_err("a stranger"), Full::All(PLACES));
        drop((place, strangers));
        assert_eq!((gate.in_use(), gate.held().open), (0, 0));
        // Who came before the strangers took nothing of what is kept.
        let early = gate.enter(Some(home), 1).expect("room");
        let strangers = taken(&gate, (0..100).map(|number| IpAddr::from([192, 0, number, 1])));
        assert_eq!(strangers.len(), 11);
        let late = gate.enter(Some(home), 1).expect("the place that is kept");
        assert_eq!(gate.enter(Some(home), 1).expect_err("its part"), Full::All(PLACES));
        drop((early, late, strangers));
        assert!(gate.held().networks.is_empty() && gate.held().open == 0);
    }

    #[test]
    fn people_of_one_house_look_at_pages_together_while_others_read_none_of_their_answers() {
        const PAGE: u64 = 40 * 1024;
        let known = KnownNetworks::default();
        let gate = Gate::new(Quantity::bytes("answers"), crate::ANSWER_BYTES, &known);
        let strangers = (0..100).map(|number| IpAddr::from([192, 0, number, 1]));
        let attackers: Vec<_> = (0..16).map(|number| IpAddr::from([198, 51, number, 1])).collect();
        for peer in &attackers {
            known.learn(*peer);
        }
        // Exports, which are streams, and then pages, until nobody gets more.
        let of = |peer: IpAddr, bytes| gate.enter(Some(peer), bytes).ok();
        let mut held: Vec<_> = strangers.filter_map(|peer| of(peer, crate::STREAMED_ANSWER_BYTES)).collect();
        for bytes in [crate::STREAMED_ANSWER_BYTES, PAGE, PAGE, PAGE, PAGE] {
            held.extend(attackers.iter().filter_map(|peer| of(*peer, bytes)));
        }
        assert!(held.len() > 60, "{}", held.len());
        let home = peer("2001:db8:1::1");
        known.learn(home);
        let pages: Vec<_> = (0..9).filter_map(|_| of(home, PAGE)).collect();
        assert_eq!(pages.len(), 3, "three at once");
    }

    #[test]
    fn known_networks_of_an_attacker_leave_others_their_part_of_what_is_kept() {
        let known = KnownNetworks::default();
        let gate = Gate::new(PLACES, Share { in_all: 2048, of_peer: 256 }, &known);
        // Its accounts have made a whole site known, and addresses of two hundred others.
        let site = (0..32).map(|number| IpAddr::from([0x2001, 0xdb8, 9, number * 256, 0, 0, 0, 1]));
        let elsewhere = (0..200).map(|number| IpAddr::from([198, 51, number, 1]));
        let attackers: Vec<_> = site.chain(elsewhere).collect();
        for peer in &attackers {
            known.learn(*peer);
        }
        let strangers =
            (0..30_000_u32).map(|number| IpAddr::from((0xcb00_0000 + number * 256).to_be_bytes()));
        let open = taken(&gate, strangers);
        assert_eq!(open.len(), 2048 - 512);
        let more = taken(&gate, attackers.into_iter().flat_map(|peer| [peer; 250]));
        assert_eq!(more.len(), 4 * 2 + 200 * 2, "a part of one network for each, and four for the site");
        let home = peer("2001:db8:1::1");
        known.learn(home);
        assert_eq!(taken(&gate, [home; 9].into_iter()).len(), 2);
        drop((open, more));
        assert!(gate.held().networks.is_empty() && gate.held().open == 0);
    }
}
