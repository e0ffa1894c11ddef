//! Observes every request in a single middleware, for speed: a log span, a request id in the answer, metrics, and the headers of
//! all answers.
//!
//! The log contains a request's id, method, route and outcome, but never its path, query, headers or peer, which may contain
//! tokens and addresses.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::{Error, HttpRequest, web};
use futures_util::FutureExt;
use tracing::{Instrument, Span, field};
use uuid::fmt::Hyphenated;
use uuid::{Builder, Uuid};

use super::metrics::{Metrics, method_label};
use pippost_http::sandbox::IsSandbox;

/// The header with the request's id, which is also in the log.
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The header that says that nothing counts here.
const SANDBOX_HEADER: HeaderName = HeaderName::from_static("pippost-sandbox");

/// The default `Cache-Control` of answers.
const ALWAYS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// The label of requests without a route.
const NO_ROUTE: &str = "none";

/// Observes a request until the head of its answer is sent.
pub fn observe<S, B>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse<B>, Error>> + use<S, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody,
{
    let started = Instant::now();
    let id = next_id();
    let span = tracing::info_span!("request", %id, method = method_label(request.method()), route = field::Empty, status = field::Empty);
    let metrics = request.app_data::<web::Data<Metrics>>().cloned();
    let in_flight = metrics.as_ref().map(|metrics| metrics.begin());
    let method = request.method().clone();
    let sandbox = IsSandbox::says(request.request());
    let answering = {
        let _within = span.enter();
        service.call(request)
    };
    answering.instrument(span.clone()).map(move |answered| {
        let count = |route: &str, status: StatusCode| {
            note(&span, route, status);
            if let Some(metrics) = metrics {
                metrics.count(&method, route, status, started.elapsed());
            }
        };
        match &answered {
            Ok(response) => count(&route_of(response.request()), response.status()),
            Err(error) => count(NO_ROUTE, error.as_response_error().status_code()),
        }
        drop(in_flight);
        answered.map(|mut response| {
            complete(response.headers_mut(), id);
            if sandbox {
                response.headers_mut().insert(SANDBOX_HEADER, HeaderValue::from_static("true"));
            }
            response
        })
    })
}

/// A new request id: random bytes of this process and a number.
#[must_use]
pub fn next_id() -> Uuid {
    static FIRST: LazyLock<u128> = LazyLock::new(|| Uuid::new_v4().as_u128());
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = u128::from(NUMBER.fetch_add(1, Ordering::Relaxed));
    Builder::from_random_bytes(FIRST.wrapping_add(number).to_be_bytes()).into_uuid()
}

thread_local! {
    /// The known routes of this thread, so that the routing table is consulted once for each route and not for every request.
    static KNOWN_ROUTES: RefCell<HashSet<Rc<str>>> = RefCell::default();
}

/// The route of a request that the routing table matched.
fn route_of(request: &HttpRequest) -> Rc<str> {
    let shape = shape(request.path());
    let known = KNOWN_ROUTES.with_borrow(|known| known.get(shape.as_str()).cloned());
    known.unwrap_or_else(|| {
        let Some(route) = request.match_pattern() else { return NO_ROUTE.into() };
        let route: Rc<str> = route.into();
        // Only declared routes are stored, so their number is limited.
        if *route == *shape {
            KNOWN_ROUTES.with_borrow_mut(|known| known.insert(Rc::clone(&route)));
        }
        route
    })
}

/// A path with `{id}` in place of each id, which is the form of most routes.
#[must_use]
pub fn shape(path: &str) -> String {
    let mut shape = String::with_capacity(path.len());
    for part in path.split_inclusive('/') {
        let (name, slash) = part.strip_suffix('/').map_or((part, ""), |name| (name, "/"));
        let is_id = name.len() == Hyphenated::LENGTH && Uuid::try_parse(name).is_ok();
        shape.push_str(if is_id { "{id}" } else { name });
        shape.push_str(slash);
    }
    shape
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
