//! The time control of a game: what time its players have, and what of their calendars it accepts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::MICROSECONDS;

/// The default limit for a turn, in hours.
pub const DEFAULT_LIMIT_HOURS: i32 = 7 * 24;

/// The longest limit for a turn, in hours: 60 days.
pub const MAX_LIMIT_HOURS: i32 = 60 * 24;

/// The most that a bank holds, in hours: 60 days.
pub const MAX_BANK_HOURS: i32 = 60 * 24;

/// The longest time that a table waits for each seat in all, in hours: 60 days.
pub const MAX_WAIT_HOURS: i32 = 60 * 24;

/// An hour in microseconds, the unit in which clocks count.
pub const HOUR: i64 = 3600 * MICROSECONDS;

/// The time that players have, used in this order: the limit of the turn, the bank, what the table waits. Without limit and bank no
/// flag falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Hours for each turn, and for each answer that another seat must give during it; null: none. All steps of a turn share them.
    #[schema(minimum = 1, maximum = 1440, example = 72)]
    pub limit_hours: Option<i32>,
    /// Time that each seat saves; null: none.
    pub bank: Option<Bank>,
    /// Hours that the table waits for each seat in all, once limit and bank are used up.
    #[schema(minimum = 0, maximum = 1440, default = 0, required = false)]
    pub wait_hours: i32,
    /// Whether the nights of players do not count.
    #[schema(default = true, required = false)]
    pub nights: bool,
    /// Whether the weekly rest days of players do not count.
    #[schema(default = true, required = false)]
    pub rest_days: bool,
    /// Whether the holidays of players do not count.
    #[schema(default = true, required = false)]
    pub holidays: bool,
}

/// A bank of time for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TimeBank)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_field_names, reason = "units stand last in names")]
pub struct Bank {
    /// Hours at the start; not more than the cap.
    #[schema(minimum = 1, maximum = 1440, example = 240)]
    pub start_hours: i32,
    /// Hours that every turn and answer adds.
    #[schema(minimum = 0, maximum = 1440, example = 24)]
    pub gain_hours: i32,
    /// The most that turns can save, in hours.
    #[schema(minimum = 1, maximum = 1440, example = 360)]
    pub cap_hours: i32,
}

const _: () = assert!(
    MAX_LIMIT_HOURS == 1440 && MAX_BANK_HOURS == 1440 && MAX_WAIT_HOURS == 1440,
    "the schemas say the same"
);

/// A time control with a name.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = TimeControlPreset)]
pub struct Preset {
    #[schema(value_type = String, example = "3-days")]
    pub name: &'static str,
    #[serde(rename = "time_control")]
    pub control: TimeControl,
}

/// The member of a time control that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{member}: {why}")]
pub struct ControlRefused {
    pub member: &'static str,
    pub why: String,
    /// Whether the value is possible, but not with those of other members.
    pub contradicts: bool,
}

impl TimeControl {
    /// No limit at all.
    pub const UNLIMITED: Self =
        Self { limit_hours: None, bank: None, wait_hours: 0, nights: true, rest_days: true, holidays: true };

    /// The common time controls.
    pub const PRESETS: [Preset; 6] = [
        Preset { name: "1-day", control: Self::limited(24) },
        Preset { name: "3-days", control: Self::limited(3 * 24) },
        Preset { name: "7-days", control: Self::limited(7 * 24) },
        Preset { name: "bank-10-days", control: Self::banked(Self::TEN_DAYS) },
        Preset {
            name: "1-day-bank-10-days",
            control: Self { limit_hours: Some(24), ..Self::banked(Self::TEN_DAYS) },
        },
        Preset { name: "none", control: Self::UNLIMITED },
    ];

    /// 10 days, a day more with every turn, at most 15.
    const TEN_DAYS: Bank = Bank { start_hours: 10 * 24, gain_hours: 24, cap_hours: 15 * 24 };

    /// A limit for each turn.
    #[must_use]
    pub const fn limited(limit_hours: i32) -> Self {
        Self { limit_hours: Some(limit_hours), ..Self::UNLIMITED }
    }

    const fn banked(bank: Bank) -> Self {
        Self { bank: Some(bank), ..Self::UNLIMITED }
    }

    /// The control of a game from before there were others: nobody's calendar counts.
    #[must_use]
    pub const fn without_calendars(limit_hours: Option<i32>) -> Self {
        Self { limit_hours, bank: None, wait_hours: 0, nights: false, rest_days: false, holidays: false }
    }

    /// Checks that all hours are in their ranges, and go together.
    ///
    /// # Errors
    /// The first member that is not.
    pub fn check(&self) -> Result<(), ControlRefused> {
        let within = |member, hours: i32, range: std::ops::RangeInclusive<i32>| {
            let why = format!("{} to {} hours", range.start(), range.end());
            if range.contains(&hours) {
                Ok(())
            } else {
                Err(ControlRefused { member, why, contradicts: false })
            }
        };
        if let Some(hours) = self.limit_hours {
            within("limit_hours", hours, 1..=MAX_LIMIT_HOURS)?;
        }
        if let Some(bank) = self.bank {
            within("bank.cap_hours", bank.cap_hours, 1..=MAX_BANK_HOURS)?;
            within("bank.start_hours", bank.start_hours, 1..=MAX_BANK_HOURS)?;
            within("bank.gain_hours", bank.gain_hours, 0..=MAX_BANK_HOURS)?;
        }
        within("wait_hours", self.wait_hours, 0..=MAX_WAIT_HOURS)?;
        self.check_together()
    }

    fn check_together(&self) -> Result<(), ControlRefused> {
        let contradicts =
            |member, why: &str| ControlRefused { member, why: why.to_owned(), contradicts: true };
        if let Some(Bank { start_hours, gain_hours, cap_hours }) = self.bank {
            let above = "at most cap_hours";
            if start_hours > cap_hours {
                return Err(contradicts("bank.start_hours", above));
            }
            if gain_hours > cap_hours {
                return Err(contradicts("bank.gain_hours", above));
            }
        }
        if self.wait_hours > 0 && self.is_unlimited() {
            let why = "0, because a game without limit and bank waits for everybody";
            return Err(contradicts("wait_hours", why));
        }
        Ok(())
    }

    /// Whether no flag ever falls.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.limit_hours.is_none() && self.bank.is_none()
    }

    /// The limit for a turn, in microseconds.
    pub(super) fn limit(&self) -> Option<i64> {
        self.limit_hours.map(|hours| i64::from(hours) * HOUR)
    }

    /// A bank's time at the start, in microseconds.
    pub(super) fn bank_start(&self) -> Option<i64> {
        self.bank.map(|bank| i64::from(bank.start_hours) * HOUR)
    }

    /// What the table waits for each seat, in microseconds; `None` if it does not wait.
    pub(super) fn wait(&self) -> Option<i64> {
        (self.wait_hours > 0).then(|| i64::from(self.wait_hours) * HOUR)
    }

    /// A bank after its seat's turn or answer. A gift may have raised it over the cap; it keeps that.
    pub(super) fn bank_after_turn(&self, bank: i64) -> i64 {
        let Some(Bank { gain_hours, cap_hours, .. }) = self.bank else { return bank };
        (bank + i64::from(gain_hours) * HOUR).min(i64::from(cap_hours) * HOUR).max(bank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_possible() {
        for preset in TimeControl::PRESETS {
            assert_eq!(preset.control.check(), Ok(()), "{}", preset.name);
        }
    }

    #[test]
    fn a_control_out_of_range_names_the_member() {
        let bank = |start_hours, gain_hours, cap_hours| TimeControl {
            bank: Some(Bank { start_hours, gain_hours, cap_hours }),
            ..TimeControl::UNLIMITED
        };
        for (control, member) in [
            (TimeControl::limited(0), "limit_hours"),
            (TimeControl::limited(1441), "limit_hours"),
            (bank(1, 1, 1441), "bank.cap_hours"),
            (bank(25, 1, 24), "bank.start_hours"),
            (bank(24, 25, 24), "bank.gain_hours"),
            (TimeControl { wait_hours: -1, ..TimeControl::limited(1) }, "wait_hours"),
            (TimeControl { wait_hours: 1, ..TimeControl::UNLIMITED }, "wait_hours"),
        ] {
            assert_eq!(control.check().expect_err(member).member, member);
        }
    }

    #[test]
    fn a_bank_grows_to_its_cap_and_keeps_a_gift_beyond_it() {
        let control = TimeControl {
            bank: Some(Bank { start_hours: 10, gain_hours: 2, cap_hours: 11 }),
            ..TimeControl::UNLIMITED
        };
        for (before, after) in [(0, 2), (9, 11), (10, 11), (11, 11), (15, 15)] {
            assert_eq!(control.bank_after_turn(before * HOUR), after * HOUR);
        }
    }
}
