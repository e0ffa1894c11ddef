//! Tells answers that surely mean their orders from those that may not: `Do not` above `store`, `No wait` below it.
//!
//! Greetings, closings, names and the banners of companies say nothing about orders. Any other line is doubtful if it negates,
//! asks, corrects or weighs, in the words of any language, or if a sentence seems to go on from it to an order or from an order to it.

mod words;

use std::collections::HashSet;
use std::sync::LazyLock;

use super::signature::Names;
use super::table_message::{is_closing, is_farewell_line};
use pippost_games::letters::steps;
use pippost_language::Language;
use words::{COURTESIES, DAYTIMES, DOUBTING_SIGNS, DOUBTS, GOOD, GREETINGS, OF_MAIL, OUTSIDE};

/// The most words of a greeting or of a line that leads to an order.
const MAX_SHORT_WORDS: usize = 5;

/// The most words of a greeting that ends without a sign.
const MAX_BARE_WORDS: usize = 3;

/// The most words with a comma behind them that address somebody in any language.
const MAX_ADDRESSING_WORDS: usize = 2;

/// The fewest words of a line in lower case that goes on with the order above it.
const MIN_WORDS_GOING_ON: usize = 3;

/// The most lines that are kept to see what they may mean.
const MAX_OTHERS: usize = 20;

/// The most words of a doubt, as in `that back`.
const MAX_WORDS_OF_DOUBT: usize = 2;

/// The words of a text of the catalogue, in all languages.
fn words_of(key: &str) -> HashSet<String> {
    let said = Language::all().map(|language| language.say(key));
    said.flat_map(|said| said.split(',').map(|word| word.trim().to_lowercase()).collect::<Vec<_>>()).collect()
}

static DOUBT_WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| words_of("doubt-words").into_iter().chain(DOUBTS.map(str::to_owned)).collect());

static LEADING_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| words_of("leading-words"));

/// What a line of the sender's own was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// An order or a command.
    Order,
    /// It begins like an order and cannot be read.
    Nearly,
    /// An order that stands too far below to be done.
    Stray,
    /// No order.
    Other,
}

/// The doubts about the orders of a mail, line by line.
#[allow(clippy::struct_excessive_bools, reason = "each is found or not, whatever the others are")]
pub struct Doubts<'n> {
    names: &'n Names,
    /// No order stood above.
    is_above: bool,
    /// The last line that was no order ends in the middle of a sentence.
    is_open: bool,
    /// The line above is an order.
    is_below_order: bool,
    /// A banner goes on to the end of its paragraph.
    in_banner: bool,
    are_found: bool,
    /// The first lines that are neither orders nor courtesies.
    others: Vec<String>,
}

impl<'n> Doubts<'n> {
    pub fn new(names: &'n Names) -> Self {
        Self {
            names,
            is_above: true,
            is_open: false,
            is_below_order: false,
            in_banner: false,
            are_found: false,
            others: Vec::new(),
        }
    }

    pub fn are_found(&self) -> bool {
        self.are_found
    }

    /// The first lines that are neither orders nor courtesies.
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// Adds the next line.
    pub fn add(&mut self, line: &str, taken_for: Line) {
        steps::count(line.len());
        let is_below_order = std::mem::take(&mut self.is_below_order);
        if line.is_empty() {
            self.in_banner = false;
            return;
        }
        match taken_for {
            Line::Order | Line::Nearly => {
                self.are_found |= self.is_open || taken_for == Line::Nearly && is_doubtful(line);
                (self.is_open, self.in_banner, self.is_above) = (false, false, false);
                self.is_below_order = true;
            }
            Line::Stray => self.are_found = true,
            Line::Other => self.add_other(line, is_below_order),
        }
    }

    fn add_other(&mut self, line: &str, is_below_order: bool) {
        let lower = line.to_lowercase();
        self.in_banner |= self.is_above && is_banner(&lower);
        if self.in_banner || !lower.chars().any(char::is_alphanumeric) {
            return;
        }
        let is_name = self.names.are(line) || self.names.have_initials(line);
        let is_courtesy = is_name || words_of_courtesy(&lower) > 0 || is_farewell_line(line, self.names);
        self.are_found |= is_doubtful(line) || is_below_order && !is_courtesy && goes_on(line);
        // `Thanks,` addresses nobody, but above an order only few words do not lead to it.
        let leads = is_closing(line) && !addresses(line);
        self.is_open = (leads || !is_courtesy) && !(ends_sentence(line) || is_leading(&lower));
        if !is_courtesy && self.others.len() < MAX_OTHERS {
            self.others.push(line.to_owned());
        }
    }
}

/// Whether a line negates, asks, corrects or weighs.
fn is_doubtful(line: &str) -> bool {
    let lower = line.to_lowercase();
    // A courtesy may look like a doubt, as in `Lieber Bob` and `See you later`.
    let said: Vec<&str> = words_in(&lower).skip(words_of_courtesy(&lower)).collect();
    let is_doubt = |words: &[&str]| DOUBT_WORDS.contains(&words.join(" "));
    (1..=MAX_WORDS_OF_DOUBT).any(|count| said.windows(count).any(is_doubt))
        || asks(line)
        || DOUBTING_SIGNS.iter().any(|sign| lower.contains(sign))
}

fn words_in(lower: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |sign: char| sign.is_alphanumeric() || matches!(sign, '\'' | '\u{2019}' | '-');
    lower.split(move |sign| !is_of_word(sign)).filter(|word| !word.is_empty())
}

/// Whether a line asks something; a web address may hold the sign, too.
fn asks(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        !word.contains("://")
            && word
                .trim_end_matches(['"', '\'', ')', '!', '\u{201d}'])
                .ends_with(['?', '\u{ff1f}', '\u{37e}', '\u{61f}'])
    })
}

/// How many words of a short line greet or part, as in `Hi Bob`, `Guten Morgen allerseits!` and `See you tomorrow`.
fn words_of_courtesy(lower: &str) -> usize {
    let words: Vec<&str> = words_in(lower).take(MAX_SHORT_WORDS + 1).collect();
    let most = if lower.ends_with(char::is_alphanumeric) { MAX_BARE_WORDS } else { MAX_SHORT_WORDS };
    match words.as_slice() {
        ["see", "you" | "ya", _] | ["until" | "bis", _] => words.len(),
        _ if words.len() > most => 0,
        [good, time, ..] if GOOD.contains(good) && DAYTIMES.contains(time) => 2,
        [first, ..] if GREETINGS.contains(first) => 1,
        _ => 0,
    }
}

/// Whether a line with a comma at its end addresses somebody: in one or two words, or by a name.
fn addresses(line: &str) -> bool {
    let is_name = |word: &str| !word.starts_with(char::is_lowercase);
    let words = line.split_whitespace().count();
    words_of_courtesy(&line.to_lowercase()) > 0
        || words <= MAX_ADDRESSING_WORDS
        || words <= MAX_BARE_WORDS && line.split_whitespace().all(is_name)
}

/// Whether a line right below an order seems to go on with its sentence, as in `is what I did last time`.
fn goes_on(line: &str) -> bool {
    let first = words_in(line).next().unwrap_or_default();
    line.starts_with(char::is_lowercase)
        && line.split_whitespace().count() >= MIN_WORDS_GOING_ON
        && !COURTESIES.contains(&first)
}

/// Whether a short line announces the order below it, as in `My move:`.
fn is_leading(lower: &str) -> bool {
    let words: Vec<&str> = words_in(lower).take(MAX_SHORT_WORDS + 1).collect();
    lower.ends_with(':')
        && words.len() <= MAX_SHORT_WORDS
        && words.iter().any(|word| LEADING_WORDS.contains(*word))
}

/// Whether a company's server put the line above mails from outside.
fn is_banner(lower: &str) -> bool {
    let speaks = |of: &[&str]| of.iter().any(|word| lower.contains(word));
    lower.starts_with('[') && lower.ends_with(']') || speaks(&OUTSIDE) && speaks(&OF_MAIL)
}

/// Whether a line ends with its sentence, as far as signs say so.
fn ends_sentence(line: &str) -> bool {
    let bare = line.trim_end_matches(|sign: char| {
        matches!(sign, '"' | '\'' | ')' | '*' | '_' | '\u{201c}' | '\u{201d}' | '\u{bb}')
            || !sign.is_ascii() && !sign.is_alphanumeric() && !is_end(sign)
    });
    // A face made of signs or a small picture ends it, too.
    bare.len() < line.len() && !bare.ends_with([',', ':', ';', '-']) || bare.ends_with(is_end)
}

fn is_end(sign: char) -> bool {
    matches!(sign, '.' | '!' | '\u{2026}' | '\u{3002}' | '\u{ff01}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether there is doubt about the orders of a mail, which stand in lines with a plus.
    fn doubted(text: &str) -> bool {
        let names = Names::new(Some("Ann Example"), None, "ann");
        let mut doubts = Doubts::new(&names);
        for line in text.lines() {
            let taken_for = if line.starts_with('+') { Line::Order } else { Line::Other };
            doubts.add(line, taken_for);
        }
        doubts.are_found()
    }

    #[test]
    fn what_negates_asks_corrects_or_weighs_is_doubtful_in_many_languages() {
        for text in [
            "Do not\n+store",
            "I was wondering whether it would be a good idea to\n+store\nor to place it. What do you think?",
            "cancel\n\n+store",
            "not:\n+store\nbut:\n+c6 n1",
            "Options:\n+store\n+c6 n1\nWhich one is better?",
            "+store\n\nNo wait, I meant the other one.",
            "+store\n\nsorry, no:\n\n+c6 n1",
            "Bitte nicht\n+store",
            "+store\n\nNee, toch niet.",
            "+store\n\nNon, plut\u{f4}t autre chose.",
            "\u{43d}\u{435} \u{43d}\u{430}\u{434}\u{43e}.\n+store",
            "+store\n\u{3084}\u{3063}\u{3071}\u{308a}\u{ff01}",
            "I want to\n+store",
            "Lieber nicht,\n+store",
            "Hi, not\n+store",
            "Hi Bob I want to\n+store",
            "Good idea to\n+store",
            "+store\n\nI take that back.",
            "+store\nwhen he has moved",
            "+store\n\nLater.",
            "Once he has moved:\n+store",
            "+Store\nis what I did last time, and it went badly.",
            "Next turn then,\n+store",
            "+store\n\nDas nehme ich zur\u{fc}ck.",
            "+store\nsobald er gezogen hat",
            "Morgen\n+store",
        ] {
            assert!(doubted(text), "{text}");
        }
    }

    #[test]
    fn greetings_closings_names_banners_and_whole_sentences_are_not() {
        for text in [
            "+store",
            "Hi Bob,\n\n+store\n\nThanks,\nAnn",
            "Lieber Bob,\n+store\n\nViele Gr\u{fc}\u{df}e\nAnn",
            "Hoi!\n+store\nveel plezier",
            "My move:\n+store",
            "Mein Zug:\n\n+store",
            "[EXTERNAL]\n\n+store",
            "CAUTION: This email originated from outside of the organization. Do not click\nlinks or open attachments.\n\n+store",
            "Nice weather today.\n\n+store",
            "24h left! \u{1f600}\n+store",
            "+store\n+c6 n1\n\nSee you soon :-)\nA.E.",
            "Guten Morgen Bob,\n+store\nthanks and have a nice day\n\nSee you tomorrow!",
            "\u{414}\u{43e}\u{431}\u{440}\u{44b}\u{439} \u{434}\u{435}\u{43d}\u{44c},\n+store\n\nBis morgen!",
            "Bob Example Junior,\n+store\nmany thanks indeed,\nAnn",
        ] {
            assert!(!doubted(text), "{text}");
        }
    }
}
