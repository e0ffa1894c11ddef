//! Rate limits on passwords, mails and other costly requests: per address or name, and per peer.

use std::convert::Infallible;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use quick_cache::sync::Cache;
use time::OffsetDateTime;
use uuid::Uuid;

use super::AccountError;
use crate::clock::Clock;
use crate::keys::secret::sha256;
use crate::traffic::network;

/// How many keys each limiter remembers. It forgets the least active first: a flood of new keys neither fills the memory nor
/// resets the limits of active ones.
const KEYS_REMEMBERED: usize = 10_000;

const MINUTE: Duration = Duration::from_mins(1);

/// Allows a burst of tries, and then one more per period.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub burst: NonZeroU32,
    pub then_every: Duration,
}

impl Rate {
    /// Creates a rate.
    ///
    /// # Panics
    /// If `burst` is 0.
    #[must_use]
    pub const fn new(burst: u32, then_every: Duration) -> Self {
        Self { burst: NonZeroU32::new(burst).expect("a rate allows something"), then_every }
    }
}

/// The two rates of one kind of request.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// For one e-mail address or handle, from all peers.
    pub per_address: Rate,
    /// For one peer (an IPv4 address, or an IPv6 network of 64 bits), for all addresses.
    pub per_peer: Rate,
}

/// The rates of password checks.
#[derive(Clone, Copy, Debug)]
pub struct LogInLimit {
    /// For one name tried by one peer.
    pub per_name_and_peer: Rate,
    /// For one name, from all peers except those that the player has logged in from before. Laxer, so that a guessing stranger
    /// does not lock the player out.
    pub per_name: Rate,
    /// For one peer, for all names.
    pub per_peer: Rate,
}

/// The rates of one kind of player request.
#[derive(Clone, Copy, Debug)]
pub struct PlayerLimit {
    pub per_player: Rate,
    /// For one peer, for all its players.
    pub per_peer: Rate,
}

/// A player's request that costs others something. Legal moves are never counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerRequest {
    CreateGame,
    Invite,
    Join,
    Say,
}

/// The limits of player requests.
#[derive(Clone, Copy, Debug)]
pub struct PlayerLimits {
    pub create_game: PlayerLimit,
    pub invite: PlayerLimit,
    pub join: PlayerLimit,
    /// Messages to a table.
    pub say: PlayerLimit,
}

impl Default for PlayerLimits {
    fn default() -> Self {
        let seldom = PlayerLimit { per_player: Rate::new(30, 2 * MINUTE), per_peer: Rate::new(60, MINUTE) };
        let often = PlayerLimit { per_player: Rate::new(60, MINUTE), per_peer: Rate::new(120, MINUTE / 2) };
        Self { create_game: seldom, invite: seldom, join: often, say: often }
    }
}

/// The limits of everything that hashes passwords, sends mail, or works for guests.
#[derive(Clone, Copy, Debug)]
pub struct AccountLimits {
    /// Logging in, and every other password check.
    pub log_in: LogInLimit,
    pub registration: Limit,
    /// Requesting a link that sets a new password, and using one.
    pub reset: Limit,
    /// Requesting a link that confirms an address, and using one.
    pub confirmation: Limit,
    /// Requesting links that confirm addresses, for one player and all addresses.
    pub confirmation_per_player: Rate,
    pub players: PlayerLimits,
    /// Verifying records, for one peer.
    pub verification: Rate,
    /// Checking receipts, for one peer.
    pub receipts: Rate,
}

impl Default for AccountLimits {
    fn default() -> Self {
        let mailing = Limit { per_address: Rate::new(3, 10 * MINUTE), per_peer: Rate::new(20, MINUTE) };
        Self {
            log_in: LogInLimit {
                per_name_and_peer: Rate::new(10, MINUTE),
                per_name: Rate::new(100, MINUTE / 6),
                per_peer: Rate::new(30, MINUTE / 6),
            },
            registration: Limit {
                per_address: Rate::new(5, 10 * MINUTE),
                per_peer: Rate::new(20, 3 * MINUTE),
            },
            reset: mailing,
            confirmation: mailing,
            confirmation_per_player: Rate::new(10, 10 * MINUTE),
            players: PlayerLimits::default(),
            verification: Rate::new(60, MINUTE / 30),
            receipts: Rate::new(60, MINUTE / 60),
        }
    }
}

impl AccountLimits {
    /// Limits that are never reached, for tests and benchmarks.
    #[must_use]
    pub fn generous() -> Self {
        let rate = Rate::new(1_000_000, Duration::from_micros(1));
        let limit = Limit { per_address: rate, per_peer: rate };
        let player = PlayerLimit { per_player: rate, per_peer: rate };
        Self {
            log_in: LogInLimit { per_name_and_peer: rate, per_name: rate, per_peer: rate },
            registration: limit,
            reset: limit,
            confirmation: limit,
            confirmation_per_player: rate,
            players: PlayerLimits { create_game: player, invite: player, join: player, say: player },
            verification: rate,
            receipts: rate,
        }
    }
}

/// The two limiters of one kind of request.
pub(super) struct Gate {
    addresses: Limiter<[u8; 32]>,
    peers: Limiter<Ipv6Addr>,
}

impl Gate {
    pub(super) fn new(limit: Limit, clock: &Clock) -> Self {
        Self { addresses: Limiter::new(limit.per_address, clock), peers: Limiter::new(limit.per_peer, clock) }
    }

    /// A gate for requests without an address or name.
    pub(super) fn of_peers(rate: Rate, clock: &Clock) -> Self {
        Self::new(Limit { per_address: rate, per_peer: rate }, clock)
    }

    /// Counts one try. The peer is checked first, so a blocked peer does not use up the tries of an address.
    pub(super) fn pass(&self, peer: IpAddr, address: &str) -> Result<(), AccountError> {
        self.pass_peer(peer)?;
        self.addresses.check(sha256(address.as_bytes()))
    }

    /// Counts one try of a peer, without an address.
    pub(super) fn pass_peer(&self, peer: IpAddr) -> Result<(), AccountError> {
        self.peers.check(network(peer))
    }
}

/// The limiters of password checks.
pub(super) struct LogInGate {
    pairs: Limiter<[u8; 32]>,
    names: Limiter<[u8; 32]>,
    peers: Limiter<Ipv6Addr>,
}

impl LogInGate {
    pub(super) fn new(limit: LogInLimit, clock: &Clock) -> Self {
        Self {
            pairs: Limiter::new(limit.per_name_and_peer, clock),
            names: Limiter::new(limit.per_name, clock),
            peers: Limiter::new(limit.per_peer, clock),
        }
    }

    /// Counts one try of a name by a peer.
    pub(super) fn pass_pair(&self, peer: IpAddr, name: &str) -> Result<(), AccountError> {
        let network = network(peer);
        self.peers.check(network)?;
        self.pairs.check(sha256(&[network.octets().as_slice(), name.as_bytes()].concat()))
    }

    /// Counts one try of a name by any peer.
    pub(super) fn pass_name(&self, name: &str) -> Result<(), AccountError> {
        self.names.check(sha256(name.as_bytes()))
    }

    /// Counts one try by a session. Strangers cannot use these up, and a stolen session cannot guess faster from many networks.
    pub(super) fn pass_session(
        &self,
        peer: IpAddr,
        name: &str,
        session_id: Uuid,
    ) -> Result<(), AccountError> {
        self.pass_pair(peer, name)?;
        self.pairs.check(sha256(session_id.as_bytes()))
    }
}

/// The limiters of one kind of player request.
struct PlayerGate {
    players: Limiter<Uuid>,
    peers: Limiter<Ipv6Addr>,
}

impl PlayerGate {
    fn new(limit: PlayerLimit, clock: &Clock) -> Self {
        Self { players: Limiter::new(limit.per_player, clock), peers: Limiter::new(limit.per_peer, clock) }
    }
}

/// The limiters of all player requests.
pub(super) struct PlayerGates {
    create_game: PlayerGate,
    invite: PlayerGate,
    join: PlayerGate,
    say: PlayerGate,
}

impl PlayerGates {
    pub(super) fn new(limits: &PlayerLimits, clock: &Clock) -> Self {
        Self {
            create_game: PlayerGate::new(limits.create_game, clock),
            invite: PlayerGate::new(limits.invite, clock),
            join: PlayerGate::new(limits.join, clock),
            say: PlayerGate::new(limits.say, clock),
        }
    }

    /// Counts one request. The player is checked first, so a blocked player does not use up the tries of the peer.
    pub(super) fn pass(
        &self,
        request: PlayerRequest,
        player_id: Uuid,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let gate = match request {
            PlayerRequest::CreateGame => &self.create_game,
            PlayerRequest::Invite => &self.invite,
            PlayerRequest::Join => &self.join,
            PlayerRequest::Say => &self.say,
        };
        gate.players.check(player_id)?;
        gate.peers.check(network(peer))
    }
}

type Direct = RateLimiter<NotKeyed, InMemoryState, LimitClock, NoOpMiddleware<Duration>>;

/// A limiter with one rate for each key.
pub struct Limiter<K> {
    quota: Quota,
    clock: LimitClock,
    known: Cache<K, Arc<Direct>>,
}

impl<K: Clone + Eq + Hash> Limiter<K> {
    /// The same rate for each key, by the time of `clock`.
    ///
    /// # Panics
    /// If the rate's period is 0.
    #[must_use]
    pub fn new(rate: Rate, clock: &Clock) -> Self {
        let quota = Quota::with_period(rate.then_every).expect("a rate has a period").allow_burst(rate.burst);
        Self { quota, clock: LimitClock::new(clock.clone()), known: Cache::new(KEYS_REMEMBERED) }
    }

    pub(super) fn check(&self, key: K) -> Result<(), AccountError> {
        self.pass(key).map_err(|wait| {
            let retry_after_seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            AccountError::TooManyTries { retry_after_seconds }
        })
    }

    /// Counts one try.
    ///
    /// The rate is exceeded; the error says how long to wait.
    pub fn pass(&self, key: K) -> Result<(), Duration> {
        let new = || Ok::<_, Infallible>(Arc::new(Direct::direct_with_clock(self.quota, self.clock.clone())));
        let Ok(limiter) = self.known.get_or_insert_with(&key, new);
        limiter.check().map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}

/// The time for rate limits. With the machine's clock it is monotonic.
#[derive(Clone)]
struct LimitClock {
    clock: Clock,
    started: Instant,
}

impl LimitClock {
    fn new(clock: Clock) -> Self {
        Self { clock, started: Instant::now() }
    }
}

impl governor::clock::Clock for LimitClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        match &self.clock {
            Clock::System => self.started.elapsed(),
            set @ Clock::Set(_) => (set.now() - OffsetDateTime::UNIX_EPOCH).try_into().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    const HOME: IpAddr = IpAddr::V6(Ipv6Addr::LOCALHOST);

    fn gate(clock: &Clock) -> Gate {
        let limit = Limit { per_address: Rate::new(2, MINUTE), per_peer: Rate::new(3, MINUTE) };
        Gate::new(limit, clock)
    }

    fn wait(result: Result<(), AccountError>) -> Option<u64> {
        match result {
            Ok(()) => None,
            Err(AccountError::TooManyTries { retry_after_seconds }) => Some(retry_after_seconds),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_name_may_be_tried_a_few_times_and_then_once_in_a_while_whoever_asks() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let gate = gate(&clock);
        let peer = |last| IpAddr::from([192, 0, 2, last]);
        assert_eq!(wait(gate.pass(peer(1), "ann")), None);
        assert_eq!(wait(gate.pass(peer(2), "ann")), None);
        assert_eq!(wait(gate.pass(peer(3), "ann")), Some(60));
        assert_eq!(wait(gate.pass(peer(3), "bob")), None, "another name");
        clock.advance(time::Duration::seconds(59));
        assert_eq!(wait(gate.pass(peer(3), "ann")), Some(1));
        clock.advance(time::Duration::seconds(1));
        assert_eq!(wait(gate.pass(peer(4), "ann")), None);
    }

    #[test]
    fn a_peer_that_is_shut_out_uses_up_nobodys_tries() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let gate = gate(&clock);
        for name in ["a", "b", "c"] {
            assert_eq!(wait(gate.pass(HOME, name)), None);
        }
        for _ in 0..5 {
            assert_eq!(wait(gate.pass(HOME, "ann")), Some(60));
        }
        assert_eq!(wait(gate.pass(IpAddr::from([192, 0, 2, 1]), "ann")), None);
    }

    #[test]
    fn who_guesses_a_name_uses_up_the_tries_of_his_own_network_first() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let gate = LogInGate::new(AccountLimits::default().log_in, &clock);
        let peer = |last| IpAddr::from([192, 0, 2, last]);
        let tries = |peer| (0..11).filter(|_| gate.pass_pair(peer, "ann").is_ok()).count();
        assert_eq!([tries(peer(1)), tries(peer(2))], [10, 10]);
        assert_eq!((0..200).filter(|_| gate.pass_name("ann").is_ok()).count(), 100);
        assert_eq!(wait(gate.pass_name("ann")), Some(10));
        let session = Uuid::now_v7();
        let guessed = (3..60).filter(|last| gate.pass_session(peer(*last), "ann", session).is_ok()).count();
        assert_eq!(guessed, 10, "a session from many networks");
    }

    #[test]
    fn a_flood_of_names_takes_bounded_memory() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let limiter = Limiter::new(Rate::new(1, MINUTE), &clock);
        for number in 0..3 * KEYS_REMEMBERED {
            assert_eq!(wait(limiter.check(number)), None);
        }
        assert!(limiter.known.len() <= KEYS_REMEMBERED);
    }

    #[test]
    fn generous_limits_are_not_reached() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let gate = Gate::new(AccountLimits::generous().reset, &clock);
        assert!((0..10_000).all(|_| gate.pass(HOME, "ann").is_ok()));
    }
}
