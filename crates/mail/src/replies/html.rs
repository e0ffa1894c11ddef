//! Extracts the text of an HTML-only mail. mail-parser converts the HTML to text; before that, this module adds line breaks at
//! blocks and removes quotes and hidden text, which mail-parser does not.

use std::borrow::Cow;

use html5gum::{StartTag, Token, Tokenizer};
use mail_parser::decoders::html::html_to_text;
use pippost_games::letters::steps;

/// Elements that begin a new line.
const BLOCKS: [&str; 12] = ["div", "p", "li", "tr", "ul", "ol", "table", "h1", "h2", "h3", "pre", "hr"];

/// The names that mail programs give to the elements around a quoted mail.
const QUOTES: [&str; 7] = [
    "gmail_quote",
    "yahoo_quoted",
    "moz-cite-prefix",
    "appendonsend",
    "divrplyfwdmsg",
    "gmail_attr",
    "protonmail_quote",
];

/// Elements that are left out if their style hides them, with the styles. Their end tags are never missing.
const HIDEABLE: [&str; 20] = [
    "div", "span", "table", "section", "font", "b", "i", "em", "strong", "u", "a", "small", "big", "code",
    "tt", "mark", "center", "article", "h1", "h2",
];

/// The same of elements whose end tags may be missing: they end with the next block at the latest.
const HIDEABLE_TO_THE_NEXT_BLOCK: [&str; 5] = ["p", "li", "td", "tr", "h3"];
const HIDING: [&str; 4] = ["display:none", "visibility:hidden", "mso-hide:all", "line-through"];

/// Elements of text that the writer has struck out.
const STRUCK: [&str; 3] = ["s", "del", "strike"];

/// Replaces a quote: a quoted line.
const QUOTED: &str = "<br>&gt;<br>";

/// Elements without an end tag, or whose end tag may be missing. They are not counted as open.
const VOID: [&str; 6] = ["br", "img", "hr", "meta", "input", "link"];

/// The text of an HTML mail without its quotes.
pub fn lines_of(html: &str) -> String {
    let text = html_to_text(&without_quotes(html));
    text.replace('\u{a0}', " ")
}

/// Adds a line break at each block; removes attributes, comments, and elements that hold a quote or are hidden.
fn without_quotes(html: &str) -> String {
    let mut kept = Kept { html: String::with_capacity(html.len()), ended_paragraph: false, skipped: None };
    for token in Tokenizer::new(html) {
        let Ok(token) = token;
        steps::count(1);
        match token {
            Token::StartTag(tag) => kept.open(&tag),
            Token::EndTag(tag) => kept.close(&text_of(&tag.name)),
            Token::String(text) => kept.text(&text_of(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    kept.html
}

/// The part of a mail that has been kept.
struct Kept {
    html: String,
    /// Only spaces have followed the end of a paragraph.
    ended_paragraph: bool,
    skipped: Option<Skipped>,
}

/// The element being skipped.
struct Skipped {
    name: String,
    /// How many elements of that name are open.
    depth: usize,
    /// What stands for it.
    replacement: &'static str,
    /// Its end tag may be missing.
    ends_with_block: bool,
}

impl Kept {
    fn open(&mut self, tag: &StartTag<()>) {
        let name = text_of(&tag.name);
        if self.skipped.as_ref().is_some_and(|skipped| skipped.ends_with_block) && BLOCKS.contains(&&*name) {
            self.skipped = None;
        }
        match &mut self.skipped {
            Some(skipped) if skipped.name == name => skipped.depth += 1,
            Some(_) => {}
            None => match replacement(&name, tag) {
                Some(replacement) => {
                    let ends_with_block = HIDEABLE_TO_THE_NEXT_BLOCK.contains(&&*name);
                    let name = name.into_owned();
                    self.skipped = Some(Skipped { name, depth: 1, replacement, ends_with_block });
                }
                None => self.keep(&name),
            },
        }
    }

    fn keep(&mut self, name: &str) {
        // The end of the paragraph already added a line break.
        if BLOCKS.contains(&name) && !(name == "p" && self.ended_paragraph) {
            self.html.push_str("<br>");
        }
        self.html.extend(["<", name, ">"]);
        self.ended_paragraph = false;
    }

    fn close(&mut self, name: &str) {
        let is_around = |skipped: &Skipped| skipped.ends_with_block && skipped.name != name;
        if BLOCKS.contains(&name) && self.skipped.as_ref().is_some_and(is_around) {
            self.skipped = None;
        }
        match &mut self.skipped {
            Some(skipped) if skipped.name == name => {
                skipped.depth -= 1;
                if skipped.depth == 0 {
                    self.html.push_str(skipped.replacement);
                    self.skipped = None;
                    self.ended_paragraph = false;
                }
            }
            Some(_) => {}
            None => {
                self.html.extend(["</", name, ">"]);
                self.ended_paragraph = name == "p";
            }
        }
    }

    fn text(&mut self, text: &str) {
        steps::count(text.len());
        if self.skipped.is_none() {
            self.html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
            self.ended_paragraph &= text.trim().is_empty();
        }
    }
}

/// The tokenizer reads text, so its tokens are valid UTF-8.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// What stands for an element that is left out, with all that it holds; `None` if it is kept.
fn replacement(name: &str, tag: &StartTag<()>) -> Option<&'static str> {
    if VOID.contains(&name) {
        return None;
    }
    let has = |wanted: &[&str]| {
        tag.attributes.iter().any(|(_, value)| {
            let value = text_of(value).to_ascii_lowercase().replace(' ', "");
            wanted.iter().any(|part| value.contains(part))
        })
    };
    if name == "blockquote" || has(&QUOTES) {
        return Some(QUOTED);
    }
    let is_hideable = HIDEABLE.contains(&name) || HIDEABLE_TO_THE_NEXT_BLOCK.contains(&name);
    let is_hidden = is_hideable && has(&HIDING);
    (STRUCK.contains(&name) || is_hidden).then_some("")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blocks_are_lines_and_quotes_are_left_out() {
        let html = "<div dir=\"ltr\">store</div><div>roll&nbsp;&amp; more</div><div class=\"gmail_quote\">On Monday <div>bob</div> \
                    wrote:<blockquote>nothing</blockquote></div><p>after</p>";
        let text = lines_of(html);
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["store", "roll & more", ">", "after"]);
    }

    #[test]
    fn what_is_struck_out_is_left_out() {
        for struck in
            ["<s>store</s>", "<del>store</del>", "<span style=\"text-decoration: line-through\">store</span>"]
        {
            let text = lines_of(&format!("<div>{struck}</div><div>pull</div>"));
            assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["pull"], "{struck}");
        }
        assert!(lines_of("<div><span>store</span><small>!</small></div>").contains("store"));
    }

    #[test]
    fn hidden_text_is_left_out() {
        let html = "<div style=\"display: none; max-height:0\">roll <div>pass</div></div><p>store</p><span style='mso-hide:all'>x</span>\
                    <p style=\"display:none\">roll<div>pull</div><ul><li style=\"text-decoration: line-through\">roll</ul>\
                    <b style=\"display:none\">roll</b> <i>d4</i>";
        let text = lines_of(html);
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["store", "pull", "d4"]);
    }

    #[test]
    fn what_looks_like_a_tag_inside_a_comment_or_an_attribute_is_none() {
        let html = "<!-- <blockquote> --><div title=\"a > b <blockquote>\">store</div><style>p > a {}</style><p>1 &lt; 2</p>\
                    <BLOCKQUOTE type='cite'>quoted <p>twice</p></BLOCKQUOTE>";
        let text = lines_of(html);
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["store", "1 < 2", ">"]);
    }

    proptest! {
        #[test]
        fn no_html_makes_it_panic(html in "(<[a-z/!-]{0,4}|[a-z]{0,9}|&[#x0-9a-z]{0,5};?|>|\"|ä|\u{2028}|blockquote| |\n){0,60}") {
            let text = lines_of(&html);
            prop_assert!(text.len() <= html.len() * 4 + 16);
        }
    }
}
