//! Shows people who look at pages what went wrong as a page, in their language; programs get the problem as it is. A page for those who
//! have logged in sends others to log in first.

use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, ALLOW, HeaderName, RETRY_AFTER, SET_COOKIE};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, HttpRequest, HttpResponse};
use futures_util::TryFutureExt;
use minijinja::context;

use super::form::see_other;
use super::page::page;
use super::session::log_in_for;
use super::visitor::{LOG_IN_FIRST, Visitor};
use pippost_http::{Code, Problem};

/// The headers that a page keeps of the answer that it stands for.
const KEPT: [HeaderName; 3] = [RETRY_AFTER, ALLOW, SET_COOKIE];

/// Where nothing but programs ask.
const FOR_PROGRAMS: [&str; 4] = ["/api/v1", "/.well-known/", "/openapi", "/healthz"];

/// Surrounds the handlers of pages.
pub fn shown<S>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let is_for_people = reads_pages(request.request());
    service.call(request).map_ok(move |answer| if is_for_people { for_people(answer) } else { answer })
}

/// Whether somebody with a browser asks.
fn reads_pages(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|accepted| accepted.to_str().ok());
    let is_browser = accepted.is_some_and(|accepted| accepted.contains("text/html"));
    is_browser && !FOR_PROGRAMS.iter().any(|path| request.path().starts_with(path))
}

fn for_people(answer: ServiceResponse) -> ServiceResponse {
    let Some(problem) = answer.response().error().and_then(|error| error.as_error::<Problem>()) else {
        return answer;
    };
    let request = answer.request();
    let Some(mut shown) = page_of(request, problem) else { return answer };
    for name in KEPT {
        for value in answer.headers().get_all(&name) {
            shown.headers_mut().append(name.clone(), value.clone());
        }
    }
    let (request, _) = answer.into_parts();
    ServiceResponse::new(request, shown)
}

/// The page for a problem; `None` if even that cannot be made.
fn page_of(request: &HttpRequest, problem: &Problem) -> Option<HttpResponse> {
    let status = problem.code().status();
    let asks_to_log_in = matches!(problem.code(), Code::Unauthenticated | Code::SessionRevoked);
    if asks_to_log_in && request.method() == Method::GET {
        let address = request.uri().path_and_query().map_or("/", |address| address.as_str());
        return Some(see_other(&log_in_for(address)));
    }
    let kind = kind(problem.code(), status);
    let body = problem.body();
    let seconds = body.more.get("retry_after_seconds").and_then(serde_json::Value::as_u64);
    let values = context! {
        title => format!("error-{kind}-title"),
        text => format!("error-{kind}-text"),
        seconds,
        status => status.as_u16(),
        code => problem.code().as_str(),
        logs_in => status == LOG_IN_FIRST,
    };
    page(status, "error.html", Visitor::stranger(request)?, values).ok()
}

/// Which texts tell of a problem.
fn kind(code: Code, status: StatusCode) -> &'static str {
    match (code, status) {
        (Code::ForeignForm, _) => "foreign-form",
        (_, LOG_IN_FIRST) => "log-in",
        (_, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => "not-found",
        (_, StatusCode::FORBIDDEN) => "forbidden",
        (_, StatusCode::TOO_MANY_REQUESTS) => "too-many",
        (_, StatusCode::SERVICE_UNAVAILABLE) => "busy",
        (_, status) if status.is_server_error() => "failure",
        _ => "bad-request",
    }
}
