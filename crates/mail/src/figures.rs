//! Counts mails of this process, for operators. What is counted, and the domains told apart, are bounded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pippost_notices::Verdict;

/// How many receiving domains are told apart, those seen first.
pub const MAX_DOMAINS: usize = 20;

/// All other domains.
pub const OTHER_DOMAINS: &str = "other";

/// What came of a mail that was given to the mail server, or that was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SendResult {
    Sent,
    /// Tried again later.
    Deferred,
    /// The mail server could not be reached.
    Unreached,
    /// Refused or given up.
    Refused,
    /// The address does not exist.
    Bounced,
}

impl SendResult {
    /// The label in metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Deferred => "deferred",
            Self::Unreached => "unreached",
            Self::Refused => "refused",
            Self::Bounced => "bounced",
        }
    }
}

/// The counters of a process; copies share them.
#[derive(Clone, Debug, Default)]
pub struct MailFigures(Arc<Mutex<Counts>>);

/// All counts at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By receiving domain.
    pub sent: BTreeMap<(String, SendResult), u64>,
    /// Mails that came in, by what became of them.
    pub received: BTreeMap<&'static str, u64>,
    /// Mails that came in of which more than the headers was read.
    pub read: u64,
    /// Answers to mails, by what was decided.
    pub answers: BTreeMap<&'static str, u64>,
    /// Reports about mails: that they came back, or that somebody complained.
    pub reports: BTreeMap<&'static str, u64>,
}

impl MailFigures {
    /// Counts a mail to this domain.
    pub fn sent(&self, domain: &str, result: SendResult) {
        let mut counts = self.lock();
        let mut known: Vec<&str> = counts.sent.keys().map(|(domain, _)| domain.as_str()).collect();
        known.dedup();
        let domain = domain.to_ascii_lowercase();
        let is_told = known.len() < MAX_DOMAINS || known.contains(&domain.as_str());
        let domain = if is_told { domain } else { OTHER_DOMAINS.to_owned() };
        *counts.sent.entry((domain, result)).or_default() += 1;
    }

    /// Counts a mail that came in, of which this became; there are few such labels.
    pub(crate) fn received(&self, became: &'static str) {
        *self.lock().received.entry(became).or_default() += 1;
    }

    /// Counts a mail of which more than the headers is read.
    pub(crate) fn read(&self) {
        self.lock().read += 1;
    }

    /// Counts a mail about which this was decided.
    pub(crate) fn decided(&self, verdict: &Verdict) {
        let label = match verdict {
            Verdict::Asked { .. } | Verdict::ConfirmResign { .. } => "asked",
            Verdict::Unknown => "unknown",
            verdict if verdict.is_of_a_stranger() => "stranger",
            verdict if verdict.is_refusal() => "refused",
            _ => "done",
        };
        *self.lock().answers.entry(label).or_default() += 1;
    }

    /// Counts a mail that came back.
    pub(crate) fn came_back(&self) {
        *self.lock().reports.entry("bounce").or_default() += 1;
    }

    /// Counts a complaint.
    pub(crate) fn complained(&self) {
        *self.lock().reports.entry("complaint").or_default() += 1;
    }

    /// All counts.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_domains_are_told_apart() {
        let figures = MailFigures::default();
        for number in 0..MAX_DOMAINS + 10 {
            figures.sent(&format!("d{number}.example"), SendResult::Sent);
            figures.sent("D0.Example", SendResult::Bounced);
        }
        let sent = figures.counts().sent;
        let of = |domain: &str, result| sent.get(&(domain.to_owned(), result)).copied();
        assert_eq!(of("d0.example", SendResult::Sent), Some(1));
        assert_eq!(of("d0.example", SendResult::Bounced), Some(MAX_DOMAINS as u64 + 10));
        assert_eq!(of(OTHER_DOMAINS, SendResult::Sent), Some(10));
        assert_eq!(sent.len(), MAX_DOMAINS + 2);
    }
}
