//! Time controls in requests, and those to offer.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::json::{object_or_null, whole, whole_number};
use pippost_clock::control::Preset;
use pippost_clock::{Bank, TimeControl};

/// A [`TimeControl`] as clients may write it: members may be missing, and a whole number may be written as in `7.0`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControlBody {
    #[serde(default, deserialize_with = "whole")]
    limit_hours: Option<i32>,
    #[serde(default, deserialize_with = "object_or_null")]
    bank: Option<BankBody>,
    #[serde(default, deserialize_with = "whole_number")]
    wait_hours: i32,
    #[serde(default = "permitted")]
    nights: bool,
    #[serde(default = "permitted")]
    rest_days: bool,
    #[serde(default = "permitted")]
    holidays: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_field_names, reason = "units stand last in names")]
struct BankBody {
    #[serde(deserialize_with = "whole_number")]
    start_hours: i32,
    #[serde(deserialize_with = "whole_number")]
    gain_hours: i32,
    #[serde(deserialize_with = "whole_number")]
    cap_hours: i32,
}

fn permitted() -> bool {
    true
}

impl From<TimeControlBody> for TimeControl {
    fn from(body: TimeControlBody) -> Self {
        let TimeControlBody { limit_hours, bank, wait_hours, nights, rest_days, holidays } = body;
        let bank = bank.map(|BankBody { start_hours, gain_hours, cap_hours }| Bank {
            start_hours,
            gain_hours,
            cap_hours,
        });
        Self { limit_hours, bank, wait_hours, nights, rest_days, holidays }
    }
}

/// Time controls to offer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TimeControlPresets)]
pub struct Presets {
    pub time_controls: Vec<Preset>,
}
