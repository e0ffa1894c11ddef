//! Rate limits on passwords, mails and other costly requests: per address or name, and per peer.

use std::net::IpAddr;
use std::time::Duration;

use argon2::Params;
use uuid::Uuid;

use super::AccountError;
use super::limiter::{Left, Limiter, PeerLimiter, Rate};
use super::password::HASH_MEMORY_KIB;
use super::server_invitations::RegistrationPolicy;
use pippost_clock::Clock;
use pippost_keys::secret::sha256;
use pippost_traffic::{KnownNetworks, REQUESTS_OF_A_PEER, REQUESTS_OF_A_TOKEN, network};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// The two rates of one kind of request.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// For one e-mail address or handle, from all peers.
    pub per_address: Rate,
    /// For one peer (an IPv4 address, or an IPv6 network of 64 bits), for all addresses. Wider networks have a few times as much.
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
    /// Sending something to a webhook by hand: a challenge, or an event once more.
    SendToWebhook,
    /// Making a club, which everybody sees.
    MakeClub,
}

/// The limits of player requests.
#[derive(Clone, Copy, Debug)]
pub struct PlayerLimits {
    pub create_game: PlayerLimit,
    pub invite: PlayerLimit,
    pub join: PlayerLimit,
    /// Messages to a table.
    pub say: PlayerLimit,
    /// Sending something to webhooks by hand.
    pub send_to_webhook: PlayerLimit,
    pub make_club: PlayerLimit,
}

impl Default for PlayerLimits {
    fn default() -> Self {
        let seldom = PlayerLimit { per_player: Rate::new(30, 2 * MINUTE), per_peer: Rate::new(60, MINUTE) };
        let often = PlayerLimit { per_player: Rate::new(60, MINUTE), per_peer: Rate::new(120, MINUTE / 2) };
        Self {
            create_game: seldom,
            invite: seldom,
            join: often,
            say: often,
            send_to_webhook: seldom,
            // Three a day.
            make_club: PlayerLimit { per_player: Rate::new(3, 8 * HOUR), per_peer: Rate::new(6, 4 * HOUR) },
        }
    }
}

/// Programs play many games, so they may abort, and store, this many times what people may.
pub const FACTOR_OF_PROGRAMS: u32 = 10;

/// The most games that one player has created and that have not started.
pub const MAX_OPEN_GAMES: u64 = 50;

/// What the games of one player may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameQuotas {
    /// Games that the player has created and that have not started.
    pub open_games: u64,
    /// Games that are not over.
    pub games_at_once: u64,
    /// The events of games of the last days; programs may store [`FACTOR_OF_PROGRAMS`] times as much.
    pub stored_bytes: u64,
}

impl Default for GameQuotas {
    fn default() -> Self {
        Self { open_games: MAX_OPEN_GAMES, games_at_once: 200, stored_bytes: 500_000_000 }
    }
}

/// The rates of all requests to the API, except for moves.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimit {
    /// For one session or personal token.
    pub per_token: Rate,
    /// For one peer, for all its tokens and without any.
    pub per_peer: Rate,
}

impl Default for RequestLimit {
    fn default() -> Self {
        Self::in_a_minute(REQUESTS_OF_A_TOKEN, REQUESTS_OF_A_PEER)
    }
}

impl RequestLimit {
    /// So many requests in a minute, at once or spread.
    ///
    /// # Panics
    /// If one of them is 0.
    #[must_use]
    pub fn in_a_minute(of_a_token: u32, of_a_peer: u32) -> Self {
        let rate = |requests: u32| Rate::new(requests, MINUTE / requests);
        Self { per_token: rate(of_a_token), per_peer: rate(of_a_peer) }
    }
}

/// The limits of requests, above all of those that hash passwords, send mail, or work for strangers.
#[derive(Clone, Copy, Debug)]
pub struct AccountLimits {
    /// All requests to the API. Moves are never counted, and an answer that the client has already costs nothing.
    pub requests: RequestLimit,
    /// Logging in, and every other password check.
    pub log_in: LogInLimit,
    pub registration: Limit,
    /// Who may register at all.
    pub registration_policy: RegistrationPolicy,
    /// Beginning to play without an account, for one peer.
    pub guests: Rate,
    /// Requesting a link that sets a new password, and using one.
    pub reset: Limit,
    /// Requesting a link that confirms an address, and using one.
    pub confirmation: Limit,
    /// Requesting links that confirm addresses, for one player and all addresses.
    pub confirmation_per_player: Rate,
    pub players: PlayerLimits,
    /// Aborting started games, for one person; programs may [`FACTOR_OF_PROGRAMS`] times as many.
    pub aborts: Rate,
    pub quotas: GameQuotas,
    /// Verifying records, for one peer.
    pub verification: Rate,
    /// Checking receipts, for one peer.
    pub receipts: Rate,
    /// Asking for codes of devices without a browser, for one peer.
    pub device_codes: Rate,
    /// Typing such a code: for one player, and for one peer.
    pub user_codes: Limit,
    /// The memory that hashing a password takes, in KiB.
    pub hash_memory_kib: u32,
}

impl Default for AccountLimits {
    fn default() -> Self {
        let mailing = Limit { per_address: Rate::new(3, 10 * MINUTE), per_peer: Rate::new(20, MINUTE) };
        Self {
            requests: RequestLimit::default(),
            log_in: LogInLimit {
                per_name_and_peer: Rate::new(10, MINUTE),
                per_name: Rate::new(100, MINUTE / 6),
                per_peer: Rate::new(30, MINUTE / 6),
            },
            registration: Limit {
                per_address: Rate::new(5, 10 * MINUTE),
                per_peer: Rate::new(20, 3 * MINUTE),
            },
            registration_policy: RegistrationPolicy::Open,
            guests: Rate::new(5, 30 * MINUTE),
            reset: mailing,
            confirmation: mailing,
            confirmation_per_player: Rate::new(10, 10 * MINUTE),
            players: PlayerLimits::default(),
            aborts: Rate::new(6, 4 * HOUR),
            quotas: GameQuotas::default(),
            verification: Rate::new(60, MINUTE / 30),
            receipts: Rate::new(60, MINUTE / 60),
            device_codes: Rate::new(20, MINUTE),
            user_codes: Limit { per_address: Rate::new(10, MINUTE), per_peer: Rate::new(20, MINUTE) },
            hash_memory_kib: HASH_MEMORY_KIB,
        }
    }
}

impl AccountLimits {
    /// Limits that are never reached, and the cheapest hashes, for tests.
    #[must_use]
    pub fn generous() -> Self {
        Self { quotas: GameQuotas::default(), hash_memory_kib: Params::MIN_M_COST, ..Self::lifted() }
    }

    /// Limits that are never reached, for a sandbox.
    #[must_use]
    pub fn lifted() -> Self {
        let rate = Rate::new(1_000_000, Duration::from_micros(1));
        let limit = Limit { per_address: rate, per_peer: rate };
        let player = PlayerLimit { per_player: rate, per_peer: rate };
        Self {
            requests: RequestLimit { per_token: rate, per_peer: rate },
            log_in: LogInLimit { per_name_and_peer: rate, per_name: rate, per_peer: rate },
            registration: limit,
            registration_policy: RegistrationPolicy::Open,
            guests: rate,
            reset: limit,
            confirmation: limit,
            confirmation_per_player: rate,
            players: PlayerLimits {
                create_game: player,
                invite: player,
                join: player,
                say: player,
                send_to_webhook: player,
                make_club: player,
            },
            aborts: rate,
            quotas: GameQuotas { open_games: 1_000_000, games_at_once: 1_000_000, stored_bytes: 1 << 50 },
            verification: rate,
            receipts: rate,
            device_codes: rate,
            user_codes: limit,
            hash_memory_kib: HASH_MEMORY_KIB,
        }
    }
}

/// The names of limits, as answers show them: what is limited, and for whom.
pub mod names {
    pub const TOKEN: &str = "token";
    pub const ADDRESS: &str = "address";
    pub const LOG_IN_NAME_AND_ADDRESS: &str = "log-in-name-and-address";
    pub const LOG_IN_NAME: &str = "log-in-name";
    pub const LOG_IN_ADDRESS: &str = "log-in-address";
    pub const REGISTRATION: [&str; 2] = ["registration", "registration-address"];
    pub const GUESTS: &str = "guests-address";
    pub const RESET: [&str; 2] = ["reset", "reset-address"];
    pub const CONFIRMATION: [&str; 2] = ["confirmation", "confirmation-address"];
    pub const CONFIRMATION_PLAYER: &str = "confirmation-player";
    pub const CREATE_GAME: [&str; 2] = ["create-game", "create-game-address"];
    pub const INVITE: [&str; 2] = ["invite", "invite-address"];
    pub const JOIN: [&str; 2] = ["join", "join-address"];
    pub const SAY: [&str; 2] = ["say", "say-address"];
    pub const SEND_TO_WEBHOOK: [&str; 2] = ["send-to-webhook", "send-to-webhook-address"];
    pub const MAKE_CLUB: [&str; 2] = ["make-club", "make-club-address"];
    pub const ABORT: &str = "abort";
    pub const GAMES_AT_ONCE: &str = "games-at-once";
    pub const STORED_BYTES: &str = "stored-bytes";
    pub const FOLLOWED_PLAYERS: &str = "followed-players";
    pub const FAVOURITES: &str = "favourites";
    pub const STUDIES: &str = "studies";
    pub const VERIFICATION: &str = "verification-address";
    pub const RECEIPTS: &str = "receipts-address";
    pub const DEVICE_CODES: &str = "device-codes-address";
    pub const DEVICES_WAITING: &str = "devices-waiting";
    pub const USER_CODES: [&str; 2] = ["user-codes", "user-codes-address"];
}

impl AccountLimits {
    /// Every limit by its name.
    #[must_use]
    pub fn by_name(&self) -> Vec<(&'static str, Rate)> {
        let PlayerLimits { create_game, invite, join, say, send_to_webhook, make_club } = self.players;
        let pair = |names: [&'static str; 2], rates: [Rate; 2]| names.into_iter().zip(rates);
        let of_players = |names, limit: PlayerLimit| pair(names, [limit.per_player, limit.per_peer]);
        let of_addresses = |names, limit: Limit| pair(names, [limit.per_address, limit.per_peer]);
        let single = [
            (names::TOKEN, self.requests.per_token),
            (names::ADDRESS, self.requests.per_peer),
            (names::LOG_IN_NAME_AND_ADDRESS, self.log_in.per_name_and_peer),
            (names::LOG_IN_NAME, self.log_in.per_name),
            (names::LOG_IN_ADDRESS, self.log_in.per_peer),
            (names::CONFIRMATION_PLAYER, self.confirmation_per_player),
            (names::ABORT, self.aborts),
            (names::GUESTS, self.guests),
            (names::VERIFICATION, self.verification),
            (names::RECEIPTS, self.receipts),
            (names::DEVICE_CODES, self.device_codes),
        ];
        single
            .into_iter()
            .chain(of_addresses(names::REGISTRATION, self.registration))
            .chain(of_addresses(names::RESET, self.reset))
            .chain(of_addresses(names::CONFIRMATION, self.confirmation))
            .chain(of_addresses(names::USER_CODES, self.user_codes))
            .chain(of_players(names::CREATE_GAME, create_game))
            .chain(of_players(names::INVITE, invite))
            .chain(of_players(names::JOIN, join))
            .chain(of_players(names::SAY, say))
            .chain(of_players(names::SEND_TO_WEBHOOK, send_to_webhook))
            .chain(of_players(names::MAKE_CLUB, make_club))
            .collect()
    }
}

/// The limiters of all requests.
pub(super) struct RequestGates {
    pub tokens: Limiter<Uuid>,
    pub peers: PeerLimiter,
}

impl RequestGates {
    pub(super) fn new(limit: RequestLimit, clock: &Clock, known: &KnownNetworks) -> Self {
        Self {
            tokens: Limiter::new(names::TOKEN, limit.per_token, clock),
            peers: PeerLimiter::new(names::ADDRESS, limit.per_peer, clock, known),
        }
    }
}

/// The two limiters of one kind of request.
pub(super) struct Gate {
    addresses: Limiter<[u8; 32]>,
    peers: PeerLimiter,
}

impl Gate {
    pub(super) fn new(
        [address, peer]: [&'static str; 2],
        limit: Limit,
        clock: &Clock,
        known: &KnownNetworks,
    ) -> Self {
        Self {
            addresses: Limiter::new(address, limit.per_address, clock),
            peers: PeerLimiter::new(peer, limit.per_peer, clock, known),
        }
    }

    /// A gate for requests without an address or name.
    pub(super) fn of_peers(name: &'static str, rate: Rate, clock: &Clock, known: &KnownNetworks) -> Self {
        Self::new([name, name], Limit { per_address: rate, per_peer: rate }, clock, known)
    }

    /// Counts one try. The peer is checked first, so a blocked peer does not use up the tries of an address.
    pub(super) fn pass(&self, peer: IpAddr, address: &str) -> Result<(), AccountError> {
        self.pass_peer(peer)?;
        check(&self.addresses, sha256(address.as_bytes()))
    }

    /// Counts one try of a peer, without an address.
    pub(super) fn pass_peer(&self, peer: IpAddr) -> Result<(), AccountError> {
        let _left: Left = self.peers.pass(peer)?;
        Ok(())
    }
}

/// Counts one try.
fn check<K: Clone + Eq + std::hash::Hash>(limiter: &Limiter<K>, key: K) -> Result<(), AccountError> {
    let _left: Left = limiter.pass(key)?;
    Ok(())
}

/// The limiters of password checks.
pub(super) struct LogInGate {
    pairs: Limiter<[u8; 32]>,
    names: Limiter<[u8; 32]>,
    peers: PeerLimiter,
}

impl LogInGate {
    pub(super) fn new(limit: LogInLimit, clock: &Clock, known: &KnownNetworks) -> Self {
        Self {
            pairs: Limiter::new(names::LOG_IN_NAME_AND_ADDRESS, limit.per_name_and_peer, clock),
            names: Limiter::new(names::LOG_IN_NAME, limit.per_name, clock),
            peers: PeerLimiter::new(names::LOG_IN_ADDRESS, limit.per_peer, clock, known),
        }
    }

    /// Counts one try of a name by a peer.
    pub(super) fn pass_pair(&self, peer: IpAddr, name: &str) -> Result<(), AccountError> {
        let _left: Left = self.peers.pass(peer)?;
        check(&self.pairs, sha256(&[network(peer).octets().as_slice(), name.as_bytes()].concat()))
    }

    /// Counts one try of a name by any peer.
    pub(super) fn pass_name(&self, name: &str) -> Result<(), AccountError> {
        check(&self.names, sha256(name.as_bytes()))
    }

    /// Counts one try by a session. Strangers cannot use these up, and a stolen session cannot guess faster from many networks.
    pub(super) fn pass_session(
        &self,
        peer: IpAddr,
        name: &str,
        session_id: Uuid,
    ) -> Result<(), AccountError> {
        self.pass_pair(peer, name)?;
        check(&self.pairs, sha256(session_id.as_bytes()))
    }
}

/// The limiters of one kind of player request.
struct PlayerGate {
    players: Limiter<Uuid>,
    peers: PeerLimiter,
}

impl PlayerGate {
    fn new(
        [player, peer]: [&'static str; 2],
        limit: PlayerLimit,
        clock: &Clock,
        known: &KnownNetworks,
    ) -> Self {
        Self {
            players: Limiter::new(player, limit.per_player, clock),
            peers: PeerLimiter::new(peer, limit.per_peer, clock, known),
        }
    }
}

/// The limiters of all player requests.
pub(super) struct PlayerGates {
    create_game: PlayerGate,
    invite: PlayerGate,
    join: PlayerGate,
    say: PlayerGate,
    send_to_webhook: PlayerGate,
    make_club: PlayerGate,
}

impl PlayerGates {
    pub(super) fn new(limits: &PlayerLimits, clock: &Clock, known: &KnownNetworks) -> Self {
        let gate = |names, limit| PlayerGate::new(names, limit, clock, known);
        Self {
            create_game: gate(names::CREATE_GAME, limits.create_game),
            invite: gate(names::INVITE, limits.invite),
            join: gate(names::JOIN, limits.join),
            say: gate(names::SAY, limits.say),
            send_to_webhook: gate(names::SEND_TO_WEBHOOK, limits.send_to_webhook),
            make_club: gate(names::MAKE_CLUB, limits.make_club),
        }
    }

    /// Counts one request. The player is checked first, so a blocked player does not use up the tries of the peer.
    pub(super) fn pass(
        &self,
        request: PlayerRequest,
        player_id: Uuid,
        peer: Option<IpAddr>,
    ) -> Result<(), AccountError> {
        let gate = match request {
            PlayerRequest::CreateGame => &self.create_game,
            PlayerRequest::Invite => &self.invite,
            PlayerRequest::Join => &self.join,
            PlayerRequest::Say => &self.say,
            PlayerRequest::SendToWebhook => &self.send_to_webhook,
            PlayerRequest::MakeClub => &self.make_club,
        };
        check(&gate.players, player_id)?;
        if let Some(peer) = peer {
            let _left: Left = gate.peers.pass(peer)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::*;
    use time::macros::datetime;

    const HOME: IpAddr = IpAddr::V6(Ipv6Addr::LOCALHOST);

    fn gate(clock: &Clock) -> Gate {
        let limit = Limit { per_address: Rate::new(2, MINUTE), per_peer: Rate::new(3, MINUTE) };
        Gate::new(names::RESET, limit, clock, &KnownNetworks::default())
    }

    fn wait(result: Result<(), AccountError>) -> Option<u64> {
        match result {
            Ok(()) => None,
            Err(AccountError::TooManyTries(reached)) => Some(reached.retry_after_seconds),
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
        let gate = LogInGate::new(AccountLimits::default().log_in, &clock, &KnownNetworks::default());
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
    fn generous_limits_are_not_reached() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let gate =
            Gate::new(names::RESET, AccountLimits::generous().reset, &clock, &KnownNetworks::default());
        assert!((0..10_000).all(|_| gate.pass(HOME, "ann").is_ok()));
    }

    #[test]
    fn every_limit_has_a_name_of_its_own() {
        let mut names: Vec<&str> =
            AccountLimits::default().by_name().into_iter().map(|(name, _)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
    }
}
