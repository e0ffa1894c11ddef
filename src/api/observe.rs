//! What is done about every request, in one place because it is done so often: a span for the log, an id in the answer, the
//! counters, and the headers that all answers have.
//!
//! The log says a request's id, method, route and outcome. Never its address line, query, headers or peer: they hold tokens and
//! addresses.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::{Error, web};
use tracing::{Instrument, Span, field};
use uuid::Uuid;
use uuid::fmt::Hyphenated;

use super::metrics::Metrics;

/// The header of every answer that names the request in the log.
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Said of all answers that do not say otherwise.
const ALWAYS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// The route of a request that has none.
const UNKNOWN: &str = "unknown";

/// Observes a request from its head to the head of its answer.
pub fn observe<S, B>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse<B>, Error>> + use<S, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody,
{
    let started = Instant::now();
    let id = Uuid::new_v4();
    let span = tracing::info_span!("request", %id, method = %request.method(), route = field::Empty, status = field::Empty);
    let metrics = request.app_data::<web::Data<Metrics>>().cloned();
    let under_way = metrics.as_ref().map(|metrics| metrics.begin());
    let method = request.method().clone();
    let answering = {
        let _within = span.enter();
        service.call(request)
    };
    async move {
        let answered = answering.instrument(span.clone()).await;
        let (route, status) = match &answered {
            Ok(response) => (response.request().match_pattern(), response.status()),
            Err(error) => (None, error.as_response_error().status_code()),
        };
        let route = route.as_deref().unwrap_or(UNKNOWN);
        note(&span, route, status);
        if let Some(metrics) = metrics {
            metrics.count(method.as_str(), route, status.as_str(), started.elapsed());
        }
        drop(under_way);
        answered.map(|mut response| {
            complete(response.headers_mut(), id);
            response
        })
    }
}

fn note(span: &Span, route: &str, status: StatusCode) {
    if span.is_disabled() {
        return;
    }
    span.record("route", route).record("status", status.as_u16());
    span.in_scope(|| tracing::debug!("answered"));
}

fn complete(headers: &mut HeaderMap, id: Uuid) {
    for (name, value) in ALWAYS {
        if !headers.contains_key(&name) {
            headers.insert(name, value);
        }
    }
    let mut text = [0; Hyphenated::LENGTH];
    let text = id.hyphenated().encode_lower(&mut text);
    let text = HeaderValue::from_str(text).expect("hex digits and hyphens");
    headers.insert(REQUEST_ID_HEADER, text);
}
