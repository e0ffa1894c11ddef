//! Notation: `take` and `c3 d5`, in any case and spacing.

use super::action::{Action, MOST_STONES, NoPlacement, Placement};
use super::cell::Cell;
use crate::rules::notation::MAX_LENGTH;
use crate::rules::{Sentence, Unreadable};

/// The action in notation.
pub fn write(action: Action) -> String {
    match action {
        Action::Take {} => "take".to_owned(),
        Action::Place { cells } => {
            let cells: Vec<_> = cells.as_slice().iter().map(ToString::to_string).collect();
            cells.join(" ")
        }
    }
}

/// Parses one action. The order of the cells is kept.
pub fn read(text: &str) -> Result<Action, Unreadable> {
    let characters: Vec<_> = text.chars().map(|character| character.to_ascii_lowercase()).collect();
    if characters.len() > MAX_LENGTH {
        return Err(Unreadable::too_long(MAX_LENGTH));
    }
    let mut reader = Reader { characters, next: 0 };
    reader.pass_gap();
    if reader.word("take") {
        reader.pass_gap();
        return match reader.peek() {
            None => Ok(Action::Take {}),
            Some(_) => Err(Unreadable::goes_on(reader.next)),
        };
    }
    if reader.word("place") {
        reader.pass_gap();
    }
    let mut cells = Placement::one(reader.cell()?);
    reader.pass_gap();
    while reader.peek().is_some() {
        let start = reader.next;
        cells = cells.and(reader.cell()?).map_err(|error| Unreadable::at(start, no_placement(error)))?;
        reader.pass_gap();
    }
    Ok(Action::Place { cells })
}

fn no_placement(why: NoPlacement) -> Sentence {
    match why {
        NoPlacement::Twice(cell) => Sentence::new("rules-twice").text("what", cell),
        NoPlacement::Nothing | NoPlacement::TooMany => {
            Sentence::new("pippinzip-too-many-stones").count("most", MOST_STONES)
        }
    }
}

/// The text in lower case and the parser's position.
struct Reader {
    characters: Vec<char>,
    next: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.next).copied()
    }

    /// Skips separators between the parts of an action.
    fn pass_gap(&mut self) {
        while self.peek().is_some_and(|gap| gap.is_whitespace() || matches!(gap, ',' | ';' | '.' | '+' | '-'))
        {
            self.next += 1;
        }
    }

    /// Skips `word` if it comes next.
    fn word(&mut self, word: &str) -> bool {
        let found = self.characters[self.next..].iter().copied().take(word.len()).eq(word.chars());
        if found {
            self.next += word.len();
        }
        found
    }

    /// A column and, after optional spaces, a row.
    fn cell(&mut self) -> Result<Cell, Unreadable> {
        let start = self.next;
        let expected = if start == 0 { "pippinzip-here" } else { "pippinzip-here-cells" };
        let unreadable = |at: usize| Unreadable::at(at, Sentence::new(expected).count("most", MOST_STONES));
        let mut name = String::new();
        name.extend(self.peek().filter(|column| ('a'..='s').contains(column)));
        if name.is_empty() {
            return Err(unreadable(start));
        }
        self.next += 1;
        while self.peek().is_some_and(char::is_whitespace) {
            self.next += 1;
        }
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            name.push(digit);
            self.next += 1;
        }
        name.parse().map_err(|_| unreadable(if name.len() == 1 { self.next } else { start }))
    }
}
