//! Titles of games and tournaments: plain text that their creators give them.

use crate::Games;
use crate::error::GameError;

/// The most characters of a title.
pub const MAX_TITLE_CHARS: usize = 60;

/// The member of requests that has it.
pub const FIELD: &str = "game_title";

/// Whether a character ends a line, shows nothing, turns the text around it, or cannot stand in XML.
#[must_use]
pub fn is_unseen(sign: char) -> bool {
    let turns = '\u{2028}'..='\u{202e}';
    let marks = ['\u{200b}', '\u{200e}', '\u{200f}', '\u{feff}'];
    sign.is_control()
        || turns.contains(&sign)
        || marks.contains(&sign)
        || matches!(sign, '\u{2060}'..='\u{206f}' | '\u{fff0}'..='\u{ffff}')
}

/// Blanks, and what joins letters and shows nothing without them.
#[must_use]
pub fn is_blank(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '\u{200c}' | '\u{200d}')
}

/// Whether a text is one line of characters that show, and no longer than a title.
#[must_use]
pub fn fits(text: &str) -> bool {
    !text.chars().any(is_unseen) && text.chars().count() <= MAX_TITLE_CHARS
}

/// The title without blanks around it, if it may be shown to everybody who sees the game; `None` if nothing is left.
pub(crate) fn checked(games: &Games, field: &'static str, title: &str) -> Result<Option<String>, GameError> {
    let refused = |why: &str| Err(GameError::InvalidValue { field, why: why.to_owned() });
    if title.chars().any(is_unseen) {
        return refused("one line of characters that show");
    }
    if title.chars().count() > MAX_TITLE_CHARS {
        return refused("at most 60 characters");
    }
    if games.inner.secret.is_token_in(title) {
        return refused("it holds a token that only you should know");
    }
    Ok(Some(title.trim_matches(is_blank)).filter(|title| !title.is_empty()).map(str::to_owned))
}
