//! The newest events of a watched game.

use pippost::games::feed::Entry;
use pippost::games::feed::recent::{MAX_RECENT_BYTES, Recent};
use pippost::store::Seq;
use uuid::Uuid;

fn entry(seq: u64) -> Entry {
    Entry::new(Uuid::nil(), Seq::from(seq), r#"{"to_act":0}"#.to_owned())
}

fn seqs(recent: &Recent, cursor: Option<u64>) -> Option<Vec<u64>> {
    let found = recent.after(cursor.map(Seq::from))?;
    Some(found.iter().map(|entry| entry.id.seq.get()).collect())
}

#[test]
fn a_topic_has_the_events_after_a_cursor_or_says_that_it_lacks_some() {
    let mut recent = Recent::default();
    assert_eq!(seqs(&recent, None), None);
    recent.add((3..6).map(entry));
    assert_eq!(seqs(&recent, Some(2)), Some(vec![3, 4, 5]));
    assert_eq!(seqs(&recent, Some(4)), Some(vec![5]));
    assert_eq!(seqs(&recent, Some(5)), Some(vec![]));
    assert_eq!((seqs(&recent, Some(1)), seqs(&recent, None)), (None, None));
    recent.add([entry(9)]);
    assert_eq!((seqs(&recent, Some(8)), seqs(&recent, Some(5))), (Some(vec![9]), None), "no gap inside");
}

#[test]
fn a_topic_keeps_few_events_and_always_its_newest() {
    let mut recent = Recent::default();
    recent.add((0..20).map(entry));
    assert_eq!(seqs(&recent, Some(11)), Some((12..20).collect()));
    assert_eq!(seqs(&recent, Some(10)), None);
    let long = format!(r#"{{"to_act":0,"x":"{}"}}"#, "x".repeat(MAX_RECENT_BYTES));
    recent.add([Entry::new(Uuid::nil(), Seq::from(20), long)]);
    assert_eq!((seqs(&recent, Some(19)), seqs(&recent, Some(18))), (Some(vec![20]), None));
}
