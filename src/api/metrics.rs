//! What the server counts, for Prometheus.

use std::time::Duration;

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, Gauge, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
    TextEncoder,
};

use crate::store::Database;
use crate::store::audit::AuditRow;

/// Bounds of the histogram of answer times, in seconds.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The counters of this process.
#[derive(Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    under_way: IntGauge,
    worker_steps: IntCounterVec,
    audit: AuditGauges,
    sole: IntGauge,
}

/// The newest nightly audit, whichever process ran it.
#[derive(Clone)]
struct AuditGauges {
    games: IntGauge,
    findings: IntGauge,
    seconds: Gauge,
    finished_at: Gauge,
}

impl AuditGauges {
    fn in_registry(registry: &Registry) -> Self {
        let games = IntGauge::new("pippost_audit_games", "Games that the newest nightly audit checked.");
        let findings = IntGauge::new("pippost_audit_findings", "What the newest nightly audit found wrong.");
        let seconds = Gauge::new("pippost_audit_seconds", "How long the newest nightly audit took.");
        let finished_at = Gauge::new(
            "pippost_audit_finished_at_seconds",
            "When it ended, in seconds since 1970; 0 if never.",
        );
        let gauges = Self {
            games: games.expect("a good name"),
            findings: findings.expect("a good name"),
            seconds: seconds.expect("a good name"),
            finished_at: finished_at.expect("a good name"),
        };
        registry.register(Box::new(gauges.games.clone())).expect("registered once");
        registry.register(Box::new(gauges.findings.clone())).expect("registered once");
        registry.register(Box::new(gauges.seconds.clone())).expect("registered once");
        registry.register(Box::new(gauges.finished_at.clone())).expect("registered once");
        gauges
    }
}

/// The statements that the database's own connections have counted.
struct Statements {
    database: Database,
    /// Says how the numbers are called; each is a counter made anew.
    counter: IntCounter,
}

impl Collector for Statements {
    fn desc(&self) -> Vec<&Desc> {
        self.counter.desc()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let counter = statements_counter();
        counter.inc_by(self.database.statements());
        counter.collect()
    }
}

fn statements_counter() -> IntCounter {
    let help = "Statements sent to the database by this process.";
    IntCounter::new("pippost_database_statements_total", help).expect("a good name")
}

/// A request that has not been answered yet, nor given up by who asked.
pub struct UnderWay(IntGauge);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// # Panics
    /// Never: the names are fixed and different.
    #[must_use]
    pub fn new() -> Self {
        let registry = Registry::new();
        let labels = ["method", "route", "status"];
        let requests = Opts::new("pippost_http_requests_total", "Requests answered.");
        let requests = IntCounterVec::new(requests, &labels).expect("a good name");
        let seconds = HistogramOpts::new("pippost_http_request_seconds", "Time to answer, in seconds.");
        let seconds =
            HistogramVec::new(seconds.buckets(BUCKETS.to_vec()), &["method", "route"]).expect("a good name");
        let under_way = IntGauge::new("pippost_http_requests_under_way", "Requests being answered.");
        let under_way = under_way.expect("a good name");
        let worker_steps = Opts::new("pippost_worker_items_total", "What the worker has done, by loop.");
        let worker_steps = IntCounterVec::new(worker_steps, &["loop", "outcome"]).expect("a good name");
        registry.register(Box::new(requests.clone())).expect("registered once");
        registry.register(Box::new(seconds.clone())).expect("registered once");
        registry.register(Box::new(under_way.clone())).expect("registered once");
        registry.register(Box::new(worker_steps.clone())).expect("registered once");
        let audit = AuditGauges::in_registry(&registry);
        let sole = IntGauge::new("pippost_sole", "1 while no other process writes games.");
        let sole = sole.expect("a good name");
        registry.register(Box::new(sole.clone())).expect("registered once");
        Self { registry, requests, seconds, under_way, worker_steps, audit, sole }
    }

    /// Shows whether this process is the only one that writes games, so that its memory needs no question.
    pub fn show_sole(&self, is_sole: bool) {
        self.sole.set(is_sole.into());
    }

    /// Shows how many statements are sent to `database`.
    ///
    /// # Panics
    /// If it is called twice.
    pub fn watch(&self, database: Database) {
        let statements = Statements { database, counter: statements_counter() };
        self.registry.register(Box::new(statements)).expect("registered once");
    }

    /// Shows a nightly audit.
    #[allow(clippy::cast_precision_loss, reason = "seconds since 1970 fit a double")]
    pub fn show_audit(&self, audit: &AuditRow) {
        self.audit.games.set(audit.games);
        self.audit.findings.set(audit.findings);
        self.audit.seconds.set(audit.seconds);
        self.audit.finished_at.set(audit.finished_at.unix_timestamp() as f64);
    }

    /// A request comes in; it counts as under way until what comes back is dropped.
    #[must_use]
    pub fn begin(&self) -> UnderWay {
        self.under_way.inc();
        UnderWay(self.under_way.clone())
    }

    /// A request has been answered: counted and timed by route rather than by address.
    pub fn count(&self, method: &str, route: &str, status: &str, took: Duration) {
        self.requests.with_label_values(&[method, route, status]).inc();
        self.seconds.with_label_values(&[method, route]).observe(took.as_secs_f64());
    }

    /// Counts what a loop of the worker has done.
    pub fn count_worker(&self, loop_name: &str, outcome: &str, items: usize) {
        self.worker_steps.with_label_values(&[loop_name, outcome]).inc_by(items as u64);
    }

    /// All numbers in Prometheus' text form.
    ///
    /// # Panics
    /// Never: the text form is UTF-8.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text).expect("a buffer takes all");
        String::from_utf8(text).expect("UTF-8")
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
