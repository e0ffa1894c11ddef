//! Prints the results.

use super::attacks::Attack;
use super::honest::{Moves, PLAYERS, PLAYERS_ADDRESS, THINK_TIME};
use super::tally::Tally;
use super::visibility::Told;
use super::{MAX_KEPT_RATIO, MAX_MEMORY_MB, MAX_P99_RATIO, MAX_TOLD};

/// The results of all rounds.
#[derive(Default)]
pub struct Found {
    pub quiet: Moves,
    pub attacked: Moves,
    /// One per round.
    pub tallies: Vec<Tally>,
    /// The server's peak memory, in bytes.
    pub peak_bytes: u64,
    /// The most memory of the quiet server, before each attack and after the last.
    pub quiet_bytes: Vec<u64>,
    /// What the time of answers tells of private games.
    pub told: Vec<Told>,
}

impl Found {
    pub fn add(&mut self, quiet: Moves, attacked: Moves, tally: Tally) {
        self.quiet.add(&quiet);
        self.attacked.add(&attacked);
        self.tallies.push(tally);
    }

    /// The memory of the quiet server after the attacks, at most, in parts of that before them.
    #[allow(clippy::cast_precision_loss)]
    fn kept(&self) -> f64 {
        let [before, after @ ..] = &self.quiet_bytes[..] else { return 0.0 };
        after.iter().max().copied().unwrap_or_default() as f64 / *before as f64
    }

    /// How far the area that tells most of a private game is from a half.
    fn most_told(&self) -> f64 {
        let areas = self.told.iter().flat_map(|told| [told.warm, told.cold]);
        areas.map(|area| (area - 0.5).abs()).fold(0.0, f64::max)
    }
}

#[allow(clippy::cast_precision_loss)]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

pub fn introduction(rounds: u16, quiet: f64, attacked: f64) {
    println!("\nHonest players on a quiet server and on one under attack, in turn\n");
    println!("  {rounds} rounds of {quiet} s quiet and {attacked} s attacked");
    println!(
        "  {PLAYERS} players from {PLAYERS_ADDRESS}, a connection each, {} ms of thought before each move\n",
        THINK_TIME.as_millis()
    );
    println!(
        "{:>5} {:>9} {:>8} {:>8} {:>7} {:>9} {:>8} {:>8} {:>7} {:>6} {:>7}",
        "round", "quiet", "p50 ms", "p99 ms", "MB", "attacked", "p50 ms", "p99 ms", "MB", "p99 ×", "failed"
    );
}

pub fn round(round: u16, quiet: &Moves, attacked: &Moves, quiet_bytes: u64, attacked_bytes: u64) {
    let side = |moves: &Moves, bytes: u64| {
        let (p50, p99) = (moves.quantile_ms(0.5), moves.quantile_ms(0.99));
        format!("{:>9} {p50:>8.2} {p99:>8.2} {:>7.0}", moves.latencies.len(), megabytes(bytes))
    };
    println!(
        "{round:>5} {} {} {:>6.2} {:>7}",
        side(quiet, quiet_bytes),
        side(attacked, attacked_bytes),
        attacked.quantile_ms(0.99) / quiet.quantile_ms(0.99),
        quiet.failed + attacked.failed
    );
}

/// Each attack and its outcomes.
pub fn table(attacks: &[Attack], found: &Found) {
    println!(
        "\n{:<30} {:>5} {:>9} {:>5} {:>9}  answers",
        "attack", "conns", "at most/s", "peers", "attempts"
    );
    let tally = Tally::sum(&found.tallies);
    for attack in attacks {
        println!(
            "{:<30} {:>5} {:>9.0} {:>5} {:>9}  {}",
            attack.name,
            attack.connections,
            attack.most_a_second,
            attack.peers,
            tally.attempts(attack.name),
            tally.told(attack.name)
        );
    }
}

/// How well a stranger tells a private game from none, by each operation.
pub fn visibility(found: &Found) {
    println!(
        "\n{:<30} {:>12} {:>12}  (area under the curve; 0.5 tells nothing)",
        "a private game", "in memory", "not"
    );
    for told in &found.told {
        println!("{:<30} {:>12.3} {:>12.3}", told.operation, told.warm, told.cold);
    }
}

/// Prints the verdicts; returns the number of missed targets. A smoke test does not judge the time of moves and log-ins.
#[must_use]
pub fn verdicts(found: &Found, quick: bool) -> usize {
    let tally = Tally::sum(&found.tallies);
    let (quiet, attacked) = (&found.quiet, &found.attacked);
    let ratio = attacked.quantile_ms(0.99) / quiet.quantile_ms(0.99);
    let failed = quiet.failed + attacked.failed;
    let log_ins = [0, 1].map(|outcome| quiet.log_ins[outcome] + attacked.log_ins[outcome]);
    let memory = megabytes(found.peak_bytes);
    let (kept, most_told) = (found.kept(), found.most_told());
    println!();
    for (name, moves) in [("quiet", quiet), ("attacked", attacked)] {
        let [p50, p99, worst] = [0.5, 0.99, 1.0].map(|quantile| moves.quantile_ms(quantile));
        println!(
            "  {name:<9} {:>7} moves, p50 {p50:.2} ms, p99 {p99:.2} ms, longest {worst:.1} ms",
            moves.latencies.len()
        );
    }
    for shown in attacked.shown.iter().chain(&quiet.shown) {
        println!("  failed: {shown}");
    }
    for shown in &tally.shown {
        println!("  wrong answer: {shown}");
    }
    println!();
    let verdicts = [
        (
            format!("the server's memory, at most: {memory:.0} MB"),
            format!("below {MAX_MEMORY_MB} MB"),
            memory < MAX_MEMORY_MB,
        ),
        (
            format!(
                "honest moves that failed: {failed} of {}",
                failed + quiet.latencies.len() + attacked.latencies.len()
            ),
            "none".to_owned(),
            failed == 0 && !attacked.latencies.is_empty(),
        ),
        (
            format!("honest log-ins that failed: {} of {}", log_ins[1], log_ins[0] + log_ins[1]),
            "none".to_owned(),
            (log_ins[1] == 0 || quick) && log_ins != [0, 0],
        ),
        (
            format!("answers to attacks with 5xx, but for 503 with Retry-After: {}", tally.faults),
            "none".to_owned(),
            tally.faults == 0,
        ),
        (
            format!("p99 of honest moves attacked / quiet: {ratio:.2}"),
            format!("at most {MAX_P99_RATIO}"),
            ratio <= MAX_P99_RATIO || quick,
        ),
        (
            format!("memory of the quiet server after attacks / before: {kept:.2}"),
            format!("at most {MAX_KEPT_RATIO}"),
            kept <= MAX_KEPT_RATIO,
        ),
        (
            format!("what time tells of a private game, from 0 to 0.5: {most_told:.3}"),
            format!("at most {MAX_TOLD}"),
            most_told <= MAX_TOLD || quick,
        ),
    ];
    for (what, target, holds) in &verdicts {
        println!("  {what:<66} {target:<14} {}", if *holds { "held" } else { "MISSED" });
    }
    verdicts.iter().filter(|(_, _, holds)| !holds).count()
}
