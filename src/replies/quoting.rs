//! Finds the text that the sender of a mail wrote: without quotes, signatures and what programs add.
//!
//! Lists of words that programs use are never complete. The main evidence is [`OurMail`] and the form of headers, rules and
//! introductions in any language; the lists below only add to it.

use super::headers::{self, DIGITS_OF_A_DATE, Headers, digits, header_block};
use super::marks::{is_message_mark, is_signature_mark};
use super::our_mail::{OurMail, greets, is_short};

/// The most lines of the introduction of a quote, such as `On …, Ann <ann@example.org>` and `wrote:`.
const MAX_INTRODUCTION_LINES: usize = 4;

/// The longest introduction, in characters.
const MAX_INTRODUCTION_CHARS: usize = 300;

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

/// Words of introductions that name no date.
const WRITTEN: [&str; 10] = [
    " wrote",
    " writes",
    " schrieb ",
    " schreef ",
    " skrev",
    " écrit",
    " escribió",
    " scritto",
    " escreveu",
    " napisał",
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

/// How programs write a picture as text.
const PICTURES: [&str; 4] = ["[cid:", "<cid:", "[image", "[bild"];

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

/// The first line of a signed mail, and the line that ends its text (RFC 4880, 7).
const ARMOUR: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const ARMOUR_END: &str = "-----BEGIN PGP SIGNATURE-----";

/// What a signed text puts before lines that begin with a dash (RFC 4880, 7.1).
const ESCAPE: &str = "- ";

/// The most lines of a mail that are read.
const MAX_LINES: usize = 8000;

/// The text that the sender of a mail wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own<'t> {
    /// The lines in order; empty lines are kept.
    pub lines: Vec<&'t str>,
    /// The lines end at a form that programs give to quotes and signatures, but nothing below is known to be ours: it could be
    /// the sender's own.
    pub doubtful: bool,
}

/// The lines that the player `handle` wrote, without quotes and signatures.
#[must_use]
pub fn own_lines<'t>(text: &'t str, ours: &OurMail, handle: &str) -> Own<'t> {
    let lines = unescaped(text.lines().take(MAX_LINES).map(|line| line.trim_matches(is_blank)).collect());
    // Whether a mail of ours is quoted below tells quotes from text that only looks like one.
    let last_of_ours = (0..lines.len()).rev().find(|at| ours.begins(&lines[*at..], handle));
    let mut own = Vec::new();
    let mut doubtful = false;
    let mut at = 0;
    while at < lines.len() {
        let rest = &lines[at..];
        let is_ours_below = last_of_ours.is_some_and(|last| last > at);
        if rest[0] == ARMOUR {
            at += rest.iter().position(|line| line.is_empty()).unwrap_or(rest.len());
        } else if let Some(end) = ends_here(rest, &own, is_ours_below) {
            doubtful = end == End::Guessed || end == End::Likely && !is_ours_below && rest.len() > 1;
            break;
        } else if let Some(length) = introduction(rest, ours) {
            at += length;
            if !quoted_follows(&lines[at..]) {
                // The mail below is quoted without quote signs, so all of it is skipped.
                doubtful = !is_ours_below && lines[at..].iter().any(|line| !line.is_empty());
                break;
            }
        } else if is_quoted(rest[0]) {
            at += 1;
        } else if let Some(length) = disclaimer(rest, &own) {
            at += length;
        } else if ours.begins(rest, handle) && !is_message_mark(rest[0]) {
            leave_out_head(&mut own, ours.is_greeting(rest, handle));
            break;
        } else {
            own.push(rest[0]);
            at += 1;
        }
    }
    Own { lines: own, doubtful }
}

/// Takes the escapes of a signed text away, which else look like marks: a signature's `- -- ` reads like `---`.
fn unescaped(mut lines: Vec<&str>) -> Vec<&str> {
    let Some(begin) = lines.iter().position(|line| *line == ARMOUR) else { return lines };
    let end = lines.iter().rposition(|line| *line == ARMOUR_END).unwrap_or(lines.len());
    for line in lines.iter_mut().take(end).skip(begin) {
        // The space of a lone dash has been trimmed.
        *line = line.strip_prefix(ESCAPE).unwrap_or(line).trim_start();
    }
    lines
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

/// How surely the sender's own text ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At a mark or a line that only programs write.
    Certain,
    /// At a form that people may write too, but rarely do above a mail of ours.
    Likely,
    /// At a form that people write as often.
    Guessed,
}

/// Whether the first of `lines` ends the sender's own text.
fn ends_here(lines: &[&str], own: &[&str], is_ours_below: bool) -> Option<End> {
    let line = lines[0];
    let lower = line.to_lowercase();
    if is_signature_mark(line) || line == ARMOUR_END || is_sent_from(line) {
        return Some(End::Certain);
    }
    let headers = header_block(lines, is_ours_below);
    if headers == Some(Headers::Likely) {
        return Some(End::Guessed);
    }
    let likely = headers.is_some()
        || is_titled_rule(line)
        || BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
        || is_program_line(lines, own);
    likely.then_some(End::Likely)
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

fn without_signs(line: &str) -> String {
    line.trim_matches(['*', '_', '<', '>', '[', ']', ' ']).to_lowercase()
}

fn is_sent_from(line: &str) -> bool {
    let line = without_signs(line);
    line.chars().count() <= MAX_PROGRAM_CHARS && SENT_FROM.iter().any(|beginning| line.starts_with(beginning))
}

/// Whether the line was added by a program or device: alone in its paragraph, below another one, with a known name.
fn is_program_line(lines: &[&str], own: &[&str]) -> bool {
    let line = without_signs(lines[0]);
    if line.is_empty() || line.chars().count() > MAX_PROGRAM_CHARS {
        return false;
    }
    let alone =
        lines.get(1).is_none_or(|next| next.is_empty()) && own.last().is_some_and(|last| last.is_empty());
    let is_below = own.iter().any(|line| !line.is_empty());
    let names = PROGRAMS.iter().any(|program| line.contains(program));
    let exclaims = line.ends_with(['!', '?']);
    alone && names && !exclaims && is_below
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
    let verb = ends && quoted_follows && WRITTEN.iter().any(|verb| text.contains(verb));
    known || short_ending || is_one_line && (wrote || general || verb)
}

/// Whether the next non-empty line is quoted.
fn quoted_follows(lines: &[&str]) -> bool {
    lines.iter().find(|line| !line.is_empty()).is_some_and(|line| is_quoted(line))
}

/// Removes the head of the quote that follows `own`: the rest of its paragraph, headers, a date, the greeting. A quote that begins
/// with its greeting is whole, so the paragraph above is the sender's.
fn leave_out_head(own: &mut Vec<&str>, at_greeting: bool) {
    let filled_before = |own: &[&str], end: usize| own[..end].iter().any(|line| !line.is_empty());
    let paragraph = own.iter().rposition(|line| line.is_empty()).map_or(0, |blank| blank + 1);
    let is_whole =
        filled_before(own, paragraph) && !own[paragraph..].iter().any(|line| is_message_mark(line));
    let above_mark =
        own[..paragraph].iter().rfind(|line| !line.is_empty()).is_some_and(|line| is_message_mark(line));
    if is_whole && !above_mark && !at_greeting {
        own.truncate(paragraph);
    }
    while own.last().is_some_and(|line| line.is_empty() || is_head(line) || is_short(&[*line])) {
        own.pop();
    }
}

fn is_head(line: &str) -> bool {
    greets(line)
        || line.ends_with('<')
        || PICTURES.iter().any(|picture| line.to_lowercase().starts_with(picture))
        || headers::is_one(line)
        // A date with a time: people write dates too.
        || digits(line) > 2 * DIGITS_OF_A_DATE
}

#[cfg(test)]
mod tests;
