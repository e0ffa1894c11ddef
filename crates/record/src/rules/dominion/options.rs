//! The options, chosen before the deal.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::rules::schema::{self, named_schema};

/// The longest round limit, in full rounds.
const MAX_ROUND_LIMIT: u16 = 500;

/// The options of Dominion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = DominionOptions)]
pub struct Options {
    pub size: Size,
    /// Full rounds after which the game ends; null plays until one player owns every cell.
    pub round_limit: Option<RoundLimit>,
}

/// The number of columns and rows of the field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Size {
    Three = 3,
    #[default]
    Four = 4,
    Five = 5,
}

impl Size {
    pub const ALL: [Self; 3] = [Self::Three, Self::Four, Self::Five];

    /// The number of columns, which is also that of rows.
    #[must_use]
    pub fn side(self) -> u8 {
        self as u8
    }

    /// 2 players on three by three, 2 to 4 on four by four, 2 to 8 on five by five.
    #[must_use]
    pub fn seats(self) -> RangeInclusive<u8> {
        match self {
            Self::Three => 2..=2,
            Self::Four => 2..=4,
            Self::Five => 2..=8,
        }
    }
}

impl TryFrom<u8> for Size {
    type Error = &'static str;

    fn try_from(side: u8) -> Result<Self, Self::Error> {
        match side {
            3 => Ok(Self::Three),
            4 => Ok(Self::Four),
            5 => Ok(Self::Five),
            _ => Err("size is 3, 4 or 5"),
        }
    }
}

impl From<Size> for u8 {
    fn from(size: Size) -> Self {
        size.side()
    }
}

named_schema!(
    Size,
    "DominionSize",
    schema::one_of_numbers(&Size::ALL.map(Size::side), "Columns and rows of the field.")
);

/// A number of full rounds, 1 to 500.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct RoundLimit(u16);

impl RoundLimit {
    /// Whether `round`, counted from 1, is the last one.
    #[must_use]
    pub fn ends_with(self, round: u32) -> bool {
        round >= u32::from(self.0)
    }
}

impl TryFrom<u16> for RoundLimit {
    type Error = String;

    fn try_from(rounds: u16) -> Result<Self, String> {
        if (1..=MAX_ROUND_LIMIT).contains(&rounds) {
            Ok(Self(rounds))
        } else {
            Err(format!("round_limit is null or 1 to {MAX_ROUND_LIMIT}"))
        }
    }
}

impl From<RoundLimit> for u16 {
    fn from(limit: RoundLimit) -> Self {
        limit.0
    }
}

named_schema!(
    RoundLimit,
    "DominionRoundLimit",
    schema::number(1..=MAX_ROUND_LIMIT, "Full rounds after which the game ends.")
);

/// JSON Schema of [`Options`].
pub fn schema() -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": {
        "size": {"title": "Columns and rows of the field", "enum": [3, 4, 5], "default": 4},
        "round_limit": {"title": "Full rounds after which the game ends; null for none",
            "type": ["integer", "null"], "minimum": 1, "maximum": MAX_ROUND_LIMIT, "default": null}
    }})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_filled_with_the_defaults() {
        let options: Options = serde_json::from_value(json!({})).expect("no option is required");
        assert_eq!(serde_json::to_value(options).expect("data"), json!({"size": 4, "round_limit": null}));
    }

    #[test]
    fn options_that_do_not_exist_are_refused() {
        for options in [
            json!({"size": 2}),
            json!({"size": 6}),
            json!({"size": 4.0}),
            json!({"size": null}),
            json!({"round_limit": 0}),
            json!({"round_limit": 501}),
            json!({"round_limit": -1}),
            json!({"rounds": 3}),
        ] {
            assert!(serde_json::from_value::<Options>(options.clone()).is_err(), "{options}");
        }
        let longest = json!({"size": 5, "round_limit": 500});
        let options: Options = serde_json::from_value(longest.clone()).expect("both are possible");
        assert_eq!(serde_json::to_value(options).expect("data"), longest);
    }
}
