//! Compares every mail, as text and as HTML in every language, with reviewed snapshots beside this file.

use insta::assert_snapshot;

use super::*;

/// The visible HTML part: the card without its styles.
fn card(html: &str) -> String {
    let start = html.find("<p style=\"margin:0 0 16px;\">").expect("a greeting");
    let end = html.rfind("<!--[if mso]></td>").expect("the end of the card");
    let mut parts = html[start..end].split(" style=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    let unstyled = parts.filter_map(|part| part.split_once('"')).map(|(_, rest)| rest);
    unstyled.fold(first, |text, rest| text + rest)
}

#[test]
fn every_mail_is_as_it_was_when_it_was_looked_at() {
    for reader in [Reader::default(), german()] {
        for (name, content) in samples::named() {
            let mail = rendered_for(content, &reader);
            let name = format!("{name}.{}", reader.language.tag());
            if let Some(folder) = std::env::var_os("PIPPOST_MAILS") {
                let path = std::path::PathBuf::from(folder).join(format!("{name}.html"));
                std::fs::write(path, &mail.html).expect("a file");
            }
            assert_snapshot!(format!("{name}.text"), mail.text);
            assert_snapshot!(format!("{name}.html"), card(&mail.html));
        }
    }
}
