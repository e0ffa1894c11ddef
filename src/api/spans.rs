//! What the log says of a request: its id, method, route and outcome. Never its address line, query, headers or peer: they hold
//! tokens and addresses.

use actix_web::Error;
use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use tracing::{Span, field};
use tracing_actix_web::{RequestId, RootSpanBuilder};

/// The header of every answer that names the request in the log.
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Builds the span of a request.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request.extensions().get::<RequestId>().map(ToString::to_string).unwrap_or_default();
        let route = request.match_pattern().unwrap_or_else(|| "unknown".to_owned());
        tracing::info_span!("request", id, method = %request.method(), route, status = field::Empty)
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let status = match outcome {
            Ok(response) => response.status().as_u16(),
            Err(error) => error.as_response_error().status_code().as_u16(),
        };
        span.record("status", status);
        span.in_scope(|| tracing::debug!("answered"));
    }
}

/// Puts the request's id into the answer, so that a player can quote it.
pub async fn name_request(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let id = request.extensions().get::<RequestId>().map(ToString::to_string);
    let mut response = next.call(request).await?;
    if let Some(id) = id.and_then(|id| HeaderValue::from_str(&id).ok()) {
        response.headers_mut().insert(REQUEST_ID_HEADER, id);
    }
    Ok(response)
}
