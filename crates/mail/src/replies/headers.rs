//! Recognises the headers that programs put above a quote, such as `From: …` and `Sent: …`, in any language.

use pippost_games::letters::steps;

/// The fewest digits of a date.
pub const DIGITS_OF_A_DATE: usize = 4;

/// The fewest digits of a date with its year.
pub const DIGITS_OF_A_WHOLE_DATE: usize = 6;

/// The fewest headers with labels that are not among [`LABELS`].
const MIN_UNKNOWN_HEADERS: usize = 3;

/// The labels of headers above quotes, in the languages of many programs.
const LABELS: [&str; 44] = [
    "from",
    "sent",
    "to",
    "date",
    "subject",
    "cc",
    "reply-to",
    "von",
    "gesendet",
    "an",
    "datum",
    "betreff",
    "de",
    "envoyé",
    "à",
    "objet",
    "van",
    "verzonden",
    "aan",
    "onderwerp",
    "från",
    "skickat",
    "till",
    "ämne",
    "fra",
    "sendt",
    "til",
    "emne",
    "da",
    "inviato",
    "oggetto",
    "enviado",
    "para",
    "asunto",
    "assunto",
    "od",
    "wysłano",
    "do",
    "temat",
    "lähettäjä",
    "lähetetty",
    "от",
    "кому",
    "дата",
];

/// The longest label of a header, in characters.
const MAX_LABEL_CHARS: usize = 24;

/// What lines with the form of headers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headers {
    /// With an address, or in a known language.
    Known,
    /// Perhaps a person's own: `Time: …`, `Place: …`.
    Likely,
}

/// Whether headers of a quote begin here, in any language: `Word: value` twice, and one of the values has an address or a date.
/// People write such lines too, as `Time: 12:30` and `Place: here`, so a date alone needs further evidence.
pub fn header_block(lines: &[&str], is_ours_below: bool) -> Option<Headers> {
    if lines[0].is_empty() {
        return None;
    }
    let filled = lines.iter().filter(|line| !line.is_empty());
    let headers: Vec<(&str, &str)> =
        filled.map_while(|line| header(line)).take(MIN_UNKNOWN_HEADERS).collect();
    let any = |is: &dyn Fn(&str) -> bool| headers.iter().take(2).any(|(_, value)| is(value));
    let are_known =
        || headers.iter().take(2).all(|(label, _)| LABELS.contains(&label.to_lowercase().as_str()));
    // Some programs write names and days alone.
    let are_labels = headers.len() >= MIN_UNKNOWN_HEADERS
        && headers.iter().all(|(label, _)| LABELS.contains(&label.to_lowercase().as_str()));
    let are_many =
        || headers.len() >= MIN_UNKNOWN_HEADERS && any(&|value| digits(value) >= DIGITS_OF_A_WHOLE_DATE);
    let has_digits = |least: usize| any(&|value| digits(value) >= least);
    // The last line of a message, above the headers, may be like one: `Place: the usual`.
    let stands_apart = lines.get(1).is_some_and(|next| next.is_empty()) && !is_one(lines[0]);
    if headers.len() < 2 || stands_apart {
        return None;
    }
    let is_known =
        are_labels || any(&|value| value.contains('@')) || has_digits(DIGITS_OF_A_DATE) && are_known();
    let is_likely = has_digits(DIGITS_OF_A_WHOLE_DATE) && is_ours_below || are_many();
    if is_known { Some(Headers::Known) } else { is_likely.then_some(Headers::Likely) }
}

/// The value of a line that has the form of a header.
pub fn header_value(line: &str) -> Option<&str> {
    header(line).map(|(_, value)| value)
}

/// The label and value of a line that has the form of a header.
fn header(line: &str) -> Option<(&str, &str)> {
    steps::count(line.len());
    let line = line.trim_start_matches(['*', '_', '|']);
    let (label, value) = line.split_once([':', '\u{ff1a}'])?;
    let label = label.trim_matches(['*', '_', ' ', '\u{a0}']);
    let is_label = (1..=MAX_LABEL_CHARS).contains(&label.chars().count())
        && label.split_whitespace().count() <= 3
        && label
            .chars()
            .all(|character| character.is_alphabetic() || matches!(character, ' ' | '-' | '.' | '\''));
    is_label.then_some((label, value.trim()))
}

/// Whether a line alone is surely a header of a quote.
pub fn is_one(line: &str) -> bool {
    header(line).is_some_and(|(label, value)| {
        let is_known = LABELS.contains(&label.to_lowercase().as_str());
        is_known || value.contains('@') || digits(value) >= DIGITS_OF_A_WHOLE_DATE
    })
}

/// Whether a line is a header of a quote in a known language.
pub fn is_known(line: &str) -> bool {
    header(line).is_some_and(|(label, _)| LABELS.contains(&label.to_lowercase().as_str()))
}

/// The number of digits in a text.
pub fn digits(text: &str) -> usize {
    text.chars().filter(|character| character.is_numeric()).count()
}
