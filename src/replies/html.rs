//! The text of a mail that came as HTML only. mail-parser makes the text; here what it does not know of mails is done first: lines
//! end with blocks, and quotes are taken out.

use mail_parser::decoders::html::html_to_text;

/// Elements that begin a new line.
const BLOCKS: [&str; 12] = ["div", "p", "li", "tr", "ul", "ol", "table", "h1", "h2", "h3", "pre", "hr"];

/// What mail programs call the elements in which they put the mail that is answered.
const QUOTES: [&str; 7] = [
    "gmail_quote",
    "yahoo_quoted",
    "moz-cite-prefix",
    "appendonsend",
    "divrplyfwdmsg",
    "gmail_attr",
    "protonmail_quote",
];

/// What stands in the text where a quote was: a quoted line.
const QUOTED: &str = "<br>&gt;<br>";

/// Elements that never end, or whose end may be missing: they do not count as open.
const VOID: [&str; 6] = ["br", "img", "hr", "meta", "input", "link"];

/// The lines of an HTML mail without what it quotes.
pub fn lines_of(html: &str) -> String {
    let unquoted = without_quotes(html);
    let text = html_to_text(&unquoted);
    text.replace('\u{a0}', " ")
}

/// The same HTML with a line break at each block, without the elements that hold a quote.
fn without_quotes(html: &str) -> String {
    let mut kept = String::with_capacity(html.len());
    let mut rest = html;
    // The name of the quoting element that is left out, and how many of that name are open.
    let mut quote: Option<(String, usize)> = None;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        if quote.is_none() {
            kept.push_str(before);
        }
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let (tag, after) = tag.split_at(end);
        rest = after;
        let (name, closing) = name_of(tag);
        match &mut quote {
            Some((open, depth)) if *open == name => {
                *depth = if closing { *depth - 1 } else { *depth + 1 };
                if *depth == 0 {
                    quote = None;
                    kept.push_str(QUOTED);
                }
            }
            Some(_) => {}
            None if !closing && is_quote(&name, tag) => quote = Some((name, 1)),
            None => {
                let begins_line = !closing && BLOCKS.contains(&name.as_str());
                // The end of a paragraph has ended the line already.
                if begins_line && !(name == "p" && kept.trim_end().ends_with("</p>")) {
                    kept.push_str("<br>");
                }
                kept.push_str(tag);
            }
        }
    }
    if quote.is_none() {
        kept.push_str(rest);
    }
    kept
}

/// The name of a tag in lower case, and whether it closes the element.
fn name_of(tag: &str) -> (String, bool) {
    let inside = tag.trim_start_matches('<');
    let (inside, closing) = inside.strip_prefix('/').map_or((inside, false), |inside| (inside, true));
    let name = inside.chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
    (name.to_ascii_lowercase(), closing)
}

fn is_quote(name: &str, tag: &str) -> bool {
    if VOID.contains(&name) {
        return false;
    }
    let tag = tag.to_ascii_lowercase();
    name == "blockquote" || QUOTES.iter().any(|quote| tag.contains(quote))
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

    proptest! {
        #[test]
        fn no_html_makes_it_panic(html in "(<[a-z/!-]{0,4}|[a-z]{0,9}|&[#x0-9a-z]{0,5};?|>|\"|ä|\u{2028}|blockquote| |\n){0,60}") {
            let text = lines_of(&html);
            prop_assert!(text.len() <= html.len() * 4 + 16);
        }
    }
}
