//! The verifier of the clock log: checks it against its record and recomputes what every seat had left at every event
//! (docs/CLOCK.md, "Verifying").

use std::collections::BTreeSet;
use std::fmt;

use super::answer::Answer;
use super::change::{Change, Opened};
use super::events::{Did, EventTime, PlayedGame, played};
use super::form::Form;
use super::line::{Footer, Line};
use super::openings::{OtherOffsets, Values, committed, openings};
use super::replay::{Replay, clock_rules_at_start, opened};
use super::{MAX_LINES, MIN_SEATS_WITH_SUBSTITUTES};
use crate::control::TimeControl;
use crate::game_clock::{ClockRules, Left};
use crate::microseconds;
use crate::offers::SeatOffer;
use pippost_record::record::{self, Hash, Timestamp, Verified};
use pippost_record::rules::Seat;

/// The longest line that is read, in bytes; the footer, which opens every commitment, may have more.
const MAX_LINE_BYTES: usize = 4 * 1024;

/// The longest footer that is read, in bytes.
const MAX_FOOTER_BYTES: usize = 8 * 1024 * 1024;

/// The longest game whose times are recomputed, in microseconds: 100 years.
const MAX_DURATION: i64 = 100 * 366 * 86_400 * 1_000_000;

/// The most hours of a gift.
const MAX_GIFT_HOURS: u32 = 1440;

/// The longest name of a substitute, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// How every line of a clock log begins. No line of a record does.
const BEGINNING: &[u8] = b"{\"at\":";

/// The checks, by their numbers. Each covers the whole log before the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogCheck {
    Form = 1,
    Chain = 2,
    Openings = 3,
    Times = 4,
}

impl LogCheck {
    /// The number of checks.
    pub const COUNT: u8 = 4;

    /// Its number in the protocol, from 1.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// What its failure means for a player.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Form => "this is not written as clock logs are: it was damaged or edited",
            Self::Chain => {
                "the lines do not belong together or to this record: something was changed, put in or taken out"
            }
            Self::Openings => "a calendar or holiday is not the one that the server was bound to",
            Self::Times => "by record and clock log, somebody had another time than the server acted on",
        }
    }

    /// What it checks, in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Form => "clock form",
            Self::Chain => "clock chain",
            Self::Openings => "clock openings",
            Self::Times => "clock times",
        }
    }
}

/// Where a clock log fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPlace {
    Line(u32),
    /// The event of the record that contradicts the clock.
    Event(u64),
    Footer,
}

impl fmt::Display for LogPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(out, "clock line {number}"),
            Self::Event(seq) => write!(out, "event {seq}"),
            Self::Footer => out.write_str("clock footer"),
        }
    }
}

/// Why a clock log is refused: the first check that fails, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct ClockFailure {
    pub check: LogCheck,
    pub place: LogPlace,
    pub why: String,
}

/// What a seat had left at an event, before the event took effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeTaken {
    pub seq: u64,
    pub at: Timestamp,
    /// The seat whose clock ran.
    pub seat: Seat,
    pub left: Left,
}

/// A clock log that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockVerified {
    pub control: TimeControl,
    pub lines: u32,
    pub head: Hash,
    /// For each event after event 0; `None` while calendars are sealed, because the game runs.
    pub times: Option<Vec<TimeTaken>>,
    /// Every answer of a seat; none while calendars are sealed.
    pub answers: Vec<Answer>,
    /// The seats that were offered to substitutes, and what became of that; none while calendars are sealed.
    pub offers: Vec<SeatOffer>,
    /// The log's offsets of time zones that are not those of this program's database.
    pub warning: Option<OtherOffsets>,
}

/// Splits a record from the clock log after it, if there is one.
#[must_use]
pub fn split(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    if text.starts_with(BEGINNING) {
        return text.split_at_checked(0).map_or((text, None), |(record, log)| (record, Some(log)));
    }
    let starts = |at: &usize| text[*at] == b'\n' && text[at + 1..].starts_with(BEGINNING);
    match (0..text.len()).find(starts) {
        Some(end) => (&text[..=end], Some(&text[end + 1..])),
        None => (text, None),
    }
}

/// Verifies a record with the clock log after it.
///
/// # Errors
/// The record or the log fails; the record first.
pub fn verify(
    record: &[u8],
    log: &[u8],
) -> Result<(Verified, Result<ClockVerified, ClockFailure>), record::Failure> {
    let (verified, game) = played(record)?;
    let checked = check(&verified, &game, log);
    Ok((verified, checked))
}

pub(super) struct Log {
    pub form: Form,
    pub lines: Vec<Line>,
    pub footer: Option<Footer>,
}

pub(super) fn check(
    verified: &Verified,
    game: &PlayedGame,
    log: &[u8],
) -> Result<ClockVerified, ClockFailure> {
    let events = &game.events;
    let seats = u8::try_from(game.order.len()).expect("few seats");
    let log = form(verified, seats, log)?;
    chain(&log, events)?;
    let (opened, warning) = openings(&log, events)?;
    let head = log.lines.last().expect("checked").hash;
    let is_committing = |line: &Line| !committed(&line.change).is_empty();
    let sealed = verified.result.is_none() && log.lines.iter().any(is_committing);
    let lines = u32::try_from(log.lines.len()).unwrap_or(u32::MAX);
    let Change::Start { control, .. } = &log.lines[0].change else {
        let why = "it starts no clock".to_owned();
        return Err(ClockFailure { check: LogCheck::Form, place: LogPlace::Line(0), why });
    };
    let (control, answers, offers) = (*control, Vec::new(), Vec::new());
    let mut checked = ClockVerified { control, lines, head, times: None, answers, offers, warning };
    if !sealed {
        let Recomputed { times, answers, offers } = times(seats, &log, events, &opened)?;
        checked = ClockVerified { times: Some(times), answers, offers, ..checked };
    }
    Ok(checked)
}

/// Check 1: every line is a line of a clock log of this game, in canonical form.
fn form(verified: &Verified, seats: u8, log: &[u8]) -> Result<Log, ClockFailure> {
    let fail = |place, why: &str| ClockFailure { check: LogCheck::Form, place, why: why.to_owned() };
    let whole = log
        .strip_suffix(b"\n")
        .ok_or_else(|| fail(LogPlace::Line(0), "the log does not end with a line feed"))?;
    let (mut lines, mut footer) = (Vec::new(), None);
    let mut form = None;
    for (number, text) in (0..).zip(whole.split(|byte| *byte == b'\n')) {
        let place = LogPlace::Line(number);
        let is_line = text.starts_with(BEGINNING);
        if number > MAX_LINES || (is_line && number == MAX_LINES) || footer.is_some() {
            return Err(fail(place, "there are more lines than a clock log has"));
        }
        if !is_line {
            footer = Some(
                read_footer(text).ok_or_else(|| fail(LogPlace::Footer, "it is no footer of a clock log"))?,
            );
            continue;
        }
        let line = Some(text).filter(|text| text.len() <= MAX_LINE_BYTES);
        let line = line.and_then(|text| serde_json::from_slice::<Line>(text).ok());
        let line = line.filter(|line| line.text().as_bytes() == text && line.number == number);
        let line = line.ok_or_else(|| fail(place, "it is no line of a clock log with this number"))?;
        let starts = match &line.change {
            Change::Start { calendars, control, form: name, game } => {
                let possible = control.check().is_ok() && calendars.len() == usize::from(seats);
                form = Form::named(name)
                    .filter(|form| !form.substitutes || seats >= MIN_SEATS_WITH_SUBSTITUTES)
                    .filter(|_| *game == verified.game && possible);
                if form.is_none() {
                    return Err(fail(place, "it starts no clock of this game"));
                }
                true
            }
            change
                if change.handed_over().is_some_and(|seat| {
                    seat.0 >= seats || !form.is_some_and(|form: Form| form.substitutes)
                }) =>
            {
                return Err(fail(place, "it hands over a seat that the game does not have, or cannot"));
            }
            Change::Substitute { name, .. } if !(1..=MAX_NAME_BYTES).contains(&name.len()) => {
                return Err(fail(place, "it names no substitute"));
            }
            Change::Calendar { seat, .. } | Change::Holiday { seat, .. } if seat.0 >= seats => {
                return Err(fail(place, "it names a seat that the game does not have"));
            }
            Change::Gift { from, hours, to } => {
                let others = from != to && from.0 < seats && to.0 < seats;
                if !others || !(1..=MAX_GIFT_HOURS).contains(hours) {
                    return Err(fail(place, "it gives no possible time from one seat to another"));
                }
                false
            }
            _ => false,
        };
        if starts != (number == 0) {
            return Err(fail(place, "the first line, and only that, starts the clock"));
        }
        lines.push(line);
    }
    let form = form.ok_or_else(|| fail(LogPlace::Line(0), "there is no line"))?;
    match (footer.is_some(), verified.result.is_some()) {
        (false, true) => Err(fail(LogPlace::Footer, "the game is over, and the footer is missing")),
        (true, false) => Err(fail(LogPlace::Footer, "the game runs, and there is a footer")),
        _ => Ok(Log { form, lines, footer }),
    }
}

fn read_footer(text: &[u8]) -> Option<Footer> {
    let footer: Footer =
        serde_json::from_slice(Some(text).filter(|text| text.len() <= MAX_FOOTER_BYTES)?).ok()?;
    (pippost_record::record::canonical::of(&footer) == text).then_some(footer)
}

/// Check 2: hashes, places among the events, and times.
fn chain(log: &Log, events: &[EventTime]) -> Result<(), ClockFailure> {
    let mut before: Option<&Line> = None;
    for line in &log.lines {
        let fail = |why: &str| {
            Err(ClockFailure {
                check: LogCheck::Chain,
                place: LogPlace::Line(line.number),
                why: why.to_owned(),
            })
        };
        if line.hash != line.computed_hash() {
            return fail("`hash` is not the hash of the line");
        }
        let index = usize::try_from(line.seq).unwrap_or(usize::MAX);
        let Some(event) = events.get(index) else { return fail("`seq` is no event of the record") };
        if line.head != event.hash {
            return fail("`head` is not the hash of event `seq`");
        }
        let (prev, seq, at) =
            before.map_or((event.hash, 0, event.at), |before| (before.hash, before.seq, before.at));
        if line.prev != prev {
            return fail("`prev` is not the hash of the line before: that was changed, or a line is missing");
        }
        if line.seq < seq || (line.number == 0 && line.seq != 0) {
            return fail("it stands before an event that came before the line before");
        }
        let next = events.get(index + 1);
        if line.at < at.max(event.at) || next.is_some_and(|next| line.at > next.at) {
            return fail("its time is not between those of its neighbours");
        }
        before = Some(line);
    }
    let head = before.map(|line| line.hash);
    match &log.footer {
        Some(footer) if Some(footer.head) != head => Err(ClockFailure {
            check: LogCheck::Chain,
            place: LogPlace::Footer,
            why: "`head` is not the hash of the last line".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// What follows from a log.
struct Recomputed {
    times: Vec<TimeTaken>,
    answers: Vec<Answer>,
    offers: Vec<SeatOffer>,
}

/// Check 4: every move came while its seat had time, and every time-out when it had none.
fn times(seats: u8, log: &Log, events: &[EventTime], values: &Values) -> Result<Recomputed, ClockFailure> {
    let fail = |place, why: &str| ClockFailure { check: LogCheck::Times, place, why: why.to_owned() };
    let (first, last) = (&events[0], events.last().expect("event 0"));
    if microseconds(last.at.get()) - microseconds(first.at.get()) > MAX_DURATION {
        return Err(fail(LogPlace::Line(0), "the game is too long to recompute its times"));
    }
    let mut replay = Replay::start(first_clock_rules(log, values), seats, first.asked, first.at);
    let mut lines = log.lines.iter().skip(1).peekable();
    let mut taken = Vec::with_capacity(events.len());
    let mut answers = Vec::new();
    let mut left = BTreeSet::new();
    for (seq, event) in (0..).zip(events) {
        if seq > 0 {
            if let Some((running, left)) = replay.running.as_ref().zip(replay.left(event.at)) {
                let seat = running.asked().to_act;
                taken.push(TimeTaken { seq, at: event.at, seat, left });
            }
            match (replay.has_fallen(event.at), matches!(event.did, Did::Timeout(_))) {
                (true, false) => return Err(fail(LogPlace::Event(seq), "it came after the flag had fallen")),
                (false, true) => return Err(fail(LogPlace::Event(seq), "the flag had not fallen")),
                _ => {}
            }
            if event.did.by().is_some_and(|seat| replay.clock_rules.is_vacant(seat)) {
                return Err(fail(LogPlace::Event(seq), "nobody played its seat then"));
            }
            left.extend(event.did.leaves());
            let by = if let Did::Play(seat) = event.did { seat } else { None };
            answers.extend(Answer::by(&replay, by, event.asked, event.at));
            replay.event(event.asked, event.at);
        }
        while let Some(line) = lines.next_if(|line| line.seq == seq) {
            if line.change.handed_over().is_some_and(|seat| left.contains(&seat)) {
                return Err(fail(LogPlace::Line(line.number), "its seat has left the game"));
            }
            apply_line(&mut replay, line, values).map_err(|why| fail(LogPlace::Line(line.number), why))?;
        }
    }
    Ok(Recomputed { times: taken, answers, offers: replay.clock_rules.conditions.offers })
}

fn first_clock_rules(log: &Log, values: &Values) -> ClockRules {
    let Change::Start { calendars, control, .. } = &log.lines[0].change else { unreachable!("checked") };
    clock_rules_at_start(*control, log.form, calendars.len(), |seat| values.get(&(0, seat)))
}

fn apply_line(replay: &mut Replay, line: &Line, values: &Values) -> Result<(), &'static str> {
    let opened = opened(&line.change, |seat| values.get(&(line.number, seat)))?;
    let revives = matches!(
        opened,
        Opened::Down { .. } | Opened::Holiday { .. } | Opened::Calendar { .. } | Opened::Vacancy { .. }
    );
    if !revives && replay.has_fallen(line.at) {
        return Err("it came after the flag had fallen");
    }
    replay.change(line.number, line.at, &opened)
}
