//! The verifier's verdict on a record, for the API and the command line.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use pippost_clock::log::{self, ClockFailure, ClockVerified, LogPlace};
use pippost_language::Language;
use pippost_record::record::verify::{Check, Failure, Location, Verified, Why};
use pippost_record::record::{GameResult, Hash};

/// The result of the verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Finding)]
pub enum Outcome {
    /// All checks passed.
    Accepted,
    Refused,
    /// All checks passed, but a player of a sandbox chose the chance: the game proves nothing.
    Sandbox,
}

/// What is said about a record of a sandbox.
pub const PROVES_NOTHING: &str = "sandbox: the seed was chosen by a player; this game proves nothing";

/// The part of a record that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailingPart {
    Header,
    Event,
    Footer,
    /// A line of the clock log.
    ClockLine,
    /// The footer of the clock log.
    ClockFooter,
}

/// Why a record is refused: the first failing check.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FailureView {
    /// The number of the check, 1 to 4: `form`, `chain`, `replay`, `proof`; then those of the clock log, 5 to 8: `clock form`,
    /// `clock chain`, `clock openings`, `clock times`.
    pub check: u8,
    /// The name of the check.
    #[schema(value_type = String, example = "chain")]
    pub check_name: &'static str,
    pub part: FailingPart,
    /// The number of the first event that fails; null for header, footer and the clock log.
    pub event: Option<u64>,
    /// The number of the first line of the clock log that fails; null elsewhere.
    pub line: Option<u32>,
    /// What exactly is wrong.
    pub why: String,
    /// What a failure of this check means for a record.
    #[schema(value_type = String)]
    pub meaning: &'static str,
}

/// The verifier's verdict on one record.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Verdict {
    pub verdict: Outcome,
    /// The game. If the record is refused, this and all following members except `failure` are null.
    pub game: Option<Uuid>,
    pub rules: Option<String>,
    /// The names in joining order.
    pub players: Option<Vec<String>>,
    /// How many events the record has.
    pub events: Option<u64>,
    /// Whether the footer proves all chance: not while the game runs, and never if the verdict is `sandbox`.
    pub proved: Option<bool>,
    /// How the game ended; null while it runs.
    pub result: Option<GameResult>,
    /// The clock log; null if none follows the record.
    pub clock: Option<ClockVerdict>,
    /// Why the record is refused; null when it is accepted.
    pub failure: Option<FailureView>,
}

/// A clock log that belongs to the record and contradicts nothing.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ClockVerdict {
    /// How many lines it has.
    pub lines: u32,
    /// The hash of its last line, as receipts name it.
    pub head: Hash,
    /// Whether the time that each player had at each event was recomputed. False while a game runs in which somebody has a calendar.
    pub times_recomputed: bool,
    /// Its offsets of zones that are not those known here, if any.
    #[schema(required)]
    pub warning: Option<String>,
}

/// Verifies a whole record, and the clock log if one follows it.
#[must_use]
pub fn verdict(text: &[u8]) -> Verdict {
    let (record, clock_log) = log::split(text);
    let Some(clock_log) = clock_log else {
        return match pippost_record::record::verify(record) {
            Ok(verified) => accepted(verified, None),
            Err(failure) => refused(failure.into()),
        };
    };
    match log::verify(record, clock_log) {
        Ok((verified, Ok(clock))) => accepted(verified, Some(&clock)),
        Ok((_, Err(failure))) => refused(failure.into()),
        Err(failure) => refused(failure.into()),
    }
}

fn accepted(verified: Verified, clock: Option<&ClockVerified>) -> Verdict {
    Verdict {
        verdict: if verified.sandbox { Outcome::Sandbox } else { Outcome::Accepted },
        game: Some(verified.game),
        rules: Some(verified.rules),
        players: Some(verified.players),
        events: Some(verified.events),
        proved: Some(verified.proved),
        result: verified.result,
        clock: clock.map(|clock| ClockVerdict {
            lines: clock.lines,
            head: clock.head,
            times_recomputed: clock.times.is_some(),
            warning: clock.warning.as_ref().map(ToString::to_string),
        }),
        failure: None,
    }
}

impl From<Failure> for FailureView {
    fn from(failure: Failure) -> Self {
        let (part, event) = match failure.place {
            Location::Header => (FailingPart::Header, None),
            Location::Event(seq) => (FailingPart::Event, Some(seq)),
            Location::Footer => (FailingPart::Footer, None),
        };
        let check: Check = failure.check;
        Self {
            check: check.number(),
            check_name: check.name(),
            part,
            event,
            line: None,
            why: match failure.why {
                Why::Words(words) => words,
                Why::Rules(sentence) => Language::default().tell(&sentence, &[]),
            },
            meaning: check.meaning(),
        }
    }
}

impl From<ClockFailure> for FailureView {
    fn from(failure: ClockFailure) -> Self {
        let (part, event, line) = match failure.place {
            LogPlace::Line(number) => (FailingPart::ClockLine, None, Some(number)),
            LogPlace::Event(seq) => (FailingPart::Event, Some(seq), None),
            LogPlace::Footer => (FailingPart::ClockFooter, None, None),
        };
        let check = failure.check;
        Self {
            check: Check::COUNT + check.number(),
            check_name: check.name(),
            part,
            event,
            line,
            why: failure.why,
            meaning: check.meaning(),
        }
    }
}

fn refused(failure: FailureView) -> Verdict {
    Verdict {
        verdict: Outcome::Refused,
        game: None,
        rules: None,
        players: None,
        events: None,
        proved: None,
        result: None,
        clock: None,
        failure: Some(failure),
    }
}
