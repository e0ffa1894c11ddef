//! All events of a game in sentences, page by page.

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::letters::mail_content::tell;
use crate::viewing::view::{self, Requester};
use pippost_language::Language;
use pippost_record::record::Event;
use pippost_store::Seq;
use pippost_store::events::{self, MAX_PAGE};

/// Events of a game in sentences.
#[derive(Clone, Debug)]
pub struct ToldEvents {
    /// In order; an event of which nothing is told has no sentences.
    pub events: Vec<(Seq, Vec<String>)>,
    /// Where the next page begins.
    pub next: Option<Seq>,
}

/// What happened from event `first` on, at most [`MAX_PAGE`] events.
///
/// # Errors
/// No such game for this requester, or not started.
pub async fn told(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    first: Seq,
    language: Language,
) -> Result<ToldEvents, GameError> {
    let (live, _) = view::started_for(games, game_id, requester).await?;
    let newest = live.seq();
    let first = first.min(newest);
    let last = (first + u64::from(MAX_PAGE - 1)).min(newest);
    let lines = events::lines(&games.database, game_id, first, last).await?;
    let read = |line: String| serde_json::from_str(&line);
    let read: Result<Vec<Event>, _> = lines.into_iter().map(read).collect();
    let read = read.map_err(|_| GameError::Corrupt(game_id, "event".into()))?;
    let told =
        read.iter().map(|event| (Seq::from(event.seq), tell(&live, std::slice::from_ref(event), language)));
    Ok(ToldEvents { events: told.collect(), next: (last < newest).then(|| last.next()) })
}
