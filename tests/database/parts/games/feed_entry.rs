//! An event as feeds tell it.

use pippost::games::feed::Entry;
use pippost::store::Seq;
use uuid::Uuid;

#[test]
fn an_event_after_which_nobody_acts_ends_its_game() {
    let entry = |line: &str| Entry::new(Uuid::nil(), Seq::from(3), line.to_owned());
    let line = r#"{"effects":[],"seq":3,"to_act":1}"#;
    assert_eq!(entry(line).event.get(), line);
    assert!(!entry(line).ends_game);
    assert!(entry(r#"{"to_act":null}"#).ends_game);
}
