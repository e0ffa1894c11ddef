//! What has happened in a game lately, event by event, in sentences.

use super::mail_content::{recent_events, tell};
use crate::Games;
use crate::error::GameError;
use crate::viewing::view::Look;
use pippost_language::Language;
use pippost_record::record::Timestamp;
use pippost_record::rules::{Seat, Viewer};
use pippost_store::Seq;

/// The most events told to somebody without a seat.
const EVENTS_TO_OTHERS: usize = 8;

/// An event in sentences.
#[derive(Clone, Debug)]
pub struct RecapEvent {
    pub seq: Seq,
    pub at: Timestamp,
    pub sentences: Vec<String>,
}

/// What happened lately.
#[derive(Clone, Debug, Default)]
pub struct Recap {
    /// Oldest first.
    pub told: Vec<RecapEvent>,
    /// True if it begins with what followed the requester's own last event.
    pub since_mine: bool,
    /// What decided a game that play has ended.
    pub decided: Vec<String>,
}

/// What happened since the player last acted, or for others the last few events; at most as many as mails tell.
///
/// # Errors
/// The database failed.
pub async fn recap(
    games: &Games,
    Look { live, viewer }: &Look,
    language: Language,
) -> Result<Recap, GameError> {
    let events = recent_events(games, live).await?;
    let seat = match viewer {
        Viewer::Seat(seat) => Some(*seat),
        Viewer::Spectator => None,
    };
    let is_mine = |other: Option<Seat>| seat.is_some() && other == seat;
    // A player in turn again still wants to see what his own last action has led to.
    let mine = events.iter().rposition(|event| is_mine(event.seat));
    let first = mine.unwrap_or_else(|| events.len().saturating_sub(EVENTS_TO_OTHERS));
    let told = events[first..].iter().map(|event| RecapEvent {
        seq: event.seq.into(),
        at: event.at,
        sentences: tell(live, std::slice::from_ref(event), language),
    });
    let told = told.filter(|told| !told.sentences.is_empty()).collect();
    let decided = live.chronicle.table().position().decided();
    let decided = decided.iter().map(|sentence| language.tell(sentence, &live.fixed.names)).collect();
    Ok(Recap { told, since_mine: mine.is_some(), decided })
}
