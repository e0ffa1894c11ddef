//! Standing orders as lines of text.

use pippost::games::letters::notation::{LineReading, ReadLines};
use pippost::games::standing_orders::orders::MAX_BRANCHES;
use pippost::games::standing_orders::{MAX_WORDS, OrderLine, StandingOrders, joined};
use pippost::language::Language;
use pippost::rules::Unreadable;

/// Rules with the cells `a1` to `e5`, and the advance answers of some rule set.
struct Cells;

impl ReadLines for Cells {
    fn read(&self, line: &str) -> LineReading {
        let text = line.to_lowercase();
        match text.as_bytes() {
            [b'a'..=b'e', b'1'..=b'5'] => LineReading::Action(text),
            [b'a'..=b'e', ..] if text.len() == 2 => LineReading::Broken(Unreadable::goes_on(1)),
            _ => LineReading::Other,
        }
    }

    fn is_advance_answer(&self, text: &str) -> bool {
        text.eq_ignore_ascii_case("occupy all")
    }
}

fn read(lines: &[&str]) -> (StandingOrders, Vec<OrderLine>) {
    let mut orders = StandingOrders::default();
    let read = lines.iter().map(|line| orders.add_line(line, &Cells)).collect();
    (orders, read)
}

fn why(lines: &[&str]) -> &'static str {
    match read(lines).1.pop() {
        Some(OrderLine::Broken(unreadable)) => unreadable.why.key,
        other => panic!("{lines:?}: {other:?}"),
    }
}

#[test]
fn lines_that_begin_alike_share_their_beginning_and_are_written_as_they_are_read() {
    let lines = [
        "if a1; b2 then c3 if d4 then d5",
        "if a1; b2 then c3 otherwise e1",
        "if a2 then b1; b3",
        "otherwise e5",
    ];
    let (orders, read_as) = read(&lines);
    assert!(read_as.iter().all(|line| *line == OrderLine::Added), "{read_as:?}");
    assert_eq!(orders.branches.len(), 3);
    assert_eq!(orders.branches[0].next.len(), 2);
    assert_eq!(orders.lines(Language::ENGLISH), lines);
    let german = orders.lines(Language::GERMAN);
    assert_eq!(german[0], "wenn a1; b2 dann c3 wenn d4 dann d5");
    let again = read(&german.iter().map(String::as_str).collect::<Vec<_>>()).0;
    assert_eq!(again, orders);
}

#[test]
fn what_is_done_otherwise_comes_last_wherever_it_stands() {
    let orders = read(&["Otherwise, e5.", "IF a1, then b1!"]).0;
    assert_eq!(orders.lines(Language::ENGLISH), ["if a1 then b1", "otherwise e5"]);
}

#[test]
fn always_goes_with_answers_of_the_rules_and_the_only_legal_move() {
    let (orders, read_as) = read(&["always Occupy all", "immer erzwungen.", "always happy to play with you"]);
    assert_eq!(read_as, [OrderLine::Added, OrderLine::Added, OrderLine::Other]);
    assert_eq!(orders.lines(Language::ENGLISH), ["always Occupy all", "always forced"]);
    assert_eq!(why(&["always a1"]), "orders-not-always");
}

#[test]
fn a_broken_line_is_joined_only_if_it_becomes_an_order() {
    let join = |lines: &[&str]| joined(lines, &Cells).1;
    assert_eq!(join(&["if a1", "then b1", "c1"]), 1);
    assert_eq!(join(&["if a1 then", "b1"]), 1);
    assert_eq!(join(&["if a1; a2 then b1;", "b2 if", "c1 then", "d1", "e1"]), 3);
    assert_eq!(join(&["otherwise", "b1"]), 1);
    for alone in [
        &["if a1 then b1", "if a2 then b2"][..],
        &["If you want,", "a1"],
        &["if a1", "", "then b1"],
        &["if a1 then", "please"],
        &["a1", "then b1"],
        &["if a1"],
    ] {
        assert_eq!(join(alone), 0, "{alone:?}");
    }
}

#[test]
fn sentences_are_no_orders_and_what_is_nearly_one_says_why() {
    for line in [
        "If you want, then call me tonight",
        "if only",
        "Otherwise all is well here.",
        "otherwise",
        "if then",
        "then a1",
        "a1",
        "",
    ] {
        assert_eq!(read(&[line]).1, [OrderLine::Other], "{line}");
    }
    assert_eq!(why(&["if a1 then please wait"]), "orders-not-notation");
    assert_eq!(why(&["if a1 then"]), "orders-not-complete");
    assert_eq!(why(&["if then a1"]), "orders-not-complete");
    assert_eq!(why(&["if a1 then a9"]), "rules-goes-on");
    assert_eq!(why(&["if a1 then b1", "if a1 then b2"]), "orders-contradict");
    let many: Vec<String> =
        (0..=MAX_BRANCHES).map(|number| format!("if {} then b1", "a1; ".repeat(number + 1))).collect();
    let read_as = read(&many.iter().map(String::as_str).collect::<Vec<_>>()).1;
    assert_eq!(read_as.iter().filter(|line| **line == OrderLine::Added).count(), MAX_BRANCHES);
    let long = "if a1 then b1 ".repeat(MAX_WORDS / 4 + 1);
    assert_eq!(read(&[&long]).1, [OrderLine::Other]);
}
