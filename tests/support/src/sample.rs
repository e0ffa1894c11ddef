//! Random choices based only on the API's answers: options from their JSON Schema, actions from the list of legal ones.

use pippost::rules::Choose;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

/// A player without knowledge of any rules.
pub struct Sampler(ChaCha20Rng);

impl Sampler {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(seed))
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        let number = self.0.next_u32() % u32::try_from(limit).expect("small lists");
        number as usize
    }

    pub fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// Options as a JSON Schema of `enum`, `const` and bounded integers allows them.
    pub fn options(&mut self, schema: &Value) -> Value {
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let chosen: Map<_, _> =
            properties.iter().map(|(name, property)| (name.clone(), self.value(property))).collect();
        Value::Object(chosen)
    }

    fn value(&mut self, schema: &Value) -> Value {
        if let Some(values) = schema["enum"].as_array() {
            return values[self.below(values.len())].clone();
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        match types[self.below(types.len())] {
            "null" => Value::Null,
            "integer" => {
                let bound =
                    |name: &str| schema[name].as_u64().unwrap_or_else(|| panic!("an integer has a {name}"));
                let (least, most) = (bound("minimum"), bound("maximum"));
                let span = usize::try_from(most - least + 1).expect("small numbers");
                json!(least + self.below(span) as u64)
            }
            other => panic!("no options of type {other} are known to this test"),
        }
    }

    /// One of the legal actions as the API lists them.
    pub fn action(&mut self, listed: &[Value]) -> Value {
        let entry = &listed[self.below(listed.len())];
        if entry.get("choose").is_none() {
            return entry.clone();
        }
        let choice: Choose = serde_json::from_value(entry.clone()).expect("the documented form");
        choice.action(|limit| self.below(limit))
    }
}
