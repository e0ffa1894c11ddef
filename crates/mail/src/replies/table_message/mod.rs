//! Reads the message to the other players from the lines below its mark.

use super::marks::is_message_mark;
use super::signature::{Names, is_signature};
use pippost_games::letters::steps;

/// The most words of a closing formula.
const MAX_CLOSING_WORDS: usize = 4;

/// Parts of the words that close a letter, in many languages.
const FORMULAS: [&str; 16] = [
    "regards",
    "sincerely",
    "grüß",
    "gruß",
    "gruss",
    "grüss",
    "groet",
    "hälsning",
    "hilsen",
    "cordialement",
    "saludos",
    "saluti",
    "pozdrowieni",
    "terveisin",
    "üdvözlettel",
    "уважением",
];

/// Words behind which a formula names somebody, as in `Grüße an Bob`. Nobody closes a letter so.
const TO_SOMEBODY: [&str; 9] = [" to ", " an ", " à ", " au ", " aan ", " a ", " al ", " till ", " til "];

/// The text below the mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Written {
    /// There is no mark.
    #[default]
    Nothing,
    /// There is a mark and no text of the sender below it.
    Empty,
    Message {
        text: String,
        /// More text stood below, which looks like a signature or a quote.
        cut: bool,
    },
    /// A signature that a program puts below every mail: name, company, phone number.
    Signature,
}

impl Written {
    /// A message without anything left out.
    #[must_use]
    pub fn message(text: &str) -> Self {
        Self::Message { text: text.to_owned(), cut: false }
    }
}

/// Reads the lines below the mark.
pub fn read(lines: &[&str], names: &Names) -> Written {
    steps::count(lines.iter().map(|line| line.len() + 1).sum());
    let end = lines.iter().position(|line| is_message_mark(line)).unwrap_or(lines.len());
    let below = lines[end..].iter().any(|line| !line.is_empty() && !is_message_mark(line));
    let paragraphs: Vec<&[&str]> =
        lines[..end].split(|line| line.is_empty()).filter(|paragraph| !paragraph.is_empty()).collect();
    let Some((first, rest)) = paragraphs.split_first() else { return Written::Empty };
    if is_signature(first, names, true) {
        return Written::Signature;
    }
    let told = rest.iter().take_while(|paragraph| !is_signature(paragraph, names, false)).count();
    if is_formula(first[0]) && paragraphs[..=told].iter().all(|paragraph| is_farewell(paragraph, names)) {
        return Written::Signature;
    }
    let mut kept: Vec<&[&str]> = paragraphs[..=told].to_vec();
    leave_out_closing(&mut kept, names);
    let cut = below || rest[told..].iter().any(|paragraph| !is_farewell(paragraph, names));
    let kept: Vec<String> = kept.into_iter().map(|paragraph| paragraph.join("\n")).collect();
    Written::Message { text: kept.join("\n\n"), cut }
}

/// Removes the sender's name and a closing formula such as `Kind regards,` from the end of a message.
fn leave_out_closing(kept: &mut Vec<&[&str]>, names: &Names) {
    while let Some((last, above)) = kept.last().and_then(|paragraph| paragraph.split_last()) {
        let is_only_line = kept.len() == 1 && above.is_empty();
        if is_only_line || !(is_closing(last) || is_formula(last) || names.are(last)) {
            return;
        }
        let at = kept.len() - 1;
        if above.is_empty() {
            kept.truncate(at);
        } else {
            kept[at] = above;
        }
    }
}

/// Whether the line is a few words and a comma, in any language.
pub(super) fn is_closing(line: &str) -> bool {
    line.ends_with([',', '\u{ff0c}', '\u{3001}']) && line.split_whitespace().count() <= MAX_CLOSING_WORDS
}

/// Whether the line is a common closing formula, such as `Kind regards`, with or without a comma.
/// Some write it in two languages, with a stroke between them.
fn is_formula(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_one = |part: &str| {
        part.split_whitespace().count() <= MAX_CLOSING_WORDS
            && FORMULAS.iter().any(|word| part.contains(word))
    };
    let greets_somebody = TO_SOMEBODY.iter().any(|word| lower.contains(word));
    !line.ends_with(['!', '?']) && !greets_somebody && lower.split(['/', '|']).all(is_one)
}

/// Whether a paragraph has only the sender's name and a closing formula, which nobody misses.
fn is_farewell(paragraph: &[&str], names: &Names) -> bool {
    paragraph.iter().all(|line| is_farewell_line(line, names))
}

/// Whether a line is only the sender's name or a closing formula.
pub(super) fn is_farewell_line(line: &str, names: &Names) -> bool {
    is_closing(line) || is_formula(line) || names.are(line)
}

#[cfg(test)]
mod tests;
