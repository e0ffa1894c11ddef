//! An attack: four dice, the losses, and the winner (DM8, DM9).

use super::cell::Cell;
use super::effect::Effect;
use super::position::{Conquest, Position};
use crate::rules::{NoChance, Seat, Step};

/// Fights a legal attack; returns the conquest, if a side has no armies left.
///
/// # Panics
/// If `to` is unoccupied, because that is no legal attack.
pub fn fight(
    position: &mut Position,
    from: Cell,
    to: Cell,
    step: &mut Step<'_>,
) -> Result<Option<Conquest>, NoChance> {
    let attacker = position.current;
    let defender = position.field.owner(to).expect("an attacked cell is somebody's");
    let advantage = position.strength(from) - position.strength(to);
    let attacker_dice = [step.die()?, step.die()?];
    let defender_dice = [step.die()?, step.die()?];
    // Positive when the attacker's number is higher.
    let difference = i16::from(sum(attacker_dice)) + i16::from(advantage) - i16::from(sum(defender_dice));
    let at_most = u8::try_from(difference.unsigned_abs()).expect("below 40");
    position.attacks += 1;
    let losses = if difference > 0 {
        [0, lose(position, to, defender, at_most)]
    } else {
        [lose(position, from, attacker, at_most), 0]
    };
    step.effect(|| Effect::Battle {
        from,
        to,
        attacker,
        defender,
        advantage,
        attacker_dice,
        defender_dice,
        losses,
    });
    let conquest = if position.field.armies(to) == 0 {
        Conquest { from, to, winner: attacker }
    } else if position.field.armies(from) == 0 {
        Conquest { from: to, to: from, winner: defender }
    } else {
        return Ok(None);
    };
    step.effect(|| Effect::Conquered { cell: conquest.to, winner: conquest.winner });
    Ok(Some(conquest))
}

fn sum([first, second]: [u8; 2]) -> u8 {
    first + second
}

/// Removes at most that many armies from a cell and returns how many it had to lose.
fn lose(position: &mut Position, cell: Cell, owner: Seat, at_most: u8) -> u8 {
    let armies = position.field.armies(cell);
    let lost = armies.min(at_most);
    position.field.put(cell, owner, armies - lost);
    lost
}
