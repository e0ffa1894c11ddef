//! A reader of the feed of one game: its right to read, its cursor, and the next events for it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::entry::Entry;
use super::hub::{Subscription, Woken};
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::memory::version_check;
use crate::viewing::view::{self, Newest, Requester, SeatClaim};
use crate::viewing::view_text;
use crate::viewing::visibility;
use pippost_store::muted_players::MUTED;
use pippost_store::{EventId, GameStatus, Seq, events, table_messages};

/// How long a stream lasts at most. Then the reader asks again, and its token is checked again.
pub const MAX_STREAM: Duration = Duration::from_mins(10);

/// The most events that are read at once for a reader that is behind.
const MAX_READ: u64 = 8;

/// What a reader gets next.
#[derive(Debug)]
pub enum Step {
    /// Consecutive events, at least one.
    Events(Vec<Entry>),
    /// A message was written at the table. It is told only to a reader that [hears messages](GameFeed::hear_messages).
    Message,
    /// Nothing has happened for a while.
    Heartbeat,
    End(EndReason),
}

/// Why a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeedEnd)]
pub enum EndReason {
    /// The game is over, and this was its last event.
    GameOver,
    /// The tournament is over, and this was its last event.
    TournamentOver,
    /// The stream was long enough ([`MAX_STREAM`]), or the server stops: ask again.
    AskAgain,
    /// You may not see the game any more.
    NotAllowed,
}

/// The game as one viewer sees it, after an event.
#[derive(Debug)]
pub struct Snapshot {
    /// The newest event that it shows; `None` before the start.
    pub id: Option<EventId>,
    /// The game as JSON, as `GET /games/{id}` shows it to this viewer.
    pub json: Arc<RawValue>,
}

/// How long a right to read lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    /// Of a player of a started game, and of everybody for a public one.
    Lasting,
    /// Of the holder of a link or an invitation, and of players before the start: asked for again with each event.
    Passing,
}

/// A reader of one game's feed.
pub struct GameFeed {
    games: Games,
    requester: Requester,
    game_id: Uuid,
    right: Right,
    subscription: Subscription,
    /// The last event that was told.
    cursor: Option<Seq>,
    /// The newest event when the reader came.
    newest: Option<Seq>,
    /// The game has no event after the cursor, ever.
    is_over: bool,
    opened: Instant,
    heard: Option<Heard>,
}

/// What a reader that hears messages knows of them.
struct Heard {
    /// As the hub counts.
    other_changes: u64,
    /// Who hears.
    player_id: Uuid,
    newest: Option<Uuid>,
}

impl GameFeed {
    /// Begins to read after the event `after`, or from event 0. The game need not have started.
    ///
    /// # Errors
    /// There is no such game for this requester, or no such event in it.
    pub async fn open(
        games: &Games,
        game_id: Uuid,
        requester: Requester,
        after: Option<Seq>,
    ) -> Result<Self, GameError> {
        visibility::expect_visible(games, game_id, &requester).await?;
        // Before the game is looked at, so that no event falls between.
        let subscription = games.inner.feeds.subscribe(game_id);
        let (right, newest, is_finished) = right_of(games, game_id, &requester).await?;
        if after > newest {
            let why = "the game has no such event".to_owned();
            return Err(GameError::NoSuchPosition { field: "after", why });
        }
        Ok(Self {
            games: games.clone(),
            requester,
            game_id,
            right,
            subscription,
            cursor: after,
            newest,
            is_over: is_finished && after == newest,
            opened: Instant::now(),
            heard: None,
        })
    }

    /// Tells this reader, who has a seat, of messages at the table from now on.
    ///
    /// # Errors
    /// The database failed.
    pub async fn hear_messages(&mut self, claim: &SeatClaim) -> Result<(), GameError> {
        let other_changes = self.subscription.recent().other_changes;
        let player_id = claim.player_id();
        let newest = newest_message(&self.games, claim.game_id(), player_id).await?;
        self.heard = Some(Heard { other_changes, player_id, newest });
        Ok(())
    }

    /// Whether a message was written since the reader heard of one.
    async fn has_message(&mut self) -> Result<bool, GameError> {
        let other_changes = self.subscription.recent().other_changes;
        let Some(heard) = self.heard.as_mut().filter(|heard| heard.other_changes != other_changes) else {
            return Ok(false);
        };
        heard.other_changes = other_changes;
        let newest = Box::pin(newest_message(&self.games, self.game_id, heard.player_id)).await?;
        Ok(std::mem::replace(&mut heard.newest, newest) != newest)
    }

    /// The id of the last event that was told.
    #[must_use]
    pub fn cursor(&self) -> Option<EventId> {
        self.cursor.map(|seq| EventId { game_id: self.game_id, seq })
    }

    /// Whether the game is over and its last event has been told.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The game as it is now, as the reader may see it. The next events are those after it: earlier ones count as told.
    ///
    /// # Errors
    /// The reader may not see it any more, or the database failed.
    pub async fn snapshot(&mut self) -> Result<Snapshot, GameError> {
        let live = match view::newest(&self.games, self.game_id).await? {
            Newest::Started(live) => live,
            Newest::Waiting(whole) => {
                let view = view::view_waiting(&self.games, &whole, &self.requester).await?;
                return Ok(Snapshot { id: None, json: view.text().into() });
            }
        };
        let viewer = view::viewer(&self.games, &live, &self.requester)?;
        let json = view_text::text_at(&self.games, &live, viewer, self.games.inner.clock.now());
        self.pass(live.seq(), live.finished_at.is_some());
        Ok(Snapshot { id: self.cursor(), json })
    }

    /// The game as it is now, if the last event that was told is its newest.
    ///
    /// # Errors
    /// As [`GameFeed::snapshot`].
    pub async fn snapshot_if_caught_up(&mut self) -> Result<Option<Snapshot>, GameError> {
        let Some(live) = version_check::current(&self.games, self.game_id).await? else { return Ok(None) };
        self.newest = self.newest.max(Some(live.seq()));
        if self.cursor != Some(live.seq()) {
            return Ok(None);
        }
        let viewer = view::viewer(&self.games, &live, &self.requester)?;
        let json = view_text::text_at(&self.games, &live, viewer, self.games.inner.clock.now());
        Ok(Some(Snapshot { id: self.cursor(), json }))
    }

    /// Counts all events up to `seq` as told.
    fn pass(&mut self, seq: Seq, is_over: bool) {
        self.cursor = self.cursor.max(Some(seq));
        self.newest = self.newest.max(Some(seq));
        self.is_over |= is_over;
    }

    /// At most `limit` events after the cursor, without waiting; none if there are none.
    ///
    /// # Errors
    /// The reader may not see the game any more, or the database failed.
    pub async fn read(&mut self, limit: u64) -> Result<Vec<Entry>, GameError> {
        let recent = self.subscription.recent();
        let newest = recent.newest.max(self.newest);
        let Some(newest) = newest.filter(|newest| Some(*newest) > self.cursor) else { return Ok(Vec::new()) };
        self.check_right().await?;
        let mut entries = match recent.after(self.cursor) {
            Some(entries) if recent.newest == Some(newest) && !entries.is_empty() => entries,
            _ => self.read_table(newest, limit).await?,
        };
        entries.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        if let Some(last) = entries.last() {
            self.pass(last.id.seq, last.ends_game);
        }
        Ok(entries)
    }

    async fn read_table(&self, newest: Seq, limit: u64) -> Result<Vec<Entry>, GameError> {
        let first = self.cursor.map_or(Seq::START, Seq::next);
        let last = newest.min(first + (limit.max(1) - 1));
        // Boxed, because it is rare and would enlarge what is kept for an idle reader.
        let lines = Box::pin(events::lines(&self.games.database, self.game_id, first, last)).await?;
        if lines.is_empty() {
            return Err(GameError::Corrupt(self.game_id, "events missing".into()));
        }
        let numbered = lines.into_iter().enumerate();
        Ok(numbered.map(|(index, line)| Entry::new(self.game_id, first + index as u64, line)).collect())
    }

    async fn check_right(&mut self) -> Result<(), GameError> {
        if self.right == Right::Passing {
            let (right, ..) = Box::pin(right_of(&self.games, self.game_id, &self.requester)).await?;
            self.right = right;
        }
        Ok(())
    }

    /// Looks whether a game that had not started is cancelled, which no event tells.
    async fn check_waiting(&mut self) -> Result<(), GameError> {
        if self.newest.is_none() {
            let (_, newest, is_over) = Box::pin(right_of(&self.games, self.game_id, &self.requester)).await?;
            self.is_over = newest.is_none() && is_over;
        }
        Ok(())
    }

    /// The next events, or what happens first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn next(&mut self) -> Result<Step, GameError> {
        loop {
            // Also in a game without a pause, so that its token is checked again.
            if self.opened.elapsed() >= MAX_STREAM {
                return Ok(Step::End(EndReason::AskAgain));
            }
            match self.read(MAX_READ).await {
                Ok(entries) if !entries.is_empty() => return Ok(Step::Events(entries)),
                Ok(_) => {}
                Err(GameError::NotFound) => return Ok(Step::End(EndReason::NotAllowed)),
                Err(error) => return Err(error),
            }
            if self.is_over {
                return Ok(Step::End(EndReason::GameOver));
            }
            if self.has_message().await? {
                return Ok(Step::Message);
            }
            if self.subscription.is_closing() {
                return Ok(Step::End(EndReason::AskAgain));
            }
            if let Woken::Beat(beat) = self.subscription.woken().await {
                if beat.is_closing {
                    return Ok(Step::End(EndReason::AskAgain));
                }
                match self.check_waiting().await {
                    Ok(()) if !self.is_over => return Ok(Step::Heartbeat),
                    Ok(()) => {}
                    Err(GameError::NotFound) => return Ok(Step::End(EndReason::NotAllowed)),
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

/// The newest message of a game that the player would be shown.
async fn newest_message(games: &Games, game_id: Uuid, player_id: Uuid) -> Result<Option<Uuid>, GameError> {
    let muted = MUTED.ids(&games.database, player_id).await?;
    let newest = table_messages::newest(&games.database, game_id, &muted, None, 1).await?;
    Ok(newest.first().map(|message| message.id))
}

/// The right of `requester`, the newest event, and whether it is the last.
async fn right_of(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
) -> Result<(Right, Option<Seq>, bool), GameError> {
    match view::newest(games, game_id).await? {
        Newest::Started(live) => {
            view::viewer(games, &live, requester)?;
            Ok((right_in(&live, requester), Some(live.seq()), live.finished_at.is_some()))
        }
        Newest::Waiting(whole) => {
            let status = view::view_lobby(games, &whole, requester)?.status;
            Ok((Right::Passing, None, status == GameStatus::Cancelled))
        }
    }
}

fn right_in(live: &Arc<LiveGame>, requester: &Requester) -> Right {
    let is_player = requester.player_id.is_some_and(|player_id| live.fixed.seat_of(player_id).is_some());
    if is_player || !live.fixed.private { Right::Lasting } else { Right::Passing }
}
