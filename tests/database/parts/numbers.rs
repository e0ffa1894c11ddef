//! Numbers of events.

use pippost::store::Seq;

#[test]
fn a_negative_number_in_a_row_is_no_number_of_an_event() {
    assert_eq!(Seq::from_row(0), Some(Seq::START));
    assert_eq!(Seq::from_row(7), Some(Seq::from(7)));
    assert_eq!(Seq::from_row(-1), None);
}

#[test]
fn events_are_counted_without_going_below_the_start() {
    let seq = Seq::from(2);
    assert_eq!((seq.next(), seq.back(1), seq.back(5)), (Seq::from(3), Seq::from(1), Seq::START));
    assert_eq!((Seq::START.previous(), seq.previous()), (None, Some(Seq::from(1))));
    assert_eq!((seq + 3 - seq, seq - (seq + 3)), (3, 0));
}
