//! The members of problems that depend on their code, for the OpenAPI document. [`super::problem`] sets them.

use serde_json::Value;

use crate::contract::FaultBody;
use pippost_games::GameView;
use pippost_record::rules::schema::{RuleSetAction, RuleSetOffer};

/// An action as it was sent: an object, or notation.
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "the document's only: it is sent back as it came")]
pub enum SentAction {
    Action(RuleSetAction),
    Notation(String),
}

/// The members of a problem that depend on its code.
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "the document's only: problems are put together from what is known")]
pub struct ProblemMembers {
    /// With status 422: all that is wrong.
    errors: Option<Vec<FaultBody>>,
    /// The part of the request that is wrong: a member of the body, a parameter of the query or a header.
    field: Option<String>,
    /// The index of the action that was refused.
    index: Option<usize>,
    /// `unreadable_action`: the character of the notation where reading stopped, from 0.
    at: Option<usize>,
    /// `incomplete_action`: the legal actions that it can be, in notation. Of an analysis, with `chance_not_possible` too: the names of the
    /// outcomes that the draw can have.
    candidates: Option<Vec<String>>,
    /// `draws_before_last`: the action that draws or reveals, as it was sent.
    action: Option<SentAction>,
    /// What is legal instead, at most 100 entries; `/actions` has them all.
    #[schema(value_type = Option<Vec<RuleSetOffer>>)]
    legal: Option<Vec<Value>>,
    /// `game_too_long`: how many actions the game has room for.
    actions_left: Option<u64>,
    /// `missing_scope`: the scope that the token lacks.
    scope: Option<String>,
    /// `too_many_requests`, `unavailable`, `quota_reached`: the limit that is reached, by its name.
    limit: Option<String>,
    /// `quota_reached`: the quota.
    most: Option<u64>,
    /// As in the header `Retry-After`.
    retry_after_seconds: Option<u64>,
    /// The endpoints of OAuth: the code (RFC 6749, section 5.2).
    error: Option<String>,
    /// The endpoints of OAuth: the detail.
    error_description: Option<String>,
    /// The game as it is now.
    game: Option<GameView>,
}
