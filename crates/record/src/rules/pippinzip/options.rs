//! The options: the variant, the size of the board, and how it is drawn.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::cell::LARGEST;
use crate::rules::schema::{self, named_schema};

const SMALLEST: u8 = 5;
const USUAL: u8 = 11;

/// The options of Pippinzip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = PippinzipOptions)]
pub struct Options {
    pub variant: Variant,
    pub size: Size,
    pub surface: Surface,
}

/// The stones of the auction, and how many stones Pip places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PippinzipVariant)]
pub enum Variant {
    #[default]
    Pipline,
    Zipline,
    /// Zipline without the ban on adjacent stones.
    Freestyle,
}

/// The number of columns and rows of the board: 5 to 19.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Size(u8);

impl Size {
    /// `None` unless it is 5 to 19.
    #[must_use]
    pub fn new(length: u8) -> Option<Self> {
        (SMALLEST..=LARGEST).contains(&length).then_some(Self(length))
    }

    /// The number of cells along one side.
    #[must_use]
    pub fn length(self) -> u8 {
        self.0
    }
}

impl Default for Size {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let length = u8::deserialize(deserializer)?;
        Self::new(length)
            .ok_or_else(|| serde::de::Error::custom(format!("size is {SMALLEST} to {LARGEST}, not {length}")))
    }
}

named_schema!(
    Size,
    "PippinzipSize",
    schema::number(SMALLEST.into()..=LARGEST.into(), "Columns and rows of the board.")
);

/// Whether stones are drawn on the points of a grid or in its cells. The rules are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PippinzipSurface)]
pub enum Surface {
    #[default]
    Points,
    Cells,
}

/// JSON Schema of [`Options`].
pub fn schema() -> Value {
    json!({"type": "object", "properties": {
        "variant": {"enum": ["pipline", "zipline", "freestyle"], "default": "pipline",
            "description": "Pipline: the auction is black and Pip places one stone a turn. \
                Zipline: the auction is white and Pip places two that do not touch. Freestyle: they may touch."},
        "size": {"type": "integer", "minimum": SMALLEST, "maximum": LARGEST, "default": USUAL,
            "description": "Columns and rows of the board"},
        "surface": {"enum": ["points", "cells"], "default": "points",
            "description": "Whether the board is drawn with stones on points or in cells"}
    }, "additionalProperties": false})
}
