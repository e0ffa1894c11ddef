//! The form of a rule set's options, made from their JSON Schema, so a new rule set needs no page of its own. Its texts name and explain
//! an option under `RULES-option-NAME` and a choice under `RULES-option-NAME-VALUE`; without them the schema's words are shown.

use std::collections::BTreeMap;

use minijinja::{Value as Shown, context};
use serde_json::{Map, Value};

use pippost_language::Language;
use pippost_record::rules::RuleSet;

/// What the names of the fields begin with.
const PREFIX: &str = "option.";

/// The fields of the form; `given` are the entries of a form that was sent before.
#[must_use]
pub fn fields(rules: &dyn RuleSet, given: &BTreeMap<String, String>, language: Language) -> Vec<Shown> {
    let schema = rules.options_schema();
    let options = schema["properties"].as_object().into_iter().flatten();
    options.map(|(name, schema)| field(rules.name(), name, schema, given, language)).collect()
}

fn field(
    rules: &str,
    name: &str,
    schema: &Value,
    given: &BTreeMap<String, String>,
    language: Language,
) -> Shown {
    let key = format!("{rules}-option-{name}");
    let described = schema["title"].as_str().or_else(|| schema["description"].as_str());
    let field = format!("{PREFIX}{name}");
    let value = given.get(&field).cloned().unwrap_or_else(|| plain(&schema["default"]));
    let choice = |possible: &Value| {
        let value = plain(possible);
        let label = language.find(&format!("{key}-{value}")).unwrap_or_else(|| value.clone());
        let hint = language.find(&format!("{key}-{value}-hint"));
        context! { value, label, hint }
    };
    let choices: Vec<_> = schema["enum"].as_array().into_iter().flatten().map(choice).collect();
    context! {
        name => field,
        label => language.find(&key).or_else(|| described.map(str::to_owned)).unwrap_or_else(|| name.to_owned()),
        hint => language.find(&format!("{key}-hint")),
        value,
        choices,
        is_flag => is_of(schema, "boolean"),
        is_number => is_of(schema, "integer"),
        may_be_empty => is_of(schema, "null"),
        least => schema["minimum"].as_i64(),
        most => schema["maximum"].as_i64(),
    }
}

/// Whether a value of the schema may have that type.
fn is_of(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        _ => false,
    }
}

/// A value as it stands in a form.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The options that a form asks for. What is not possible is left to the rule set to refuse.
#[must_use]
pub fn read(rules: &dyn RuleSet, given: &BTreeMap<String, String>) -> Value {
    let schema = rules.options_schema();
    let mut options = Map::new();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let text = given.get(&format!("{PREFIX}{name}")).map(String::as_str);
        if let Some(value) = read_one(schema, text) {
            options.insert(name.clone(), value);
        }
    }
    Value::Object(options)
}

fn read_one(schema: &Value, text: Option<&str>) -> Option<Value> {
    if is_of(schema, "boolean") {
        // Browsers do not send a box that is not ticked.
        return Some(Value::Bool(text.is_some()));
    }
    let text = text?.trim();
    let mut choices = schema["enum"].as_array().into_iter().flatten();
    if let Some(choice) = choices.find(|choice| plain(choice) == text) {
        return Some(choice.clone());
    }
    if text.is_empty() {
        return None;
    }
    let number = text.parse::<i64>().ok().filter(|_| is_of(schema, "integer")).map(Value::from);
    Some(number.unwrap_or_else(|| Value::String(text.to_owned())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use pippost_record::rules;

    #[test]
    fn the_form_of_every_rule_set_gives_its_defaults_back() {
        for rules in rules::all() {
            let given = fields(rules, &BTreeMap::new(), Language::ENGLISH).into_iter().map(|field| {
                let text =
                    |name: &str| field.get_attr(name).map(|value| value.to_string()).unwrap_or_default();
                (text("name"), text("value"))
            });
            let options = read(rules, &given.collect());
            let complete = rules.complete_options(&options).expect("possible options");
            assert_eq!(complete, rules.complete_options(&json!({})).expect("defaults"), "{rules:?}");
        }
    }

    #[test]
    fn what_is_wrong_gets_to_the_rule_set_which_refuses_it() {
        let schema = json!({"type": ["integer", "null"], "minimum": 1});
        assert_eq!(read_one(&schema, Some(" 7 ")), Some(json!(7)));
        assert_eq!(read_one(&schema, Some("")), None);
        assert_eq!(read_one(&schema, Some("seven")), Some(json!("seven")));
        let schema = json!({"enum": [3, "a"]});
        assert_eq!(read_one(&schema, Some("3")), Some(json!(3)));
        assert_eq!(read_one(&schema, Some("b")), Some(json!("b")));
        let schema = json!({"type": "boolean"});
        assert_eq!(read_one(&schema, None), Some(json!(false)));
        assert_eq!(read_one(&schema, Some("on")), Some(json!(true)));
    }
}
