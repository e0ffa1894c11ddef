//! How much the server is used, counted at most once in a while.

use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;

use super::Games;
use super::error::GameError;
use pippost_store::figures;

pub use pippost_store::figures::Figures;

/// How long counted figures are shown.
const KEPT: Duration = Duration::minutes(10);

/// The figures that were counted last.
#[derive(Debug, Default)]
pub struct KnownFigures(Mutex<Option<(OffsetDateTime, Figures)>>);

impl KnownFigures {
    /// The figures, which are counted anew if they are old. Whoever asks meanwhile waits for the one count.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(&self, games: &Games) -> Result<Figures, GameError> {
        let mut known = self.0.lock().await;
        let now = games.now();
        if let Some((counted_at, figures)) = *known
            && now - counted_at < KEPT
        {
            return Ok(figures);
        }
        let figures = figures::figures(&games.database).await?;
        *known = Some((now, figures));
        Ok(figures)
    }
}
