//! Shared by parsers of notation: the significant characters, in any case and spacing.

use std::collections::VecDeque;

use super::Unreadable;

/// The longest notation that is parsed, in characters.
pub const MAX_LENGTH: usize = 64;

/// Whether `text` is the beginning of the action whose notation is `written`. Separators and case are ignored.
pub fn begins(text: &str, written: &str) -> bool {
    let counts = |character: &char| !character.is_whitespace() && !",;.:+->".contains(*character);
    let squeezed = |text: &str| -> String {
        text.chars().filter(counts).map(|character| character.to_ascii_lowercase()).collect()
    };
    let text = squeezed(text);
    !text.is_empty() && squeezed(written).starts_with(&text)
}

/// The significant characters of a notation in lower case, with their positions in the text; and the parser's position.
pub struct Characters {
    left: VecDeque<(usize, char)>,
    end: usize,
}

impl Characters {
    /// The characters of `text` that are neither white space nor `gaps`.
    ///
    /// # Errors
    /// The text is longer than [`MAX_LENGTH`].
    pub fn of(text: &str, gaps: &[char]) -> Result<Self, Unreadable> {
        let end = text.chars().count();
        if end > MAX_LENGTH {
            return Err(Unreadable::too_long(MAX_LENGTH));
        }
        let counts = |character: &char| !character.is_whitespace() && !gaps.contains(character);
        let characters = text.chars().enumerate().filter(|(_, character)| counts(character));
        let left = characters.map(|(place, character)| (place, character.to_ascii_lowercase())).collect();
        Ok(Self { left, end })
    }

    /// The position of the next character in the text, or the text's end.
    pub fn place(&self) -> usize {
        self.left.front().map_or(self.end, |(place, _)| *place)
    }

    /// The number of characters left.
    pub fn count(&self) -> usize {
        self.left.len()
    }

    /// The character after `ahead` others.
    pub fn peek(&self, ahead: usize) -> Option<char> {
        self.left.get(ahead).map(|(_, character)| *character)
    }

    /// The next `count` characters, or fewer at the end.
    pub fn next(&self, count: usize) -> String {
        self.left.iter().take(count).map(|(_, character)| *character).collect()
    }

    /// The digits that come next, without a gap between them: `1 2` is not twelve.
    pub fn digits(&self) -> String {
        let here = self.left.iter().zip(self.place()..);
        let digits =
            here.take_while(|((place, digit), expected)| place == expected && digit.is_ascii_digit());
        digits.map(|((_, digit), _)| *digit).collect()
    }

    /// Skips `count` characters.
    pub fn pass(&mut self, count: usize) {
        self.left.drain(..count.min(self.left.len()));
    }

    /// Skips `word` if it comes next.
    pub fn word(&mut self, word: &str) -> bool {
        let here = self.left.iter().map(|(_, character)| *character);
        let found = here.take(word.len()).eq(word.chars());
        if found {
            self.pass(word.len());
        }
        found
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// Characters are left.
    pub fn end(&self) -> Result<(), Unreadable> {
        if self.left.is_empty() { Ok(()) } else { Err(Unreadable::goes_on(self.place())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_case_do_not_count_and_places_are_those_of_the_text() {
        let mut characters = Characters::of("  Go -> B2", &['-', '>']).expect("short");
        assert_eq!((characters.place(), characters.count()), (2, 4));
        assert!(!characters.word("gob3"));
        assert!(characters.word("go"));
        assert_eq!((characters.place(), characters.peek(1), characters.next(3)), (8, Some('2'), "b2".into()));
        assert_eq!(characters.end(), Err(Unreadable::goes_on(8)));
        characters.pass(2);
        assert_eq!((characters.place(), characters.end()), (10, Ok(())));
    }

    #[test]
    fn an_action_begins_in_any_case_and_spacing_but_not_with_nothing() {
        for text in ["attack a1", "ATTACK, A", "at tack", "attack a1 a2"] {
            assert!(begins(text, "attack a1 a2"), "{text}");
        }
        for text in ["", " -> ", "a1", "attack b", "attack a1 a2 a3"] {
            assert!(!begins(text, "attack a1 a2"), "{text}");
        }
    }

    #[test]
    fn digits_end_at_a_gap() {
        let digits = |text| Characters::of(text, &[]).expect("short").digits();
        assert_eq!(["12", "1 2", " 34b", "b3", ""].map(digits), ["12", "1", "34", "", ""]);
    }

    #[test]
    fn what_is_too_long_is_not_read() {
        assert!(Characters::of(&"x".repeat(MAX_LENGTH), &[]).is_ok());
        let longer = Characters::of(&" ".repeat(MAX_LENGTH + 1), &[]);
        assert_eq!(longer.err(), Some(Unreadable::too_long(MAX_LENGTH)));
    }
}
