//! The options of a rule set that has none.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// An empty object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

impl NoOptions {
    /// Its JSON Schema.
    pub fn schema() -> Value {
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    }
}
