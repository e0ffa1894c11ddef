//! Limits the rate of mails to one domain and to one address.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use quick_cache::sync::Cache;
use time::{Duration, OffsetDateTime};

use crate::settings::MailSettings;
use pippost_accounts::email_key;
use pippost_clock::Clock;
use pippost_keys::secret::sha256;
use pippost_notices::NoticeClass;

/// How many domains, and how many addresses, are remembered.
const KEYS_REMEMBERED: usize = 10_000;

/// The longest wait before a mail over a limit is checked again, because the limit may have been changed.
const LONGEST_WAIT: Duration = Duration::HOUR;

/// The limits of one process. Mails over a limit are not lost; they wait.
pub struct MailLimits {
    clock: Clock,
    domains: Option<Meters<String>>,
    addresses: Option<Meters<[u8; 32]>>,
}

/// A reserved place for one mail; returned when dropped without being used.
#[must_use]
#[derive(Debug, Default)]
pub struct Allowance(Vec<Reservation>);

impl Allowance {
    /// Keeps the place, because the mail is sent.
    pub fn used(mut self) {
        self.0.clear();
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        for place in &self.0 {
            place.meter.lock().unwrap_or_else(PoisonError::into_inner).empty_at -= place.period;
        }
    }
}

#[derive(Debug)]
struct Reservation {
    meter: Arc<Mutex<Meter>>,
    period: Duration,
}

/// One rate for each key: a burst, and then one per period. A place is reserved before it is used, and may be returned.
struct Meters<K> {
    burst: i32,
    period: Duration,
    known: Cache<K, Arc<Mutex<Meter>>>,
}

/// The used part of a rate (GCRA).
#[derive(Debug)]
struct Meter {
    /// When the whole rate is available again.
    empty_at: OffsetDateTime,
    /// The latest time given to waiting mails, by class. Each gets a later time, so that they do not all return at once.
    next_retry_at: [OffsetDateTime; NoticeClass::ALL.len()],
}

impl<K: Clone + Eq + Hash> Meters<K> {
    fn new(count: Option<u32>, per: Duration) -> Option<Self> {
        let count = count.and_then(|count| i32::try_from(count).ok()).filter(|count| *count > 0)?;
        Some(Self { burst: count, period: per / count, known: Cache::new(KEYS_REMEMBERED) })
    }

    fn pass(&self, key: &K, class: NoticeClass, now: OffsetDateTime) -> Result<Reservation, Duration> {
        let new = Meter { empty_at: now, next_retry_at: [now - self.period; NoticeClass::ALL.len()] };
        let new = || Ok::<_, std::convert::Infallible>(Arc::new(Mutex::new(new)));
        let Ok(meter) = self.known.get_or_insert_with(key, new);
        let mut locked = meter.lock().unwrap_or_else(PoisonError::into_inner);
        locked.empty_at = locked.empty_at.max(now);
        let free_at = locked.empty_at - self.period * (self.burst - 1);
        if free_at <= now {
            locked.empty_at += self.period;
            drop(locked);
            return Ok(Reservation { meter, period: self.period });
        }
        let retry_at = &mut locked.next_retry_at[class as usize];
        *retry_at = (*retry_at + self.period).max(free_at).min(now + LONGEST_WAIT.max(free_at - now));
        Err(*retry_at - now)
    }
}

impl MailLimits {
    /// The limits in the settings, by the time of `clock`.
    #[must_use]
    pub fn new(settings: &MailSettings, clock: &Clock) -> Self {
        Self {
            clock: clock.clone(),
            domains: Meters::new(settings.mails_per_minute_to_domain, Duration::MINUTE),
            addresses: Meters::new(settings.mails_per_hour_to_address, Duration::HOUR),
        }
    }

    /// No limits.
    #[must_use]
    pub fn none() -> Self {
        Self { clock: Clock::System, domains: None, addresses: None }
    }

    /// Reserves a place for one mail of a class to `address`.
    ///
    /// # Errors
    /// No place is free; the error says how long to wait.
    pub fn pass(&self, address: &str, class: NoticeClass) -> Result<Allowance, Duration> {
        let (key, now) = (email_key(address), self.clock.now());
        let mut allowance = Allowance::default();
        if let Some(addresses) = &self.addresses {
            allowance.0.push(addresses.pass(&sha256(key.as_bytes()), class, now)?);
        }
        if let (Some(domains), Some((_, domain))) = (&self.domains, key.rsplit_once('@')) {
            allowance.0.push(domains.pass(&domain.to_owned(), class, now)?);
        }
        Ok(allowance)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    fn limits(clock: &Clock, to_domain: u32, to_address: u32) -> MailLimits {
        let settings = MailSettings {
            mails_per_minute_to_domain: Some(to_domain),
            mails_per_hour_to_address: Some(to_address),
            ..MailSettings::default()
        };
        MailLimits::new(&settings, clock)
    }

    /// How long a turn mail has to wait; a mail that need not wait is sent.
    fn wait(limits: &MailLimits, address: &str) -> Option<Duration> {
        limits.pass(address, NoticeClass::Turn).map(Allowance::used).err()
    }

    #[test]
    fn each_domain_and_each_address_has_a_limit_of_its_own() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let limits = limits(&clock, 3, 2);
        assert_eq!(wait(&limits, "ann@example.org"), None);
        assert_eq!(wait(&limits, "Ann@Example.org"), None);
        assert_eq!(wait(&limits, "ann@example.org"), Some(Duration::minutes(30)), "her third");
        assert_eq!(wait(&limits, "bob@example.org"), None);
        assert_eq!(wait(&limits, "cat@example.org"), Some(Duration::seconds(20)), "the domain's fourth");
        assert_eq!(wait(&limits, "cat@example.net"), None);
        clock.advance(Duration::seconds(20));
        assert_eq!(wait(&limits, "cat@example.org"), None);
        for _ in 0..1000 {
            assert_eq!(wait(&MailLimits::none(), "ann@example.org"), None);
        }
    }

    #[test]
    fn a_mail_that_is_not_sent_after_all_gives_its_place_back() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let limits = limits(&clock, 2, 2);
        for _ in 0..100 {
            drop(limits.pass("ann@example.org", NoticeClass::Turn).expect("a place"));
        }
        assert_eq!([0; 2].map(|_| wait(&limits, "ann@example.org")), [None, None]);
        // A mail over the domain's limit does not use up the address's limit.
        for _ in 0..100 {
            assert!(wait(&limits, "bob@example.org").is_some());
        }
        clock.advance(Duration::MINUTE);
        assert_eq!([0; 2].map(|_| wait(&limits, "bob@example.org")), [None, None]);
    }

    #[test]
    fn those_who_wait_come_back_one_after_the_other_and_each_class_for_itself() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let limits = limits(&clock, 60, 1000);
        let pass = |number: usize, class| {
            limits.pass(&format!("player{number}@example.org"), class).map(Allowance::used)
        };
        for number in 0..60 {
            assert_eq!(pass(number, NoticeClass::Invitation), Ok(()));
        }
        let waits: Vec<_> =
            (60..160).map(|number| pass(number, NoticeClass::Invitation).expect_err("full")).collect();
        let spread: Vec<_> = (1..=100).map(Duration::seconds).collect();
        assert_eq!(waits, spread);
        assert_eq!(pass(161, NoticeClass::Turn), Err(Duration::SECOND), "not behind the invitations");
        for number in 1000..10_000 {
            assert!(pass(number, NoticeClass::Invitation).expect_err("full") <= LONGEST_WAIT);
        }
    }
}
