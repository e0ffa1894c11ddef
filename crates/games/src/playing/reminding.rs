//! Reminds players of their turns, by the schedules that they have chosen. A reminder is queued once, however many workers run.

use time::{Duration, OffsetDateTime};

use crate::Games;
use crate::error::GameError;
use crate::memory::live::control_of;
use pippost_accounts::preferences::quiet_hours;
use pippost_clock::control::TimeControl;
use pippost_clock::game_clock::ClockConditions;
use pippost_clock::reminders::Planned;
use pippost_clock::{ClockRules, ReminderSchedule, Running, Zone, microseconds, time_of};
use pippost_record::rules::Seat;
use pippost_store::commit::{self, PlannedReminder};
use pippost_store::turns::{self, RemindedClock};

/// The most games looked at in one step.
const BATCH: i64 = 200;

/// How long before quiet hours a reminder comes that would fall into them together with the flag.
const BEFORE_QUIET: Duration = Duration::minutes(30);

/// Queues the reminders that are due, and plans the next ones; returns for how many games this call did so.
///
/// # Errors
/// The database failed.
pub async fn remind(games: &Games) -> Result<usize, GameError> {
    let now = games.inner.clock.now();
    let due = turns::reminder_due(&games.database, now, BATCH).await?;
    if due.is_empty() {
        return Ok(0);
    }
    let clocks = turns::reminded_clocks(&games.database, &due).await?;
    let planned: Vec<PlannedReminder> = clocks.iter().map(|clock| plan(clock, now)).collect();
    let written = commit::remind(&games.database, &planned, now).await?;
    if planned.iter().any(|planned| planned.sent_left.is_some()) {
        games.inner.outbox_signal.notify();
    }
    Ok(written)
}

fn plan(row: &RemindedClock, now: OffsetDateTime) -> PlannedReminder {
    let nothing = PlannedReminder {
        game_id: row.game_id,
        expected_seq: row.seq,
        expected_edition: row.edition,
        sent_left: None,
        urgent: false,
        next_at: None,
    };
    let Some((clock_rules, running)) = clock_of(row) else {
        tracing::error!(game = %row.game_id, "its clock cannot be read, so nobody is reminded");
        return nothing;
    };
    let schedule = row.reminder_schedule.as_deref().and_then(ReminderSchedule::parse).unwrap_or_default();
    if clock_rules.is_vacant(running.asked().to_act) {
        return nothing;
    }
    let plan_at = |at| schedule.plan(&running, &clock_rules, row.sent_left, at);
    let Planned { due_left, next } = plan_at(microseconds(now));
    let next_at = next.map(time_of);
    let wants_last = row.last_reminder_in_quiet_hours.unwrap_or(false);
    let send = |sent_left, next_at, urgent| PlannedReminder { sent_left, urgent, next_at, ..nothing };
    if due_left.is_some() {
        let Some(until) = quiet_until(row, now).filter(|_| next.is_some() || !wants_last) else {
            return send(due_left, next_at, next.is_none() && wants_last);
        };
        if row.deadline_at.is_none_or(|deadline| until < deadline) {
            // Then one mail stands for all that are due.
            return PlannedReminder {
                next_at: [Some(until), next_at].into_iter().flatten().min(),
                ..nothing
            };
        }
        // Without a word before the flag falls, sleep would cost the game.
        return if row.sent_left.is_none() {
            send(due_left, next_at, true)
        } else {
            PlannedReminder { next_at, ..nothing }
        };
    }
    let then = next.map(plan_at).unwrap_or_default();
    let asleep =
        next_at.filter(|_| then.next.is_some() || !wants_last).and_then(|next| before_sleep(row, next));
    match asleep {
        Some(before) if now < before => PlannedReminder { next_at: Some(before), ..nothing },
        Some(_) if quiet_until(row, now).is_none() => send(then.due_left, then.next.map(time_of), false),
        _ => PlannedReminder { next_at, ..nothing },
    }
}

/// When to remind instead of at `next`, if that lies in quiet hours in which the flag falls, too: shortly before they begin.
fn before_sleep(row: &RemindedClock, next: OffsetDateTime) -> Option<OffsetDateTime> {
    let (zone, quiet) = (zone_of(row), quiet_hours(row.quiet_from, row.quiet_until)?);
    let until = zone.quiet_until(quiet, next)?;
    row.deadline_at.filter(|deadline| *deadline <= until)?;
    Some(zone.quiet_since(quiet, next)? - BEFORE_QUIET)
}

/// The clock of a game; `None` if it cannot be read, or nobody is to act.
fn clock_of(row: &RemindedClock) -> Option<(ClockRules, Running)> {
    let control: TimeControl = control_of(row.time_control.as_deref(), row.limit_hours)?;
    let seat = Seat(u8::try_from(row.to_act_seat?).ok()?);
    let running = match &row.running {
        Some(text) => serde_json::from_str(text).ok()?,
        None => Running::plain(&control, seat, microseconds(row.turn_since?)),
    };
    let now =
        row.clock_conditions.as_deref().map_or_else(|| Ok(ClockConditions::default()), serde_json::from_str);
    Some((ClockRules { control, conditions: now.ok()? }, running))
}

/// The end of the player's quiet hours, if it is in them now.
fn quiet_until(row: &RemindedClock, now: OffsetDateTime) -> Option<OffsetDateTime> {
    zone_of(row).quiet_until(quiet_hours(row.quiet_from, row.quiet_until)?, now)
}

fn zone_of(row: &RemindedClock) -> Zone {
    row.zone.as_deref().and_then(|zone| Zone::named(zone).ok()).unwrap_or_default()
}
