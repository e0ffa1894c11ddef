//! Classifies lines of text in a game: an action, an attempt at one, or something else.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

use strsim::damerau_levenshtein;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{meaning, steps};
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::memory::version_check;
use crate::playing::preview::written;
use pippost_language::Language;
use pippost_record::rules::{self, Position, Sentence, Unreadable};
use pippost_store::Seq;

/// Shorter words are not matched approximately, in characters.
const MIN_LIKE_CHARS: usize = 4;

/// Words of at least so many characters may have two wrong letters, shorter ones one.
const MIN_CHARS_FOR_TWO: usize = 7;

/// The most bytes of a sign.
const MAX_CHAR_BYTES: usize = 4;

/// A line of at least so many words may be a sentence.
const MIN_SENTENCE_WORDS: usize = 3;

/// A first word of a letter and at most so many digits looks like notation.
const MAX_NOTATION_DIGITS: usize = 2;

/// The class of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineReading {
    /// An action in notation. The rules decide whether it is legal when it is played.
    Action(String),
    /// It is nearly an action; the reason is for the player.
    Broken(Unreadable),
    /// It begins with the whole word of an action and goes on like no action: `store please`, `Take care`.
    Distant(Unreadable),
    /// Something else.
    Other,
}

/// Reads lines by the rules of a game.
pub trait ReadLines {
    fn read(&self, line: &str) -> LineReading;

    /// Whether it is an answer that can be given in advance, as in `occupy all`.
    fn is_advance_answer(&self, _text: &str) -> bool {
        false
    }

    /// The one legal action that a line may mean which cannot be read; it must be asked about.
    fn meant(&self, _line: &str) -> Option<String> {
        None
    }

    /// What a line names in notation among other words, as far as it is understood, whether it is legal or not.
    fn named(&self, _line: &str) -> Vec<String> {
        Vec::new()
    }

    /// Whether a line that is nearly an action has words that belong to none, as in `c6 n9 instead`.
    fn has_other_words(&self, _line: &str) -> bool {
        false
    }

    /// How the record of the game writes this action; `None` if it cannot be read.
    fn canonical(&self, _action: &str) -> Option<String> {
        None
    }
}

impl<F: Fn(&str) -> LineReading> ReadLines for F {
    fn read(&self, line: &str) -> LineReading {
        self(line)
    }
}

/// Classifies lines by the rules of one game.
#[derive(Clone)]
pub struct LineReader {
    live: Arc<LiveGame>,
    /// An incomplete action is recognised for the seat to act only, because it may depend on hidden cards.
    is_asked: bool,
    words: OnceLock<LegalWords>,
}

/// The legal actions of a position in notation, and the words that they begin with in notation and in all languages.
#[derive(Clone, Debug, Default)]
struct LegalWords {
    actions: Vec<String>,
    first_words: Vec<String>,
}

/// The words of all languages for the actions of each rule set, each with its notation.
static SPOKEN: LazyLock<HashMap<&str, Vec<(String, String)>>> =
    LazyLock::new(|| rules::all().map(|rules| (rules.name(), spoken_in(rules.name()))).collect());

/// A reader of a player's orders in a game; `None` if it has not started.
///
/// # Errors
/// The database failed.
pub async fn line_reader(
    games: &Games,
    game_id: Uuid,
    player_id: Uuid,
) -> Result<Option<LineReader>, GameError> {
    let reader = |live: Arc<LiveGame>| {
        let is_asked = live.to_act_player() == Some(player_id);
        LineReader { live, is_asked, words: OnceLock::new() }
    };
    Ok(version_check::current(games, game_id).await?.map(reader))
}

impl LineReader {
    /// The newest event of the game.
    #[must_use]
    pub fn seq(&self) -> Seq {
        self.live.seq()
    }

    /// The time of the newest event.
    #[must_use]
    pub fn changed_at(&self) -> OffsetDateTime {
        self.live.chronicle.at().get()
    }
}

impl ReadLines for LineReader {
    fn read(&self, line: &str) -> LineReading {
        let position = self.live.chronicle.table().position();
        let rules = self.live.fixed.rules.name();
        read_with(position, rules, line, self.is_asked, &|| {
            self.words.get_or_init(|| LegalWords::of(position, rules))
        })
    }

    fn is_advance_answer(&self, text: &str) -> bool {
        self.live.fixed.rules.is_advance_answer(text)
    }

    fn meant(&self, line: &str) -> Option<String> {
        let (position, rules) = (self.live.chronicle.table().position(), self.live.fixed.rules.name());
        let words = || self.words.get_or_init(|| LegalWords::of(position, rules));
        let is_asked = self.is_asked;
        is_asked.then(|| meaning::meant(line, &words().actions, spoken(rules)).map(str::to_owned)).flatten()
    }

    fn named(&self, line: &str) -> Vec<String> {
        meaning::named(line, self.live.chronicle.table().position())
    }

    fn has_other_words(&self, line: &str) -> bool {
        let (position, rules) = (self.live.chronicle.table().position(), self.live.fixed.rules.name());
        let words = self.words.get_or_init(|| LegalWords::of(position, rules));
        meaning::has_other_words(line, &words.first_words)
    }

    fn canonical(&self, action: &str) -> Option<String> {
        let position = self.live.chronicle.table().position();
        position.write(&position.read(action).ok()?)
    }
}

/// The class of `line` at `position` of a game of the rule set `rules`; `is_asked` for the seat to act.
pub fn read(position: &dyn Position, rules: &str, line: &str, is_asked: bool) -> LineReading {
    let words = OnceLock::new();
    read_with(position, rules, line, is_asked, &|| words.get_or_init(|| LegalWords::of(position, rules)))
}

/// The one action that `line` may mean at `position` for the seat to act.
pub fn meant(position: &dyn Position, rules: &str, line: &str) -> Option<String> {
    meaning::meant(line, &written(position), spoken(rules)).map(str::to_owned)
}

/// What `line` names in notation among other words at `position`, whether it is legal or not.
pub fn named(position: &dyn Position, line: &str) -> Vec<String> {
    meaning::named(line, position)
}

/// Whether a line that is nearly an action of the rule set has words that belong to none.
pub fn has_other_words(position: &dyn Position, rules: &str, line: &str) -> bool {
    meaning::has_other_words(line, &LegalWords::of(position, rules).first_words)
}

fn read_with<'a>(
    position: &dyn Position,
    rules: &str,
    line: &str,
    is_asked: bool,
    words: &dyn Fn() -> &'a LegalWords,
) -> LineReading {
    steps::count(line.len());
    let text = in_notation(rules, line);
    let unreadable = match position.read(&text) {
        Ok(_) => return LineReading::Action(text),
        // The refusal lists the possible completions.
        Err(_) if is_asked && position.meant(&text).is_some() => return LineReading::Action(text),
        Err(unreadable) => unreadable,
    };
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let words = words();
    let is_word = words.first_words.contains(&first);
    let is_near = is_notation(&first, words)
        || !is_word && is_misspelt(position, &text, &first, words)
        // Which cards another player may play is nobody else's business.
        || is_asked && words.actions.iter().any(|action| is_one_edit(&text, action));
    // Nothing is legal that begins so, whatever would have to follow.
    let is_lost = unreadable.at == Some(0) || !words.first_words.iter().any(|word| word.starts_with(&first));
    let unreadable = match words.expected() {
        // What the rules expect does not depend on the position; what is legal does.
        Some(why) if is_asked && is_lost => Unreadable { why, at: Some(0) },
        _ => unreadable,
    };
    if is_near {
        LineReading::Broken(unreadable)
    } else if !first.contains(|sign: char| sign.is_ascii_digit()) && is_word_of_action(position, &first) {
        LineReading::Distant(unreadable)
    } else {
        LineReading::Other
    }
}

/// Translates the line's first word to notation if it is a word for an action in some language: `passe` is `pass`.
fn in_notation(rules: &str, line: &str) -> String {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let first = first.to_lowercase();
    let found = spoken(rules).iter().find(|(word, _)| *word == first);
    found.map_or_else(|| line.to_owned(), |(_, notation)| format!("{notation} {rest}").trim_end().to_owned())
}

/// The words of all languages for the actions of a rule set, each with its notation.
fn spoken(rules: &str) -> &'static [(String, String)] {
    SPOKEN.get(rules).map(Vec::as_slice).unwrap_or_default()
}

fn spoken_in(rules: &str) -> Vec<(String, String)> {
    let pairs = |language: Language| {
        let text = language.say(&format!("{rules}-orders"));
        let pair = |pair: &str| {
            let (word, notation) = pair.split_once(':')?;
            Some((word.trim().to_lowercase(), notation.trim().to_owned()))
        };
        text.split(';').filter_map(pair).collect::<Vec<_>>()
    };
    Language::all().flat_map(pairs).collect()
}

impl LegalWords {
    fn of(position: &dyn Position, rules: &str) -> Self {
        let actions = written(position);
        let legal = actions.iter().filter_map(|text| text.split(' ').next().map(str::to_owned));
        let mut first_words: Vec<String> =
            legal.chain(spoken(rules).iter().map(|(word, _)| word.clone())).collect();
        first_words.sort_unstable();
        first_words.dedup();
        Self { actions, first_words }
    }

    /// Two legal actions, as unlike each other as there are.
    fn expected(&self) -> Option<Sentence> {
        let first = self.actions.first()?;
        let kind = |action: &str| shape(action.split(' ').next().unwrap_or_default());
        let other = self.actions.iter().find(|action| kind(action) != kind(first)).or(self.actions.get(1));
        Some(match other {
            Some(other) => {
                Sentence::new("answer-expected").text("first", first.clone()).text("second", other.clone())
            }
            None => Sentence::new("answer-expected-one").text("first", first.clone()),
        })
    }
}

/// Whether the line `text` begins with a misspelt word of an action. A sentence may begin like that too, so a longer line must be
/// an action but for that word, or hold a number, as notation does.
fn is_misspelt(position: &dyn Position, text: &str, first: &str, words: &LegalWords) -> bool {
    let rest = text.get(first.len()..).unwrap_or_default();
    let may_be_sentence = text.split_whitespace().count() >= MIN_SENTENCE_WORDS
        && !rest.contains(|sign: char| sign.is_ascii_digit());
    let means = |word: &String| {
        is_like(first, word) && (!may_be_sentence || position.read(&format!("{word}{rest}")).is_ok())
    };
    words.first_words.iter().any(means)
}

/// Whether a word alone is an action, or the beginning of one.
fn is_word_of_action(position: &dyn Position, word: &str) -> bool {
    let chars = word.chars().count();
    chars >= 2
        && position.read(word).err().is_none_or(|unreadable| unreadable.at.is_some_and(|at| at >= chars))
}

/// Whether a word is built like the notation of a place, or like one that is legal now. `24h`, `2nd` and `B2B` are not.
fn is_notation(word: &str, words: &LegalWords) -> bool {
    let digits = word.strip_prefix(|first: char| first.is_ascii_alphabetic()).unwrap_or_default();
    let is_place = (1..=MAX_NOTATION_DIGITS).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    let has_digit = word.contains(|sign: char| sign.is_ascii_digit());
    is_place || has_digit && words.first_words.iter().any(|legal| shape(legal) == shape(word))
}

/// The form of a word: each digit as `9`, each letter of notation as `a`, whole words as themselves.
fn shape(word: &str) -> String {
    let with_digit = word.contains(|sign: char| sign.is_ascii_digit());
    let sign = |sign: char| match sign {
        '0'..='9' => '9',
        letter if with_digit && letter.is_alphabetic() => 'a',
        other => other,
    };
    word.chars().map(sign).collect()
}

/// Whether a text is an action but for one edit: a sign too many, too few, wrong, or changed with the next one.
fn is_one_edit(text: &str, action: &str) -> bool {
    if action.chars().count() < MIN_LIKE_CHARS || text.len().abs_diff(action.len()) > 2 {
        return false;
    }
    steps::count(action.len());
    let signs = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
    let (text, action) = (signs(text), signs(action));
    let before = text.iter().zip(&action).take_while(|(one, other)| one == other).count();
    let (text, action) = (&text[before..], &action[before..]);
    let after = text.iter().rev().zip(action.iter().rev()).take_while(|(one, other)| one == other).count();
    match (&text[..text.len() - after], &action[..action.len() - after]) {
        ([first, second], [other_first, other_second]) => first == other_second && second == other_first,
        (text, action) => text.len() <= 1 && action.len() <= 1,
    }
}

/// Whether `given` may be a misspelling of `word`.
#[must_use]
pub fn is_like(given: &str, word: &str) -> bool {
    // Lengths in bytes are found at once; a sign has at most four.
    if given == word || given.len().abs_diff(word.len()) > 2 * MAX_CHAR_BYTES {
        return false;
    }
    let shorter = given.chars().count().min(word.chars().count());
    let wrong = if shorter >= MIN_CHARS_FOR_TWO { 2 } else { 1 };
    steps::count(word.len());
    shorter >= MIN_LIKE_CHARS && damerau_levenshtein(given, word) <= wrong
}
