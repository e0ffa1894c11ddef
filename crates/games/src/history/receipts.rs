//! Checks receipts: compares what the server signed with the events that it has.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::GameError;
use crate::memory::live::raw;
use crate::playing::move_response::{ClockClaim, ReceiptClaims};
use crate::{Games, RECEIPT_KIND};
use pippost_clock::log::Line;
use pippost_record::record::{Event, Hash};
use pippost_store::{Seq, clock_lines, events};

/// The longest accepted receipt, in bytes; the server's own have about 300.
pub const MAX_RECEIPT_BYTES: usize = 2048;

/// The result of checking a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptVerdict {
    /// The server has the signed event.
    Kept,
    /// The server signed the event but does not have it, so it contradicts itself.
    Contradicted,
}

/// The result of checking a receipt.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckedReceipt {
    pub verdict: ReceiptVerdict,
    /// The verdict in words.
    pub says: String,
    /// The game in the receipt.
    pub game: Uuid,
    /// The number of the event in the receipt.
    #[schema(value_type = u64)]
    pub seq: Seq,
    /// The hash of the event in the receipt.
    pub hash: Hash,
    /// The event as it stands in the record; null if the server contradicts itself.
    #[schema(value_type = Option<Event>)]
    pub event: Option<Box<RawValue>>,
}

/// Holds a receipt of this server against the event that it names. Whoever holds one is shown that event, also of a private game,
/// and nothing else: the receipt was given to a player, and proves that its holder has it from one.
///
/// # Errors
/// It is no receipt, or not signed by this server.
pub async fn check_receipt(games: &Games, receipt: &str) -> Result<CheckedReceipt, GameError> {
    if receipt.len() > MAX_RECEIPT_BYTES {
        return Err(GameError::ForeignReceipt);
    }
    let claims = games.inner.signing.verify::<ReceiptClaims>(RECEIPT_KIND, receipt.trim());
    let claims = claims.map_err(|_| GameError::ForeignReceipt)?;
    let ReceiptClaims { game, seq, hash, clock, .. } = claims;
    let at = Seq::from(seq);
    let stored = events::lines(&games.database, game, at, at).await?.pop();
    let has_it = |line: &String| {
        let event = serde_json::from_str::<Event>(line);
        event.is_ok_and(|event| event.seq == seq && event.hash == hash && event.computed_hash() == hash)
    };
    let is_there = stored.is_some();
    let event = stored.filter(has_it);
    let (verdict, says) = match (&event, is_there) {
        (Some(_), _) => (
            ReceiptVerdict::Kept,
            format!("The server signed event {seq} of this game and has that very event."),
        ),
        (None, true) => (
            ReceiptVerdict::Contradicted,
            format!("The server contradicts its own signature: it has another event {seq} of this game now."),
        ),
        (None, false) => (
            ReceiptVerdict::Contradicted,
            format!(
                "The server contradicts its own signature: it has no event {seq} of this game, or no such game."
            ),
        ),
    };
    let (verdict, says) = match clock {
        Some(clock) if verdict == ReceiptVerdict::Kept && !has_line(games, game, clock).await? => (
            ReceiptVerdict::Contradicted,
            format!(
                "The server contradicts its own signature: line {} of this game's clock log was another one.",
                clock.number
            ),
        ),
        _ => (verdict, says),
    };
    if verdict == ReceiptVerdict::Contradicted {
        tracing::error!(%game, seq, "a receipt of ours is contradicted by what we have");
    }
    Ok(CheckedReceipt { verdict, says, game, seq: at, hash, event: event.map(raw) })
}

/// Whether the game's clock log has the line that a receipt names.
async fn has_line(games: &Games, game: Uuid, claimed: ClockClaim) -> Result<bool, GameError> {
    let Ok(number) = i32::try_from(claimed.number) else { return Ok(false) };
    let line = clock_lines::line(&games.database, game, number).await?;
    let line = line.and_then(|line| serde_json::from_str::<Line>(&line).ok());
    Ok(line.is_some_and(|line| line.hash == claimed.hash && line.computed_hash() == claimed.hash))
}
