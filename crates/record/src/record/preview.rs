//! Previews actions, up to the first that draws or reveals.

use serde_json::Value;

use super::table::{Act, ActRefused, Table};
use crate::rules::{Chance, Refused, Seat, Step};

/// An action of a preview, and what it would do.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedAction {
    pub action: Value,
    pub effects: Vec<Value>,
}

/// Actions of one seat, tried in sequence with chance withheld.
#[derive(Clone, Debug)]
pub struct Preview {
    seat: Seat,
    table: Table,
    done: Vec<TriedAction>,
    stopped: bool,
}

impl Preview {
    /// A preview on `table`, which it changes.
    pub(super) fn new(table: Table, seat: Seat) -> Self {
        Self { seat, table, done: Vec::new(), stopped: false }
    }

    /// Tries the next action. After an action has stopped, later ones cannot be known.
    ///
    /// # Errors
    /// [`ActRefused`]; the preview is unchanged.
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

    /// The game after the actions; in the middle of the last one if that needs chance.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The actions tried so far.
    #[must_use]
    pub fn done(&self) -> &[TriedAction] {
        &self.done
    }

    /// Whether the last action needs chance or reveals something, so that it is incomplete.
    #[must_use]
    pub fn has_stopped(&self) -> bool {
        self.stopped
    }
}
