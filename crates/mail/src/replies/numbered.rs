//! Orders for other games than that of the answered mail: `#12 store; #15 d4`, by the player's own numbers of games.

use super::quoting::is_blank;
use pippost_games::letters::steps;

/// The most games that one mail names by number.
pub const MAX_NUMBERED: usize = 20;

/// The most digits of a number.
const MAX_DIGITS: usize = 6;

/// The number of a game at the beginning of a part, and what follows it.
pub fn number_of(part: &str) -> Option<(i32, &str)> {
    let part = part.trim_start_matches(|sign: char| is_blank(sign) || matches!(sign, '-' | '*' | '\u{2022}'));
    let rest = part.strip_prefix('#')?;
    steps::count(rest.len());
    let after = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let digits = rest.len() - after.len();
    let ends =
        after.is_empty() || after.starts_with(|sign: char| matches!(sign, ':' | '.' | ',') || is_blank(sign));
    if !(1..=MAX_DIGITS).contains(&digits) || !ends {
        return None;
    }
    let number = rest[..digits].parse().ok()?;
    Some((number, after.trim_start_matches(|sign: char| matches!(sign, ':' | '.' | ',') || is_blank(sign))))
}

/// A line in its pieces, each for the game whose number it begins with: `#12 c6 n1; store; #15 d4` has two.
pub fn pieces(line: &str) -> Vec<&str> {
    steps::count(line.len());
    let mut pieces = Vec::new();
    let (mut from, mut searched) = (0, 0);
    while let Some(found) = line[searched..].find(';') {
        let at = searched + found;
        if number_of(&line[at + 1..]).is_some() {
            pieces.push(&line[from..at]);
            from = at + 1;
        }
        searched = at + 1;
    }
    pieces.push(&line[from..]);
    pieces
}

/// The numbers that the lines of a text begin with, each once, at most [`MAX_NUMBERED`].
pub fn numbers_in(text: &str) -> Vec<i32> {
    let mut numbers = Vec::new();
    let named = text.lines().filter(|line| line.contains('#')).flat_map(pieces).filter_map(number_of);
    for (number, _) in named {
        if numbers.len() == MAX_NUMBERED {
            break;
        }
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_at_the_beginning_of_a_part() {
        assert_eq!(number_of("#12 store"), Some((12, "store")));
        assert_eq!(number_of("- #7: c6 n1"), Some((7, "c6 n1")));
        assert_eq!(number_of("#3"), Some((3, "")));
        for text in ["12 store", "# 12", "#", "#1a", "#1234567 store", "store #12", "##2", "#12-3"] {
            assert_eq!(number_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_line_has_a_piece_for_each_game() {
        assert_eq!(pieces("#12 c6 n1; store; #15 d4"), ["#12 c6 n1; store", " #15 d4"]);
        assert_eq!(pieces("store; d4"), ["store; d4"]);
        assert_eq!(numbers_in("#12 store; #15 d4\nHi\n#12 again\n> #3 quoted"), [12, 15]);
        let many = (0..100).map(|number| format!("#{number} store\n")).collect::<Vec<_>>().concat();
        assert_eq!(numbers_in(&many).len(), MAX_NUMBERED);
    }
}
