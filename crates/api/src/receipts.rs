//! Checks receipts: anybody with a receipt can check that the server still has the event it signed.

use actix_web::{post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::declared::problems;
use super::routes::Routes;
use pippost_accounts::Accounts;
use pippost_games::Games;
use pippost_games::history::{self, receipts::CheckedReceipt};
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::Problem;
use pippost_http::text::{CompactJws, checked};

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(check_receipt);
}

problems! {
    ReceiptProblems: ForeignReceipt;
}

/// A receipt to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceiptBody {
    /// The receipt from the answer to a move: a JWS in compact form.
    #[schema(value_type = CompactJws)]
    pub receipt: String,
}

/// Checks a receipt against the server's events and shows the event that was signed, or reports that the server contradicts
/// itself.
///
/// Anybody with a receipt of a private game sees that one event and nothing else.
#[utoipa::path(tag = "history", request_body = ReceiptBody, responses(
    (status = 200, description = "It is this server's; `verdict` says whether it keeps its word.", body = CheckedReceipt),
    ReceiptProblems,
))]
#[post("/receipts")]
pub async fn check_receipt(
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    body: Body<ReceiptBody>,
) -> Result<web::Json<CheckedReceipt>, Problem> {
    accounts.count_receipt(peer.0)?;
    let receipt = checked::<CompactJws>("receipt", body.into_inner().receipt)?;
    Ok(web::Json(history::check_receipt(&games, &receipt).await?))
}
