//! `give 5h 6c Kd`, `show 5h 6c Kd`, `5h`: read in any case, spacing and order.

use super::action::{Action, Three};
use super::card_set::CardSet;
use super::position::Stage;
use crate::rules::cards::Card;
use crate::rules::notation::Characters;
use crate::rules::{Sentence, Unreadable};

/// The longest notation of a single card.
const LONGEST_CARD: &str = "10h";

/// The separators between the parts of an action, beside spaces.
const GAPS: &[char] = &[',', ';', '.', '-', '+'];

/// The action in notation.
pub fn write(action: Action) -> String {
    let three = |cards: Three| cards.set().iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    match action {
        Action::Give { cards } => format!("give {}", three(cards)),
        Action::Show { cards } => format!("show {}", three(cards)),
        Action::Play { card } => card.to_string(),
    }
}

/// Parses one action. Without a verb, one card is played, and the stage decides what happens to three cards.
pub fn read(stage: Stage, text: &str) -> Result<Action, Unreadable> {
    let mut left = Characters::of(text, GAPS)?;
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

/// The letter of a suit, which may be given as a symbol.
fn plain_suit(suit: char) -> char {
    match suit {
        '\u{2663}' | '\u{2667}' => 'c',
        '\u{2666}' | '\u{2662}' => 'd',
        '\u{2665}' | '\u{2661}' => 'h',
        '\u{2660}' | '\u{2664}' => 's',
        other => other,
    }
}

/// A rank and a suit; `10` is accepted for ten, and symbols for suits.
fn card(left: &mut Characters) -> Result<Card, Unreadable> {
    let ten = left.next(2) == "10";
    let rank = if ten { Some('t') } else { left.peek(0) };
    let suit = left.peek(1 + usize::from(ten)).map(plain_suit);
    let card = rank.zip(suit).and_then(|(rank, suit)| Card::from_letters(rank, suit));
    let card = card.ok_or_else(|| Unreadable::at(left.place(), "serpent-here"))?;
    left.pass(2 + usize::from(ten));
    Ok(card)
}

/// A card given by rank, suit, or both.
#[derive(Clone, Copy)]
struct PartOfCard {
    rank: Option<char>,
    suit: Option<char>,
}

impl PartOfCard {
    fn can_be(self, card: Card) -> bool {
        let written = card.to_string().to_ascii_lowercase();
        let mut letters = written.chars();
        let says = |said: Option<char>, letter| said.is_none_or(|said| Some(said) == letter);
        says(self.rank, letters.next()) && says(self.suit, letters.next())
    }
}

/// Whether the text names only cards of the action, each by rank, suit, or both, in any order; or is the beginning of its verb.
pub fn may_mean(text: &str, action: Action) -> bool {
    let Ok(mut left) = Characters::of(text, GAPS) else { return false };
    let (word, cards): (_, Vec<Card>) = match action {
        Action::Give { cards } => ("give", cards.set().iter().collect()),
        Action::Show { cards } => ("show", cards.set().iter().collect()),
        Action::Play { card } => ("play", vec![card]),
    };
    let begun = left.next(word.len());
    if !begun.is_empty() && begun.len() == left.next(usize::MAX).len() && word.starts_with(&begun) {
        return true;
    }
    left.word(word);
    let Some(parts) = parts_of_cards(&mut left) else { return false };
    !parts.is_empty() && are_among(&parts, &cards)
}

fn parts_of_cards(left: &mut Characters) -> Option<Vec<PartOfCard>> {
    let mut parts = Vec::new();
    while left.count() > 0 {
        let ten = left.next(2) == "10";
        let rank =
            if ten { Some('t') } else { left.peek(0).filter(|letter| "a23456789tjqk".contains(*letter)) };
        left.pass(usize::from(ten) + usize::from(rank.is_some()));
        let suit = left.peek(0).map(plain_suit).filter(|letter| "cdhs".contains(*letter));
        left.pass(usize::from(suit.is_some()));
        if rank.is_none() && suit.is_none() {
            return None;
        }
        parts.push(PartOfCard { rank, suit });
    }
    Some(parts)
}

/// Whether each part can be matched with a different card.
fn are_among(parts: &[PartOfCard], cards: &[Card]) -> bool {
    let Some((first, others)) = parts.split_first() else { return true };
    let fits = |(index, card): (usize, &Card)| {
        let rest = [&cards[..index], &cards[index + 1..]].concat();
        first.can_be(*card) && are_among(others, &rest)
    };
    cards.iter().enumerate().any(fits)
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
