//! Finds the text that the sender of a mail wrote: without quotes, signatures and what programs add.
//!
//! Lists of words that programs use are never complete. The main evidence is [`OurMail`] and the form of headers, rules and
//! introductions in any language; the lists below only add to it.

use super::additions::{Confidence, disclaimer, program_line};
use super::headers::{self, DIGITS_OF_A_DATE, DIGITS_OF_A_WHOLE_DATE, Headers, digits, header_block};
use super::marks::{is_message_mark, is_quoted, is_signature_mark};
use super::our_mail::{OurMail, greets, is_drawn, is_short};
use super::rewrapped::Rests;
use pippost_games::letters::steps;

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

/// How programs write a picture as text.
const PICTURES: [&str; 4] = ["[cid:", "<cid:", "[image", "[bild"];

/// The fewest signs before and after the title of a rule above a quote that needs no further evidence.
const SIGNS_OF_A_RULE: usize = 5;

/// The most lines between the end of the sender's text and a mail of ours below it: headers, a picture, a date.
const MAX_HEAD_LINES: usize = 12;

/// The first line of a signed mail, and the line that ends its text (RFC 4880, 7).
const ARMOUR: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const ARMOUR_END: &str = "-----BEGIN PGP SIGNATURE-----";

/// What a signed text puts before lines that begin with a dash (RFC 4880, 7.1).
const ESCAPE: &str = "- ";

/// The most text of a mail that is read, in bytes. Orders stand at its beginning or directly below a quoted mail.
const MAX_TEXT_BYTES: usize = 128 * 1024;

/// The most lines of a mail that are read, quotes among them.
const MAX_LINES: usize = 3000;

/// The most lines that somebody writes, without empty ones. A mail with more is not read.
const MAX_OWN_LINES: usize = 200;

/// The most bytes of a line that are read: more than the longest message has.
const MAX_LINE_BYTES: usize = 4200;

/// The text that the sender of a mail wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own<'t> {
    /// The lines in order; empty lines are kept.
    pub lines: Vec<&'t str>,
    /// The lines end at a form that programs give to quotes and signatures, but what follows is not known to be ours: it could
    /// be the sender's own.
    pub doubtful: bool,
    /// The first paragraph that was not read and may be the sender's own.
    pub unread: Vec<&'t str>,
    /// A line with a quote sign that stands alone above all else: somebody may have typed the sign.
    pub typed: Option<&'t str>,
    /// The sender wrote more than is read.
    pub too_much: bool,
    /// How many of the lines are not empty.
    filled: usize,
}

/// The lines that the player `handle` wrote, without quotes and signatures.
#[must_use]
pub fn own_lines<'t>(text: &'t str, ours: &OurMail, handle: &str) -> Own<'t> {
    let read = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
    let mut all = read.lines();
    let raw: Vec<&str> = all.by_ref().take(MAX_LINES).map(beginning).collect();
    let is_cut = read.len() < text.len() || all.next().is_some();
    let lines = unescaped(raw.iter().map(|line| line.trim_matches(is_blank)).collect());
    // Whether a mail of ours is quoted below tells quotes from text that only looks like one.
    let last_of_ours = (0..lines.len()).rev().find(|at| ours.begins(&lines[*at..], handle));
    let reader = Reader { ours, handle };
    let rests = Rests::of(&lines);
    let mut own = Own { typed: typed_quote(&lines), ..Own::default() };
    let mut at = 0;
    while at < lines.len() {
        let rest = &lines[at..];
        if rest[0] == ARMOUR {
            at += rest.iter().position(|line| line.is_empty()).unwrap_or(rest.len());
        } else if let Some(end) = reader.ends_here(rest, &own, last_of_ours.is_some_and(|last| last > at)) {
            match end {
                // The space of a signature's mark may have been lost on the way, or it was never meant to be one.
                End::Signature if raw[at].ends_with(is_blank) => own.doubt(below_mark(&rest[1..])),
                End::Signature => own.unread = reader.unread(&rest[1..]),
                End::Certain => own.doubt(below_mark(&rest[1..])),
                End::Program => own.doubtful = true,
                End::Likely if reader.leads_to_ours(rest) => own.doubt(below_mark(&rest[1..])),
                End::Likely | End::Guessed => own.doubt(reader.unread(rest)),
            }
            return own;
        } else if let Some(length) = reader.introduction(rest, &own.lines) {
            at += length;
            if !quoted_follows(&lines[at..]) {
                // The mail below is quoted without quote signs, so all of it is skipped.
                leave_out_columns(&mut own.lines);
                let leads = reader.leads_to_ours(&lines[at..]);
                own.doubt(if leads { below_mark(&lines[at..]) } else { reader.unread(&lines[at..]) });
                return own;
            }
        } else if is_quoted(rest[0]) {
            at += 1;
        } else if rests.holds(at) {
            if rests.are_doubtful() {
                own.unread.push(rest[0]);
            }
            at += 1;
        } else if let Some(length) = disclaimer(rest, &own.lines) {
            at += length;
        } else if ours.begins(rest, handle) && !is_message_mark(rest[0]) {
            own.doubtful = !leave_out_head(&mut own.lines, rest[0], ours.is_greeting(rest, handle));
            if !ours.goes_on(&rest[1..], handle) && !reader.leads_to_ours(&rest[1..]) {
                own.doubtful = true;
                own.unread = reader.unread(&rest[1..]);
            } else {
                own.doubt(below_mark(&rest[1..]));
            }
            return own;
        } else {
            own.filled += usize::from(!rest[0].is_empty());
            if own.filled > MAX_OWN_LINES {
                return Own { too_much: true, ..Own::default() };
            }
            own.lines.push(rest[0]);
            at += 1;
        }
    }
    // What was cut off may be the sender's own, unless the last line that was read is quoted.
    own.too_much = is_cut && lines.last().is_some_and(|last| !is_quoted(last));
    own
}

/// The text of the first line if it is the only quoted one of its paragraph.
fn typed_quote<'t>(lines: &[&'t str]) -> Option<&'t str> {
    let first = lines.iter().position(|line| !line.is_empty())?;
    let is_alone = lines.get(first + 1).is_none_or(|next| next.is_empty());
    lines[first].strip_prefix('>').filter(|_| is_alone).map(str::trim)
}

/// The beginning of a line, as far as it is read.
fn beginning(line: &str) -> &str {
    steps::count(1);
    &line[..line.floor_char_boundary(MAX_LINE_BYTES)]
}

impl<'t> Own<'t> {
    /// Notes that `unread`, if it is anything, may be the sender's own.
    fn doubt(&mut self, unread: Vec<&'t str>) {
        if !unread.is_empty() {
            self.doubtful = true;
            self.unread = unread;
        }
    }
}

/// The first lines below the last mark of a message in what was not read: a message that the sender wrote below a quote.
fn below_mark<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let Some(mark) = lines.iter().rposition(|line| is_message_mark(line)) else { return Vec::new() };
    let below = lines[mark + 1..].iter().skip_while(|line| line.is_empty());
    let is_told = |line: &&&str| !(line.is_empty() || is_quoted(line));
    below.take_while(is_told).take(MAX_INTRODUCTION_LINES).copied().collect()
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

/// How surely the sender's own text ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At the mark of a signature.
    Signature,
    /// At a line that only programs write.
    Certain,
    /// At a line that names a program or a device and stands alone.
    Program,
    /// At a form that people may write too, but not directly above a mail of ours.
    Likely,
    /// At a form that people write as often.
    Guessed,
}

/// What helps to tell quotes from the sender's own lines.
#[derive(Clone, Copy)]
struct Reader<'r> {
    ours: &'r OurMail,
    handle: &'r str,
}

impl Reader<'_> {
    /// Whether the first of `lines` ends the sender's own text.
    fn ends_here(self, lines: &[&str], own: &Own<'_>, is_ours_below: bool) -> Option<End> {
        let line = lines[0];
        let is_below = own.filled > 0;
        let own = &own.lines;
        if is_signature_mark(line) {
            let below = &lines[1..];
            let is_of_program = !below.is_empty() && program_line(below, own, is_below).is_some();
            return Some(if is_of_program { End::Certain } else { End::Signature });
        }
        if line == ARMOUR_END {
            return Some(End::Certain);
        }
        let headers = header_block(lines, is_ours_below);
        if headers == Some(Headers::Likely) {
            return Some(if self.leads_to_ours(lines) { End::Likely } else { End::Guessed });
        }
        let lower = line.to_lowercase();
        if headers.is_some() || BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning)) {
            return Some(End::Likely);
        }
        let of_program = || {
            program_line(lines, own, is_below).map(|likeness| match likeness {
                Confidence::Sure => End::Certain,
                Confidence::Likely => End::Program,
            })
        };
        self.titled_rule(lines).or_else(of_program)
    }

    /// Whether a line like `-----Original Message-----`, in any language, ends the text. People decorate titles too.
    fn titled_rule(self, lines: &[&str]) -> Option<End> {
        let rule = TitledRule::read(lines[0])?;
        let below = lines[1..].iter().find(|line| !line.is_empty());
        let heads = below.is_some_and(|line| headers::header_value(line).is_some());
        let leads = self.leads_to_ours(&lines[1..]);
        match (rule, leads) {
            (TitledRule::Sure, true) => Some(End::Certain),
            (TitledRule::Sure, false) => Some(End::Guessed),
            (TitledRule::Short, true) if heads => Some(End::Certain),
            (TitledRule::Short, leads) => (heads || leads).then_some(End::Guessed),
        }
    }

    /// Whether a mail of ours stands below, with only empty lines, headers and pictures above it.
    fn leads_to_ours(self, lines: &[&str]) -> bool {
        let mut filled = (0..lines.len()).filter(|at| !lines[*at].is_empty()).take(MAX_HEAD_LINES);
        let is_ours = |at: usize| self.ours.begins(&lines[at..], self.handle) || is_short(&lines[at..]);
        let is_above = |at: usize| {
            is_head(lines[at]) || headers::header_value(lines[at]).is_some() || is_drawn(lines[at])
        };
        filled.find(|at| !is_above(*at) || greets(lines[*at])).is_some_and(is_ours)
    }

    /// The first paragraph of `lines` that is neither quoted nor ours.
    fn unread<'t>(self, lines: &[&'t str]) -> Vec<&'t str> {
        let is_text = |line: &&&str| line.chars().any(char::is_alphanumeric);
        let Some(from) = lines.iter().position(|line| is_text(&line)) else { return Vec::new() };
        let is_ours = self.ours.begins(&lines[from..], self.handle) || is_short(&lines[from..]);
        if is_ours || is_quoted(lines[from]) {
            return Vec::new();
        }
        lines[from..]
            .iter()
            .take_while(|line| !line.is_empty())
            .take(MAX_INTRODUCTION_LINES)
            .copied()
            .collect()
    }

    /// The number of lines of an introduction that begins here, below `own`.
    fn introduction(self, lines: &[&str], own: &[&str]) -> Option<usize> {
        let mut text = String::new();
        steps::count(lines[0].len());
        for (index, line) in lines.iter().take(MAX_INTRODUCTION_LINES).enumerate() {
            if line.is_empty() || is_quoted(line) {
                return None;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&line.to_lowercase().replace('\u{a0}', " "));
            if text.chars().count() > MAX_INTRODUCTION_CHARS {
                return None;
            }
            let follows = quoted_follows(&lines[index + 1..]);
            let begins = own.last().is_none_or(|above| above.is_empty());
            let is_alone =
                begins && lines.get(index + 1).is_none_or(|next| next.is_empty() || is_quoted(next));
            // Text of several lines must begin like an introduction, or text of the sender above it would be lost.
            let is_one = index == 0 || digits(lines[0]) >= DIGITS_OF_A_DATE || lines[0].contains('@');
            if introduces(&text, is_one, follows, self.ours)
                || index == 0 && follows && is_alone && is_lead(&text)
            {
                return Some(index + 1);
            }
        }
        None
    }
}

/// A line of words between two rows of signs, or after a long one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TitledRule {
    /// Long rows of dashes, or shorter ones around a date.
    Sure,
    /// As people write titles too: `*** Well played ***`.
    Short,
}

impl TitledRule {
    fn read(line: &str) -> Option<Self> {
        let dash = |character: char| matches!(character, '-' | '_' | '\u{2010}'..='\u{2015}');
        let sign = |character: char| dash(character) || matches!(character, '=' | '*');
        let before = line.chars().take_while(|character| sign(*character)).count();
        let after = line.chars().rev().take_while(|character| sign(*character)).count();
        let words = line.chars().any(char::is_alphabetic);
        if !words || !(before >= 3 && after >= 3 || before >= 8) {
            return None;
        }
        let is_dashed = line.starts_with(dash);
        let is_long = before >= 8 || before >= SIGNS_OF_A_RULE && after >= SIGNS_OF_A_RULE;
        let is_dated = digits(line) >= DIGITS_OF_A_WHOLE_DATE;
        Some(if is_dashed && (is_long || is_dated) { Self::Sure } else { Self::Short })
    }
}

/// Whether the line only leads to what stands below it: some words and a colon.
fn is_lead(text: &str) -> bool {
    text.ends_with([':', '\u{ff1a}']) && text.split_whitespace().count() >= 2 && digits(text) == 0
}

fn introduces(text: &str, is_one: bool, quoted_follows: bool, ours: &OurMail) -> bool {
    let ends = text.ends_with(':') || text.ends_with('\u{ff1a}');
    let known =
        INTRODUCTIONS.iter().any(|(beginning, ending)| text.starts_with(beginning) && text.ends_with(ending));
    let dated = digits(text) >= DIGITS_OF_A_DATE;
    let short_ending = ["am ", "op "].iter().any(|beginning| text.starts_with(beginning)) && ends && dated;
    let wrote =
        [" wrote:", " schrieb:"].iter().any(|ending| text.ends_with(ending)) && (dated || text.contains('@'));
    let general = ends && (dated && (quoted_follows || text.contains('@')) || ours.is_named_in(text));
    let verb = ends && (quoted_follows || dated) && WRITTEN.iter().any(|verb| text.contains(verb));
    known || short_ending || is_one && (wrote || general || verb)
}

/// Whether the next non-empty line is quoted.
fn quoted_follows(lines: &[&str]) -> bool {
    lines.iter().find(|line| !line.is_empty()).is_some_and(|line| is_quoted(line))
}

/// Removes the head of the quote that follows `own` and begins with `first`: the rest of its paragraph, headers, a date, the
/// greeting. A quote that begins with its greeting is whole, so the paragraph above is the sender's. Returns whether only programs
/// write what was removed.
fn leave_out_head(own: &mut Vec<&str>, first: &str, at_greeting: bool) -> bool {
    leave_out_columns(own);
    let filled_before = |own: &[&str], end: usize| own[..end].iter().any(|line| !line.is_empty());
    let paragraph = own.iter().rposition(|line| line.is_empty()).map_or(0, |blank| blank + 1);
    let is_whole =
        filled_before(own, paragraph) && !own[paragraph..].iter().any(|line| is_message_mark(line));
    let above_mark =
        own[..paragraph].iter().rfind(|line| !line.is_empty()).is_some_and(|line| is_message_mark(line));
    let in_columns = is_bare_address(first) || own[paragraph..].iter().any(|line| is_bare_address(line));
    let mut is_sure = true;
    if is_whole && (in_columns || !above_mark && !at_greeting) {
        is_sure = own[paragraph..].iter().all(|line| is_sure_head(line));
        own.truncate(paragraph);
    }
    while let Some(last) = own.last().copied() {
        let is_lead_alone =
            is_lead(last) && own[..own.len() - 1].last().is_some_and(|above| above.is_empty());
        if !(last.is_empty() || is_head(last) || is_short(&[last]) || is_lead_alone) {
            break;
        }
        is_sure &= last.is_empty() || is_sure_head(last);
        own.pop();
    }
    is_sure
}

/// Removes the last paragraph of `own` if it holds headers in columns.
fn leave_out_columns(own: &mut Vec<&str>) {
    let end = own.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let paragraph = own[..end].iter().rposition(|line| line.is_empty()).map_or(0, |blank| blank + 1);
    if paragraph > 0 && own[paragraph..end].iter().any(|line| is_bare_address(line)) {
        own.truncate(paragraph);
    }
}

/// Whether a line is an address alone. Headers in columns have the sender's so, and words in the other lines.
fn is_bare_address(line: &str) -> bool {
    line.starts_with('<') && line.ends_with('>') && line.contains('@')
}

fn is_head(line: &str) -> bool {
    is_sure_head(line)
        || headers::is_one(line)
        // A date with a time: people write dates too.
        || digits(line) > 2 * DIGITS_OF_A_DATE
}

/// Whether only programs write this line above a quote.
fn is_sure_head(line: &str) -> bool {
    greets(line)
        || line.ends_with('<')
        || PICTURES.iter().any(|picture| line.to_lowercase().starts_with(picture))
        || headers::is_known(line)
}

#[cfg(test)]
mod tests;
