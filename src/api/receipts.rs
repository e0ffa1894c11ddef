//! Receipts: anybody who holds one may hold the server to its word.

use actix_web::{post, web};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::peer::Peer;
use super::problem::Problem;
use crate::accounts::Accounts;
use crate::games::Games;
use crate::games::history::{self, receipts};
use crate::record::{Event, Hash};

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

/// Whether the server keeps its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptVerdict {
    /// The server has that very event.
    Kept,
    /// The server signed that event and does not have it: it contradicts itself.
    Contradicted,
}

/// A receipt, checked.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckedReceipt {
    pub verdict: ReceiptVerdict,
    /// The verdict in words.
    pub says: String,
    /// The game that the receipt names.
    pub game: Uuid,
    /// The event that it names.
    pub seq: u64,
    /// The hash that it says the event has.
    pub hash: Hash,
    /// That very event, as it stands in the record; null when the server contradicts itself.
    #[schema(value_type = Option<Event>)]
    pub event: Option<Box<RawValue>>,
}

impl From<receipts::CheckedReceipt> for CheckedReceipt {
    fn from(checked: receipts::CheckedReceipt) -> Self {
        let receipts::CheckedReceipt { verdict, says, game, seq, hash, event } = checked;
        let verdict = match verdict {
            receipts::ReceiptVerdict::Kept => ReceiptVerdict::Kept,
            receipts::ReceiptVerdict::Contradicted => ReceiptVerdict::Contradicted,
        };
        Self { verdict, says, game, seq: seq.get(), hash, event }
    }
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
    Ok(web::Json(history::check_receipt(&games, &body.receipt).await?.into()))
}
