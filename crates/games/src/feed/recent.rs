//! What a topic keeps: the newest events of a watched game.

use std::collections::VecDeque;

use super::entry::Entry;
use pippost_store::Seq;

/// The most events that a topic keeps.
pub(super) const MAX_RECENT: usize = 8;

/// The most bytes of events that a topic keeps, besides its newest.
const MAX_RECENT_BYTES: usize = 8 * 1024;

/// The newest events of a watched game.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    /// The newest known event; `None` before the start, and until somebody has looked.
    pub newest: Option<Seq>,
    /// Consecutive events up to the newest.
    entries: VecDeque<Entry>,
    /// How often something of the game has changed that is no event.
    pub other_changes: u64,
}

impl Recent {
    /// The events after `cursor`; `None` if they are not all kept.
    pub fn after(&self, cursor: Option<Seq>) -> Option<Vec<Entry>> {
        let first = cursor.map_or(Seq::START, Seq::next);
        let kept = self.entries.front()?.id.seq;
        let skipped = usize::try_from(first - kept).ok()?;
        (kept <= first).then(|| self.entries.iter().skip(skipped).cloned().collect())
    }

    /// Adds the newest events and drops old ones.
    pub(super) fn add(&mut self, entries: impl IntoIterator<Item = Entry>) {
        for entry in entries {
            if self.entries.back().is_some_and(|last| last.id.seq.next() != entry.id.seq) {
                self.entries.clear();
            }
            self.newest = Some(entry.id.seq);
            self.entries.push_back(entry);
        }
        let bytes = |entries: &VecDeque<Entry>| entries.iter().map(Entry::bytes).sum::<usize>();
        while self.entries.len() > 1
            && (self.entries.len() > MAX_RECENT || bytes(&self.entries) > MAX_RECENT_BYTES)
        {
            self.entries.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
