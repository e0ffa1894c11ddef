//! What the server counts, for Prometheus.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, web};
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};

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
        Self { registry, requests, seconds, under_way, worker_steps }
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

/// Counts and times every request, by route rather than by address.
pub async fn measure(
    metrics: web::Data<Metrics>,
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let started = Instant::now();
    let method = request.method().as_str().to_owned();
    metrics.under_way.inc();
    let answered = next.call(request).await;
    metrics.under_way.dec();
    let (route, status) = match &answered {
        Ok(response) => (
            response.request().match_pattern().unwrap_or_else(|| "unknown".to_owned()),
            response.status().as_u16(),
        ),
        Err(error) => ("unknown".to_owned(), error.as_response_error().status_code().as_u16()),
    };
    let status = status.to_string();
    metrics.requests.with_label_values(&[method.as_str(), &route, &status]).inc();
    let seconds = metrics.seconds.with_label_values(&[method.as_str(), &route]);
    seconds.observe(started.elapsed().as_secs_f64());
    answered
}
