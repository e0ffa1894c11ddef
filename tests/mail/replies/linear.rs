//! Reading takes steps in proportion to the length of a mail, whatever it holds.

use pippost::games::letters::notation::{self, LineReading, ReadLines};
use pippost::games::letters::steps;
use pippost::replies::OurMail;
use pippost::replies::message;
use pippost::replies::orders::{Orders, Writer};
use pippost::rules::{self, Chance, Position, RuleSet, Step, Words};
use proptest::prelude::*;

/// The shortest mail that is compared with one of twice its length, in bytes.
const BYTES: usize = 12 * 1024;

/// What looking some lines ahead may cost, which both lengths pay once.
const WINDOW: usize = 128 * 1024;

/// Chance in which every word is zero.
struct Zeros;

impl Words for Zeros {
    fn next_word(&mut self) -> u32 {
        0
    }
}

fn position(rules: &dyn RuleSet) -> Box<dyn Position> {
    let options = rules.complete_options(&serde_json::json!({})).expect("defaults");
    let mut zeros = Zeros;
    let mut step = Step::new(Chance::Drawn(&mut zeros));
    let seats = *rules.seats(&options).expect("possible").start();
    rules.start(&options, seats, &mut step).unwrap_or_else(|_| panic!("chance is known"))
}

/// Reads lines at a position of the named rule set.
struct By<'p> {
    position: &'p dyn Position,
    name: &'p str,
}

impl ReadLines for By<'_> {
    fn read(&self, line: &str) -> LineReading {
        notation::read(self.position, self.name, line, true)
    }

    fn meant(&self, line: &str) -> Option<String> {
        notation::meant(self.position, self.name, line)
    }

    fn named(&self, line: &str) -> Vec<String> {
        notation::named(self.position, line)
    }

    fn has_other_words(&self, line: &str) -> bool {
        notation::has_other_words(self.position, self.name, line)
    }
}

/// The steps of reading a mail whose body is `unit` again and again.
fn steps_of(kind: &str, unit: &str, times: usize, name: &str, position: &dyn Position) -> usize {
    let body = unit.repeat(times);
    let raw = format!(
        "From: Ann <ann@example.org>\r\nTo: play@example.org\r\nMessage-ID: <1@x>\r\nMIME-Version: 1.0\r\n\
         Content-Type: {kind}\r\n\r\n{body}\r\n"
    );
    let ours = OurMail::new("play.example.org", None);
    let writer = Writer { ours: &ours, name: Some("Ann"), address: Some("ann@example.org"), handle: "ann" };
    let action = By { position, name };
    let before = steps::taken();
    let mail = message::read(raw.as_bytes(), None).expect("a mail");
    let orders = Orders::read(&mail.text, writer, &action);
    assert!(orders.actions.len() <= 32);
    steps::taken() - before
}

/// What a mail may repeat, for any of the scanners.
const FRAGMENTS: [&str; 49] = [
    "\n",
    "\n",
    "\n\n",
    " ",
    ";",
    "> ",
    "| ",
    "- ",
    "a",
    "ab12",
    "hello world this is prose of a kind",
    "status",
    "turns off",
    "stauts",
    "if ",
    " then ",
    "otherwise ",
    "always ",
    "Hello ann,",
    "Hello bob,",
    "It is your turn in Six\u{2022}Six against bob.",
    "On Sat, 21 Nov 2026 at 13:00, a <a@example.org> wrote:",
    "From: a@example.org",
    "Sent: 21.11.2026 13:00",
    "---",
    "-- ",
    "------- x -------",
    "*** x ***",
    "________________________________",
    "This e-mail is confidential and only for the intended recipient",
    "https://play.example.org/games/1",
    "Sent from my iPhone",
    "Acme GmbH",
    "030 1234567 89",
    "J.D.",
    "Ann",
    "<div>",
    "</div>",
    "<p>",
    "<blockquote>",
    "<s>",
    "&amp;",
    "\u{200b}",
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "#12 store",
    "Make that ",
    "c6 n9 instead",
    "note ",
    "Time: 12:30",
];

fn fragment() -> impl Strategy<Value = (bool, usize)> {
    (proptest::bool::weighted(0.2), 0..1000_usize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_mail_of_twice_the_length_takes_at_most_twice_the_steps(
        parts in proptest::collection::vec(fragment(), 1..9),
        rule_set in 0..1000_usize,
        is_html in proptest::bool::ANY,
    ) {
        let all: Vec<&dyn RuleSet> = rules::all().collect();
        let rules = all[rule_set % all.len()];
        let position = position(rules);
        let legal: Vec<String> =
            position.legal().iter().filter_map(|action| position.write(action)).collect();
        let unit: String = parts
            .iter()
            .map(|(is_action, number)| match legal.get(number % legal.len().max(1)) {
                Some(action) if *is_action => action.as_str(),
                _ => FRAGMENTS[number % FRAGMENTS.len()],
            })
            .collect();
        let kind = if is_html { "text/html" } else { "text/plain" };
        let times = BYTES.div_ceil(unit.len());
        let steps = |times| steps_of(kind, &unit, times, rules.name(), &*position);
        let (once, twice) = (steps(times), steps(2 * times));
        prop_assert!(once > 0 || unit.trim().is_empty(), "nothing was counted");
        prop_assert!(twice <= 2 * once + WINDOW, "{once} and {twice} steps of {unit:?} in {}", rules.name());
    }
}
