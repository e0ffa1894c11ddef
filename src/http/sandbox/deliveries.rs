//! What a sandbox has sent to webhooks.

use actix_web::{get, web};

use super::bodies::{SandboxDeliveries, SandboxDeliveriesQuery, SandboxDelivery, checked_page};
use super::{MaybeSandbox, SandboxProblems};
use pippost_api::access::Owner;
use pippost_http::problem::Problem;

/// Lists what the sandbox has sent to your webhooks, challenges and repetitions included, as its receiver gets it.
///
/// Deliveries that are due are made first, so one that follows from your last request is among them. Your newest hundred are kept. A
/// webhook needs no receiver here: what goes to a host whose name ends in `.invalid` is kept without being sent, and counts as delivered.
/// Read the challenge here, and confirm it.
#[utoipa::path(tag = "sandbox", security(("token" = [Owner::SCOPE])), params(SandboxDeliveriesQuery), responses(
    (status = 200, description = "A page of deliveries, newest first.", body = SandboxDeliveries),
    SandboxProblems,
))]
#[get("/sandbox/deliveries")]
pub async fn list_sandbox_deliveries(
    owner: Owner,
    sandbox: web::Data<MaybeSandbox>,
    query: web::Query<SandboxDeliveriesQuery>,
) -> Result<web::Json<SandboxDeliveries>, Problem> {
    let SandboxDeliveriesQuery { cursor, limit } = query.into_inner();
    let limit = checked_page(limit)?;
    let mut found = sandbox.required()?.deliveries(owner.player_id, cursor, limit + 1).await?;
    let more = found.len() > usize::from(limit);
    found.truncate(limit.into());
    let next_cursor = found.last().map(|delivery| delivery.id).filter(|_| more);
    let deliveries = found.into_iter().map(SandboxDelivery::from).collect();
    Ok(web::Json(SandboxDeliveries { deliveries, next_cursor }))
}
