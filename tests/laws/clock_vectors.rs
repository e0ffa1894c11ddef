//! Records with clock logs, kept in `tests/clock_vectors` for other verifiers, with the times that follow from them: they are verified
//! with the same times, and every line of a log that is missing or changed is named.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pippost::clock::game_clock::Left;
use pippost::clock::log::{self, ClockFailure, ClockVerified, LogCheck, LogPlace, TimeTaken};
use pippost::record::canonical;
use pippost::rules::Seat;

use support::simulated_clocks::answer_line;

/// The least number of games of today's forms, of those that did not bind offsets, and of those from before there were substitutes.
const LEAST: usize = 20;
const BEFORE_OFFSETS: &str = "before-offsets-";
const BEFORE_SUBSTITUTES: &str = "before-substitutes-";

/// The one whose server had other offsets of Africa/Casablanca.
const OTHER_TZDATA: &str = "other-tzdata";

/// A file with what follows from it.
struct Vector {
    name: String,
    record: Vec<u8>,
    /// The lines of the clock log, the footer last.
    log: Vec<String>,
    times: String,
    answers: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clock_vectors")
}

fn vectors() -> Vec<Vector> {
    let files = std::fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut records: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ext| ext == "ndjson")).collect();
    records.sort();
    let read = |path: PathBuf| {
        let whole = std::fs::read(&path).expect("a record");
        let beside = |ext| std::fs::read_to_string(path.with_extension(ext)).expect("its times");
        let (record, log) = log::split(&whole);
        let log = std::str::from_utf8(log.expect("a clock log")).expect("text");
        Vector {
            name: path.display().to_string(),
            record: record.to_vec(),
            log: log.lines().map(str::to_owned).collect(),
            times: beside("times"),
            answers: beside("answers"),
        }
    };
    records.into_iter().map(read).collect()
}

impl Vector {
    fn verify(&self, log: &[String]) -> Result<ClockVerified, ClockFailure> {
        let text = log.join("\n") + "\n";
        log::verify(&self.record, text.as_bytes()).expect("the record is good").1
    }

    /// The log with its line `number` as `change` makes it, or without it.
    fn with(&self, number: usize, change: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let changed = self
            .log
            .iter()
            .enumerate()
            .filter_map(|(at, line)| if at == number { change(line) } else { Some(line.clone()) });
        changed.collect()
    }

    fn expect_failure(&self, log: &[String], check: LogCheck, place: LogPlace) {
        let failure = self.verify(log).expect_err("it is forged");
        assert_eq!((failure.check, failure.place), (check, place), "{}: {failure}", self.name);
    }
}

fn time_line(TimeTaken { seq, seat: Seat(seat), left, .. }: &TimeTaken) -> String {
    let Left { limit, bank, wait } = left;
    let mut line = format!("{seq} {seat}");
    for part in [limit, bank, wait] {
        let part = part.map_or_else(|| "-".to_owned(), |part| part.to_string());
        let _ = write!(line, " {part}");
    }
    line + "\n"
}

/// The line with the first digit after `member` exchanged.
fn with_another_digit(line: &str, member: &str) -> String {
    let at = line.find(member).expect("the member") + member.len();
    let old = line.as_bytes()[at];
    let new = if old == b'1' { '2' } else { '1' };
    format!("{}{new}{}", &line[..at], &line[at + 1..])
}

#[test]
fn every_time_of_the_kept_games_follows_from_their_records_and_clock_logs() {
    let vectors = vectors();
    let of = |prefix: &str| vectors.iter().filter(|vector| vector.name.contains(prefix)).count();
    let [before_offsets, before_substitutes] = [of(BEFORE_OFFSETS), of(BEFORE_SUBSTITUTES)];
    let now = vectors.len() - before_offsets - before_substitutes - of(OTHER_TZDATA);
    assert!(before_offsets.min(before_substitutes).min(now) >= LEAST, "{} games", vectors.len());
    for vector in &vectors {
        let verified =
            vector.verify(&vector.log).unwrap_or_else(|failure| panic!("{}: {failure}", vector.name));
        let times: String = verified.times.expect("it is over").iter().map(time_line).collect();
        assert_eq!(times, vector.times, "{}", vector.name);
        let answers: String = verified.answers.iter().map(answer_line).collect();
        assert_eq!(answers, vector.answers, "{}", vector.name);
        assert_eq!(verified.warning.is_some(), vector.name.contains(OTHER_TZDATA), "{}", vector.name);
    }
}

#[test]
fn an_honest_log_of_other_tzdata_is_accepted_with_a_warning_and_counted_by_its_own_offsets() {
    let vectors = vectors();
    let other = vectors.iter().find(|vector| vector.name.contains(OTHER_TZDATA)).expect("one");
    let warning = other.verify(&other.log).expect("honest").warning.expect("other offsets");
    assert_eq!((warning.line, warning.seat, warning.tzdata.as_deref()), (0, Seat(1), None));
    assert_eq!((warning.zone.as_str(), warning.calendars), ("Africa/Casablanca", 1));
    // At UTC+1 the night of seat 1 covers the last half hour of its turn, and at UTC+2 an hour more.
    let shifted = other.with(other.log.len() - 1, |footer| Some(footer.replacen("3600]", "7200]", 1)));
    let [own, later] = [&other.log, &shifted].map(|log| other.verify(log).expect("nothing binds them").times);
    assert_ne!(own, later);
}

#[test]
fn offsets_of_a_bound_calendar_are_refused_by_the_chain_alone_where_they_are_an_hour_off() {
    let mut shifted = 0;
    for vector in vectors()
        .iter()
        .filter(|vector| vector.log[0].contains("clock/3\"") || vector.log[0].contains("clock/4\""))
    {
        let last = vector.log.len() - 1;
        let mut footer: serde_json::Value = serde_json::from_str(&vector.log[last]).expect("JSON");
        for index in 0..footer["openings"].as_array().expect("a list").len() {
            let opening = &footer["openings"][index];
            let Some(seconds) = opening["value"]["offsets"]["changes"][0][1].as_i64() else { continue };
            let line = u32::try_from(opening["number"].as_u64().expect("a number")).expect("few lines");
            let whole = footer.clone();
            footer["openings"][index]["value"]["offsets"]["changes"][0][1] = (seconds + 3600).into();
            let forged =
                vector.with(last, |_| Some(String::from_utf8(canonical::of(&footer)).expect("JSON")));
            vector.expect_failure(&forged, LogCheck::Openings, LogPlace::Line(line));
            footer = whole;
            shifted += 1;
        }
    }
    assert!(shifted >= LEAST, "{shifted}");
}

#[test]
fn the_kept_games_have_every_kind_of_line() {
    let vectors = vectors();
    for kind in
        ["start", "calendar", "holiday", "pause", "resume", "gift", "down", "offer", "vacancy", "substitute"]
    {
        let is_kind = |line: &String| line.contains(&format!("\"type\":\"{kind}\""));
        assert!(vectors.iter().any(|vector| vector.log.iter().any(is_kind)), "{kind}");
    }
    let timeout = |vector: &Vector| String::from_utf8_lossy(&vector.record).contains("\"timeout\"");
    assert!(vectors.iter().any(timeout), "no flag has fallen");
}

#[test]
fn a_missing_or_changed_line_of_a_kept_log_is_named() {
    for vector in vectors() {
        let lines = vector.log.len() - 1;
        for (number, at) in (0..lines).zip(0..) {
            let missing = vector.with(number, |_| None);
            // Of a log that lost its last line only the footer knows.
            let (check, place) = match number {
                last if last > 0 && last == lines - 1 => (LogCheck::Chain, LogPlace::Footer),
                _ => (LogCheck::Form, LogPlace::Line(at)),
            };
            vector.expect_failure(&missing, check, place);
            for member in ["\"hash\":\"", "\"head\":\"", "\"prev\":\"", "\"at\":\"2026-03-2", "\"at\":\"202"]
            {
                if vector.log[number].contains(member) {
                    let changed = vector.with(number, |line| Some(with_another_digit(line, member)));
                    vector.expect_failure(&changed, LogCheck::Chain, LogPlace::Line(at));
                }
            }
        }
        vector.expect_failure(&vector.with(lines, |_| None), LogCheck::Form, LogPlace::Footer);
        let changed = vector.with(lines, |line| Some(with_another_digit(line, "{\"head\":\"")));
        vector.expect_failure(&changed, LogCheck::Chain, LogPlace::Footer);
        if vector.log[lines].contains("\"salt\":\"") {
            let changed = vector.with(lines, |line| Some(with_another_digit(line, "\"salt\":\"")));
            let failure = vector.verify(&changed).expect_err("another salt");
            assert_eq!(failure.check, LogCheck::Openings, "{}: {failure}", vector.name);
        }
    }
}
