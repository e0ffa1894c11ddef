//! What a topic keeps: the newest events of a watched game.

use std::collections::VecDeque;

use super::entry::Entry;
use pippost_store::Seq;

/// The most events that a topic keeps.
pub const MAX_RECENT: usize = 8;

/// The most bytes of events that a topic keeps, besides its newest.
pub const MAX_RECENT_BYTES: usize = 8 * 1024;

/// The newest events of a watched game.
#[derive(Clone, Debug, Default)]
pub struct Recent {
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
    pub fn add(&mut self, entries: impl IntoIterator<Item = Entry>) {
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
