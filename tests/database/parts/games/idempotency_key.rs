//! Keys of repeated requests.

use pippost::games::IdempotencyKey;
use pippost::games::playing::request::MAX_KEY_LENGTH;

#[test]
fn keys_are_short_and_visible() {
    assert!(IdempotencyKey::parse("a-key-1").is_some());
    assert!(IdempotencyKey::parse(&"k".repeat(MAX_KEY_LENGTH)).is_some());
    for text in ["", " ", "a b", "ä", "a\n", &"k".repeat(MAX_KEY_LENGTH + 1)] {
        assert!(IdempotencyKey::parse(text).is_none(), "{text}");
    }
}
