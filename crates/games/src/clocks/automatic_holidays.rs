//! Saves a player whose flag is down by a holiday, if the player wants that, has days left, and the game accepts holidays.

use time::Duration;
use uuid::Uuid;

use super::changing::{Decision, Reminders, change};
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::timing::game_time;
use crate::viewing::view;
use pippost_accounts::automatic_holidays::saving_holiday;
use pippost_clock::log::{self, Change, Holiday, Opened, Value};
use pippost_clock::{microseconds, time_of};
use pippost_record::record::Timestamp;
use pippost_store::NoticeKind;
use pippost_store::notices::{self, NewNotice};

/// How long before the end of a holiday that saved a player the player is reminded: nothing else is left of the time then.
const REMINDED_BEFORE: Duration = Duration::DAY;

/// Whether a holiday may save anybody in this game.
pub(crate) fn accepts_holidays(live: &LiveGame) -> bool {
    live.control().holidays && live.clock_rules.conditions.head.is_some()
}

/// Begins a holiday of the player to act when the flag fell; false if none does, and the flag stays down.
///
/// # Errors
/// The database failed.
pub(crate) async fn save_by_holiday(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let live = view::load_live(games, game_id).await?;
    let now = game_time(games, &live);
    let Some((running, player_id)) = live.running.as_ref().zip(live.to_act_player()) else {
        return Ok(false);
    };
    let fall = running.fall(&live.clock_rules).filter(|fall| *fall <= microseconds(now));
    let Some(fall) = fall.filter(|_| accepts_holidays(&live)) else { return Ok(false) };
    let saving = saving_holiday(&games.database, player_id, time_of(fall), now).await?;
    let Some(saving) = saving else { return Ok(false) };
    let saved = change(games, game_id, |live, changed| {
        let Some(running) = &changed.running else { return Ok(Decision::Leave(false)) };
        let seat = running.asked().to_act;
        let same =
            live.to_act_player() == Some(player_id) && running.fall(&changed.clock_rules) == Some(fall);
        if !same || !running.has_fallen(&changed.clock_rules, microseconds(changed.at.get())) {
            return Ok(Decision::Leave(false));
        }
        let holiday = Holiday { from: Timestamp::new(time_of(fall)), until: Timestamp::new(saving.until_at) };
        let (number, at) = (changed.writer.number(), changed.at);
        let opened = Opened::Holiday { seat, holiday };
        // A clock that can take no more spans takes none, and the flag stays down.
        if log::apply(&mut changed.clock_rules, &mut changed.running, number, at, &opened).is_err() {
            return Ok(Decision::Leave(false));
        }
        let committed = changed.writer.commit_to(seat, Value::Holiday(holiday))?;
        changed.writer.write(Change::Holiday { holiday: committed, seat });
        changed.reminders = Reminders::AnewFrom((saving.until_at - REMINDED_BEFORE).max(now));
        Ok(Decision::Write(true))
    })
    .await?;
    if saved {
        let told = NewNotice::to_player(NoticeKind::Reminder, player_id, now).with_event(game_id, live.seq());
        notices::add(&games.database, &told).await?;
        games.inner.outbox_signal.notify();
    }
    Ok(saved)
}
