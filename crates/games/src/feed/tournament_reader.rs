//! A reader of the feed of a tournament, which everybody may see.

use std::time::Instant;

use uuid::Uuid;

use super::entry::Entry;
use super::hub::{PlayerSubscription, Woken};
use super::reader::{EndReason, MAX_STREAM, Step};
use crate::Games;
use crate::error::GameError;
use pippost_store::tournaments::{self, TournamentStatus, events};
use pippost_store::{EventId, Seq};

/// The most events that are read at once: those of a round with hundreds of players are long.
const MAX_READ: u64 = 16;

/// A reader of a tournament's feed.
pub struct TournamentFeed {
    games: Games,
    id: Uuid,
    /// Tournaments wake their readers as players do, by their own ids.
    subscription: PlayerSubscription,
    /// The last event that was told.
    cursor: Option<Seq>,
    /// The tournament has no event after the cursor, ever.
    is_over: bool,
    opened: Instant,
}

impl TournamentFeed {
    /// Begins to read after the event `after`, or from event 0.
    ///
    /// # Errors
    /// There is no such tournament, or no such event in it.
    pub async fn open(games: &Games, id: Uuid, after: Option<Seq>) -> Result<Self, GameError> {
        // Before the tournament is looked at, so that no event falls between.
        let subscription = games.inner.feeds.subscribe_player(id);
        let (row, _) = tournaments::load(&games.database, id).await?.ok_or(GameError::NoSuchTournament)?;
        let is_ended = matches!(row.status, TournamentStatus::Finished | TournamentStatus::Cancelled);
        let newest = events::newest_event(&games.database, id).await?;
        if after > newest {
            let why = "the tournament has no such event".to_owned();
            return Err(GameError::NoSuchPosition { field: "after", why });
        }
        let is_over = is_ended && after == newest;
        Ok(Self { games: games.clone(), id, subscription, cursor: after, is_over, opened: Instant::now() })
    }

    /// The id of the last event that was told.
    #[must_use]
    pub fn cursor(&self) -> Option<EventId> {
        self.cursor.map(|seq| EventId { game_id: self.id, seq })
    }

    /// Whether the tournament is over and its last event has been told.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// At most `limit` events after the cursor, without waiting; none if there are none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn read(&mut self, limit: u64) -> Result<Vec<Entry>, GameError> {
        if self.is_over {
            return Ok(Vec::new());
        }
        let most = i64::try_from(limit.min(MAX_READ)).unwrap_or(i64::MAX);
        let rows = events::events_after(&self.games.database, self.id, self.cursor, most).await?;
        let entries: Vec<Entry> = rows.into_iter().map(Entry::of_tournament).collect();
        if let Some(last) = entries.last() {
            (self.cursor, self.is_over) = (Some(last.id.seq), last.ends_game);
        }
        Ok(entries)
    }

    /// The next events, or what happens first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn next(&mut self) -> Result<Step, GameError> {
        loop {
            if self.opened.elapsed() >= MAX_STREAM {
                return Ok(Step::End(EndReason::AskAgain));
            }
            // Boxed, because an idle reader should not keep room for them. Also after a heartbeat, because wake-ups may be lost.
            let entries = Box::pin(self.read(MAX_READ)).await?;
            if !entries.is_empty() {
                return Ok(Step::Events(entries));
            }
            if self.is_over {
                return Ok(Step::End(EndReason::TournamentOver));
            }
            if self.subscription.is_closing() {
                return Ok(Step::End(EndReason::AskAgain));
            }
            match self.subscription.woken().await {
                Woken::News => {}
                Woken::Beat(beat) if beat.is_closing => return Ok(Step::End(EndReason::AskAgain)),
                Woken::Beat(_) => return Ok(Step::Heartbeat),
            }
        }
    }
}
