use super::*;
use pippost_notices::{Answer, AnswerContent, RequestOutcome, RequestResult, TableFate, Verdict};

const HOSTILE: &str = "<script>alert(1)</script>\" & {{ home }}";

fn content(verdict: Verdict) -> AnswerContent {
    AnswerContent {
        game: Some(samples::turn()),
        games: None,
        who: Vec::new(),
        answer: Answer { help: true, left_out: vec![HOSTILE.to_owned()], ..Answer::new(verdict) },
        notation_help: "notation".to_owned(),
        legal: vec!["store".to_owned(), HOSTILE.to_owned()],
        more_legal: 3,
        also: vec![Answer::new(Verdict::Illegal { part: HOSTILE.to_owned(), why: HOSTILE.to_owned() })],
        more_also: 0,
    }
}

#[test]
fn the_subject_says_what_came_of_the_mail() {
    let subject = |verdict| rendered(Content::Answer(content(verdict))).subject;
    let done = |count| Verdict::Moved { done: vec!["store".to_owned(); count], stopped: None };
    assert_eq!(subject(done(1)), "Six•Six against bob: store done (#12)");
    assert_eq!(subject(done(5)), "Six•Six against bob: store, store, store … done (#12)");
    assert_eq!(subject(Verdict::NoOrder), "Six•Six against bob: no order found (#12)");
    let subjects: std::collections::BTreeSet<_> =
        samples::verdicts(HOSTILE, HOSTILE).into_iter().map(subject).collect();
    assert!(subjects.len() >= samples::verdicts(HOSTILE, HOSTILE).len() - 5, "{subjects:?}");
}

#[test]
fn what_a_mail_without_orders_did_is_said_first_and_in_the_subject() {
    let answered = |preferences, table| {
        let answer = Answer { table, preferences, ..Answer::new(Verdict::Told) };
        let content = AnswerContent { answer, also: Vec::new(), ..content(Verdict::Told) };
        let mail = rendered(Content::Answer(content));
        (mail.subject, mail.text.lines().nth(2).unwrap_or_default().to_owned())
    };
    let stands = "This is how Six•Six against bob stands.";
    for (preferences, table, subject, first) in [
        (false, TableFate::None, "how it stands", stands),
        (false, TableFate::Told, "your message was told", "Your message was told to the table."),
        (false, TableFate::TooLong, "how it stands", stands),
        (true, TableFate::None, "your preferences are set", "Your preferences are set."),
    ] {
        let expected = (format!("Six•Six against bob: {subject} (#12)"), first.to_owned());
        assert_eq!(answered(preferences, table), expected);
    }
}

#[test]
fn what_was_understood_comes_first() {
    let understood = Verdict::Unreadable {
        part: "store please".to_owned(),
        understood: "store".to_owned(),
        why: String::new(),
    };
    let text = rendered(Content::Answer(content(understood))).text.replace('\n', " ");
    assert!(
        text.contains("I understood \"store\", but not \"please\" after it. Nothing was done."),
        "{text}"
    );
}

#[test]
fn every_answer_says_something_of_its_own_in_short_lines() {
    let mut texts = std::collections::BTreeSet::new();
    for verdict in samples::verdicts(HOSTILE, HOSTILE) {
        let text = rendered(Content::Answer(content(verdict.clone()))).text;
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
    for verdict in samples::verdicts(HOSTILE, HOSTILE) {
        let html = rendered(Content::Answer(content(verdict))).html;
        assert!(!html.contains("<script"), "{html}");
    }
}

#[test]
fn the_word_that_confirms_stands_on_a_line_of_its_own() {
    let text = rendered(Content::Answer(content(Verdict::ConfirmResign { word: "k4zt2a".to_owned() }))).text;
    assert!(text.contains("\n\n  resign k4zt2a\n"), "{text}");
}

#[test]
fn only_a_mail_that_can_be_answered_says_so() {
    let links = Links::new("https://play.example.org").expect("a URL");
    for answerable in [true, false] {
        let reply_to = answerable.then_some("play+token@example.org");
        let reading = Reading { reader: &Reader::default(), reply_to, unsubscribe: None, checkpoint: None };
        let mail = render(Content::Game(samples::turn()), None, &reading, &links);
        assert_eq!(mail.text.contains("answer this mail"), answerable, "{}", mail.text);
        assert_eq!(mail.html.contains("answer this mail"), answerable, "{}", mail.html);
    }
}

#[test]
fn whatever_comes_of_a_request_has_its_words() {
    let said = |result: RequestResult| {
        let outcome =
            RequestOutcome { result, number: Some(17), about: HOSTILE.to_owned(), more: "more".to_owned() };
        let answer = Answer { outcomes: vec![outcome], ..Answer::new(Verdict::Told) };
        rendered(Content::Answer(AnswerContent { game: None, answer, ..content(Verdict::Told) })).text
    };
    for result in RequestResult::ALL {
        let text = said(*result);
        assert!(!text.contains("answer-did-"), "{result:?}: {text}");
    }
    let all: std::collections::BTreeSet<_> = RequestResult::ALL.iter().map(|result| said(*result)).collect();
    assert_eq!(all.len(), RequestResult::ALL.len());
}
