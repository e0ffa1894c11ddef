//! The attacks, each described once: what it asks, over how many connections, from which addresses, and how often.

use std::time::Duration;

use super::attack_data::AttackData;
use super::costly_mails::Letter;
use super::peers::Peers;
use super::random::Random;
use super::request::Request;
use super::{accounts, anonymous, costly_mails, costly_requests, invalid_text, table};

/// Makes a request of what the attackers have.
pub type MakeRequest = fn(&AttackData, &mut Random) -> Request;

/// How a connection is used.
#[derive(Clone, Copy)]
pub enum Manner {
    /// Sends requests and reads each answer at once.
    Ask(MakeRequest),
    /// Sends requests and reads the answers as slowly as the server allows.
    ReadSlowly(MakeRequest),
    /// Sends a body as slowly as the server allows, or stops in the middle.
    WriteSlowly(MakeRequest),
    /// Begins a request, or sends nothing, and holds the connection.
    Hold(MakeRequest),
    /// Sends a request and hangs up.
    HangUp(MakeRequest),
    /// Sends a request, reads the beginning of the answer and hangs up.
    Glance(MakeRequest),
    /// Hands in mails by LMTP, as the mail server before this one does for whoever sends them.
    Deliver(fn(&AttackData, &mut Random) -> Letter),
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
    /// Where they come from.
    pub peers: Peers,
    /// The number of the network of those addresses; each attack has another.
    pub network: u8,
}

impl Attack {
    /// The pause between two requests of a connection, or before it is opened again.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn pause(&self) -> Duration {
        Duration::from_secs_f64(self.connections as f64 / self.most_a_second)
    }
}

/// Silent connections: alone nearly twice as many as the server accepts.
const IDLE_CONNECTIONS: usize = 3000;

macro_rules! attacks {
    ($($name:literal: $manner:ident($make:path), $connections:expr, $most_a_second:literal a second, $place:ident($peers:literal);)*) => {
        vec![$(Attack {
            name: $name,
            manner: Manner::$manner($make),
            connections: $connections,
            most_a_second: f64::from($most_a_second),
            peers: Peers::$place($peers),
            network: 0,
        }),*]
    };
}

/// All attacks. Their rates are bounded, because attackers share the server's processors and their own use of them is not
/// measured.
#[must_use]
pub fn all() -> Vec<Attack> {
    let attacks: Vec<Attack> = attacks! {
        "gzip bombs": Ask(costly_requests::bomb), 60, 30 a second, Apart(30);
        "made-up methods, paths, hosts": Ask(invalid_text::made_up), 4, 20 a second, Apart(4);
        "malformed parameters": Ask(invalid_text::in_address), 6, 20 a second, Apart(6);
        "malformed headers and tokens": Ask(invalid_text::in_headers), 6, 20 a second, Apart(6);
        "malformed names and bodies": Ask(invalid_text::in_bodies), 6, 20 a second, Apart(6);
        "a megabyte of anything": Ask(invalid_text::megabyte), 4, 8 a second, Apart(4);
        "large JSON": Ask(costly_requests::large_json), 16, 20 a second, Apart(16);
        "stalled bodies": WriteSlowly(costly_requests::stalled), 300, 100 a second, Apart(8);
        "stalled records": WriteSlowly(costly_requests::stalled_record), 4, 4 a second, Apart(2);
        "slow readers": ReadSlowly(costly_requests::large_answer), 400, 100 a second, Apart(16);
        "readers who hang up": HangUp(costly_requests::large_answer), 4, 20 a second, Apart(4);
        "records that are none": Ask(costly_requests::junk_record), 12, 2 a second, Apart(200);
        "records of one site": Ask(costly_requests::short_record), 16, 20 a second, OneSite(250);
        "log-in guessing": Ask(accounts::guess), 16, 10 a second, Apart(200);
        "log-ins of one network": Ask(accounts::guess), 160, 60 a second, OneNetwork(250);
        "log-ins of one line": Ask(accounts::guess), 64, 40 a second, OneLine(250);
        "log-ins of one site": Ask(accounts::guess), 64, 40 a second, OneSite(250);
        "registrations": Ask(accounts::registration), 8, 4 a second, Apart(200);
        "registrations of one site": Ask(accounts::registration), 8, 4 a second, OneSite(250);
        "links by mail of one site": Ask(accounts::link), 8, 10 a second, OneSite(250);
        "guests": Ask(anonymous::guest), 8, 10 a second, Apart(200);
        "codes of devices": Ask(anonymous::device), 8, 20 a second, Apart(200);
        "pages": Ask(anonymous::page), 8, 20 a second, Apart(8);
        "boards": Ask(costly_requests::board), 8, 10 a second, Apart(8);
        "films": Ask(costly_requests::film), 8, 10 a second, Apart(8);
        "exports": Ask(costly_requests::export), 8, 10 a second, Apart(8);
        "replays, past positions": Ask(costly_requests::past), 8, 20 a second, Apart(8);
        "lists": Ask(costly_requests::list), 8, 20 a second, Apart(8);
        "random idempotency keys": Ask(costly_requests::keyed), 8, 20 a second, Apart(8);
        "mails over HTTP": Ask(costly_mails::mail), 8, 10 a second, Apart(8);
        "mails over LMTP": Deliver(costly_mails::letter), 6, 10 a second, Apart(6);
        "mails of one player at once": Ask(costly_mails::mail_of_one), 6, 10 a second, Apart(6);
        "invitations": Ask(table::invitation), 8, 20 a second, Apart(8);
        "messages at the table": Ask(table::message), 8, 20 a second, Apart(8);
        "games beyond the quota": Ask(table::game_too_many), 6, 10 a second, Apart(6);
        "feeds opened and dropped": Glance(table::feed), 16, 40 a second, Apart(16);
        "feeds that nobody reads": ReadSlowly(table::feed), 100, 20 a second, Apart(8);
        "connection flood": HangUp(costly_requests::beginning), 32, 100 a second, Apart(32);
        "idle and half-said": Hold(costly_requests::beginning), IDLE_CONNECTIONS, 400 a second, Apart(14);
    };
    (1..).zip(attacks).map(|(network, attack)| Attack { network, ..attack }).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_attack_has_a_name_and_a_network_of_its_own() {
        let attacks = all();
        let names: HashSet<_> = attacks.iter().map(|attack| attack.name).collect();
        let networks: HashSet<_> = attacks.iter().map(|attack| attack.network).collect();
        assert_eq!((names.len(), networks.len()), (attacks.len(), attacks.len()));
    }
}
