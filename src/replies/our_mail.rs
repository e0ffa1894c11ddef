//! Recognises lines that come from a mail of this server: by its addresses, its links, and the texts of the catalogue.

use std::sync::LazyLock;

use crate::language::{self, Language};
use crate::notices::ReplyAddresses;

/// A catalogue text identifies our mail if it has this many words or this many characters. People may write shorter ones.
const MIN_WORDS: usize = 5;
const MIN_CHARS: usize = 24;

/// The fewest words of a text in two or more pieces. People rarely write both pieces, so fewer words suffice.
const MIN_WORDS_OF_TWO: usize = 4;

/// The most characters of a text that are compared. Mail programs rewrap long lines, and [`COMPARED_LINES`] lines hold this many.
const MAX_COMPARED_CHARS: usize = 40;

/// The most lines over which a text is searched.
const COMPARED_LINES: usize = 3;

/// The catalogue files with the texts at the beginning and end of our mails.
const FILES: [&str; 2] = ["mail.ftl", "game.ftl"];

/// The shortest line of a board or of a rule between two parts of a mail, in characters.
const MIN_DRAWN_CHARS: usize = 6;

/// The texts of our mails in every language, each as consecutive pieces with arbitrary text between them.
static TEXTS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let texts = Language::ALL.into_iter().flat_map(|language| language::literal_pieces(language, &FILES));
    texts.map(|pieces| comparable(&pieces)).filter(|pieces| is_telling(pieces)).collect()
});

/// The greetings of our mails in every language: the text before and after the name.
static GREETINGS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let greeting = |language: Language| {
        let filled = language.say_with("hello", &language::Arguments::default().text("name", "\0"));
        filled.split_once('\0').map(|(before, after)| (folded(before), folded(after)))
    };
    Language::ALL.into_iter().filter_map(greeting).collect()
});

/// Distinguishes lines of this server's mails from other lines.
#[derive(Clone, Debug)]
pub struct OurMail {
    /// For example `play.example.org`, in lower case; empty if the server has no public address.
    host: String,
    addresses: Option<ReplyAddresses>,
}

impl OurMail {
    #[must_use]
    pub fn new(host: &str, addresses: Option<ReplyAddresses>) -> Self {
        Self { host: host.to_ascii_lowercase(), addresses }
    }

    /// Whether a quote of our mail begins with the first of `lines`.
    pub fn begins(&self, lines: &[&str]) -> bool {
        let Some(first) = lines.first().map(|line| folded(line)) else { return false };
        if is_drawn(&first) || self.is_named_in(&first) {
            return true;
        }
        let together =
            lines.iter().take(COMPARED_LINES).map(|line| folded(line)).collect::<Vec<_>>().join(" ");
        TEXTS.iter().any(|pieces| stands_in(pieces, &together, first.len()))
    }

    /// Whether a text contains an address or a link of this server.
    pub fn is_named_in(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let links = !self.host.is_empty()
            && (text.contains(&format!("://{}", self.host)) || text.contains(&format!("{}/", self.host)));
        links || self.addresses.as_ref().is_some_and(|addresses| addresses.is_named_in(&text))
    }
}

/// Whether a line is a greeting of our mails.
pub fn greets(line: &str) -> bool {
    let line = folded(line);
    let is = |(before, after): &(String, String)| {
        let name = line.strip_prefix(before.as_str()).and_then(|rest| rest.strip_suffix(after.as_str()));
        name.is_some_and(|name| !name.trim().is_empty())
    };
    GREETINGS.iter().any(is)
}

/// Whether a line consists of signs only: a line of a board, or a separator.
fn is_drawn(line: &str) -> bool {
    let sign = |character: char| {
        character.is_ascii_punctuation()
            || matches!(character, ' ' | '\u{2010}'..='\u{2015}' | '\u{2500}'..='\u{257f}')
    };
    line.chars().filter(|character| *character != ' ').count() >= MIN_DRAWN_CHARS && line.chars().all(sign)
}

/// Normalises a line for comparison: lower case, single spaces, no quote signs.
fn folded(line: &str) -> String {
    let line = line.trim_start_matches(['>', '|', '*', '#', ' ']).to_lowercase();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn comparable(pieces: &[String]) -> Vec<String> {
    let mut left = MAX_COMPARED_CHARS;
    let mut compared = Vec::new();
    for piece in pieces.iter().map(|piece| folded(piece)).filter(|piece| !piece.is_empty()) {
        if left == 0 {
            break;
        }
        let cut = cut_at_word(&piece, left);
        left = if cut.len() < piece.len() { 0 } else { left.saturating_sub(cut.chars().count()) };
        compared.push(cut.to_owned());
    }
    compared
}

/// At most `most` characters, cut at a word unless the first word is longer.
fn cut_at_word(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    text[..end].rfind(' ').map_or(&text[..end], |space| &text[..space])
}

fn is_telling(pieces: &[String]) -> bool {
    let words: usize = pieces.iter().map(|piece| piece.split_whitespace().count()).sum();
    let chars: usize = pieces.iter().map(|piece| piece.chars().count()).sum();
    let longest = pieces.iter().map(|piece| piece.chars().count()).max().unwrap_or_default();
    let enough = if pieces.len() > 1 { MIN_WORDS_OF_TWO } else { MIN_WORDS };
    (words >= enough || chars >= MIN_CHARS) && longest >= MIN_CHARS / 3
}

/// Whether the pieces follow each other in `text`, and the first begins before `end`.
fn stands_in(pieces: &[String], text: &str, end: usize) -> bool {
    let mut from = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let Some(found) = text[from..].find(piece.as_str()) else { return false };
        if index == 0 && found >= end {
            return false;
        }
        from += found + piece.len();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_sentences_are_known_also_where_a_program_breaks_them_anew() {
        let ours = OurMail::new("play.example.org", None);
        for lines in [
            &["It is your turn in Six•Six against bob."][..],
            &["> It is your", "turn in Six•Six against bob."],
            &["Du bekommst diese Mail, weil", "du auf https://x spielst."],
            &["See https://PLAY.example.org/games/1?token=x"],
            &["   +-------+-------+"],
            &["_____________________"],
        ] {
            assert!(ours.begins(lines), "{lines:?}");
        }
    }

    #[test]
    fn what_people_write_is_not_ours() {
        let ours = OurMail::new("play.example.org", None);
        for line in [
            "",
            "store",
            "It is your turn, bob!",
            "c6 n1",
            "---",
            "You have a point.",
            "Hello bob,",
            "a1 b2 c3",
        ] {
            assert!(!ours.begins(&[line, "thanks"]), "{line}");
        }
        assert!(greets("Hello ann,") && greets("> Hallo Jörg,") && !greets("Hello") && !greets("store"));
    }
}
