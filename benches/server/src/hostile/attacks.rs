//! The attacks: their requests, numbers of connections and addresses, and rates.

use std::net::Ipv4Addr;
use std::time::Duration;

use super::attack_data::AttackData;
use super::attackers::address;
use super::random::Random;
use super::request::Request;
use super::{costly_mails, costly_requests, invalid_text};

/// How a connection is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Sends requests and reads each answer at once.
    Ask,
    /// Sends requests and reads the answers as slowly as the server allows.
    ReadSlowly,
    /// Sends a body as slowly as the server allows, or stops in the middle.
    WriteSlowly,
    /// Begins a request, or sends nothing, and holds the connection.
    Hold,
    /// Sends a request and hangs up.
    HangUp,
}

/// One attack.
#[derive(Clone, Copy)]
pub struct Attack {
    pub name: &'static str,
    pub manner: Manner,
    /// Connections at once.
    pub connections: usize,
    /// The total rate of requests, or of opened connections.
    pub most_a_second: f64,
    /// The number of addresses, each a peer of its own.
    pub peers: usize,
    /// The second byte of those addresses; each attack has another.
    network: u8,
    pub request: fn(&AttackData, &mut Random) -> Request,
}

impl Attack {
    /// The pause between two requests of a connection, or before it is opened again.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn pause(&self) -> Duration {
        Duration::from_secs_f64(self.connections as f64 / self.most_a_second)
    }

    /// One of its addresses.
    #[must_use]
    pub fn peer(&self, random: &mut Random) -> Ipv4Addr {
        address(self.network, random.below(self.peers), self.name == OF_ONE_NETWORK)
    }
}

/// Silent connections: with those of the others and of honest players, nearly as many as the server accepts.
const IDLE_CONNECTIONS: usize = 3000;

/// The attack whose addresses are neighbours, as those of one customer.
const OF_ONE_NETWORK: &str = "log-ins of one network";

/// The attack whose addresses are IPv6 networks of one site: a proxy before the server names them.
const OF_ONE_SITE: &str = "log-ins of one site";

/// The server's settings for these attacks.
#[must_use]
pub fn settings() -> Vec<String> {
    let proxies = all().into_iter().filter(|attack| attack.name == OF_ONE_SITE);
    proxies.map(|attack| format!("--trusted-proxies=127.{}.0.0/16", attack.network)).collect()
}

macro_rules! attacks {
    ($($name:literal: $manner:ident, $connections:expr, $most_a_second:literal a second, $peers:literal peers, $request:expr;)*) => {
        vec![$(Attack {
            name: $name,
            manner: Manner::$manner,
            connections: $connections,
            most_a_second: f64::from($most_a_second),
            peers: $peers,
            network: 0,
            request: $request,
        }),*]
    };
}

/// All attacks. Their rates are bounded, because attackers share the server's processors and their own use of them is not
/// measured.
#[must_use]
pub fn all() -> Vec<Attack> {
    let attacks: Vec<Attack> = attacks! {
        "gzip bombs": Ask, 60, 30 a second, 30 peers, costly_requests::bomb;
        "made-up methods, paths, hosts": Ask, 4, 20 a second, 4 peers, invalid_text::made_up;
        "malformed parameters": Ask, 6, 20 a second, 6 peers, invalid_text::in_address;
        "malformed headers and tokens": Ask, 6, 20 a second, 6 peers, invalid_text::in_headers;
        "malformed names and bodies": Ask, 6, 20 a second, 6 peers, invalid_text::in_bodies;
        "a megabyte of anything": Ask, 4, 8 a second, 4 peers, invalid_text::megabyte;
        "large JSON": Ask, 16, 20 a second, 16 peers, costly_requests::large_json;
        "stalled bodies": WriteSlowly, 300, 100 a second, 8 peers, costly_requests::stalled;
        "stalled records": WriteSlowly, 4, 4 a second, 2 peers, costly_requests::stalled_record;
        "slow readers": ReadSlowly, 400, 100 a second, 16 peers, costly_requests::large_answer;
        "readers who hang up": HangUp, 4, 20 a second, 4 peers, costly_requests::large_answer;
        "records that are none": Ask, 12, 2 a second, 200 peers, costly_requests::junk_record;
        "log-in guessing": Ask, 16, 10 a second, 200 peers, costly_requests::guess;
        "log-ins of one site": Ask, 64, 40 a second, 250 peers, costly_requests::guess_elsewhere;
        "log-ins of one network": Ask, 160, 60 a second, 250 peers, costly_requests::guess;
        "registrations": Ask, 8, 4 a second, 200 peers, costly_requests::registration;
        "replays, past positions": Ask, 8, 20 a second, 8 peers, costly_requests::past;
        "lists": Ask, 8, 20 a second, 8 peers, costly_requests::list;
        "random idempotency keys": Ask, 8, 20 a second, 8 peers, costly_requests::keyed;
        "boards": Ask, 8, 10 a second, 8 peers, costly_requests::board;
        "films": Ask, 8, 10 a second, 8 peers, costly_requests::film;
        "mails": Ask, 8, 10 a second, 8 peers, costly_mails::mail;
        "invitations": Ask, 8, 20 a second, 8 peers, costly_requests::invitation;
        "connection flood": HangUp, 32, 100 a second, 32 peers, costly_requests::beginning;
        "idle and half-said": Hold, IDLE_CONNECTIONS, 400 a second, 14 peers, costly_requests::beginning;
    };
    (1..).zip(attacks).map(|(network, attack)| Attack { network, ..attack }).collect()
}
