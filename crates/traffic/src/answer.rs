//! Limits the bytes of answers that clients have not read.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

use super::{TrafficPermit, UnderWay};

/// Large answers are sent in chunks of this size, so that a waiting answer is not copied whole into the connection's buffer.
const PIECE_BYTES: usize = 16 * 1024;

/// A large answer, counted until the client has read it.
pub struct Held {
    body: BoxBody,
    /// The part of the body that is not sent yet.
    rest: Bytes,
    _counted: Option<TrafficPermit>,
}

impl Held {
    #[must_use]
    pub fn new(body: BoxBody, counted: Option<TrafficPermit>) -> Self {
        Self { body, rest: Bytes::new(), _counted: counted }
    }
}

impl MessageBody for Held {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_next(context) {
                Poll::Ready(Some(Ok(bytes))) => self.rest = bytes,
                other => return other,
            }
        }
        let piece = self.rest.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}

/// An answer's body. The request counts as in flight until the client has read it.
pub struct Tracked<B> {
    body: B,
    _under_way: Option<UnderWay>,
}

impl<B> Tracked<B> {
    pub fn new(body: B, under_way: Option<UnderWay>) -> Self {
        Self { body, _under_way: under_way }
    }
}

impl<B: MessageBody + Unpin> MessageBody for Tracked<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}
