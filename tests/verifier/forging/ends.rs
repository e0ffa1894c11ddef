//! Forges headers and footers, and arbitrary values anywhere.

use pippost::record::{Header, Master};
use serde_json::{Value, json};

use super::Forger;

impl Forger {
    pub(super) fn alter_seating(&mut self) -> Option<String> {
        let random = self.lines[0]["seating"] == "random";
        self.lines[0]["seating"] = json!(if random { "joined" } else { "random" });
        Some(format!("was random: {random}"))
    }

    pub(super) fn alter_entropy(&mut self) -> Option<String> {
        self.lines[0]["players"][0]["entropy"] = json!("x".repeat(self.sampler.below(67)));
        Some("of the first player".to_owned())
    }

    pub(super) fn alter_beacon(&mut self) -> Option<String> {
        let none = self.lines[0]["beacon"].is_null();
        let hex = ["", "0", "00", "0A", "abcdef"][self.sampler.below(5)];
        let beacon = json!({"source": "drand", "round": 7, "randomness": hex, "signature": "00"});
        self.lines[0]["beacon"] = if none { beacon } else { Value::Null };
        Some(format!("{hex:?}, was none: {none}"))
    }

    pub(super) fn alter_options(&mut self) -> Option<String> {
        let other = [
            json!({"size": 3, "round_limit": null}),
            json!({"size": 4, "round_limit": 500}),
            json!({"size": 5, "round_limit": 501}),
            json!({"variant": "pipline", "size": 5, "surface": "points"}),
            json!({"variant": "zipline", "size": 19, "surface": "cells"}),
            json!({"variant": "freestyle", "size": 4, "surface": "cells"}),
            json!({"variant": "freestyle", "size": 11}),
            json!({}),
        ];
        self.lines[0]["options"] = other[self.sampler.below(other.len())].clone();
        Some(self.lines[0]["options"].to_string())
    }

    pub(super) fn add_player(&mut self) -> Option<String> {
        let player = json!({"name": "more", "entropy": ""});
        self.lines[0]["players"].as_array_mut()?.push(player);
        Some("at the end".to_owned())
    }

    pub(super) fn alter_result(&mut self) -> Option<String> {
        let footer = self.lines.last_mut().filter(|line| line.get("master").is_some())?;
        let results = [
            json!({"reason": "play", "places": [1, 2], "scores": null}),
            json!({"reason": "abort", "places": null, "scores": null}),
            json!({"reason": "resignation", "places": [2, 1], "scores": [0, 0]}),
            json!({"reason": "play", "places": [1, 300], "scores": [-1, 0]}),
            json!({"reason": "boredom", "places": null, "scores": null}),
        ];
        footer["result"] = results[self.sampler.below(results.len())].clone();
        Some(footer["result"].to_string())
    }

    pub(super) fn alter_master(&mut self) -> Option<String> {
        let other = Master::from_bytes(self.sampler.bytes());
        let footer = self.lines.last_mut().filter(|line| line.get("master").is_some())?;
        footer["master"] = json!(other);
        // In some cases the forger also replaces the commitment by that of this master.
        let mut header: Header = serde_json::from_value(self.lines[0].clone()).ok()?;
        header.commitment = other.commitment(header.id);
        let from_the_start = self.sampler.below(2) == 0;
        if from_the_start {
            self.lines[0]["commitment"] = json!(header.commitment);
        }
        Some(format!("from the start: {from_the_start}"))
    }

    /// The line and JSON pointer of a random wanted value.
    fn any_value(&mut self, wanted: impl Fn(&Value) -> bool) -> Option<(usize, String)> {
        let line = self.sampler.below(self.lines.len());
        let mut found = Vec::new();
        collect(&self.lines[line], String::new(), &wanted, &mut found);
        if found.is_empty() { None } else { Some((line, found.swap_remove(self.sampler.below(found.len())))) }
    }

    fn value(&mut self, (line, pointer): &(usize, String)) -> &mut Value {
        self.lines[*line].pointer_mut(pointer).expect("a place in the line")
    }

    pub(super) fn alter_number(&mut self) -> Option<String> {
        const MOST: i64 = (1 << 53) - 1;
        let place = self.any_value(Value::is_i64)?;
        let was = self.value(&place).as_i64()?;
        let others = [was + 1, was - 1, -1, 0, 13, 52, 255, 256, 300, 4_294_967_296, MOST, -MOST, was + 256];
        let other = others[self.sampler.below(others.len())];
        *self.value(&place) = json!(other);
        Some(format!("{place:?}: {was} to {other}"))
    }

    pub(super) fn alter_kind(&mut self) -> Option<String> {
        let place = self.any_value(|_| true)?;
        let kinds =
            [json!(null), json!(0), json!("0"), json!([]), json!({}), json!(true), json!({"type": "x"})];
        let other = kinds[self.sampler.below(kinds.len())].clone();
        let told = format!("{place:?}: {other}");
        *self.value(&place) = other;
        Some(told)
    }

    pub(super) fn drop_member(&mut self) -> Option<String> {
        let place = self.any_value(|value| value.as_object().is_some_and(|members| !members.is_empty()))?;
        let members = self.value(&place).as_object()?;
        let names: Vec<String> = members.keys().cloned().collect();
        let name = names[self.sampler.below(names.len())].clone();
        self.value(&place).as_object_mut()?.remove(&name);
        Some(format!("{place:?}: {name}"))
    }

    pub(super) fn add_depth(&mut self) -> Option<String> {
        let depth = [20, 40, 124, 125, 126][self.sampler.below(5)];
        let line = self.any_event();
        self.lines[line]["action"]["more"] = lists_in_lists(depth);
        Some(format!("{depth} in the action of event {}", line - 1))
    }

    pub(super) fn add_member(&mut self) -> Option<String> {
        let place = self.any_value(Value::is_object)?;
        let names = ["more", "seat", "armies", "type", "cells", "master", "\u{1f0a1}", "__proto__", "length"];
        let name = names[self.sampler.below(names.len())];
        self.value(&place).as_object_mut()?.insert(name.to_owned(), json!(1));
        Some(format!("{place:?}: {name}"))
    }
}

/// An action's member with nested lists, about as deep as a record allows.
fn lists_in_lists(depth: usize) -> Value {
    (0..depth).fold(json!(1), |inside, _| json!([inside]))
}

/// Pointers to all values in `value` for which `wanted` holds.
fn collect(value: &Value, pointer: String, wanted: &dyn Fn(&Value) -> bool, found: &mut Vec<String>) {
    match value {
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                collect(entry, format!("{pointer}/{index}"), wanted, found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                collect(
                    member,
                    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
                    wanted,
                    found,
                );
            }
        }
        _ => {}
    }
    if wanted(value) {
        found.push(pointer);
    }
}
