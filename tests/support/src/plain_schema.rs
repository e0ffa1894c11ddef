//! Schemas in one form, so that those written by hand can be compared with those made from types.

use serde_json::{Value, json};

use super::contract::document;

/// The keywords that hold a schema.
const WITH_A_SCHEMA: [&str; 3] = ["items", "additionalProperties", "propertyNames"];

/// A schema without references and without what only people read, in one form: what it says of values and nothing else.
pub fn plain(schema: &Value) -> Value {
    if let Some(pointer) = schema["$ref"].as_str() {
        return plain(document().pointer(pointer.trim_start_matches('#')).expect("a schema"));
    }
    let mut said = schema.as_object().expect("a schema").clone();
    for word in ["title", "description", "format", "discriminator", "default"] {
        said.remove(word);
    }
    if let Some(value) = said.remove("const") {
        said.insert("enum".to_owned(), json!([value]));
    }
    if said.contains_key("enum") {
        said.remove("type");
    }
    if let Some(Value::Array(required)) = said.get_mut("required") {
        required.sort_by_key(ToString::to_string);
    }
    for name in WITH_A_SCHEMA {
        if let Some(part) = said.get_mut(name).filter(|part| part.is_object()) {
            *part = plain(part);
        }
    }
    if said.get("properties").is_some_and(|properties| *properties == json!({})) {
        said.remove("properties");
    }
    if let Some(Value::Object(properties)) = said.get_mut("properties") {
        properties.values_mut().for_each(|property| *property = plain(property));
    }
    if let Some(Value::Array(parts)) = said.remove("oneOf") {
        let parts: Vec<Value> = parts.iter().map(plain).collect();
        return joined(said.into_iter().collect(), parts);
    }
    said.into_iter().collect()
}

/// `oneOf` in one form: a value or null is a type of two kinds, and variants are in the order of their types.
fn joined(mut rest: Value, mut parts: Vec<Value>) -> Value {
    let null = json!({"type": "null"});
    if parts.len() == 2 && parts.contains(&null) {
        parts.retain(|part| *part != null);
        let mut part = parts.remove(0);
        part["type"] = json!([part["type"], "null"]);
        return part;
    }
    parts.sort_by_key(|part| part["properties"]["type"]["enum"].to_string());
    rest["oneOf"] = json!(parts);
    rest
}
