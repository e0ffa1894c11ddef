//! What processes tell each other of changed games.

use pippost::store::Changes;
use pippost::store::changes::MAX_CHANGED;
use uuid::Uuid;

#[test]
fn changes_are_read_as_they_are_written_and_fit_into_a_notification() {
    let mut changes = Changes::default();
    assert!(changes.is_empty());
    changes.add((0..MAX_CHANGED).map(|_| Uuid::now_v7()));
    let payload = format!("{}{}", Uuid::new_v4(), changes.to_payload());
    assert!(payload.len() < 8000, "{}", payload.len());
    assert_eq!(Changes::of_payload(&payload), changes);
    changes.add([Uuid::now_v7()]);
    assert_eq!(changes, Changes::All);
    assert_eq!(Changes::of_payload(&format!("x{}", changes.to_payload())), Changes::All);
}

#[test]
fn a_payload_without_ids_changes_nothing_and_an_unreadable_one_everything() {
    assert!(Changes::of_payload("process").is_empty());
    assert_eq!(Changes::of_payload("process 12"), Changes::All);
}
