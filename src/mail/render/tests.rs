use super::*;
use crate::mail::samples;

fn rendered(content: Content) -> Rendered {
    let links = Links::new("https://play.example.org").expect("a URL");
    render(content, Some("alice".to_owned()), &links)
}

#[test]
fn no_line_of_a_text_part_is_too_long_but_for_links() {
    for content in samples::all() {
        let text = rendered(content).text;
        for line in text.lines().filter(|line| !line.starts_with("https://")) {
            assert!(line.chars().count() <= COLUMNS, "{line}");
        }
    }
}
