//! Prints the results.

use super::attacks::Attack;
use super::costs::Cost;
use super::harm::Harm;
use super::honest::{Action, Measured, PLAYERS, PLAYERS_ADDRESS, PhaseResults, THINK_TIME};
use super::tally::{Sums, Tally};
use super::visibility::Told;
use super::{MAX_KEPT_RATIO, MAX_MEMORY_MB, MAX_P99_RATIO, MAX_TOLD};

/// The results of all rounds.
#[derive(Default)]
pub struct Found {
    pub quiet: PhaseResults,
    pub attacked: PhaseResults,
    /// One per round.
    pub tallies: Vec<Tally>,
    /// The server's peak memory, in bytes.
    pub peak_bytes: u64,
    /// The most memory of the quiet server, before each attack and after the last.
    pub quiet_bytes: Vec<u64>,
    /// What the time of answers tells of private games.
    pub told: Vec<Told>,
    /// What was done to others.
    pub harm: Harm,
    /// What requests without an account cost the quiet server.
    pub costs: Vec<Cost>,
}

impl Found {
    pub fn add(&mut self, quiet: PhaseResults, attacked: PhaseResults, tally: Tally) {
        self.quiet.add(&quiet);
        self.attacked.add(&attacked);
        self.tallies.push(tally);
    }

    /// How many actions of a kind failed, of how many.
    fn failed(&self, action: Action) -> [u64; 2] {
        let both = [&self.quiet, &self.attacked].map(|phase| phase.of(action));
        [both.iter().map(|measured| measured.failed).sum(), both.iter().map(Measured::count).sum()]
    }

    /// By how much the p99 of a kind of actions grew.
    fn ratio(&self, action: Action) -> f64 {
        let [quiet, attacked] = [&self.quiet, &self.attacked].map(|phase| phase.of(action));
        attacked.quantile_ms(0.99) / quiet.quantile_ms(0.99)
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

pub fn round(
    round: u16,
    quiet: &PhaseResults,
    attacked: &PhaseResults,
    quiet_bytes: u64,
    attacked_bytes: u64,
) {
    let [quiet, attacked] = [quiet, attacked].map(|phase| phase.of(Action::Move));
    let side = |moves: &Measured, bytes: u64| {
        let (p50, p99) = (moves.quantile_ms(0.5), moves.quantile_ms(0.99));
        format!("{:>9} {p50:>8.2} {p99:>8.2} {:>7.0}", moves.latencies.len(), megabytes(bytes))
    };
    println!(
        "{round:>5} {} {} {:>6.2} {:>7}",
        side(&quiet, quiet_bytes),
        side(&attacked, attacked_bytes),
        attacked.quantile_ms(0.99) / quiet.quantile_ms(0.99),
        quiet.failed + attacked.failed
    );
}

/// Each attack: what was asked, what was answered and refused, and all outcomes.
pub fn table(attacks: &[Attack], found: &Found) {
    println!(
        "\n{:<30} {:>5} {:>9} {:>5} {:>8} {:>8} {:>8}  outcomes",
        "attack", "conns", "at most/s", "peers", "asked", "answered", "refused"
    );
    let tally = Tally::sum(&found.tallies);
    for attack in attacks {
        let Sums { attempts, answered, refused } = tally.sums(attack.name);
        println!(
            "{:<30} {:>5} {:>9.0} {:>5} {attempts:>8} {answered:>8} {refused:>8}  {}",
            attack.name,
            attack.connections,
            attack.most_a_second,
            attack.peers.count(),
            tally.told(attack.name)
        );
    }
}

/// The mails that people got who asked for none.
pub fn harm(harm: &Harm) {
    println!("\n{:<30} {:>12} {:>12}", "mails to who got most", "there", "at most");
    for mails in &harm.mails {
        println!("{:<30} {:>12} {:>12}", mails.kind, mails.to_one, mails.bound);
    }
}

/// What requests without an account cost, as a table of Markdown.
pub fn costs(costs: &[Cost]) {
    println!(
        "\nWhat needs no account, made anew, on the quiet server\n\n|request|ms|µs/byte|\n|---|---|---|"
    );
    for cost in costs {
        println!("|{}|{:.1}|{:.2}|", cost.request, cost.milliseconds, cost.microseconds_a_byte);
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

/// One target and whether it is held.
struct Verdict {
    what: String,
    target: String,
    holds: bool,
}

/// Prints the verdicts; returns the number of missed targets. A smoke test does not judge what depends on the machine's speed.
#[must_use]
pub fn verdicts(found: &Found, quick: bool) -> usize {
    println!();
    for action in Action::ALL {
        for (name, phase) in [("quiet", &found.quiet), ("attacked", &found.attacked)] {
            let measured = phase.of(action);
            let [p50, p99, worst] = [0.5, 0.99, 1.0].map(|quantile| measured.quantile_ms(quantile));
            println!(
                "  {name:<9} {:>7} {:<8} p50 {p50:.2} ms, p99 {p99:.2} ms, longest {worst:.1} ms",
                measured.latencies.len(),
                action.plural()
            );
        }
    }
    let tally = Tally::sum(&found.tallies);
    for shown in found.attacked.shown.iter().chain(&found.quiet.shown) {
        println!("  failed: {shown}");
    }
    for shown in &tally.shown {
        println!("  wrong answer: {shown}");
    }
    println!();
    let all: Vec<_> = of_honest(found, quick).chain(of_server(found, &tally, quick)).collect();
    for Verdict { what, target, holds } in &all {
        println!("  {what:<66} {target:<14} {}", if *holds { "held" } else { "MISSED" });
    }
    all.iter().filter(|verdict| !verdict.holds).count()
}

/// What honest players noticed of the attacks.
fn of_honest(found: &Found, quick: bool) -> impl Iterator<Item = Verdict> {
    Action::ALL.into_iter().flat_map(move |action| {
        let ([failed, all], ratio) = (found.failed(action), found.ratio(action));
        // A debug build hashes passwords, and writes answers to attackers, so slowly that all places for these are in use.
        let is_judged = !quick || action == Action::Move;
        let failures = Verdict {
            what: format!("honest {} that failed: {failed} of {all}", action.plural()),
            target: "none".to_owned(),
            holds: (failed == 0 || !is_judged) && found.attacked.of(action).count() > 0,
        };
        let latency = Verdict {
            what: format!("p99 of honest {} attacked / quiet: {ratio:.2}", action.plural()),
            target: format!("at most {MAX_P99_RATIO}"),
            holds: ratio <= MAX_P99_RATIO || quick,
        };
        [failures, latency]
    })
}

/// What the server did, and what it cost.
fn of_server(found: &Found, tally: &Tally, quick: bool) -> impl Iterator<Item = Verdict> {
    let memory = megabytes(found.peak_bytes);
    let (kept, most_told, harm) = (found.kept(), found.most_told(), &found.harm);
    let mails: i64 = harm.mails.iter().map(|mails| mails.to_one).sum();
    [
        (
            format!("the server's memory, at most: {memory:.0} MB"),
            format!("below {MAX_MEMORY_MB} MB"),
            memory < MAX_MEMORY_MB,
        ),
        (
            format!("memory of the quiet server after attacks / before: {kept:.2}"),
            format!("at most {MAX_KEPT_RATIO}"),
            kept <= MAX_KEPT_RATIO,
        ),
        (
            format!("answers to attacks with 5xx, but for 503 with Retry-After: {}", tally.faults),
            "none".to_owned(),
            tally.faults == 0,
        ),
        (
            format!("mails of each kind to one victim, in all: {mails}"),
            "within bounds".to_owned(),
            harm.is_bounded(),
        ),
        (
            format!("games at once of an attacker: {}", harm.games),
            format!("at most {}", harm.most_games),
            harm.games <= harm.most_games,
        ),
        (
            format!("what time tells of a private game, from 0 to 0.5: {most_told:.3}"),
            format!("at most {MAX_TOLD}"),
            most_told <= MAX_TOLD || quick,
        ),
    ]
    .into_iter()
    .map(|(what, target, holds)| Verdict { what, target, holds })
}
