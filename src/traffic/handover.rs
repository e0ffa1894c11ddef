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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use futures_util::{future, poll, stream};
    use tokio::io::{AsyncReadExt, DuplexStream, duplex};
    use tokio::task::LocalSet;

    use super::*;
    use crate::traffic::{Gate, Limits, Quantity, Share};

    /// A connection over which a stream of `pieces` leaves, the client's end of it, and the gate that it holds a place of.
    async fn left(
        limits: Limits,
        pieces: impl Stream<Item = Bytes> + 'static,
    ) -> (GuardedStream<DuplexStream>, DuplexStream, Arc<Gate>) {
        let gate = Gate::new(Quantity::requests("connections"), Share { in_all: 1, of_peer: 1 });
        let (ours, client) = duplex(256);
        let mut connection = GuardedStream::new(ours, limits, gate.enter(None, 1).expect("a place"));
        let _under_way = connection.connection().begin();
        let mut body = Box::pin(HandedOver::new(connection.connection(), pieces));
        connection.write_all(b"head ").await.expect("written");
        assert!(poll!(future::poll_fn(|context| body.as_mut().poll_next(context))).is_pending());
        connection.flush().await.expect("flushed");
        assert!(future::poll_fn(|context| body.as_mut().poll_next(context)).await.is_none());
        (connection, client, gate)
    }

    #[tokio::test]
    async fn once_the_head_has_been_sent_a_task_writes_the_rest_in_chunks() {
        let pieces = stream::iter(["ann moves to b3", "", "bob"].map(|piece| Bytes::from(piece.to_owned())));
        let test = async {
            let (mut connection, mut client, gate) = left(Limits::default(), pieces).await;
            // To the dispatcher the connection is closed, whatever it still writes.
            connection.write_all(LAST_CHUNK).await.expect("not written");
            assert_eq!(connection.read(&mut [0; 8]).await.expect("closed"), 0);
            connection.shutdown().await.expect("closed");
            drop(connection);
            assert_eq!(gate.in_use(), 1);
            let mut read = String::new();
            client.read_to_string(&mut read).await.expect("read");
            assert_eq!(read, "head F\r\nann moves to b3\r\n3\r\nbob\r\n0\r\n\r\n");
            tokio::task::yield_now().await;
            assert_eq!(gate.in_use(), 0);
        };
        LocalSet::new().run_until(test).await;
    }

    #[tokio::test]
    async fn a_reader_that_takes_nothing_loses_its_place_and_no_piece_is_made_for_it() {
        let made = Rc::new(std::cell::Cell::new(0));
        let counted = Rc::clone(&made);
        let pieces = stream::repeat_with(move || {
            counted.set(counted.get() + 1);
            Bytes::from_static(&[b'x'; 100])
        });
        let limits = Limits { read_period: Duration::from_millis(20), ..Limits::default() };
        let test = async {
            let (_connection, _client, gate) = left(limits, pieces).await;
            tokio::time::timeout(Duration::from_secs(10), gate.empty()).await.expect("the place is free");
            // Two fit into the connection, and a third was waiting.
            assert_eq!(made.get(), 3);
        };
        LocalSet::new().run_until(test).await;
    }
}
