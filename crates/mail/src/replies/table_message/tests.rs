use super::*;

fn written(text: &str) -> Written {
    read(&text.lines().collect::<Vec<_>>(), &Names::new(Some("Ann Example"), None, "ann"))
}

#[test]
fn a_message_is_its_paragraphs() {
    let message = Written::message;
    assert_eq!(written("\nWell played!\n"), message("Well played!"));
    assert_eq!(written("One.\nTwo.\n\nThree."), message("One.\nTwo.\n\nThree."));
    assert_eq!(written("See www.example.org for the rules"), message("See www.example.org for the rules"));
    assert_eq!(written("I scored 12 34 in 2026"), message("I scored 12 34 in 2026"));
    assert_eq!(written("\n"), Written::Empty);
}

#[test]
fn a_signature_is_no_message() {
    for text in [
        "Ann Example",
        "Ann",
        "Ann Example\nAcme GmbH",
        "Dr. A. Example, Sales\nTel. +49 (0)30 1234567\nann@acme.example",
        "Phone: +1 555 010 9999\nMail: ann@acme.example",
        "Kind regards,\n\nAnn Example\nSenior Engineer\nACME Ltd",
        "Mit freundlichen Grüßen\nAnn Example",
        "Kind regards",
        "<https://www.scanner.example/mail>\nVirus-free.www.scanner.example",
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
        let Written::Message { text, .. } = written(&text) else { panic!("{below}") };
        assert_eq!(text, "Well played!", "{below}");
    }
    assert_eq!(written("Well played!\nBest,\nAnn"), Written::message("Well played!"));
    assert_eq!(written("Sorry,"), Written::message("Sorry,"));
}

/// The names of senders whose `From` says nothing, little, or all of who they are.
const SENDERS: [(Option<&str>, &str); 4] = [
    (None, "x123@example.org"),
    (Some("Example, Ann"), "x123@example.org"),
    (None, "ann.example@example.org"),
    (Some("ann"), "ann@example.org"),
];

#[test]
fn a_signature_of_a_company_is_no_message_whoever_it_comes_from() {
    for (name, address) in SENDERS {
        let names = Names::new(name, Some(address), "nina");
        for text in [
            "Ann Example\nSenior Engineer\nACME Ltd\n1 High Street",
            "Acme GmbH\nHauptstr. 5\n10115 Berlin",
            "Example, Ann\nAcme B.V.\n1012 AB Amsterdam",
            "ACME Inc.\n12 Main Street\nSpringfield IL 62704",
            "Dr. Ann Example\nLeiterin Vertrieb\nAcme AG",
            "Acme GmbH",
            "ACME Ltd\n1 High Street\nLeeds LS1 4AP",
            "Ann Example | Sales | Acme",
            "Ann Example\nEXAMPLE S.p.A.\nVia Roma 1\n20121 Milano",
        ] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(read(&lines, &names), Written::Signature, "{name:?} {address}: {text}");
        }
    }
    let names = Names::new(Some("Example, Ann"), Some("x@example.org"), "nina");
    for text in ["Ann Example", "Ann", "Example, Ann", "A. Example", "Nina", "Dr. Ann Example"] {
        assert_eq!(read(&[text], &names), Written::Signature, "{text}");
    }
}

#[test]
fn what_people_tell_each_other_is_told_whole() {
    for text in [
        "See you on 21.11.2026!\n\nI look forward to it.",
        "One more thing.\n\nThe rules are at https://www.example.net/rules if you want to read them.\n\nBye!",
        "Let us play again.\n\nOn 2026-11-21 or 11/22/2026 I have time.\n\nWhich is better for you?",
        "Time: 12:30 tomorrow?\nPlace: the usual",
        "Roses are red\nViolets are blue\nI rolled a one\nAnd so do you",
        "I work at ACME Ltd, and they sell dice.",
        "We live in 10115 Berlin now.",
        "Kind regards to your sister!",
        "https://www.example.net/rules",
        "In 2026 I scored 1200 of 1500 points",
    ] {
        assert_eq!(written(text), Written::message(text), "{text}");
    }
}

#[test]
fn what_is_cut_is_known_to_be_cut() {
    for below in [
        "Acme GmbH\nTel. 030 1234567",
        "ann@acme.example",
        "Van: pippost\nOver: www.example.net",
        "---\nAcme GmbH",
    ] {
        let text = format!("Well played!\n\n{below}\n\nAnd by the way, you forgot your hat.");
        assert_eq!(
            written(&text),
            Written::Message { text: "Well played!".to_owned(), cut: true },
            "{below}"
        );
    }
}
