//! A reader of the feed of all games of a player.

use std::time::Instant;

use uuid::Uuid;

use super::entry::Entry;
use super::hub::{PlayerSubscription, Woken};
use super::reader::{EndReason, MAX_STREAM, Step};
use crate::Games;
use crate::error::GameError;
use pippost_store::events::{self, Span};
use pippost_store::player_feeds::{self, FeedRange, GameInFeed};
use pippost_store::{EventId, FeedPosition, Seq};

/// The most events that are read at once for a stream.
const MAX_READ: u64 = 8;

/// The most running games in a snapshot, and the most that wake a reader at once. Others are looked at every minute.
pub const MAX_GAMES: i64 = 1000;

/// One heartbeat in so many looks for games that nobody has told of.
const BEATS_BETWEEN_LOOKS: u32 = 4;

/// The running games of a player at a position of the feed.
#[derive(Debug)]
pub struct GamesSnapshot {
    /// The last event before it; `None` if there is none.
    pub id: Option<EventId>,
    /// Newest first, at most [`MAX_GAMES`].
    pub games: Vec<GameInFeed>,
}

/// A reader of a player's feed.
pub struct PlayerFeed {
    games: Games,
    player_id: Uuid,
    subscription: PlayerSubscription,
    cursor: FeedPosition,
    /// The last event that was told.
    last: Option<EventId>,
    newest: FeedPosition,
    beats: u32,
    opened: Instant,
}

impl PlayerFeed {
    /// Begins to read after the event `after`, or with the first event of the player's first game.
    ///
    /// # Errors
    /// The feed has no such event, or the database failed.
    pub async fn open(games: &Games, player_id: Uuid, after: Option<EventId>) -> Result<Self, GameError> {
        // Before the games are looked at, so that no event falls between.
        let subscription = games.inner.feeds.subscribe_player(player_id);
        let newest = player_feeds::place(&games.database, player_id).await?;
        let cursor = match after {
            None => FeedPosition::default(),
            Some(id) => player_feeds::position_of(&games.database, player_id, id).await?.ok_or(
                GameError::NoSuchPosition { field: "after", why: "your feed has no such event".to_owned() },
            )?,
        };
        let mut feed = Self {
            games: games.clone(),
            player_id,
            subscription,
            cursor,
            last: after,
            newest,
            beats: 0,
            opened: Instant::now(),
        };
        feed.watch_games().await?;
        Ok(feed)
    }

    /// The id of the last event that was told.
    #[must_use]
    pub fn cursor(&self) -> Option<EventId> {
        self.last
    }

    /// The running games now, with the newest event of each. The next events are those after it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn snapshot(&mut self) -> Result<GamesSnapshot, GameError> {
        let (database, player_id) = (&self.games.database, self.player_id);
        let games = player_feeds::running(database, player_id, self.newest, MAX_GAMES).await?;
        self.last = player_feeds::event_at(database, player_id, self.newest).await?;
        self.cursor = self.newest;
        Ok(GamesSnapshot { id: self.last, games })
    }

    /// Tells the hub which games wake this reader, and looks for what they did before they could.
    async fn watch_games(&mut self) -> Result<(), GameError> {
        let running =
            player_feeds::running(&self.games.database, self.player_id, self.newest, MAX_GAMES).await?;
        self.subscription.watch(running.into_iter().map(|game| (game.game_id, game.seq)).collect());
        self.look().await
    }

    /// At most `limit` events after the cursor, without waiting; none if there are none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn read(&mut self, limit: u64) -> Result<Vec<Entry>, GameError> {
        if self.newest <= self.cursor {
            return Ok(Vec::new());
        }
        let database = &self.games.database;
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        let ranges = player_feeds::ranges_after(database, self.player_id, self.cursor, most).await?;
        let spans = first_events(&ranges, limit);
        let lines = events::lines_of(database, &spans).await?;
        let entries: Vec<Entry> =
            lines.into_iter().map(|(id, line)| Entry::new(id.game_id, id.seq, line)).collect();
        let Some(last) = entries.last() else {
            return Err(GameError::Corrupt(self.player_id, "a feed without its events".into()));
        };
        if entries.iter().any(|entry| entry.id.seq == Seq::START || entry.ends_game) {
            // Another set of games wakes the reader now.
            self.watch_games().await?;
        }
        let range = ranges.iter().find(|range| {
            range.game_id == last.id.game_id && (range.first_seq..=range.last_seq).contains(&last.id.seq)
        });
        self.cursor = range.map_or(self.newest, |range| range.position_of(last.id.seq));
        self.last = Some(last.id);
        Ok(entries)
    }

    /// Looks for events that have no position yet.
    async fn look(&mut self) -> Result<(), GameError> {
        self.newest = player_feeds::place(&self.games.database, self.player_id).await?;
        Ok(())
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
            // Boxed, because an idle reader should not keep room for them.
            let entries = Box::pin(self.read(MAX_READ)).await?;
            if !entries.is_empty() {
                return Ok(Step::Events(entries));
            }
            if self.subscription.is_closing() {
                return Ok(Step::End(EndReason::AskAgain));
            }
            match self.subscription.woken().await {
                Woken::News => Box::pin(self.look()).await?,
                Woken::Beat(beat) if beat.is_closing => return Ok(Step::End(EndReason::AskAgain)),
                Woken::Beat(_) => {
                    self.beats += 1;
                    if self.beats.is_multiple_of(BEATS_BETWEEN_LOOKS) {
                        Box::pin(self.look()).await?;
                    }
                    return Ok(Step::Heartbeat);
                }
            }
        }
    }
}

/// The first `limit` events of these ranges.
fn first_events(ranges: &[FeedRange], limit: u64) -> Vec<Span> {
    let mut left = limit;
    let mut spans = Vec::new();
    for range in ranges {
        if left == 0 {
            break;
        }
        let events = (range.last_seq - range.first_seq + 1).min(left);
        spans.push(Span {
            game_id: range.game_id,
            first: range.first_seq,
            last: range.first_seq + (events - 1),
        });
        left -= events;
    }
    spans
}
