//! Plays on from any position with chance chosen by hand. It uses no seed and changes no game.

use serde_json::Value;

use super::event::GameResult;
use super::table::{Act, ActRefused, Table};
use crate::rules::{Chance, Chosen, Missed, Outcome, Refused, Seat, Step};

/// An action of an analysis, with what chance was chosen to bring.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedAction {
    pub seat: Seat,
    /// In canonical form.
    pub action: Value,
    /// The outcomes of its draws, in order.
    pub chance: Vec<String>,
    pub effects: Vec<Value>,
}

/// Why an action is not played. The analysis cannot go on then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisRefused {
    #[error(transparent)]
    Refused(#[from] ActRefused),
    /// The action before this one waits for an outcome.
    #[error("chance is not chosen for an action before the last")]
    Open,
    /// The draw at `index` cannot bring what was chosen; no draw is there if nothing is `possible`.
    #[error("draw {index} cannot bring this")]
    NotPossible { index: usize, possible: Vec<Outcome> },
}

/// A line of actions that is played on a board of its own.
#[derive(Clone, Debug)]
pub struct Analysis {
    table: Table,
    line: Vec<AnalysedAction>,
    asked: Option<Vec<Outcome>>,
}

impl Analysis {
    /// An analysis from `table` on, which it changes. Whoever sees it may see all of the position.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table, line: Vec::new(), asked: None }
    }

    /// Plays an action of the seat to act. If its draws need more outcomes than are given, it stops where the next one is asked for.
    ///
    /// # Errors
    /// [`AnalysisRefused`].
    pub fn act(&mut self, action: &Value, chance: Vec<String>) -> Result<(), AnalysisRefused> {
        if self.asked.is_some() {
            return Err(AnalysisRefused::Open);
        }
        let seat = self.table.to_act().ok_or(ActRefused::Over)?;
        let mut chosen = Chosen::new(chance.clone());
        let mut step = Step::new(Chance::Chosen(&mut chosen));
        let applied = self.table.apply(Act::Play { seat, action }, &mut step);
        let effects = step.finish().effects;
        let taken = chosen.taken();
        let action = match (applied, chosen.into_missed()) {
            (Ok(action), _) if taken == chance.len() => action,
            (Ok(_), _) => return Err(AnalysisRefused::NotPossible { index: taken, possible: Vec::new() }),
            (Err(ActRefused::Refused(Refused::NoChance(_))), Some(Missed::Open(outcomes))) => {
                self.asked = Some(outcomes);
                action.clone()
            }
            (Err(_), Some(Missed::Impossible(possible))) => {
                return Err(AnalysisRefused::NotPossible { index: taken, possible });
            }
            (Err(refused), _) => return Err(refused.into()),
        };
        self.line.push(AnalysedAction { seat, action, chance, effects });
        Ok(())
    }

    /// The game after the line; in the middle of its last action if chance is asked for.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    #[must_use]
    pub fn line(&self) -> &[AnalysedAction] {
        &self.line
    }

    /// What the next draw of the last action can bring, if that waits for it.
    #[must_use]
    pub fn asked(&self) -> Option<&[Outcome]> {
        self.asked.as_deref()
    }

    /// The seat that chooses an action now.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        if self.asked.is_some() { None } else { self.table.to_act() }
    }

    /// How the line ended the game.
    #[must_use]
    pub fn result(&self) -> Option<&GameResult> {
        self.table.result()
    }
}
