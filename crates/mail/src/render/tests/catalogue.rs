//! Checks that templates contain no text of their own: all text is in the catalogue.

use std::path::Path;

use super::*;

/// The rest of a template without tags, values, comments and style sheets.
fn words_of(template: &str) -> String {
    let mut left = String::new();
    let mut rest = template;
    let skipped = [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<style>", "</style>"), ("<", ">")];
    while !rest.is_empty() {
        let opened = skipped.iter().find_map(|(open, close)| Some((rest.strip_prefix(open)?, close)));
        if let Some((inside, close)) = opened {
            rest = inside.split_once(close).unwrap_or_else(|| panic!("{close} is missing")).1;
        } else {
            let letter = rest.chars().next().expect("not empty");
            left.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    left
}

fn templates(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(templates(&path));
        } else {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a template")));
        }
    }
    found
}

#[test]
fn no_template_holds_text_of_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
    let all = [templates(&root.join("mail")), templates(&root.join("web"))].concat();
    assert!(all.len() > 25);
    for (name, template) in all {
        // The name of the program is the same in all languages.
        let words = words_of(&template).replace("pippost", "").replace("&nbsp;", "");
        assert!(!words.contains(char::is_alphabetic), "{name}: {:?}", words.trim());
    }
    assert_eq!(words_of("<p>{{ a }}<b style=\"x\">Hi</b>{% if b %}"), "Hi");
}

#[test]
fn every_text_that_a_template_names_is_in_the_catalogue() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
    let all = [templates(&root.join("mail")), templates(&root.join("web"))].concat();
    for (name, template) in all {
        // Not the end of another function's name, as in `asset("…")`.
        let is_own = |at: &usize| !template[..*at].ends_with(char::is_alphanumeric);
        let calls = template.match_indices("t(\"").map(|(at, _)| at).filter(is_own);
        for (_, rest) in calls.map(|at| template.split_at(at + 3)) {
            let key = rest.split('"').next().expect("a key");
            // The handler completes a key that ends in a dash.
            assert!(key.ends_with('-') || Language::ENGLISH.say(key) != key, "{name}: {key}");
        }
    }
}

#[test]
fn every_mail_speaks_german() {
    for content in samples::all() {
        let (english, german) = (rendered(content.clone()), rendered_for(content, &german()));
        assert_ne!(english.subject, german.subject);
        assert!(german.html.contains("<html lang=\"de\">"), "{}", german.html);
        for word in ["Hello", "You get", "your ", "No more", "The board", "notation"] {
            assert!(!german.text.contains(word), "{word}: {}", german.text);
        }
    }
}
