//! The properties that must hold in every state, and the states that the model must be able to reach.

use stateright::Property;

use super::Servers;
use super::state::{Mover, Question, Reader, Repair, State};

pub const STALE: &str = "nobody is shown a state older than one that was told before the request came";
pub const COMMITTED: &str = "nobody is shown a state that was not committed";
pub const ACKNOWLEDGED: &str = "every acknowledged move is in the game and in its events";
pub const ONE_MOVE_A_SEQ: &str = "no two events have one seq";
pub const ONCE: &str = "every request makes at most one move, and none if it is refused";
pub const UNDONE: &str = "no repair is undone";

pub fn all() -> Vec<Property<Servers>> {
    vec![
        Property::<Servers>::always(STALE, |_, state| !state.stale_read),
        Property::<Servers>::always(COMMITTED, |_, state| !state.uncommitted_read),
        Property::<Servers>::always(ACKNOWLEDGED, |_, state| acknowledged_moves_are_kept(state)),
        Property::<Servers>::always(ONE_MOVE_A_SEQ, |_, state| one_event_a_seq(state)),
        Property::<Servers>::always(ONCE, |_, state| moves_are_made_once(state)),
        Property::<Servers>::always(UNDONE, |_, state| state.database.row.repairs >= state.database.repairs),
        Property::<Servers>::sometimes("readers share a question", |_, state| {
            state.readers.iter().filter(|reader| matches!(reader, Reader::Asking(_))).count() > 1
        }),
        Property::<Servers>::sometimes("a reader comes while a question is under way", |_, state| {
            state.question != Question::None
                && state.readers.iter().any(|reader| matches!(reader, Reader::Waiting(_)))
        }),
        Property::<Servers>::sometimes("an answer is lost after the commit", |_, state| {
            in_doubt(state).any(|mover| made(state, mover) > 0)
        }),
        Property::<Servers>::sometimes(
            "an answer is lost before the statement is carried out",
            |_, state| in_doubt(state).any(|mover| made(state, mover) == 0 && state.late_statement.is_some()),
        ),
        Property::<Servers>::sometimes("a request is refused", |_, state| {
            state.movers.contains(&Mover::Refused)
        }),
        Property::<Servers>::sometimes("a repair comes too late", |_, state| state.repair == Repair::GivenUp),
        Property::<Servers>::sometimes("everybody is served after a loss", |_, state| {
            let moved = state.movers.iter().all(|mover| matches!(mover, Mover::Acknowledged(_)));
            let looked = state.readers.iter().all(|reader| *reader == Reader::Done);
            moved && looked && state.repair == Repair::Written && state.losses_left == 0
        }),
    ]
}

fn in_doubt(state: &State) -> impl Iterator<Item = usize> {
    (0..)
        .zip(&state.movers)
        .filter(|(_, mover)| matches!(mover, Mover::InDoubt { .. }))
        .map(|(index, _)| index)
}

/// The number of events that a request has made.
fn made(state: &State, mover: usize) -> usize {
    state.database.events.iter().filter(|(_, made_by)| usize::from(*made_by) == mover).count()
}

fn acknowledged_moves_are_kept(state: &State) -> bool {
    (0..).zip(&state.movers).all(|(id, mover)| {
        let Mover::Acknowledged(seq) = mover else { return true };
        let moves = &state.database.row.moves;
        state.database.events.contains(&(*seq, id)) && moves.get(usize::from(*seq) - 1) == Some(&id)
    })
}

fn one_event_a_seq(state: &State) -> bool {
    let mut events = state.database.events.as_slice();
    while let [(seq, _), rest @ ..] = events {
        if rest.iter().any(|(other, _)| other == seq) {
            return false;
        }
        events = rest;
    }
    true
}

fn moves_are_made_once(state: &State) -> bool {
    state.movers.iter().enumerate().all(|(index, mover)| {
        let most = usize::from(*mover != Mover::Refused);
        made(state, index) <= most
    })
}
