//! Titles of games.

use pippost::games::lobby::title::{is_blank, is_unseen};

#[test]
fn what_shows_nothing_or_turns_texts_around_is_told_from_letters() {
    assert!("Sunday cup, round 2 – Ünïcode 🎲 کتاب\u{200c}ها".chars().all(|sign| !is_unseen(sign)));
    let bad = "\0\n\u{85}\u{200b}\u{200f}\u{202e}\u{2029}\u{2066}\u{feff}\u{ffff}";
    assert!(bad.chars().all(is_unseen));
    assert!("\u{a0} \u{3000}\u{200d}".chars().all(is_blank));
}
