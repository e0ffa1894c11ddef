//! Recognises lines that come from a mail of this server: by its addresses, its links, and the texts of the catalogue.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use super::marks::is_quoted;
use pippost_games::letters::steps;
use pippost_language::{self as language, Language, OpenText};
use pippost_notices::ReplyAddresses;
use pippost_record::rules;

/// A catalogue text identifies our mail if it has this many words or this many characters. People may write shorter ones.
const MIN_WORDS: usize = 5;
const MIN_CHARS: usize = 24;

/// The fewest words of a text in two or more pieces. People rarely write both pieces, so fewer words suffice.
const MIN_WORDS_OF_TWO: usize = 4;

/// The most characters of a text that are compared. Mail programs rewrap long lines, and [`COMPARED_LINES`] lines hold this many.
const MAX_COMPARED_CHARS: usize = 40;

/// The most lines over which a text is searched.
const COMPARED_LINES: usize = 3;

/// The most filled lines below the first line of a quote among which [`MIN_LINES_GOING_ON`] are ours, if the quote is.
const LINES_GOING_ON: usize = 12;
const MIN_LINES_GOING_ON: usize = 2;

/// The most filled lines below a greeting among which one must be ours, if the greeting may be a person's.
const LINES_BELOW_GREETING: usize = 8;

/// The same with empty lines.
const MAX_LINES_BELOW_GREETING: usize = 24;

/// The common catalogue files that mails take their texts from.
const FILES: [&str; 2] = ["mail.ftl", "game.ftl"];

/// Parts of the keys of texts that no mail holds as text: labels in pictures, words of orders.
const NOT_IN_MAILS: [&str; 9] =
    ["-label-", "-orders", "-head-", "suggest-", "-button-", "-target-", "-outlook", "-about", "-option-"];

/// The shortest line of a board or of a rule between two parts of a mail, in characters.
const MIN_DRAWN_CHARS: usize = 6;

/// The fewest letters of a short text's pieces.
const MIN_SHORT_LETTERS: usize = 4;

/// The fewest letters and words of a short text's beginning by which it is known in a line that goes on in the next one.
const MIN_CUT_LETTERS: usize = 6;
const MIN_CUT_WORDS: usize = 2;

/// Handles that people use to address others, so that a greeting with one may be theirs.
const ADDRESSEES: [&str; 16] = [
    "all",
    "again",
    "alle",
    "allerseits",
    "everybody",
    "everyone",
    "folks",
    "friend",
    "friends",
    "guys",
    "leute",
    "opponent",
    "team",
    "there",
    "world",
    "zusammen",
];

/// A piece of a text. Its search is prepared once, because every line of a mail is compared with all texts.
struct Piece {
    text: String,
    finder: Finder<'static>,
}

impl Piece {
    fn new(text: String) -> Self {
        let finder = Finder::new(&text).into_owned();
        Self { text, finder }
    }

    /// A piece that is found also without the colon at its end.
    fn without_colon(text: String) -> Self {
        let finder = Finder::new(text.trim_end_matches(':')).into_owned();
        Self { text, finder }
    }

    /// Where `text` first contains it at `from` or later.
    fn find_from(&self, text: &str, from: usize) -> Option<Range<usize>> {
        steps::count(text.len() - from + 1);
        let start = from + self.finder.find(&text.as_bytes()[from..])?;
        Some(start..start + self.finder.needle().len())
    }
}

/// A short text of ours, which must be a whole line.
struct Short {
    pieces: Vec<Piece>,
    open_start: bool,
    open_end: bool,
}

/// Texts by their first pieces: one pass over a line finds those that may stand in it, however many texts there are.
struct Index<T> {
    texts: Vec<T>,
    first: AhoCorasick,
}

impl<T> Index<T> {
    /// The texts, each with its pieces; those without any are left out.
    fn new(texts: Vec<T>, pieces: impl Fn(&T) -> &[Piece]) -> Self {
        let texts: Vec<T> = texts.into_iter().filter(|text| !pieces(text).is_empty()).collect();
        let first = AhoCorasick::new(texts.iter().map(|text| pieces(text)[0].finder.needle()));
        Self { texts, first: first.expect("the texts of a catalogue are few and short") }
    }

    /// The texts whose first piece stands in `line`.
    fn in_line(&self, line: &str) -> impl Iterator<Item = &T> {
        let mut found: Vec<usize> =
            self.first.find_overlapping_iter(line).map(|found| found.pattern().as_usize()).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| &self.texts[at])
    }
}

/// The texts of our mails in every language.
struct Texts {
    /// Texts that nobody else writes, each as consecutive pieces with arbitrary text between them.
    telling: Index<Vec<Piece>>,
    /// Texts that a person may write too, unless another line of ours follows.
    short: Index<Short>,
    /// How pictures of boards are titled; each begins with the name of a game.
    titles: Vec<Short>,
    /// How a message of another player is told: what stands behind the player's name.
    said: Vec<String>,
}

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let (mut telling, mut shorts) = (Vec::new(), Vec::new());
    let (mut titles, mut said) = (Vec::new(), Vec::new());
    let games: Vec<&str> = rules::all().map(rules::RuleSet::name).collect();
    for text in Language::all().flat_map(language::open_texts) {
        let is_of_mail = FILES.contains(&text.source) || games.contains(&text.source);
        if !is_of_mail || NOT_IN_MAILS.iter().any(|part| text.key.contains(part)) {
            continue;
        }
        if text.key == "told-said" {
            said.extend(text.pieces.first().map(|piece| folded(piece)));
        }
        let compared = comparable(&text.pieces);
        let is_title = games.contains(&text.source) && text.key.ends_with("-title");
        if is_telling(&compared) {
            telling.push(compared.into_iter().map(Piece::new).collect());
        } else if is_title && !text.open_start {
            titles.push(short(&text));
        } else {
            let short = short(&text);
            if short.is_usable() {
                shorts.push(short);
            }
        }
    }
    let telling = Index::new(telling, |pieces: &Vec<Piece>| pieces);
    Texts { telling, short: Index::new(shorts, |short: &Short| &short.pieces), titles, said }
});

/// The greetings of our mails in every language: the text before and after the name.
static GREETINGS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let greeting = |language: Language| {
        let filled = language.say_with("hello", &language::Arguments::default().text("name", "\0"));
        filled.split_once('\0').map(|(before, after)| (before.to_lowercase(), after.to_lowercase()))
    };
    Language::all().filter_map(greeting).collect()
});

fn short(text: &OpenText) -> Short {
    let pieces = text.pieces.iter().map(|piece| folded(piece)).filter(|piece| !piece.is_empty());
    Short {
        pieces: pieces.map(Piece::without_colon).collect(),
        open_start: text.open_start,
        open_end: text.open_end,
    }
}

fn letters_and_words(pieces: &[Piece]) -> (usize, usize) {
    let texts = || pieces.iter().map(|piece| &piece.text);
    let letters = texts().map(|text| text.chars().filter(|sign| sign.is_alphabetic()).count());
    (letters.sum(), texts().map(|text| text.split_whitespace().count()).sum())
}

impl Short {
    fn is_usable(&self) -> bool {
        let (letters, words) = letters_and_words(&self.pieces);
        letters >= MIN_SHORT_LETTERS && (words >= 2 || !(self.open_start && self.open_end))
    }

    /// Whether `text` is this text from its beginning to its end; `is_cut` if it may go on in another line.
    fn is(&self, text: &str, is_cut: bool) -> bool {
        let text = text.trim_end_matches([':', ']']);
        let mut from = 0;
        for (index, piece) in self.pieces.iter().enumerate() {
            let Some(found) = piece.find_from(text, from) else {
                let (letters, words) = letters_and_words(&self.pieces[..index]);
                return is_cut && letters >= MIN_CUT_LETTERS && words >= MIN_CUT_WORDS;
            };
            if index == 0 && found.start > 0 && !self.open_start {
                return false;
            }
            from = found.end;
        }
        let Some(last) = self.pieces.last() else { return false };
        self.open_end || is_cut || text.as_bytes().ends_with(last.finder.needle())
    }
}

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

    /// Whether a quote of our mail to the player `handle` begins with the first of `lines`.
    pub fn begins(&self, lines: &[&str], handle: &str) -> bool {
        self.is_certain(lines)
            || is_short(lines) && self.follows(&lines[1..], 1)
            || self.is_greeting(lines, handle)
    }

    /// Whether a greeting of our mail to the player `handle` stands here. A person may write one too, but not to himself.
    pub fn is_greeting(&self, lines: &[&str], handle: &str) -> bool {
        let Some(first) = lines.first() else { return false };
        let handle = handle.to_lowercase();
        let greets_reader = !handle.is_empty() && greets_by(first, &handle);
        // Above a quote of ours a person may greet others: what is quoted is not what follows the greeting.
        let below = lines[1..].iter().take(MAX_LINES_BELOW_GREETING);
        let others = below.take_while(|line| !(is_quoted(line) || greets_by(line, &handle)));
        greets_reader && !ADDRESSEES.contains(&handle.as_str())
            || (greets_reader || greets(first))
                && self.follows(&lines[1..=others.count()], LINES_BELOW_GREETING)
    }

    /// Whether one of the next filled lines is ours.
    fn follows(&self, lines: &[&str], among: usize) -> bool {
        let filled = (0..lines.len()).filter(|at| !lines[*at].is_empty()).take(among);
        // The address of our mails stands in introductions, above a quote.
        let mut whole = filled.take_while(|at| !(is_quoted(lines[*at]) || lines[*at].contains('@')));
        // A rule alone stands below what people write, too: above a signature or a disclaimer.
        let is_ours = |at: usize| self.is_certain(&lines[at..]) && !is_rule(lines[at]);
        whole.any(|at| is_ours(at) || is_short(&lines[at..]))
    }

    /// Whether a mail of ours to the player `handle`, of which one line was found, goes on in `lines`, which are not quoted.
    pub fn goes_on(&self, lines: &[&str], handle: &str) -> bool {
        let filled = (0..lines.len()).filter(|at| !lines[*at].is_empty()).take(LINES_GOING_ON);
        let filled: Vec<usize> = filled.take_while(|at| !is_quoted(lines[*at])).collect();
        let is_ours = |at: &usize| self.is_certain(&lines[*at..]) || is_short(&lines[*at..]);
        let handle = handle.to_lowercase();
        if let Some(greeting) = filled.iter().position(|at| greets_by(lines[*at], &handle)) {
            // It begins with its greeting, so what stands above is ours only if all of it is.
            return filled[..greeting].iter().all(is_ours);
        }
        let ours = filled.iter().filter(|at| is_ours(at)).count();
        ours >= MIN_LINES_GOING_ON || ours > 0 && ours == filled.len()
    }

    /// Whether nobody but this server writes the first of `lines`.
    fn is_certain(&self, lines: &[&str]) -> bool {
        let Some(first) = lines.first().map(|line| folded(line)) else { return false };
        if is_drawn(&first) || self.is_named_in(&first) || is_title(&first) || is_said(&first) {
            return true;
        }
        let together = joined(lines);
        TEXTS.telling.in_line(&together).any(|pieces| stands_in(pieces, &together, first.len()))
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

/// Whether a line contains our greeting of this player; programs may join it with other lines.
fn greets_by(line: &str, handle: &str) -> bool {
    let line = folded(line);
    let is = |(before, after): &(String, String)| {
        let greeting = format!("{before}{handle}{after}");
        line.match_indices(&greeting).any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
    };
    GREETINGS.iter().any(is)
}

/// Whether a line could stand in a mail of ours, and in a person's mail as well.
pub fn is_short(lines: &[&str]) -> bool {
    let Some(first) = lines.first().map(|line| folded(line)) else { return false };
    let whole = first.trim_start_matches(['-', ' ', '\u{2022}', '\u{b7}']);
    // An item that goes on in the next line is compared up to the end of its first line.
    let is_cut = whole.chars().count() >= MAX_COMPARED_CHARS;
    let is_one = |text: &str, is_cut: bool| TEXTS.short.in_line(text).any(|short| short.is(text, is_cut));
    if whole.is_empty() || is_one(whole, is_cut) {
        return !whole.is_empty();
    }
    // A preview has several sentences of ours in one line.
    let sentences: Vec<&str> = whole.split_inclusive(". ").map(str::trim).collect();
    sentences.len() > 1 && sentences.iter().all(|sentence| is_one(sentence, false))
}

/// Whether a line is the title of a picture of ours, which programs write in its place: `[image: title, hand 1: …]`.
fn is_title(line: &str) -> bool {
    let bare = line.trim_start_matches(['[', '<', '!', '(', ' ']);
    let title = ["image:", "bild:", "img:", "cid:board"]
        .iter()
        .find_map(|start| bare.strip_prefix(start))
        .unwrap_or(bare);
    let title = title.trim_start();
    TEXTS.titles.iter().any(|text| text.is(title, title.chars().count() >= MAX_COMPARED_CHARS))
}

/// Whether a line tells a message of another player: one word, and what our mails put before the message.
fn is_said(line: &str) -> bool {
    let line = line.trim_start_matches(['-', ' ', '\u{2022}', '\u{b7}']);
    let Some((_, said)) = line.split_once(' ') else { return false };
    TEXTS.said.iter().any(|before| said.starts_with(before.as_str()))
}

fn joined(lines: &[&str]) -> String {
    lines.iter().take(COMPARED_LINES).map(|line| folded(line)).collect::<Vec<_>>().join(" ")
}

/// Whether a line consists of signs only: a line of a board, or a separator.
pub fn is_drawn(line: &str) -> bool {
    let sign = |character: char| {
        character.is_ascii_punctuation()
            || matches!(character, ' ' | '\u{2010}'..='\u{2015}' | '\u{2500}'..='\u{257f}')
    };
    line.chars().filter(|character| *character != ' ').count() >= MIN_DRAWN_CHARS && line.chars().all(sign)
}

/// Whether a line repeats one sign.
fn is_rule(line: &str) -> bool {
    let mut signs = line.chars();
    signs.next().is_some_and(|first| signs.all(|sign| sign == first))
}

/// Normalises a line for comparison: lower case, single spaces, no quote signs.
fn folded(line: &str) -> String {
    steps::count(line.len() + 1);
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
fn stands_in(pieces: &[Piece], text: &str, end: usize) -> bool {
    let mut from = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let Some(found) = piece.find_from(text, from) else { return false };
        if index == 0 && found.start >= end {
            return false;
        }
        from = found.end;
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
            assert!(ours.begins(lines, "ann"), "{lines:?}");
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
            assert!(!ours.begins(&[line, "thanks"], "ann"), "{line}");
        }
        assert!(greets("Hello ann,") && greets("> Hallo Jörg,") && !greets("Hello") && !greets("store"));
    }
}
