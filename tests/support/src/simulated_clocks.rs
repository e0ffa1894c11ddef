//! Clocks of whole games, simulated over a year: players in eight zones with nights, rest days, holidays, changes of all these, pauses,
//! gifts, substitutes and outages of the server. Games are real games of every rule set, so their records and clock logs are verified, too.

use std::fmt::Write as _;

use pippost::clock::calendar::{Calendar, MAX_REST_DAYS, Night, RestDays};
use pippost::clock::control::TimeControl;
use pippost::clock::game_clock::{ClockRules, Left, Running, ToAct, Version};
use pippost::clock::log::{
    self, Answer, Change, Footer, Form, Holiday, Line, Opened, Opening, Value, commitment,
};
use pippost::clock::offers::Offer;
use pippost::clock::{Bank, Rest, microseconds, time_of};
use pippost::clock::{MinuteOfDay, Zone};
use pippost::record::header::FORM;
use pippost::record::{
    Act, Chronicle, Hash, Header, Master, Player, Recorded, Seating, Timestamp, canonical,
};
use pippost::rules::{self, RuleSet, Seat};
use proptest::prelude::*;
use time::Duration;
use uuid::Uuid;

use crate::sample::Sampler;

/// Offsets of both hemispheres, of half hours, and without summer time.
const ZONES: [&str; 8] = [
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Sydney",
    "America/Sao_Paulo",
    "Asia/Tokyo",
    "Pacific/Auckland",
    "Australia/Lord_Howe",
];

/// What happens next at a table.
#[derive(Clone, Debug)]
pub enum Step {
    /// The seat to act acts so many minutes later, or its flag has fallen then.
    Act(u32),
    /// So many minutes pass, and then what follows happens.
    Wait(u32),
    /// The same seat acts a microsecond before its flag falls (true) or when it falls (false).
    ActAtTheFlag(bool),
    Calendar(u8, Option<SomeCalendar>),
    /// So many minutes ahead, for so many days.
    Holiday(u8, u16, u8),
    Pause(u16),
    Resume,
    Gift(u8, u8),
    Down(u16),
    /// The seat is offered to a substitute.
    Offer(u8),
    /// The flag of the seat to act falls, and so many minutes later the seat is offered, for so many hours.
    Vacancy(u16, u16),
    /// A substitute takes an offered seat.
    Substitute(u8),
}

#[derive(Clone, Copy, Debug)]
pub struct SomeCalendar {
    zone: usize,
    night: Option<(u16, u16)>,
    rest_day: Option<u8>,
}

impl SomeCalendar {
    pub fn calendar(self) -> Calendar {
        let minute = |minute: u16| MinuteOfDay::new(minute % (24 * 60)).expect("a time of day");
        let night = self.night.and_then(|(from, minutes)| Night::new(minute(from), minute(from + minutes)));
        let days = self.rest_day.map(|day| vec![day, day % 7 + 1]).unwrap_or_default();
        assert!(days.len() <= MAX_REST_DAYS);
        Calendar {
            night,
            offsets: None,
            rest_days: RestDays::new(days).expect("two different days"),
            zone: Zone::named(ZONES[self.zone]).expect("a zone"),
        }
    }
}

pub fn some_calendar() -> impl Strategy<Value = SomeCalendar> {
    (0..ZONES.len(), proptest::option::of((0..1440_u16, 1..=720_u16)), proptest::option::of(1..=7_u8))
        .prop_map(|(zone, night, rest_day)| SomeCalendar { zone, night, rest_day })
}

pub fn step() -> impl Strategy<Value = Step> {
    // Up to six days, but mostly hours.
    let minutes = prop_oneof![3 => 0..300_u32, 2 => 0..3000_u32, 1 => 0..9000_u32];
    prop_oneof![
        8 => minutes.clone().prop_map(Step::Act),
        2 => minutes.prop_map(Step::Wait),
        2 => any::<bool>().prop_map(Step::ActAtTheFlag),
        2 => (0..4_u8, proptest::option::of(some_calendar())).prop_map(|(seat, new)| Step::Calendar(seat, new)),
        1 => (0..4_u8, 0..3000_u16, 1..10_u8).prop_map(|(seat, ahead, days)| Step::Holiday(seat, ahead, days)),
        1 => (1..200_u16).prop_map(Step::Pause),
        1 => Just(Step::Resume),
        1 => (0..4_u8, 1..48_u8).prop_map(|(seat, hours)| Step::Gift(seat, hours)),
        1 => (1..3000_u16).prop_map(Step::Down),
        1 => (0..4_u8).prop_map(Step::Offer),
        2 => (0..3000_u16, 1..100_u16).prop_map(|(later, hours)| Step::Vacancy(later, hours)),
        2 => (0..4_u8).prop_map(Step::Substitute),
    ]
}

pub fn control() -> impl Strategy<Value = TimeControl> {
    let bank = (1..240_i32, 0..48_i32, 0..240_i32).prop_map(|(start_hours, gain_hours, more)| Bank {
        start_hours,
        gain_hours: gain_hours.min(start_hours + more),
        cap_hours: start_hours + more,
    });
    let limit = proptest::option::of(1..168);
    (limit, proptest::option::of(bank), prop_oneof![Just(0), 1..72], any::<[bool; 3]>()).prop_map(
        |(limit_hours, bank, wait_hours, [nights, rest_days, holidays])| {
            let unlimited = limit_hours.is_none() && bank.is_none();
            let wait_hours = if unlimited { 0 } else { wait_hours };
            TimeControl { limit_hours, bank, wait_hours, nights, rest_days, holidays }
        },
    )
}

/// A table as a server keeps it, with everything that it writes.
struct Table {
    rules: &'static dyn RuleSet,
    header: Header,
    master: Master,
    chronicle: Chronicle,
    events: Vec<Recorded>,
    clock_rules: ClockRules,
    running: Option<Running>,
    lines: Vec<Line>,
    openings: Vec<Opening>,
    now: Timestamp,
    /// What the seat to act had left at each event, in the server's eyes.
    left: Vec<(u64, Seat, pippost::clock::game_clock::Left)>,
    /// Each answer of a seat and what it took, in the server's eyes.
    answers: Vec<Answer>,
    sampler: Sampler,
    salts: u64,
}

impl Table {
    fn start(number: usize, control: TimeControl, calendars: &[Option<SomeCalendar>]) -> Self {
        let rules = rules::all().nth(number % rules::all().count()).expect("rule sets");
        let options = rules.complete_options(&serde_json::json!({})).expect("defaults");
        let possible = rules.seats(&options).expect("defaults");
        let seats = u8::try_from(calendars.len()).expect("few").clamp(*possible.start(), *possible.end());
        let id = Uuid::from_u128(0x0193_5a3c_7000_7000_8000_0000_0000_0000 + number as u128);
        let master = Master::from_bytes(*Hash::of(&[&number.to_be_bytes()]).as_bytes());
        let header = Header {
            record: FORM.to_owned(),
            id,
            rules: rules.name().to_owned(),
            rules_version: rules.version(),
            options,
            seating: Seating::Random,
            commitment: master.commitment(id),
            players: (0..seats)
                .map(|seat| Player { name: format!("p{seat}"), entropy: String::new() })
                .collect(),
            beacon: None,
        };
        let at = Timestamp::parse("2026-03-20T12:34:56.789012Z").expect("a time");
        let (chronicle, first) = Chronicle::start(rules, &header, &master, at);
        let mut table = Self {
            rules,
            header,
            master,
            chronicle,
            events: vec![first],
            clock_rules: ClockRules::new(control),
            running: None,
            lines: Vec::new(),
            openings: Vec::new(),
            now: at,
            left: Vec::new(),
            answers: Vec::new(),
            sampler: Sampler::new(number as u64),
            salts: 0,
        };
        let commitments = (0..seats).map(|seat| {
            let own = calendars.get(usize::from(seat)).copied().flatten()?.calendar().with_offsets(at);
            Some((Seat(seat), own))
        });
        let commitments: Vec<Option<(Seat, Calendar)>> = commitments.collect();
        let mut hashes = Vec::new();
        for own in commitments {
            hashes.push(own.map(|(seat, calendar)| {
                let permitted = calendar.permitted(control.nights, control.rest_days);
                table.clock_rules.take_calendar(Version { line: 0, seat, calendar: permitted }, None);
                table.commit_to(0, seat, Value::Calendar(calendar))
            }));
        }
        let form = Form::of_new_game(table.has_substitutes());
        table.clock_rules.conditions.binds_offsets = form.binds_offsets;
        let form = form.name().to_owned();
        table.write(Change::Start { calendars: hashes, control, form, game: id });
        let asked = ToAct::at(table.chronicle.table());
        table.running =
            asked.map(|asked| Running::start(&table.clock_rules, seats, asked, microseconds(at.get())));
        table
    }

    fn commit_to(&mut self, number: u32, seat: Seat, value: Value) -> Hash {
        self.salts += 1;
        let salt = Hash::of(&[b"salt", &self.salts.to_be_bytes()]);
        let hash = commitment(&salt, &value);
        self.openings.push(Opening { number, offsets: None, salt, seat, value });
        hash
    }

    fn number(&self) -> u32 {
        u32::try_from(self.lines.len()).expect("few lines")
    }

    fn write(&mut self, change: Change) {
        let head = self.chronicle.head();
        let prev = self.lines.last().map_or(head, |line| line.hash);
        let line = Line::sealed(self.now, change, head, self.number(), prev, self.chronicle.seq());
        self.lines.push(line);
    }

    fn has_substitutes(&self) -> bool {
        self.header.players.len() >= usize::from(log::MIN_SEATS_WITH_SUBSTITUTES)
    }

    fn has_fallen(&self) -> bool {
        let at = microseconds(self.now.get());
        self.running.as_ref().is_some_and(|running| running.has_fallen(&self.clock_rules, at))
    }

    fn pass(&mut self, by: Duration) {
        self.now = Timestamp::new(self.now.get() + by);
    }

    fn step(&mut self, step: &Step) {
        let seats = self.chronicle.table().seats();
        match step {
            Step::Act(minutes) => {
                self.pass(Duration::minutes((*minutes).into()));
                self.act();
            }
            Step::Wait(minutes) => self.pass(Duration::minutes((*minutes).into())),
            Step::ActAtTheFlag(before) => {
                let falls = self.running.as_ref().and_then(|running| running.fall(&self.clock_rules));
                let Some(falls) = falls else { return };
                let at = Timestamp::new(time_of(falls - i64::from(*before)));
                if at >= self.now {
                    self.now = at;
                    assert_eq!(self.has_fallen(), !before, "the flag falls at that very microsecond");
                }
                self.act();
            }
            Step::Calendar(seat, new) => {
                let seat = Seat(seat % seats);
                let calendar = new.map(|new| new.calendar().with_offsets(self.now));
                let before = self.running.as_ref().map(|running| running.fall(&self.clock_rules));
                let number = self.number();
                let hash = calendar.clone().map(|own| self.commit_to(number, seat, Value::Calendar(own)));
                self.change(Change::Calendar { calendar: hash, seat }, &Opened::Calendar { seat, calendar });
                let after = self.running.as_ref().map(|running| running.fall(&self.clock_rules));
                assert_eq!(before, after, "a change of zone, nights or rest days makes no time");
            }
            Step::Holiday(seat, ahead, days) => {
                let seat = Seat(seat % seats);
                let from = Timestamp::new(self.now.get() + Duration::minutes((*ahead).into()));
                let until = Timestamp::new(from.get() + Duration::days((*days).into()));
                let holiday = Holiday { from, until };
                if self.clock_rules.control.holidays && !self.has_fallen() {
                    let number = self.number();
                    let hash = self.commit_to(number, seat, Value::Holiday(holiday));
                    self.change(Change::Holiday { holiday: hash, seat }, &Opened::Holiday { seat, holiday });
                }
            }
            Step::Pause(hours) => {
                let paused = self.is_paused();
                let until = Timestamp::new(self.now.get() + Duration::hours((*hours).into()));
                if !paused && !self.has_fallen() {
                    self.change(Change::Pause { until }, &Opened::Pause { until });
                }
            }
            Step::Resume => {
                if self.is_paused() && !self.has_fallen() {
                    self.change(Change::Resume {}, &Opened::Resume);
                }
            }
            Step::Gift(seat, hours) => {
                let (to, hours) = (Seat(seat % seats), u32::from(*hours));
                let mut running = self.running.clone();
                let can = running.as_mut().is_some_and(|running| running.give(to, 1));
                if can && !self.has_fallen() && !self.clock_rules.is_vacant(to) {
                    let from = Seat((to.0 + 1) % seats);
                    self.change(Change::Gift { from, hours, to }, &Opened::Gift { to, hours });
                }
            }
            Step::Down(minutes) => {
                let from = self.now;
                self.pass(Duration::minutes((*minutes).into()));
                let until = self.now;
                let (before, at) = (self.left_now(from), microseconds(until.get()));
                self.change(Change::Down { from, until }, &Opened::Down { from, until });
                let after = self.running.as_ref().map(|running| running.left(&self.clock_rules, at));
                assert_eq!(before, after, "down time takes nothing from anybody");
            }
            Step::Offer(seat) => {
                let seat = Seat(seat % seats);
                let is_new = self.clock_rules.offer(seat).is_none() && !self.chronicle.table().has_left(seat);
                if self.has_substitutes() && is_new && !self.has_fallen() {
                    self.change(Change::Offer { seat }, &Opened::Offer { seat });
                }
            }
            Step::Vacancy(later, hours) => self.vacate((*later).into(), (*hours).into()),
            Step::Substitute(seat) => {
                let seat = Seat(seat % seats);
                let is_offered = self.clock_rules.offered_seats().any(|offered| offered == seat);
                if is_offered && !self.has_fallen() && !self.chronicle.table().has_left(seat) {
                    self.take(seat);
                }
            }
        }
        self.check();
    }

    fn vacate(&mut self, later: i64, hours: i64) {
        let Some((running, seat)) = self.running.as_ref().zip(self.chronicle.table().to_act()) else {
            return;
        };
        let is_new = matches!(self.clock_rules.offer(seat), None | Some(Offer::Open));
        let Some(falls) = running.fall(&self.clock_rules).filter(|_| self.has_substitutes() && is_new) else {
            return;
        };
        let from = Timestamp::new(time_of(falls));
        self.now = self.now.max(Timestamp::new(from.get() + Duration::minutes(later)));
        let until = Timestamp::new(self.now.get() + Duration::hours(hours));
        self.change(Change::Vacancy { from, seat, until }, &Opened::Vacancy { seat, from, until });
        assert!(!self.has_fallen(), "the seat waits for a substitute");
    }

    fn left_of_others(&self, seat: Seat) -> Option<Vec<Left>> {
        let at = microseconds(self.now.get());
        let others = (0..self.chronicle.table().seats()).map(Seat).filter(|other| *other != seat);
        let left =
            |running: &Running| others.map(|other| running.left_of(&self.clock_rules, other, at)).collect();
        self.running.as_ref().map(left)
    }

    fn take(&mut self, seat: Seat) {
        let (now, was_vacant) = (self.now, self.clock_rules.is_vacant(seat));
        let before = self.left_of_others(seat);
        let left = self.left_now(now);
        let name = format!("substitute {}", self.number());
        let change = Change::Substitute { name: name.clone(), seat };
        let number = self.number();
        let opened = Opened::Substitute { seat, name };
        log::apply(&mut self.clock_rules, &mut self.running, number, now, &opened).expect("possible");
        self.write(change);
        assert_eq!(before, self.left_of_others(seat), "others neither gain nor lose");
        let asked = self.chronicle.table().to_act() == Some(seat);
        if asked && was_vacant {
            let Left { limit, bank, .. } = self.left_now(now).expect("a clock runs");
            assert!(limit.unwrap_or(0) + bank.unwrap_or(0) > 0, "who takes a seat has time");
        } else if asked {
            assert_eq!(left, self.left_now(now), "who takes an open offer has what is left");
        }
    }

    fn is_paused(&self) -> bool {
        let at = microseconds(self.now.get());
        self.clock_rules.conditions.stills.iter().any(|still| still.why == Rest::Pause && still.until > at)
    }

    fn left_now(&self, at: Timestamp) -> Option<pippost::clock::game_clock::Left> {
        self.running.as_ref().map(|running| running.left(&self.clock_rules, microseconds(at.get())))
    }

    fn change(&mut self, change: Change, opened: &Opened) {
        let number = self.number();
        log::apply(&mut self.clock_rules, &mut self.running, number, self.now, opened).expect("possible");
        self.write(change);
    }

    /// The seat to act moves, or its flag falls.
    fn act(&mut self) {
        let Some(seat) = self.chronicle.table().to_act() else { return };
        let left = self.left_now(self.now).expect("a clock runs");
        let fallen = self.has_fallen();
        if self.clock_rules.is_vacant(seat) && !fallen {
            return;
        }
        let legal = self.chronicle.table().position().legal();
        let action = self.sampler.action(&legal);
        let act = if fallen { Act::Timeout { seat } } else { Act::Play { seat, action: &action } };
        let recorded = self.chronicle.act(act, self.now).expect("a listed action");
        self.left.push((recorded.event.seq, seat, left));
        let before = self.running.clone().expect("a clock runs");
        self.follow(&recorded);
        let runs_on = self.running.as_ref().is_some_and(|running| running.asked() == before.asked());
        if !fallen && !runs_on && !self.clock_rules.control.is_unlimited() {
            let taken = before.left(&self.clock_rules, before.since).total() - left.total();
            let by_substitute = matches!(self.clock_rules.offer(seat), Some(Offer::Taken { .. }));
            self.answers.push(Answer { seat, taken, by_substitute });
        }
        self.events.push(recorded);
    }

    fn follow(&mut self, recorded: &Recorded) {
        let asked = recorded.event.to_act.zip(recorded.in_turn);
        let asked = asked.map(|(to_act, turn)| ToAct { turn, to_act });
        let at = microseconds(recorded.event.at.get());
        let running = self.running.take().zip(asked);
        self.running = running.map(|(running, asked)| running.pass(&self.clock_rules, asked, at));
    }

    /// What holds at every step.
    fn check(&self) {
        let Some(running) = &self.running else { return };
        let at = microseconds(self.now.get());
        let left = running.left(&self.clock_rules, at);
        for part in [left.limit, left.bank, left.wait].into_iter().flatten() {
            assert!(part >= 0, "nobody has less than nothing");
        }
        let stored = serde_json::to_string(running).expect("plain data");
        let restored: Running = serde_json::from_str(&stored).expect("plain data");
        assert_eq!(*running, restored, "a stored clock is the same");
        let Some(falls) = running.fall(&self.clock_rules) else {
            assert!(self.clock_rules.control.is_unlimited());
            return;
        };
        assert!(falls >= running.since);
        assert_eq!(
            running.standing(&self.clock_rules, falls),
            None,
            "no flag falls while time does not count"
        );
        assert!(
            running.has_fallen(&self.clock_rules, falls) && !running.has_fallen(&self.clock_rules, falls - 1)
        );
        assert_eq!(running.left(&self.clock_rules, falls).total(), 0);
        let reminder = running.reminders_from(&self.clock_rules).expect("a limit");
        assert!(running.since <= reminder && reminder <= falls);
    }

    /// Ends the game, and writes its record and its clock log.
    fn written(mut self) -> (Vec<u8>, Vec<u8>, Self) {
        while let Some(seat) = self.chronicle.table().to_act() {
            if self.clock_rules.is_vacant(seat) {
                let falls = self.running.as_ref().and_then(|running| running.fall(&self.clock_rules));
                self.now = self.now.max(Timestamp::new(time_of(falls.expect("a limit"))));
            }
            let left = self.left_now(self.now).expect("a clock runs");
            let act = if self.has_fallen() { Act::Timeout { seat } } else { Act::Resign { seat } };
            let recorded = self.chronicle.act(act, self.now).expect("possible");
            self.left.push((recorded.event.seq, seat, left));
            self.follow(&recorded);
            self.events.push(recorded);
        }
        let mut record = String::from_utf8(canonical::of(&self.header)).expect("JSON") + "\n";
        for event in &self.events {
            let _ = writeln!(record, "{}", event.line);
        }
        let footer = self.chronicle.footer(&self.master).expect("it is over");
        record += &(String::from_utf8(canonical::of(&footer)).expect("JSON") + "\n");
        let mut log = String::new();
        for line in &self.lines {
            let _ = writeln!(log, "{}", line.text());
        }
        let footer =
            Footer { head: self.lines.last().expect("a first line").hash, openings: self.openings.clone() };
        log += &(String::from_utf8(canonical::of(&footer)).expect("JSON") + "\n");
        (record.into_bytes(), log.into_bytes(), self)
    }
}

/// Plays a game and verifies it: the times recomputed from record and log alone are the server's.
pub fn play(
    number: usize,
    control: TimeControl,
    calendars: &[Option<SomeCalendar>],
    steps: &[Step],
) -> Simulated {
    let mut table = Table::start(number, control, calendars);
    let ends = table.now.get() + Duration::days(365);
    for step in steps {
        if table.now.get() < ends {
            table.step(step);
        }
    }
    let (record, clock_log, table) = table.written();
    let (verified, clock) = log::verify(&record, &clock_log).expect("a good record");
    assert!(verified.proved && table.rules.name() == verified.rules);
    let clock = clock.expect("a good clock log");
    let times = clock.times.expect("the game is over");
    assert_eq!(times.iter().map(|taken| (taken.seq, taken.seat, taken.left)).collect::<Vec<_>>(), table.left);
    assert_eq!(clock.answers, table.answers);
    assert_eq!(clock.head, table.lines.last().expect("a first line").hash);
    let left = |part: Option<i64>| part.map_or_else(|| "-".to_owned(), |part| part.to_string());
    let said = |(seq, Seat(seat), Left { limit, bank, wait }): &(u64, Seat, Left)| {
        format!("{seq} {seat} {} {} {}\n", left(*limit), left(*bank), left(*wait))
    };
    let times = table.left.iter().map(said).collect();
    let answers = table.answers.iter().map(answer_line);
    Simulated { record, clock_log, times, answers: answers.collect() }
}

/// A time to answer as the kept files have it.
pub fn answer_line(answer: &Answer) -> String {
    let Answer { seat: Seat(seat), taken, by_substitute } = answer;
    format!("{seat} {taken}{}\n", if *by_substitute { " substitute" } else { "" })
}

/// A simulated game.
pub struct Simulated {
    pub record: Vec<u8>,
    pub clock_log: Vec<u8>,
    /// For each event after event 0 a line: its number, the seat whose clock ran, and the microseconds that were left of limit, bank and
    /// wait, `-` where there is none.
    pub times: String,
    /// For each time to answer a line: the seat, microseconds, and `substitute` if one gave the answer.
    pub answers: String,
}

/// So many games from a seed, the same ones every time. `PIPPOST_CLOCK_VECTORS=folder` writes them there, for other verifiers.
pub fn simulated(count: usize) -> Vec<Simulated> {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let games = (
        control(),
        proptest::collection::vec(proptest::option::of(some_calendar()), 2..=4),
        proptest::collection::vec(step(), 0..24),
    );
    let folder = std::env::var_os("PIPPOST_CLOCK_VECTORS").map(std::path::PathBuf::from);
    let one = |number| {
        let (control, calendars, steps) = games.new_tree(&mut runner).expect("a game").current();
        let game = play(number, control, &calendars, &steps);
        if let Some(folder) = &folder {
            let whole = [game.record.as_slice(), &game.clock_log].concat();
            std::fs::write(folder.join(format!("{number}.ndjson")), whole).expect("a file");
            std::fs::write(folder.join(format!("{number}.times")), &game.times).expect("a file");
            std::fs::write(folder.join(format!("{number}.answers")), &game.answers).expect("a file");
        }
        game
    };
    (0..count).map(one).collect()
}
