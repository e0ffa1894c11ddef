//! What a mail server says, made fit for the log: its words often repeat the address, and may be anything.

use lettre::address::{Address, Envelope};

/// The most characters that are kept of what a server says.
const MAX_CHARS: usize = 240;

/// What stands for the part of an address before the `@`.
const TAKEN_OUT: &str = "…";

/// The text on one line, without the names before the `@` of any address, and of the envelope's addresses without any `@`.
pub fn without_addresses(said: &str, envelope: &Envelope) -> String {
    let mut line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for address in envelope.to().iter().chain(envelope.from()) {
        line = without_name(&line, address);
    }
    bounded(&without_names(&line))
}

/// Takes a known name out wherever it stands as a word, however it is written.
fn without_name(text: &str, address: &Address) -> String {
    // Positions in both are the same: only ASCII letters are changed.
    let (lower, name) = (text.to_ascii_lowercase(), address.user().to_ascii_lowercase());
    let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let (mut kept, mut rest) = (String::with_capacity(text.len()), 0);
    for (at, _) in lower.match_indices(&name) {
        let (before, after) = (lower[..at].chars().next_back(), lower[at + name.len()..].chars().next());
        if at < rest || is_part(before) || is_part(after) {
            continue;
        }
        kept.extend([&text[rest..at], TAKEN_OUT]);
        rest = at + name.len();
    }
    kept + &text[rest..]
}

/// Takes out what stands before each `@`, and before what stands for one in an address that is wrapped in another.
fn without_names(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, sign)) = first_sign(rest) {
        let before = &rest[..at];
        let name = name_at_end(before);
        kept.push_str(&before[..before.len() - name.len()]);
        if !name.is_empty() {
            kept.push_str(TAKEN_OUT);
        }
        kept.push_str(sign);
        rest = &rest[at + sign.len()..];
    }
    kept + rest
}

/// The first `@`, also as it is written in URLs and quoted text.
fn first_sign(text: &str) -> Option<(usize, &str)> {
    let found = ["@", "%40", "=40"].into_iter().filter_map(|sign| Some((text.find(sign)?, sign)));
    found.min_by_key(|(at, _)| *at).map(|(at, sign)| (at, &text[at..at + sign.len()]))
}

/// The name before an `@`: in quotation marks, or up to what can stand in no name.
fn name_at_end(before: &str) -> &str {
    if let Some(quoted) = before.strip_suffix('"') {
        return &before[quoted.rfind('"').unwrap_or(0)..];
    }
    let ends = |letter: char| letter.is_whitespace() || "<>()[],;:\"".contains(letter);
    let start = before.rfind(ends).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    &before[start..]
}

/// Control characters, and others that change how a line looks, are escaped; what is too long is cut.
fn bounded(text: &str) -> String {
    let mut bounded = String::new();
    for letter in text.chars().take(MAX_CHARS) {
        if matches!(letter, '\'' | '"') {
            bounded.push(letter);
        } else {
            bounded.extend(letter.escape_debug());
        }
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        bounded.push('…');
    }
    bounded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope() -> Envelope {
        let address = |text: &str| text.parse().expect("an address");
        let from = Some(address("play+tOkEn-1@pippost.example"));
        Envelope::new(from, vec![address("Ann.Other@example.org")]).expect("an envelope")
    }

    #[test]
    fn no_name_of_an_address_is_left() {
        for (said, expected) in [
            ("5.1.1 <ann.other@example.org>: no such user", "5.1.1 <…@example.org>: no such user"),
            ("5.1.1 User ANN.OTHER unknown", "5.1.1 User … unknown"),
            (
                "5.7.1 mail from play+token-1@pippost.example denied",
                "5.7.1 mail from …@pippost.example denied",
            ),
            ("srs0=x=ann.other=example.org@relay.example said no", "…@relay.example said no"),
            ("see https://x.example/?a=ann.other%40example.org", "see https:…%40example.org"),
            ("forwarded to \"ann the other\"@example.net; full", "forwarded to …@example.net; full"),
            ("bob@example.net,cat@example.net", "…@example.net,…@example.net"),
            ("channother is no name", "channother is no name"),
            ("@example.org is closed", "@example.org is closed"),
        ] {
            assert_eq!(without_addresses(said, &envelope()), expected);
        }
    }

    #[test]
    fn it_is_one_line_without_control_characters_and_bounded() {
        let cleaned = without_addresses("a\r\nb\tc\u{1b}[31m\u{202e}\u{0}d", &envelope());
        assert_eq!(cleaned, "a b c\\u{1b}[31m\\u{202e}\\0d");
        let long = without_addresses(&"ä".repeat(10_000), &envelope());
        assert_eq!(long.chars().count(), MAX_CHARS + 1);
        assert!(long.ends_with('…'));
    }
}
