//! Lines of a clock log after the last event, and empty spans: both verifiers take the same ones.

use pippost::clock::log::{Change, Holiday, Line, Opening, Value, commitment};
use pippost::clock::{Calendar, MinuteOfDay, Night, RestDays, Zone, time_of};
use pippost::record::{Hash, Timestamp, canonical};
use pippost::rules::Seat;
use time::Duration;

use crate::ours;
use support::javascript::{Verdict, with_engine};
use support::simulated_clocks::simulated;

/// The games that get further lines.
const GAMES: usize = 40;

/// A finished clock log that goes on.
struct Log {
    record: Vec<u8>,
    lines: Vec<Line>,
    openings: Vec<Opening>,
}

impl Log {
    fn of(record: &[u8], clock_log: &[u8]) -> Self {
        let text = std::str::from_utf8(clock_log).expect("JSON");
        let (footer, lines) = text.lines().collect::<Vec<_>>().split_last().map_or_else(
            || panic!("no footer"),
            |(footer, lines)| {
                let line = |text: &&str| serde_json::from_str::<Line>(text).expect("a line");
                (
                    serde_json::from_str::<serde_json::Value>(footer).expect("JSON"),
                    lines.iter().map(line).collect(),
                )
            },
        );
        let openings = serde_json::from_value(footer["openings"].clone()).expect("openings");
        Self { record: record.to_vec(), lines, openings }
    }

    /// The time of the last event, or of a line after it.
    fn ends(&self) -> Timestamp {
        let text = std::str::from_utf8(&self.record).expect("JSON");
        let last = text.lines().rev().find(|line| line.contains("\"seq\":")).expect("an event");
        let event: serde_json::Value = serde_json::from_str(last).expect("JSON");
        let at: Timestamp = serde_json::from_value(event["at"].clone()).expect("a time");
        at.max(self.lines.last().expect("a first line").at)
    }

    fn number(&self) -> u32 {
        u32::try_from(self.lines.len()).expect("few lines")
    }

    fn commit_to(&mut self, seat: Seat, value: Value) -> Hash {
        let salt = Hash::of(&[b"salt", &self.number().to_be_bytes()]);
        let hash = commitment(&salt, &value);
        self.openings.push(Opening { number: self.number(), offsets: None, salt, seat, value });
        hash
    }

    /// Adds a line after the last event.
    fn add(&mut self, at: Timestamp, change: Change) {
        let text = std::str::from_utf8(&self.record).expect("JSON");
        let mut events = text.lines().filter(|line| line.contains("\"seq\":"));
        let event: serde_json::Value =
            serde_json::from_str(events.next_back().expect("an event")).expect("JSON");
        let head = serde_json::from_value(event["hash"].clone()).expect("a hash");
        let prev = self.lines.last().expect("a first line").hash;
        let seq = event["seq"].as_u64().expect("a number");
        self.lines.push(Line::sealed(at, change, head, self.number(), prev, seq));
    }

    fn whole(&self) -> Vec<u8> {
        let mut text: String = self.lines.iter().map(|line| line.text() + "\n").collect();
        let head = self.lines.last().expect("a first line").hash;
        let footer = canonical::of(&pippost::clock::log::Footer { head, openings: self.openings.clone() });
        text += std::str::from_utf8(&footer).expect("JSON");
        [&self.record, text.as_bytes(), b"\n"].concat()
    }
}

fn calendar(at: Timestamp) -> Calendar {
    let minute = |text| MinuteOfDay::parse(text).expect("a time of day");
    Calendar {
        night: Night::new(minute("22:00"), minute("07:00")),
        offsets: None,
        rest_days: RestDays::default(),
        zone: Zone::named("Europe/Berlin").expect("a zone"),
    }
    .with_offsets(at)
}

/// A log with further lines, and whether they are possible there.
fn cases(log: &Log, holidays: bool) -> Vec<(&'static str, Vec<u8>, bool)> {
    let after = |hours: i64| Timestamp::new(log.ends().get() + Duration::hours(hours));
    let (at, later) = (after(1), after(3));
    let with = |write: &dyn Fn(&mut Log)| {
        let lines =
            log.lines.iter().map(|line| serde_json::from_str(&line.text()).expect("a line")).collect();
        let mut longer = Log { record: log.record.clone(), lines, openings: log.openings.clone() };
        write(&mut longer);
        longer.whole()
    };
    let seat = Seat(0);
    let bound = |from| {
        with(&move |log| {
            let hash = log.commit_to(seat, Value::Calendar(calendar(from)));
            log.add(at, Change::Calendar { calendar: Some(hash), seat });
        })
    };
    let holiday = |from, until| {
        with(&move |log| {
            let hash = log.commit_to(seat, Value::Holiday(Holiday { from, until }));
            log.add(at, Change::Holiday { holiday: hash, seat });
        })
    };
    let add = |change: Change| with(&move |log| log.add(at, change.clone()));
    vec![
        ("a calendar", bound(at), true),
        ("a calendar with offsets from another time on", bound(later), false),
        ("no calendar", add(Change::Calendar { calendar: None, seat }), true),
        ("a holiday", holiday(at, later), holidays),
        ("a holiday that has begun", holiday(log.ends(), later), false),
        ("a pause", add(Change::Pause { until: later }), true),
        ("a pause of no time", add(Change::Pause { until: at }), false),
        ("a resume without a pause", add(Change::Resume {}), false),
        (
            "a resume in the microsecond of its pause",
            with(&|log| {
                log.add(at, Change::Pause { until: later });
                log.add(at, Change::Resume {});
                log.add(at, Change::Pause { until: later });
            }),
            true,
        ),
        ("down time", add(Change::Down { from: log.ends(), until: at }), true),
        (
            "a microsecond of down time",
            add(Change::Down { from: Timestamp::new(at.get() - Duration::MICROSECOND), until: at }),
            true,
        ),
        ("a gift", add(Change::Gift { from: Seat(1), hours: 1, to: seat }), false),
        ("a vacancy", add(Change::Vacancy { from: at, seat, until: later }), false),
        (
            "a line before the last event",
            with(&|log| log.add(time_before(log), Change::Pause { until: later })),
            false,
        ),
    ]
}

fn time_before(log: &Log) -> Timestamp {
    Timestamp::new(time_of(pippost::clock::microseconds(log.ends().get()) - 1))
}

#[test]
fn both_verifiers_take_the_same_lines_after_the_last_event() {
    let mut tried = 0;
    with_engine(|engine| {
        for game in simulated(GAMES) {
            let log = Log::of(&game.record, &game.clock_log);
            let paused = log.lines.iter().any(|line| matches!(line.change, Change::Pause { .. }));
            let Change::Start { control, .. } = &log.lines[0].change else { panic!("no start") };
            // A pause may last to the end of the game and beyond.
            for (name, whole, possible) in cases(&log, control.holidays).into_iter().filter(|_| !paused) {
                let verdict = ours(&whole);
                assert_eq!(verdict, engine.judge(&whole), "{name}");
                assert_eq!(verdict == Verdict::Accepted { proved: true }, possible, "{name}: {verdict:?}");
                tried += 1;
            }
        }
    });
    assert!(tried > 200, "{tried}");
}
