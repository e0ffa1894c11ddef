//! Accepts acts before their chance is known (PROTOCOL.md, Chance 6): a draft tries them with chance withheld, and only
//! accepted acts are played with seeds.

use serde_json::Value;

use super::chance::Permit;
use super::chronicle::{Chronicle, Next};
use super::event::Recorded;
use super::table::{Act, ActRefused, Done, Table};
use super::timestamp::Timestamp;
use crate::rules::{Chance, Refused, Seat};

/// Acts to be played in sequence, as far as they are known without a seed. A draft derives no seed and does not change the
/// game.
#[derive(Debug)]
pub struct Draft<'a> {
    game: &'a Chronicle,
    /// The game after the completed acts; `None` before the first.
    after: Option<Table>,
    complete: Vec<Complete>,
    /// The act that needs chance. It is legal, and no act can follow it.
    drawing: Option<Drawing>,
}

/// A completed act, which needed no chance.
#[derive(Debug)]
struct Complete {
    seat: Option<Seat>,
    done: Done,
    next: Next,
}

/// An [`Act`] that owns its data.
#[derive(Debug)]
enum Drawing {
    Play { seat: Seat, action: Value },
    Other(Act<'static>),
}

/// Why an act is not added to a draft, which stays unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftRefused {
    /// The act before this one needs chance, so it is not known yet whether this one is legal.
    #[error("act {index} needs chance, so it can only be the last")]
    DrawsBeforeLast { index: usize },
    #[error(transparent)]
    Refused(#[from] ActRefused),
}

impl<'a> Draft<'a> {
    pub(super) fn new(game: &'a Chronicle) -> Self {
        Self { game, after: None, complete: Vec::new(), drawing: None }
    }

    /// The game after the completed acts.
    #[must_use]
    pub fn table(&self) -> &Table {
        self.after.as_ref().unwrap_or_else(|| self.game.table())
    }

    /// Whether another act can follow.
    ///
    /// # Errors
    /// [`DraftRefused::DrawsBeforeLast`]
    pub fn check_open(&self) -> Result<(), DraftRefused> {
        match self.drawing {
            Some(_) => Err(DraftRefused::DrawsBeforeLast { index: self.complete.len() }),
            None => Ok(()),
        }
    }

    /// Adds an act if it is legal after the others.
    ///
    /// # Errors
    /// [`DraftRefused`], which depends only on public data and hands.
    pub fn act(&mut self, act: Act<'_>) -> Result<(), DraftRefused> {
        self.check_open()?;
        let seq = self.game.seq() + 1 + self.complete.len() as u64;
        let mut after = self.table().clone();
        match after.act(seq, act, Chance::Withheld) {
            Ok(done) => {
                let (seat, next) = (act.seat(), Next::at(&after));
                self.complete.push(Complete { seat, done, next });
                self.after = Some(after);
            }
            Err(ActRefused::Refused(Refused::NoChance(_))) => self.drawing = Some(Drawing::of(act)),
            Err(refused) => return Err(refused.into()),
        }
        Ok(())
    }

    /// Accepts all acts.
    #[must_use]
    pub fn accept(self) -> Accepted<'a> {
        Accepted(self)
    }
}

impl Drawing {
    fn of(act: Act<'_>) -> Self {
        match act {
            Act::Play { seat, action } => Self::Play { seat, action: action.clone() },
            Act::Resign { seat } => Self::Other(Act::Resign { seat }),
            Act::Timeout { seat } => Self::Other(Act::Timeout { seat }),
            Act::Abort { seat } => Self::Other(Act::Abort { seat }),
        }
    }

    fn as_act(&self) -> Act<'_> {
        match self {
            Self::Play { seat, action } => Act::Play { seat: *seat, action },
            Self::Other(act) => *act,
        }
    }
}

/// Acts that nothing can refuse any more. Only these can draw from a seed that no event has used: see [`Permit`].
#[derive(Debug)]
pub struct Accepted<'a>(Draft<'a>);

impl Accepted<'_> {
    /// The game after the acts, and their events, which the caller stores; the last draws from its seed if it must. A time
    /// earlier than the last event's is replaced by that event's: clocks may step back, records may not.
    ///
    /// # Panics
    /// If the rules refuse with chance what they accept without. `tests/laws/every_rule_set.rs` checks that they do not.
    #[must_use]
    pub fn play(mut self, now: Timestamp) -> (Chronicle, Vec<Recorded>) {
        let drawing = self.0.drawing.take();
        let complete = std::mem::take(&mut self.0.complete);
        let mut events = Vec::with_capacity(complete.len() + 1);
        let table = self.0.after.take().unwrap_or_else(|| self.0.game.table().clone());
        let mut after = self.0.game.with(table);
        for Complete { seat, done, next } in complete {
            events.push(after.record(seat, done, next, now));
        }
        if let Some(drawing) = drawing {
            let permit = Permit::accepted(&self, after.seq() + 1);
            events.push(after.draw(drawing.as_act(), &permit, now));
        }
        (after, events)
    }
}
