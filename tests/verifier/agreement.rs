//! Compares both verifiers on the same records, honest and forged: whole, without footer, and cut at every event. They must
//! agree on the verdict, the check and the place. The browser's modules run in a plain engine here, so every run tries
//! thousands.

use pippost::record::canonical;
use pippost::rules;
use serde_json::Value;

use super::forging::{FORGERIES, Forger, rebuild};
use super::ours;
use support::javascript::{Engine, Verdict, with_engine};
use support::random_play::{Game, Plan};
use support::sample::Sampler;
use support::tampering::{apply, only_receipts_prove_record};
use support::vectors::{lines_of, record_of};

/// The number of games whose records are tried, unless `PIPPOST_JUDGED_GAMES` sets it.
const GAMES: u64 = 32;

/// The most cuts of one record; longer records are cut at evenly spaced events.
const MAX_CUTS: usize = 48;

/// The number of byte changes tried on a record.
const BYTE_CHANGES: usize = 12;

/// The most differences that are reported.
const DIFFERENCES_TOLD: usize = 20;

/// The number of records tried, and the differences between the verifiers.
#[derive(Default)]
struct Outcome {
    accepted: usize,
    refused: usize,
    wrong: Vec<String>,
}

/// One game's records and how they are tried.
struct Trial<'a> {
    engine: &'a Engine,
    /// Names the game in messages.
    name: String,
    record: Vec<u8>,
    outcome: &'a mut Outcome,
}

impl Trial<'_> {
    /// Runs both verifiers and returns our verdict.
    fn compare(&mut self, what: &str, record: &[u8]) -> Verdict {
        let (ours, theirs) = (ours(record), self.engine.judge(record));
        if ours != theirs {
            self.outcome
                .wrong
                .push(format!("{}, {what}: ours {ours:?}, the browser's {theirs:?}", self.name));
        }
        match ours {
            Verdict::Accepted { .. } => self.outcome.accepted += 1,
            Verdict::Refused { .. } => self.outcome.refused += 1,
        }
        ours
    }

    fn honest(&mut self, what: &str, record: &[u8], proved: bool) {
        let verdict = self.compare(what, record);
        if verdict != (Verdict::Accepted { proved }) {
            self.outcome.wrong.push(format!("{}, {what}: {verdict:?} though honest", self.name));
        }
    }

    /// A changed record: the verifiers must agree, and accept only what the protocol leaves to receipts.
    fn changed(&mut self, what: &str, record: &[u8]) {
        let verdict = self.compare(what, record);
        let proved = verdict == Verdict::Accepted { proved: true };
        if proved && record != self.record && !only_receipts_prove_record(&self.record, record) {
            self.outcome.wrong.push(format!("{}, {what}: proved though changed", self.name));
        }
    }
}

/// Plays a random game of any rule set, in which seats may leave, and ends it in one of all possible ways, or not at all.
fn random_game(number: u64) -> Game {
    let kinds = rules::all().count() as u64;
    let plan = Plan { rules: usize::try_from(number % kinds).expect("few"), seed: number, actions: 0 };
    let mut game = Game::start(&plan);
    let mut sampler = Sampler::new(!number);
    let lengths = [3, 10, 25, 60];
    let most = lengths[sampler.below(lengths.len())];
    // Few games are long, because a longer game needs more trials.
    let actions = if number % 16 == 15 { 160 } else { sampler.below(most) };
    for _ in 0..actions {
        let staying = game.chronicle.table().staying().count();
        if staying > 2 && sampler.below(24) == 0 {
            game.leave();
        }
        if !game.play_one() {
            break;
        }
    }
    match sampler.below(8) {
        0 | 1 => {}
        2 | 3 if game.chronicle.table().may_abort() => game.abort(),
        _ => game.end(),
    }
    game
}

/// Tries all records of one game.
fn try_game(engine: &Engine, number: u64, outcome: &mut Outcome) {
    let game = random_game(number);
    let record = game.record();
    let lines: Vec<Value> = lines_of(std::str::from_utf8(&record).expect("JSON"));
    let footer = usize::from(game.chronicle.table().result().is_some());
    let events = lines.len() - 1 - footer;
    let name = format!("game {number} ({} {})", lines[0]["rules"], lines[0]["options"]);
    let mut trial = Trial { engine, name, record: record.clone(), outcome };
    trial.honest("whole", &record, footer == 1);
    for last in (1..=events).rev().step_by(events.div_ceil(MAX_CUTS)) {
        trial.honest(&format!("cut after event {}", last - 1), &record_of(&lines[..=last]), false);
    }
    let mut forger = Forger { lines: Vec::new(), key: game.key(), sampler: Sampler::new(number) };
    for (forgery, forge) in FORGERIES {
        forger.lines.clone_from(&lines);
        let Some(told) = forge(&mut forger) else { continue };
        let mut forged = forger.lines.clone();
        if forged == lines {
            continue;
        }
        let what = format!("{forgery}: {told}");
        if let Some(record) = written(&forged) {
            trial.changed(&format!("{what}, chain as it was"), &record);
        }
        rebuild(&mut forged);
        let Some(whole) = written(&forged) else { continue };
        trial.changed(&what, &whole);
        let footer = usize::from(forged.last().is_some_and(|line| line.get("master").is_some()));
        let running = forged.len() - footer;
        for last in [running, 1 + forger.sampler.below(running)] {
            let cut = written(&forged[..last]).expect("lines that could be written");
            trial.changed(&format!("{what}, {last} lines"), &cut);
        }
    }
    for _ in 0..BYTE_CHANGES {
        let bytes: [u8; 32] = forger.sampler.bytes();
        let change = *bytes.first_chunk().expect("enough bytes");
        trial.changed(&format!("bytes changed, {change:?}"), &apply(&record, change));
    }
}

/// The record of these lines, if they can be written canonically.
fn written(lines: &[Value]) -> Option<Vec<u8>> {
    lines.iter().all(|line| canonical::to_bytes(line).is_ok()).then(|| record_of(lines))
}

/// Tries all games, with an engine for each thread.
fn try_games(games: u64) -> Outcome {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let share = |thread: u64| {
        with_engine(|engine| {
            let mut outcome = Outcome::default();
            for number in (thread..games).step_by(usize::try_from(threads).expect("few")) {
                try_game(engine, number, &mut outcome);
            }
            outcome
        })
    };
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        shares.into_iter().map(|share| share.join().expect("an outcome")).fold(
            Outcome::default(),
            |all, one| {
                let wrong = [all.wrong, one.wrong].concat();
                Outcome { accepted: all.accepted + one.accepted, refused: all.refused + one.refused, wrong }
            },
        )
    })
}

#[test]
fn both_verifiers_agree_on_honest_and_forged_records_whole_without_footer_and_cut_at_every_event() {
    let asked = std::env::var("PIPPOST_JUDGED_GAMES").ok().and_then(|number| number.parse().ok());
    let games = asked.unwrap_or(GAMES);
    let Outcome { accepted, refused, wrong } = try_games(games);
    println!(
        "{games} games: {accepted} records accepted by both, {refused} refused by both, {} wrong",
        wrong.len()
    );
    let told = wrong.iter().take(DIFFERENCES_TOLD).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{told}", wrong.len(), accepted + refused);
    assert!(accepted > 500 && refused > 2000, "{accepted} accepted, {refused} refused");
}

#[test]
fn a_seed_that_only_seated_the_players_is_due_in_event_0() {
    let tried = with_engine(seeds_that_only_seated);
    assert!(tried > 100, "{tried}");
}

/// Withholds each of these seeds; returns their number.
fn seeds_that_only_seated(engine: &Engine) -> usize {
    let mut tried = 0;
    for seed in 0..40 {
        for rules in 0..rules::all().count() {
            let mut game = Game::start(&Plan { rules, seed, actions: 0 });
            game.play(4);
            let running = lines_of(std::str::from_utf8(&game.record()).expect("JSON"));
            game.end();
            let finished = lines_of(std::str::from_utf8(&game.record()).expect("JSON"));
            if running[1]["seeds"].as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            for mut lines in [running, finished] {
                lines[1]["seeds"] = serde_json::json!([]);
                assert!(rebuild(&mut lines));
                let record = record_of(&lines);
                let refused = Verdict::Refused { check: 3, place: "event 0".to_owned() };
                assert_eq!(
                    (ours(&record), engine.judge(&record)),
                    (refused.clone(), refused),
                    "{}",
                    lines[0]
                );
                tried += 1;
            }
        }
    }
    tried
}
