//! Limits a rate for each key, by the generic cell rate algorithm (GCRA): one number for each key, changed without a lock.

use std::convert::Infallible;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use time::OffsetDateTime;

use pippost_clock::Clock;
use pippost_traffic::{Counted, KnownNetworks, Network, networks};

/// How many keys each limiter remembers. It forgets the least active first: a flood of new keys neither fills the memory nor
/// resets the limits of active ones.
const KEYS_REMEMBERED: usize = 10_000;

/// Allows a burst of tries, and then one more per period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    pub burst: NonZeroU32,
    pub then_every: Duration,
}

impl Rate {
    /// Creates a rate.
    ///
    /// # Panics
    /// If `burst` or the period is 0.
    #[must_use]
    pub const fn new(burst: u32, then_every: Duration) -> Self {
        assert!(!then_every.is_zero(), "a rate has a period");
        Self { burst: NonZeroU32::new(burst).expect("a rate allows something"), then_every }
    }

    /// The time in which a whole burst comes back, in whole seconds and at least one.
    #[must_use]
    pub fn window_seconds(self) -> u64 {
        up_to_seconds(nanoseconds(self.then_every).saturating_mul(self.burst.get().into())).max(1)
    }
}

/// What is left to a key after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    pub tries: u64,
    /// When there is one more, in whole seconds.
    pub more_in_seconds: u64,
}

/// A limit that is reached, as the client is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The limit's name.
    pub limit: &'static str,
    pub quota: u64,
    /// The time in which the quota comes back.
    pub window_seconds: u64,
    pub retry_after_seconds: u64,
}

/// A limiter with one rate for each key.
pub struct Limiter<K> {
    name: &'static str,
    rate: Rate,
    /// The period of the rate in nanoseconds.
    period: u64,
    /// The length of a burst in nanoseconds.
    capacity: u64,
    clock: LimitClock,
    /// By key: when all tries will have come back, in nanoseconds of the clock.
    known: Cache<K, Arc<AtomicU64>>,
}

impl<K: Clone + Eq + Hash> Limiter<K> {
    /// The same rate for each key, by the time of `clock`.
    #[must_use]
    pub fn new(name: &'static str, rate: Rate, clock: &Clock) -> Self {
        let period = nanoseconds(rate.then_every);
        let capacity = period.saturating_mul(rate.burst.get().into());
        let known = Cache::new(KEYS_REMEMBERED);
        Self { name, rate, period, capacity, clock: LimitClock::new(clock.clone()), known }
    }

    /// Counts one try.
    ///
    /// # Errors
    /// The rate is exceeded.
    pub fn pass(&self, key: K) -> Result<Left, Reached> {
        self.pass_times(&key, 1)
    }

    /// Counts one try of a key that may `factor` times what others may, in the same time.
    ///
    /// # Errors
    /// The rate is exceeded.
    pub fn pass_times(&self, key: &K, factor: u32) -> Result<Left, Reached> {
        let Ok(whole_at) = self.known.get_or_insert_with(key, || Ok::<_, Infallible>(Arc::default()));
        let (now, period) = (self.clock.now(), self.period_of(factor));
        let latest = now.saturating_add(self.capacity);
        let counted = |whole_at: u64| Some(whole_at.max(now) + period).filter(|next| *next <= latest);
        let before = whole_at.fetch_update(Ordering::Relaxed, Ordering::Relaxed, counted);
        match before.map(|before| before.max(now) + period) {
            Ok(next) => Ok(self.left(next - now, period)),
            Err(before) => Err(self.reached(before.max(now) + period - latest, factor)),
        }
    }

    /// Gives back one try that was counted with this `factor`.
    pub fn give_back_times(&self, key: &K, factor: u32) {
        if let Some(whole_at) = self.known.get(key) {
            // A key that was forgotten meanwhile has all its tries.
            let _ = whole_at.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |whole_at| {
                Some(whole_at.saturating_sub(self.period_of(factor)))
            });
        }
    }

    fn period_of(&self, factor: u32) -> u64 {
        (self.period / u64::from(factor)).max(1)
    }

    /// Gives back one try that was counted.
    pub fn give_back(&self, key: &K) {
        self.give_back_times(key, 1);
    }

    /// The limit's name, quota and window.
    #[must_use]
    pub fn policy(&self) -> (&'static str, Rate) {
        (self.name, self.rate)
    }

    fn left(&self, spent: u64, period: u64) -> Left {
        let to_next = match spent % period {
            0 => period,
            part => part,
        };
        Left { tries: (self.capacity - spent) / period, more_in_seconds: up_to_seconds(to_next) }
    }

    fn reached(&self, wait: u64, factor: u32) -> Reached {
        Reached {
            limit: self.name,
            quota: u64::from(self.rate.burst.get()) * u64::from(factor),
            window_seconds: self.rate.window_seconds(),
            retry_after_seconds: up_to_seconds(wait),
        }
    }
}

/// A limiter of peers, each with its network and the wider ones around it.
pub struct PeerLimiter {
    limiter: Limiter<Network>,
    known: KnownNetworks,
}

impl PeerLimiter {
    /// `rate` for each peer, and a few times as much for wider networks.
    #[must_use]
    pub fn new(name: &'static str, rate: Rate, clock: &Clock, known: &KnownNetworks) -> Self {
        Self { limiter: Limiter::new(name, rate, clock), known: known.clone() }
    }

    /// Counts one try. The narrowest network comes first, so that a peer that has no tries left uses up those of nobody else.
    ///
    /// # Errors
    /// The rate of one of the networks is exceeded.
    pub fn pass(&self, peer: IpAddr) -> Result<Left, Reached> {
        let networks = networks(peer, self.known.contains(peer));
        let mut least: Option<Left> = None;
        for (number, Counted { network, factor }) in networks.clone().enumerate() {
            match self.limiter.pass_times(&network, factor) {
                Ok(left) => least = Some(least.filter(|least| least.tries <= left.tries).unwrap_or(left)),
                Err(reached) => {
                    self.give_back_all(networks.take(number));
                    return Err(reached);
                }
            }
        }
        Ok(least.unwrap_or(Left { tries: 0, more_in_seconds: 1 }))
    }

    /// Gives back one try that was counted.
    pub fn give_back(&self, peer: IpAddr) {
        self.give_back_all(networks(peer, self.known.contains(peer)));
    }

    fn give_back_all(&self, networks: impl Iterator<Item = Counted>) {
        for Counted { network, factor } in networks {
            self.limiter.give_back_times(&network, factor);
        }
    }

    /// The limit's name, quota and window for one peer.
    #[must_use]
    pub fn policy(&self) -> (&'static str, Rate) {
        self.limiter.policy()
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn up_to_seconds(nanoseconds: u64) -> u64 {
    nanoseconds.div_ceil(1_000_000_000)
}

/// The time for rate limits, in nanoseconds. With the machine's clock it is monotonic.
#[derive(Clone)]
struct LimitClock {
    clock: Clock,
    started: Instant,
}

impl LimitClock {
    fn new(clock: Clock) -> Self {
        Self { clock, started: Instant::now() }
    }

    fn now(&self) -> u64 {
        self.of(&self.clock)
    }

    fn of(&self, clock: &Clock) -> u64 {
        match clock {
            Clock::System => nanoseconds(self.started.elapsed()),
            set @ Clock::Set(_) => {
                u64::try_from((set.now() - OffsetDateTime::UNIX_EPOCH).whole_nanoseconds())
                    .unwrap_or_default()
            }
            // Limits protect the machine, so nobody gets past them by moving a sandbox's clock.
            Clock::Ahead(ahead) => self.of(ahead.base()),
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    fn clock() -> Clock {
        Clock::standing_at(datetime!(2026-11-21 12:00 UTC))
    }

    #[test]
    fn a_burst_passes_and_then_one_try_per_period() {
        let clock = clock();
        let limiter = Limiter::new("test", Rate::new(3, MINUTE), &clock);
        let tries = |key| limiter.pass(key).map(|left| (left.tries, left.more_in_seconds));
        assert_eq!([tries(1), tries(1), tries(1)], [Ok((2, 60)), Ok((1, 60)), Ok((0, 60))]);
        let reached = limiter.pass(1).expect_err("the fourth");
        let expected = Reached { limit: "test", quota: 3, window_seconds: 180, retry_after_seconds: 60 };
        assert_eq!(reached, expected);
        assert_eq!(tries(2), Ok((2, 60)), "another key");
        clock.advance(time::Duration::seconds(59));
        assert_eq!(limiter.pass(1).map_err(|reached| reached.retry_after_seconds), Err(1));
        clock.advance(time::Duration::seconds(1));
        assert_eq!(tries(1), Ok((0, 60)));
        clock.advance(time::Duration::hours(9));
        assert_eq!(tries(1), Ok((2, 60)), "no more than a burst is saved up");
    }

    #[test]
    fn what_is_given_back_can_be_used_again_and_no_more() {
        let clock = clock();
        let limiter = Limiter::new("test", Rate::new(2, MINUTE), &clock);
        for _ in 0..100 {
            limiter.pass(1).expect("a try");
            limiter.give_back(&1);
        }
        limiter.give_back(&2);
        assert_eq!((0..5).filter(|_| limiter.pass(1).is_ok()).count(), 2);
        assert_eq!((0..5).filter(|_| limiter.pass(2).is_ok()).count(), 2);
    }

    #[test]
    fn a_peer_a_line_at_home_and_a_site_have_their_own_tries() {
        let limiter = PeerLimiter::new("test", Rate::new(3, MINUTE), &clock(), &KnownNetworks::default());
        let passed = |peers: &mut dyn Iterator<Item = [u16; 8]>| {
            peers.filter(|peer| limiter.pass(IpAddr::from(*peer)).is_ok()).count()
        };
        assert_eq!(passed(&mut (0..9).map(|last| [0x2001, 0xdb8, 0, 0, 0, 0, 0, last])), 3);
        assert_eq!(
            passed(&mut (1..256).map(|number| [0x2001, 0xdb8, 0, number, 0, 0, 0, 1])),
            3,
            "a /56: twice"
        );
        assert_eq!(
            passed(&mut (256..=u16::MAX).map(|number| [0x2001, 0xdb8, 0, number, 0, 0, 0, 1])),
            6,
            "a /48"
        );
        let reached = limiter.pass(IpAddr::from([0x2001, 0xdb8, 0, 0x7777, 0, 0, 0, 1])).expect_err("a /48");
        let expected = Reached { limit: "test", quota: 12, window_seconds: 180, retry_after_seconds: 15 };
        assert_eq!(reached, expected);
        let block = |last| limiter.pass(IpAddr::from([192, 0, 2, last]));
        assert_eq!((0..=255).filter(|last| block(*last).is_ok()).count(), 12, "a /24");
    }

    #[test]
    fn a_known_peer_has_its_tries_whatever_strangers_beside_it_do_and_no_more() {
        let known = KnownNetworks::default();
        let limiter = PeerLimiter::new("test", Rate::new(3, MINUTE), &clock(), &known);
        let at = |number: u16| IpAddr::from([0x2001, 0xdb8, 0, number, 0, 0, 0, 1]);
        let stranger = (1..1000).filter(|number| limiter.pass(at(*number)).is_ok()).count();
        assert_eq!(stranger, 12);
        limiter.pass(at(5000)).expect_err("a stranger");
        known.learn(at(5000));
        assert_eq!((0..9).filter(|_| limiter.pass(at(5000)).is_ok()).count(), 3);
        let lines = (30..60).map(|line| at(line * 256));
        lines.clone().for_each(|line| known.learn(line));
        let of_known = lines.filter(|line| limiter.pass(*line).is_ok()).count();
        assert_eq!(of_known, 9, "known networks of one site together");
    }

    #[test]
    fn what_a_wide_network_refuses_is_counted_nowhere() {
        let clock = clock();
        let limiter = PeerLimiter::new("test", Rate::new(3, MINUTE), &clock, &KnownNetworks::default());
        let at = |last| IpAddr::from([192, 0, 2, last]);
        assert_eq!(
            (1..=4).flat_map(|last| [last; 3]).filter(|last| limiter.pass(at(*last)).is_ok()).count(),
            12
        );
        for _ in 0..100 {
            limiter.pass(at(9)).expect_err("its network has had all");
        }
        clock.advance(time::Duration::minutes(1));
        assert_eq!((0..9).filter(|_| limiter.pass(at(9)).is_ok()).count(), 3);
        limiter.give_back(at(9));
        limiter.pass(at(9)).expect("given back");
    }

    #[test]
    fn a_flood_of_keys_takes_bounded_memory() {
        let limiter = Limiter::new("test", Rate::new(1, MINUTE), &clock());
        for number in 0..3 * KEYS_REMEMBERED {
            limiter.pass(number).expect("the first try");
        }
        assert!(limiter.known.len() <= KEYS_REMEMBERED);
    }

    #[test]
    fn threads_share_one_quota() {
        let limiter = Limiter::new("test", Rate::new(1000, MINUTE), &clock());
        let passed: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (0..500).filter(|_| limiter.pass(1).is_ok()).count()))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert_eq!(passed, 1000);
    }
}
