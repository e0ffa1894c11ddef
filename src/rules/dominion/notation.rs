//! `turn`, `attack b3 b4`, `deploy b2 4` and the others: read in any case and spacing.

use super::action::Action;
use super::cell::Cell;
use crate::rules::{Sentence, Unreadable};

/// Notation longer than this is refused unread, in characters.
const MAX_LENGTH: usize = 64;

/// The most digits of a number of armies.
const MAX_DIGITS: usize = 2;

/// The action in notation.
pub fn write(action: Action) -> String {
    match action {
        Action::Turn {} => "turn".to_owned(),
        Action::Reinforce { cell } => format!("reinforce {cell}"),
        Action::Withdraw { cell } => format!("withdraw {cell}"),
        Action::Attack { from, to } => format!("attack {from} {to}"),
        Action::Occupy { armies } => format!("occupy {armies}"),
        Action::Advance { from, to, armies } => format!("advance {from} {to} {armies}"),
        Action::Deploy { cell, armies } => format!("deploy {cell} {armies}"),
        Action::Pass {} => "pass".to_owned(),
    }
}

/// Reads one action.
pub fn read(text: &str) -> Result<Action, Unreadable> {
    if text.chars().count() > MAX_LENGTH {
        return Err(Unreadable::too_long(MAX_LENGTH));
    }
    let mut reader = Reader::new(text);
    let action = reader.action()?;
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
                !character.is_whitespace() && !matches!(character, ',' | '.' | '-' | '>' | ':')
            })
            .map(|(place, character)| (place, character.to_ascii_lowercase()))
            .collect();
        Self { characters, next: 0, end: text.chars().count() }
    }

    fn place(&self) -> usize {
        self.characters.get(self.next).map_or(self.end, |(place, _)| *place)
    }

    fn action(&mut self) -> Result<Action, Unreadable> {
        if self.word("turn") {
            Ok(Action::Turn {})
        } else if self.word("reinforce") {
            Ok(Action::Reinforce { cell: self.cell("reinforced")? })
        } else if self.word("withdraw") {
            Ok(Action::Withdraw { cell: self.cell("withdrawn")? })
        } else if self.word("attack") {
            let (from, to) = self.cells()?;
            Ok(Action::Attack { from, to })
        } else if self.word("occupy") {
            Ok(Action::Occupy { armies: self.armies()? })
        } else if self.word("advance") {
            let (from, to) = self.cells()?;
            Ok(Action::Advance { from, to, armies: self.armies()? })
        } else if self.word("deploy") {
            let cell = self.cell("deployed")?;
            Ok(Action::Deploy { cell, armies: self.armies()? })
        } else if self.word("pass") {
            Ok(Action::Pass {})
        } else {
            Err(Unreadable::at(self.place(), "dominion-here"))
        }
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

    /// `b3 b4`, also `b3 to b4`
    fn cells(&mut self) -> Result<(Cell, Cell), Unreadable> {
        let from = self.cell("from")?;
        self.word("to");
        Ok((from, self.cell("to")?))
    }

    fn cell(&mut self, expected: &str) -> Result<Cell, Unreadable> {
        let name: String =
            self.characters.iter().skip(self.next).take(2).map(|(_, character)| *character).collect();
        let expected = || Sentence::new("dominion-here-cell").text("which", expected);
        let cell = name.parse::<Cell>().map_err(|_| Unreadable::at(self.place(), expected()))?;
        self.next += 2;
        Ok(cell)
    }

    /// Digits without anything between them: `1 2` is not twelve.
    fn armies(&mut self) -> Result<u8, Unreadable> {
        let start = self.place();
        let here = self.characters.iter().skip(self.next).zip(start..);
        let digits: String = here
            .take_while(|((place, character), expected)| place == expected && character.is_ascii_digit())
            .map(|((_, character), _)| *character)
            .collect();
        if digits.is_empty() || digits.len() > MAX_DIGITS {
            return Err(Unreadable::at(start, "dominion-here-armies"));
        }
        self.next += digits.len();
        Ok(digits.parse().expect("two digits are below 256"))
    }

    fn end(&self) -> Result<(), Unreadable> {
        if self.next < self.characters.len() {
            return Err(Unreadable::goes_on(self.place()));
        }
        Ok(())
    }
}
