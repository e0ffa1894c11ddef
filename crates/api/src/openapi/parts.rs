//! The document's parts, each for other readers: players' programs, those for what players do beside games, those who try a client in a
//! sandbox, and operators.

use std::collections::BTreeSet;

use serde_json::Value;
use utoipa::openapi::path::PathItem;
use utoipa::openapi::{Components, OpenApi};

use crate::declared::operations;

/// A part of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What players and their programs use.
    Players,
    /// What only a sandbox has.
    Sandbox,
    /// What players do together beside games.
    Community,
    /// What those use who run the server.
    Operators,
}

/// Where references to what operations share begin.
const COMPONENTS: &str = "#/components/";

impl Part {
    /// All parts, the players' first.
    pub const ALL: [Self; 4] = [Self::Players, Self::Sandbox, Self::Community, Self::Operators];

    /// Where a server shows it.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Players => "/openapi.json",
            Self::Sandbox => "/openapi/sandbox.json",
            Self::Community => "/openapi/community.json",
            Self::Operators => "/openapi/operations.json",
        }
    }

    /// Its name; in the folder `openapi` of the repository, the file's without `.json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Players => "openapi",
            Self::Sandbox => "sandbox",
            Self::Community => "community",
            Self::Operators => "operations",
        }
    }

    /// The part of that name.
    ///
    /// # Errors
    /// The names that there are, if it is none.
    pub fn named(name: &str) -> Result<Self, String> {
        let known = Self::ALL.map(Self::name);
        let found = Self::ALL.into_iter().find(|part| part.name() == name);
        found.ok_or_else(|| format!("there are {}", known.join(", ")))
    }

    /// The tag of its operations; the players' have all others.
    fn tag(self) -> Option<&'static str> {
        (self != Self::Players).then(|| self.name())
    }

    /// Whether an operation with this tag belongs to it.
    #[must_use]
    pub fn holds(self, tag: &str) -> bool {
        match self.tag() {
            Some(own) => own == tag,
            None => Self::ALL.iter().all(|part| part.tag() != Some(tag)),
        }
    }

    /// This part of the whole document, with the components that it needs.
    #[must_use]
    pub fn of(self, whole: &OpenApi) -> OpenApi {
        let mut part = whole.clone();
        for item in part.paths.paths.values_mut() {
            keep(item, |tag| self.holds(tag));
        }
        part.paths.paths.retain(|_, item| operations(item).next().is_some());
        part.tags.iter_mut().for_each(|tags| tags.retain(|tag| self.holds(&tag.name)));
        if let Some(tag) = self.tag() {
            part.info.title = format!("{}: {tag}", part.info.title);
        }
        let needed = needed(&part);
        if let Some(components) = &mut part.components {
            retain(components, &needed);
        }
        part
    }
}

fn keep(item: &mut PathItem, holds: impl Fn(&str) -> bool) {
    let PathItem { get, put, post, delete, patch, .. } = item;
    for method in [get, put, post, delete, patch] {
        let tag = method.as_ref().and_then(|operation| operation.tags.iter().flatten().next());
        if tag.is_some_and(|tag| !holds(tag)) {
            *method = None;
        }
    }
}

/// The pointers of all components that the paths need, one by another, and of the security schemes that they name.
fn needed(document: &OpenApi) -> BTreeSet<String> {
    let document = serde_json::to_value(document).expect("plain data");
    let mut found = BTreeSet::new();
    let mut unread = Vec::new();
    references(&document["paths"], &mut unread);
    while let Some(reference) = unread.pop() {
        if let Some(value) = document.pointer(reference.trim_start_matches('#'))
            && found.insert(reference)
        {
            references(value, &mut unread);
        }
    }
    let items = document["paths"].as_object().into_iter().flat_map(serde_json::Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(serde_json::Map::values);
    let requirements = operations.filter_map(|operation| operation["security"].as_array()).flatten();
    let schemes = requirements.filter_map(Value::as_object).flat_map(serde_json::Map::keys);
    found.extend(schemes.map(|name| format!("{COMPONENTS}securitySchemes/{name}")));
    found
}

/// References stand in `$ref` and among the names of discriminators.
pub(super) fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.starts_with(COMPONENTS) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Object(members) => members.values().for_each(|member| references(member, found)),
        _ => {}
    }
}

fn retain(components: &mut Components, needed: &BTreeSet<String>) {
    let is_needed = |kind: &str, name: &String| needed.contains(&format!("{COMPONENTS}{kind}/{name}"));
    components.schemas.retain(|name, _| is_needed("schemas", name));
    components.responses.retain(|name, _| is_needed("responses", name));
    components.parameters.retain(|name, _| is_needed("parameters", name));
    components.examples.retain(|name, _| is_needed("examples", name));
    components.headers.retain(|name, _| is_needed("headers", name));
    components.security_schemes.retain(|name, _| is_needed("securitySchemes", name));
}
