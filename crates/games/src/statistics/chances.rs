//! How likely those who sit in a game that waits are to win it, and whoever looks at it, would they join (docs/RATINGS.md).

use serde::Serialize;
use time::{Date, UtcOffset};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::control_of;
use pippost_ratings::{Class, Pace, Pool, Standing, Strength, chances, is_guest};
use pippost_store::GameStatus;
use pippost_store::lists::{self, Filter, ListedRow, Whose};
use pippost_store::players;
use pippost_store::ratings::{self, Wanted};

/// What is held of a player before a game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Prospect {
    pub handle: String,
    /// Whether the player has a rating that others see.
    #[serde(rename = "rated")]
    pub is_rated: bool,
    /// The chance to win; `null` unless all have a rating.
    #[schema(minimum = 0, maximum = 1)]
    pub chance: Option<f64>,
}

/// What is held of those who sit in a game that waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects {
    /// In joining order.
    pub seated: Vec<Prospect>,
    /// Of the viewer, who would join.
    pub viewer: Option<Prospect>,
}

/// What is held of those who sit in a game that waits, and of a viewer who might join; `None` if the game would not be rated.
///
/// # Errors
/// The database failed.
pub async fn prospects(
    games: &Games,
    game_id: Uuid,
    viewer: Option<Uuid>,
) -> Result<Option<Prospects>, GameError> {
    let filter = Filter::all(Whose::Among { game_ids: vec![game_id] });
    let row = lists::games(&games.database, &filter, None, 1).await?.rows.pop();
    let Some(row) = row.filter(|row| !games.inner.clock.is_sandbox() && would_count(row)) else {
        return Ok(None);
    };
    let mut player_ids: Vec<Uuid> = row.players.iter().map(|player| player.id).collect();
    let mut handles: Vec<String> = row.players.iter().map(|player| player.handle.clone()).collect();
    let seated = player_ids.len();
    let is_free = usize::try_from(row.game.seats).is_ok_and(|seats| seats > seated);
    let is_open = row.game.status == GameStatus::Open && is_free;
    if let Some(viewer) = viewer.filter(|viewer| is_open && !player_ids.contains(viewer))
        && let Some((handle, _)) = players::name(&games.database, viewer).await?
        && !is_guest(&handle)
    {
        player_ids.push(viewer);
        handles.push(handle);
    }
    let today = games.inner.clock.now().to_offset(UtcOffset::UTC).date();
    let held = strengths(games, &class(row)?, &player_ids, today).await?;
    let all: Option<Vec<Strength>> = held.iter().copied().collect();
    let chances = all.filter(|all| all.len() > 1).map(|all| chances(&all));
    let chance = |index: usize| chances.as_ref().map(|chances| chances[index]);
    let prospect = |(index, (held, handle)): (usize, (&Option<Strength>, String))| Prospect {
        handle,
        is_rated: held.is_some(),
        chance: chance(index),
    };
    let mut all: Vec<Prospect> = held.iter().zip(handles).enumerate().map(prospect).collect();
    let viewer = all.split_off(seated).pop();
    Ok(Some(Prospects { seated: all, viewer }))
}

/// Whether a game that waits will be rated, if it is not aborted and no guest joins.
fn would_count(row: &ListedRow) -> bool {
    !row.game.private && row.game.seats > 1 && !row.players.iter().any(|player| is_guest(&player.handle))
}

fn class(row: ListedRow) -> Result<Class, GameError> {
    let control = control_of(row.game.time_control.as_deref(), row.game.limit_hours);
    let control = control.ok_or_else(|| GameError::Corrupt(row.game.id, "time control".to_owned()))?;
    let pool = if row.players.iter().any(|player| player.bot) { Pool::Bots } else { Pool::People };
    Ok(Class { pool, rules: row.game.rules, pace: Pace::of(&control) })
}

/// What is held of each player today; `None` of who has no rating, or does not show it.
async fn strengths(
    games: &Games,
    class: &Class,
    player_ids: &[Uuid],
    today: Date,
) -> Result<Vec<Option<Strength>>, GameError> {
    let wanted = player_ids.iter().map(|player_id| Wanted {
        player_id: *player_id,
        pool: class.pool.as_str(),
        rules: class.rules.clone(),
        pace: class.pace.as_str(),
        before: today.next_day().unwrap_or(today),
    });
    let mut held = vec![None; player_ids.len()];
    for found in ratings::before(&games.database, &wanted.collect::<Vec<_>>()).await? {
        let ratings::Found { number, day, rating, deviation, volatility } = found;
        let strength = Strength { rating, deviation, volatility };
        let place = usize::try_from(number - 1).ok().and_then(|index| held.get_mut(index));
        if let Some(place) = place {
            *place = Some(Standing { strength, games: 0, day }.on(today));
        }
    }
    Ok(held)
}
