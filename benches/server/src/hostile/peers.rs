//! The addresses of attackers, and of honest players beside them.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::attacks::Attack;
use super::random::Random;

/// The first byte of the networks behind a proxy that honest players have: no attacker is there.
const HONEST_NETWORK: u16 = 0xff;

/// The proxy of honest players in networks of IPv6.
pub const HONEST_PROXY: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// Where the connections of an attack come from, and from how many addresses of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peers {
    /// From networks that have nothing in common.
    Apart(usize),
    /// From neighbours in one IPv4 network of 24 bits.
    OneNetwork(usize),
    /// From the IPv6 networks of 64 bits of one line at home (56 bits), by proxies that the server trusts.
    OneLine(usize),
    /// From those of one site (48 bits), by such proxies.
    OneSite(usize),
}

impl Peers {
    /// The number of addresses of this machine.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Apart(count) | Self::OneNetwork(count) | Self::OneLine(count) | Self::OneSite(count) => {
                count
            }
        }
    }
}

impl Attack {
    /// One of its addresses.
    #[must_use]
    pub fn address(&self, random: &mut Random) -> Ipv4Addr {
        let number = u8::try_from(random.below(self.peers.count()) % 250).unwrap_or_default() + 1;
        match self.peers {
            Peers::OneNetwork(_) => Ipv4Addr::new(127, self.network, 0, number),
            Peers::Apart(_) | Peers::OneLine(_) | Peers::OneSite(_) => {
                Ipv4Addr::new(127, self.network, number, 1)
            }
        }
    }

    /// The address that its proxy names, if there is one: in any network of the line or site but that of honest players.
    #[must_use]
    pub fn behind_proxy(&self, random: &mut Random) -> Option<Ipv6Addr> {
        let networks = match self.peers {
            Peers::Apart(_) | Peers::OneNetwork(_) => return None,
            Peers::OneLine(_) => 0x100,
            Peers::OneSite(_) => 0x1_0000,
        };
        let drawn = u16::try_from(random.below(networks)).unwrap_or_default();
        let network = if drawn == HONEST_NETWORK { HONEST_NETWORK - 1 } else { drawn };
        Some(self.in_site(network, 1))
    }

    /// An honest player's address in the line or site that this attack comes from, if it is one.
    #[must_use]
    pub fn honest_neighbour(&self) -> Option<Ipv6Addr> {
        match self.peers {
            Peers::Apart(_) | Peers::OneNetwork(_) => None,
            Peers::OneLine(_) | Peers::OneSite(_) => Some(self.in_site(HONEST_NETWORK, 2)),
        }
    }

    fn in_site(&self, network: u16, host: u16) -> Ipv6Addr {
        Ipv6Addr::new(0x2001, 0xdb8, u16::from(self.network), network, 0, 0, 0, host)
    }
}

/// The server's settings for these attacks.
#[must_use]
pub fn settings(attacks: &[Attack]) -> Vec<String> {
    let proxies = attacks.iter().filter(|attack| attack.honest_neighbour().is_some());
    let networks = proxies.map(|attack| format!("127.{}.0.0/16", attack.network));
    let trusted = networks.chain([format!("{HONEST_PROXY}/32")]);
    trusted.map(|network| format!("--trusted-proxies={network}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::attacks;
    use super::*;

    fn prefix(address: Ipv6Addr, bits: u32) -> u128 {
        address.to_bits() >> (128 - bits)
    }

    #[test]
    fn a_line_and_a_site_have_many_networks_and_an_honest_one_among_them() {
        let mut tried = 0;
        for attack in attacks::all() {
            let (bits, least) = match attack.peers {
                Peers::Apart(_) | Peers::OneNetwork(_) => continue,
                Peers::OneLine(_) => (56, 200),
                Peers::OneSite(_) => (48, 900),
            };
            tried += 1;
            let mut random = Random::new("peers", 0);
            let honest = attack.honest_neighbour().expect("one");
            let drawn = (0..2_000).filter_map(|_| attack.behind_proxy(&mut random));
            let networks: std::collections::HashSet<_> = drawn
                .map(|address| {
                    assert_eq!(prefix(address, bits), prefix(honest, bits), "{}", attack.name);
                    prefix(address, 64)
                })
                .collect();
            assert!(networks.len() > least && !networks.contains(&prefix(honest, 64)), "{}", attack.name);
        }
        assert!(tried > 3);
    }
}
