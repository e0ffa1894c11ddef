//! Replays a game from its events. It can derive no seed of an event after the newest.

use std::sync::Arc;

use super::chance::{Key, Permit, SeedWords};
use super::event::Event;
use super::header::Header;
use super::table::{Act, SeatOrder, Table};
use crate::rules::{Chance, RuleSet, Seat};

/// Replays the events of a game.
#[derive(Debug)]
pub struct Replayer {
    key: Arc<Key>,
    newest: u64,
}

/// The events do not belong to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the event does not follow in this game")]
pub struct NotReplayed;

impl Replayer {
    /// For the events up to `newest`, which exists, of the game with this key.
    pub(super) fn new(key: Arc<Key>, newest: u64) -> Self {
        Self { key, newest }
    }

    /// The game after event 0.
    ///
    /// # Errors
    /// The header does not fit the rules.
    pub fn start(&self, rules: &dyn RuleSet, header: &Header, event: &Event) -> Result<Table, NotReplayed> {
        let mut words = self.words(event)?;
        let started = Table::start(rules, header, &SeatOrder::ByHeader, Chance::Drawn(&mut words));
        started.map(|(table, _)| table).map_err(|_| NotReplayed)
    }

    /// The words from which an event drew: of the seed that it publishes, or else of its seed from the key.
    fn words(&self, event: &Event) -> Result<SeedWords, NotReplayed> {
        let published = event.seeds.iter().find(|revealed| revealed.seq == event.seq);
        match (Permit::recorded(event.seq, self.newest), published) {
            (None, _) => Err(NotReplayed),
            (Some(_), Some(revealed)) => Ok(revealed.seed.words()),
            (Some(permit), None) => Ok(self.key.words(&permit)),
        }
    }

    /// Applies `event` to the game before it.
    ///
    /// # Errors
    /// The event is newer than the newest, or cannot happen here.
    pub fn play(&self, table: &mut Table, event: &Event) -> Result<(), NotReplayed> {
        let act = Act::of(event).ok_or(NotReplayed)?;
        let mut words = self.words(event)?;
        table.act(event.seq, act, Chance::Drawn(&mut words)).map_err(|_| NotReplayed)?;
        Ok(())
    }
}

impl<'a> Act<'a> {
    /// The act of a stored event; `None` if it cannot happen after the start.
    #[must_use]
    pub fn of(event: &'a Event) -> Option<Self> {
        Some(match (event.action["type"].as_str()?, event.seat) {
            ("timeout", None) => {
                Self::Timeout { seat: Seat(u8::try_from(event.action["seat"].as_u64()?).ok()?) }
            }
            ("resign", Some(seat)) => Self::Resign { seat },
            ("abort", Some(seat)) => Self::Abort { seat },
            (_, Some(seat)) => Self::Play { seat, action: &event.action },
            (_, None) => return None,
        })
    }
}
