//! The clock of a game: what each seat has left, and when the flag falls. Pure: the server, the audit and the verifier of the clock
//! log calculate with it (docs/CLOCK.md).

use serde::{Deserialize, Serialize};

use super::calendar::{Calendar, Rest};
use super::control::{HOUR, TimeControl};
use super::counting::{Rests, Still};
use super::offers::SeatOffer;
use pippost_record::record::{Hash, Table, Timestamp};
use pippost_record::rules::Seat;

/// No reminder comes before one of so many parts of the time is used.
const REMINDER_PARTS: i64 = 4;

/// Whose turn it is, and whose choice. They differ while another seat is asked during somebody's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToAct {
    pub turn: Seat,
    pub to_act: Seat,
}

impl ToAct {
    /// `None` if the game is over.
    #[must_use]
    pub fn at(table: &Table) -> Option<Self> {
        let to_act = table.to_act()?;
        Some(Self { turn: table.in_turn().unwrap_or(to_act), to_act })
    }
}

/// The last line of a game's clock log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogHead {
    pub number: u32,
    pub hash: Hash,
    pub at: Timestamp,
}

/// A calendar that a game has taken from a seat's player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The line of the clock log by which the game took it.
    pub line: u32,
    pub seat: Seat,
    /// None: all time counts.
    pub calendar: Option<Calendar>,
}

/// What bears on a game's clock and does not change with moves. Every change of it is a line of the clock log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockConditions {
    /// Ascending by line.
    #[serde(default)]
    pub calendars: Vec<Version>,
    #[serde(default)]
    pub stills: Vec<Still>,
    /// None in a game that started before there was a clock log.
    #[serde(default)]
    pub head: Option<LogHead>,
    /// For such a game, the event from which on its clock is calculated as everywhere.
    #[serde(default)]
    pub base: Option<Base>,
    /// Whether the form of its clock log binds the offsets of zones: games that started earlier go on as they began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub binds_offsets: bool,
    /// The seats that are or were offered to substitutes, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<SeatOffer>,
}

/// Where the clock of an earlier game begins: after event `seq`, the seat to act had its whole limit from `since` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    pub seq: u64,
    /// Microseconds since 1970.
    pub since: i64,
}

/// A game's time control, and what else bears on its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockRules {
    pub control: TimeControl,
    pub conditions: ClockConditions,
}

/// A turn, or an answer out of turn: what it has left of its limit, and the calendar with which it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    pub seat: Seat,
    /// Microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The line of its calendar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar: Option<u32>,
}

/// A running clock, as it stood when it began to run for the seat to act. All times are in microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Running {
    /// Since 1970.
    pub since: i64,
    pub turn: Share,
    /// The clock runs for this, while another seat is asked during the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Share>,
    /// By seat; empty without banks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub banks: Vec<i64>,
    /// By seat, how long the table still waits; empty if it does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<i64>,
    /// By seat, the hours given to it since its last turn or answer ended; may be shorter than the seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<u32>,
}

/// The time that a seat has left, in microseconds. It is used in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Of the limit for the turn; none without a limit.
    pub limit: Option<i64>,
    pub bank: Option<i64>,
    /// What the table waits.
    pub wait: Option<i64>,
}

/// What a clock uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ClockUse)]
pub enum Uses {
    Limit,
    Bank,
    Wait,
}

impl Left {
    #[must_use]
    pub fn total(self) -> i64 {
        self.limit.unwrap_or(0) + self.bank.unwrap_or(0) + self.wait.unwrap_or(0)
    }

    /// What is left after `used`; never less than nothing.
    #[must_use]
    fn after(self, used: i64) -> Self {
        let mut used = used;
        let mut take = |part: Option<i64>| {
            part.map(|part| {
                let taken = used.min(part);
                used -= taken;
                part - taken
            })
        };
        Self { limit: take(self.limit), bank: take(self.bank), wait: take(self.wait) }
    }

    /// What is used next.
    #[must_use]
    pub fn uses(self) -> Uses {
        if self.limit.is_some_and(|left| left > 0) {
            Uses::Limit
        } else if self.bank.is_some_and(|left| left > 0) {
            Uses::Bank
        } else if self.wait.is_some() {
            Uses::Wait
        } else if self.bank.is_some() {
            Uses::Bank
        } else {
            Uses::Limit
        }
    }
}

impl ClockRules {
    /// The clock_rules of a game that is about to start, without calendars.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self { control, conditions: ClockConditions::default() }
    }

    /// The newest calendar of a seat, by its line; `None` if all time counts.
    fn newest(&self, seat: Seat) -> Option<u32> {
        let newest = self.conditions.calendars.iter().rev().find(|version| version.seat == seat)?;
        newest.calendar.as_ref().map(|_| newest.line)
    }

    /// Whether a seat has this calendar already, or none, as far as times from `at` on go.
    #[must_use]
    pub fn has_calendar(&self, seat: Seat, calendar: Option<&Calendar>, at: Timestamp) -> bool {
        let newest = self.conditions.calendars.iter().rev().find(|version| version.seat == seat);
        match (newest.and_then(|version| version.calendar.as_ref()), calendar) {
            (Some(own), Some(newer)) => own.goes_on_as(newer, at),
            (own, newer) => own == newer,
        }
    }

    fn calendar(&self, share: Share) -> Option<&Calendar> {
        let line = share.calendar?;
        let of = |version: &&Version| version.line == line && version.seat == share.seat;
        self.conditions.calendars.iter().find(of)?.calendar.as_ref()
    }

    fn rests(&self, share: Share) -> Rests<'_> {
        Rests { seat: share.seat, calendar: self.calendar(share), stills: &self.conditions.stills }
    }

    /// A turn or an answer that begins.
    fn share(&self, seat: Seat) -> Share {
        Share { seat, limit: self.control.limit(), calendar: self.newest(seat) }
    }

    /// Takes a calendar for later turns of a seat, and forgets those that `running` has no use for.
    pub fn take_calendar(&mut self, version: Version, running: Option<&Running>) {
        let used = |old: &Version| {
            running.is_some_and(|running| {
                let shares = [Some(running.turn), running.answer].into_iter().flatten();
                shares.into_iter().any(|share| share.seat == old.seat && share.calendar == Some(old.line))
            })
        };
        self.conditions.calendars.retain(|old| old.seat != version.seat || used(old));
        self.conditions.calendars.push(version);
    }

    /// The times of standing still that bear on `running`.
    pub fn kept_stills(&self, running: Option<&Running>) -> impl Iterator<Item = &Still> {
        let since = running.map(|running| running.since);
        self.conditions.stills.iter().filter(move |still| since.is_none_or(|since| still.until > since))
    }

    /// Adds a time in which clocks stand still, and forgets those that ended before `running` began.
    pub fn add_still(&mut self, still: Still, running: Option<&Running>) {
        self.conditions.stills.retain(|old| running.is_none_or(|running| old.until > running.since));
        self.conditions.stills.push(still);
    }
}

impl Running {
    /// The clock of a game that starts.
    #[must_use]
    pub fn start(clock_rules: &ClockRules, seats: u8, asked: ToAct, at: i64) -> Self {
        let by_seat = |part: Option<i64>| part.map_or_else(Vec::new, |part| vec![part; usize::from(seats)]);
        Self {
            since: at,
            turn: clock_rules.share(asked.turn),
            answer: (asked.to_act != asked.turn).then(|| clock_rules.share(asked.to_act)),
            banks: by_seat(clock_rules.control.bank_start()),
            waits: by_seat(clock_rules.control.wait()),
            given: Vec::new(),
        }
    }

    /// The clock after an event at `at`, after which `asked` says whose choice it is. It runs on if that has not changed.
    #[must_use]
    pub fn pass(mut self, clock_rules: &ClockRules, asked: ToAct, at: i64) -> Self {
        if asked == self.asked() {
            return self;
        }
        self.charge(clock_rules, at);
        if let Some(answer) = self.answer.take() {
            self.gain(clock_rules, answer.seat);
            self.forget_gifts(answer.seat);
        }
        if asked.turn != self.turn.seat {
            self.gain(clock_rules, self.turn.seat);
            self.forget_gifts(self.turn.seat);
            self.turn = clock_rules.share(asked.turn);
        }
        if asked.to_act != asked.turn {
            self.answer = Some(clock_rules.share(asked.to_act));
        }
        self.since = at;
        self
    }

    /// Whose turn and choice it is.
    #[must_use]
    pub fn asked(&self) -> ToAct {
        ToAct { turn: self.turn.seat, to_act: self.runs_for().seat }
    }

    /// The turn or answer for which the clock runs.
    pub(super) fn runs_for(&self) -> Share {
        self.answer.unwrap_or(self.turn)
    }

    /// What the seat to act had left when its clock began to run.
    fn left_at_first(&self) -> Left {
        let share = self.runs_for();
        let of = |parts: &[i64]| parts.get(share.seat.index()).copied();
        Left { limit: share.limit, bank: of(&self.banks), wait: of(&self.waits) }
    }

    /// What the seat to act has left at `at`; never less than nothing.
    #[must_use]
    pub fn left(&self, clock_rules: &ClockRules, at: i64) -> Left {
        self.left_at_first().after(self.used(clock_rules, at))
    }

    /// How much of the time up to `at` has counted since the clock began to run.
    #[must_use]
    pub fn used(&self, clock_rules: &ClockRules, at: i64) -> i64 {
        clock_rules.rests(self.runs_for()).counted(self.since, at)
    }

    /// When the flag falls; `None` without a limit and a bank.
    #[must_use]
    pub fn fall(&self, clock_rules: &ClockRules) -> Option<i64> {
        self.fall_with(clock_rules, self.left_at_first().total())
    }

    /// The same for the seat to act only.
    #[must_use]
    pub fn fall_of(&self, clock_rules: &ClockRules, seat: Seat) -> Option<i64> {
        if self.runs_for().seat == seat { self.fall(clock_rules) } else { None }
    }

    /// Whether the flag is down at `at`: the same as [`Self::fall`] says, calculated from the time before `at` alone.
    #[must_use]
    pub fn has_fallen(&self, clock_rules: &ClockRules, at: i64) -> bool {
        let counted = clock_rules.rests(self.runs_for()).counted(self.since, at + 1);
        !clock_rules.control.is_unlimited() && counted > self.left_at_first().total()
    }

    /// When a quarter of the time is used: from then on there may be reminders.
    #[must_use]
    pub fn reminders_from(&self, clock_rules: &ClockRules) -> Option<i64> {
        self.when_left(clock_rules, Self::reminders_left(self.whole()))
    }

    /// The most that is left of `whole` when there is a reminder.
    pub(super) fn reminders_left(whole: i64) -> i64 {
        whole - whole / REMINDER_PARTS
    }

    /// What was left when the clock began to run.
    pub(super) fn whole(&self) -> i64 {
        self.left_at_first().total()
    }

    /// When `left` of the time is left.
    pub(super) fn when_left(&self, clock_rules: &ClockRules, left: i64) -> Option<i64> {
        self.fall_with(clock_rules, self.whole() - left)
    }

    /// When the bank begins to be used: at once without a limit. `None` without a bank.
    #[must_use]
    pub fn bank_from(&self, clock_rules: &ClockRules) -> Option<i64> {
        clock_rules.control.bank?;
        self.fall_with(clock_rules, self.left_at_first().limit.unwrap_or(0))
    }

    /// When the table begins to wait; `None` if it does not.
    #[must_use]
    pub fn wait_from(&self, clock_rules: &ClockRules) -> Option<i64> {
        let Left { limit, bank, wait } = self.left_at_first();
        wait?;
        self.fall_with(clock_rules, limit.unwrap_or(0) + bank.unwrap_or(0))
    }

    fn fall_with(&self, clock_rules: &ClockRules, left: i64) -> Option<i64> {
        if clock_rules.control.is_unlimited() {
            return None;
        }
        Some(clock_rules.rests(self.runs_for()).fall(self.since, left))
    }

    /// Whether it stands still at times that only its player knows.
    #[must_use]
    pub fn has_own_rests(&self, clock_rules: &ClockRules) -> bool {
        let share = self.runs_for();
        let holiday = clock_rules.conditions.stills.iter().any(|still| still.seat == Some(share.seat));
        holiday || clock_rules.calendar(share).is_some()
    }

    /// Why the clock stands still at `at` and until when; `None` if it runs.
    #[must_use]
    pub fn standing(&self, clock_rules: &ClockRules, at: i64) -> Option<(Rest, i64)> {
        clock_rules.rests(self.runs_for()).standing(at)
    }

    /// What a seat has left at `at`, if it is to act or has begun a turn; its bank at any time.
    #[must_use]
    pub fn left_of(&self, clock_rules: &ClockRules, seat: Seat, at: i64) -> Left {
        if self.runs_for().seat == seat {
            return self.left(clock_rules, at);
        }
        let limit = (self.turn.seat == seat).then_some(self.turn.limit).flatten();
        let of = |parts: &[i64]| parts.get(seat.index()).copied();
        Left { limit, bank: of(&self.banks), wait: of(&self.waits) }
    }

    /// How many hours a seat has been given since its last turn or answer ended.
    #[must_use]
    pub fn given_to(&self, seat: Seat) -> u32 {
        self.given.get(seat.index()).copied().unwrap_or(0)
    }

    fn forget_gifts(&mut self, seat: Seat) {
        if let Some(given) = self.given.get_mut(seat.index()) {
            *given = 0;
            let used = self.given.iter().rposition(|given| *given > 0);
            self.given.truncate(used.map_or(0, |last| last + 1));
        }
    }

    /// Gives `seat` more time: for its bank if the game has banks, or else for the turn or answer that it has begun. False if it has
    /// begun none.
    pub fn give(&mut self, seat: Seat, hours: u32) -> bool {
        if !self.add(seat, i64::from(hours) * HOUR) {
            return false;
        }
        if self.given.len() <= seat.index() {
            self.given.resize(seat.index() + 1, 0);
        }
        self.given[seat.index()] = self.given_to(seat).saturating_add(hours);
        true
    }

    fn add(&mut self, seat: Seat, time: i64) -> bool {
        if let Some(bank) = self.banks.get_mut(seat.index()) {
            *bank += time;
            return true;
        }
        let shares = [self.answer.as_mut(), Some(&mut self.turn)].into_iter().flatten();
        let mut open = shares.filter(|share| share.seat == seat);
        match open.next().and_then(|share| share.limit.as_mut()) {
            Some(limit) => {
                *limit += time;
                true
            }
            None => false,
        }
    }

    /// Takes the time used since the clock began to run.
    pub(super) fn charge(&mut self, clock_rules: &ClockRules, at: i64) {
        let left = self.left(clock_rules, at);
        let share = self.answer.as_mut().unwrap_or(&mut self.turn);
        share.limit = left.limit;
        let seat = share.seat.index();
        for (parts, part) in [(&mut self.banks, left.bank), (&mut self.waits, left.wait)] {
            if let Some((slot, part)) = parts.get_mut(seat).zip(part) {
                *slot = part;
            }
        }
    }

    fn gain(&mut self, clock_rules: &ClockRules, seat: Seat) {
        if let Some(bank) = self.banks.get_mut(seat.index()) {
            *bank = clock_rules.control.bank_after_turn(*bank);
        }
    }

    /// Whether it follows from the start of the turn and the limit alone.
    #[must_use]
    pub fn is_plain(&self, clock_rules: &ClockRules) -> bool {
        let whole = self.turn.limit == clock_rules.control.limit() && self.turn.calendar.is_none();
        whole
            && self.answer.is_none()
            && self.banks.is_empty()
            && self.waits.is_empty()
            && self.given.is_empty()
    }

    /// The plain clock of a turn.
    #[must_use]
    pub fn plain(control: &TimeControl, seat: Seat, since: i64) -> Self {
        let turn = Share { seat, limit: control.limit(), calendar: None };
        Self { since, turn, answer: None, banks: Vec::new(), waits: Vec::new(), given: Vec::new() }
    }
}
