//! Which account a claim begins with. Accounts take turns, each claim goes on behind the account that the one before served last, and
//! so it does not walk over the entries of what that one claimed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use super::{ClaimedNotice, NoticeClass};

/// The account of each class after which the next claim of a process begins; its copies share it.
#[derive(Clone, Debug, Default)]
pub struct AccountRotation(Arc<Mutex<BTreeMap<NoticeClass, Uuid>>>);

impl AccountRotation {
    /// Where a claim of these classes begins: anywhere in a class of which nothing was claimed last, so that processes begin at
    /// different accounts.
    #[must_use]
    pub fn starts(&self, classes: &[NoticeClass]) -> Vec<(NoticeClass, Uuid)> {
        let mut last = self.last();
        let start = |class: &NoticeClass| (*class, *last.entry(*class).or_insert_with(Uuid::new_v4));
        classes.iter().map(start).collect()
    }

    /// Moves on behind what a claim with these `starts` brought.
    pub fn advance(&self, starts: &[(NoticeClass, Uuid)], claimed: &[ClaimedNotice]) {
        let claimed = claimed.iter().map(|notice| (notice.kind.class(), notice.account()));
        self.advance_to(starts, claimed.collect::<Vec<_>>().as_slice());
    }

    /// The same of the accounts that were claimed in each class.
    pub fn advance_to(&self, starts: &[(NoticeClass, Uuid)], claimed: &[(NoticeClass, Uuid)]) {
        let mut last = self.last();
        for (class, start) in starts {
            let accounts = claimed.iter().filter(|(of, _)| of == class).map(|(_, account)| *account);
            // Those up to the start are served after all others.
            match accounts.max_by_key(|account| (account <= start, *account)) {
                Some(account) => last.insert(*class, account),
                None => last.remove(class),
            };
        }
    }

    fn last(&self) -> MutexGuard<'_, BTreeMap<NoticeClass, Uuid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
