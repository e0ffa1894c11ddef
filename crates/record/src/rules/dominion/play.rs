//! Plays one action and the automatic steps after it. `check` decides whether it is legal.

use super::action::Action;
use super::battle;
use super::cell::Cell;
use super::check;
use super::deck::Deck;
use super::effect::{Effect, Stage};
use super::field::{Field, may_lie_on_the_field};
use super::options::Options;
use super::position::{Conquest, Finish, Phase, Position};
use super::turn::{self, Next};
use crate::rules::cards::{Card, KING};
use crate::rules::seat::MAX_SEATS;
use crate::rules::{Halt, NoChance, Seat, Step};

/// Deals the field from the cards without kings and queens, and begins the first turn.
pub fn start(options: Options, seats: u8, step: &mut Step<'_>) -> Result<Position, NoChance> {
    let mut cards: Vec<_> = Card::deck().filter(|card| may_lie_on_the_field(*card)).collect();
    let cells = usize::from(options.size.side()).pow(2);
    let dealt = (0..cells).map(|_| step.draw(&mut cards)).collect::<Result<Vec<_>, _>>()?;
    let mut position = Position {
        options,
        seats,
        left: [false; MAX_SEATS as usize],
        round: 1,
        current: Seat(0),
        phase: Phase::Attack,
        field: Field::new(options.size, &dealt).expect("one card is dealt for each cell"),
        deck: Deck::default(),
        turned: None,
        attacks: 0,
    };
    step.effect(|| Effect::Dealt { field: dealt });
    turn::go_on(&mut position, Next::Enter(Stage::Attack), step)?;
    Ok(position)
}

/// Plays one action and the automatic steps that follow (DM12).
pub fn act(position: &mut Position, seat: Seat, action: Action, step: &mut Step<'_>) -> Result<(), Halt> {
    check::legal(position, seat, action)?;
    let before = position.field;
    let next = apply(position, action, step)?;
    announce(&before, &position.field, step);
    if position.staying().any(|seat| position.field.is_all_of(seat)) {
        position.finish(Finish::Play);
        return Ok(());
    }
    turn::go_on(position, next, step)?;
    Ok(())
}

/// Applies a legal action.
fn apply(position: &mut Position, action: Action, step: &mut Step<'_>) -> Result<Next, NoChance> {
    let current = position.current;
    Ok(match action {
        Action::Turn {} => turn_card(position, step)?,
        Action::Reinforce { cell } => {
            let armies = position.field.armies(cell) + 1;
            position.field.put(cell, current, armies);
            Next::BackToAttack
        }
        Action::Withdraw { cell } => {
            let armies = position.field.armies(cell) - 1;
            position.field.put(cell, current, armies);
            Next::BackToAttack
        }
        Action::Attack { from, to } => match battle::fight(position, from, to, step)? {
            Some(conquest) => {
                position.phase = Phase::Occupy(conquest);
                Next::Wait
            }
            None => Next::BackToAttack,
        },
        Action::Occupy { armies } => {
            if let Phase::Occupy(Conquest { from, to, winner }) = position.phase {
                shift(&mut position.field, winner, from, to, armies);
            }
            Next::BackToAttack
        }
        Action::Advance { from, to, armies } => {
            shift(&mut position.field, current, from, to, armies);
            Next::Enter(Stage::Deploy)
        }
        Action::Deploy { cell, armies } => {
            let armies = position.field.armies(cell) + armies;
            position.field.put(cell, current, armies);
            Next::EndTurn
        }
        Action::Pass {} => match position.phase {
            Phase::Attack => Next::Enter(Stage::Advance),
            Phase::Advance => Next::Enter(Stage::Deploy),
            _ => Next::EndTurn,
        },
    })
}

/// Turns the card of this turn (DM4); a king demands an action first (DM5, DM6).
fn turn_card(position: &mut Position, step: &mut Step<'_>) -> Result<Next, NoChance> {
    let (card, reshuffled) = position.deck.turn(step)?;
    step.effect(|| Effect::Turned { card, reshuffled });
    position.turned = Some(card);
    if card.rank() == KING && !card.is_red() {
        position.phase = Phase::Withdraw;
    } else if card.rank() == KING && check::any_to_reinforce(position) {
        position.phase = Phase::Reinforce;
    }
    Ok(Next::Wait)
}

/// Moves armies of `seat` from one cell to another; moving all leaves the first unoccupied (DM9, DM10).
fn shift(field: &mut Field, seat: Seat, from: Cell, to: Cell, armies: u8) {
    let (stay, arrive) = (field.armies(from) - armies, field.armies(to) + armies);
    field.put(from, seat, stay);
    field.put(to, seat, arrive);
}

/// Emits an effect for each changed cell, in dealing order.
fn announce(before: &Field, after: &Field, step: &mut Step<'_>) {
    for cell in after.cells() {
        let (owner, armies) = (after.owner(cell), after.armies(cell));
        if (owner, armies) != (before.owner(cell), before.armies(cell)) {
            step.effect(|| Effect::Armies { cell, owner, armies });
        }
    }
}

/// Removes all armies of a seat that has left; if it was to occupy, it stays in its cell (DM14).
pub fn leave(position: &mut Position, seat: Seat, step: &mut Step<'_>) {
    position.left[seat.index()] = true;
    let before = position.field;
    for cell in before.owned_by(seat) {
        position.field.clear(cell);
    }
    if matches!(position.phase, Phase::Occupy(conquest) if conquest.winner == seat) {
        position.phase = Phase::Attack;
    }
    announce(&before, &position.field, step);
}

/// The automatic steps after a seat has left: none while another is to occupy; the turn of a seat that left ends; and the
/// attack stage ends if there is nothing left to attack (DM3, DM14).
pub fn resume(position: &mut Position, step: &mut Step<'_>) -> Result<(), NoChance> {
    let next = match position.phase {
        Phase::Occupy(_) | Phase::Finished(_) => Next::Wait,
        _ if position.has_left(position.current) => Next::EndTurn,
        Phase::Attack => Next::BackToAttack,
        _ => Next::Wait,
    };
    turn::go_on(position, next, step)
}
