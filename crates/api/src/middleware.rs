//! What surrounds every handler, in one layer: the order is the order of the lines below.
//!
//! One layer, because the type of each further one names all layers inside it several times: names and debug information grow by
//! powers, and so does what a silent connection keeps for its next request.

use std::future::ready;
use std::ops::ControlFlow::{self, Break, Continue};

use actix_web::Error;
use actix_web::body::{self, BodySize, BoxBody, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::HeaderValue;
use futures_util::{FutureExt, TryFutureExt};

use crate::{cors, idempotency};
use pippost_accounts::Left;
use pippost_http::{limits, nul, problem, slow};

type Answer = Result<ServiceResponse, Error>;

/// Answers preflights, counts the request, refuses what cannot be read, and prepares its body; then counts the answer until it is
/// read, and adds headers.
pub fn surround<S>(request: ServiceRequest, service: &S) -> impl Future<Output = Answer> + use<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    match begin(request) {
        Continue((request, rest)) => {
            let complete = move |answer| rest.complete(slow::count_large(rest.without_stream(answer)));
            service.call(request).map_ok(complete).left_future()
        }
        Break(answer) => ready(Ok(answer)).right_future(),
    }
}

/// What is left to do when the handler has answered.
struct Rest {
    /// Whether it was asked for the head of the answer only.
    is_head: bool,
    is_from_another_site: bool,
    /// What is left of the address's quota, if the request counted.
    left: Option<Left>,
}

/// The request for the handler, or the answer to one that does not get there.
fn begin(mut request: ServiceRequest) -> ControlFlow<ServiceResponse, (ServiceRequest, Rest)> {
    let is_from_another_site = cors::is_from_another_site(&request);
    if is_from_another_site && cors::is_preflight(&request) {
        return Break(request.into_response(cors::preflight()));
    }
    let is_head = request.method() == Method::HEAD;
    if is_head {
        // The handler answers as it answers GET; the body is left out when the answer is written (RFC 9110, section 9.3.2).
        request.head_mut().method = Method::GET;
    }
    let mut rest = Rest { is_head, is_from_another_site, left: None };
    let refused = match limits::count_address(request.request()) {
        Ok(left) => {
            rest.left = left;
            slow::unreadable(&request).or_else(|| nul::in_address(request.uri()))
        }
        Err(reached) => Some(reached.into()),
    };
    if let Some(problem) = refused {
        return Break(rest.complete(request.error_response(problem)));
    }
    slow::pace(&mut request);
    nul::search(&mut request);
    Continue((request, rest))
}

impl Rest {
    /// Of a stream there is no length to tell, and nobody would read it.
    fn without_stream(&self, answer: ServiceResponse) -> ServiceResponse {
        if self.is_head && answer.response().body().size() == BodySize::Stream {
            return answer.map_body(|_, _| BoxBody::new(body::None::new()));
        }
        answer
    }

    fn complete(&self, answer: ServiceResponse) -> ServiceResponse {
        let answer = problem::complete(answer);
        let mut answer = match self.left {
            Some(left) => limits::tell(answer, left),
            None => answer,
        };
        if idempotency::is_repeated(answer.request()) {
            answer.headers_mut().insert(idempotency::REPLAYED, HeaderValue::from_static("true"));
        }
        if self.is_from_another_site {
            cors::expose(answer.headers_mut());
        }
        answer
    }
}
