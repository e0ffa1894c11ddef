//! A text of an operator, in Markdown, as HTML: without raw HTML and pictures, and with links to pages and mail addresses alone.

use minijinja::Value;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// What links may begin with.
const LINKS: [&str; 4] = ["https://", "http://", "mailto:", "/"];

/// A text, ready for pages.
#[derive(Clone, Debug)]
pub struct OwnText {
    title: Option<String>,
    html: String,
}

impl OwnText {
    /// The text that Markdown says. Its title is a first line that begins with `# `.
    #[must_use]
    pub fn of_markdown(markdown: &str) -> Self {
        let (first, rest) = markdown.split_once('\n').unwrap_or((markdown, ""));
        let title = first.strip_prefix("# ").map(|title| title.trim().to_owned());
        let body = if title.is_some() { rest } else { markdown };
        let mut text = String::new();
        html::push_html(&mut text, safe(Parser::new_ext(body, Options::ENABLE_TABLES)));
        // Keys scroll what is too wide.
        let text = text.replace("<table>", "<div class=\"table-box\" tabindex=\"0\"><table>");
        Self { title, html: text.replace("</table>", "</table></div>") }
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The rest, to be put into a page as it is.
    #[must_use]
    pub fn html(&self) -> Value {
        Value::from_safe_string(self.html.clone())
    }
}

/// The same events without what could load, run or lead anywhere else. What was HTML is shown as it was written.
fn safe<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    // Whether each of the open links stays one.
    let mut links = Vec::new();
    events.filter_map(move |event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::HtmlBlock) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::HtmlBlock) => Some(Event::End(TagEnd::Paragraph)),
        // What a picture shows stays as words.
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Link { ref dest_url, .. }) => {
            links.push(leads_somewhere_good(dest_url));
            links.last().is_some_and(|good| *good).then_some(event)
        }
        Event::End(TagEnd::Link) => links.pop().unwrap_or(false).then_some(event),
        Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(Tag::Heading {
            level: below(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        })),
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(below(level)))),
        event => Some(event),
    })
}

fn leads_somewhere_good(address: &CowStr<'_>) -> bool {
    LINKS.iter().any(|beginning| address.starts_with(beginning)) && !address.starts_with("//")
}

/// The page has the heading of the first level.
fn below(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => HeadingLevel::H2,
        HeadingLevel::H3 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        OwnText::of_markdown(markdown).html
    }

    #[test]
    fn a_text_has_a_title_and_plain_parts() {
        let text = OwnText::of_markdown(
            "# House rules \n\n# Be kind\nSee [the rules](/rules) or <mailto:a@example.org>.\n",
        );
        assert_eq!(text.title(), Some("House rules"));
        assert_eq!(
            text.html,
            "<h2>Be kind</h2>\n<p>See <a href=\"/rules\">the rules</a> or \
             <a href=\"mailto:a@example.org\">mailto:a@example.org</a>.</p>\n"
        );
        assert_eq!(OwnText::of_markdown("Only words").title(), None);
    }

    #[test]
    fn nothing_runs_loads_or_leads_to_another_scheme() {
        for markdown in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "<style>body { display: none }</style>\n\n<iframe src=/></iframe>",
            "![x](https://elsewhere.example/pixel.png)",
            "[x](javascript:alert(1))",
            "[x](JavaScript:alert(1)) [y](data:text/html,x) [z](//elsewhere.example) [![q](x)](vbscript:x)",
            "[x]: javascript:alert(1)\n\n[x] <javascript:alert(1)>",
        ] {
            let made = html(markdown);
            for tag in ["<script", "<img", "<style", "<iframe", "<a ", " src=\"", "href"] {
                assert!(!made.contains(tag), "{markdown}: {made}");
            }
        }
        let quoted = html("[x](https://example.org/\"onmouseover=alert(1)) [y](</\"> \"t\")");
        assert!(!quoted.contains("\"onmouseover"), "{quoted}");
    }
}
