//! Reads the message to the other players from the lines below its mark.

use super::marks::is_message_mark;
use super::quoting::header_value;

/// The fewest digits of a phone number.
const MIN_PHONE_DIGITS: usize = 7;

/// The number of features at which the first paragraph counts as a signature.
const SIGNS_OF_A_SIGNATURE: usize = 2;

/// The most words of a closing formula.
const MAX_CLOSING_WORDS: usize = 4;

/// The text below the mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Written {
    #[default]
    Nothing,
    Message(String),
    /// A signature that a program puts below every mail: name, company, phone number.
    Signature,
}

/// Reads the lines below the mark; `name` is the sender's display name.
pub fn read(lines: &[&str], name: Option<&str>) -> Written {
    let end = lines.iter().position(|line| is_message_mark(line)).unwrap_or(lines.len());
    let mut paragraphs = lines[..end].split(|line| line.is_empty()).filter(|paragraph| !paragraph.is_empty());
    let Some(first) = paragraphs.next() else { return Written::Nothing };
    if names(first[0], name) || signs(first, name) >= SIGNS_OF_A_SIGNATURE {
        return Written::Signature;
    }
    let rest = paragraphs.take_while(|paragraph| signs(paragraph, name) == 0);
    let mut kept: Vec<&[&str]> = std::iter::once(first).chain(rest).collect();
    leave_out_closing(&mut kept, name);
    let kept: Vec<String> = kept.into_iter().map(|paragraph| paragraph.join("\n")).collect();
    Written::Message(kept.join("\n\n"))
}

/// Removes the sender's name and a closing formula such as `Kind regards,` from the end of a message.
fn leave_out_closing(kept: &mut Vec<&[&str]>, name: Option<&str>) {
    while let Some((last, above)) = kept.last().and_then(|paragraph| paragraph.split_last()) {
        let is_only_line = kept.len() == 1 && above.is_empty();
        if is_only_line || !(is_closing(last) || names(last, name)) {
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
fn is_closing(line: &str) -> bool {
    line.ends_with([',', '\u{ff0c}', '\u{3001}']) && line.split_whitespace().count() <= MAX_CLOSING_WORDS
}

/// How many features of a signature a paragraph has.
fn signs(paragraph: &[&str], name: Option<&str>) -> usize {
    let any = |is: &dyn Fn(&str) -> bool| usize::from(paragraph.iter().any(|line| is(line)));
    let address = |line: &str| line.split_whitespace().any(|word| word.contains('@') && word.contains('.'));
    let page = |line: &str| line.contains("www.") || line.contains("://");
    let labels = paragraph.iter().filter(|line| header_value(line).is_some()).count() >= 2;
    let bars = |line: &str| line.contains(" | ");
    any(&address)
        + any(&page)
        + any(&is_phone)
        + any(&|line| names(line, name))
        + any(&bars)
        + usize::from(labels)
}

/// Whether a line is only the sender's name.
fn names(line: &str, name: Option<&str>) -> bool {
    let letters =
        |text: &str| text.chars().filter(|character| character.is_alphanumeric()).collect::<String>();
    let line = letters(&line.to_lowercase());
    name.is_some_and(|name| {
        let name = name.to_lowercase();
        let is_part = name.split_whitespace().any(|part| letters(part) == line);
        !line.is_empty() && (letters(&name) == line || is_part)
    })
}

fn is_phone(line: &str) -> bool {
    let mut digits = 0;
    for character in line.chars() {
        match character {
            '0'..='9' => digits += 1,
            ' ' | '-' | '/' | '(' | ')' | '+' | '.' | '\u{a0}' => {}
            _ if digits >= MIN_PHONE_DIGITS => return true,
            _ => digits = 0,
        }
    }
    digits >= MIN_PHONE_DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Written {
        read(&text.lines().collect::<Vec<_>>(), Some("Ann Example"))
    }

    #[test]
    fn a_message_is_its_paragraphs() {
        let message = |text: &str| Written::Message(text.to_owned());
        assert_eq!(written("\nWell played!\n"), message("Well played!"));
        assert_eq!(written("One.\nTwo.\n\nThree."), message("One.\nTwo.\n\nThree."));
        assert_eq!(
            written("See www.example.org for the rules"),
            message("See www.example.org for the rules")
        );
        assert_eq!(written("I scored 12 34 in 2026"), message("I scored 12 34 in 2026"));
        assert_eq!(written("\n"), Written::Nothing);
    }

    #[test]
    fn a_signature_is_no_message() {
        for text in [
            "Ann Example",
            "Ann",
            "Ann Example\nAcme GmbH",
            "Dr. A. Example, Sales\nTel. +49 (0)30 1234567\nann@acme.example",
            "Phone: +1 555 010 9999\nMail: ann@acme.example",
        ] {
            assert_eq!(written(text), Written::Signature, "{text}");
        }
    }

    #[test]
    fn a_message_ends_where_a_signature_begins() {
        for below in [
            "Ann",
            "Kind regards,\nAnn",
            "Kind regards,\n\nAnn Example\nAcme",
            "LG,",
            "Acme GmbH\nTel. 030 1234567",
            "---\nAcme GmbH",
            "ann@acme.example",
        ] {
            let text = format!("Well played!\n\n{below}");
            assert_eq!(written(&text), Written::Message("Well played!".to_owned()), "{below}");
        }
        assert_eq!(written("Well played!\nBest,\nAnn"), Written::Message("Well played!".to_owned()));
        assert_eq!(written("Sorry,"), Written::Message("Sorry,".to_owned()));
    }
}
