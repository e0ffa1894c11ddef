//! The automatic steps: skip stages without choices, roll for deployment, pass the turn (DM3, DM11, DM12).

use super::effect::{Effect, Stage};
use super::position::{Finish, Phase, Position, Roll};
use crate::rules::{NoChance, Step};

/// What follows an action or a leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A seat already has a choice.
    Wait,
    /// The choice would return to the attack stage (DM3).
    BackToAttack,
    /// A stage of the current turn begins, if it offers anything.
    Enter(Stage),
    EndTurn,
}

/// Plays the automatic steps until a seat has a choice or the game is over.
pub fn go_on(position: &mut Position, next: Next, step: &mut Step<'_>) -> Result<(), NoChance> {
    match next {
        Next::Wait => Ok(()),
        // The attacker left while the other seat was to occupy (DM14).
        Next::BackToAttack if position.has_left(position.current) => run(position, None, step),
        Next::BackToAttack if position.field.can_attack(position.current) => {
            position.phase = Phase::Attack;
            Ok(())
        }
        Next::BackToAttack => run(position, Some(Stage::Advance), step),
        Next::Enter(stage) => run(position, Some(stage), step),
        Next::EndTurn => run(position, None, step),
    }
}

/// Starts with `stage` of this turn, or with the next turn. A chain of skipped turns ends with probability 1 and has no other
/// limit (DM12): while a cell is unoccupied every roll of 11 or 12 fits it, and when none is, of any two neighbours with
/// different owners one can attack the other.
fn run(position: &mut Position, stage: Option<Stage>, step: &mut Step<'_>) -> Result<(), NoChance> {
    let mut at = stage;
    loop {
        at = match at {
            None if !pass_turn(position) => return Ok(()),
            None => Some(Stage::Attack),
            Some(stage) if offers(position, stage, step)? => {
                let seat = position.current;
                step.effect(|| Effect::Stage { seat, stage });
                return Ok(());
            }
            Some(Stage::Attack) => Some(Stage::Advance),
            Some(Stage::Advance) => Some(Stage::Deploy),
            Some(Stage::Deploy) => None,
        };
    }
}

/// Enters a stage if it offers a choice.
fn offers(position: &mut Position, stage: Stage, step: &mut Step<'_>) -> Result<bool, NoChance> {
    let seat = position.current;
    match stage {
        Stage::Attack => {
            position.phase = Phase::Attack;
            Ok(position.field.can_attack(seat))
        }
        Stage::Advance => {
            position.phase = Phase::Advance;
            Ok(position.field.can_advance(seat))
        }
        Stage::Deploy => roll(position, step),
    }
}

/// The deploy roll, if any cell can take armies; true if it fits a cell (DM11).
fn roll(position: &mut Position, step: &mut Step<'_>) -> Result<bool, NoChance> {
    let seat = position.current;
    let cells = position.field.deployable(seat);
    if cells.is_empty() {
        return Ok(false);
    }
    position.phase = Phase::Rolling;
    let roll = Roll([step.die()?, step.die()?]);
    position.phase = Phase::Deploy(roll);
    step.effect(|| Effect::Dice {
        seat,
        dice: roll.0,
        max_rank: roll.max_rank(),
        max_armies: roll.max_armies(),
    });
    Ok(cells.into_iter().any(|cell| position.field.card(cell).rank() <= roll.max_rank()))
}

/// Passes the turn to the next seat, and starts the next round if that seat does not come after this one; false if there is no
/// next round (DM13, DM14).
fn pass_turn(position: &mut Position) -> bool {
    let next = position.next_seat();
    if next <= position.current {
        if position.options.round_limit.is_some_and(|limit| limit.ends_with(position.round)) {
            position.finish(Finish::RoundLimit);
            return false;
        }
        position.round += 1;
    }
    position.turned = None;
    position.attacks = 0;
    position.current = next;
    true
}
