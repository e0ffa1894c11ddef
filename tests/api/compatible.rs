//! The document of the newest release still holds: what a client of it sends is taken, and what it reads is there. Whatever breaks
//! that must stand in `CHANGELOG.md`, word for word as this test says it.

use std::collections::BTreeSet;
use std::path::Path;

use pippost::keys::secret::sha256;
use serde_json::{Value, json};

use support::contract;

/// Who writes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// What was taken must still be taken.
    Client,
    /// What was there must still be there.
    Server,
}

/// Compares two documents.
struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    found: BTreeSet<String>,
    /// References that were compared, so that recursion ends.
    seen: BTreeSet<(String, By)>,
}

/// All changes that break clients of the old document.
fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let mut comparison = Comparison { old, new, found: BTreeSet::new(), seen: BTreeSet::new() };
    for (path, item) in members(&old["paths"]) {
        for (method, operation) in members(item) {
            let name = format!("{} {path}", method.to_uppercase());
            match new["paths"][path].get(method) {
                None => comparison.report(format!("{name} is gone")),
                Some(now) => comparison.operation(&name, operation, now),
            }
        }
    }
    comparison.found.into_iter().collect()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The parameters of an operation, those among the document's components too.
fn listed<'a>(document: &'a Value, operation: &'a Value) -> Vec<&'a Value> {
    items(&operation["parameters"]).map(|parameter| resolved(document, parameter)).collect()
}

impl<'a> Comparison<'a> {
    fn report(&mut self, what: String) {
        self.found.insert(what);
    }

    fn operation(&mut self, name: &str, old: &'a Value, new: &'a Value) {
        self.parameters(name, old, new);
        let (body, now) = (&old["requestBody"], &new["requestBody"]);
        if now["required"] == true && body["required"] != true {
            self.report(format!("{name} needs a body"));
        }
        self.contents(&format!("{name}, body"), &body["content"], &now["content"], By::Client);
        for (status, answer) in members(&old["responses"]).filter(|(status, _)| status.starts_with('2')) {
            let place = format!("{name}, {status}");
            match new["responses"].get(status) {
                None => self.report(format!("{place} is gone")),
                Some(now) => self.contents(&place, &answer["content"], &now["content"], By::Server),
            }
        }
        let public = |operation: &Value| items(&operation["security"]).all(|one| *one == json!({}));
        if public(old) && !public(new) && !items(&new["security"]).any(|one| *one == json!({})) {
            self.report(format!("{name} needs a token"));
        }
    }

    fn parameters(&mut self, name: &str, old: &'a Value, new: &'a Value) {
        let key = |parameter: &Value| (parameter["in"].to_string(), parameter["name"].to_string());
        let (old, new) = (listed(self.old, old), listed(self.new, new));
        for now in new.iter().copied() {
            let place = format!("{name}, parameter {}", now["name"].as_str().unwrap_or_default());
            match old.iter().copied().find(|then| key(then) == key(now)) {
                None if now["required"] == true => self.report(format!("{place} is new and required")),
                None => {}
                Some(then) => {
                    if now["required"] == true && then["required"] != true {
                        self.report(format!("{place} is required now"));
                    }
                    self.schema(&place, &then["schema"], &now["schema"], By::Client);
                }
            }
        }
        for then in old {
            if !new.iter().any(|now| key(now) == key(then)) {
                self.report(format!(
                    "{name}, parameter {} is gone",
                    then["name"].as_str().unwrap_or_default()
                ));
            }
        }
    }

    fn contents(&mut self, place: &str, old: &'a Value, new: &'a Value, by: By) {
        for (media_type, content) in members(old) {
            match new.get(media_type) {
                None => self.report(format!("{place}: {media_type} is gone")),
                Some(now) => self.schema(place, &content["schema"], &now["schema"], by),
            }
        }
    }

    fn schema(&mut self, place: &str, old: &'a Value, new: &'a Value, by: By) {
        let reference = old["$ref"].as_str();
        let place = reference.map_or(place, |name| name.rsplit('/').next().unwrap_or(place)).to_owned();
        if reference.is_some_and(|name| !self.seen.insert((name.to_owned(), by))) {
            return;
        }
        let (old, new) = (resolved(self.old, old), resolved(self.new, new));
        let became_several = by == By::Server && old["properties"].is_object() && new["oneOf"].is_array();
        if became_several {
            for part in items(&new["oneOf"]) {
                self.plain_schema(&place, old, resolved(self.new, part), by);
            }
        } else {
            self.plain_schema(&place, old, new, by);
        }
    }

    fn plain_schema(&mut self, place: &str, old: &'a Value, new: &'a Value, by: By) {
        self.types(place, old, new, by);
        self.values(place, old, new, by);
        self.bounds(place, old, new, by);
        self.properties(place, old, new, by);
        for part in ["items", "additionalProperties"] {
            if old[part].is_object() && new[part].is_object() {
                self.schema(&format!("{place}, {part}"), &old[part], &new[part], by);
            }
        }
        for kind in ["oneOf", "anyOf", "allOf"] {
            self.alternatives(place, kind, old, new, by);
        }
    }

    fn types(&mut self, place: &str, old: &Value, new: &Value, by: By) {
        let types = |schema: &Value| -> BTreeSet<String> {
            let one = schema["type"].as_str().into_iter().map(str::to_owned);
            one.chain(items(&schema["type"]).filter_map(Value::as_str).map(str::to_owned)).collect()
        };
        let (old, new) = (types(old), types(new));
        let (narrow, wide) = if by == By::Client { (&old, &new) } else { (&new, &old) };
        if !narrow.is_empty() && !wide.is_empty() && !narrow.is_subset(wide) {
            self.report(format!("{place}: another type"));
        }
    }

    /// An answer may get further values: clients must expect that.
    fn values(&mut self, place: &str, old: &Value, new: &Value, by: By) {
        if by == By::Server || new.get("enum").is_none() {
            return;
        }
        if old.get("enum").is_none() {
            return self.report(format!("{place}: only some values are taken now"));
        }
        for value in items(&old["enum"]).filter(|value| !items(&new["enum"]).any(|now| now == *value)) {
            self.found.insert(format!("{place}: {value} is not taken any more"));
        }
    }

    fn bounds(&mut self, place: &str, old: &Value, new: &Value, by: By) {
        if by == By::Server {
            return;
        }
        let number = |schema: &Value, name: &str| schema[name].as_f64();
        for name in ["maximum", "maxLength", "maxItems"] {
            if number(new, name).is_some_and(|now| number(old, name).is_none_or(|then| now < then)) {
                self.report(format!("{place}: {name} is lower"));
            }
        }
        for name in ["minimum", "minLength", "minItems"] {
            if number(new, name).is_some_and(|now| number(old, name).is_none_or(|then| now > then)) {
                self.report(format!("{place}: {name} is higher"));
            }
        }
        if new.get("pattern").is_some() && old.get("pattern") != new.get("pattern") {
            self.report(format!("{place}: another pattern"));
        }
    }

    fn properties(&mut self, place: &str, old: &'a Value, new: &'a Value, by: By) {
        let required = |schema: &Value, name: &str| items(&schema["required"]).any(|one| one == name);
        for (name, property) in members(&old["properties"]) {
            match new["properties"].get(name) {
                None => self.report(format!("{place}: `{name}` is gone")),
                Some(now) => self.schema(&format!("{place}, `{name}`"), property, now, by),
            }
            if by == By::Server && required(old, name) && !required(new, name) {
                self.report(format!("{place}: `{name}` may be missing"));
            }
        }
        for (name, _) in members(&new["properties"]) {
            if by == By::Client && required(new, name) && !required(old, name) {
                self.report(format!("{place}: `{name}` is required"));
            }
        }
    }

    fn alternatives(&mut self, place: &str, kind: &str, old: &'a Value, new: &'a Value, by: By) {
        for (index, part) in items(&old[kind]).enumerate() {
            let same = match part.get("$ref") {
                Some(reference) => items(&new[kind]).find(|now| now.get("$ref") == Some(reference)),
                None => new[kind].get(index),
            };
            match same {
                Some(now) => self.schema(&format!("{place}, {index}"), part, now, by),
                None if by == By::Client || kind == "allOf" => {
                    self.report(format!("{place}: {} is gone", part["$ref"].as_str().unwrap_or("a form")));
                }
                None => {}
            }
        }
    }
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#'))) {
        Some(target) => resolved(document, target),
        None => schema,
    }
}

/// Changes a document.
type Change<'a> = &'a dyn Fn(&mut Value);

/// The releases, oldest first, each with the SHA-256 of its document in `openapi/released`. A line that is here is never changed:
/// clients were made from that document.
const RELEASED: [(&str, &str); 1] =
    [("0.1.0", "8ab75f283abddcd68a94df9f95000078830c98740f04119ad284ae00fbc26163")];

/// The document of a release.
fn released(version: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("openapi/released/{version}.json"));
    std::fs::read(path).unwrap_or_else(|error| panic!("the document of {version}: {error}"))
}

#[test]
fn a_released_document_is_never_changed_and_the_version_of_the_program_has_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/released");
    let files =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let files: BTreeSet<_> = files.map(|name| name.into_string().expect("text")).collect();
    let listed: BTreeSet<_> = RELEASED.iter().map(|(version, _)| format!("{version}.json")).collect();
    assert_eq!(files, listed, "every file is a release, and every release has a file");
    for (version, expected) in RELEASED {
        let text = released(version);
        assert_eq!(hex::encode(sha256(&text)), expected, "the document of {version} was changed: undo it");
        let document: Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!(document["info"]["version"], version);
    }
    let (newest, _) = RELEASED[RELEASED.len() - 1];
    assert_eq!(
        newest,
        env!("CARGO_PKG_VERSION"),
        "a new version in Cargo.toml is a release: see CONTRIBUTING.md, \"Make a release\""
    );
}

#[test]
fn what_breaks_clients_of_the_newest_release_stands_in_the_changelog() {
    let changelog = Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGELOG.md");
    let changelog = std::fs::read_to_string(changelog).expect("CHANGELOG.md");
    let unreleased = changelog.split("\n## ").nth(1).expect("a part");
    let newest = serde_json::from_slice(&released(env!("CARGO_PKG_VERSION"))).expect("JSON");
    let found = breaks(&newest, contract::document());
    let untold: Vec<_> = found.iter().filter(|line| !unreleased.contains(line.as_str())).collect();
    assert!(
        untold.is_empty(),
        "this breaks clients: undo it, or write these lines into CHANGELOG.md\n{untold:#?}"
    );
}

#[test]
fn every_kind_of_break_is_found_and_nothing_else_is() {
    let old = contract::document();
    assert_eq!(breaks(old, old), Vec::<String>::new());
    let after = |change: Change| {
        let mut new = old.clone();
        change(&mut new);
        breaks(old, &new)
    };
    let schema = |name: &str| format!("/components/schemas/{name}");
    let at = |document: &mut Value, pointer: &str| document.pointer_mut(pointer).expect("a place").take();
    let removed = |document: &mut Value, pointer: &str, member: &str| {
        document
            .pointer_mut(pointer)
            .and_then(Value::as_object_mut)
            .expect("members")
            .remove(member)
            .expect("it was there");
    };
    let in_two = |new: &mut Value, second: Value| {
        let whole = at(new, &schema("MeAnswer"));
        new["components"]["schemas"]["MeAnswer"] = json!({"oneOf": [whole, second]});
    };
    let me_answer = old["components"]["schemas"]["MeAnswer"].clone();
    let cases: [(&str, Change); 9] = [
        ("MeAnswer: `email` is gone", &|new| in_two(new, json!({"type": "object"}))),
        ("GET /api/v1/me/mails is gone", &|new| removed(new, "/paths", "/api/v1/me/mails")),
        ("POST /api/v1/games, 201 is gone", &|new| {
            removed(new, "/paths/~1api~1v1~1games/post/responses", "201");
        }),
        ("MeAnswer: `email` is gone", &|new| removed(new, &(schema("MeAnswer") + "/properties"), "email")),
        ("PlayerView: `left` may be missing", &|new| {
            let required = at(new, &(schema("PlayerView") + "/required"));
            let kept: Vec<Value> = items(&required).filter(|name| **name != "left").cloned().collect();
            new["components"]["schemas"]["PlayerView"]["required"] = kept.into();
        }),
        ("LogInBody: `code` is required", &|new| {
            let body = &mut new["components"]["schemas"]["LogInBody"];
            body["properties"]["code"] = json!({"type": "string"});
            body["required"].as_array_mut().expect("a list").push(json!("code"));
        }),
        ("ListName: \"mine\" is not taken any more", &|new| {
            new["components"]["schemas"]["ListName"]["enum"].as_array_mut().expect("a list").remove(0);
        }),
        ("EntropyBody, `entropy`: maxLength is lower", &|new| {
            new["components"]["schemas"]["EntropyBody"]["properties"]["entropy"]["maxLength"] = json!(8);
        }),
        ("GET /api/v1/games, parameter page is new and required", &|new| {
            let page =
                json!({"name": "page", "in": "query", "required": true, "schema": {"type": "integer"}});
            new["paths"]["/api/v1/games"]["get"]["parameters"].as_array_mut().expect("a list").push(page);
        }),
    ];
    for (expected, change) in cases {
        assert!(after(change).contains(&expected.to_owned()), "{expected}: {:#?}", after(change));
    }
    let harmless: [Change; 4] = [
        &|new| in_two(new, me_answer.clone()),
        &|new| new["paths"]["/api/v1/new"] = json!({"get": {"responses": {}}}),
        &|new| new["components"]["schemas"]["MeAnswer"]["properties"]["more"] = json!({"type": "string"}),
        &|new| new["components"]["schemas"]["LogInBody"]["properties"]["more"] = json!({"type": "string"}),
    ];
    for change in harmless {
        assert_eq!(after(change), Vec::<String>::new());
    }
}
