//! Recognises signatures that programs put below mails: names, companies, addresses, telephone numbers.

use super::headers::header_value;
use pippost_games::letters::steps;

/// The fewest digits of a phone number.
const MIN_PHONE_DIGITS: usize = 7;

/// The number of features at which a paragraph counts as a signature.
const SIGNS_OF_A_SIGNATURE: usize = 2;

/// The most characters of a line in a signature. Sentences are longer, or end with a sign.
const MAX_SHORT_CHARS: usize = 48;

/// The fewest lines of a paragraph of short lines that looks like an address.
const MIN_SHORT_LINES: usize = 3;

/// The most words of a line that is only an address, a page or a phone number, such as `Tel. 030 1234567`.
const MAX_WORDS_OF_CONTACT: usize = 4;

/// The forms of companies, as words.
const COMPANIES: [&str; 34] = [
    "gmbh",
    "mbh",
    "ag",
    "kg",
    "ohg",
    "ug",
    "e.v",
    "ltd",
    "limited",
    "inc",
    "llc",
    "llp",
    "plc",
    "corp",
    "corporation",
    "company",
    "b.v",
    "bv",
    "n.v",
    "nv",
    "s.a",
    "sa",
    "sas",
    "sarl",
    "s.r.l",
    "srl",
    "s.p.a",
    "spa",
    "oy",
    "ab",
    "a/s",
    "aps",
    "sp. z o.o",
    "kft",
];

/// Words of what people do in a company, in the languages of many companies.
const ROLES: [&str; 24] = [
    "engineer",
    "manager",
    "director",
    "developer",
    "consultant",
    "officer",
    "president",
    "assistant",
    "analyst",
    "sales",
    "marketing",
    "professor",
    "leiter",
    "leiterin",
    "geschäftsführer",
    "geschäftsführerin",
    "entwickler",
    "entwicklerin",
    "berater",
    "beraterin",
    "vertrieb",
    "directeur",
    "ingénieur",
    "ingeniero",
];

/// Titles that stand before or after a name.
const TITLES: [&str; 16] = [
    "dr", "prof", "mr", "mrs", "ms", "herr", "frau", "dipl", "ing", "phd", "msc", "bsc", "mba", "med", "jr",
    "sr",
];

/// Words of the register that a company is in, as the law of many countries wants them below mails.
const REGISTERS: [&str; 14] = [
    "hrb ",
    "hra ",
    "amtsgericht",
    "handelsregister",
    "sitz der gesellschaft",
    "ust-id",
    "registered office",
    "registered in ",
    "company number",
    "siret",
    "rcs ",
    "kvk",
    "p. iva",
    "org.nr",
];

/// The names of the sender.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Words in lower case.
    words: Vec<String>,
    /// The first letters of the display name, in lower case.
    initials: String,
}

impl Names {
    /// Takes the words of a display name, an address and a handle.
    #[must_use]
    pub fn new(name: Option<&str>, address: Option<&str>, handle: &str) -> Self {
        let local = address.and_then(|address| address.split('@').next()).unwrap_or_default();
        let words = [name.unwrap_or_default(), local, handle].into_iter().flat_map(words_of);
        let initials = words_of(name.unwrap_or_default()).filter_map(|word| word.chars().next()).collect();
        Self { words: words.filter(|word| word.chars().count() >= 2).collect(), initials }
    }

    /// Whether a line is only the initials of the sender, as `J.D.`
    pub fn have_initials(&self, line: &str) -> bool {
        let letters: String = line.chars().filter(|sign| !matches!(sign, '.' | ' ' | '-')).collect();
        letters.chars().count() >= 2 && letters.to_lowercase() == self.initials
    }

    /// Whether a line is only the sender's name: whole or in part, in any order, with titles and initials.
    pub fn are(&self, line: &str) -> bool {
        steps::count(line.len());
        let words: Vec<String> = words_of(line).collect();
        let is_initial = |word: &String| word.chars().count() == 1;
        let is_name = |word: &String| self.words.contains(word);
        let glued: String = words.concat();
        words.iter().any(is_name)
            && words.iter().all(|word| is_name(word) || is_initial(word) || TITLES.contains(&word.as_str()))
            || self.words.contains(&glued)
    }
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().into_iter()
}

/// Whether a paragraph is a signature. Below a message, a line that is only a name or an address suffices.
pub fn is_signature(paragraph: &[&str], names: &Names, is_first: bool) -> bool {
    steps::count(paragraph.iter().map(|line| line.len()).sum());
    let begins = if is_first { &paragraph[..1] } else { paragraph };
    let alone = |line: &str| line.split_whitespace().count() <= MAX_WORDS_OF_CONTACT && !ends_sentence(line);
    let company = paragraph.len() == 1 && alone(paragraph[0]) && ends_like_company(paragraph[0]);
    // A link alone is what a message may be about.
    let reaches = |line: &str| has_address(line) || is_phone(line);
    let contact =
        !is_first && paragraph.iter().all(|line| alone(line)) && paragraph.iter().any(|line| reaches(line));
    // Programs put links between such signs when they turn HTML into text; people do not.
    let is_bracketed = |line: &str| line.starts_with('<') && line.ends_with('>');
    let links = paragraph.iter().all(|line| is_bracketed(line) || alone(line) && has_page(line))
        && paragraph.iter().any(|line| is_bracketed(line));
    begins.iter().any(|line| names.are(line))
        || company
        || links
        || contact
        || signs(paragraph, names) >= SIGNS_OF_A_SIGNATURE
}

/// How many features of a signature a paragraph has.
fn signs(paragraph: &[&str], names: &Names) -> usize {
    let any = |is: &dyn Fn(&str) -> bool| usize::from(paragraph.iter().any(|line| is(line)));
    let labels = paragraph.iter().filter(|line| header_value(line).is_some()).count() >= 2;
    any(&has_address)
        + any(&has_page)
        + any(&is_phone)
        + any(&|line| names.are(line))
        + any(&|line| [" | ", " \u{b7} ", " \u{2022} "].iter().any(|sign| line.contains(sign)))
        + any(&has_register)
        + any(&has_company)
        + any(&has_postcode)
        + any(&has_role)
        + usize::from(labels)
        + usize::from(is_block(paragraph))
}

fn has_address(line: &str) -> bool {
    line.split_whitespace().any(|word| word.contains('@') && word.contains('.'))
}

fn has_page(line: &str) -> bool {
    line.contains("www.") || line.contains("://")
}

/// Whether a short line names a company by its legal form, as in `Acme GmbH`.
fn has_company(line: &str) -> bool {
    let is_form =
        |word: &str| COMPANIES.contains(&word.trim_matches([',', '.', '(', ')']).to_lowercase().as_str());
    // A form stands behind a name and is written as one: "ag" and "sa" are words of some languages.
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_upper = |word: &str| word.chars().any(char::is_uppercase);
    let upper = words.windows(2).any(|pair| is_form(pair[1]) && is_upper(pair[1]) && is_upper(pair[0]));
    upper && !ends_sentence(line.trim_end_matches('.'))
}

/// Whether a line names the register of a company.
fn has_register(line: &str) -> bool {
    let lower = line.to_lowercase();
    REGISTERS.iter().any(|word| lower.contains(word))
}

fn ends_like_company(line: &str) -> bool {
    has_company(line)
        && line.split_whitespace().last().is_some_and(|last| {
            COMPANIES.contains(&last.trim_matches([',', '.', '(', ')']).to_lowercase().as_str())
        })
}

/// Whether a line begins with a postcode and a town, or ends with a postcode: `10115 Berlin`, `1012 AB Amsterdam`, `Leeds LS1 4AP`.
fn has_postcode(line: &str) -> bool {
    let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &str| {
        let bare = word.trim_start_matches(|sign: char| sign.is_ascii_uppercase() || sign == '-');
        (4..=6).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_town = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let continental = words.len() <= MAX_WORDS_OF_CONTACT
        && words.windows(2).any(|pair| is_number(pair[0]) && is_town(pair[1]));
    let british = words.windows(2).last().is_some_and(|pair| {
        let has = |word: &str, is: fn(&char) -> bool| word.chars().any(|sign| is(&sign));
        let code = |word: &str| {
            (2..=4).contains(&word.len())
                && word.chars().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit())
                && has(word, char::is_ascii_digit)
                && has(word, char::is_ascii_uppercase)
        };
        code(pair[0]) && code(pair[1])
    });
    let american = words.windows(2).last().is_some_and(|pair| {
        pair[0].len() == 2 && pair[0].bytes().all(|byte| byte.is_ascii_uppercase()) && is_number(pair[1])
    });
    !ends_sentence(line) && (continental || british || american)
}

fn has_role(line: &str) -> bool {
    line.chars().count() <= MAX_SHORT_CHARS
        && !ends_sentence(line)
        && line.chars().next().is_some_and(char::is_uppercase)
        && words_of(line).any(|word| ROLES.contains(&word.as_str()))
}

/// Whether the paragraph has the form of an address: several short lines, none of which is a sentence.
fn is_block(paragraph: &[&str]) -> bool {
    let begins =
        |line: &str| line.chars().next().is_some_and(|first| first.is_uppercase() || first.is_numeric());
    let short =
        |line: &&&str| line.chars().count() <= MAX_SHORT_CHARS && !ends_sentence(line) && begins(line);
    let is_named = |line: &&str| {
        let mut long = line.split_whitespace().filter(|word| word.chars().count() >= 4);
        long.all(|word| word.chars().next().is_some_and(|first| !first.is_lowercase()))
    };
    let least = if paragraph.iter().all(is_named) { MIN_SHORT_LINES - 1 } else { MIN_SHORT_LINES };
    paragraph.len() >= least && paragraph.iter().filter(short).count() == paragraph.len()
}

fn ends_sentence(line: &str) -> bool {
    line.ends_with(['.', '!', '?', '\u{2026}', '\u{3002}', '\u{ff01}', '\u{ff1f}', ')', ';'])
}

/// Whether a line holds a phone number: many digits with the signs between them that people write, and no date.
fn is_phone(line: &str) -> bool {
    let of_number = |sign: char| {
        sign.is_ascii_digit() || matches!(sign, ' ' | '-' | '/' | '(' | ')' | '+' | '.' | '\u{a0}')
    };
    line.split(|sign: char| !of_number(sign)).any(|run| {
        let groups: Vec<&str> =
            run.split(|sign: char| !sign.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
        let mut digits = 0;
        let mut at = 0;
        while at < groups.len() {
            if is_date(&groups[at..]) {
                at += 3;
            } else {
                digits += groups[at].len();
                at += 1;
            }
        }
        digits >= MIN_PHONE_DIGITS
    })
}

/// Whether the first three groups of digits are a date: 21.11.2026, 2026-11-21, 11/21/26.
fn is_date(groups: &[&str]) -> bool {
    let [first, second, third, ..] = groups else { return false };
    let small =
        |group: &str| group.len() <= 2 && group.parse::<u8>().is_ok_and(|number| (1..=31).contains(&number));
    let year = |group: &str| group.len() == 4 && (group.starts_with("19") || group.starts_with("20"));
    small(second) && (small(first) && (year(third) || third.len() == 2) || year(first) && small(third))
}
