//! Compares both verifiers on clock logs: of simulated games, and of forged ones. They must name the same check and place, and the same
//! times. The browser's modules run in a plain engine.

use std::path::{Path, PathBuf};

use pippost::clock::log::{self, Line, Opening, commitment};
use pippost::record::{Hash, canonical};
use serde_json::Value;

use support::javascript::{Engine, with_engine};
use support::sample::Sampler;
use support::simulated_clocks::{Simulated, simulated};

/// The games that are compared.
const GAMES: usize = 60;

/// The forged logs of each game.
const FORGERIES: usize = 24;

/// The forms that bind the offsets of zones.
const BOUND: [&str; 2] = ["pippost-clock/3", "pippost-clock/4"];

/// What our own verifier says, in the words of the engine's.
fn ours(record: &[u8], clock_log: &[u8]) -> String {
    let (_, clock) = log::verify(record, clock_log).expect("a good record");
    let clock = match clock {
        Err(failure) => return format!("{} {}", failure.check.number(), failure.place),
        Ok(clock) => clock,
    };
    let Some(times) = clock.times else { return "sealed".to_owned() };
    let left = |part: Option<i64>| part.map_or_else(|| "-".to_owned(), |part| part.to_string());
    let line = |taken: &log::TimeTaken| {
        let [limit, bank, wait] = [taken.left.limit, taken.left.bank, taken.left.wait].map(left);
        format!("{} {} {limit} {bank} {wait}\n", taken.seq, taken.seat.0)
    };
    times.iter().map(line).collect()
}

struct Trial<'a> {
    engine: &'a Engine,
    refused: usize,
    accepted: usize,
    /// Refused because their offsets are an hour off.
    shifted: usize,
    differences: Vec<String>,
}

impl Trial<'_> {
    fn compare(&mut self, name: &str, record: &[u8], clock_log: &[u8]) -> String {
        let ours = ours(record, clock_log);
        let theirs = self.engine.judge_clock(&[record, clock_log].concat());
        if ours != theirs {
            self.differences.push(format!("{name}: ours {ours}, the browser's {theirs}"));
        }
        if ours.contains("clock") || ours.contains("event") {
            self.refused += 1;
        } else {
            self.accepted += 1;
        }
        ours
    }
}

/// How far a forger goes after changing one value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mending {
    Nothing,
    /// The chain is made good again.
    Chain,
    /// The commitments, too, as only the server can.
    Commitments,
}

/// A log with another value in one line.
fn forge(text: &str, sampler: &mut Sampler, mending: Mending) -> Option<String> {
    let mut lines = lines_of(text);
    let index = if mending == Mending::Commitments { lines.len() - 1 } else { sampler.below(lines.len()) };
    let member = if lines[index].get("change").is_some() { "/change" } else { "/openings" };
    let place = lines[index].pointer_mut(member)?;
    change_one(place, sampler);
    if mending == Mending::Commitments {
        commit_again(&mut lines)?;
    }
    if mending != Mending::Nothing {
        mend(&mut lines)?;
    }
    Some(text_of(&lines)).filter(|forged| forged != text)
}

fn lines_of(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text_of(lines: &[Value]) -> String {
    lines.iter().map(|value| String::from_utf8(canonical::of(value)).expect("JSON") + "\n").collect()
}

/// Lets every line commit to what the footer opens; `None` if that cannot be read.
fn commit_again(lines: &mut [Value]) -> Option<()> {
    let (footer, lines) = lines.split_last_mut()?;
    for opening in footer["openings"].as_array()? {
        let opening: Opening = serde_json::from_value(opening.clone()).ok()?;
        let hash = serde_json::to_value(commitment(&opening.salt, &opening.value)).ok()?;
        let line = lines.get_mut(usize::try_from(opening.number).ok()?)?;
        let place = match line["change"]["type"].as_str()? {
            "start" => format!("/change/calendars/{}", opening.seat.0),
            kind => format!("/change/{kind}"),
        };
        *line.pointer_mut(&place)? = hash;
    }
    Some(())
}

/// Changes one number, time, flag or hash somewhere in a value.
fn change_one(value: &mut Value, sampler: &mut Sampler) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let chosen = sampler.below(members.len());
            let (name, inner) = members.iter_mut().nth(chosen).expect("one of them");
            match name.as_str() {
                "type" => {}
                "zone" => {
                    *inner = ["Asia/Tokyo", "asia/tokyo", "Etc/Nowhere", "No zone"][sampler.below(4)].into();
                }
                _ => change_one(inner, sampler),
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let chosen = sampler.below(items.len());
            change_one(&mut items[chosen], sampler);
        }
        Value::Number(number) => {
            let changes = [1, -1, 24, 3600, -3600, 90_000];
            *value = (number.as_i64().unwrap_or_default() + changes[sampler.below(changes.len())]).into();
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::String(text) => {
            let digits: Vec<usize> =
                text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
            if let Some(at) = digits.get(sampler.below(digits.len().max(1))) {
                let digit = ["0", "1", "2", "5", "9"][sampler.below(5)];
                text.replace_range(*at..=*at, digit);
            }
        }
        other => *other = Value::Null,
    }
}

/// Rebuilds the hashes from line to line; `None` if a line cannot be read any more.
fn mend(lines: &mut [Value]) -> Option<()> {
    let mut prev: Option<Hash> = None;
    for value in lines {
        if value.get("change").is_none() {
            value["head"] = serde_json::to_value(prev?).ok()?;
            continue;
        }
        let line: Line = serde_json::from_value(value.clone()).ok()?;
        let sealed =
            Line::sealed(line.at, line.change, line.head, line.number, prev.unwrap_or(line.prev), line.seq);
        prev = Some(sealed.hash);
        *value = serde_json::to_value(&sealed).ok()?;
    }
    Some(())
}

fn try_game(trial: &mut Trial<'_>, number: usize, game: &Simulated) {
    let text = std::str::from_utf8(&game.clock_log).expect("JSON");
    assert_eq!(trial.compare(&format!("game {number}"), &game.record, &game.clock_log), game.times);
    try_shifted(trial, number, game);
    let mut sampler = Sampler::new(number as u64);
    let lines: Vec<&str> = text.lines().collect();
    for missing in 0..lines.len() {
        let rest: Vec<&str> =
            lines.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, line)| *line).collect();
        // Without its first line the log is one for `split` only if another line follows.
        if rest.first().is_some_and(|line| line.starts_with("{\"at\":")) {
            let forged = rest.join("\n") + "\n";
            let said = trial.compare(
                &format!("game {number} without line {missing}"),
                &game.record,
                forged.as_bytes(),
            );
            assert!(said.contains("clock"), "game {number} without line {missing}: {said}");
        }
    }
    for forgery in 0..FORGERIES {
        let mending = [Mending::Nothing, Mending::Chain, Mending::Commitments][forgery % 3];
        if let Some(forged) = forge(text, &mut sampler, mending) {
            trial.compare(
                &format!("game {number}, forgery {forgery}: {forged}"),
                &game.record,
                forged.as_bytes(),
            );
        }
    }
    let mut damaged = game.clock_log.clone();
    let at = sampler.below(damaged.len() - 8) + 8;
    damaged[at] = b"0a \"}"[sampler.below(5)];
    trial.compare(&format!("game {number}, byte {at}"), &game.record, &damaged);
}

/// Offsets that are an hour off are refused by both where the log binds them; where nothing does, both count with them.
fn try_shifted(trial: &mut Trial<'_>, number: usize, game: &Simulated) {
    let text = std::str::from_utf8(&game.clock_log).expect("JSON");
    let mut lines = lines_of(text);
    let is_bound = BOUND.contains(&lines[0]["change"]["form"].as_str().expect("a form"));
    let footer = lines.last_mut().expect("a footer");
    let place = if is_bound { "/value/offsets/changes" } else { "/offsets" };
    let mut first = None;
    for opening in footer["openings"].as_array_mut().expect("a list") {
        let of = opening["number"].clone();
        let Some(offsets) = opening.pointer_mut(place).and_then(Value::as_array_mut) else { continue };
        for offset in offsets {
            offset[1] = (offset[1].as_i64().expect("seconds") + 3600).into();
        }
        first.get_or_insert(of);
    }
    let Some(first) = first else { return };
    let shifted = text_of(&lines);
    let name = format!("game {number}, an hour off");
    let said = trial.compare(&name, &game.record, shifted.as_bytes());
    let refused = said == format!("3 clock line {first}");
    assert_eq!(refused, is_bound, "{name}: {said}");
    trial.shifted += usize::from(is_bound);
}

/// A kept game whose server has bound offsets that are an hour off, and that both verifiers accept.
pub fn with_false_offsets() -> String {
    let forged = kept().into_iter().find_map(|game| {
        let mut lines = lines_of(std::str::from_utf8(&game.clock_log).expect("JSON"));
        for opening in lines.last_mut()?["openings"].as_array_mut()? {
            for offset in opening.pointer_mut("/value/offsets/changes")?.as_array_mut()? {
                offset[1] = (offset[1].as_i64()? + 3600).into();
            }
        }
        commit_again(&mut lines)?;
        mend(&mut lines)?;
        let clock_log = text_of(&lines);
        let (_, clock) = log::verify(&game.record, clock_log.as_bytes()).expect("a good record");
        let is_told = clock.ok()?.warning.is_some();
        is_told.then(|| String::from_utf8(game.record).expect("JSON") + &clock_log)
    });
    forged.expect("one with calendars whose times stay possible")
}

/// The games with records and clock logs that are kept for other verifiers, in all forms that there ever were.
fn kept() -> Vec<Simulated> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clock_vectors");
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let records = files.filter(|path| path.extension().is_some_and(|ext| ext == "ndjson"));
    let read = |path: PathBuf| {
        let whole = std::fs::read(&path).expect("a record");
        let (record, clock_log) = log::split(&whole);
        let beside = |ext| std::fs::read_to_string(path.with_extension(ext)).expect("its times");
        Simulated {
            record: record.to_vec(),
            clock_log: clock_log.expect("a clock log").to_vec(),
            times: beside("times"),
            answers: beside("answers"),
        }
    };
    records.map(read).collect()
}

#[test]
fn both_verifiers_say_the_same_of_every_clock_log() {
    let mut games = simulated(GAMES);
    games.extend(kept());
    with_engine(|engine| {
        let mut trial = Trial { engine, refused: 0, accepted: 0, shifted: 0, differences: Vec::new() };
        for (number, game) in games.iter().enumerate() {
            try_game(&mut trial, number, game);
        }
        let Trial { refused, accepted, shifted, differences, .. } = trial;
        assert!(
            differences.is_empty(),
            "{} differ:\n{}",
            differences.len(),
            differences[..differences.len().min(5)].join("\n")
        );
        assert!(refused > 500 && accepted >= GAMES, "{refused} refused, {accepted} accepted");
        assert!(shifted >= GAMES / 2, "{shifted} with bound offsets that are an hour off");
    });
}
