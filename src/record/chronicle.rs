//! A game being recorded: the table, the key that its chance comes from, and the end of the hash chain.

use std::sync::Arc;

use serde_json::Value;

use super::chance::{Key, Master, Seed};
use super::event::{Event, Footer, Recorded, RevealedSeed};
use super::hash::Hash;
use super::header::Header;
use super::moment::Moment;
use super::table::{Act, ActRefused, Done, SeatOrder, Table, Tried};
use crate::rules::{Chance, RuleSet, Seat};

/// A game as the server plays it. Every change makes an event; the caller stores it.
#[derive(Clone, Debug)]
pub struct Chronicle {
    table: Table,
    /// Large, and the same for the whole game.
    key: Arc<Key>,
    /// The seed of the event that comes next: this one's `next` is its hash.
    coming: Seed,
    /// The number of the last event.
    seq: u64,
    head: Hash,
    at: Moment,
}

impl Chronicle {
    /// Starts the game of a complete, checked header and makes event 0.
    ///
    /// # Panics
    /// If the header was not checked: with the master at hand, nothing else can fail.
    #[must_use]
    pub fn start(rules: &dyn RuleSet, header: &Header, master: &Master, at: Moment) -> (Self, Recorded) {
        let salt = header.salt();
        let key = Arc::new(master.key(header.id, &salt));
        let coming = key.seed(0);
        let mut words = coming.words();
        let (table, done) = Table::start(rules, header, &SeatOrder::ByHeader, Chance::Drawn(&mut words))
            .expect("the master is known, so chance is");
        let mut chronicle = Self { table, key, coming, seq: 0, head: salt, at };
        let recorded = chronicle.record(0, None, done, at);
        (chronicle, recorded)
    }

    /// Takes a stored game up again after event `seq`, whose hash is `head` and whose time is `at`.
    #[must_use]
    pub fn resume(table: Table, header: &Header, master: &Master, seq: u64, head: Hash, at: Moment) -> Self {
        let key = Arc::new(master.key(header.id, &header.salt()));
        let coming = key.seed(seq + 1);
        Self { table, key, coming, seq, head, at }
    }

    /// Does `act` and makes its event. A time before the last event's becomes that event's: clocks may step back, records may not.
    ///
    /// # Errors
    /// [`ActRefused`]; nothing has changed then.
    pub fn act(&mut self, act: Act<'_>, now: Moment) -> Result<Recorded, ActRefused> {
        let seq = self.seq + 1;
        let mut words = self.coming.words();
        let done = self.table.act(seq, act, Chance::Drawn(&mut words))?;
        Ok(self.record(seq, act.seat(), done, now.max(self.at)))
    }

    fn record(&mut self, seq: u64, seat: Option<Seat>, done: Done, at: Moment) -> Recorded {
        let used = std::mem::replace(&mut self.coming, self.key.seed(seq + 1));
        let reveal = |due: &u64| {
            let seed = if *due == seq { used } else { self.key.seed(*due) };
            RevealedSeed { seed, seq: *due }
        };
        let event = Event {
            action: done.action,
            at,
            effects: done.effects,
            hash: self.head,
            next: self.coming.hash(),
            prev: self.head,
            seat,
            seeds: done.due_seeds.iter().map(reveal).collect(),
            seq,
            to_act: self.table.to_act(),
        };
        let recorded = event.sealed();
        self.seq = seq;
        self.head = recorded.event.hash;
        self.at = at;
        recorded
    }

    /// The footer, once the game is over.
    #[must_use]
    pub fn footer(&self, master: &Master) -> Option<Footer> {
        let result = self.table.result()?.clone();
        Some(Footer { master: master.clone(), head: self.head, result })
    }

    /// What `actions` of `seat` would do up to the first that draws or reveals.
    ///
    /// # Errors
    /// [`ActRefused`] with the index of the action refused.
    pub fn preview(&self, seat: Seat, actions: &[Value]) -> Result<Preview, (usize, ActRefused)> {
        let mut table = self.table.clone();
        let tried = table.preview(seat, actions)?;
        Ok(Preview { table, tried })
    }

    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The number of the last event.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The hash of the last event.
    #[must_use]
    pub fn head(&self) -> Hash {
        self.head
    }

    /// The time of the last event.
    #[must_use]
    pub fn at(&self) -> Moment {
        self.at
    }
}

/// The outcome of [`Chronicle::preview`].
#[derive(Debug)]
pub struct Preview {
    /// The game as it would stand; where chance stopped it, in the middle of the last action.
    pub table: Table,
    pub tried: Tried,
}
