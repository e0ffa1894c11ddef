use super::*;
use crate::notices::{Answer, AnswerLetter, Verdict};

const EVIL: &str = "<script>alert(1)</script>\" & {{ home }}";

fn verdicts() -> Vec<Verdict> {
    let (part, why) = (EVIL.to_owned(), EVIL.to_owned());
    vec![
        Verdict::Moved,
        Verdict::Resigned,
        Verdict::Told,
        Verdict::Empty,
        Verdict::Unreadable { part: part.clone(), why: why.clone() },
        Verdict::Illegal { part, why },
        Verdict::NotYourTurn,
        Verdict::Left,
        Verdict::GameOver,
        Verdict::Late,
        Verdict::Used,
        Verdict::Expired,
        Verdict::OtherAddress,
        Verdict::ConfirmResign { word: "k4zt2a".to_owned() },
    ]
}

fn letter(verdict: Verdict) -> AnswerLetter {
    AnswerLetter {
        game: samples::turn(),
        answer: Answer { verdict, history: false, help: true, message: true },
        asked: EVIL.to_owned(),
        legal: vec!["store".to_owned(), EVIL.to_owned()],
        more_legal: 3,
    }
}

#[test]
fn every_answer_says_something_of_its_own_in_short_lines() {
    let mut texts = std::collections::BTreeSet::new();
    for verdict in verdicts() {
        let text = rendered(Content::Answer(letter(verdict.clone()))).text;
        for line in text.lines().filter(|line| !line.starts_with("https://")) {
            assert!(line.chars().count() <= COLUMNS, "{line}");
            assert!(line == "-- " || line.trim_end() == line, "spaces at the end: {line:?}");
        }
        assert!(!text.contains("\n\n\n"), "{text}");
        assert!(text.contains("  store\n") && text.contains("... and 3 more\n"), "{text}");
        assert!(texts.insert(text), "{verdict:?} says nothing of its own");
    }
}

#[test]
fn what_a_mail_said_is_repeated_as_text() {
    for verdict in verdicts() {
        let html = rendered(Content::Answer(letter(verdict))).html;
        assert!(!html.contains("<script"), "{html}");
    }
}

#[test]
fn the_word_that_confirms_stands_on_a_line_of_its_own() {
    let text = rendered(Content::Answer(letter(Verdict::ConfirmResign { word: "k4zt2a".to_owned() }))).text;
    assert!(text.contains("\n\n  resign k4zt2a\n"), "{text}");
}

#[test]
fn only_a_mail_that_can_be_answered_says_so() {
    let links = Links::new("https://play.example.org").expect("a URL");
    for answerable in [true, false] {
        let reading = Reading { reader: &Reader::default(), answerable, unsubscribe: None };
        let mail = render(Content::Game(samples::turn()), None, &reading, &links);
        assert_eq!(mail.text.contains("answer this mail"), answerable, "{}", mail.text);
        assert_eq!(mail.html.contains("answer this mail"), answerable, "{}", mail.html);
    }
}
