//! What answers of deprecated operations say.

use pippost::api::openapi::deprecated::WISHES;

#[test]
fn dates_are_those_of_http() {
    assert_eq!(WISHES.values()[1].1, "Tue, 01 Jun 2027 00:00:00 GMT");
    assert_eq!(WISHES.values()[0].1, "@1795392000");
}
