//! Metrics for Prometheus.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, Gauge, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TextEncoder,
};

use pippost_embedded::{EmbeddedState, EmbeddedStatus};
use pippost_games::Games;
use pippost_store::audit::AuditRow;
use pippost_store::notices::{self, NoticeClass, WaitingClass};
use pippost_store::{Database, StoreError};
use time::OffsetDateTime;

/// The buckets of the histogram of response times, in seconds.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The counters of this process.
#[derive(Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    in_flight: IntGauge,
    worker_steps: IntCounterVec,
    audit: AuditGauges,
    set_aside: IntGaugeVec,
    mails: MailGauges,
}

/// How often it is asked at most which mails wait.
const MAILS_INTERVAL: time::Duration = time::Duration::seconds(15);

/// The mails that wait in the database, whichever process will send them.
#[derive(Clone)]
struct MailGauges {
    waiting: IntGaugeVec,
    oldest_seconds: IntGaugeVec,
    server_up: IntGauge,
    looked_at: Arc<Mutex<Option<OffsetDateTime>>>,
}

impl MailGauges {
    fn in_registry(registry: &Registry) -> Self {
        let waiting = Opts::new("pippost_mails_waiting", "Mails that wait to be sent, by class.");
        let oldest = Opts::new(
            "pippost_mails_oldest_seconds",
            "For how long the oldest mail that waits has done so, by class; 0 if none does.",
        );
        let up = "0 while mails wait for the mail server because it could not be reached, else 1.";
        let gauges = Self {
            waiting: IntGaugeVec::new(waiting, &["class"]).expect("a good name"),
            oldest_seconds: IntGaugeVec::new(oldest, &["class"]).expect("a good name"),
            server_up: IntGauge::new("pippost_mail_server_up", up).expect("a good name"),
            looked_at: Arc::default(),
        };
        registry.register(Box::new(gauges.waiting.clone())).expect("registered once");
        registry.register(Box::new(gauges.oldest_seconds.clone())).expect("registered once");
        registry.register(Box::new(gauges.server_up.clone())).expect("registered once");
        gauges
    }

    /// Whether it is time to look again, and notes that somebody does.
    fn is_due(&self, now: OffsetDateTime) -> bool {
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back counts as that time.
        let is_due = looked_at.is_none_or(|at| !(time::Duration::ZERO..MAILS_INTERVAL).contains(&(now - at)));
        if is_due {
            *looked_at = Some(now);
        }
        is_due
    }

    fn show(&self, waiting: &[WaitingClass], is_up: bool, now: OffsetDateTime) {
        for class in NoticeClass::ALL {
            let found = waiting.iter().find(|row| row.class == class as i16);
            let label = [class.as_str()];
            self.waiting.with_label_values(&label).set(found.map_or(0, |row| row.waiting));
            let seconds = found.map_or(0, |row| (now - row.oldest).whole_seconds().max(0));
            self.oldest_seconds.with_label_values(&label).set(seconds);
        }
        self.server_up.set(is_up.into());
    }
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

/// The statements counted by the database's pools.
struct Statements {
    database: Database,
    /// Describes the metric; values are read when metrics are collected.
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

/// The events replayed by the games of this process.
struct ReplayedEvents {
    games: Games,
    /// Describes the metric; values are read when metrics are collected.
    counter: IntCounterVec,
}

impl Collector for ReplayedEvents {
    fn desc(&self) -> Vec<&Desc> {
        self.counter.desc()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let counter = replayed_counter();
        let replayed = self.games.replayed();
        counter.with_label_values(&["request"]).inc_by(replayed.for_requests());
        counter.with_label_values(&["checkpoints"]).inc_by(replayed.for_checkpoints());
        counter.collect()
    }
}

fn replayed_counter() -> IntCounterVec {
    let help = "Events of games played again: to answer a request, or to make missing checkpoints.";
    let named = Opts::new("pippost_events_replayed_total", help);
    IntCounterVec::new(named, &["for"]).expect("a good name")
}

/// The state of the PostgreSQL that this process runs.
struct Supervised {
    status: EmbeddedStatus,
    /// Describe the metrics; values are read when metrics are collected.
    up: IntGauge,
    restarts: IntCounter,
}

impl Supervised {
    fn new(status: EmbeddedStatus) -> Self {
        let (up, restarts) = supervised_numbers();
        Self { status, up, restarts }
    }
}

impl Collector for Supervised {
    fn desc(&self) -> Vec<&Desc> {
        [self.up.desc(), self.restarts.desc()].concat()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let (up, restarts) = supervised_numbers();
        up.set((self.status.state() == EmbeddedState::Running).into());
        restarts.inc_by(self.status.restarts());
        [up.collect(), restarts.collect()].concat()
    }
}

fn supervised_numbers() -> (IntGauge, IntCounter) {
    let up = "1 while the server's own PostgreSQL runs, 0 while it is being started again.";
    let restarts = "How often the server's own PostgreSQL has ended by itself and was started again.";
    let up = IntGauge::new("pippost_embedded_database_up", up).expect("a good name");
    let restarts = IntCounter::new("pippost_embedded_database_restarts_total", restarts);
    (up, restarts.expect("a good name"))
}

fn statements_counter() -> IntCounter {
    let help = "Statements sent to the database by this process.";
    IntCounter::new("pippost_database_statements_total", help).expect("a good name")
}

/// A request in flight, counted until it is answered or abandoned.
pub struct InFlight(IntGauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The method's label in metrics and the log. Unknown methods share one, because clients may invent any number.
#[must_use]
pub fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn status_label(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
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
        let in_flight = IntGauge::new("pippost_http_requests_in_flight", "Requests being answered.");
        let in_flight = in_flight.expect("a good name");
        let worker_steps = Opts::new("pippost_worker_items_total", "What the worker has done, by loop.");
        let worker_steps = IntCounterVec::new(worker_steps, &["loop", "outcome"]).expect("a good name");
        registry.register(Box::new(requests.clone())).expect("registered once");
        registry.register(Box::new(seconds.clone())).expect("registered once");
        registry.register(Box::new(in_flight.clone())).expect("registered once");
        registry.register(Box::new(worker_steps.clone())).expect("registered once");
        let audit = AuditGauges::in_registry(&registry);
        let set_aside = Opts::new(
            "pippost_games_set_aside",
            "Games that a worker could not deal with, by what it tried.",
        );
        let set_aside = IntGaugeVec::new(set_aside, &["task"]).expect("a good name");
        registry.register(Box::new(set_aside.clone())).expect("registered once");
        let mails = MailGauges::in_registry(&registry);
        Self { registry, requests, seconds, in_flight, worker_steps, audit, set_aside, mails }
    }

    /// Adds what somebody else counts.
    ///
    /// # Panics
    /// If it has the name of another metric.
    pub fn watch_collector(&self, collector: Box<dyn Collector>) {
        self.registry.register(collector).expect("registered once");
    }

    /// Looks which mails wait, unless somebody did so just now.
    ///
    /// # Errors
    /// The database failed; the metrics stay as they were.
    pub async fn look_at_mails(&self, database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
        if self.mails.is_due(now) {
            let waiting = notices::by_class(database).await?;
            let fault = notices::server_fault(database).await?;
            self.mails.show(&waiting, fault.is_none(), now);
        }
        Ok(())
    }

    /// Sets the number of games that a task has set aside because it could not process them.
    pub fn show_set_aside(&self, task: &str, games: i64) {
        self.set_aside.with_label_values(&[task]).set(games);
    }

    /// Adds metrics of the statements sent to `database`, and of its state if this process runs it.
    ///
    /// # Panics
    /// If it is called twice.
    pub fn watch(&self, database: Database) {
        if let Some(status) = database.embedded() {
            let supervised = Supervised::new(status.clone());
            self.registry.register(Box::new(supervised)).expect("registered once");
        }
        let statements = Statements { database, counter: statements_counter() };
        self.registry.register(Box::new(statements)).expect("registered once");
    }

    /// Adds metrics of the events that `games` replay.
    ///
    /// # Panics
    /// If it is called twice.
    pub fn watch_games(&self, games: Games) {
        let replayed = ReplayedEvents { games, counter: replayed_counter() };
        self.registry.register(Box::new(replayed)).expect("registered once");
    }

    /// Sets the metrics of a nightly audit.
    #[allow(clippy::cast_precision_loss, reason = "seconds since 1970 fit a double")]
    pub fn show_audit(&self, audit: &AuditRow) {
        self.audit.games.set(audit.games);
        self.audit.findings.set(audit.findings);
        self.audit.seconds.set(audit.seconds);
        self.audit.finished_at.set(audit.finished_at.unix_timestamp() as f64);
    }

    /// Counts a request as in flight until the result is dropped.
    #[must_use]
    pub fn begin(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Counts and times an answered request by route, not by address. Routes are declared by the application, so the number of
    /// series is limited.
    pub fn count(&self, method: &Method, route: &str, status: StatusCode, took: Duration) {
        let method = method_label(method);
        self.requests.with_label_values(&[method, route, status_label(status)]).inc();
        self.seconds.with_label_values(&[method, route]).observe(took.as_secs_f64());
    }

    /// Counts what a loop of the worker has done.
    pub fn count_worker(&self, loop_name: &str, outcome: &str, items: usize) {
        self.worker_steps.with_label_values(&[loop_name, outcome]).inc_by(items as u64);
    }

    /// All metrics in Prometheus' text format.
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
