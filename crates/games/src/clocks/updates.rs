//! Brings changed calendars and new holidays of players into their running games.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::changing::{Changed, Decision, change};
use super::starting::take_holiday;
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::set_aside::or_set_aside;
use pippost_clock::calendar::Calendar;
use pippost_clock::log::{self, Change, Opened, Value};
use pippost_clock::{microseconds, time_of};
use pippost_record::record::Timestamp;
use pippost_store::calendars::{self, ClockUpdate, HolidayRow};
use pippost_store::set_aside::{self, Task};

/// The most changes taken in one step.
const BATCH: i64 = 200;

/// Takes waiting changes; returns how many. A game that causes a failure is set aside, and its changes wait no longer: the clock goes
/// on as it was.
///
/// # Errors
/// The database failed; what was taken stays taken.
pub async fn take_updates(games: &Games) -> Result<usize, GameError> {
    let waiting = calendars::waiting(&games.database, 0, BATCH).await?;
    let mut by_game: BTreeMap<Uuid, Vec<ClockUpdate>> = BTreeMap::new();
    for update in &waiting {
        by_game.entry(update.game_id).or_default().push(update.clone());
    }
    let (mut done, mut taken) = (0, Vec::new());
    for (game_id, updates) in by_game {
        match take_of_game(games, game_id, &updates).await? {
            Taken::Later => continue,
            Taken::SetAside => {}
            Taken::Done => taken.push(game_id),
        }
        done += updates.len();
    }
    set_aside::clear_all(&games.database, Task::Clock, &taken).await?;
    Ok(done)
}

/// Takes the changes that wait for one game; false if none does.
///
/// # Errors
/// The database failed, or moves kept getting in first.
pub(crate) async fn take_updates_of(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let waiting = calendars::waiting_of(&games.database, game_id, BATCH).await?;
    if waiting.is_empty() {
        return Ok(false);
    }
    match take_of_game(games, game_id, &waiting).await? {
        Taken::Later => Err(GameError::Contended),
        Taken::SetAside | Taken::Done => Ok(true),
    }
}

/// What became of changes that waited.
enum Taken {
    Done,
    /// Moves kept getting in first, so they wait on.
    Later,
    SetAside,
}

async fn take_of_game(games: &Games, game_id: Uuid, updates: &[ClockUpdate]) -> Result<Taken, GameError> {
    let work = async {
        match take_all(games, game_id, updates).await {
            Err(GameError::Contended) => Ok(Taken::Later),
            done => done.map(|()| Taken::Done),
        }
    };
    let taken = or_set_aside(games, Task::Clock, game_id, work).await?.unwrap_or(Taken::SetAside);
    if !matches!(taken, Taken::Later) {
        let ids: Vec<i64> = updates.iter().map(|update| update.id).collect();
        calendars::forget(&games.database, &ids).await?;
    }
    Ok(taken)
}

/// An update with what it brings.
enum Update {
    Calendar(Option<Calendar>),
    Holiday(HolidayRow),
}

async fn take_all(games: &Games, game_id: Uuid, updates: &[ClockUpdate]) -> Result<(), GameError> {
    let mut brought = Vec::new();
    for update in updates {
        match update.holiday_id {
            None => {
                let calendar = calendars::calendar(&games.database, update.player_id).await?;
                let calendar = calendar.and_then(|calendar| serde_json::from_str::<Calendar>(&calendar).ok());
                let calendar = calendar.filter(|calendar| calendar.zone.is_known());
                brought.push((update.player_id, Update::Calendar(calendar)));
            }
            Some(id) => {
                let holiday = calendars::holiday(&games.database, id).await?;
                brought.extend(holiday.map(|holiday| (update.player_id, Update::Holiday(holiday))));
            }
        }
    }
    change(games, game_id, |live, changed| {
        let mut written = false;
        for (player_id, brought) in &brought {
            written |= take(live, changed, *player_id, brought)?;
        }
        Ok(if written { Decision::Write(()) } else { Decision::Leave(()) })
    })
    .await
}

/// Takes one change; false if nothing of it bears on the game.
fn take(
    live: &LiveGame,
    changed: &mut Changed,
    player_id: Uuid,
    brought: &Update,
) -> Result<bool, GameError> {
    let seat = live.fixed.seat_of(player_id).filter(|seat| !live.chronicle.table().has_left(*seat));
    // Without a first line, the game started before there was a clock log: nobody's calendar counts.
    let (Some(seat), true, true) =
        (seat, changed.running.is_some(), changed.clock_rules.conditions.head.is_some())
    else {
        return Ok(false);
    };
    let control = changed.clock_rules.control;
    match brought {
        Update::Calendar(calendar) => {
            let permitted = |own: &Calendar| own.permitted(control.nights, control.rest_days);
            let mut calendar = calendar.as_ref().and_then(permitted);
            if changed.clock_rules.conditions.binds_offsets {
                calendar = calendar.map(|own| own.with_offsets(changed.at));
            }
            if changed.clock_rules.has_calendar(seat, calendar.as_ref(), changed.at) {
                return Ok(false);
            }
            let committed = calendar.clone().map(|own| changed.writer.commit_to(seat, Value::Calendar(own)));
            let (number, opened) = (changed.writer.number(), Opened::Calendar { seat, calendar });
            log::apply(&mut changed.clock_rules, &mut changed.running, number, changed.at, &opened)
                .map_err(|why| GameError::Corrupt(live.fixed.id, why.to_owned()))?;
            changed.writer.write(Change::Calendar { calendar: committed.transpose()?, seat });
            Ok(true)
        }
        Update::Holiday(holiday) => {
            let Changed { clock_rules, running: Some(clock), at, .. } = &*changed else { return Ok(false) };
            // A holiday that had begun when the player's flag fell saves the player; what is booked later does not.
            let fallen = clock.fall_of(clock_rules, seat).filter(|fall| *fall <= microseconds(at.get()));
            let saved_at =
                fallen.map(time_of).filter(|fall| (holiday.from_at..holiday.until_at).contains(fall));
            let earliest = saved_at.map_or(*at, Timestamp::new);
            let Changed { clock_rules, running, writer, at, .. } = changed;
            take_holiday(writer, clock_rules, running, seat, holiday, earliest, *at)
        }
    }
}
