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

    fn advance_to(&self, starts: &[(NoticeClass, Uuid)], claimed: &[(NoticeClass, Uuid)]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [NoticeClass; 2] = [NoticeClass::Turn, NoticeClass::News];

    fn accounts(class: NoticeClass, numbers: &[u128]) -> Vec<(NoticeClass, Uuid)> {
        numbers.iter().map(|number| (class, Uuid::from_u128(*number))).collect()
    }

    #[test]
    fn a_claim_begins_behind_the_account_that_was_served_last() {
        let rotation = AccountRotation::default();
        let starts = accounts(NoticeClass::Turn, &[5]);
        for (claimed, last) in [(&[6, 9, 7][..], 9), (&[6, 9, 2, 3], 3), (&[2], 2), (&[5, 8], 5)] {
            rotation.advance_to(&starts, &accounts(NoticeClass::Turn, claimed));
            let [start] = rotation.starts(&CLASSES[..1])[..] else { panic!("one class") };
            assert_eq!(start, (NoticeClass::Turn, Uuid::from_u128(last)), "{claimed:?}");
        }
    }

    #[test]
    fn each_class_has_a_place_of_its_own_and_one_without_notices_begins_anywhere() {
        let rotation = AccountRotation::default();
        let starts = rotation.starts(&CLASSES);
        assert_eq!(rotation.starts(&CLASSES), starts, "while nothing is claimed");
        rotation.advance_to(&starts, &accounts(NoticeClass::News, &[4]));
        let next = rotation.starts(&CLASSES);
        assert_eq!(next[1], (NoticeClass::News, Uuid::from_u128(4)));
        assert_ne!(next[0], starts[0]);
    }
}
