//! What the writer of a mail wrote: the text without the mail that it answers, signatures and what telephones add.

/// The most lines over which the line that introduces a quote may run, as in `On …, Ann <ann@example.org>` and `wrote:`.
const MAX_INTRODUCTION_LINES: usize = 4;

/// The longest such introduction, in characters.
const MAX_INTRODUCTION_CHARS: usize = 300;

/// How introductions begin and end: English, German, French, Dutch, Spanish, Italian, Danish and Swedish.
const INTRODUCTIONS: [(&str, &str); 14] = [
    ("on ", "wrote:"),
    ("am ", "schrieb:"),
    ("am ", "geschrieben:"),
    ("am ", ":"),
    ("le ", "écrit :"),
    ("le ", "écrit:"),
    ("op ", "schreef:"),
    ("op ", ":"),
    ("el ", "escribió:"),
    ("il ", "scritto:"),
    ("den ", "skrev:"),
    ("fra ", "skrev:"),
    ("", " wrote:"),
    ("", " schrieb:"),
];

/// Those endings are enough only where the line names an address or a year too.
const WEAK_ENDINGS: [&str; 1] = [":"];

/// Lines that part the answer from the mail below, as they begin.
const SEPARATORS: [&str; 9] = [
    "-----original message-----",
    "-----ursprüngliche nachricht-----",
    "-----original appointment-----",
    "---------- forwarded message",
    "-------- original message --------",
    "-------- ursprüngliche nachricht --------",
    "--- original message ---",
    "________________________________",
    "begin forwarded message:",
];

/// The headers with which Outlook introduces a quote; two of them, one below the other, are one.
const HEADERS: [&str; 16] = [
    "from:",
    "sent:",
    "to:",
    "subject:",
    "date:",
    "cc:",
    "von:",
    "gesendet:",
    "an:",
    "betreff:",
    "datum:",
    "de :",
    "envoyé :",
    "à :",
    "objet :",
    "reply-to:",
];

/// What telephones and some programs put below a mail.
const MOBILE_SIGNATURES: [&str; 14] = [
    "sent from my ",
    "sent from mail for ",
    "sent from outlook",
    "sent from yahoo mail",
    "sent with proton mail",
    "sent using ",
    "get outlook for ",
    "von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "diese nachricht wurde von meinem ",
    "envoyé de mon ",
    "verstuurd vanaf mijn ",
    "enviado desde mi ",
];

/// The lines that the writer wrote, in order, without quotes and signatures.
#[must_use]
pub fn own_lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(|line| line.trim_matches(is_blank)).collect();
    let mut own = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if is_signature(line) {
            break;
        }
        if parts_from_the_rest(&lines[at..]) {
            break;
        }
        if let Some(length) = introduction(&lines[at..]) {
            at += length;
            if !quoted_follows(&lines[at..]) {
                // The mail below is quoted without marks: all of it.
                break;
            }
            continue;
        }
        let says = own.last().is_some_and(|line| *line == MESSAGE_MARK) || is_message(&own);
        if says || !is_quoted(line) {
            own.push(line);
        }
        at += 1;
    }
    own
}

/// The line above a message to the table.
pub const MESSAGE_MARK: &str = "---";

/// Right below the mark, lines with `>` are the message: it may be written like that.
fn is_message(own: &[&str]) -> bool {
    let after = own.iter().rposition(|line| *line == MESSAGE_MARK).map(|mark| &own[mark + 1..]);
    after.is_some_and(|after| !after.is_empty() && after.iter().all(|line| is_quoted(line)))
}

fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}')
}

fn is_quoted(line: &str) -> bool {
    line.starts_with('>') || line.starts_with("|>")
}

/// `-- ` parts a signature (RFC 3676, 4.3); trailing blanks get lost on the way.
fn is_signature(line: &str) -> bool {
    if line == "--" || line == "—" {
        return true;
    }
    let line = line.trim_start_matches(['*', '_', '<', '[']).to_lowercase();
    line.len() < 120 && MOBILE_SIGNATURES.iter().any(|signature| line.starts_with(signature))
}

/// Whether the mail below begins here: a line that parts, or headers as Outlook writes them.
fn parts_from_the_rest(lines: &[&str]) -> bool {
    let first = lines[0].to_lowercase();
    if SEPARATORS.iter().any(|separator| first.starts_with(separator)) {
        return true;
    }
    let is_header = |line: &str| {
        let line = line.trim_start_matches('*').to_lowercase();
        HEADERS.iter().any(|header| line.starts_with(header))
    };
    let mut filled = lines.iter().filter(|line| !line.is_empty());
    filled.next().is_some_and(|line| is_header(line))
        && !first.is_empty()
        && filled.next().is_some_and(|line| is_header(line))
}

/// How many lines introduce a quote here.
fn introduction(lines: &[&str]) -> Option<usize> {
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
        if introduces(&text, index == 0) {
            return Some(index + 1);
        }
    }
    None
}

/// Without a beginning of its own an introduction is one line: else it would swallow what stands above it.
fn introduces(text: &str, is_one_line: bool) -> bool {
    INTRODUCTIONS.iter().any(|(beginning, ending)| {
        let names_somebody = text.contains('@') || text.bytes().filter(u8::is_ascii_digit).count() >= 4;
        let strong = !WEAK_ENDINGS.contains(ending) && !beginning.is_empty();
        let begins = text.starts_with(beginning) && (is_one_line || !beginning.is_empty());
        begins && text.ends_with(ending) && (strong || names_somebody)
    })
}

/// Whether the next line that is not empty is marked as quoted.
fn quoted_follows(lines: &[&str]) -> bool {
    lines.iter().find(|line| !line.is_empty()).is_some_and(|line| is_quoted(line))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn own(text: &str) -> Vec<&str> {
        own_lines(text).into_iter().filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn what_stands_above_or_below_a_quote_is_the_writers_own() {
        for text in [
            "store\n\nOn Sat, 21 Nov 2026 at 13:00, pippost <play+abc@example.org>\nwrote:\n\n> Hello ann,\n> pass\n",
            "On Sat, 21 Nov 2026, pippost wrote:\n> Hello ann,\n>> pass\n\nstore\n",
            "store\nAm 21.11.26 um 13:00 schrieb pippost:\n> Hallo\n",
            "store\n\nAm Sa., 21. Nov. 2026 um 13:00 Uhr schrieb pippost <\nplay+abc@example.org>:\n\n> Hallo\n",
            "store\n\n-----Original Message-----\nFrom: pippost\nSent: Saturday\npass\n",
            "store\n\nFrom: pippost <play@example.org>\nSent: Saturday, November 21, 2026\nTo: ann\nSubject: x\n\npass\n",
            "store\n\nVon: pippost\nGesendet: Samstag, 21. November 2026\nAn: ann\n\npass\n",
            "store\n________________________________\nFrom: pippost\npass",
            "store\n-- \nann\nroll",
            "store\n--\nann\nroll",
            "store\n\nSent from my iPhone\n\nroll",
            "store\n\nGesendet von Outlook für Android\nroll",
            "store\n\nLe sam. 21 nov. 2026 à 13:00, pippost <play@example.org> a écrit :\n\npass",
            "\u{feff}store\u{a0}\n> quoted",
        ] {
            assert_eq!(own(text), ["store"], "{text}");
        }
    }

    #[test]
    fn what_is_only_quoted_is_nobodys() {
        assert!(own("> store\n> roll\n").is_empty());
        assert!(own("On Sat, 21 Nov 2026, pippost wrote:\n\nstore\n").is_empty());
        assert!(own("").is_empty());
    }

    #[test]
    fn a_move_that_looks_like_the_beginning_of_something_is_a_move() {
        assert_eq!(own("on\nstore"), ["on", "store"]);
        assert_eq!(own("am a3:\nstore"), ["am a3:", "store"]);
        assert_eq!(own("to: b3"), ["to: b3"]);
        assert_eq!(own("attack b3 > b4"), ["attack b3 > b4"]);
    }

    #[test]
    fn right_below_the_mark_quoted_lines_are_the_message() {
        assert_eq!(own("store\n---\n> Well played!\n> Ann"), ["store", "---", "> Well played!", "> Ann"]);
        assert_eq!(own("store\n---\nWell played!\n> Hello ann,"), ["store", "---", "Well played!"]);
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic_and_every_line_is_one_of_the_mails(
            text in "((On |Am |From: |To: |> |-- |---|wrote:|schrieb|[a-z0-9@:äé]{0,5}| )*\n){0,20}"
        ) {
            for line in own_lines(&text) {
                prop_assert!(text.lines().any(|whole| whole.trim_matches(is_blank) == line));
            }
        }
    }
}
