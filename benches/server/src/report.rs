//! Prints the figures.

use std::fs;

use super::cpu;
use super::measure::{Found, Measure, Round};
use super::rounds::Setup;

/// The measured versions and settings.
///
/// # Errors
/// The database did not answer.
pub async fn introduction(setup: &Setup) -> anyhow::Result<()> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let args = &setup.args;
    println!("pippost-bench {}", env!("CARGO_PKG_VERSION"));
    println!("  processors  {processors} × {}", model.map_or("unknown", |(_, name)| name));
    println!("  scheduler   {}", scheduler());
    println!("  database    {}", setup.seeder.settings().await?);
    println!(
        "  game        {}, row of its state {} B, event {} B, stored response {} B",
        setup.rules_name(),
        setup.typical.snapshot.len(),
        setup.typical.line.len(),
        setup.typical.answer.len()
    );
    println!(
        "  rounds      {} of {} s, at most {} % foreign",
        args.rounds, args.seconds, args.foreign_percent
    );
    println!("  ready       {} ms after the start, on a new database", setup.server.ready_after.as_millis());
    Ok(())
}

/// The median.
#[must_use]
pub fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    match numbers.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => numbers[count / 2],
        count => f64::midpoint(numbers[count / 2 - 1], numbers[count / 2]),
    }
}

/// The figures of one round.
#[allow(clippy::cast_precision_loss)]
impl Round {
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.taken.requests as f64 / self.taken.seconds
    }

    /// Of the answers' bodies, per second.
    fn body_megabytes(&self) -> f64 {
        self.taken.body_bytes as f64 / 1e6 / self.taken.seconds
    }

    /// A quantile in milliseconds.
    #[must_use]
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        self.taken.latencies.value_at_quantile(quantile) as f64 / 1000.0
    }

    /// A quantile as it would be if requests came evenly and independently: corrected for coordinated omission.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn corrected_ms(&self, quantile: f64, connections: usize) -> f64 {
        let interval = connections as f64 * 1_000_000.0 / self.rate();
        self.taken.latencies.clone_correct(interval as u64).value_at_quantile(quantile) as f64 / 1000.0
    }

    /// Per request.
    pub fn each(&self, amount: f64) -> f64 {
        amount / (self.taken.requests as f64).max(1.0)
    }

    #[must_use]
    pub fn postgres_us(&self) -> f64 {
        self.each(self.split.postgres * 1_000_000.0)
    }

    #[must_use]
    pub fn server_us(&self) -> f64 {
        self.each(self.split.server * 1_000_000.0)
    }
}

/// All measures, one per line.
#[allow(clippy::cast_precision_loss)]
pub fn table(found: &Found) {
    println!(
        "\nMedians of the rounds. Latencies in ms; p99* is corrected for coordinated omission. Processor time in µs a request.\n"
    );
    println!(
        "{:<30} {:>5} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6}",
        "",
        "conns",
        "a second",
        "p50",
        "p99",
        "p99.9",
        "p99*",
        "spread",
        "client",
        "server",
        "pg",
        "wire B",
        "WAL B",
        "foul"
    );
    for (measure, rounds) in found {
        let connections = measure.connections();
        let of = |value: &dyn Fn(&Round) -> f64| median(rounds.iter().map(value));
        println!(
            "{measure:<30} {connections:>5} {:>9.0} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>7.0}% {:>7.1} {:>7.1} {:>7.1} {:>7.0} {:>7.0} {:>6}",
            of(&Round::rate),
            of(&|round| round.quantile_ms(0.5)),
            of(&|round| round.quantile_ms(0.99)),
            of(&|round| round.quantile_ms(0.999)),
            of(&|round| round.corrected_ms(0.99, connections)),
            spread_percent(rounds.iter().map(Round::rate)),
            of(&|round| round.each(round.split.client * 1_000_000.0)),
            of(&Round::server_us),
            of(&Round::postgres_us),
            of(&|round| round.each(round.taken.bytes as f64)),
            of(&|round| round.each(round.wal_bytes as f64)),
            rounds.iter().filter(|round| round.disturbed).count(),
        );
    }
}

/// Of PostgreSQL's time the part of a cluster's coordinator.
pub fn coordinator(found: &Found) {
    println!("\nOf PostgreSQL's time the coordinator's, in µs a request\n");
    for (measure, rounds) in found {
        let coordinator =
            median(rounds.iter().map(|round| round.each(round.split.coordinator * 1_000_000.0)));
        println!("{measure:<30} {:>5} {coordinator:>9.1}", measure.connections());
    }
}

/// The difference between the fastest and the slowest round, as a percentage of the median.
#[must_use]
pub fn spread_percent(rates: impl Iterator<Item = f64> + Clone) -> f64 {
    let (low, high) = (rates.clone().fold(f64::MAX, f64::min), rates.clone().fold(0.0, f64::max));
    100.0 * (high - low) / median(rates)
}

/// The median of each round's own ratio: a round's measures are adjacent, so a machine that gets slower or faster affects both.
#[must_use]
pub fn ratio<R>(above: &[R], below: &[R], value: impl Fn(&R) -> f64) -> f64 {
    median(above.iter().zip(below).map(|(above, below)| value(above) / value(below)))
}

/// The figures relative to pgbench's in the same run.
pub fn ratios(found: &Found) {
    let rounds = |measure: Measure| found.get(&measure).map_or(&[][..], Vec::as_slice);
    let moves = |connections| rounds(Measure::Moves { connections });
    let pg = |connections| rounds(Measure::PgMoves { connections });
    let corrected = |round: &Round| round.corrected_ms(0.99, 64);
    if found.keys().any(|measure| measure.has_target() && !matches!(measure, Measure::Moves { .. })) {
        println!("\nRatios\n");
    }
    if !moves(64).is_empty() && !pg(64).is_empty() {
        line("moves at 64 / pgbench at 64", ratio(moves(64), pg(64), Round::rate), "at least 2.0");
        line("moves at 256 / pgbench at 64", ratio(moves(256), pg(64), Round::rate), "at least 2.3");
        let p50 = ratio(moves(1), pg(1), |round| round.quantile_ms(0.5));
        line("p50 of one client / pgbench's", p50, "at most 1.5");
        line("p99* at 64 / pgbench's", ratio(moves(64), pg(64), corrected), "at most 0.33");
        let postgres = ratio(moves(64), pg(64), Round::postgres_us);
        line("PostgreSQL's time a move at 64 / pgbench's", postgres, "at most 0.25");
    }
    let connections = 64;
    let views = rounds(Measure::Views { connections });
    if !views.is_empty() {
        let (selects, empty) =
            (rounds(Measure::PgSelects { connections }), rounds(Measure::Empty { connections }));
        line("views / pgbench's selects of the row", ratio(views, selects, Round::rate), "at least 1.2");
        let local = rounds(Measure::LocalViews { connections });
        line(
            "views by a Unix socket / pgbench's selects",
            ratio(local, selects, Round::rate),
            "(as pgbench)",
        );
        line("views / an empty handler", ratio(views, empty, Round::rate), "at least 0.5");
    }
    let connections = 4;
    let (records, pictures) =
        (rounds(Measure::Records { connections }), rounds(Measure::Pictures { connections }));
    if !records.is_empty() {
        line("record export, MB/s", median(records.iter().map(Round::body_megabytes)), "at least 200");
    }
    if !pictures.is_empty() {
        #[allow(clippy::cast_precision_loss)]
        let processors = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let a_core = median(pictures.iter().map(Round::rate)) / processors;
        line("boards as PNG a second a core", a_core, "at least 300");
    }
}

/// The number of statements per request.
pub fn statements(measure: Measure, a_request: f64) {
    println!("  statements a request, {measure} at {}: {a_request:.2}", measure.connections());
}

/// One figure with its target.
pub fn line(what: &str, value: f64, target: &str) {
    println!("  {what:<46} {value:>8.2}   {target}");
}

/// Memory, and the number of discarded rounds.
#[allow(clippy::cast_precision_loss)]
pub fn closing(setup: &Setup) {
    let (now, most) = cpu::memory(setup.server.pid());
    let most = most.max(setup.most_bytes);
    println!("\n  server's memory: {:.0} MB, at most {:.0} MB", now as f64 / 1e6, most as f64 / 1e6);
    println!("  rounds thrown away because of other programs: {}", setup.repeated);
}

/// Whether Linux gives each session (in the sense of `setsid`) the same share of the processors. Then niceness, that of attackers too,
/// holds within a session alone, and each connection of PostgreSQL is one; services of systemd have no such shares.
fn scheduler() -> &'static str {
    match fs::read_to_string("/proc/sys/kernel/sched_autogroup_enabled").as_deref().map(str::trim) {
        Ok("1") => "each session has the same share (kernel.sched_autogroup_enabled=1)",
        _ => "shares by niceness alone",
    }
}
