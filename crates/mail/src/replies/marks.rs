//! Recognises lines of dashes, as people type them and as devices change them, and quote signs.

/// The most dashes of a mark; longer lines separate parts of a mail.
const MAX_DASHES: usize = 5;

/// The fewest hyphens in the mark above a table message, `---`.
const MESSAGE_HYPHENS: usize = 3;

/// The most letters of initials before the quote sign.
const MAX_INITIALS: usize = 4;

/// What programs write for bold letters, and the quotation marks in which our mails print the mark.
const AROUND: [char; 7] = ['*', '"', '\'', '`', '\u{201c}', '\u{201d}', '\u{201e}'];

/// Whether the line marks a table message: `---`, or what programs turn it into while it is typed (`—`, `––`, `—-`).
pub fn is_message_mark(line: &str) -> bool {
    hyphens(line).is_some_and(|hyphens| hyphens >= MESSAGE_HYPHENS)
}

/// The text after a mark on the same line, as in `--- Well played!` and `---Well played!`. Titles have hyphens behind them, too.
pub fn message_behind_mark(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('-');
    let hyphens = line.len() - text.len();
    let is_mark = (MESSAGE_HYPHENS..=MAX_DASHES).contains(&hyphens) && !text.contains("---");
    Some(text.trim()).filter(|text| is_mark && text.chars().any(char::is_alphanumeric))
}

/// Whether the line is `-- `, which begins a signature (RFC 3676, 4.3). The trailing space may have been lost on the way.
pub fn is_signature_mark(line: &str) -> bool {
    hyphens(line) == Some(MESSAGE_HYPHENS - 1)
}

/// How many hyphens a line of dashes stands for; `None` for any other line.
fn hyphens(line: &str) -> Option<usize> {
    let dashes: Vec<usize> = line
        .trim_matches(AROUND)
        .chars()
        .filter(|character| *character != ' ')
        .map(worth)
        .collect::<Option<_>>()?;
    (1..=MAX_DASHES).contains(&dashes.len()).then(|| dashes.iter().sum())
}

/// Whether the line begins with a quote sign.
pub fn is_quoted(line: &str) -> bool {
    line.starts_with('>') || line.starts_with('|') || line.starts_with("&gt;") || is_quoted_by_initials(line)
}

/// Whether the line is quoted with initials, as in `AE> store` and `p> store`.
fn is_quoted_by_initials(line: &str) -> bool {
    let Some((initials, rest)) = line.split_once('>') else { return false };
    (1..=MAX_INITIALS).contains(&initials.len())
        && initials.bytes().all(|letter| letter.is_ascii_alphabetic())
        && (rest.is_empty() || rest.starts_with([' ', '>']))
}

fn worth(dash: char) -> Option<usize> {
    match dash {
        '-' | '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => Some(1),
        '\u{2012}' | '\u{2013}' => Some(2),
        '\u{2014}' | '\u{2015}' | '\u{fe58}' => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_of_every_kind_are_marks_and_rules_are_not() {
        for mark in [
            "---",
            "\u{2014}",
            "\u{2013}\u{2013}",
            "\u{2014}-",
            "- - -",
            "\u{2014}\u{2014}\u{2014}",
            "-----",
            "*---*",
            "\u{201c}---\u{201d}",
        ] {
            assert!(is_message_mark(mark) && !is_signature_mark(mark), "{mark}");
        }
        for mark in ["--", "-- ", "\u{2013}"] {
            assert!(is_signature_mark(mark.trim()) && !is_message_mark(mark), "{mark}");
        }
        assert_eq!(message_behind_mark("--- Well played!"), Some("Well played!"));
        assert_eq!(message_behind_mark("---Well played!"), Some("Well played!"));
        for other in
            ["---", "--- -", "---Original---", "--- Original Message ---", "-- Ann", "------- Ann", "store"]
        {
            assert_eq!(message_behind_mark(other), None, "{other}");
        }
        for other in ["", "-", "------", "-> b", "___", "***", "\"\""] {
            assert!(!is_message_mark(other) && !is_signature_mark(other), "{other}");
        }
    }
}
