//! What actions would do, up to the first that draws or reveals.

use serde_json::Value;

use super::table::{Act, ActRefused, Table};
use crate::rules::{Chance, Refused, Seat, Step};

/// An action of a preview and what it would do.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedAction {
    pub action: Value,
    pub effects: Vec<Value>,
}

/// Actions of one seat, tried one after the other with chance withheld.
#[derive(Clone, Debug)]
pub struct Preview {
    seat: Seat,
    table: Table,
    done: Vec<TriedAction>,
    stopped: bool,
}

impl Preview {
    /// A preview on `table`, which is changed.
    pub(super) fn new(table: Table, seat: Seat) -> Self {
        Self { seat, table, done: Vec::new(), stopped: false }
    }

    /// Tries the next action. Once one has stopped, what follows is not known.
    ///
    /// # Errors
    /// [`ActRefused`]; the preview is as it was.
    pub fn act(&mut self, action: &Value) -> Result<(), ActRefused> {
        if self.stopped {
            return Ok(());
        }
        let mut step = Step::new(Chance::Withheld);
        let action = match self.table.apply(Act::Play { seat: self.seat, action }, &mut step) {
            Ok(action) => action,
            Err(ActRefused::Refused(Refused::NoChance(_))) => {
                self.stopped = true;
                action.clone()
            }
            Err(refused) => return Err(refused),
        };
        self.done.push(TriedAction { action, effects: step.finish().effects });
        Ok(())
    }

    /// The game as it would stand; where chance has stopped it, in the middle of the last action.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The actions tried so far.
    #[must_use]
    pub fn done(&self) -> &[TriedAction] {
        &self.done
    }

    /// Whether the last action needs chance or reveals something, so it was not finished.
    #[must_use]
    pub fn has_stopped(&self) -> bool {
        self.stopped
    }
}
