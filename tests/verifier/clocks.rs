//! Compares both verifiers on clock logs: of simulated games, and of forged ones. They must name the same check and place, and the same
//! times. The browser's modules run in a plain engine.

use pippost::clock::log::{self, Line};
use pippost::record::{Hash, canonical};
use serde_json::Value;

use support::javascript::{Engine, with_engine};
use support::sample::Sampler;
use support::simulated_clocks::{Simulated, simulated};

/// The games that are compared.
const GAMES: usize = 60;

/// The forged logs of each game.
const FORGERIES: usize = 24;

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

/// A log with another value in one line, whose chain is made good again after it as a forger would, if `mended`.
fn forge(text: &str, sampler: &mut Sampler, mended: bool) -> Option<String> {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let index = sampler.below(lines.len());
    let member = if lines[index].get("change").is_some() { "/change" } else { "/openings" };
    let place = lines[index].pointer_mut(member)?;
    change_one(place, sampler);
    if mended {
        mend(&mut lines)?;
    }
    let line = |value: &Value| String::from_utf8(canonical::of(value)).expect("JSON") + "\n";
    let forged: String = lines.iter().map(line).collect();
    // Which zone database is right, our verifier alone can say.
    (forged != text && !forged.contains("Nowhere")).then_some(forged)
}

/// Changes one number, time, flag or hash somewhere in a value.
fn change_one(value: &mut Value, sampler: &mut Sampler) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let chosen = sampler.below(members.len());
            let (name, inner) = members.iter_mut().nth(chosen).expect("one of them");
            if !["zone", "offsets", "type"].contains(&name.as_str()) {
                change_one(inner, sampler);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let chosen = sampler.below(items.len());
            change_one(&mut items[chosen], sampler);
        }
        Value::Number(number) => {
            let changes = [1, -1, 24, 2000, -2000];
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
        let mended = forgery % 2 == 1;
        if let Some(forged) = forge(text, &mut sampler, mended) {
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

#[test]
fn both_verifiers_say_the_same_of_every_clock_log() {
    let games = simulated(GAMES);
    with_engine(|engine| {
        let mut trial = Trial { engine, refused: 0, accepted: 0, differences: Vec::new() };
        for (number, game) in games.iter().enumerate() {
            try_game(&mut trial, number, game);
        }
        let Trial { refused, accepted, differences, .. } = trial;
        assert!(
            differences.is_empty(),
            "{} differ:\n{}",
            differences.len(),
            differences[..differences.len().min(5)].join("\n")
        );
        assert!(refused > 500 && accepted >= GAMES, "{refused} refused, {accepted} accepted");
    });
}
