//! The list of legal actions.

use super::action::Action;
use super::check::takes_reinforcement;
use super::position::{Phase, Position, Roll};
use crate::rules::Offer;

/// The capacity for most lists, so that they are allocated once.
const USUAL_CHOICES: usize = 64;

/// All actions of the seat to act: by kind as in [`Action`], then by cells in dealing order, then by armies.
pub fn list(position: &Position) -> Vec<Offer<Action>> {
    let mut list = List(Vec::with_capacity(USUAL_CHOICES));
    let own = position.field.owned_by(position.current).into_iter();
    match position.phase {
        Phase::Finished(_) | Phase::Rolling => {}
        Phase::Attack => list.attack_stage(position),
        Phase::Reinforce => {
            let cells = own.filter(|cell| takes_reinforcement(position, *cell));
            list.extend(cells.map(|cell| Action::Reinforce { cell }));
        }
        Phase::Withdraw => list.extend(own.map(|cell| Action::Withdraw { cell })),
        Phase::Occupy(conquest) => {
            let most = position.most_occupying(conquest);
            list.extend((0..=most).map(|armies| Action::Occupy { armies }));
        }
        Phase::Advance => {
            list.advances(position);
            list.push(Action::Pass {});
        }
        Phase::Deploy(roll) => {
            list.deployments(position, roll);
            list.push(Action::Pass {});
        }
    }
    list.0
}

struct List(Vec<Offer<Action>>);

impl List {
    fn push(&mut self, action: Action) {
        self.0.push(Offer::Action(action));
    }

    fn extend(&mut self, actions: impl Iterator<Item = Action>) {
        self.0.extend(actions.map(Offer::Action));
    }

    /// DM3, DM4, DM7, DM8.
    fn attack_stage(&mut self, position: &Position) {
        if position.turned.is_none() {
            self.push(Action::Turn {});
        } else {
            for from in position.field.owned_by(position.current) {
                let targets = position.field.targets(position.current, from).into_iter();
                self.extend(targets.map(|to| Action::Attack { from, to }));
            }
        }
        if position.may_end_attack() {
            self.advances(position);
            self.push(Action::Pass {});
        }
    }

    /// DM10.
    fn advances(&mut self, position: &Position) {
        let field = &position.field;
        for from in field.owned_by(position.current) {
            for to in field.advances(position.current, from) {
                let most = field.armies(from).min(field.room(to));
                self.extend((1..=most).map(|armies| Action::Advance { from, to, armies }));
            }
        }
    }

    /// DM11.
    fn deployments(&mut self, position: &Position, roll: Roll) {
        let field = &position.field;
        for cell in field.deployable(position.current) {
            if field.card(cell).rank() <= roll.max_rank() {
                let most = roll.max_armies().min(field.room(cell));
                self.extend((1..=most).map(|armies| Action::Deploy { cell, armies }));
            }
        }
    }
}
