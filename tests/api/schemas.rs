//! The schemas of the document: none says nothing, and each describes what games really are.

use std::collections::{BTreeMap, BTreeSet};

use pippost::api::Code;
use pippost::rules;
use pippost::rules::schema::{RuleSetSchemas, in_pascal_case};
use serde_json::{Value, json};

use support::contract::{document, errors};
use support::plain_schema::plain;
use support::random_play::{Game, Plan, viewers};

/// Random games of each rule set.
const GAMES: u64 = 12;

/// The most actions of one.
const ACTIONS: usize = 80;

/// The schemas that describe any object on purpose.
const FREE: [&str; 1] = ["#/components/schemas/JsonSchema"];

/// The keywords that say something about a value by themselves.
const SAYING: [&str; 7] = ["$ref", "type", "oneOf", "anyOf", "allOf", "enum", "const"];

/// The keywords that hold one schema, and those that hold several.
const ONE: [&str; 5] = ["items", "additionalProperties", "propertyNames", "contentSchema", "not"];
const SEVERAL: [&str; 5] = ["properties", "oneOf", "anyOf", "allOf", "prefixItems"];

/// Every schema of the document, with the place where it stands.
fn all_schemas() -> Vec<(String, &'static Value)> {
    let mut found = Vec::new();
    for (name, schema) in document()["components"]["schemas"].as_object().expect("schemas") {
        add_schema(format!("#/components/schemas/{name}"), schema, &mut found);
    }
    add_schemas_of_operations("#/paths".to_owned(), &document()["paths"], &mut found);
    found
}

/// Wherever an operation has a member `schema`, it is one.
fn add_schemas_of_operations(at: String, value: &'static Value, found: &mut Vec<(String, &'static Value)>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let at = format!("{at}/{name}");
                if name == "schema" {
                    add_schema(at, member, found);
                } else {
                    add_schemas_of_operations(at, member, found);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                add_schemas_of_operations(at.clone(), item, found);
            }
        }
        _ => {}
    }
}

fn add_schema(at: String, schema: &'static Value, found: &mut Vec<(String, &'static Value)>) {
    for name in ONE {
        if let Some(part) = schema.get(name).filter(|part| !part.is_boolean()) {
            add_schema(format!("{at}/{name}"), part, found);
        }
    }
    for name in SEVERAL {
        match schema.get(name) {
            Some(Value::Object(parts)) => {
                for (key, part) in parts {
                    add_schema(format!("{at}/{name}/{key}"), part, found);
                }
            }
            Some(Value::Array(parts)) => {
                for (index, part) in parts.iter().enumerate() {
                    add_schema(format!("{at}/{name}/{index}"), part, found);
                }
            }
            _ => {}
        }
    }
    found.push((at, schema));
}

/// Why a schema says nothing, if it does.
fn emptiness(schema: &Value) -> Option<&'static str> {
    if SAYING.iter().all(|keyword| schema.get(keyword).is_none()) {
        return Some("says nothing");
    }
    let is_a = |kind: &str| {
        schema["type"] == kind || schema["type"].as_array().is_some_and(|kinds| kinds.contains(&json!(kind)))
    };
    if is_a("array") && schema.get("items").is_none() {
        return Some("is a list of anything");
    }
    let has_members = schema["properties"].as_object().is_some_and(|properties| !properties.is_empty());
    let further = schema.get("additionalProperties");
    let is_closed = further.is_some_and(|further| *further == json!(false) || further.is_object());
    let is_composed = ["oneOf", "anyOf", "allOf"].iter().any(|keyword| schema.get(keyword).is_some());
    (is_a("object") && !has_members && !is_closed && !is_composed).then_some("is an object of anything")
}

#[test]
fn no_schema_is_empty() {
    let all = all_schemas();
    assert!(all.len() > 1000, "{}", all.len());
    let empty: Vec<_> = all
        .iter()
        .filter(|(at, _)| !FREE.contains(&at.as_str()))
        .filter_map(|(at, schema)| Some((at, emptiness(schema)?)))
        .collect();
    assert!(empty.is_empty(), "{empty:#?}");
    for at in FREE {
        let (_, schema) = all.iter().find(|(place, _)| place == at).expect("still in the document");
        assert!(emptiness(schema).is_some(), "{at} is not free any more");
    }
}

#[test]
fn emptiness_is_seen() {
    for empty in [
        json!({}),
        json!({"description": "anything"}),
        json!({"type": "array"}),
        json!({"type": "object"}),
        json!({"type": ["object", "null"], "properties": {}}),
        json!({"type": "object", "additionalProperties": true}),
    ] {
        assert!(emptiness(&empty).is_some(), "{empty}");
    }
    for schema in [
        json!({"$ref": "#/components/schemas/Card"}),
        json!({"type": "object", "additionalProperties": false}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"oneOf": [{"type": "null"}]}),
    ] {
        assert_eq!(emptiness(&schema), None, "{schema}");
    }
}

/// How many values were held against each schema.
type Tally = BTreeMap<String, usize>;

fn fits(name: &str, value: &Value, tally: &mut Tally) {
    *tally.entry(name.to_owned()).or_default() += 1;
    let errors = errors(&format!("/components/schemas/{name}"), value);
    assert!(errors.is_empty(), "{name}: {errors:#?}\n{value}");
}

/// Holds what the position of a game shows against the schemas of its rules, and what a line of its record holds.
fn check_position(game: &Game, schemas: &RuleSetSchemas, tally: &mut Tally) {
    let table = game.chronicle.table();
    for viewer in viewers(table) {
        let view = table.position().view(viewer);
        fits(&schemas.view, &view, tally);
        fits("RuleSetView", &view, tally);
    }
    for offer in table.position().legal() {
        fits(&schemas.offer, &offer, tally);
        fits("RuleSetOffer", &offer, tally);
    }
}

fn check_record(game: &Game, schemas: &RuleSetSchemas, tally: &mut Tally) {
    let record = String::from_utf8(game.record()).expect("UTF-8");
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for line in &lines {
        fits("RecordLine", line, tally);
    }
    let [header, events @ .., footer] = lines.as_slice() else { panic!("a record has more lines") };
    fits("RecordHeader", header, tally);
    fits(&schemas.options, &header["options"], tally);
    fits(&schemas.given_options, &json!({}), tally);
    fits("RecordFooter", footer, tally);
    for event in events {
        fits("Event", event, tally);
        let common =
            |value: &Value, name: &str| errors(&format!("/components/schemas/{name}"), value).is_empty();
        if !common(&event["action"], "CommonAction") {
            fits(&schemas.action, &event["action"], tally);
        }
        for effect in event["effects"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|effect| !common(effect, "CommonEffect"))
        {
            fits(&schemas.effect, effect, tally);
        }
    }
}

#[test]
fn all_that_random_games_show_and_record_is_as_the_schemas_of_their_rules_say() {
    for (number, rules) in rules::all().enumerate() {
        let schemas = rules.schemas();
        let mut tally = Tally::new();
        for seed in 0..GAMES {
            let mut game = Game::start(&Plan { rules: number, seed, actions: ACTIONS });
            check_position(&game, &schemas, &mut tally);
            for _ in 0..ACTIONS {
                if !game.play_one() {
                    break;
                }
                check_position(&game, &schemas, &mut tally);
            }
            if seed == 0 && game.chronicle.table().result().is_none() {
                game.leave();
            }
            game.end();
            check_position(&game, &schemas, &mut tally);
            check_record(&game, &schemas, &mut tally);
        }
        let seen = |name: &String| tally.get(name).copied().unwrap_or_default();
        for name in [&schemas.view, &schemas.offer, &schemas.action, &schemas.effect, &schemas.options] {
            assert!(seen(name) >= usize::try_from(GAMES).expect("few"), "{name}: {tally:?}");
        }
    }
}

#[test]
fn values_of_another_rule_set_do_not_fit() {
    let mut compared = 0;
    for (number, rules) in rules::all().enumerate() {
        let mut game = Game::start(&Plan { rules: number, seed: 1, actions: ACTIONS });
        game.play(3);
        let view = game.chronicle.table().position().view(viewers(game.chronicle.table())[0]);
        for other in rules::all().filter(|other| other.name() != rules.name()) {
            let pointer = format!("/components/schemas/{}", other.schemas().view);
            assert!(!errors(&pointer, &view).is_empty(), "{} fits {pointer}", rules.name());
            compared += 1;
        }
    }
    assert!(compared > 0);
}

/// The schemas that rule sets share.
const SHARED: [&str; 5] = ["Card", "Choose", "NoOptions", "Seat", "Selection"];

/// A schema as the document has it in answers, where integers of 32 bits have no format.
fn without_usual_format(schema: Value) -> Value {
    match schema {
        Value::Object(mut members) => {
            if members.get("format") == Some(&json!("int32")) {
                members.remove("format");
            }
            members.into_iter().map(|(name, member)| (name, without_usual_format(member))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_usual_format).collect(),
        other => other,
    }
}

#[test]
fn each_rule_set_names_its_schemas_after_itself_and_no_name_has_two_meanings() {
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    for rules in rules::all() {
        let schemas = rules.schemas();
        let family = in_pascal_case(rules.name());
        for (name, schema) in &schemas.all {
            let own = name.strip_prefix("Given").unwrap_or(name).starts_with(&family);
            assert!(own || SHARED.contains(&name.as_str()), "{name} of {family}");
            let schema = without_usual_format(serde_json::to_value(schema).expect("plain data"));
            if !name.ends_with("Offer") {
                let described = document()["components"]["schemas"][name].clone();
                assert_eq!(without_usual_format(described), schema, "{name}");
            }
            let before = known.insert(name.clone(), schema.clone());
            assert!(before.is_none_or(|before| before == schema), "{name} has two meanings");
        }
    }
    // In the document a union of an action's kinds and of choices is flat.
    for rules in rules::all() {
        let [action, offer] = ["Action", "Offer"].map(|what| {
            let name = in_pascal_case(rules.name()) + what;
            document()["components"]["schemas"][name]["oneOf"].as_array().expect("kinds").clone()
        });
        let choose = json!({"$ref": "#/components/schemas/Choose"});
        assert_eq!(offer, action.into_iter().chain([choose]).collect::<Vec<_>>(), "{}", rules.name());
    }
    assert!(known.len() > 60, "{}", known.len());
}

#[test]
fn what_names_its_rules_or_its_type_is_joined_by_it() {
    let mut joined = BTreeSet::new();
    for (at, schema) in all_schemas().into_iter().filter(|(_, schema)| schema.get("discriminator").is_some())
    {
        let member = schema["discriminator"]["propertyName"].as_str().expect("a name");
        let mapping = schema["discriminator"]["mapping"].as_object().expect("a mapping");
        let mapped: BTreeSet<_> = mapping.values().filter_map(Value::as_str).collect();
        let parts = schema["oneOf"].as_array().expect("parts").iter();
        let parts: BTreeSet<_> = parts.filter_map(|part| part["$ref"].as_str()).collect();
        assert_eq!(parts.len(), mapping.len(), "{at}");
        assert_eq!(mapped, parts, "{at}");
        for (value, reference) in mapping {
            let pointer = reference.as_str().expect("text").trim_start_matches('#');
            let part = document().pointer(pointer).expect("a schema");
            assert_eq!(part["properties"][member]["enum"], json!([value]), "{at}: {pointer}");
            let required = part["required"].as_array().expect("members");
            assert!(required.contains(&json!(member)), "{at}: {pointer}");
        }
        joined.insert((at.trim_start_matches("#/components/schemas/").to_owned(), member.to_owned()));
    }
    let expected = |name: &str, member: &str| (name.to_owned(), member.to_owned());
    for rules in rules::all() {
        let RuleSetSchemas { action, effect, .. } = rules.schemas();
        assert!(joined.contains(&expected(&action, "type")) && joined.contains(&expected(&effect, "type")));
    }
    for name in ["Choices", "GameView", "LegalActions", "NewGameBody", "NewTournamentBody", "RecordHeader"] {
        assert!(joined.contains(&expected(name, "rules")), "{joined:?}");
    }
}

#[test]
fn the_schemas_by_hand_say_the_same_as_those_of_the_types() {
    let named = |name: &str| plain(&document()["components"]["schemas"][name]);
    for rules in rules::all() {
        let schemas = rules.schemas();
        assert_eq!(
            plain(&rules.options_schema()),
            named(&schemas.given_options),
            "options of {}",
            rules.name()
        );
        assert_eq!(plain(&rules.action_schema()), named(&schemas.action), "actions of {}", rules.name());
    }
}

#[test]
fn what_no_schema_can_say_is_said_in_words_with_its_code() {
    for rules in rules::all() {
        let schemas = rules.schemas();
        let description = |name: &str| document()["components"]["schemas"][name]["description"].to_string();
        for code in [Code::IllegalAction, Code::UnreadableAction] {
            assert!(description(&schemas.action).contains(&format!("`{code}`")), "{}", schemas.action);
        }
        if schemas.given_options != schemas.options {
            let said = description(&schemas.given_options);
            assert!(
                said.contains(&format!("`{}`", Code::InvalidOptions)),
                "{}: {said}",
                schemas.given_options
            );
        }
    }
}

#[test]
fn defaults_of_options_are_those_that_games_get() {
    for rules in rules::all() {
        let complete = rules.complete_options(&json!({})).expect("defaults");
        let name = rules.schemas().given_options;
        for (member, value) in complete.as_object().expect("an object") {
            let property = &document()["components"]["schemas"][&name]["properties"][member];
            assert_eq!(property.get("default"), Some(value), "{name}: {member}");
        }
    }
}
