//! Views as they are sent.

use std::sync::Arc;

use pippost::games::viewing::view_text::Kept;
use pippost::keys::secret::weak_tag;
use serde_json::value::RawValue;

fn written(seconds: Option<i64>) -> Box<RawValue> {
    serde_json::value::to_raw_value(&seconds).expect("plain data")
}

#[test]
fn a_view_is_written_once_for_each_second_and_has_one_tag() {
    let mut kept = Kept::default();
    let first = kept.json(Some(60), written);
    assert_eq!(first.get(), "60");
    assert!(Arc::ptr_eq(&first, &kept.json(Some(60), |_| unreachable!("it is kept"))));
    let tag_then = kept.tag(written);
    assert_eq!(kept.json(Some(59), written).get(), "59");
    assert_eq!(kept.json(None, written).get(), "null");
    assert_eq!(kept.tag(|_| unreachable!("it is kept")), tag_then);
    assert_eq!(&*tag_then, weak_tag(&[b"null"]));
}
