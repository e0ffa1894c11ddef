//! Check 3 of a clock log: the footer opens every commitment, and nothing else.

use std::collections::BTreeMap;
use std::fmt;

use super::change::{Change, Value};
use super::events::EventTime;
use super::form::Form;
use super::line::{Line, Opening, commitment};
use super::verify::{ClockFailure, Log, LogCheck, LogPlace};
use crate::calendar::Calendar;
use crate::offsets::{MAX_OFFSETS, Offset, Offsets, is_listing, tzdata};
use pippost_record::record::{Hash, Timestamp};
use pippost_record::rules::Seat;

/// The opened values by line and seat. The calendars have the offsets that count.
pub(super) type Values = BTreeMap<(u32, Seat), Value>;

/// Offsets of time zones that are not those of this program's database. The log's own count: which
/// database is right, no verifier knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherOffsets {
    /// The first line with a calendar that has such offsets, its seat and its zone.
    pub line: u32,
    pub seat: Seat,
    pub zone: String,
    /// The version of the database from which the server took them; none in a form that does not bind them.
    pub tzdata: Option<String>,
    /// How many calendars have such offsets.
    pub calendars: usize,
}

impl fmt::Display for OtherOffsets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, seat: Seat(seat), zone, calendars, .. } = self;
        write!(out, "clock line {line}: seat {seat} was counted with offsets of {zone} ")?;
        match &self.tzdata {
            Some(version) => write!(out, "by tzdata {version}")?,
            None => out.write_str("that nothing but the footer says, for the log has an old form")?,
        }
        write!(out, "; this verifier's tzdata {} has others", tzdata())?;
        if *calendars > 1 { write!(out, " (so have {} more calendars)", calendars - 1) } else { Ok(()) }
    }
}

/// The seats and commitments of a line.
#[must_use]
pub fn committed(change: &Change) -> Vec<(Seat, Hash)> {
    match change {
        Change::Start { calendars, .. } => {
            let seats = (0..).map(Seat).zip(calendars);
            seats.filter_map(|(seat, calendar)| calendar.map(|calendar| (seat, calendar))).collect()
        }
        Change::Calendar { calendar, seat } => calendar.iter().map(|calendar| (*seat, *calendar)).collect(),
        Change::Holiday { holiday, seat } => vec![(*seat, *holiday)],
        Change::Pause { .. }
        | Change::Resume {}
        | Change::Gift { .. }
        | Change::Down { .. }
        | Change::Offer { .. }
        | Change::Vacancy { .. }
        | Change::Substitute { .. } => Vec::new(),
    }
}

/// The values, and whether their offsets are all those of this program's database.
pub(super) fn openings(
    log: &Log,
    events: &[EventTime],
) -> Result<(Values, Option<OtherOffsets>), ClockFailure> {
    let (mut values, mut others) = (Values::new(), None);
    let Some(footer) = &log.footer else { return Ok((values, None)) };
    let mut given = footer.openings.iter();
    let starts = log.lines[0].at;
    let ends = events.last().map_or(starts, |event| event.at);
    for line in &log.lines {
        for (seat, hash) in committed(&line.change) {
            let place = LogPlace::Line(line.number);
            let fail = |why: &str| ClockFailure { check: LogCheck::Openings, place, why: why.to_owned() };
            let opening =
                given.next().filter(|opening| opening.number == line.number && opening.seat == seat);
            let opening = opening.ok_or_else(|| fail("the footer does not open its commitment"))?;
            if commitment(&opening.salt, &opening.value) != hash {
                return Err(fail("the footer opens its commitment to another value"));
            }
            let value = value_of(log.form, line, opening, (starts, ends)).map_err(fail)?;
            if let Value::Calendar(calendar) = &value {
                note_others(&mut others, (line.number, seat), calendar, ends);
            }
            values.insert((line.number, seat), value);
        }
    }
    if given.next().is_some() {
        let why = "it opens what no line commits to".to_owned();
        return Err(ClockFailure { check: LogCheck::Openings, place: LogPlace::Footer, why });
    }
    Ok((values, others))
}

/// What an opening opens, a calendar with its offsets; `span` is from the start of the log to the last event.
fn value_of(
    form: Form,
    line: &Line,
    opening: &Opening,
    span: (Timestamp, Timestamp),
) -> Result<Value, &'static str> {
    const OTHER_KIND: &str = "the footer opens it to another kind of value";
    let calendar = match (&line.change, &opening.value) {
        (Change::Holiday { .. }, Value::Holiday(holiday)) if opening.offsets.is_none() => {
            return Ok(Value::Holiday(*holiday));
        }
        (Change::Start { .. } | Change::Calendar { .. }, Value::Calendar(calendar)) => calendar,
        _ => return Err(OTHER_KIND),
    };
    if !calendar.is_possible() {
        return Err("the footer opens a calendar that nobody can have");
    }
    match (form.binds_offsets, &calendar.offsets, &opening.offsets) {
        (true, Some(bound), None) if bound.is_possible(line.at) => Ok(opening.value.clone()),
        (true, Some(_), None) => Err("the offsets of its zone are not those from the line on"),
        (false, None, Some(listed)) if is_listing(listed, span.0, span.1) => {
            let offsets = Offsets { changes: listed.clone(), tzdata: String::new() };
            Ok(Value::Calendar(Calendar { offsets: Some(offsets), ..calendar.clone() }))
        }
        (false, None, Some(_)) => {
            Err("the offsets of its zone are not from the start of the clock to the last event")
        }
        _ => Err(OTHER_KIND),
    }
}

/// Compares a calendar's offsets with those of this program's database, as far as the game went.
fn note_others(
    others: &mut Option<OtherOffsets>,
    (line, seat): (u32, Seat),
    calendar: &Calendar,
    ends: Timestamp,
) {
    let Some(Offsets { changes, tzdata }) = &calendar.offsets else { return };
    let Some((first, _)) = changes.first() else { return };
    let reached: Vec<Offset> = changes.iter().copied().filter(|(at, _)| at <= first || *at <= ends).collect();
    // Of a zone that is not known nothing can be compared.
    let most = if tzdata.is_empty() { reached.len() + 1 } else { MAX_OFFSETS };
    let own = calendar.zone.changes(*first).take_while(|(at, _)| at <= first || *at <= ends).take(most);
    if calendar.zone.is_known() && own.eq(reached) {
        return;
    }
    let zone = calendar.zone.name().to_owned();
    let tzdata = Some(tzdata.clone()).filter(|version| !version.is_empty());
    others.get_or_insert(OtherOffsets { line, seat, zone, tzdata, calendars: 0 }).calendars += 1;
}
