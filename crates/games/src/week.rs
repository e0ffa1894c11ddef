//! The games of the week, by a rule that anybody can follow: of the rated games of people that ended in the last 7 days those whose
//! lowest rating, as the players' profiles show it now, is highest. They are looked for at most once in a while.

use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::Games;
use super::error::GameError;
use super::lobby;
use super::lobby::listing::{GamePage, MAX_PAGE};
use pippost_store::lists::{Filter, Whose};
use pippost_store::ratings;

/// The most games of a week.
pub const MAX_OF_WEEK: i64 = 5;

/// How long ago they may have ended.
pub const WEEK: Duration = Duration::days(7);

/// How long found games are shown.
const KEPT: Duration = Duration::minutes(10);

/// The games that were found last.
#[derive(Debug, Default)]
pub struct KnownWeek(Mutex<Option<(OffsetDateTime, Vec<Uuid>)>>);

impl KnownWeek {
    /// The games, the best first; they are looked for anew if that was long ago. Whoever asks meanwhile waits for the one answer.
    ///
    /// # Errors
    /// The database failed.
    pub async fn ids(&self, games: &Games) -> Result<Vec<Uuid>, GameError> {
        let mut known = self.0.lock().await;
        let now = games.now();
        if let Some((found_at, ids)) = &*known
            && now - *found_at < KEPT
        {
            return Ok(ids.clone());
        }
        let ids = ratings::best_games(&games.database, now - WEEK, now, MAX_OF_WEEK).await?;
        *known = Some((now, ids.clone()));
        Ok(ids)
    }

    /// The same as a list shows them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(&self, games: &Games, player_id: Option<Uuid>) -> Result<GamePage, GameError> {
        let ids = self.ids(games).await?;
        if ids.is_empty() {
            return Ok(GamePage { games: Vec::new(), next_cursor: None });
        }
        let filter = Filter::all(Whose::Among { game_ids: ids.clone() });
        let mut page = lobby::list(games, &filter, player_id, MAX_PAGE).await?;
        page.games.sort_by_key(|game| ids.iter().position(|id| *id == game.id));
        Ok(page)
    }
}
