//! Lets programs in browsers use the API from any site (CORS, as in the Fetch standard). They send bearer tokens: cookies are neither
//! taken nor allowed, so a site learns no more than any other stranger. The pages have no such headers and stay same-origin.

use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

/// The addresses that are open to other sites.
const OPEN: [&str; 4] = ["/api/v1/", "/openapi", "/.well-known/", "/healthz"];

/// How long a browser may keep the answer to its preflight, in seconds; more than two hours no browser keeps it.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");

/// The headers that requests may have. A browser does not take `*` for `Authorization`.
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID",
);

/// The headers of answers that a program may read, besides those that it always may.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "Accept-Post, Allow, Content-Disposition, Content-Language, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, \
     WWW-Authenticate, X-Request-Id",
);

/// Browsers send `Origin` with requests of programs, from the same site, too, where the headers change nothing.
pub fn is_from_another_site(request: &ServiceRequest) -> bool {
    request.headers().contains_key(header::ORIGIN) && OPEN.iter().any(|open| request.path().starts_with(open))
}

/// Whether a browser asks what a program may send.
pub fn is_preflight(request: &ServiceRequest) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight: the same for every address, so a preflight costs next to nothing and tells nothing.
pub fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN))
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, METHODS))
        .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, MAX_AGE))
        .finish()
}

/// Lets programs of other sites read the answer.
pub fn expose(headers: &mut HeaderMap) {
    const ALWAYS: [(HeaderName, HeaderValue); 2] =
        [(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN), (header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED)];
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
}
