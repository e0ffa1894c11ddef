//! The operations of the OpenAPI document: their parameters and bodies, and a valid request for each.

use serde_json::{Map, Value, json};

use support::contract;

/// Marks the place of a value that is inserted later.
pub const PLACE: &str = "@here@";

#[derive(Clone)]
pub struct Operation {
    pub method: String,
    pub path: String,
    pub parameters: Vec<Parameter>,
    /// Media type and schema.
    pub body: Option<(String, Value)>,
    /// Additional headers of a valid request, from the document's security schemes of the kind `apiKey`.
    pub key_headers: Vec<String>,
}

#[derive(Clone)]
pub struct Parameter {
    pub name: String,
    pub place: String,
    pub schema: Value,
    pub is_required: bool,
}

impl Operation {
    /// All operations of the document.
    pub fn all() -> Vec<Self> {
        let paths = contract::document()["paths"].as_object().expect("paths");
        let operations = paths.iter().flat_map(|(path, item)| {
            let operations = item.as_object().expect("operations");
            operations.iter().map(move |(method, operation)| Self::read(path, method, operation))
        });
        operations.collect()
    }

    fn read(path: &str, method: &str, operation: &Value) -> Self {
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let parameter = |parameter: &Value| Parameter {
            name: text(&parameter["name"]),
            place: text(&parameter["in"]),
            schema: resolved(&parameter["schema"]),
            is_required: parameter["required"] == true,
        };
        let content = operation["requestBody"]["content"].as_object();
        let body = content.and_then(|content| content.iter().next());
        let schemes = operation["security"].as_array().into_iter().flatten().filter_map(Value::as_object);
        let key_header = |name: &String| {
            let scheme = &contract::document()["components"]["securitySchemes"][name];
            (scheme["type"] == "apiKey").then(|| text(&scheme["name"]))
        };
        Self {
            method: method.to_uppercase(),
            path: path.to_owned(),
            parameters: contract::parameters(operation).map(parameter).collect(),
            body: body.map(|(kind, body)| (kind.clone(), resolved(&body["schema"]))),
            key_headers: schemes.flat_map(Map::keys).filter_map(key_header).collect(),
        }
    }

    /// The places in a JSON body where a value can stand, as paths of member names and indexes: the body itself, every member,
    /// and members of free objects.
    pub fn members(&self) -> Vec<Vec<String>> {
        let Some((_, schema)) = &self.body else { return Vec::new() };
        let mut found = Vec::new();
        walk(schema, &mut Vec::new(), &mut found);
        found
    }
}

/// A schema with references resolved and the first alternative that is not `null`.
pub fn resolved(schema: &Value) -> Value {
    if let Some(pointer) = schema["$ref"].as_str() {
        let target = contract::document().pointer(pointer.trim_start_matches('#'));
        return resolved(target.expect("a schema"));
    }
    for kind in ["oneOf", "anyOf", "allOf"] {
        let mut alternatives = schema[kind].as_array().into_iter().flatten();
        if let Some(alternative) = alternatives.find(|alternative| alternative["type"] != "null") {
            return resolved(alternative);
        }
    }
    schema.clone()
}

fn is_a(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    }
}

fn walk(schema: &Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    found.push(at.clone());
    let open = at.clone();
    let mut visit = |name: &str, schema: &Value| {
        at.push(name.to_owned());
        walk(schema, at, found);
        at.pop();
    };
    if is_a(schema, "array") {
        visit("0", &resolved(&schema["items"]));
    }
    if is_a(schema, "object") {
        let properties = schema["properties"].as_object();
        // A member inside one of the same name belongs to a type that contains itself.
        let new = properties.into_iter().flatten().filter(|(name, _)| !open.contains(*name));
        for (name, property) in new {
            visit(name, &resolved(property));
        }
        if properties.is_none_or(Map::is_empty) {
            visit("kind", &json!({"type": "string"}));
        }
    }
}

/// Known values for valid requests, by name.
pub type Known<'a> = &'a dyn Fn(&str) -> Option<Value>;

/// A value that the schema allows.
pub fn sample(name: &str, schema: &Value, known: Known<'_>) -> Value {
    let schema = resolved(schema);
    if let Some(value) = known(name) {
        return value;
    }
    for member in ["example", "default", "const"] {
        if let Some(value) = schema.get(member).filter(|value| !value.is_null()) {
            return value.clone();
        }
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    if is_a(&schema, "object") {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        return required
            .map(|name| (name.to_owned(), sample(name, &schema["properties"][name], known)))
            .collect();
    }
    if is_a(&schema, "array") {
        return json!([sample("", &schema["items"], known)]);
    }
    if is_a(&schema, "integer") || is_a(&schema, "number") {
        return schema.get("minimum").cloned().unwrap_or(json!(1));
    }
    if is_a(&schema, "boolean") { json!(true) } else { json!("something") }
}

/// The body with [`PLACE`] at `path`, as the text before and after it.
pub fn around(body: &Value, path: &[String]) -> (Vec<u8>, Vec<u8>) {
    let mut body = body.clone();
    put(&mut body, path);
    let text = body.to_string();
    let (before, after) = text.split_once(&format!("\"{PLACE}\"")).expect("the place");
    (before.as_bytes().to_vec(), after.as_bytes().to_vec())
}

fn put(value: &mut Value, path: &[String]) {
    let Some((first, rest)) = path.split_first() else {
        *value = json!(PLACE);
        return;
    };
    if first == "0" {
        if !value.is_array() {
            *value = json!([null]);
        }
        put(&mut value[0], rest);
        return;
    }
    if !value.is_object() {
        *value = json!({});
    }
    put(&mut value[first.as_str()], rest);
}
