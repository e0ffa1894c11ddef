//! The clock of a game that starts.

use time::OffsetDateTime;

use super::lines::LogWriter;
use crate::error::GameError;
use crate::memory::live::Fixed;
use pippost_clock::calendar::{Calendar, Rest};
use pippost_clock::counting::Still;
use pippost_clock::game_clock::{ClockRules, Running, ToAct, Version};
use pippost_clock::log::{self, Change, Form, Holiday, Opened, Value};
use pippost_clock::{TimeControl, microseconds};
use pippost_record::record::{Chronicle, Timestamp};
use pippost_record::rules::Seat;
use pippost_store::calendars::{HolidayRow, PlayerCalendars};
use pippost_store::clock_lines::ClockLineRow;

/// The clock of a game that starts, with the first lines of its log.
pub(crate) struct StartedClock {
    pub clock_rules: ClockRules,
    pub running: Option<Running>,
    pub lines: Vec<ClockLineRow>,
}

/// Starts the clock after event 0, with the calendars and holidays that the players bring along.
pub(crate) fn start(
    chronicle: &Chronicle,
    control: TimeControl,
    fixed: &Fixed,
    brought: &PlayerCalendars,
) -> Result<StartedClock, GameError> {
    let (game_id, players) = (fixed.id, &fixed.players);
    let form = Form::of_new_game(fixed.substitutes);
    let at = chronicle.at();
    let mut clock_rules = ClockRules::new(control);
    clock_rules.conditions.binds_offsets = form.binds_offsets;
    let mut writer = LogWriter::new(game_id, chronicle, None, at);
    let mut calendars = Vec::with_capacity(players.len());
    for (seat, player) in (0..).map(Seat).zip(players) {
        let own = brought.calendars.iter().find(|row| row.player_id == *player);
        // One of a zone that an update has removed counts as none.
        let own: Option<Calendar> = own.and_then(|row| serde_json::from_str(&row.calendar).ok());
        let own = own.filter(|own| own.zone.is_known());
        let own = own.and_then(|own| own.permitted(control.nights, control.rest_days));
        let Some(calendar) = own else {
            calendars.push(None);
            continue;
        };
        let calendar = calendar.with_offsets(at);
        calendars.push(Some(writer.commit_to(seat, Value::Calendar(calendar.clone()))?));
        clock_rules.take_calendar(Version { line: 0, seat, calendar: Some(calendar) }, None);
    }
    writer.write(Change::Start { calendars, control, form: form.name().to_owned(), game: game_id });
    let asked = ToAct::at(chronicle.table());
    let seats = chronicle.table().seats();
    let mut running = asked.map(|asked| Running::start(&clock_rules, seats, asked, microseconds(at.get())));
    if control.holidays {
        for row in &brought.holidays {
            let Some(seat) = (0..).map(Seat).zip(players).find(|(_, player)| **player == row.player_id)
            else {
                continue;
            };
            take_holiday(&mut writer, &mut clock_rules, &mut running, seat.0, row, at, at)?;
        }
    }
    let (lines, head) = writer.finish();
    clock_rules.conditions.head = head;
    Ok(StartedClock { clock_rules, running, lines })
}

/// Takes a holiday of a seat's player in a line of the time `at`, as far as it is not before `earliest`. Nothing of one that a clock cannot
/// take, or has taken.
pub(super) fn take_holiday(
    writer: &mut LogWriter,
    clock_rules: &mut ClockRules,
    running: &mut Option<Running>,
    seat: Seat,
    row: &HolidayRow,
    earliest: Timestamp,
    at: Timestamp,
) -> Result<bool, GameError> {
    let later = |time: OffsetDateTime| Timestamp::new(time).max(earliest);
    let holiday = Holiday { from: later(row.from_at), until: later(row.until_at) };
    let (from, until) = (microseconds(holiday.from.get()), microseconds(holiday.until.get()));
    let has_taken = |still: &Still| {
        still.seat == Some(seat) && still.why == Rest::Holiday && still.from <= from && until <= still.until
    };
    if clock_rules.conditions.stills.iter().any(has_taken) {
        return Ok(false);
    }
    let opened = Opened::Holiday { seat, holiday };
    if holiday.from == holiday.until
        || log::apply(clock_rules, running, writer.number(), at, &opened).is_err()
    {
        return Ok(false);
    }
    let committed = writer.commit_to(seat, Value::Holiday(holiday))?;
    writer.write(Change::Holiday { holiday: committed, seat });
    Ok(true)
}
