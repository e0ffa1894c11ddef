//! The verifier's verdict on a record, for the API and the command line.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::games::views::ResultView;
use crate::language::Language;
use crate::record::verify::{Check, Failure, Place, Verified, Why};

/// The result of the verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
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
}

/// Why a record is refused: the first failing check and the first event that fails it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FailureView {
    /// The number of the check, 1 to 4: `form`, `chain`, `replay`, `proof`.
    pub check: u8,
    /// The name of the check.
    #[schema(value_type = String, example = "chain")]
    pub check_name: &'static str,
    pub part: FailingPart,
    /// The number of the first event that fails; null for header and footer.
    pub event: Option<u64>,
    /// What exactly is wrong.
    pub why: String,
    /// What a failure of this check means for a record.
    #[schema(value_type = String)]
    pub meaning: &'static str,
}

/// The verifier's verdict on one record.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Verdict {
    pub verdict: Finding,
    /// The game. If the record is refused, this and all following members except `failure` are null.
    pub game: Option<Uuid>,
    pub rules: Option<String>,
    /// The names in joining order.
    pub players: Option<Vec<String>>,
    /// How many events the record has.
    pub events: Option<u64>,
    /// True if the game is over and the footer proves all chance. False while it runs, when only the chance revealed so far can
    /// be checked, and always if the verdict is `sandbox`.
    pub proved: Option<bool>,
    /// How the game ended; null while it runs.
    pub result: Option<ResultView>,
    /// Why the record is refused; null when it is accepted.
    pub failure: Option<FailureView>,
}

/// Verifies a whole record.
#[must_use]
pub fn verdict(record: &[u8]) -> Verdict {
    match crate::record::verify(record) {
        Ok(verified) => accepted(verified),
        Err(failure) => refused(failure),
    }
}

fn accepted(verified: Verified) -> Verdict {
    Verdict {
        verdict: if verified.sandbox { Finding::Sandbox } else { Finding::Accepted },
        game: Some(verified.game),
        rules: Some(verified.rules),
        players: Some(verified.players),
        events: Some(verified.events),
        proved: Some(verified.proved),
        result: verified.result.map(ResultView::from),
        failure: None,
    }
}

impl From<Failure> for FailureView {
    fn from(failure: Failure) -> Self {
        let (part, event) = match failure.place {
            Place::Header => (FailingPart::Header, None),
            Place::Event(seq) => (FailingPart::Event, Some(seq)),
            Place::Footer => (FailingPart::Footer, None),
        };
        let check: Check = failure.check;
        Self {
            check: check.number(),
            check_name: check.name(),
            part,
            event,
            why: match failure.why {
                Why::Words(words) => words,
                Why::Rules(sentence) => Language::default().tell(&sentence, &[]),
            },
            meaning: check.meaning(),
        }
    }
}

fn refused(failure: Failure) -> Verdict {
    Verdict {
        verdict: Finding::Refused,
        game: None,
        rules: None,
        players: None,
        events: None,
        proved: None,
        result: None,
        failure: Some(failure.into()),
    }
}
