//! `roll`, `store`, `d4 n2`, `pull 5 d4 n1`: read in any case and spacing.

use super::action::Action;
use super::board::Cell;
use super::die::Face;
use crate::rules::Unreadable;

/// Notation longer than this is refused unread, in characters.
const MAX_LENGTH: usize = 64;

/// The action in notation.
pub fn write(action: &Action) -> String {
    match action {
        Action::Roll {} => "roll".to_owned(),
        Action::Store {} => "store".to_owned(),
        Action::Place { cell, north } => format!("{cell} n{north}"),
        Action::Pull { die, cell, north } => format!("pull {die} {cell} n{north}"),
    }
}

/// Reads one action.
pub fn read(text: &str) -> Result<Action, Unreadable> {
    if text.chars().count() > MAX_LENGTH {
        return Err(Unreadable::too_long(MAX_LENGTH));
    }
    let mut reader = Reader::new(text);
    let action = if reader.word("roll") {
        Action::Roll {}
    } else if reader.word("store") {
        Action::Store {}
    } else if reader.word("pull") {
        let die = reader.face("pip-pip-here-stored")?;
        let (cell, north) = reader.lying()?;
        Action::Pull { die, cell, north }
    } else {
        let (cell, north) = reader.lying()?;
        Action::Place { cell, north }
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
            .filter(|(_, character)| !character.is_whitespace() && !matches!(character, ',' | '-' | '.'))
            .map(|(place, character)| (place, character.to_ascii_lowercase()))
            .collect();
        Self { characters, next: 0, end: text.chars().count() }
    }

    fn place(&self) -> usize {
        self.characters.get(self.next).map_or(self.end, |(place, _)| *place)
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.next).map(|(_, character)| *character)
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

    fn face(&mut self, expected: &'static str) -> Result<Face, Unreadable> {
        let digit = self.peek().and_then(|digit| digit.to_digit(10));
        let face = digit.and_then(|digit| Face::new(u8::try_from(digit).ok()?));
        let face = face.ok_or_else(|| Unreadable::at(self.place(), expected))?;
        self.next += 1;
        Ok(face)
    }

    /// `d4 n2`
    fn lying(&mut self) -> Result<(Cell, Face), Unreadable> {
        let start = self.place();
        let name: String =
            self.characters.iter().skip(self.next).take(2).map(|(_, character)| *character).collect();
        let cell = name.parse::<Cell>().map_err(|_| Unreadable::at(start, "pip-pip-here"))?;
        self.next += 2;
        if self.peek() != Some('n') {
            return Err(Unreadable::at(self.place(), "pip-pip-here-north"));
        }
        self.next += 1;
        Ok((cell, self.face("pip-pip-here-face")?))
    }

    fn end(&self) -> Result<(), Unreadable> {
        if self.next < self.characters.len() {
            return Err(Unreadable::goes_on(self.place()));
        }
        Ok(())
    }
}
