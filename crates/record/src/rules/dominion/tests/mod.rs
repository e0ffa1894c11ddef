//! One case for each ruling, the texts, the example records, and random play. Laws of every rule set are tested in
//! `tests/laws/every_rule_set.rs`.

mod attack;
mod deploy;
mod leave;
mod random;
mod stages;
mod stored;
mod vectors;
mod words;

use serde_json::{Value, json};

use super::cell::Cell;
use super::deck::Deck;
use super::field::Field;
use super::options::{Options, Size};
use super::position::{Conquest, Phase, Position, Roll};
use super::{Dominion, ending};
use crate::rules::cards::{Card, DECK};
use crate::rules::sentence::in_english;
use crate::rules::{Chance, Ending, Halt, PlayedOut, Rules, Seat, Step, Viewer, step::Trace};

/// Nine ranks that are easy to remember: a3 to c3, a2 to c2, a1 to c1. The corners and the centre are vertical.
const NINE: &str = "Ac 2d 3c 4d 5c 6d 7c 8d 9c";

/// A position in seat 0's attack stage: cards in dealing order, and (cell, seat, armies).
fn table(seats: u8, cards: &str, armies: &[(&str, u8, u8)]) -> Position {
    let cards: Vec<Card> = cards.split_whitespace().map(|card| card.parse().expect("a card")).collect();
    let size = match cards.len() {
        9 => Size::Three,
        16 => Size::Four,
        _ => Size::Five,
    };
    let mut field = Field::new(size, &cards).expect("one card a cell");
    for (name, seat, armies) in armies {
        field.put(cell(name), Seat(*seat), *armies);
    }
    Position {
        options: Options { size, round_limit: None },
        seats,
        left: [false; 8],
        round: 1,
        current: Seat(0),
        phase: Phase::Attack,
        field,
        deck: Deck::default(),
        turned: None,
        attacks: 0,
    }
}

fn cell(name: &str) -> Cell {
    name.parse().expect("a cell")
}

fn card(name: &str) -> Card {
    name.parse().expect("a card")
}

/// The word that draws this card from a full stock.
fn drawing(name: &str) -> Vec<u32> {
    vec![u32::try_from(card(name).index()).expect("below 52")]
}

/// Words that roll these dice.
fn falling(dice: &[u8]) -> Vec<u32> {
    dice.iter().map(|die| u32::from(die - 1)).collect()
}

/// Plays with these words and checks that all of them are used.
fn with_words<T>(words: &[u32], run: impl FnOnce(&mut Step<'_>) -> T) -> (T, Trace) {
    let mut left = words.iter().copied();
    let mut next = || left.next().expect("no more words than the test lists");
    let mut step = Step::new(Chance::Drawn(&mut next));
    let result = run(&mut step);
    let trace = step.finish();
    assert_eq!(left.next(), None, "every listed word is taken");
    (result, trace)
}

fn try_play(position: &mut Position, text: &str, words: &[u32]) -> Result<Vec<Value>, Halt> {
    let action = Dominion::read(position, text).expect("readable notation");
    let seat = Dominion::to_act(position).expect("a running game");
    let (played, trace) = with_words(words, |step| Dominion::act(position, seat, &action, step));
    played.map(|()| trace.effects)
}

fn play(position: &mut Position, text: &str, words: &[u32]) -> Vec<Value> {
    try_play(position, text, words).unwrap_or_else(|halt| panic!("{text}: {halt}"))
}

/// The reason why an action is illegal; checks that it changes nothing.
fn refusal(position: &Position, text: &str) -> String {
    let mut copy = *position;
    let halt = try_play(&mut copy, text, &[]).expect_err("an illegal action");
    assert_eq!(&copy, position, "a refused action changes nothing");
    assert!(matches!(halt, Halt::Illegal(_)), "{halt}");
    in_english::refusal(&halt)
}

/// What the server does when a seat leaves, from the effect `left` to the automatic steps.
fn leave(position: &mut Position, seat: u8, words: &[u32]) -> Vec<Value> {
    let (result, trace) = with_words(words, |step| {
        Dominion::leave(position, Seat(seat), step)?;
        if position.staying().count() < 2 {
            Dominion::close(position);
            return Ok(());
        }
        Dominion::resume(position, step)
    });
    result.expect("chance is there");
    trace.effects
}

/// The legal actions in notation.
fn legal(position: &Position) -> Vec<String> {
    let offers = serde_json::to_value(Dominion::legal(position)).expect("a list");
    let actions: Vec<super::Action> = serde_json::from_value(offers).expect("actions one by one");
    actions.iter().map(Dominion::write).collect()
}

fn view(position: &Position) -> Value {
    serde_json::to_value(Dominion::view(position, Viewer::Spectator)).expect("a view")
}

fn names() -> Vec<String> {
    ["ann", "bob", "cat"].map(str::to_owned).to_vec()
}

fn armies(cell: &str, owner: u8, armies: u8) -> Value {
    json!({"type": "armies", "cell": cell, "owner": owner, "armies": armies})
}

fn unoccupied(cell: &str) -> Value {
    json!({"type": "armies", "cell": cell, "owner": null, "armies": 0})
}

fn stage(seat: u8, stage: &str) -> Value {
    json!({"type": "stage", "seat": seat, "stage": stage})
}

/// The effect of a deploy roll, with its consequences spelled out.
fn rolled(seat: u8, dice: [u8; 2], max_rank: u8, max_armies: u8) -> Value {
    json!({"type": "dice", "seat": seat, "dice": dice, "max_rank": max_rank, "max_armies": max_armies})
}

fn conquered(cell: &str, winner: u8) -> Value {
    json!({"type": "conquered", "cell": cell, "winner": winner})
}
