//! Classifies lines of text in a game: an action, an attempt at one, or something else.

use std::sync::Arc;

use strsim::damerau_levenshtein;
use uuid::Uuid;

use crate::games::Games;
use crate::games::error::GameError;
use crate::games::memory::live::LiveGame;
use crate::games::memory::version_check;
use crate::games::playing::preview::written;
use crate::language::Language;
use crate::rules::{Position, Unreadable};

/// Shorter words are not matched approximately, in characters.
const MIN_LIKE_CHARS: usize = 4;

/// Words of at least so many characters may have two wrong letters, shorter ones one.
const MIN_CHARS_FOR_TWO: usize = 7;

/// A first word with a letter, a digit and at most so many characters looks like notation.
const MAX_NOTATION_WORD_CHARS: usize = 4;

/// The class of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineReading {
    /// An action in notation. The rules decide whether it is legal when it is played.
    Action(String),
    /// It begins like an action and is none; the reason is for the player.
    Broken(Unreadable),
    /// Something else.
    Other,
}

/// Classifies lines by the rules of one game.
#[derive(Clone)]
pub struct LineReader {
    live: Arc<LiveGame>,
    /// An incomplete action is recognised for the seat to act only, because it may depend on hidden cards.
    is_asked: bool,
}

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
        LineReader { live, is_asked }
    };
    Ok(version_check::current(games, game_id).await?.map(reader))
}

impl LineReader {
    #[must_use]
    pub fn read(&self, line: &str) -> LineReading {
        let position = self.live.chronicle.table().position();
        read(position, self.live.fixed.rules.name(), line, self.is_asked)
    }
}

/// The class of `line` at `position` of a game of the rule set `rules`; `is_asked` for the seat to act.
pub fn read(position: &dyn Position, rules: &str, line: &str, is_asked: bool) -> LineReading {
    let text = in_notation(rules, line);
    match position.read(&text) {
        Ok(_) => LineReading::Action(text),
        // The refusal lists the possible completions.
        Err(_) if is_asked && position.meant(&text).is_some() => LineReading::Action(text),
        Err(unreadable) if is_meant(position, rules, &text) => LineReading::Broken(unreadable),
        Err(_) => LineReading::Other,
    }
}

/// Translates the line's first word to notation if it is a word for an action in some language: `passe` is `pass`.
fn in_notation(rules: &str, line: &str) -> String {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let first = first.to_lowercase();
    let found = spoken(rules).into_iter().find(|(word, _)| *word == first);
    found.map_or_else(|| line.to_owned(), |(_, notation)| format!("{notation} {rest}").trim_end().to_owned())
}

/// The words of all languages for the actions of a rule set, each with its notation.
fn spoken(rules: &str) -> Vec<(String, String)> {
    let pairs = |language: Language| {
        let text = language.say(&format!("{rules}-orders"));
        let pair = |pair: &str| {
            let (word, notation) = pair.split_once(':')?;
            Some((word.trim().to_lowercase(), notation.trim().to_owned()))
        };
        text.split(';').filter_map(pair).collect::<Vec<_>>()
    };
    Language::ALL.into_iter().flat_map(pairs).collect()
}

/// Whether an unreadable line was meant as an action: its first word is one, resembles one, or is built like notation.
fn is_meant(position: &dyn Position, rules: &str, text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let chars = first.chars().count();
    // Alone it is an action, or the beginning of one.
    let is_read = chars >= 2
        && position.read(&first).err().is_none_or(|unreadable| unreadable.at.is_some_and(|at| at >= chars));
    let is_notation = chars <= MAX_NOTATION_WORD_CHARS
        && first.contains(|digit: char| digit.is_ascii_digit())
        && first.contains(|letter: char| letter.is_ascii_alphabetic());
    is_read || is_notation || keywords(position, rules).iter().any(|word| is_like(&first, word))
}

/// The first words of the legal actions, in notation and in all languages.
fn keywords(position: &dyn Position, rules: &str) -> Vec<String> {
    let legal = written(position).into_iter().filter_map(|text| text.split(' ').next().map(str::to_owned));
    let mut words: Vec<String> = legal.chain(spoken(rules).into_iter().map(|(word, _)| word)).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether `given` may be a misspelling of `word`.
#[must_use]
pub fn is_like(given: &str, word: &str) -> bool {
    let shorter = given.chars().count().min(word.chars().count());
    let wrong = if shorter >= MIN_CHARS_FOR_TWO { 2 } else { 1 };
    shorter >= MIN_LIKE_CHARS && given != word && damerau_levenshtein(given, word) <= wrong
}
