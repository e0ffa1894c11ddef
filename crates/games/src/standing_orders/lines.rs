//! Standing orders as lines of text, in the words of all languages at once:
//!
//! ```text
//! if d4 n1 then store if pass then c6 n2
//! otherwise pass
//! always occupy keep 2
//! always forced
//! ```
//!
//! A line says one way in which the game may go on; lines that begin alike share their beginning.

use std::sync::LazyLock;

use super::orders::{Branch, MAX_ANSWERS, MAX_BRANCHES, StandingOrders};
use crate::letters::notation::{LineReading, ReadLines};
use crate::letters::steps;
use pippost_language::Language;
use pippost_record::rules::{Sentence, Unreadable};

/// The most words of a line. Longer ones are no orders.
pub const MAX_WORDS: usize = 400;

/// The most lines that one order is broken to, beside its first.
const MAX_JOINED_LINES: usize = 4;

/// What became of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderLine {
    /// It was added to the orders.
    Added,
    /// It is nearly an order.
    Broken(Unreadable),
    /// It is something else.
    Other,
}

/// What a move waits for, and the actions that are played then.
type Step = (Option<Vec<String>>, Vec<String>);

impl StandingOrders {
    /// Adds what a line orders; `reader` reads single actions.
    pub fn add_line(&mut self, line: &str, reader: &dyn ReadLines) -> OrderLine {
        let words: Vec<&str> = line.split_whitespace().take(MAX_WORDS + 1).collect();
        let Some(first) = words.first().filter(|_| words.len() <= MAX_WORDS) else { return OrderLine::Other };
        if is("orders-always", first) {
            return self.add_always(&words[1..].join(" "), reader);
        }
        if !is("orders-if", first) && !is("orders-otherwise", first) {
            return OrderLine::Other;
        }
        let Some(path) = path(&words) else { return OrderLine::Other };
        match read_path(&path, reader) {
            Ok(Some(path)) => self.add_path(path),
            Ok(None) => OrderLine::Other,
            Err(unreadable) => OrderLine::Broken(unreadable),
        }
    }

    fn add_always(&mut self, what: &str, reader: &dyn ReadLines) -> OrderLine {
        let what = what.trim_end_matches(['.', ',', '!', ';']);
        if is("orders-forced", what) {
            self.only_legal = true;
            return OrderLine::Added;
        }
        if self.answers.len() == MAX_ANSWERS {
            return broken("orders-too-many");
        }
        if reader.is_advance_answer(what) {
            self.answers.push(what.to_owned());
            return OrderLine::Added;
        }
        match reader.read(what) {
            LineReading::Other | LineReading::Distant(_) => OrderLine::Other,
            LineReading::Action(_) | LineReading::Broken(_) => broken("orders-not-always"),
        }
    }

    fn add_path(&mut self, path: Vec<Step>) -> OrderLine {
        if count(&self.branches) + path.len() > MAX_BRANCHES {
            return broken("orders-too-many");
        }
        let mut branches = &mut self.branches;
        for (condition, then) in path {
            let known = branches.iter().position(|branch| branch.condition == condition);
            let at = match known {
                Some(at) if branches[at].then == then => at,
                Some(_) => return broken("orders-contradict"),
                None => {
                    // The first branch that fits is taken, so what is done otherwise comes last.
                    let is_last = |branch: &Branch| branch.condition.is_none();
                    let at = branches.iter().position(is_last).unwrap_or(branches.len());
                    let at = if condition.is_none() { branches.len() } else { at };
                    branches.insert(at, Branch { condition, then, next: Vec::new() });
                    at
                }
            };
            branches = &mut branches[at].next;
        }
        OrderLine::Added
    }

    /// The orders as lines in the words of `language`: read again, they are the same orders.
    #[must_use]
    pub fn lines(&self, language: Language) -> Vec<String> {
        let mut lines = Vec::new();
        for branch in &self.branches {
            write_branch(branch, "", language, &mut lines);
        }
        let always = word("orders-always", language);
        lines.extend(self.answers.iter().map(|answer| format!("{always} {answer}")));
        if self.only_legal {
            lines.push(format!("{always} {}", word("orders-forced", language)));
        }
        lines
    }
}

/// Whether something must follow the line `text` of orders, as after `if pass` and `if pass then`: programs break long lines.
#[must_use]
pub fn is_open(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next().filter(|word| is("orders-if", word) || is("orders-otherwise", word))
    else {
        return false;
    };
    steps::count(text.len());
    let mut is_condition = is("orders-if", first);
    let mut last = first;
    for word in words {
        is_condition = (is_condition || is("orders-if", word)) && !is("orders-then", word);
        last = word;
    }
    is_condition || is("orders-then", last) || is("orders-otherwise", last) || last.ends_with(';')
}

/// The first of `lines` with as many of the next ones as belong to it, and their number: none unless they make an order together.
#[must_use]
pub fn joined(lines: &[&str], reader: &dyn ReadLines) -> (String, usize) {
    let Some((first, next)) = lines.split_first() else { return (String::new(), 0) };
    let mut text = (*first).to_owned();
    for (count, line) in (1..=MAX_JOINED_LINES).zip(next.iter().take_while(|line| !line.is_empty())) {
        if !is_open(&text) {
            break;
        }
        text = format!("{text} {line}");
        if !is_open(&text) && StandingOrders::default().add_line(&text, reader) == OrderLine::Added {
            return (text, count);
        }
    }
    ((*first).to_owned(), 0)
}

fn count(branches: &[Branch]) -> usize {
    branches.iter().map(|branch| 1 + count(&branch.next)).sum()
}

fn broken(why: &'static str) -> OrderLine {
    OrderLine::Broken(Unreadable { at: None, why: Sentence::new(why) })
}

/// The words of a line by steps: what stands between `if` and `then`, and what stands behind; `None` if it is not built like that.
fn path(words: &[&str]) -> Option<Vec<(Option<String>, String)>> {
    let mut steps: Vec<(Option<String>, String)> = Vec::new();
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        let ends_then = |word: &&str| is("orders-if", word) || is("orders-otherwise", word);
        let (condition, behind) = if is("orders-if", first) {
            let then = behind.iter().position(|word| is("orders-then", word))?;
            (Some(behind[..then].join(" ")), &behind[then + 1..])
        } else if is("orders-otherwise", first) {
            // `otherwise then pass` is as good.
            let skipped = usize::from(behind.first().is_some_and(|word| is("orders-then", word)));
            (None, &behind[skipped..])
        } else {
            return None;
        };
        let end = behind.iter().position(ends_then).unwrap_or(behind.len());
        steps.push((condition, behind[..end].join(" ")));
        rest = &behind[end..];
    }
    Some(steps)
}

/// The steps in notation; `None` if nothing in them is an action, as in a sentence.
fn read_path(
    path: &[(Option<String>, String)],
    reader: &dyn ReadLines,
) -> Result<Option<Vec<Step>>, Unreadable> {
    let mut is_notation = false;
    let mut failed = None;
    let mut read = |text: &str| -> Vec<String> {
        let parts = text.split(';').map(|part| part.trim().trim_end_matches(['.', ',', '!', ':']).trim());
        let mut actions = Vec::new();
        for part in parts.filter(|part| !part.is_empty()) {
            match reader.read(part) {
                LineReading::Action(text) => {
                    is_notation = true;
                    actions.push(reader.canonical(&text).unwrap_or(text));
                }
                LineReading::Broken(unreadable) => {
                    is_notation = true;
                    failed.get_or_insert(unreadable);
                }
                LineReading::Distant(unreadable) => {
                    failed.get_or_insert(unreadable);
                }
                LineReading::Other => {
                    failed.get_or_insert(Unreadable { at: None, why: Sentence::new("orders-not-notation") });
                }
            }
        }
        actions
    };
    let steps: Vec<Step> =
        path.iter().map(|(condition, then)| (condition.as_deref().map(&mut read), read(then))).collect();
    if !is_notation {
        return Ok(None);
    }
    let is_empty =
        |(condition, then): &Step| then.is_empty() || condition.as_ref().is_some_and(Vec::is_empty);
    match failed {
        Some(Unreadable { why, .. }) => Err(Unreadable { at: None, why }),
        None if steps.iter().any(is_empty) => {
            Err(Unreadable { at: None, why: Sentence::new("orders-not-complete") })
        }
        None => Ok(Some(steps)),
    }
}

fn write_branch(branch: &Branch, before: &str, language: Language, lines: &mut Vec<String>) {
    let then = branch.then.join("; ");
    let line = match &branch.condition {
        Some(condition) => {
            let (when, then_word) = (word("orders-if", language), word("orders-then", language));
            format!("{before}{when} {} {then_word} {then}", condition.join("; "))
        }
        None => format!("{before}{} {then}", word("orders-otherwise", language)),
    };
    if branch.next.is_empty() {
        lines.push(line);
        return;
    }
    for next in &branch.next {
        write_branch(next, &format!("{line} "), language, lines);
    }
}

/// The words of orders for later in all languages, each with its key.
static WORDS: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let keys = ["orders-if", "orders-then", "orders-otherwise", "orders-always", "orders-forced"];
    let words = |key: &'static str| {
        let said = Language::all().map(move |language| language.say(key));
        said.flat_map(|said| said.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>())
            .map(move |word| (key, word))
    };
    keys.into_iter().flat_map(words).collect()
});

/// The longest word that is compared, in bytes.
const MAX_WORD_BYTES: usize = 40;

/// Whether a word is one of `key` in some language, whatever its case and with a comma behind it.
fn is(key: &str, word: &str) -> bool {
    steps::count(1);
    let word = word.trim_end_matches([',', ':']);
    if word.len() > MAX_WORD_BYTES {
        return false;
    }
    let word = word.to_lowercase();
    WORDS.iter().any(|(of, known)| *of == key && *known == word)
}

/// The first word of `key` in a language.
fn word(key: &str, language: Language) -> String {
    language.say(key).split(',').next().unwrap_or_default().trim().to_owned()
}
