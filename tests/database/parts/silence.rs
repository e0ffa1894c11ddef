//! Connections that get no answer.

use std::time::Instant;

use pippost::store::citus::{Examined, SLOW, Waiting};

#[test]
fn a_connection_is_slow_while_something_is_under_way_and_nothing_has_been_answered() {
    let (progress, begun) = (Waiting::default(), Instant::now());
    let is_slow = |at| progress.slow_since(at).is_some();
    assert!(!is_slow(begun + SLOW), "it is idle");
    progress.begin(begun);
    progress.begin(begun + SLOW / 2);
    assert!(!is_slow(begun + SLOW / 2) && is_slow(begun + SLOW));
    progress.end(begun + SLOW);
    assert!(!is_slow(begun + SLOW * 3 / 2), "one was just answered");
    assert!(is_slow(begun + SLOW * 2), "the other is not");
    progress.end(begun + SLOW * 2);
    assert!(!is_slow(begun + SLOW * 4));
}

#[test]
fn nodes_are_examined_again_after_an_answer_or_after_as_long_as_before() {
    let slow_since = Instant::now();
    let examined = Examined { at: slow_since + SLOW, slow_since };
    assert!(!examined.is_over(slow_since, slow_since + SLOW * 3 / 2));
    assert!(examined.is_over(slow_since, slow_since + SLOW * 2));
    assert!(examined.is_over(slow_since + SLOW / 2, slow_since + SLOW * 3 / 2), "there was an answer");
}
