//! The legal actions that an answer to a mail lists.

use pippost::games::letters::listed;

#[test]
fn as_many_actions_are_listed_as_a_telephone_shows_at_once() {
    let of = |action: &str| listed(&vec![action.to_owned(); 100]);
    assert_eq!(["store", "c3 n1", "attack a1 a2", "advance a4 b4 12"].map(of), [24, 24, 20, 10]);
    assert_eq!(listed(&["store".to_owned(), "roll".to_owned()]), 2);
}
