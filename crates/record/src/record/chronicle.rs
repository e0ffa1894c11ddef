//! A game that is being recorded: the table, the key of its chance, and the head of the hash chain.

use std::sync::Arc;

use super::chance::{Key, Master, Permit};
use super::draft::{Draft, DraftRefused};
use super::event::{Event, Footer, Recorded, RevealedSeed};
use super::hash::Hash;
use super::header::Header;
use super::preview::Preview;
use super::replayer::Replayer;
use super::table::{Act, ActRefused, Done, SeatOrder, Table};
use super::timestamp::Timestamp;
use crate::rules::{Chance, RuleSet, Seat};

/// Whose choice and whose turn it is after an act.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    to_act: Option<Seat>,
    in_turn: Option<Seat>,
}

impl Next {
    pub(super) fn at(table: &Table) -> Self {
        Self { to_act: table.to_act(), in_turn: table.in_turn() }
    }
}

/// A game as the server plays it. Every change makes events, which the caller stores. It holds no seeds: one is derived when an
/// accepted act draws, and when one is published.
#[derive(Clone, Debug)]
pub struct Chronicle {
    table: Table,
    /// Large, and the same throughout the game.
    key: Arc<Key>,
    /// The number of the last event.
    seq: u64,
    head: Hash,
    at: Timestamp,
}

impl Chronicle {
    /// Starts the game of a complete, checked header and makes event 0.
    ///
    /// # Panics
    /// If the header was not checked: with the master known, nothing else can fail.
    #[must_use]
    pub fn start(rules: &dyn RuleSet, header: &Header, master: &Master, at: Timestamp) -> (Self, Recorded) {
        let salt = header.salt();
        let key = Arc::new(master.key(header));
        let mut words = key.words(&Permit::start());
        let (table, done) = Table::start(rules, header, &SeatOrder::ByHeader, Chance::Drawn(&mut words))
            .expect("the master is known, so chance is");
        let next = Next::at(&table);
        let mut chronicle = Self { table, key, seq: 0, head: salt, at };
        let recorded = chronicle.seal(0, None, done, next, at);
        (chronicle, recorded)
    }

    /// Resumes a stored game after event `seq`, whose hash is `head` and whose time is `at`.
    #[must_use]
    pub fn resume(
        table: Table,
        header: &Header,
        master: &Master,
        seq: u64,
        head: Hash,
        at: Timestamp,
    ) -> Self {
        let key = Arc::new(master.key(header));
        Self { table, key, seq, head, at }
    }

    /// An empty draft of the next acts.
    #[must_use]
    pub fn draft(&self) -> Draft<'_> {
        Draft::new(self)
    }

    /// Plays one act and makes its event.
    ///
    /// # Errors
    /// [`ActRefused`]; nothing has changed then, and no seed was derived.
    ///
    /// # Panics
    /// As [`super::draft::Accepted::play`].
    pub fn act(&mut self, act: Act<'_>, now: Timestamp) -> Result<Recorded, ActRefused> {
        let mut draft = self.draft();
        match draft.act(act) {
            Ok(()) => {}
            Err(DraftRefused::Refused(refused)) => return Err(refused),
            Err(DraftRefused::DrawsBeforeLast { .. }) => unreachable!("no act comes before this one"),
        }
        let (after, mut events) = draft.accept().play(now);
        *self = after;
        Ok(events.pop().expect("an act makes an event"))
    }

    /// The same game with another table, the result of acts.
    pub(super) fn with(&self, table: Table) -> Self {
        Self { table, key: Arc::clone(&self.key), ..*self }
    }

    /// Plays an accepted act with chance from its seed.
    pub(super) fn draw(&mut self, act: Act<'_>, permit: &Permit, now: Timestamp) -> Recorded {
        let mut words = self.key.words(permit);
        let done = self.table.act(self.seq + 1, act, Chance::Drawn(&mut words));
        let done = done.expect("rules do not refuse with chance what they accept without");
        self.record(act.seat(), done, Next::at(&self.table), now)
    }

    /// Makes the next event.
    pub(super) fn record(&mut self, seat: Option<Seat>, done: Done, next: Next, now: Timestamp) -> Recorded {
        self.seal(self.seq + 1, seat, done, next, now.max(self.at))
    }

    fn seal(&mut self, seq: u64, seat: Option<Seat>, done: Done, next: Next, at: Timestamp) -> Recorded {
        let reveal = |due: &u64| {
            let permit = Permit::recorded(*due, seq).expect("seeds are due at their own event or later");
            RevealedSeed { seed: self.key.seed(&permit), seq: *due }
        };
        let event = Event {
            action: done.action,
            at,
            effects: done.effects,
            hash: self.head,
            next: self.key.next(seq),
            prev: self.head,
            seat,
            seeds: done.due_seeds.iter().map(reveal).collect(),
            seq,
            to_act: next.to_act,
        };
        let recorded = event.sealed(next.in_turn);
        self.seq = seq;
        self.head = recorded.event.hash;
        self.at = at;
        recorded
    }

    /// A replayer for the events so far.
    #[must_use]
    pub fn replayer(&self) -> Replayer {
        Replayer::new(Arc::clone(&self.key), self.seq)
    }

    /// The footer, once the game is over.
    #[must_use]
    pub fn footer(&self, master: &Master) -> Option<Footer> {
        let result = self.table.result()?.clone();
        Some(Footer { master: master.clone(), head: self.head, result })
    }

    /// A preview of acts of `seat`, up to the first that draws or reveals.
    #[must_use]
    pub fn preview(&self, seat: Seat) -> Preview {
        Preview::new(self.table.clone(), seat)
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
    pub fn at(&self) -> Timestamp {
        self.at
    }
}
