//! Whose notices are claimed next.

use pippost::store::notices::{AccountRotation, NoticeClass};
use uuid::Uuid;

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
