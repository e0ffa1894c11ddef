//! Receipts: anybody who holds one may hold the server to its word.

use actix_web::{post, web};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use super::peer::Peer;
use super::problem::Problem;
use crate::accounts::Accounts;
use crate::games::Games;
use crate::games::receipts::CheckedReceipt;

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut ServiceConfig<'_>) {
    service.service(check_receipt);
}

/// A receipt to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceiptBody {
    /// The receipt as the move's answer gave it: a JWS in compact form.
    #[schema(max_length = 2048)]
    pub receipt: String,
}

/// Holds a receipt against what the server has: shows the very event that it signed, or says that it contradicts itself. A receipt of a
/// private game shows that one event to whoever holds it, and nothing more.
#[utoipa::path(tag = "history", responses(
    (status = 200, description = "The signature is this server's; `verdict` says whether it keeps its word.", body = CheckedReceipt),
))]
#[post("/receipts")]
pub async fn check_receipt(
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    body: web::Json<ReceiptBody>,
) -> Result<web::Json<CheckedReceipt>, Problem> {
    accounts.count_receipt(peer.0)?;
    Ok(web::Json(games.check_receipt(&body.receipt).await?))
}
