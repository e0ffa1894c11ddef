//! The clock log as it is exported.

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use pippost_clock::Calendar;
use pippost_clock::log::{Footer, Opening, Value};
use pippost_record::record::{Timestamp, canonical};
use pippost_store::clock_lines::{self, ClockLineRow};

/// A page of the lines of a game's clock log, from `first` on, up to the end that `live` knows.
///
/// # Errors
/// The database failed.
pub async fn log_lines(games: &Games, live: &LiveGame, first: i32) -> Result<Vec<ClockLineRow>, GameError> {
    let Some(head) = live.clock_rules.conditions.head else { return Ok(Vec::new()) };
    let mut page = clock_lines::page(&games.database, live.fixed.id, first).await?;
    page.retain(|row| i64::from(row.number) <= i64::from(head.number));
    Ok(page)
}

/// The footer of a finished game's clock log, which opens its commitments; `None` while the game runs.
///
/// # Errors
/// The openings cannot be read.
pub fn log_footer(live: &LiveGame, openings: &[String]) -> Result<Option<Vec<u8>>, GameError> {
    let Some(head) = live.clock_rules.conditions.head.filter(|_| live.finished_at.is_some()) else {
        return Ok(None);
    };
    let (starts, ends) = (Timestamp::new(live.fixed.started_at), live.chronicle.at());
    let mut all = Vec::new();
    for text in openings {
        let opened: Vec<Opening> = serde_json::from_str(text).map_err(|_| unreadable(live.fixed.id))?;
        all.extend(opened.into_iter().map(|mut opening| {
            // In the older forms no line bound them.
            if let Value::Calendar(calendar @ Calendar { offsets: None, .. }) = &opening.value {
                opening.offsets = Some(calendar.zone.offsets(starts, ends));
            }
            opening
        }));
    }
    Ok(Some(canonical::of(&Footer { head: head.hash, openings: all })))
}

fn unreadable(game_id: Uuid) -> GameError {
    GameError::Corrupt(game_id, "clock log".to_owned())
}
