//! `give 5h 6c Kd`, `show 5h 6c Kd`, `5h`: read in any case, spacing and order.

use super::action::{Action, Three};
use super::card_set::CardSet;
use super::position::Stage;
use crate::rules::cards::Card;
use crate::rules::{Sentence, Unreadable};

/// Notation longer than this is refused unread, in characters.
const MAX_LENGTH: usize = 64;

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
    if text.chars().count() > MAX_LENGTH {
        return Err(Unreadable::too_long(MAX_LENGTH));
    }
    let mut reader = Reader::new(text);
    let action = if reader.word("give") {
        Action::Give { cards: reader.three()? }
    } else if reader.word("show") {
        Action::Show { cards: reader.three()? }
    } else if reader.word("play") || reader.is_one_card() {
        Action::Play { card: reader.card()? }
    } else if stage == Stage::Show {
        Action::Show { cards: reader.three()? }
    } else {
        Action::Give { cards: reader.three()? }
    };
    reader.end()?;
    Ok(action)
}

/// The characters that count, in lower case, each with its place in the text.
struct Reader {
    characters: Vec<(usize, char)>,
    next: usize,
    end: usize,
}

impl Reader {
    fn new(text: &str) -> Self {
        let characters = text
            .chars()
            .enumerate()
            .filter(|(_, character)| {
                !character.is_whitespace() && !matches!(character, ',' | ';' | '.' | '-' | '+')
            })
            .map(|(place, character)| (place, character.to_ascii_lowercase()))
            .collect();
        Self { characters, next: 0, end: text.chars().count() }
    }

    fn place(&self) -> usize {
        self.characters.get(self.next).map_or(self.end, |(place, _)| *place)
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.next + ahead).map(|(_, character)| *character)
    }

    /// Passes over `word` if it stands here.
    fn word(&mut self, word: &str) -> bool {
        let here = self.characters.iter().skip(self.next).map(|(_, character)| *character);
        let found = here.take(word.len()).eq(word.chars());
        if found {
            self.next += word.len();
        }
        found
    }

    /// Whether what is left can be no more than one card.
    fn is_one_card(&self) -> bool {
        self.characters.len() - self.next <= "10h".len()
    }

    /// A rank and a suit; `10` is a ten too, and suits may be drawn.
    fn card(&mut self) -> Result<Card, Unreadable> {
        let ten = (self.peek(0), self.peek(1)) == (Some('1'), Some('0'));
        let rank = if ten { Some('t') } else { self.peek(0) };
        let suit = self.peek(1 + usize::from(ten)).map(|suit| match suit {
            '\u{2663}' | '\u{2667}' => 'c',
            '\u{2666}' | '\u{2662}' => 'd',
            '\u{2665}' | '\u{2661}' => 'h',
            '\u{2660}' | '\u{2664}' => 's',
            other => other,
        });
        let card = rank.zip(suit).and_then(|(rank, suit)| Card::from_letters(rank, suit));
        let card = card.ok_or_else(|| Unreadable::at(self.place(), "serpent-here"))?;
        self.next += 2 + usize::from(ten);
        Ok(card)
    }

    fn three(&mut self) -> Result<Three, Unreadable> {
        let mut cards = CardSet::default();
        loop {
            let start = self.place();
            let card = self.card()?;
            if !cards.insert(card) {
                return Err(Unreadable::at(start, Sentence::new("rules-twice").text("what", card)));
            }
            if let Some(three) = Three::new(cards) {
                return Ok(three);
            }
        }
    }

    fn end(&self) -> Result<(), Unreadable> {
        if self.next < self.characters.len() {
            return Err(Unreadable::goes_on(self.place()));
        }
        Ok(())
    }
}
