//! Recognises the rests of quoted lines that a program broke anew after quoting: they stand without a quote sign between quoted lines.

use super::marks::is_quoted;
use pippost_games::letters::steps;

/// The most lines that the rest of one quoted line fills.
const MAX_REST_LINES: usize = 2;

/// The fewest such rests in a mail that leave no doubt: a person may answer below the longest line of a quote, too.
const MIN_RESTS: usize = 2;

/// Where the rests of quoted lines stand.
pub struct Rests {
    at: Vec<bool>,
    found: usize,
}

impl Rests {
    pub fn of(lines: &[&str]) -> Self {
        steps::count(lines.iter().map(|line| line.len() + 1).sum());
        let mut rests = Self { at: vec![false; lines.len()], found: 0 };
        // Lines of one word cannot be broken, so they say nothing about the width.
        let breakable = |line: &&&str| is_quoted(line) && line.split_whitespace().count() > 2;
        let Some(width) = lines.iter().filter(breakable).map(|line| line.chars().count()).max() else {
            return rests;
        };
        for at in 1..lines.len() {
            if !is_quoted(lines[at - 1]) {
                continue;
            }
            let length = lines[at..].iter().take_while(|line| !line.is_empty() && !is_quoted(line)).count();
            steps::count(lines[at..at + length].iter().map(|line| line.len() + 1).sum());
            let is_between = (1..=MAX_REST_LINES).contains(&length)
                && lines.get(at + length).is_some_and(|line| is_quoted(line));
            if is_between && (at..at + length).all(|line| is_broken_off(lines[line - 1], lines[line], width))
            {
                rests.at[at..at + length].fill(true);
                rests.found += 1;
            }
        }
        rests
    }

    /// Whether the line there is such a rest.
    pub fn holds(&self, at: usize) -> bool {
        self.at[at]
    }

    /// Whether there are too few of them to be sure.
    pub fn are_doubtful(&self) -> bool {
        self.found < MIN_RESTS
    }
}

/// Whether the first word of `line` had no room behind `above`.
fn is_broken_off(above: &str, line: &str, width: usize) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    above.chars().count() + 1 + word.chars().count() > width
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rests(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let rests = Rests::of(&lines);
        (0..lines.len()).filter(|at| rests.holds(*at)).map(|at| lines[at]).collect()
    }

    #[test]
    fn a_rest_had_no_room_in_the_line_above() {
        let broken = "> You may answer with lines such as\n\"digest 8:00\",\n> or the like, as often as you\nlike.\n> The end.";
        assert_eq!(rests(broken), ["\"digest 8:00\",", "like."]);
        let twice = "> aaaa bbbb cccc\ndddd eeee ffff\ngggg\n> hhhh";
        assert_eq!(rests(twice), ["dddd eeee ffff", "gggg"]);
    }

    #[test]
    fn an_answer_between_quoted_lines_is_no_rest() {
        for text in [
            "> What is your move?\nstore\n> Please tell me until tomorrow at noon.\n",
            "> The last line of the quote is this one\n\nstore\n\n> bye",
            "> The last line of the quote is this one\nstore",
            "> short\nstore\nroll\nd4 n2\n> You may answer with lines",
            "store",
            "",
        ] {
            assert_eq!(rests(text), [""; 0], "{text}");
        }
    }
}
