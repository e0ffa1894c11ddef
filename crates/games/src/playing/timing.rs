//! Timeouts. Each happens once, however many workers run.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use time::OffsetDateTime;
use uuid::Uuid;

use crate::Games;
use crate::clocks;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::act::{self, pass_turn};
use crate::playing::set_aside::for_each;
use crate::viewing::view;
use pippost_record::record::{Act, Timestamp};
use pippost_store::calendars;
use pippost_store::commit::Append;
use pippost_store::games::{self, WholeGame};
use pippost_store::set_aside::Task;
use pippost_store::turns;

/// The most games read by one statement.
const BATCH: i64 = 200;

/// The most such statements in one step.
const MAX_BATCHES: usize = 10;

/// How many flags fall at once. Those that are decided while a statement is under way are written together by the next.
const AT_ONCE: usize = 64;

/// Ends the turns whose time is up; returns how many this call ended. A game that causes a failure is set aside, and the next
/// one is tried instead.
///
/// # Errors
/// The database failed; turns that were ended stay ended.
pub async fn let_flags_fall(games: &Games) -> Result<usize, GameError> {
    let mut fallen = 0;
    for _ in 0..MAX_BATCHES {
        // Flags do not rise again, so an outage is known first.
        clocks::check_work(games).await?;
        // No other worker takes these before they are released.
        let claimed = turns::claim_flags(&games.database, games.inner.clock.now(), BATCH).await?;
        let is_last = claimed.game_ids.len() < usize::try_from(BATCH).unwrap_or_default();
        fallen += let_due_flags_fall(games, &claimed.game_ids).await?;
        claimed.release().await?;
        if is_last {
            break;
        }
    }
    Ok(fallen)
}

async fn let_due_flags_fall(games: &Games, due: &[Uuid]) -> Result<usize, GameError> {
    // A game that cannot be read is loaded by itself, and set aside.
    let loaded = match games::load_all(&games.database, due).await {
        Err(error) if error.is_of_the_connection() => return Err(error.into()),
        loaded => loaded.unwrap_or_default(),
    };
    let to_act: Vec<Uuid> = loaded.iter().filter_map(|whole| whole.state.as_ref()?.to_act_player).collect();
    let may_be_saved = &MayBeSaved {
        players: calendars::with_automatic(&games.database, &to_act).await?,
        games: calendars::with_updates(&games.database, due).await?,
    };
    let mut loaded: HashMap<Uuid, WholeGame> =
        loaded.into_iter().map(|whole| (whole.game.id, whole)).collect();
    let fall = |game_id| {
        let whole = loaded.remove(&game_id);
        async move {
            let _in_flight = games.committer.begin_move();
            let_due_flag_fall(games, game_id, whole, may_be_saved).await
        }
    };
    Ok(for_each(games, Task::Flag, due.to_vec(), AT_ONCE, fall).await?.len())
}

/// Those that may be saved from the fall of a flag.
struct MayBeSaved {
    /// Their holidays begin by themselves.
    players: HashSet<Uuid>,
    /// They have not taken a change of a player's calendar, or a holiday.
    games: HashSet<Uuid>,
}

/// True if this call ended the turn, false if another process was faster.
async fn let_due_flag_fall(
    games: &Games,
    game_id: Uuid,
    whole: Option<WholeGame>,
    may_be_saved: &MayBeSaved,
) -> Result<bool, GameError> {
    if let_flag_fall(games, game_id, whole, may_be_saved).await? {
        return Ok(true);
    }
    let now = games.inner.clock.now();
    if !turns::is_past_deadline(&games.database, game_id, now).await? {
        return Ok(false);
    }
    let live = view::load_live(games, game_id).await?;
    if game_time(games, &live) <= now && fall_of_flag(games, &live, now)?.is_none() {
        return Err(GameError::Corrupt(game_id, "its deadline is past, and no flag can fall".to_owned()));
    }
    Ok(false)
}

async fn let_flag_fall(
    games: &Games,
    game_id: Uuid,
    whole: Option<WholeGame>,
    may_be_saved: &MayBeSaved,
) -> Result<bool, GameError> {
    let has_taken =
        may_be_saved.games.contains(&game_id) && Box::pin(clocks::take_updates_of(games, game_id)).await?;
    let whole = whole.filter(|_| !has_taken);
    let mut slot = games.inner.cache.lock(game_id).await;
    // Read from the database, not from the cache: another process may have moved. The guard finds whether one has since.
    let mut live = match whole {
        Some(whole) => Arc::new(LiveGame::restore(&whole, &games.inner.secret)?),
        None => view::load_live(games, game_id).await?,
    };
    slot.take();
    if clocks::is_behind(games, &live) {
        drop(slot);
        Box::pin(clocks::give_back_to(games, game_id)).await?;
        slot = games.inner.cache.lock(game_id).await;
        live = view::load_live(games, game_id).await?;
        slot.take();
        if clocks::is_behind(games, &live) {
            return Ok(false);
        }
    }
    let Some(append) = fall_of_flag(games, &live, game_time(games, &live))? else { return Ok(false) };
    let savable = live.to_act_player().is_some_and(|player| may_be_saved.players.contains(&player));
    if savable && clocks::accepts_holidays(&live) {
        drop(slot);
        if Box::pin(clocks::save_by_holiday(games, game_id)).await? {
            return Ok(false);
        }
        slot = games.inner.cache.lock(game_id).await;
        slot.take();
    }
    if clocks::is_offered_at_fall(&live) {
        drop(slot);
        if Box::pin(clocks::vacate(games, game_id)).await? {
            return Ok(false);
        }
        slot = games.inner.cache.lock(game_id).await;
        slot.take();
    }
    let (fallen, slot) = act::commit_append(games, append, slot).await?;
    games.inner.cache.forget(slot);
    if fallen && live.fixed.players.len() > 2 {
        // Whose flag falls leaves the game.
        Box::pin(act::without_who_left(games, &live)).await;
    }
    Ok(fallen)
}

/// The time of a game's next event or line of its clock log: now, but not before the last one, because a machine's clock may step back.
pub(crate) fn game_time(games: &Games, live: &LiveGame) -> OffsetDateTime {
    let last =
        live.clock_rules.conditions.head.map_or(live.chronicle.at(), |head| head.at.max(live.chronicle.at()));
    games.inner.clock.now().max(last.get())
}

/// The `timeout` that is due in a game at `now`, if any.
pub(super) fn fall_of_flag(
    games: &Games,
    live: &LiveGame,
    now: OffsetDateTime,
) -> Result<Option<Append>, GameError> {
    let Some(turn) = live.turn.filter(|turn| turn.deadline_at.is_some_and(|deadline| deadline <= now)) else {
        return Ok(None);
    };
    let mut draft = live.chronicle.draft();
    let drafted = draft.act(Act::Timeout { seat: turn.seat });
    drafted.map_err(|refused| GameError::Corrupt(live.fixed.id, refused.to_string()))?;
    let (after, events) = draft.accept().play(Timestamp::new(now));
    let mut next = live.after(after);
    pass_turn(live, &mut next, &events);
    Ok(Some(act::append_of(games, live, &next, events.into_iter().map(|event| event.line).collect())))
}

/// Deletes stored responses that have expired; returns how many.
///
/// # Errors
/// The database failed.
pub async fn forget_stored_responses(games: &Games) -> Result<usize, GameError> {
    let before = games.inner.clock.now() - RESPONSE_LIFETIME;
    Ok(pippost_store::stored_responses::forget(&games.database, before, FORGOTTEN_AT_ONCE).await?)
}

/// The most stored responses that one statement removes.
const FORGOTTEN_AT_ONCE: i64 = 1000;

/// How long the response to an `Idempotency-Key` is stored.
pub const RESPONSE_LIFETIME: time::Duration = time::Duration::days(7);
