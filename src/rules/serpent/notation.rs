//! `give 5h 6c Kd`, `show 5h 6c Kd`, `5h`: read in any case, spacing and order.

use super::action::{Action, Three};
use super::card_set::CardSet;
use super::position::Stage;
use crate::rules::cards::Card;
use crate::rules::notation::Characters;
use crate::rules::{Sentence, Unreadable};

/// What is longer is more than one card.
const LONGEST_CARD: &str = "10h";

/// The action in notation.
pub fn write(action: Action) -> String {
    let three = |cards: Three| cards.set().iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    match action {
        Action::Give { cards } => format!("give {}", three(cards)),
        Action::Show { cards } => format!("show {}", three(cards)),
        Action::Play { card } => card.to_string(),
    }
}

/// Reads one action. Without a word, one card is played, and three are what the stage asks for.
pub fn read(stage: Stage, text: &str) -> Result<Action, Unreadable> {
    let mut left = Characters::of(text, &[',', ';', '.', '-', '+'])?;
    let action = if left.word("give") {
        Action::Give { cards: three(&mut left)? }
    } else if left.word("show") {
        Action::Show { cards: three(&mut left)? }
    } else if left.word("play") || left.count() <= LONGEST_CARD.len() {
        Action::Play { card: card(&mut left)? }
    } else if stage == Stage::Show {
        Action::Show { cards: three(&mut left)? }
    } else {
        Action::Give { cards: three(&mut left)? }
    };
    left.end()?;
    Ok(action)
}

/// A rank and a suit; `10` is a ten too, and suits may be drawn.
fn card(left: &mut Characters) -> Result<Card, Unreadable> {
    let ten = left.next(2) == "10";
    let rank = if ten { Some('t') } else { left.peek(0) };
    let suit = left.peek(1 + usize::from(ten)).map(|suit| match suit {
        '\u{2663}' | '\u{2667}' => 'c',
        '\u{2666}' | '\u{2662}' => 'd',
        '\u{2665}' | '\u{2661}' => 'h',
        '\u{2660}' | '\u{2664}' => 's',
        other => other,
    });
    let card = rank.zip(suit).and_then(|(rank, suit)| Card::from_letters(rank, suit));
    let card = card.ok_or_else(|| Unreadable::at(left.place(), "serpent-here"))?;
    left.pass(2 + usize::from(ten));
    Ok(card)
}

fn three(left: &mut Characters) -> Result<Three, Unreadable> {
    let mut cards = CardSet::default();
    loop {
        let start = left.place();
        let card = card(left)?;
        if !cards.insert(card) {
            return Err(Unreadable::at(start, Sentence::new("rules-twice").text("what", card)));
        }
        if let Some(three) = Three::new(cards) {
            return Ok(three);
        }
    }
}
