//! The actions and effects that every game has, whatever its rules, and what an event may hold.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::event::{Event, Footer, Reason};
use super::header::Header;
use crate::rules::Seat;
use crate::rules::schema::{self, RuleSetAction, RuleSetEffect, named_schema};

/// An action that every game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CommonAction {
    /// Event 0, by the server: the players are seated and the rules deal.
    Start {},
    /// The seat leaves the game.
    Resign {},
    /// The server, for the seat whose time is up: it leaves the game.
    Timeout { seat: Seat },
    /// The seat ends the game, which counts for nobody.
    Abort {},
}

/// An effect that every game knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CommonEffect {
    /// For each seat the player who has it, counted from 0 in joining order.
    Seated { order: Vec<u8> },
    /// The seat has left the game.
    Left { seat: Seat },
    /// The game is over.
    Finished {
        reason: Reason,
        /// By seat, 1 for the winners; null after an abort.
        places: Option<Vec<u8>>,
        /// By seat; null in games without points and after an abort.
        scores: Option<Vec<i64>>,
    },
}

/// What an event's `action` may be, for its schema.
#[derive(Debug)]
pub enum EventAction {}

named_schema!(
    EventAction,
    "EventAction",
    schema::any_of(
        [schema::name_of::<CommonAction>(), schema::name_of::<RuleSetAction>()],
        "An action that every game knows, or one of the game's rule set."
    ),
    with CommonAction,
    RuleSetAction
);

/// What an event's `effects` may be, for its schema.
#[derive(Debug)]
pub enum EventEffect {}

named_schema!(
    EventEffect,
    "EventEffect",
    schema::any_of(
        [schema::name_of::<CommonEffect>(), schema::name_of::<RuleSetEffect>()],
        "An effect that every game knows, or one of the game's rule set."
    ),
    with CommonEffect,
    RuleSetEffect
);

/// What a line of a record may be, for its schema.
#[derive(Debug)]
pub enum RecordLine {}

named_schema!(
    RecordLine,
    "RecordLine",
    schema::one_of(
        [schema::name_of::<Header>(), schema::name_of::<Event>(), schema::name_of::<Footer>()],
        "A line of a record: the header first, then the events, and once the game is over the footer."
    ),
    with Header,
    Event,
    Footer
);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn common_actions_and_effects_are_written_as_the_protocol_says() {
        assert_eq!(json!(CommonAction::Start {}), json!({"type": "start"}));
        assert_eq!(json!(CommonAction::Timeout { seat: Seat(1) }), json!({"type": "timeout", "seat": 1}));
        let finished = CommonEffect::Finished { reason: Reason::Abort, places: None, scores: None };
        let expected = json!({"type": "finished", "reason": "abort", "places": null, "scores": null});
        assert_eq!(json!(finished), expected);
    }
}
