//! The clock of a sandbox.

use actix_web::{get, post, web};

use super::bodies::{ClockAnswer, ClockMoved, MoveClockBody};
use super::{ClockProblems, MaybeSandbox, SandboxProblems};
use pippost_api::access::Participant;
use pippost_http::json::Body;
use pippost_http::problem::Problem;

/// Shows the clock of the sandbox.
#[utoipa::path(tag = "sandbox", responses(
    (status = 200, description = "The clock.", body = ClockAnswer),
    SandboxProblems,
))]
#[get("/sandbox/clock")]
pub async fn show_sandbox_clock(sandbox: web::Data<MaybeSandbox>) -> Result<web::Json<ClockAnswer>, Problem> {
    Ok(web::Json(sandbox.required()?.clock().await?.into()))
}

/// Moves the clock of the sandbox forward, for everybody in it.
///
/// The clock stops on the way wherever something is due: reminders, flags, digests and mails come in their order and at their times. All
/// of it is done when the answer comes. The clock then runs on. Tokens expire by this clock: after some minutes of it the session must
/// be refreshed, after two months the player logs in again.
///
/// Limits: ten years in all; ten seconds of work and a thousand stops for each request.
#[utoipa::path(tag = "sandbox", security(("token" = [Participant::SCOPE])), request_body = MoveClockBody, responses(
    (status = 200, description = "The clock as it is now.", body = ClockMoved),
    ClockProblems,
))]
#[post("/sandbox/clock")]
pub async fn move_sandbox_clock(
    _account: Participant,
    sandbox: web::Data<MaybeSandbox>,
    body: Body<MoveClockBody>,
) -> Result<web::Json<ClockMoved>, Problem> {
    let target = body.into_inner().target()?;
    Ok(web::Json(sandbox.required()?.move_clock(target).await?.into()))
}
