//! Takes a connection away from the HTTP dispatcher as soon as the head of a long stream has been sent. The dispatcher keeps 16 KB of
//! buffers and the whole request for as long as it has the connection; the small task that writes the rest keeps neither.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::{ConnectionState, GuardedStream};

/// What a stream still has to say, piece by piece.
pub(super) type Pieces = Pin<Box<dyn Stream<Item = Bytes>>>;

/// The end of a body in chunks (RFC 9112, 7.1).
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

/// The body of an answer that is written without the dispatcher. The answer must be in chunks, so of HTTP/1.1, and say that the
/// connection closes after it.
pub struct HandedOver {
    pieces: Option<Pieces>,
    connection: Rc<ConnectionState>,
}

impl HandedOver {
    #[must_use]
    pub fn new(connection: Rc<ConnectionState>, pieces: impl Stream<Item = Bytes> + 'static) -> Self {
        Self { pieces: Some(Box::pin(pieces)), connection }
    }
}

impl MessageBody for HandedOver {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    /// Asked first when the head is ready to be sent, and again when the connection is gone: to the dispatcher the body is empty.
    fn poll_next(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        if let Some(pieces) = self.pieces.take() {
            self.connection.leave_with(pieces);
        }
        // The connection wakes the dispatcher when it goes.
        if self.connection.is_leaving() { Poll::Pending } else { Poll::Ready(None) }
    }
}

/// Writes the rest of an answer whose head has been sent, in a task of its own on this thread.
pub(super) fn write_rest<T>(stream: GuardedStream<T>, pieces: Pieces)
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let under_way = stream.connection().begin();
    actix_web::rt::spawn(async move {
        // A reader that is gone or too slow asks again after the last piece that it has.
        let _gone = write_all(stream, pieces).await;
        drop(under_way);
    });
}

async fn write_all<T>(mut stream: GuardedStream<T>, mut pieces: Pieces) -> io::Result<()>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    // The next piece is made only when the last one has been taken.
    while let Some(piece) = pieces.next().await {
        if piece.is_empty() {
            // It would be the last chunk.
            continue;
        }
        stream.write_all(&chunk(&piece)).await?;
        stream.flush().await?;
    }
    stream.write_all(LAST_CHUNK).await?;
    stream.shutdown().await
}

fn chunk(piece: &Bytes) -> Vec<u8> {
    let mut chunk = format!("{:X}\r\n", piece.len()).into_bytes();
    chunk.extend_from_slice(piece);
    chunk.extend_from_slice(b"\r\n");
    chunk
}
