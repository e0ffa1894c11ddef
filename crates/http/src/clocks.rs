//! Time controls and clocks in requests and answers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::json::{object_or_null, whole, whole_number};
use pippost_clock::control::{MAX_BANK_HOURS, MAX_LIMIT_HOURS, MAX_WAIT_HOURS};
use pippost_clock::game_clock::Uses;
use pippost_clock::{Bank, Rest, TimeControl};
use pippost_games::viewing::{clock_now, clock_view};
use pippost_record::record::Timestamp;

/// The time that players have, used in this order: the limit of the turn, the bank, what the table waits. Without limit and bank no
/// flag falls.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = TimeControl)]
#[serde(deny_unknown_fields)]
pub struct TimeControlBody {
    /// Hours for each turn, and for each answer that another seat must give during it; null: none. All steps of a turn share them.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 1440, example = 72)]
    pub limit_hours: Option<i32>,
    /// Time that each seat saves; null: none.
    #[serde(default, deserialize_with = "object_or_null")]
    pub bank: Option<BankBody>,
    /// Hours that the table waits for each seat in all, once limit and bank are used up.
    #[serde(default, deserialize_with = "whole_number")]
    #[schema(minimum = 0, maximum = 1440, default = 0)]
    pub wait_hours: i32,
    /// Whether the nights of players do not count.
    #[serde(default = "permitted")]
    #[schema(default = true)]
    pub nights: bool,
    /// Whether the weekly rest days of players do not count.
    #[serde(default = "permitted")]
    #[schema(default = true)]
    pub rest_days: bool,
    /// Whether the holidays of players do not count.
    #[serde(default = "permitted")]
    #[schema(default = true)]
    pub holidays: bool,
}

/// A bank of time for each seat.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = TimeBank)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_field_names, reason = "units stand last in names")]
pub struct BankBody {
    /// Hours at the start; not more than the cap.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 1440, example = 240)]
    pub start_hours: i32,
    /// Hours that every turn and answer adds.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 0, maximum = 1440, example = 24)]
    pub gain_hours: i32,
    /// The most that turns can save, in hours.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 1440, example = 360)]
    pub cap_hours: i32,
}

fn permitted() -> bool {
    true
}

const _: () = assert!(
    MAX_LIMIT_HOURS == 1440 && MAX_BANK_HOURS == 1440 && MAX_WAIT_HOURS == 1440,
    "the schemas say the same"
);

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

impl From<TimeControl> for TimeControlBody {
    fn from(control: TimeControl) -> Self {
        let TimeControl { limit_hours, bank, wait_hours, nights, rest_days, holidays } = control;
        let bank = bank.map(|Bank { start_hours, gain_hours, cap_hours }| BankBody {
            start_hours,
            gain_hours,
            cap_hours,
        });
        Self { limit_hours, bank, wait_hours, nights, rest_days, holidays }
    }
}

/// A running clock: what the deadline is made of.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunningClock)]
pub struct ClockView {
    /// The seat whose turn it is. Another seat is to act while it must answer during that turn.
    pub turn: u8,
    /// By seat, whole seconds in the banks when the clock of the seat to act began to run; null without banks.
    pub banks_seconds: Option<Vec<i64>>,
    /// From when on the bank of the seat to act is used; null without banks.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub bank_from: Option<Timestamp>,
    /// From when on the table waits; null if it does not.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub wait_from: Option<Timestamp>,
    /// All clocks stand still until then, as agreed; null without a pause.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_until: Option<Timestamp>,
}

impl From<&clock_view::ClockView> for ClockView {
    fn from(clock: &clock_view::ClockView) -> Self {
        let clock_view::ClockView { turn, banks_seconds, bank_from, wait_from, paused_until } = clock.clone();
        Self { turn: turn.0, banks_seconds, bank_from, wait_from, paused_until }
    }
}

/// A time control with a name.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TimeControlPreset)]
pub struct PresetView {
    #[schema(value_type = String, example = "3-days")]
    pub name: &'static str,
    pub time_control: TimeControlBody,
}

/// Time controls to offer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TimeControlPresets)]
pub struct Presets {
    pub time_controls: Vec<PresetView>,
}

/// Why a clock stands still.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ClockRest)]
pub enum RestName {
    Night,
    RestDay,
    Holiday,
    Pause,
    DownTime,
    Vacancy,
}

impl From<Rest> for RestName {
    fn from(rest: Rest) -> Self {
        match rest {
            Rest::Night => Self::Night,
            Rest::RestDay => Self::RestDay,
            Rest::Holiday => Self::Holiday,
            Rest::Pause => Self::Pause,
            Rest::DownTime => Self::DownTime,
            Rest::Vacancy => Self::Vacancy,
        }
    }
}

/// What a clock uses.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ClockUse)]
pub enum UseName {
    Limit,
    Bank,
    Wait,
}

/// A clock that stands still.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct StandsStill {
    pub why: RestName,
    /// When it goes on.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

/// The counted time that the seat to act has left, in whole seconds.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct CountedLeft {
    /// What is used now, or will be when the clock goes on.
    pub uses: UseName,
    /// Of the limit for the turn; null without a limit.
    pub limit_seconds: Option<i64>,
    /// Of the bank; null without banks.
    pub bank_seconds: Option<i64>,
    /// What the table still waits; null if it does not.
    pub wait_seconds: Option<i64>,
}

/// A proposal to pause all clocks, or to end the pause that lasts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PauseProposal)]
pub struct ProposedPause {
    /// The seat that proposes it.
    pub by: u8,
    /// Null: the pause that lasts shall end.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// The seats that agree. It holds once everybody does who plays and is no program.
    pub agreed: Vec<u8>,
}

/// The clock of a game at this moment.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ClockNow)]
pub struct ClockNow {
    /// The moment.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The seat whose turn it is; null if no clock runs.
    pub turn: Option<u8>,
    /// The seat whose clock it is; null if no clock runs.
    pub to_act: Option<u8>,
    /// When the flag falls; null without a limit and a bank.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline_at: Option<Timestamp>,
    /// Seconds until then, with all time that does not count.
    pub time_left_seconds: Option<i64>,
    /// The time that counts; null without a limit and a bank, and to others than the player if it would show a calendar.
    pub left: Option<CountedLeft>,
    /// Null while the clock runs. Others than the player are told of pauses and down time only, if the player has a calendar.
    pub stands_still: Option<StandsStill>,
    /// The number of the last line of the clock log; null in a game from before there were clock logs.
    #[schema(minimum = 0)]
    pub line: Option<u32>,
    /// What waits for the agreement of players; null to others.
    pub pause_proposal: Option<ProposedPause>,
}

impl From<clock_now::ClockNow> for ClockNow {
    fn from(clock: clock_now::ClockNow) -> Self {
        let left = |own: clock_now::Own| CountedLeft {
            uses: match own.uses {
                Uses::Limit => UseName::Limit,
                Uses::Bank => UseName::Bank,
                Uses::Wait => UseName::Wait,
            },
            limit_seconds: own.limit_seconds,
            bank_seconds: own.bank_seconds,
            wait_seconds: own.wait_seconds,
        };
        Self {
            at: clock.at,
            turn: clock.turn.map(|seat| seat.0),
            to_act: clock.to_act.map(|seat| seat.0),
            deadline_at: clock.deadline_at,
            time_left_seconds: clock.time_left_seconds,
            left: clock.own.map(left),
            stands_still: clock.stands_still.map(|(why, until)| StandsStill { why: why.into(), until }),
            line: clock.line,
            pause_proposal: clock.pause_proposal.map(|proposal| ProposedPause {
                by: proposal.by.0,
                until: proposal.until,
                agreed: proposal.agreed.into_iter().map(|seat| seat.0).collect(),
            }),
        }
    }
}
