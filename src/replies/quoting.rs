//! Finds the text that the sender of a mail wrote: without quotes, signatures and what programs add.
//!
//! Lists of words that programs use are never complete. The main evidence is [`OurMail`] and the form of headers, rules and
//! introductions in any language; the lists below only add to it.

use super::marks::{is_message_mark, is_signature_mark};
use super::our_mail::{OurMail, greets};

/// The most lines of the introduction of a quote, such as `On …, Ann <ann@example.org>` and `wrote:`.
const MAX_INTRODUCTION_LINES: usize = 4;

/// The longest introduction, in characters.
const MAX_INTRODUCTION_CHARS: usize = 300;

/// The fewest digits in an introduction with a date.
const DIGITS_OF_A_DATE: usize = 4;

/// Beginnings and endings of introductions that need no further evidence, such as an address or quote signs.
const INTRODUCTIONS: [(&str, &str); 12] = [
    ("on ", "wrote:"),
    ("am ", "schrieb:"),
    ("am ", "geschrieben:"),
    ("le ", "écrit :"),
    ("le ", "écrit:"),
    ("op ", "schreef:"),
    ("el ", "escribió:"),
    ("il ", "scritto:"),
    ("den ", "skrev:"),
    ("fra ", "skrev:"),
    ("em ", "escreveu:"),
    ("dnia ", "napisał(a):"),
];

/// Texts that begin a quoted or forwarded mail without a line of signs.
const BEGINNINGS: [&str; 2] = ["begin forwarded message:", "anfang der weitergeleiteten nachricht:"];

/// Programs and devices that add a line below a mail.
const PROGRAMS: [&str; 23] = [
    "iphone",
    "ipad",
    "android",
    "samsung",
    "galaxy",
    "huawei",
    "xiaomi",
    "blackberry",
    "outlook",
    "gmail",
    "yahoo",
    "proton mail",
    "protonmail",
    "thunderbird",
    "k-9",
    "fairemail",
    "mail.ru",
    "gmx",
    "web.de",
    "windows mail",
    "mail for windows",
    "mailspring",
    "airmail",
];

/// Beginnings of such lines that name no listed program.
const SENT_FROM: [&str; 10] = [
    "sent from my ",
    "sent from mail ",
    "sent using ",
    "von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "diese nachricht wurde von meinem ",
    "envoyé de mon ",
    "verstuurd vanaf mijn ",
    "enviado desde mi ",
];

/// The most letters of initials before the quote sign.
const MAX_INITIALS: usize = 4;

/// The fewest characters of a disclaimer: a paragraph about confidentiality that companies add.
const MIN_DISCLAIMER_CHARS: usize = 80;

/// Beginnings of words about confidentiality, in the languages of many companies.
const SECRECY: [&str; 11] = [
    "confidenti",
    "confidenc",
    "vertraulich",
    "vertrouwelijk",
    "riservat",
    "poufn",
    "konfidenti",
    "fortrolig",
    "luottamuks",
    "конфиденц",
    "機密",
];

/// The longest line that a program adds, in characters.
const MAX_PROGRAM_CHARS: usize = 100;

/// The longest label of a header, in characters.
const MAX_LABEL_CHARS: usize = 24;

/// The first line of a signed mail, and the line that ends its text (RFC 4880, 7).
const ARMOUR: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const ARMOUR_END: &str = "-----BEGIN PGP SIGNATURE-----";

/// The lines that the sender wrote, in order, without quotes and signatures; empty lines are kept.
#[must_use]
pub fn own_lines<'t>(text: &'t str, ours: &OurMail) -> Vec<&'t str> {
    let lines: Vec<&str> = text.lines().map(|line| line.trim_matches(is_blank)).collect();
    let mut own = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let rest = &lines[at..];
        if rest[0] == ARMOUR {
            at += rest.iter().position(|line| line.is_empty()).unwrap_or(rest.len());
        } else if ends_here(rest, &own) {
            break;
        } else if let Some(length) = introduction(rest, ours) {
            at += length;
            if !quoted_follows(&lines[at..]) {
                // The mail below is quoted without quote signs, so all of it is skipped.
                break;
            }
        } else if is_quoted(rest[0]) {
            at += 1;
        } else if let Some(length) = disclaimer(rest, &own) {
            at += length;
        } else if ours.begins(rest) && !is_message_mark(rest[0]) {
            leave_out_head(&mut own);
            break;
        } else {
            own.push(rest[0]);
            at += 1;
        }
    }
    own
}

pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || is_invisible(character) || matches!(character, '\u{200c}' | '\u{200d}')
}

/// Direction marks and zero-width characters, which programs put around names and addresses. Joiners stay, because some scripts
/// need them.
pub(super) fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}'
    )
}

fn is_quoted(line: &str) -> bool {
    line.starts_with('>') || line.starts_with('|') || line.starts_with("&gt;") || is_quoted_by_initials(line)
}

/// Whether the line is quoted with initials, as in `AE> store`.
fn is_quoted_by_initials(line: &str) -> bool {
    let initials = line.split('>').next().unwrap_or_default();
    initials.len() < line.len()
        && (1..=MAX_INITIALS).contains(&initials.len())
        && initials.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// Whether the first of `lines` ends the sender's own text.
fn ends_here(lines: &[&str], own: &[&str]) -> bool {
    let line = lines[0];
    let lower = line.to_lowercase();
    is_signature_mark(line)
        || line == ARMOUR_END
        || is_titled_rule(line)
        || BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
        || is_header_block(lines)
        || is_program_line(lines, own)
}

/// Whether the line is like `-----Original Message-----` in any language: words between two rows of signs, or after a long one.
fn is_titled_rule(line: &str) -> bool {
    let sign = |character: char| matches!(character, '-' | '_' | '=' | '*' | '\u{2010}'..='\u{2015}');
    let before = line.chars().take_while(|character| sign(*character)).count();
    let after = line.chars().rev().take_while(|character| sign(*character)).count();
    let words = line.chars().any(char::is_alphabetic);
    words && (before >= 3 && after >= 3 || before >= 8)
}

/// The length in lines of a disclaimer that begins here, if one does.
fn disclaimer(lines: &[&str], own: &[&str]) -> Option<usize> {
    let begins = own.last().is_none_or(|above| above.is_empty());
    let length = lines.iter().take_while(|line| !line.is_empty()).count();
    let text = lines[..length].join(" ").to_lowercase();
    let is_one =
        text.chars().count() >= MIN_DISCLAIMER_CHARS && SECRECY.iter().any(|word| text.contains(word));
    (begins && is_one).then_some(length)
}

/// Whether headers of a quote begin here, in any language: `Word: value` twice, and one of the values has a date or address.
fn is_header_block(lines: &[&str]) -> bool {
    let mut filled = lines.iter().filter(|line| !line.is_empty());
    let (Some(first), Some(second)) = (filled.next(), filled.next()) else { return false };
    let (Some(one), Some(other)) = (header_value(first), header_value(second)) else { return false };
    let names = |value: &str| value.contains('@') || digits(value) >= DIGITS_OF_A_DATE;
    !lines[0].is_empty() && (names(one) || names(other))
}

/// The value of a line that has the form of a header.
pub(super) fn header_value(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['*', '_', '|']);
    let (label, value) = line.split_once([':', '\u{ff1a}'])?;
    let label = label.trim_matches(['*', '_', ' ', '\u{a0}']);
    let is_label = (1..=MAX_LABEL_CHARS).contains(&label.chars().count())
        && label.split_whitespace().count() <= 3
        && label
            .chars()
            .all(|character| character.is_alphabetic() || matches!(character, ' ' | '-' | '.' | '\''));
    is_label.then_some(value.trim())
}

/// Whether the line was added by a program or device: alone in its paragraph, below another one, with a known name.
fn is_program_line(lines: &[&str], own: &[&str]) -> bool {
    let line = lines[0].trim_matches(['*', '_', '<', '>', '[', ']', ' ']).to_lowercase();
    if line.is_empty() || line.chars().count() > MAX_PROGRAM_CHARS {
        return false;
    }
    if SENT_FROM.iter().any(|beginning| line.starts_with(beginning)) {
        return true;
    }
    let alone =
        lines.get(1).is_none_or(|next| next.is_empty()) && own.last().is_some_and(|last| last.is_empty());
    let above = own.iter().rev().find(|line| !line.is_empty());
    let names = PROGRAMS.iter().any(|program| line.contains(program));
    let exclaims = line.ends_with(['!', '?']);
    alone && names && !exclaims && above.is_some_and(|above| !is_message_mark(above))
}

/// The number of lines of an introduction that begins here.
fn introduction(lines: &[&str], ours: &OurMail) -> Option<usize> {
    let mut text = String::new();
    for (index, line) in lines.iter().take(MAX_INTRODUCTION_LINES).enumerate() {
        if line.is_empty() || is_quoted(line) {
            return None;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&line.to_lowercase());
        if text.chars().count() > MAX_INTRODUCTION_CHARS {
            return None;
        }
        let follows = quoted_follows(&lines[index + 1..]);
        if introduces(&text, index == 0, follows, ours) {
            return Some(index + 1);
        }
    }
    None
}

/// A text of several lines must begin like a known introduction, or text of the sender above it would be lost.
fn introduces(text: &str, is_one_line: bool, quoted_follows: bool, ours: &OurMail) -> bool {
    let ends = text.ends_with(':') || text.ends_with('\u{ff1a}');
    let known =
        INTRODUCTIONS.iter().any(|(beginning, ending)| text.starts_with(beginning) && text.ends_with(ending));
    let dated = digits(text) >= DIGITS_OF_A_DATE;
    let short_ending = ["am ", "op "].iter().any(|beginning| text.starts_with(beginning)) && ends && dated;
    let wrote =
        [" wrote:", " schrieb:"].iter().any(|ending| text.ends_with(ending)) && (dated || text.contains('@'));
    let general = ends && (dated && (quoted_follows || text.contains('@')) || ours.is_named_in(text));
    known || short_ending || is_one_line && (wrote || general)
}

fn digits(text: &str) -> usize {
    text.chars().filter(|character| character.is_numeric()).count()
}

/// Whether the next non-empty line is quoted.
fn quoted_follows(lines: &[&str]) -> bool {
    lines.iter().find(|line| !line.is_empty()).is_some_and(|line| is_quoted(line))
}

/// Removes the head of the quote that follows `own`: the rest of its paragraph, headers, a date, the greeting.
fn leave_out_head(own: &mut Vec<&str>) {
    let filled_before = |own: &[&str], end: usize| own[..end].iter().any(|line| !line.is_empty());
    let paragraph = own.iter().rposition(|line| line.is_empty()).map_or(0, |blank| blank + 1);
    let is_whole =
        filled_before(own, paragraph) && !own[paragraph..].iter().any(|line| is_message_mark(line));
    let above_mark =
        own[..paragraph].iter().rfind(|line| !line.is_empty()).is_some_and(|line| is_message_mark(line));
    if is_whole && !above_mark {
        own.truncate(paragraph);
    }
    while own.last().is_some_and(|line| line.is_empty() || is_head(line)) {
        own.pop();
    }
}

fn is_head(line: &str) -> bool {
    greets(line)
        || line.ends_with('<')
        || header_value(line).is_some()
        || digits(line) >= 2 * DIGITS_OF_A_DATE
}

#[cfg(test)]
mod tests;
