//! How much mail one domain and one address get.

use std::time::Duration;

use crate::accounts::{Limiter, Rate, email_key};
use crate::clock::Clock;
use crate::keys::secret::sha256;
use crate::settings::MailSettings;

/// The limits of one process. What is over them is not lost: it waits.
pub struct MailLimits {
    domains: Option<Limiter<String>>,
    addresses: Option<Limiter<[u8; 32]>>,
}

impl MailLimits {
    /// As the settings say, in the time of `clock`.
    #[must_use]
    pub fn new(settings: &MailSettings, clock: &Clock) -> Self {
        let rate = |count: Option<u32>, per: Duration| {
            let count = count.filter(|count| *count > 0)?;
            Some(Rate::new(count, per / count))
        };
        let domains = rate(settings.mails_per_minute_to_domain, Duration::from_mins(1));
        let addresses = rate(settings.mails_per_hour_to_address, Duration::from_hours(1));
        Self {
            domains: domains.map(|rate| Limiter::new(rate, clock)),
            addresses: addresses.map(|rate| Limiter::new(rate, clock)),
        }
    }

    /// No limits.
    #[must_use]
    pub fn none() -> Self {
        Self { domains: None, addresses: None }
    }

    /// Counts one mail to `address`.
    ///
    /// # Errors
    /// It is one too many; the error says how long to wait.
    pub fn pass(&self, address: &str) -> Result<(), Duration> {
        let key = email_key(address);
        if let Some(addresses) = &self.addresses {
            addresses.pass(sha256(key.as_bytes()))?;
        }
        match (&self.domains, key.rsplit_once('@')) {
            (Some(domains), Some((_, domain))) => domains.pass(domain.to_owned()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn each_domain_and_each_address_has_a_limit_of_its_own() {
        let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
        let settings = MailSettings {
            mails_per_minute_to_domain: Some(3),
            mails_per_hour_to_address: Some(2),
            ..MailSettings::default()
        };
        let limits = MailLimits::new(&settings, &clock);
        assert_eq!(limits.pass("ann@example.org"), Ok(()));
        assert_eq!(limits.pass("Ann@Example.org"), Ok(()));
        assert_eq!(limits.pass("ann@example.org"), Err(Duration::from_mins(30)), "her third");
        assert_eq!(limits.pass("bob@example.org"), Ok(()));
        assert_eq!(limits.pass("cat@example.org"), Err(Duration::from_secs(20)), "the domain's fourth");
        assert_eq!(limits.pass("cat@example.net"), Ok(()));
        clock.advance(time::Duration::seconds(20));
        assert_eq!(limits.pass("cat@example.org"), Ok(()));
        for _ in 0..1000 {
            assert_eq!(MailLimits::none().pass("ann@example.org"), Ok(()));
        }
    }
}
