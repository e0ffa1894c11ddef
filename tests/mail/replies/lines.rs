//! Which lines of a mail are actions, which are failed attempts at one, and which are neither.

use pippost::games::letters::notation::{LineReading, read};
use pippost::rules::{self, Chance, Step, Words};

/// Chance in which every die shows a one.
struct Ones;

impl Words for Ones {
    fn next_word(&mut self) -> u32 {
        0
    }
}

fn kind(name: &str, line: &str) -> &'static str {
    let rules = rules::find(name, Some(1)).expect("a rule set");
    let options = rules.complete_options(&serde_json::json!({})).expect("defaults");
    let mut ones = Ones;
    let mut step = Step::new(Chance::Drawn(&mut ones));
    let position = rules.start(&options, 2, &mut step).unwrap_or_else(|_| panic!("{name}"));
    match read(&*position, name, line, true) {
        LineReading::Action(_) => "action",
        LineReading::Broken(_) => "broken",
        LineReading::Distant(_) => "distant",
        LineReading::Other => "other",
    }
}

#[test]
fn actions_in_notation_and_in_the_words_of_a_language_are_actions() {
    for (rules, line) in [
        ("pip-pip", "store"),
        ("pip-pip", "C6 N1"),
        ("pippinzip", "a1 b2"),
        ("pippinzip", "take"),
        ("dominion", "Passe"),
        ("dominion", "attack a1 a2"),
    ] {
        assert_eq!(kind(rules, line), "action", "{rules}: {line}");
    }
}

#[test]
fn what_begins_like_an_action_is_meant_as_one() {
    for (rules, line) in [
        ("pip-pip", "stroe"),
        ("pip-pip", "c6 m1"),
        ("pip-pip", "c9 n1"),
        ("dominion", "depoly a1 3"),
        ("pippinzip", "b99"),
    ] {
        assert_eq!(kind(rules, line), "broken", "{rules}: {line}");
    }
}

#[test]
fn numbers_with_letters_are_not_notation_unless_the_game_writes_so() {
    for line in ["24h", "2nd thought", "5pm is fine", "B2B", "1st", "3D printed", "4x"] {
        for rules in ["pip-pip", "pippinzip", "dominion"] {
            assert_eq!(kind(rules, line), "other", "{rules}: {line}");
        }
    }
    assert_eq!(kind("pippinzip", "Take care,"), "distant");
    assert_eq!(kind("pip-pip", "store please"), "distant");
    assert_eq!(kind("pip-pip", "stroe"), "broken");
    assert_eq!(kind("pip-pip", "c9 n1"), "broken");
}

#[test]
fn a_sentence_that_begins_like_a_misspelt_action_is_none() {
    for (rules, line) in [
        ("pip-pip", "Score so far is 3 to 2, isn't it"),
        ("pip-pip", "Role playing is fun"),
        ("pippinzip", "Make it quick"),
        ("dominion", "Past weeks were hard, sorry for the delay"),
    ] {
        let expected = if line.contains('3') { "broken" } else { "other" };
        assert_eq!(kind(rules, line), expected, "{rules}: {line}");
    }
    for (rules, line) in [("pip-pip", "stroe please"), ("dominion", "depoly a4 1")] {
        assert_eq!(kind(rules, line), "broken", "{rules}: {line}");
    }
    // A word of an action in one language may be nearly one of another.
    assert_eq!(kind("dominion", "Pass auf dich auf"), "distant");
}

#[test]
fn courtesies_are_neither() {
    for line in [
        "Hi,",
        "Thanks,",
        "veel plezier",
        "Best regards",
        "[EXTERNAL] This mail came from outside",
        "ann",
        "A nice day",
        "1 High Street",
        "This e-mail (and what is attached) is confidential.",
        "בתאריך שבת מאת pippost <play@example.org>",
    ] {
        for rules in rules::all() {
            assert_eq!(kind(rules.name(), line), "other", "{}: {line}", rules.name());
        }
    }
}
