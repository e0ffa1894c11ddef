//! Finds the one legal action that a line may mean, as in `I'd like to store the die please`. It is asked about and never played.

use pippost_record::rules::Position;

use super::steps;

/// The most words of a line that may mean an action.
pub const MAX_WORDS: usize = 24;

/// The most words and characters of an action in notation.
const MAX_ACTION_WORDS: usize = 6;
const MAX_ACTION_CHARS: usize = 60;

/// The fewest characters of an action without a digit that is looked for in prose: `ah` is a card, and an exclamation.
const MIN_ACTION_CHARS: usize = 3;

/// Words between the parts of an action, as in `deploy 3 to d4`.
const BETWEEN: [&str; 14] =
    ["to", "on", "at", "in", "into", "onto", "from", "with", "and", "auf", "nach", "von", "mit", "und"];

/// How well a line fits an action: by the words that both have, and whether they stand in the same order.
type Fit = (usize, bool);

/// The one of `actions` that `line` may mean; `None` if none or several fit. `spoken` has the words of all languages for actions.
pub fn meant<'a>(line: &str, actions: &'a [String], spoken: &[(String, String)]) -> Option<&'a str> {
    let words: Vec<String> =
        words_of(line).take(MAX_WORDS + 1).map(|word| in_notation(word, spoken)).collect();
    if words.is_empty() || words.len() > MAX_WORDS {
        return None;
    }
    best(actions, |action| fit_whole(action, &words))
        .or_else(|| best(actions, |action| fit_rest(action, &words)))
}

/// What `line` names in notation among other words, as far as the rules understand it, whether it is legal or not: `c6 n` of
/// `Make that c6 n9`.
pub fn named(line: &str, position: &dyn Position) -> Vec<String> {
    let words: Vec<String> = words_of(line).take(MAX_WORDS).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let end = words.len().min(at + MAX_ACTION_WORDS);
        let understood = understood(position, &words[at..end].join(" "));
        at += understood.as_ref().map_or(1, |text| text.split(' ').count());
        found.extend(understood);
    }
    found
}

/// The beginning of `text` that the rules understand, if it looks like an order rather than prose: a whole action, or more than the
/// name of a place or a card.
fn understood(position: &dyn Position, text: &str) -> Option<String> {
    let chars = text.chars().count();
    if chars > MAX_ACTION_CHARS {
        return None;
    }
    steps::count(text.len());
    let read = position.read(text);
    let end = read.as_ref().map_or_else(|unreadable| unreadable.at, |_| Some(chars))?;
    let understood = text.chars().take(end).collect::<String>().trim().to_owned();
    let is_name = |word: &str| {
        let has = |is: fn(&char) -> bool| word.chars().any(|sign| is(&sign));
        text.split(' ').any(|whole| whole == word)
            && has(|sign| sign.is_alphabetic())
            && has(char::is_ascii_digit)
    };
    let names = understood.split(' ').any(is_name);
    let is_action = || position.read(&understood).is_ok();
    let is_order = if names {
        understood.contains(' ') || is_action()
    } else {
        read.is_ok() && chars >= MIN_ACTION_CHARS
    };
    is_order.then_some(understood)
}

/// Whether a line that begins like an action in notation has words that belong to none, as in `c6 n9 instead`. Orders for later begin
/// otherwise.
pub fn has_other_words(line: &str, first_words: &[String]) -> bool {
    let has_digit = |text: &str| text.contains(|sign: char| sign.is_ascii_digit());
    let is_other = |word: String| {
        word.chars().count() >= MIN_ACTION_CHARS
            && word.chars().all(char::is_alphabetic)
            && !first_words.contains(&word)
            && !BETWEEN.contains(&word.as_str())
    };
    let mut words = words_of(line).take(MAX_WORDS);
    let begins = words.next().is_some_and(|first| has_digit(&first) || first_words.contains(&first));
    begins && has_digit(line) && words.any(is_other)
}

/// The action that fits best, if no other fits as well or with other words: `store or c6 n1` names two.
fn best(actions: &[String], fit: impl Fn(&[String]) -> Option<Fit>) -> Option<&str> {
    let mut found: Vec<(Fit, &str, Vec<String>)> = Vec::new();
    for action in actions {
        steps::count(action.len());
        let parts: Vec<String> = words_of(action).collect();
        if let Some(fits) = fit(&parts) {
            found.push((fits, action.as_str(), parts));
        }
    }
    let (most, action, words) = found.iter().max_by_key(|(fits, ..)| *fits)?;
    let is_part = |parts: &[String]| parts.iter().all(|word| words.contains(word));
    let mut others = found.iter().filter(|(_, other, _)| other != action);
    others.all(|(fits, _, parts)| fits < most && is_part(parts)).then_some(*action)
}

/// Whether all words of an action stand in the line.
fn fit_whole(action: &[String], words: &[String]) -> Option<Fit> {
    let mut left: Vec<&String> = words.iter().collect();
    for word in action {
        let at = left.iter().position(|other| *other == word)?;
        left.remove(at);
    }
    let mut rest = words.iter();
    let is_in_order = action.iter().all(|word| rest.any(|other| other == word));
    (!action.is_empty()).then_some((action.len(), is_in_order))
}

/// Whether the line is an action without its verb, as in `a4 1`.
fn fit_rest(action: &[String], words: &[String]) -> Option<Fit> {
    let (verb, rest) = action.split_first()?;
    let is_verb = verb.chars().count() > 1 && verb.chars().all(char::is_alphabetic);
    let said: Vec<String> = words.iter().filter(|word| !BETWEEN.contains(&word.as_str())).cloned().collect();
    let fits = is_verb && !rest.is_empty() && said.len() == rest.len();
    if fits { fit_whole(rest, &said) } else { None }
}

fn in_notation(word: String, spoken: &[(String, String)]) -> String {
    spoken.iter().find(|(said, _)| *said == word).map_or(word, |(_, notation)| notation.clone())
}

/// The words of a text in lower case, without signs between and around them.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let is_between = |sign: char| {
        sign.is_whitespace()
            || sign.is_ascii_punctuation() && !matches!(sign, '+' | '*' | '\'')
            || matches!(sign, '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '\u{2190}'..='\u{21ff}' | '\u{2212}' | '\u{ab}' | '\u{bb}')
    };
    let words =
        text.split(is_between).map(|word| word.trim_matches(['\'', '*'])).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}
