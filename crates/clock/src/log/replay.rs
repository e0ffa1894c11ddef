//! Replays a clock from the events of its game and the lines of its log. Pure.

use super::change::{Change, Holiday, Opened, Value};
use super::form::Form;
use crate::calendar::Rest;
use crate::control::TimeControl;
use crate::counting::Still;
use crate::game_clock::{ClockRules, Left, Running, ToAct, Version};
use crate::microseconds;
use crate::offers::Offer;
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;

/// The most times of standing still that a game keeps at once. No more are accepted, so that a clock can always be calculated.
pub const MAX_STILLS: usize = 256;

/// Applies the change of line `number`, written at `at`. What it says of time that has not come yet changes no clock before.
///
/// # Errors
/// Why it cannot be.
pub fn apply(
    clock_rules: &mut ClockRules,
    running: &mut Option<Running>,
    number: u32,
    at: Timestamp,
    change: &Opened,
) -> Result<(), &'static str> {
    let now = microseconds(at.get());
    match change {
        Opened::Calendar { seat, calendar } => {
            let permitted = calendar.as_ref();
            let permitted = permitted
                .and_then(|own| own.permitted(clock_rules.control.nights, clock_rules.control.rest_days));
            clock_rules
                .take_calendar(Version { line: number, seat: *seat, calendar: permitted }, running.as_ref());
            Ok(())
        }
        Opened::Holiday { seat, holiday: Holiday { from, until } } => {
            let (from, until) = (microseconds(from.get()), microseconds(until.get()));
            if !clock_rules.control.holidays {
                return Err("the game's time control has no holidays");
            }
            // A holiday that saves a player begins when the flag fell, and the server may look later.
            let fallen = running.as_ref().and_then(|running| running.fall_of(clock_rules, *seat));
            if from < now && fallen != Some(from) {
                return Err("a holiday begins before it was taken");
            }
            add(clock_rules, running.as_ref(), Still { from, until, seat: Some(*seat), why: Rest::Holiday })
        }
        Opened::Pause { until } => {
            if clock_rules.conditions.stills.iter().any(|still| still.why == Rest::Pause && still.until > now)
            {
                return Err("the game is paused already");
            }
            add(
                clock_rules,
                running.as_ref(),
                Still { from: now, until: microseconds(until.get()), seat: None, why: Rest::Pause },
            )
        }
        Opened::Resume => {
            let pause = clock_rules
                .conditions
                .stills
                .iter_mut()
                .find(|still| still.why == Rest::Pause && still.until > now);
            let pause = pause.ok_or("the game is not paused")?;
            pause.until = now;
            Ok(())
        }
        Opened::Gift { to, .. } if clock_rules.is_vacant(*to) => Err("nobody plays the seat now"),
        Opened::Gift { to, hours } => {
            let given = running.as_mut().is_some_and(|running| running.give(*to, *hours));
            given.then_some(()).ok_or("the seat has no clock to which time could be added")
        }
        Opened::Down { from, until } => {
            let (from, until) = (microseconds(from.get()), microseconds(until.get()));
            if until > now {
                return Err("the server's down time ends after it was written");
            }
            add(clock_rules, running.as_ref(), Still { from, until, seat: None, why: Rest::DownTime })
        }
        Opened::Offer { seat } => {
            if clock_rules.offer(*seat).is_some() {
                return Err("the seat was offered before");
            }
            clock_rules.set_offer(*seat, Offer::Open);
            Ok(())
        }
        Opened::Vacancy { seat, from, until } => {
            let (from, until) = (microseconds(from.get()), microseconds(until.get()));
            if !matches!(clock_rules.offer(*seat), None | Some(Offer::Open)) {
                return Err("the seat was offered before");
            }
            if from > now
                || running.as_ref().and_then(|running| running.fall_of(clock_rules, *seat)) != Some(from)
            {
                return Err("the flag of the seat did not fall then");
            }
            if until <= now {
                return Err("the seat is offered for no time");
            }
            add(clock_rules, running.as_ref(), Still { from, until, seat: Some(*seat), why: Rest::Vacancy })?;
            clock_rules.set_offer(*seat, Offer::Vacant);
            Ok(())
        }
        Opened::Substitute { seat, name } => {
            let after_fall = match clock_rules.offer(*seat) {
                Some(Offer::Open) => false,
                Some(Offer::Vacant) => true,
                Some(Offer::Taken { .. }) | None => return Err("the seat is not offered"),
            };
            if let Some(running) = running {
                running.hand_over(clock_rules, *seat, after_fall, now);
            }
            // What the player before brought along counts for this seat no more.
            clock_rules.conditions.stills.retain(|still| still.seat != Some(*seat));
            clock_rules
                .take_calendar(Version { line: number, seat: *seat, calendar: None }, running.as_ref());
            clock_rules.set_offer(*seat, Offer::Taken { name: name.clone(), after_fall });
            Ok(())
        }
    }
}

/// The clock_rules with which a game starts: the calendars that the first line commits to, opened.
#[must_use]
pub fn clock_rules_at_start<'a>(
    control: TimeControl,
    form: Form,
    seats: usize,
    value: impl Fn(Seat) -> Option<&'a Value>,
) -> ClockRules {
    let mut clock_rules = ClockRules::new(control);
    clock_rules.conditions.binds_offsets = form.binds_offsets;
    for (seat, _) in (0..).map(Seat).zip(0..seats) {
        if let Some(Value::Calendar(calendar)) = value(seat) {
            let calendar = calendar.permitted(control.nights, control.rest_days);
            clock_rules.take_calendar(Version { line: 0, seat, calendar }, None);
        }
    }
    clock_rules
}

/// A change with its commitments opened by `value`.
///
/// # Errors
/// A commitment is not opened, or the change starts the clock.
pub fn opened<'a>(
    change: &Change,
    value: impl Fn(Seat) -> Option<&'a Value>,
) -> Result<Opened, &'static str> {
    Ok(match change {
        Change::Start { .. } => return Err("it starts the clock again"),
        Change::Calendar { seat, calendar: None } => Opened::Calendar { seat: *seat, calendar: None },
        Change::Calendar { seat, calendar: Some(_) } => match value(*seat) {
            Some(Value::Calendar(own)) => Opened::Calendar { seat: *seat, calendar: Some(own.clone()) },
            _ => return Err("it is not opened"),
        },
        Change::Holiday { seat, .. } => match value(*seat) {
            Some(Value::Holiday(holiday)) => Opened::Holiday { seat: *seat, holiday: *holiday },
            _ => return Err("it is not opened"),
        },
        Change::Pause { until } => Opened::Pause { until: *until },
        Change::Resume {} => Opened::Resume,
        Change::Gift { to, hours, .. } => Opened::Gift { to: *to, hours: *hours },
        Change::Down { from, until } => Opened::Down { from: *from, until: *until },
        Change::Offer { seat } => Opened::Offer { seat: *seat },
        Change::Vacancy { from, seat, until } => Opened::Vacancy { seat: *seat, from: *from, until: *until },
        Change::Substitute { name, seat } => Opened::Substitute { seat: *seat, name: name.clone() },
    })
}

fn add(clock_rules: &mut ClockRules, running: Option<&Running>, still: Still) -> Result<(), &'static str> {
    if still.from >= still.until {
        return Err("it ends before it begins");
    }
    // A refused span leaves nothing behind: no line would tell of it.
    if clock_rules.kept_stills(running).count() >= MAX_STILLS {
        return Err("too many times without a running clock");
    }
    clock_rules.add_still(still, running);
    Ok(())
}

/// A clock being replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    pub clock_rules: ClockRules,
    pub running: Option<Running>,
}

impl Replay {
    /// The clock of a game that starts at `at`.
    #[must_use]
    pub fn start(clock_rules: ClockRules, seats: u8, asked: Option<ToAct>, at: Timestamp) -> Self {
        let running = asked.map(|asked| Running::start(&clock_rules, seats, asked, microseconds(at.get())));
        Self { clock_rules, running }
    }

    /// Whether the flag of the seat to act is down at `at`.
    #[must_use]
    pub fn has_fallen(&self, at: Timestamp) -> bool {
        let at = microseconds(at.get());
        self.running.as_ref().is_some_and(|running| running.has_fallen(&self.clock_rules, at))
    }

    /// What the seat to act has left at `at`; `None` if no clock runs.
    #[must_use]
    pub fn left(&self, at: Timestamp) -> Option<Left> {
        let at = microseconds(at.get());
        self.running.as_ref().map(|running| running.left(&self.clock_rules, at))
    }

    /// The clock after an event at `at`.
    pub fn event(&mut self, asked: Option<ToAct>, at: Timestamp) {
        let at = microseconds(at.get());
        let running = self.running.take().zip(asked);
        self.running = running.map(|(running, asked)| running.pass(&self.clock_rules, asked, at));
    }

    /// The clock after a line of the log.
    ///
    /// # Errors
    /// Why the change cannot be.
    pub fn change(&mut self, number: u32, at: Timestamp, change: &Opened) -> Result<(), &'static str> {
        apply(&mut self.clock_rules, &mut self.running, number, at, change)
    }
}
