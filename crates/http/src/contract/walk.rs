//! Holds a value against a schema of the document: references, objects, lists and choices. [`super::values`] has texts and numbers.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::fault::{Fault, FaultCode, Word, escaped};
use super::values;

/// The most faults that one answer names.
const MAX_FAULTS: usize = 20;

/// The most levels of a value that are looked at: more than the document describes.
const MAX_LEVELS: usize = 32;

/// The most checks of a value against a schema: several times what the largest honest body takes.
const MAX_CHECKS: usize = 20_000;

/// The longest name that an answer repeats, in characters: the document has none as long.
const MAX_NAME_CHARS: usize = 64;

/// A walk through a value and its schema.
pub(super) struct Walk<'a> {
    schemas: &'a Value,
    /// Where the walk is.
    pointer: String,
    levels: usize,
    checks: usize,
    faults: Vec<Fault>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(schemas: &'a Value) -> Self {
        Self { schemas, pointer: String::new(), levels: 0, checks: 0, faults: Vec::new() }
    }

    pub(super) fn into_faults(mut self) -> Vec<Fault> {
        self.faults.truncate(MAX_FAULTS);
        self.faults
    }

    pub(super) fn add(&mut self, code: FaultCode, text: &'static str, words: Vec<(&'static str, Word)>) {
        self.faults.push(Fault::new(&self.pointer, code, text, words));
    }

    fn is_full(&self) -> bool {
        self.faults.len() >= MAX_FAULTS || self.checks >= MAX_CHECKS
    }

    /// Looks at a member. A name that is too long to be repeated is told of where its object is.
    fn within(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        if shortened(name) == name {
            self.pointer.push('/');
            self.pointer.push_str(&escaped(name));
        }
        self.levels += 1;
        look(self);
        self.levels -= 1;
        self.pointer.truncate(length);
    }

    fn named(&self, reference: &str) -> &'a Value {
        let schemas = self.schemas;
        &schemas[reference.rsplit('/').next().unwrap_or_default()]
    }

    fn meant(&self, schema: &'a Value) -> &'a Value {
        schema["$ref"].as_str().map_or(schema, |reference| self.meant(self.named(reference)))
    }

    /// Adds what is wrong with the value at this place.
    pub(super) fn check(&mut self, schema: &'a Value, value: &Value) {
        if self.levels > MAX_LEVELS || self.is_full() {
            return;
        }
        self.checks += 1;
        let schema = self.meant(schema);
        for kind in ["oneOf", "anyOf"] {
            if let Some(parts) = schema[kind].as_array() {
                return self.check_choice(schema, parts, value);
            }
        }
        if let Some(expected) = values::wrong_type(schema, value) {
            return self.add_type(expected, value);
        }
        match value {
            Value::Object(members) => self.check_object(schema, members),
            Value::Array(items) => self.check_list(schema, items),
            _ => values::check(self, schema, value),
        }
    }

    fn check_object(&mut self, schema: &'a Value, given: &Map<String, Value>) {
        let known = schema["properties"].as_object();
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in required.filter(|name| !given.contains_key(*name)) {
            self.within(name, |walk| {
                walk.add(FaultCode::Missing, "fault-missing", vec![literal("name", name)]);
            });
        }
        for (name, member) in given {
            if self.is_full() {
                return;
            }
            let property = known.and_then(|known| known.get(name));
            self.within(name, |walk| match (property, &schema["additionalProperties"]) {
                (Some(property), _) => walk.check(property, member),
                (None, Value::Bool(false)) => walk.add_unknown(name, known.into_iter().flat_map(Map::keys)),
                (None, further) if further.is_object() => walk.check(further, member),
                _ => {}
            });
        }
    }

    fn add_unknown<'n>(&mut self, name: &str, known: impl Iterator<Item = &'n String>) {
        let known = quoted(known.map(String::as_str));
        let text = if known.is_empty() { "fault-nothing-known" } else { "fault-unknown" };
        self.add(FaultCode::Unknown, text, vec![literal("name", &shortened(name)), literal("known", &known)]);
    }

    fn check_list(&mut self, schema: &'a Value, items: &[Value]) {
        if values::check_length(self, schema, ["minItems", "maxItems"], items.len(), "fault-entries") {
            return;
        }
        for (index, item) in items.iter().enumerate() {
            if self.is_full() {
                return;
            }
            let is_repeated = schema["uniqueItems"] == true && items[..index].contains(item);
            self.within(&index.to_string(), |walk| {
                if is_repeated {
                    walk.add(FaultCode::Repeated, "fault-repeated", Vec::new());
                }
                walk.check(&schema["items"], item);
            });
        }
    }

    /// One of several schemas has to fit: that of the discriminator's value, or the one that has most in common with the value.
    fn check_choice(&mut self, schema: &'a Value, parts: &'a [Value], value: &Value) {
        let parts: Vec<&'a Value> = parts.iter().map(|part| self.meant(part)).collect();
        let own = [schema].into_iter().filter_map(discriminator).collect::<Vec<_>>();
        let of_parts: Option<Vec<_>> = parts.iter().map(|part| discriminator(part)).collect();
        let named = if own.is_empty() { of_parts.unwrap_or_default() } else { own };
        let Some((member, _)) = named.first() else { return self.check_each(&parts, value) };
        let chosen = value[*member].as_str();
        let fitting = named.iter().filter_map(|(_, mapping)| mapping.get(chosen?)?.as_str());
        let fitting: Vec<&'a Value> = fitting.map(|reference| self.named(reference)).collect();
        if !fitting.is_empty() {
            return self.check_each(&fitting, value);
        }
        let Some(given) = value.as_object() else {
            return self.add_type(vec!["fault-object"], value);
        };
        let known = quoted(named.iter().flat_map(|(_, mapping)| mapping.keys()).map(String::as_str));
        let is_there = given.contains_key(*member);
        self.within(member, |walk| {
            if is_there {
                walk.add(FaultCode::Value, "fault-value", vec![literal("known", &known)]);
            } else {
                walk.add(FaultCode::Missing, "fault-missing", vec![literal("name", member)]);
            }
        });
    }

    fn check_each(&mut self, parts: &[&'a Value], value: &Value) {
        let mut tried = Vec::new();
        for part in parts {
            let mut walk = Walk {
                schemas: self.schemas,
                pointer: self.pointer.clone(),
                levels: self.levels + 1,
                checks: self.checks,
                faults: Vec::new(),
            };
            walk.check(part, value);
            self.checks = walk.checks;
            if walk.faults.is_empty() {
                return;
            }
            tried.push((in_common(part, value), *part, walk.faults));
        }
        self.add_nearest(tried, value);
    }

    /// Of the schemas that do not fit, tells of the one that has most in common with the value.
    fn add_nearest(&mut self, mut tried: Vec<(usize, &'a Value, Vec<Fault>)>, value: &Value) {
        let most = tried.iter().map(|(common, ..)| *common).max().unwrap_or_default();
        tried.retain(|(common, ..)| *common == most);
        let all_are = |code: FaultCode| {
            tried.len() > 1 && tried.iter().flat_map(|(.., faults)| faults).all(|fault| fault.code == code)
        };
        if all_are(FaultCode::Missing) {
            let faults = tried.iter().flat_map(|(.., faults)| faults);
            let names: BTreeSet<&str> = faults.filter_map(|fault| fault.pointer.rsplit('/').next()).collect();
            let known = vec![literal("known", &quoted(names.into_iter()))];
            return self.add(FaultCode::Missing, "fault-either", known);
        }
        if all_are(FaultCode::Type) && most == 0 {
            return self.add_type(tried.iter().flat_map(|(_, part, _)| values::kinds(part)).collect(), value);
        }
        let fewest = tried.into_iter().min_by_key(|(.., faults)| faults.len());
        self.faults.extend(fewest.map(|(.., faults)| faults).unwrap_or_default());
    }

    fn add_type(&mut self, expected: Vec<&'static str>, value: &Value) {
        let given = Word::Key(values::kind_of(value));
        self.add(FaultCode::Type, "fault-type", vec![("expected", Word::Any(expected)), ("given", given)]);
    }

    /// Adds what is wrong with the parameters of a query.
    pub(super) fn check_query(&mut self, known: &'a [Value], given: &[(String, String)]) {
        let name_of = |parameter: &Value| parameter["name"].as_str().unwrap_or_default().to_owned();
        for parameter in known.iter().filter(|parameter| parameter["required"] == true) {
            let name = name_of(parameter);
            if given.iter().all(|(given, _)| *given != name) {
                self.within(&name, |walk| {
                    walk.add(FaultCode::Missing, "fault-missing", vec![literal("name", &name)]);
                });
            }
        }
        let names: Vec<String> = known.iter().map(name_of).collect();
        for (index, (name, text)) in given.iter().enumerate() {
            if self.is_full() {
                return;
            }
            let parameter = known.iter().find(|parameter| parameter["name"] == **name);
            let is_repeated = given[..index].iter().any(|(before, _)| before == name);
            self.within(name, |walk| match parameter {
                None => walk.add_unknown(name, names.iter()),
                Some(_) if is_repeated => walk.add(FaultCode::Repeated, "fault-repeated", Vec::new()),
                Some(parameter) => {
                    let schema = walk.meant(&parameter["schema"]);
                    walk.check(schema, &values::of_text(schema, text));
                }
            });
        }
    }
}

/// The member whose value names the schema that has to fit, and the schemas by that value.
fn discriminator(schema: &Value) -> Option<(&str, &Map<String, Value>)> {
    let Value::Object(discriminator) = &schema["discriminator"] else { return None };
    Some((discriminator.get("propertyName")?.as_str()?, discriminator.get("mapping")?.as_object()?))
}

/// A variable that stands in the text as it is.
pub(super) fn literal(name: &'static str, value: &str) -> (&'static str, Word) {
    (name, Word::Literal(value.to_owned()))
}

/// A name of a client's, as an answer repeats it.
fn shortened(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        None => Cow::Borrowed(name),
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
    }
}

/// Names between back-ticks.
pub(super) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// How much of a value a schema knows: the members by name, and more for a member whose value it demands.
fn in_common(schema: &Value, value: &Value) -> usize {
    let (Some(known), Some(given)) = (schema["properties"].as_object(), value.as_object()) else {
        return usize::from(values::wrong_type(schema, value).is_none());
    };
    let weight = |(name, member): (&String, &Value)| match known.get(name) {
        Some(property) if property["enum"].as_array().is_some_and(|all| all.contains(member)) => {
            known.len() + 1
        }
        Some(_) => 1,
        None => 0,
    };
    1 + given.iter().map(weight).sum::<usize>()
}
