//! Standing orders: moves given in advance.

use actix_web::{HttpResponse, delete, get, put, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::{Participant, Reader};
use crate::declared_headers::IfMatchHeader;
use crate::games::bodies::StandingOrdersBody;
use crate::games::refusals::{OrderProblems, SeatedProblems};
use crate::seat::{Seated, UnreadBody};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::standing_orders::orders::{ActionNotation, AdvanceAnswer};
use pippost_games::standing_orders::{self, Branch, Standing, StandingOrders, StopReason};
use pippost_games::{GameError, Games};
use pippost_http::Problem;
use pippost_http::conditional::IfMatch;
use pippost_http::peer::Peer;
use pippost_store::Seq;

/// Your orders as they stand.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StandingOrdersView {
    /// Whether something may be played by them before your next move by hand. False also while it is your turn and they have nothing
    /// for it.
    is_active: bool,
    only_legal: bool,
    #[schema(value_type = Vec<AdvanceAnswer>)]
    answers: Vec<String>,
    /// The branches of your next move by them.
    branches: Vec<Branch>,
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
    stopped: Option<StopReason>,
}

impl From<Option<Standing>> for StandingOrdersView {
    fn from(standing: Option<Standing>) -> Self {
        let Some(Standing { progress, seq, may_play, .. }) = standing else {
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
            is_active: may_play,
            only_legal,
            answers,
            branches,
            playing: progress.playing.into(),
            seen: progress.seen,
            seq: Some(seq.get()),
            stopped: progress.stopped,
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

/// Gives moves in advance, in place of those given before, from the next event on.
///
/// Each action is a move of its own, right after the one that it waits for. Branches end with anything that they do
/// not say: see `stopped`. An action that is not legal by then is not played; what is no action at all is `unreadable_action`.
/// A tree that is too large, and answers that the rule set does not know, are `orders_not_possible`.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path), IfMatchHeader), request_body = StandingOrdersBody, responses(
    (status = 200, description = "The orders as they stand.", body = StandingOrdersView),
    OrderProblems,
))]
#[put("/games/{id}/standing-orders")]
pub async fn give_standing_orders(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    if_match: IfMatch,
    body: UnreadBody<StandingOrdersBody>,
) -> actix_web::Result<web::Json<StandingOrdersView>> {
    let body = body.read().await?;
    accounts.count_request(PlayerRequest::Say, seated.account.player_id, peer.0).map_err(Problem::from)?;
    let if_match = if_match.with_body(body.expected_seq)?;
    let (expected_seq, orders) = (body.expected_seq.map(Seq::from), body.into_orders());
    let given = standing_orders::give(&games, &seated.claim, orders, if_match.as_deref(), expected_seq).await;
    let standing = given.map_err(Problem::from)?;
    Ok(web::Json(Some(standing).into()))
}

/// Cancels your standing orders in a game, from this answer on.
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
