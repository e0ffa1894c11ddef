//! Functions and filters for templates: catalogue texts and their markup.

use minijinja::value::{Kwargs, Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, HtmlEscape, State};

use super::{Arguments, Language};

/// Adds `t(key, name=value, …)` and the filters `link`, `strong` and `code`. `styles` are inline styles for mail programs without
/// style sheets.
pub fn add(templates: &mut Environment<'static>, styles: Option<Styles>) {
    let Styles { link: link_style, code: code_style } = styles.unwrap_or_default();
    templates.add_function("t", text);
    templates.add_filter("link", move |state: &State<'_, '_>, url: &str, label: Option<Value>| {
        link(state, url, label, link_style)
    });
    templates.add_filter("strong", |state: &State<'_, '_>, text: &str| {
        marked(state, text, &|text| format!("<strong>{text}</strong>"))
    });
    templates.add_filter("code", move |state: &State<'_, '_>, text: &str| {
        marked(state, text, &|text| format!("<code class=\"code\"{code_style}>{text}</code>"))
    });
}

/// Attributes of marked words besides their class; each begins with a space.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    pub link: &'static str,
    pub code: &'static str,
}

/// A text in the language of the template. In HTML the text itself is trusted; its values are escaped, except those that a filter
/// has marked.
fn text(state: &State<'_, '_>, key: &str, values: Kwargs) -> Result<Value, Error> {
    let language =
        state.lookup("language").and_then(|tag| Language::of_tag(tag.as_str()?)).unwrap_or_default();
    let html = is_html(state);
    let mut arguments = Arguments::default();
    for name in values.args() {
        let value: Value = values.get(name)?;
        arguments = match i64::try_from(value.clone()) {
            Ok(number) if value.kind() == ValueKind::Number => arguments.number(name, number),
            _ if html && !value.is_safe() => arguments.text(name, escaped(&value.to_string())),
            _ => arguments.text(name, value.to_string()),
        };
    }
    values.assert_all_used()?;
    let text = language.say_with(key, &arguments);
    Ok(if html { Value::from_safe_string(text) } else { Value::from(text) })
}

/// A link with the text `label` or, without one, its URL; in plain text only the URL.
fn link(state: &State<'_, '_>, url: &str, label: Option<Value>, style: &str) -> Value {
    let shown = match label {
        Some(label) if label.is_safe() => label.to_string(),
        Some(label) => escaped(&label.to_string()),
        None => escaped(url),
    };
    marked(state, url, &|href| format!("<a class=\"link\" href=\"{href}\"{style}>{shown}</a>"))
}

/// `text` with markup in HTML; unchanged in plain text.
fn marked(state: &State<'_, '_>, text: &str, mark: &dyn Fn(&str) -> String) -> Value {
    if is_html(state) { Value::from_safe_string(mark(&escaped(text))) } else { Value::from(text) }
}

fn is_html(state: &State<'_, '_>) -> bool {
    matches!(state.auto_escape(), AutoEscape::Html)
}

fn escaped(text: &str) -> String {
    HtmlEscape(text).to_string()
}
