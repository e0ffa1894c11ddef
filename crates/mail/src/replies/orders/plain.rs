//! Strips a line of what people and programs put around an order.

use super::super::quoting::is_blank;
use pippost_games::letters::messages::steers;

/// The most characters that an answer repeats of a text that could not be read.
pub(super) const MAX_REPEATED_CHARS: usize = 80;

/// What stands before the items of lists, apart from signs that are stripped anyway.
const BULLETS: [&str; 7] = ["- ", "\u{2013} ", "\u{2014} ", "+ ", "-> ", "=> ", "> "];

/// The longest face made of signs, in characters.
const MAX_SMILEY_CHARS: usize = 4;

/// Whether a line is struck out, as people do in plain text: `~~store~~`.
pub(super) fn is_struck(line: &str) -> bool {
    line.len() > 2 && line.starts_with('~') && line.ends_with('~')
}

/// Whether the part is an exclamation or a word of closing in two letters, as `Ah!` and `As,`, which games of cards have cards for.
pub(super) fn is_exclamation(part: &str) -> bool {
    let letters = part.trim_end_matches(['!', ',']);
    letters.len() < part.len() && letters.chars().count() == 2 && letters.chars().all(char::is_alphabetic)
}

/// The line with each number folded.
pub(super) fn without_digits(line: &str) -> String {
    let parts = line.split(|sign: char| sign.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("0").to_lowercase()
}

/// Strips what people and programs put around a part: bullets, list numbers, quotation marks, emphasis, pictures of faces, full
/// stops.
pub(super) fn plain(part: &str) -> &str {
    // What notation uses stays: a letter, a digit, and the beginning of a number.
    let around = |character: char| {
        is_blank(character)
            || is_picture(character)
            || matches!(
                character,
                '"' | '\'' | '`' | '*' | '_' | '~' | '\u{ab}' | '\u{bb}' | '\u{2039}' | '\u{203a}'
            )
            || matches!(character, '\u{2018}'..='\u{201f}' | '\u{2022}' | '\u{b7}' | '\u{3008}'..='\u{3011}')
    };
    let mut plain = part;
    loop {
        let before = plain;
        plain = plain.trim_matches(around);
        plain = BULLETS.iter().find_map(|bullet| plain.strip_prefix(bullet)).unwrap_or(plain);
        plain = without_number(without_smiley(plain));
        // A lone "?" asks for help, so it stays.
        if plain.chars().any(char::is_alphanumeric) {
            plain = plain.trim_end_matches(['.', '!', ',', ':', '\u{2026}']);
            plain = without_parentheses(plain);
        }
        if plain == before {
            return plain;
        }
    }
}

/// Whether a character is a small picture, as of a face or a thumb; signs of cards are none.
fn is_picture(character: char) -> bool {
    let is_suit = matches!(character, '\u{2660}'..='\u{2667}' | '\u{1f0a0}'..='\u{1f0ff}');
    !is_suit
        && matches!(
            character,
            '\u{1f000}'..='\u{1faff}'
                | '\u{203c}'
                | '\u{2049}'
                | '\u{2190}'..='\u{21ff}'
                | '\u{2300}'..='\u{23ff}'
                | '\u{25a0}'..='\u{27bf}'
                | '\u{2b00}'..='\u{2bff}'
                | '\u{fe0e}'
                | '\u{fe0f}'
                | '\u{20e3}'
        )
}

/// The part without a face made of signs at its end, as `:-)` or `;D`, and without a heart, `<3`.
fn without_smiley(part: &str) -> &str {
    let Some((before, last)) = part.rsplit_once(char::is_whitespace) else { return part };
    let is_face =
        last.starts_with([':', ';', '=', '^', '<']) && (2..=MAX_SMILEY_CHARS).contains(&last.chars().count());
    if is_face { before } else { part }
}

/// The part without parentheses around all of it.
fn without_parentheses(part: &str) -> &str {
    let inner = part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(part)
}

/// Replaces the full-width letters, digits and signs of East Asian keyboards by the usual ones.
pub(super) fn narrow(line: &str) -> String {
    let usual = |character: char| match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character),
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{3002}' => '.',
        other => other,
    };
    line.chars().map(usual).collect()
}

/// The part without a last word of signs alone.
pub(super) fn without_last_sign(part: &str) -> Option<&str> {
    let (before, last) = part.rsplit_once(char::is_whitespace)?;
    (!last.chars().any(char::is_alphanumeric)).then(|| plain(before))
}

/// Strips a list number, as in `1. store`, `2) store` or `(3) store`.
fn without_number(part: &str) -> &str {
    let part = part
        .strip_prefix('(')
        .filter(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
        .unwrap_or(part);
    let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = part.len() - rest.len();
    match rest.strip_prefix(".)").or_else(|| rest.strip_prefix(['.', ')'])) {
        Some(rest) if (1..=2).contains(&digits) && rest.starts_with(' ') => rest.trim_start(),
        _ => part,
    }
}

/// A piece of a mail that is safe to repeat: one short line without control characters.
#[must_use]
pub fn harmless(text: &str) -> String {
    let kept: String =
        text.chars().filter(|character| !steers(*character)).take(MAX_REPEATED_CHARS).collect();
    if kept.len() < text.len() && kept.chars().count() == MAX_REPEATED_CHARS {
        format!("{kept}…")
    } else {
        kept
    }
}
