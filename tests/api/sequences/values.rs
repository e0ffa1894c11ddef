//! Random values that a schema of the document allows, as far as this test knows its words, and remembered ones in their place.

use serde_json::{Map, Value, json};
use time::Date;
use time::format_description::well_known::Rfc3339;

use super::memory::Memory;
use support::sample::Sampler;
use support::{PASSWORD, START, contract};

/// One in so many optional members is there.
const OPTIONAL_EVERY: usize = 4;

/// One in so many values is made up although one is remembered.
const MADE_UP_EVERY: usize = 5;

/// The deepest value.
const MAX_DEPTH: usize = 8;

/// How far numbers lie beyond their least, mostly.
const SPAN: u64 = 12;

/// A day; clocks are moved by hours and days, because all games would be over after a year.
const HOUR_SECONDS: u64 = 3_600;

/// Makes values.
pub struct Maker<'a> {
    pub memory: &'a Memory,
    pub sampler: &'a mut Sampler,
    /// The handle of who asks.
    pub handle: &'a str,
}

impl Maker<'_> {
    fn one_in(&mut self, many: usize) -> bool {
        self.sampler.below(many) == 0
    }

    fn one_of<'v>(&mut self, values: &'v [Value]) -> &'v Value {
        &values[self.sampler.below(values.len())]
    }

    /// Values that only a few names have, whatever their schema says.
    fn known(&mut self, name: &str) -> Option<Value> {
        Some(match name {
            "password" | "current_password" | "new_password" => json!(PASSWORD),
            "login" => json!(self.handle),
            "email" => json!(format!("{}@example.org", self.handle)),
            "advance_seconds" => json!(HOUR_SECONDS * [1, 5, 24, 72][self.sampler.below(4)]),
            // Nothing leaves this machine.
            "url" => json!("https://hooks.invalid/pippost"),
            "endpoint" => json!("https://push.invalid/pippost"),
            // A test does not wait for what does not come.
            "wait" => json!(0),
            _ => return None,
        })
    }

    /// A value for a member or a parameter of that name.
    pub fn value(&mut self, name: &str, schema: &Value, depth: usize) -> Value {
        let schema = contract::meant(schema);
        if let Some(known) = self.known(name) {
            return known;
        }
        if !self.one_in(MADE_UP_EVERY)
            && let Some(kept) =
                self.memory.pick(if name == "expected_seq" { "seq" } else { name }, self.sampler)
            && may_be(schema, &kept)
        {
            return kept;
        }
        for word in ["oneOf", "anyOf"] {
            if let Some(ways) = schema[word].as_array() {
                let way = self.one_of(ways).clone();
                return joined(self.value(name, &way, depth + 1), self.plain(name, schema, depth));
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let whole = self.plain(name, schema, depth);
            return parts.iter().fold(whole, |whole, part| joined(self.value(name, part, depth + 1), whole));
        }
        self.plain(name, schema, depth)
    }

    fn plain(&mut self, name: &str, schema: &Value, depth: usize) -> Value {
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(values) = schema["enum"].as_array() {
            return self.one_of(values).clone();
        }
        let shown = schema["examples"].as_array().and_then(|shown| shown.first()).or(schema.get("example"));
        let kind = self.kind(schema);
        if let Some(shown) = shown.filter(|shown| may_be(schema, shown) && kind != "object")
            && !self.one_in(3)
        {
            return shown.clone();
        }
        match kind.as_str() {
            "object" => self.object(schema, depth),
            "array" => self.array(name, schema, depth),
            "integer" | "number" => self.number(schema),
            "boolean" => json!(self.one_in(2)),
            "string" => json!(self.text(name, schema)),
            _ => Value::Null,
        }
    }

    fn kind(&mut self, schema: &Value) -> String {
        let kind = match &schema["type"] {
            Value::Array(kinds) => self.one_of(kinds).clone(),
            one => one.clone(),
        };
        let unsaid = if schema.get("properties").is_some() { "object" } else { "null" };
        kind.as_str().unwrap_or(unsaid).to_owned()
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut members = Map::new();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let is_required = required.contains(&name.as_str());
            if is_required || (depth < MAX_DEPTH && self.one_in(OPTIONAL_EVERY)) {
                members.insert(name.clone(), self.value(name, property, depth + 1));
            }
        }
        Value::Object(members)
    }

    fn array(&mut self, name: &str, schema: &Value, depth: usize) -> Value {
        let bound = |word: &str| schema[word].as_u64().and_then(|bound| usize::try_from(bound).ok());
        let least = bound("minItems").unwrap_or(0);
        let most = bound("maxItems").unwrap_or(2).min(least + 2);
        // Mostly something: an empty list says nothing.
        let length =
            if depth >= MAX_DEPTH { least } else { most.min(least.max(1) + usize::from(self.one_in(4))) };
        let one = name.strip_suffix('s').unwrap_or(name);
        let mut items: Vec<Value> = Vec::new();
        for _ in 0..length {
            let item = self.value(one, &schema["items"], depth + 1);
            if schema["uniqueItems"] != true || !items.contains(&item) {
                items.push(item);
            }
        }
        Value::Array(items)
    }

    fn number(&mut self, schema: &Value) -> Value {
        let least = schema["minimum"].as_i64().unwrap_or(0);
        let most = schema["maximum"].as_i64().unwrap_or(i64::from(i32::MAX)).max(least);
        if self.one_in(12) {
            return json!(most);
        }
        let span = u64::try_from(most.saturating_sub(least)).unwrap_or(0).min(SPAN);
        let beyond = self.sampler.below(usize::try_from(span).expect("few") + 1);
        json!(least + i64::try_from(beyond).expect("few"))
    }

    fn text(&mut self, name: &str, schema: &Value) -> String {
        let number = self.sampler.below(1_000_000);
        let days = time::Duration::days(i64::try_from(number % 40).expect("few"));
        let made = match (schema["format"].as_str(), name) {
            (Some("uuid"), _) => uuid::Uuid::from_u128(number as u128).to_string(),
            (Some("date-time"), _) => (START + days).format(&Rfc3339).expect("a time"),
            (Some("date"), _) => date((START + days).date()),
            (_, "handle" | "name") => format!("name{number}"),
            _ => ["something", "a", "store", "1", "\u{c4} \u{202e}\u{1f3b2}"][number % 5].to_owned(),
        };
        let bound = |word: &str| schema[word].as_u64().and_then(|bound| usize::try_from(bound).ok());
        let missing = bound("minLength").unwrap_or(0).saturating_sub(made.chars().count());
        let whole = made.chars().chain(std::iter::repeat_n('x', missing));
        whole.take(bound("maxLength").unwrap_or(usize::MAX)).collect()
    }
}

fn date(day: Date) -> String {
    format!("{}-{:02}-{:02}", day.year(), u8::from(day.month()), day.day())
}

/// Whether a value has a type and a format that the schema names.
fn may_be(schema: &Value, value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let is_formed = match schema["format"].as_str() {
        Some("uuid") => uuid::Uuid::try_parse(text).is_ok(),
        Some("date-time") => time::OffsetDateTime::parse(text, &Rfc3339).is_ok(),
        Some("date") => text.len() == 10 && text.starts_with("20"),
        _ => true,
    };
    if value.is_string() && !is_formed {
        return false;
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        Value::String(one) => one == kind || (one == "number" && kind == "integer"),
        // A schema of alternatives names none itself.
        _ => kind == "string" || kind == "object",
    }
}

/// The members of both, where both have members.
fn joined(value: Value, further: Value) -> Value {
    match (value, further) {
        (Value::Object(mut members), Value::Object(further)) => {
            for (name, value) in further {
                members.entry(name).or_insert(value);
            }
            Value::Object(members)
        }
        (Value::Null, further) => further,
        (value, _) => value,
    }
}
