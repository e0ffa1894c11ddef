//! Parts of the OpenAPI document.

use pippost::api::openapi::Part;

#[test]
fn each_tag_belongs_to_one_part() {
    for tag in ["games", "sandbox", "community", "operations"] {
        assert_eq!(Part::ALL.iter().filter(|part| part.holds(tag)).count(), 1, "{tag}");
    }
}
