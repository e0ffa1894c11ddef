//! Standing orders: moves given in advance.

use actix_web::{HttpResponse, delete, get, put, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use crate::access::{Participant, Reader};
use crate::games::refusals::{OrderProblems, SeatedProblems};
use crate::seat::{Seated, SeatedBody};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::standing_orders::orders::MAX_NOTATION_CHARS;
use pippost_games::standing_orders::{self, Branch, Standing, StandingOrders, StopReason};
use pippost_games::{GameError, Games};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_record::rules::schema::named_schema;

/// An action in the rule set's notation, as in `occupy 2`.
pub enum ActionNotation {}

named_schema!(
    ActionNotation,
    "ActionNotation",
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[^;\\u0000]*[^; \\u0000][^;\\u0000]*$"))
        .max_length(Some(MAX_NOTATION_CHARS))
        .description(Some("One action in the rule set's notation, as in `occupy 2`; its rules describe it."))
        .build()
);

/// An answer that is given in advance, as in `occupy all`.
pub enum AdvanceAnswer {}

named_schema!(
    AdvanceAnswer,
    "AdvanceAnswer",
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[^\\u0000]*$"))
        .max_length(Some(MAX_NOTATION_CHARS))
        .description(Some(
            "An answer in words of the rule set, as in `occupy all`; its rules say which there are."
        ))
        .build()
);

/// What to do after what the others may do.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderBranch {
    /// What the others do, action by action, from your last move by these orders until it is your turn. Null or left out: whatever they do.
    #[serde(rename = "if", default)]
    #[schema(min_items = 1, max_items = 20, value_type = Option<Vec<ActionNotation>>)]
    condition: Option<Vec<String>>,
    /// What you do then, each a move of its own. Without any, the orders end here, and you decide.
    #[schema(max_items = 20, value_type = Vec<ActionNotation>)]
    then: Vec<String>,
    /// What follows when it is your turn again after that.
    #[serde(default)]
    #[schema(no_recursion, max_items = 100)]
    next: Vec<OrderBranch>,
}

/// Moves in advance.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StandingOrdersBody {
    /// True: play the only legal action, whenever there is just one.
    #[serde(default)]
    only_legal: bool,
    /// Answers to the turns of others, in words of the rule set, such as `occupy all`; its rules say which there are. The first that says
    /// something is taken.
    #[serde(default)]
    #[schema(max_items = 8, value_type = Vec<AdvanceAnswer>, example = json!(["occupy keep 2"]))]
    answers: Vec<String>,
    /// The branches of a tree, on ten levels and a hundred in all at most. The first that fits is taken.
    #[serde(default)]
    #[schema(max_items = 100)]
    branches: Vec<OrderBranch>,
}

/// Why the branches have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrdersStopped {
    /// All was played as ordered.
    Done,
    /// The others did what no branch says.
    NotForeseen,
    /// You moved by hand.
    OwnMove,
    /// Another seat was asked before all of a `then` was played.
    Interrupted,
    /// The rules refused an ordered action.
    Refused,
}

/// Your orders as they stand.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StandingOrdersView {
    /// Whether anything may still be played by them.
    is_active: bool,
    only_legal: bool,
    #[schema(value_type = Vec<AdvanceAnswer>)]
    answers: Vec<String>,
    /// The branches of your next move by them.
    branches: Vec<OrderBranch>,
    /// What is still to be played of the branch that was taken.
    #[schema(value_type = Vec<ActionNotation>)]
    playing: Vec<String>,
    /// What the others have done since your last move by them, in notation.
    seen: Vec<String>,
    /// The newest event that they have taken into account. Null if there are no orders.
    #[schema(required, value_type = Option<i64>)]
    seq: Option<u64>,
    /// Why the branches have ended; null while there are some, and if there were none.
    #[schema(required)]
    stopped: Option<OrdersStopped>,
}

impl From<StopReason> for OrdersStopped {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Done => Self::Done,
            StopReason::NotForeseen => Self::NotForeseen,
            StopReason::OwnMove => Self::OwnMove,
            StopReason::Interrupted => Self::Interrupted,
            StopReason::Refused => Self::Refused,
        }
    }
}

impl From<Branch> for OrderBranch {
    fn from(Branch { condition, then, next }: Branch) -> Self {
        Self { condition, then, next: next.into_iter().map(Into::into).collect() }
    }
}

impl From<OrderBranch> for Branch {
    fn from(OrderBranch { condition, then, next }: OrderBranch) -> Self {
        Self { condition, then, next: next.into_iter().map(Into::into).collect() }
    }
}

impl From<StandingOrdersBody> for StandingOrders {
    fn from(StandingOrdersBody { only_legal, answers, branches }: StandingOrdersBody) -> Self {
        Self { only_legal, answers, branches: branches.into_iter().map(Into::into).collect() }
    }
}

impl From<Option<Standing>> for StandingOrdersView {
    fn from(standing: Option<Standing>) -> Self {
        let Some(Standing { progress, seq, is_active }) = standing else {
            return Self {
                is_active: false,
                only_legal: false,
                answers: Vec::new(),
                branches: Vec::new(),
                playing: Vec::new(),
                seen: Vec::new(),
                seq: None,
                stopped: None,
            };
        };
        let StandingOrders { only_legal, answers, branches } = progress.orders;
        Self {
            is_active,
            only_legal,
            answers,
            branches: branches.into_iter().map(Into::into).collect(),
            playing: progress.playing.into(),
            seen: progress.seen,
            seq: Some(seq.get()),
            stopped: progress.stopped.map(Into::into),
        }
    }
}

/// Shows your standing orders in a game. Nobody else sees them.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The orders as they stand; empty without any.", body = StandingOrdersView),
    SeatedProblems,
))]
#[get("/games/{id}/standing-orders")]
pub async fn show_standing_orders(
    seated: Seated<Reader>,
    games: web::Data<Games>,
) -> Result<web::Json<StandingOrdersView>, Problem> {
    Ok(web::Json(standing_orders::show(&games, &seated.claim).await?.into()))
}

/// Gives moves in advance, in place of those that were given before. They hold from the next event on.
///
/// What they say is played right after the move that it waits for, each action as a move of its own. Branches end with anything
/// that they do not say: see `stopped`. Whether an action will be legal is not known yet; one that is not is not played.
/// More branches, levels or actions than a tree may have, and answers that the rule set does not know, are `orders_not_possible`.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), request_body = StandingOrdersBody, responses(
    (status = 200, description = "The orders as they stand.", body = StandingOrdersView),
    OrderProblems,
))]
#[put("/games/{id}/standing-orders")]
pub async fn give_standing_orders(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    body: SeatedBody<StandingOrdersBody>,
) -> actix_web::Result<web::Json<StandingOrdersView>> {
    let orders = body?.into_inner().into();
    accounts.count_request(PlayerRequest::Say, seated.account.player_id, peer.0).map_err(Problem::from)?;
    let standing = standing_orders::give(&games, &seated.claim, orders).await.map_err(Problem::from)?;
    Ok(web::Json(Some(standing).into()))
}

/// Cancels your standing orders in a game. Once this is answered, nothing more is played by them.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "There are none any more."),
    SeatedProblems,
))]
#[delete("/games/{id}/standing-orders")]
pub async fn cancel_standing_orders(
    seated: Seated<Participant>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    standing_orders::cancel(&games, &seated.claim).await.map_err(GameError::from)?;
    Ok(HttpResponse::NoContent().finish())
}
