//! Protects all routes from compressed and slow bodies, and from large answers that clients do not read. It runs before all
//! extractors, so no handler can bypass it.

use std::rc::Rc;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, Service, ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING};
use actix_web::{Error, HttpMessage, HttpRequest, web};
use futures_util::TryFutureExt;

use super::limits;
use super::peer::Peer;
use super::problem::{Code, Problem};
use pippost_traffic::{
    ConnectionState, Held, PacedPayload, SMALL_ANSWER_BYTES, STREAMED_ANSWER_BYTES, Tracked, Traffic,
};

/// The state of a connection, shared with the application.
pub type ConnectionHandle = Rc<ConnectionState>;

/// The problem of a body that is compressed: nothing is decompressed, not even to find its size.
pub fn unreadable(request: &ServiceRequest) -> Option<Problem> {
    let why = "the body must come as it is: without `Content-Encoding`";
    is_packed(request).then(|| Problem::new(Code::UnsupportedEncoding).detail(why))
}

fn is_packed(request: &ServiceRequest) -> bool {
    let headers = request.headers();
    let mut encodings = headers.get_all(CONTENT_ENCODING);
    // An empty body is not compressed.
    let has_body = headers.contains_key(CONTENT_LENGTH) || headers.contains_key(TRANSFER_ENCODING);
    has_body && encodings.any(|encoding| !encoding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
}

/// Sets a deadline and a minimum rate for the body.
pub fn pace(request: &mut ServiceRequest) {
    let payload = request.take_payload();
    if matches!(payload, Payload::None) {
        return;
    }
    let Some(traffic) = request.app_data::<web::Data<Traffic>>().map(|traffic| traffic.get_ref().clone())
    else {
        request.set_payload(payload);
        return;
    };
    let peer = Peer::of(request.request()).0;
    let connection = request.conn_data::<ConnectionHandle>().cloned();
    let mut paced = PacedPayload::new(payload, traffic, peer, connection);
    if limits::is_move(request.method(), request.path()) {
        paced = paced.of_move();
    }
    request.set_payload(Payload::Stream { payload: Box::pin(paced) });
}

/// Marks an answer, in its extensions, that never has more than [`SMALL_ANSWER_BYTES`] ready, and whose number is limited by
/// another gate.
#[derive(Clone, Copy, Debug)]
pub struct SmallPieces;

/// Counts a large answer until it is read; refuses it if too many are not.
pub fn count_large(answer: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    if answer.response().extensions().contains::<SmallPieces>() {
        return answer;
    }
    let bytes = match answer.response().body().size() {
        BodySize::Sized(bytes) if bytes > SMALL_ANSWER_BYTES => bytes,
        // A stream produces its chunks on demand.
        BodySize::Stream => STREAMED_ANSWER_BYTES,
        _ => return answer,
    };
    let counted = match answer.request().app_data::<web::Data<Traffic>>() {
        Some(traffic) => match traffic.answers.enter(Some(Peer::of(answer.request()).0), bytes) {
            Ok(pass) => Some(pass),
            // The move is made. Only its player can have made it, so such answers are few.
            Err(_) if limits::is_move(answer.request().method(), answer.request().path()) => None,
            Err(full) => return refuse(answer, full.into()),
        },
        None => None,
    };
    answer.map_body(|_, body| BoxBody::new(Held::new(body, counted)))
}

fn refuse(answer: ServiceResponse<BoxBody>, problem: Problem) -> ServiceResponse<BoxBody> {
    let (request, _) = answer.into_parts();
    ServiceResponse::from_err(problem, request)
}

/// Marks the connection as busy from a request's head until its answer has been read.
pub fn mark_busy<S, B>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse<Tracked<B>>, Error>> + use<S, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody,
{
    let connection = connection(request.request());
    let under_way = connection.as_ref().map(ConnectionState::begin);
    // A silent connection keeps room for the future that answers it, and each async block doubles what it awaits: no layer is one.
    service.call(request).map_ok(move |mut answer| {
        if connection.is_some_and(|connection| connection.has_unread_rest()) {
            answer.response_mut().head_mut().set_connection_type(ConnectionType::Close);
        }
        answer.map_body(|_, body| Tracked::new(body, under_way))
    })
}

fn connection(request: &HttpRequest) -> Option<ConnectionHandle> {
    request.conn_data::<ConnectionHandle>().cloned()
}
