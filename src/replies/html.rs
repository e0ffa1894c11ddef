//! Extracts the text of an HTML-only mail. mail-parser converts the HTML to text; before that, this module adds line breaks at
//! blocks and removes quotes, which mail-parser does not.

use std::borrow::Cow;

use html5gum::{StartTag, Token, Tokenizer};
use mail_parser::decoders::html::html_to_text;

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

/// Replaces a quote: a quoted line.
const QUOTED: &str = "<br>&gt;<br>";

/// Elements without an end tag, or whose end tag may be missing. They are not counted as open.
const VOID: [&str; 6] = ["br", "img", "hr", "meta", "input", "link"];

/// The text of an HTML mail without its quotes.
pub fn lines_of(html: &str) -> String {
    let text = html_to_text(&without_quotes(html));
    text.replace('\u{a0}', " ")
}

/// Adds a line break at each block; removes attributes, comments, and elements that hold a quote.
fn without_quotes(html: &str) -> String {
    let mut kept = Kept { html: String::with_capacity(html.len()), ended_paragraph: false, quote: None };
    for token in Tokenizer::new(html) {
        let Ok(token) = token;
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
    /// The name of the quoting element being skipped, and how many elements of that name are open.
    quote: Option<(String, usize)>,
}

impl Kept {
    fn open(&mut self, tag: &StartTag<()>) {
        let name = text_of(&tag.name);
        match &mut self.quote {
            Some((open, depth)) if *open == name => *depth += 1,
            Some(_) => {}
            None if is_quote(&name, tag) => self.quote = Some((name.into_owned(), 1)),
            None => {
                // The end of the paragraph already added a line break.
                if BLOCKS.contains(&&*name) && !(name == "p" && self.ended_paragraph) {
                    self.html.push_str("<br>");
                }
                self.html.extend(["<", &*name, ">"]);
                self.ended_paragraph = false;
            }
        }
    }

    fn close(&mut self, name: &str) {
        match &mut self.quote {
            Some((open, depth)) if *open == name => {
                *depth -= 1;
                if *depth == 0 {
                    self.quote = None;
                    self.html.push_str(QUOTED);
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
        if self.quote.is_none() {
            self.html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
            self.ended_paragraph &= text.trim().is_empty();
        }
    }
}

/// The tokenizer reads text, so its tokens are valid UTF-8.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn is_quote(name: &str, tag: &StartTag<()>) -> bool {
    if VOID.contains(&name) {
        return false;
    }
    let says_so = |value: &[u8]| {
        let value = text_of(value).to_ascii_lowercase();
        QUOTES.iter().any(|quote| value.contains(quote))
    };
    name == "blockquote" || tag.attributes.iter().any(|(_, value)| says_so(value))
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
