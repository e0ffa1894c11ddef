//! A player's actions, as JSON.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::cell::Cell;
use crate::rules::schema::{self, named_schema};

/// The most stones in one action (PZ1).
pub const MOST_STONES: usize = 3;

/// An action of Pippinzip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = PippinzipAction)]
pub enum Action {
    /// Place stones on empty cells.
    Place { cells: Placement },
    /// End the auction and take the colour in use (PZ2).
    Take {},
}

/// One to three different cells, in the order of the action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// Entries from `count` on repeat the first, so that equal placements compare equal.
    cells: [Cell; MOST_STONES],
    count: u8,
}

impl Placement {
    #[must_use]
    pub fn one(cell: Cell) -> Self {
        Self { cells: [cell; MOST_STONES], count: 1 }
    }

    /// The placement with one more cell.
    ///
    /// # Errors
    /// [`NoPlacement`] if the cell is a repetition or the placement is full.
    pub fn and(mut self, cell: Cell) -> Result<Self, NoPlacement> {
        if self.as_slice().contains(&cell) {
            return Err(NoPlacement::Twice(cell));
        }
        let next = self.cells.get_mut(usize::from(self.count)).ok_or(NoPlacement::TooMany)?;
        *next = cell;
        self.count += 1;
        Ok(self)
    }

    #[must_use]
    pub fn as_slice(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }
}

/// Why cells are no placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPlacement {
    #[error("name at least one cell")]
    Nothing,
    #[error("{0} is named twice")]
    Twice(Cell),
    #[error("at most {MOST_STONES} stones can be placed at once")]
    TooMany,
}

impl fmt::Debug for Placement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.as_slice()).finish()
    }
}

impl Serialize for Placement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}

impl<'de> Deserialize<'de> for Placement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cells;

        impl<'de> Visitor<'de> for Cells {
            type Value = Placement;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "a list of one to {MOST_STONES} different cells")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Placement, A::Error> {
                let first = list.next_element()?.ok_or_else(|| Error::custom(NoPlacement::Nothing))?;
                let mut placement = Placement::one(first);
                while let Some(cell) = list.next_element()? {
                    placement = placement.and(cell).map_err(Error::custom)?;
                }
                Ok(placement)
            }
        }

        deserializer.deserialize_seq(Cells)
    }
}

named_schema!(
    Placement,
    "PippinzipPlacement",
    schema::set_of::<Cell>(1..=MOST_STONES, "The cells that get a stone, in the order in which they were named."),
    with Cell
);

/// JSON Schema of [`Action`].
pub fn schema() -> Value {
    json!({"oneOf": [
        {"type": "object", "title": "Place stones", "properties": {"type": {"const": "place"}, "cells": {
            "type": "array", "minItems": 1, "maxItems": MOST_STONES, "uniqueItems": true,
            "items": {"type": "string", "pattern": "^[a-s]([1-9]|1[0-9])$"}}},
            "required": ["type", "cells"], "additionalProperties": false},
        {"type": "object", "title": "Take the colour of the auction", "properties": {"type": {"const": "take"}},
            "required": ["type"], "additionalProperties": false}
    ]})
}
