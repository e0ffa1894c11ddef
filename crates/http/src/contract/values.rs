//! Texts, numbers and types of values, held against a schema.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use regex::Regex;
use serde_json::{Number, Value};
use time::OffsetDateTime;
use time::format_description::well_known::{Iso8601, Rfc3339};
use uuid::Uuid;

use super::fault::{FaultCode, Word};
use super::walk::{Walk, literal, quoted};

/// The types of JSON Schema, each with what it is called.
const TYPES: [(&str, &str); 7] = [
    ("string", "fault-text"),
    ("integer", "fault-integer"),
    ("number", "fault-number"),
    ("boolean", "fault-boolean"),
    ("array", "fault-list"),
    ("object", "fault-object"),
    ("null", "fault-null"),
];

/// The patterns of the document, compiled when they are first needed. Their number is the document's.
static PATTERNS: LazyLock<Mutex<HashMap<String, Option<Regex>>>> = LazyLock::new(Mutex::default);

/// What a value is called.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "fault-text",
        Value::Number(number) if is_whole(number) => "fault-integer",
        Value::Number(_) => "fault-number",
        Value::Bool(_) => "fault-boolean",
        Value::Array(_) => "fault-list",
        Value::Object(_) => "fault-object",
        Value::Null => "fault-null",
    }
}

fn is_whole(number: &Number) -> bool {
    number.as_f64().is_none_or(|number| number.fract() == 0.0)
}

/// What values of a schema are called; nothing if it does not say.
pub(super) fn kinds(schema: &Value) -> Vec<&'static str> {
    let named = |kind: &Value| TYPES.iter().find(|(name, _)| kind == name).map(|(_, text)| *text);
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(named).collect(),
        kind => named(kind).into_iter().collect(),
    }
}

/// What is expected, if the value has another type.
pub(super) fn wrong_type(schema: &Value, value: &Value) -> Option<Vec<&'static str>> {
    let expected = kinds(schema);
    let given = kind_of(value);
    let fits = expected.contains(&given) || (given == "fault-integer" && expected.contains(&"fault-number"));
    (!fits && !expected.is_empty()).then_some(expected)
}

/// The value that the text of a query means.
pub(super) fn of_text(schema: &Value, text: &str) -> Value {
    let expected = kinds(schema);
    let number =
        || text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok();
    let as_text = || Value::String(text.to_owned());
    if expected.iter().any(|kind| matches!(*kind, "fault-integer" | "fault-number")) {
        return number().unwrap_or_else(as_text);
    }
    match text {
        "true" | "false" if expected.contains(&"fault-boolean") => Value::Bool(text == "true"),
        _ => as_text(),
    }
}

/// Adds what is wrong with a text or a number.
pub(super) fn check(walk: &mut Walk<'_>, schema: &Value, value: &Value) {
    if let Some(all) = schema["enum"].as_array()
        && !value.is_null()
        && !all.contains(value)
    {
        let known: Vec<String> =
            all.iter().map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)).collect();
        let known = literal("known", &quoted(known.iter().map(String::as_str)));
        return walk.add(FaultCode::Value, "fault-value", vec![known]);
    }
    match value {
        Value::String(text) => check_text(walk, schema, text),
        Value::Number(number) => check_number(walk, schema, number),
        _ => {}
    }
}

fn check_text(walk: &mut Walk<'_>, schema: &Value, text: &str) {
    if check_length(walk, schema, ["minLength", "maxLength"], text.chars().count(), "fault-characters") {
        return;
    }
    let form = match schema["format"].as_str() {
        Some("uuid") => (Uuid::try_parse(text).is_err()).then_some("fault-uuid"),
        Some("date") => (time::Date::parse(text, &Iso8601::DATE).is_err()).then_some("fault-date"),
        Some("date-time") => OffsetDateTime::parse(text, &Rfc3339).is_err().then_some("fault-date-time"),
        Some("email") => (!text.contains('@')).then_some("fault-email"),
        _ => None,
    };
    if let Some(form) = form {
        return walk.add(FaultCode::Form, "fault-form", vec![("form", Word::Key(form))]);
    }
    let Some(pattern) = schema["pattern"].as_str().filter(|pattern| !fits(pattern, text)) else { return };
    let described = schema["description"].as_str().unwrap_or(pattern);
    walk.add(FaultCode::Form, "fault-form", vec![literal("form", described)]);
}

/// A pattern that cannot be compiled fits all.
fn fits(pattern: &str, text: &str) -> bool {
    let Ok(mut patterns) = PATTERNS.lock() else { return true };
    let compiled = patterns.entry(pattern.to_owned()).or_insert_with(|| Regex::new(pattern).ok());
    compiled.as_ref().is_none_or(|compiled| compiled.is_match(text))
}

/// Adds that a text or list is too short or too long, if it is.
pub(super) fn check_length(
    walk: &mut Walk<'_>,
    schema: &Value,
    names: [&str; 2],
    length: usize,
    unit: &'static str,
) -> bool {
    let bound = |name: &str| schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok());
    let (least, most) = (bound(names[0]).unwrap_or(0), bound(names[1]));
    if length >= least && most.is_none_or(|most| length <= most) {
        return false;
    }
    let most = most.map_or_else(|| "…".to_owned(), |most| most.to_string());
    let words = vec![
        literal("least", &least.to_string()),
        literal("most", &most),
        ("unit", Word::Key(unit)),
        literal("given", &length.to_string()),
    ];
    walk.add(FaultCode::Length, "fault-length", words);
    true
}

fn check_number(walk: &mut Walk<'_>, schema: &Value, number: &Number) {
    let bound = |name: &str| schema[name].as_f64();
    let given = number.as_f64().unwrap_or(f64::INFINITY);
    let (least, most) = (bound("minimum"), bound("maximum"));
    let is_low = least.is_some_and(|least| given < least);
    let is_high = most.is_some_and(|most| given > most);
    if !is_low && !is_high {
        return;
    }
    let text = match (least, most) {
        (Some(_), Some(_)) => "fault-range",
        (Some(_), None) => "fault-least",
        _ => "fault-most",
    };
    let shown = |name: &str| schema[name].to_string();
    let words = vec![
        literal("least", &shown("minimum")),
        literal("most", &shown("maximum")),
        literal("given", &number.to_string()),
    ];
    walk.add(FaultCode::Range, text, words);
}
