//! Tells answers that surely mean their orders from those that may not: `Do not` above `store`, `No wait` below it.
//!
//! Greetings, closings, names and the banners of companies say nothing about orders. Any other line is doubtful if it negates,
//! asks, corrects or weighs, in the words of any language, or if it stands above an order and ends in the middle of a sentence.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::signature::Names;
use super::table_message::is_farewell_line;
use pippost_games::letters::steps;
use pippost_language::Language;

/// The most words of a greeting or of a line that leads to an order.
const MAX_SHORT_WORDS: usize = 5;

/// The most words of a greeting that ends without a sign.
const MAX_BARE_WORDS: usize = 3;

/// What follows `good` in a greeting.
const DAYTIMES: [&str; 5] = ["morning", "day", "afternoon", "evening", "night"];

/// Words that negate, ask, correct or weigh in languages that no catalogue has.
const DOUBTS: [&str; 116] = [
    // Dutch
    "niet",
    "geen",
    "nooit",
    "nee",
    "maar",
    "liever",
    "misschien",
    "toch",
    "wacht",
    "fout",
    "bedoelde",
    "annuleer",
    // French
    "ne",
    "pas",
    "non",
    "jamais",
    "plut\u{f4}t",
    "peut-\u{ea}tre",
    "mais",
    "ou",
    "attends",
    "attendez",
    "erreur",
    "annule",
    "sinon",
    // Spanish, Portuguese, Italian
    "nunca",
    "tampoco",
    "sino",
    "pero",
    "quiz\u{e1}",
    "quiz\u{e1}s",
    "mejor",
    "espera",
    "error",
    "cancelar",
    "cancela",
    "n\u{e3}o",
    "nao",
    "mas",
    "talvez",
    "melhor",
    "erro",
    "forse",
    "meglio",
    "aspetta",
    "errore",
    "anzi",
    "oppure",
    "annulla",
    // Swedish, Danish, Norwegian
    "inte",
    "ej",
    "aldrig",
    "aldri",
    "nej",
    "nei",
    "kanske",
    "m\u{e5}ske",
    "kanskje",
    "hellre",
    "hellere",
    "heller",
    "v\u{e4}nta",
    "vent",
    "fel",
    "fejl",
    "feil",
    "eller",
    "ikke",
    "men",
    // Finnish
    "ei",
    "\u{e4}l\u{e4}",
    "ehk\u{e4}",
    "mutta",
    "odota",
    "v\u{e4}\u{e4}rin",
    "mieluummin",
    "sittenkin",
    "peruuta",
    // Polish, Czech, Slovak
    "nie",
    "nigdy",
    "ale",
    "mo\u{17c}e",
    "raczej",
    "czekaj",
    "b\u{142}\u{105}d",
    "albo",
    "lub",
    "czy",
    "anuluj",
    "nen\u{ed}",
    "nikdy",
    "mo\u{17e}n\u{e1}",
    "rad\u{11b}ji",
    "po\u{10d}kej",
    "nebo",
    // Hungarian, Turkish
    "nem",
    "soha",
    "tal\u{e1}n",
    "ink\u{e1}bb",
    "hiba",
    "m\u{e9}gsem",
    "vagy",
    "de\u{11f}il",
    "hay\u{131}r",
    "asla",
    "belki",
    "bekle",
    // Russian, Greek
    "\u{43d}\u{435}",
    "\u{43d}\u{435}\u{442}",
    "\u{43d}\u{438}\u{43a}\u{43e}\u{433}\u{434}\u{430}",
    "\u{43d}\u{43e}",
    "\u{43b}\u{443}\u{447}\u{448}\u{435}",
    "\u{438}\u{43b}\u{438}",
    "\u{3cc}\u{3c7}\u{3b9}",
    "\u{3bc}\u{3b7}\u{3bd}",
    "\u{3b4}\u{3b5}\u{3bd}",
];

/// The same in scripts that put no blanks between words.
const DOUBTING_SIGNS: [&str; 18] = [
    "\u{306a}\u{3044}",
    "\u{307e}\u{305b}\u{3093}",
    "\u{3044}\u{3084}",
    "\u{5f85}\u{3063}\u{3066}",
    "\u{3084}\u{3081}",
    "\u{3084}\u{3063}\u{3071}\u{308a}",
    "\u{304b}\u{3082}",
    "\u{8ff7}",
    "\u{4e0d}",
    "\u{522b}",
    "\u{7b49}\u{7b49}",
    "\u{8fd8}\u{662f}",
    "\u{6216}\u{8005}",
    "\u{53d6}\u{6d88}",
    "\u{c544}\u{b2c8}",
    "\u{b9d0}\u{ace0}",
    "\u{c7a0}\u{ae50}",
    "\u{cde8}\u{c18c}",
];

/// Words with which greetings begin, in many languages.
const GREETINGS: [&str; 43] = [
    "hi",
    "hello",
    "hey",
    "dear",
    "hiya",
    "howdy",
    "greetings",
    "hallo",
    "moin",
    "servus",
    "liebe",
    "lieber",
    "guten",
    "gr\u{fc}\u{df}",
    "hoi",
    "beste",
    "goedemorgen",
    "bonjour",
    "salut",
    "bonsoir",
    "cher",
    "ch\u{e8}re",
    "hola",
    "buenas",
    "buenos",
    "ol\u{e1}",
    "oi",
    "bom",
    "ciao",
    "buongiorno",
    "caro",
    "cara",
    "hej",
    "hejsan",
    "hei",
    "terve",
    "cze\u{15b}\u{107}",
    "dzie\u{144}",
    "ahoj",
    "szia",
    "merhaba",
    "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}",
    "\u{3b3}\u{3b5}\u{3b9}\u{3ac}",
];

/// What banners of companies speak of: where a mail comes from, and that it is a mail.
const OUTSIDE: [&str; 9] = [
    "extern",
    "outside",
    "originated",
    "caution",
    "achtung",
    "vorsicht",
    "unknown sender",
    "attention",
    "extern\u{e9}",
];
const OF_MAIL: [&str; 8] =
    ["mail", "message", "sender", "organi", "nachricht", "absender", "company", "exp\u{e9}diteur"];

/// The words of a text of the catalogue, in all languages.
fn words_of(key: &str) -> HashSet<String> {
    let said = Language::all().map(|language| language.say(key));
    said.flat_map(|said| said.split(',').map(|word| word.trim().to_lowercase()).collect::<Vec<_>>()).collect()
}

static DOUBT_WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| words_of("doubt-words").into_iter().chain(DOUBTS.map(str::to_owned)).collect());

static LEADING_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| words_of("leading-words"));

/// What a line of the sender's own was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// An order or a command.
    Order,
    /// It begins like an order and cannot be read.
    Nearly,
    /// An order that stands too far below to be done.
    Stray,
    /// No order.
    Other,
}

/// The doubts about the orders of a mail, line by line.
#[allow(clippy::struct_excessive_bools, reason = "each is found or not, whatever the others are")]
pub struct Doubts<'n> {
    names: &'n Names,
    /// No order stood above.
    is_above: bool,
    /// The last line that was no order ends in the middle of a sentence.
    is_open: bool,
    /// A banner goes on to the end of its paragraph.
    in_banner: bool,
    are_found: bool,
}

impl<'n> Doubts<'n> {
    pub fn new(names: &'n Names) -> Self {
        Self { names, is_above: true, is_open: false, in_banner: false, are_found: false }
    }

    pub fn are_found(&self) -> bool {
        self.are_found
    }

    /// Adds the next line.
    pub fn add(&mut self, line: &str, taken_for: Line) {
        steps::count(line.len());
        if line.is_empty() {
            self.in_banner = false;
            return;
        }
        match taken_for {
            Line::Order | Line::Nearly => {
                self.are_found |= self.is_open || taken_for == Line::Nearly && is_doubtful(line);
                (self.is_open, self.in_banner, self.is_above) = (false, false, false);
            }
            Line::Stray => self.are_found = true,
            Line::Other => self.add_other(line),
        }
    }

    fn add_other(&mut self, line: &str) {
        let lower = line.to_lowercase();
        self.in_banner |= self.is_above && is_banner(&lower);
        if self.in_banner || !lower.chars().any(char::is_alphanumeric) {
            return;
        }
        self.are_found |= is_doubtful(line);
        let greeting = is_greeting(&lower);
        let is_courtesy = greeting || is_farewell_line(line, self.names) || self.names.have_initials(line);
        self.is_open = !(is_courtesy || ends_sentence(line) || is_leading(&lower));
    }
}

/// Whether a line negates, asks, corrects or weighs.
fn is_doubtful(line: &str) -> bool {
    let lower = line.to_lowercase();
    // The first word of a greeting may look like a doubt, as in `Lieber Bob`.
    let mut said = words_in(&lower).skip(usize::from(is_greeting(&lower)));
    said.any(|word| DOUBT_WORDS.contains(word))
        || asks(line)
        || DOUBTING_SIGNS.iter().any(|sign| lower.contains(sign))
}

fn words_in(lower: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |sign: char| sign.is_alphanumeric() || matches!(sign, '\'' | '\u{2019}' | '-');
    lower.split(move |sign| !is_of_word(sign)).filter(|word| !word.is_empty())
}

/// Whether a line asks something; a web address may hold the sign, too.
fn asks(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        !word.contains("://")
            && word
                .trim_end_matches(['"', '\'', ')', '!', '\u{201d}'])
                .ends_with(['?', '\u{ff1f}', '\u{37e}', '\u{61f}'])
    })
}

/// Whether a short line greets somebody, as in `Hi Bob` and `Hello everybody out there!`.
fn is_greeting(lower: &str) -> bool {
    let words: Vec<&str> = words_in(lower).take(MAX_SHORT_WORDS + 1).collect();
    let most = if lower.ends_with(char::is_alphanumeric) { MAX_BARE_WORDS } else { MAX_SHORT_WORDS };
    let begins = match words.as_slice() {
        ["good", part, ..] => DAYTIMES.contains(part),
        [first, ..] => GREETINGS.contains(first),
        [] => false,
    };
    begins && words.len() <= most
}

/// Whether a short line announces the order below it, as in `My move:`.
fn is_leading(lower: &str) -> bool {
    let words: Vec<&str> = words_in(lower).take(MAX_SHORT_WORDS + 1).collect();
    lower.ends_with(':')
        && words.len() <= MAX_SHORT_WORDS
        && words.iter().any(|word| LEADING_WORDS.contains(*word))
}

/// Whether a company's server put the line above mails from outside.
fn is_banner(lower: &str) -> bool {
    let speaks = |of: &[&str]| of.iter().any(|word| lower.contains(word));
    lower.starts_with('[') && lower.ends_with(']') || speaks(&OUTSIDE) && speaks(&OF_MAIL)
}

/// Whether a line ends with its sentence, as far as signs say so.
fn ends_sentence(line: &str) -> bool {
    let bare = line.trim_end_matches(|sign: char| {
        matches!(sign, '"' | '\'' | ')' | '*' | '_' | '\u{201c}' | '\u{201d}' | '\u{bb}')
            || !sign.is_ascii() && !sign.is_alphanumeric() && !is_end(sign)
    });
    // A face made of signs or a small picture ends it, too.
    bare.len() < line.len() && !bare.ends_with([',', ':', ';', '-']) || bare.ends_with(is_end)
}

fn is_end(sign: char) -> bool {
    matches!(sign, '.' | '!' | '\u{2026}' | '\u{3002}' | '\u{ff01}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether there is doubt about the orders of a mail, which stand in lines with a plus.
    fn doubted(text: &str) -> bool {
        let names = Names::new(Some("Ann Example"), None, "ann");
        let mut doubts = Doubts::new(&names);
        for line in text.lines() {
            let taken_for = if line.starts_with('+') { Line::Order } else { Line::Other };
            doubts.add(line, taken_for);
        }
        doubts.are_found()
    }

    #[test]
    fn what_negates_asks_corrects_or_weighs_is_doubtful_in_many_languages() {
        for text in [
            "Do not\n+store",
            "I was wondering whether it would be a good idea to\n+store\nor to place it. What do you think?",
            "cancel\n\n+store",
            "not:\n+store\nbut:\n+c6 n1",
            "Options:\n+store\n+c6 n1\nWhich one is better?",
            "+store\n\nNo wait, I meant the other one.",
            "+store\n\nsorry, no:\n\n+c6 n1",
            "Bitte nicht\n+store",
            "+store\n\nNee, toch niet.",
            "+store\n\nNon, plut\u{f4}t autre chose.",
            "\u{43d}\u{435} \u{43d}\u{430}\u{434}\u{43e}.\n+store",
            "+store\n\u{3084}\u{3063}\u{3071}\u{308a}\u{ff01}",
            "I want to\n+store",
            "Lieber nicht,\n+store",
            "Hi, not\n+store",
            "Hi Bob I want to\n+store",
            "Good idea to\n+store",
        ] {
            assert!(doubted(text), "{text}");
        }
    }

    #[test]
    fn greetings_closings_names_banners_and_whole_sentences_are_not() {
        for text in [
            "+store",
            "Hi Bob,\n\n+store\n\nThanks,\nAnn",
            "Lieber Bob,\n+store\n\nViele Gr\u{fc}\u{df}e\nAnn",
            "Hoi!\n+store\nveel plezier",
            "My move:\n+store",
            "Mein Zug:\n\n+store",
            "[EXTERNAL]\n\n+store",
            "CAUTION: This email originated from outside of the organization. Do not click\nlinks or open attachments.\n\n+store",
            "Nice weather today.\n\n+store",
            "24h left! \u{1f600}\n+store",
            "+store\n+c6 n1\n\nSee you soon :-)\nA.E.",
        ] {
            assert!(!doubted(text), "{text}");
        }
    }
}
