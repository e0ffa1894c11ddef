//! What answers have given, for later requests: identifiers, cursors, tokens, tags, links, legal actions.

use std::collections::{BTreeMap, VecDeque};

use pippost::rules::Choose;
use reqwest::header::{ETAG, LINK, LOCATION};
use serde_json::Value;

use support::client::Answer;
use support::sample::Sampler;

/// The most values of a name that are kept; the oldest is forgotten first.
const MAX_VALUES: usize = 24;

/// The longest text that is kept.
const MAX_TEXT_BYTES: usize = 4_000;

/// One in so many choices is any of the kept values, the others the newest.
const ANY_VALUE_EVERY: usize = 3;

/// Values by name. Identifiers have the name of their collection, as `games` in `/games/{id}`.
#[derive(Default)]
pub struct Memory {
    values: BTreeMap<String, VecDeque<Value>>,
    /// Whole texts by media type, such as records.
    texts: BTreeMap<String, VecDeque<String>>,
}

/// The collection that the last `{id}` of a path is of, or that the path is itself.
pub fn collection(template: &str) -> &str {
    let parts: Vec<&str> = template.split('/').collect();
    let parameter = parts.iter().rposition(|part| part.starts_with('{'));
    parameter.map_or(parts[parts.len() - 1], |at| parts[at - 1])
}

impl Memory {
    pub fn keep(&mut self, name: &str, value: Value) {
        if value.as_str().is_some_and(|text| text.len() > MAX_TEXT_BYTES) {
            return;
        }
        let values = self.values.entry(name.to_owned()).or_default();
        values.retain(|kept| *kept != value);
        values.push_back(value);
        if values.len() > MAX_VALUES {
            values.pop_front();
        }
    }

    /// A kept value of that name, mostly the newest.
    pub fn pick(&self, name: &str, sampler: &mut Sampler) -> Option<Value> {
        pick(self.values.get(name)?, sampler).cloned()
    }

    /// A whole text of that media type.
    pub fn text(&self, media_type: &str, sampler: &mut Sampler) -> Option<String> {
        pick(self.texts.get(media_type)?, sampler).cloned()
    }

    /// Keeps what an answer to a request at `path`, of that template, has.
    pub fn learn(&mut self, template: &str, path: &str, answer: &Answer, sampler: &mut Sampler) {
        let header = |name| answer.headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(tag) = header(ETAG) {
            self.keep("ETag", tag.into());
        }
        for link in header(LINK).into_iter().flat_map(|links| links.split(',')) {
            let target = link.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
            self.address(target.map_or("", |(target, _)| target));
        }
        self.address(header(LOCATION).unwrap_or_default());
        let media_type = header(reqwest::header::CONTENT_TYPE).unwrap_or_default();
        match serde_json::from_slice::<Value>(&answer.body) {
            Ok(body) if answer.status.is_success() => self.members(collection(template), &body, sampler),
            Err(_) if answer.status.is_success() && path.contains("/record") => {
                let texts = self.texts.entry(media_type.split(';').next().unwrap_or_default().to_owned());
                texts.or_default().push_back(answer.text());
            }
            _ => {}
        }
    }

    /// Keeps an address on this server that an answer named, to be asked as it is.
    fn address(&mut self, target: &str) {
        let path = target.find("/api/v1/").map(|at| &target[at..]);
        if let Some(path) = path {
            self.keep("address", path.into());
        }
    }

    fn members(&mut self, collection: &str, body: &Value, sampler: &mut Sampler) {
        for (name, value) in body.as_object().into_iter().flatten() {
            match value {
                Value::Array(items) => {
                    for item in items {
                        self.item(name, item, sampler);
                    }
                }
                Value::Object(_) => {
                    self.members(if name == "game" { "games" } else { name }, value, sampler);
                }
                Value::String(_) | Value::Number(_) => match name.as_str() {
                    "id" => self.keep(collection, value.clone()),
                    name => {
                        if name == "game" {
                            self.keep("games", value.clone());
                        }
                        self.keep(name, value.clone());
                    }
                },
                _ => {}
            }
        }
    }

    /// Keeps an item of a list under the name of one: of `receipts` it is `receipt`.
    fn item(&mut self, list: &str, item: &Value, sampler: &mut Sampler) {
        let name = list.strip_suffix('s').unwrap_or(list);
        let choice = item.get("choose").map(|_| serde_json::from_value::<Choose>(item.clone()));
        match choice {
            Some(Ok(choice)) => self.keep(name, choice.action(|limit| sampler.below(limit))),
            Some(Err(_)) => {}
            None => self.keep(name, item.clone()),
        }
        self.members(list, item, sampler);
    }
}

fn pick<'a, T>(kept: &'a VecDeque<T>, sampler: &mut Sampler) -> Option<&'a T> {
    if sampler.below(ANY_VALUE_EVERY) > 0 { kept.back() } else { kept.get(sampler.below(kept.len())) }
}
