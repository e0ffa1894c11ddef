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
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::Sleep;

use super::{ConnectionState, GONE_READER_INTERVAL, GuardedStream};

/// What a stream still has to say.
pub(super) struct Rest {
    pieces: Pin<Box<dyn Stream<Item = Bytes>>>,
    /// A piece without meaning, which is written to learn whether the client still reads.
    heartbeat: Bytes,
}

/// The end of a body in chunks (RFC 9112, 7.1).
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

/// The body of an answer that is written without the dispatcher. The answer must be in chunks, so of HTTP/1.1, and say that the
/// connection closes after it.
pub struct HandedOver {
    rest: Option<Rest>,
    connection: Rc<ConnectionState>,
}

impl HandedOver {
    /// The body that consists of `pieces`; `heartbeat` is a piece that says nothing.
    #[must_use]
    pub fn new(
        connection: Rc<ConnectionState>,
        pieces: impl Stream<Item = Bytes> + 'static,
        heartbeat: Bytes,
    ) -> Self {
        Self { rest: Some(Rest { pieces: Box::pin(pieces), heartbeat }), connection }
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
        if let Some(rest) = self.rest.take() {
            self.connection.leave_with(rest);
        }
        // The connection wakes the dispatcher when it goes.
        if self.connection.is_leaving() { Poll::Pending } else { Poll::Ready(None) }
    }
}

/// Writes the rest of an answer whose head has been sent, in a task of its own on this thread.
pub(super) fn write_rest<T>(stream: GuardedStream<T>, rest: Rest)
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let under_way = stream.connection().begin();
    actix_web::rt::spawn(async move {
        // A reader that is gone or too slow asks again after the last piece that it has.
        let _gone = write_all(stream, rest).await;
        drop(under_way);
    });
}

async fn write_all<T>(mut stream: GuardedStream<T>, mut rest: Rest) -> io::Result<()>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let mut client = Client::MayClose;
    // The next piece is made only when the last one has been taken.
    while let Some(piece) = rest.next(&mut stream, &mut client).await? {
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

impl Rest {
    /// The next piece; a heartbeat if the client may have gone before there is one. Fails if it has.
    async fn next<T>(
        &mut self,
        stream: &mut GuardedStream<T>,
        client: &mut Client,
    ) -> io::Result<Option<Bytes>>
    where
        T: AsyncRead + Unpin,
    {
        tokio::select! {
            biased;
            piece = self.pieces.next() => Ok(piece),
            closed = client.closes(stream) => closed.map(|()| Some(self.heartbeat.clone())),
        }
    }
}

/// What is known of a client. One that has closed its own direction of the connection may still read, and looks like one that has
/// gone; but the kernel of the latter answers what is written by a reset, and writing again fails.
enum Client {
    MayClose,
    /// It has closed its direction, and has been sent a heartbeat; the next one is due.
    HasClosed(Pin<Box<Sleep>>),
    /// Nothing more can be learned by reading.
    Unknown,
}

impl Client {
    /// Waits until a heartbeat would show whether the client has gone; fails if that is clear. Of what it sends instead, one byte
    /// is read.
    async fn closes<T: AsyncRead + Unpin>(&mut self, stream: &mut GuardedStream<T>) -> io::Result<()> {
        match self {
            Self::MayClose => {
                if stream.read(&mut [0]).await? == 0 {
                    // The reset that answers the first heartbeat needs the time of a round trip.
                    *self = Self::HasClosed(Box::pin(tokio::time::sleep(GONE_READER_INTERVAL)));
                    return Ok(());
                }
                *self = Self::Unknown;
            }
            Self::HasClosed(next) => {
                next.as_mut().await;
                *self = Self::Unknown;
                return Ok(());
            }
            Self::Unknown => {}
        }
        std::future::pending().await
    }
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
    use tokio::io::{DuplexStream, duplex};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::task::LocalSet;

    use super::*;
    use crate::{Gate, Limits, Quantity, Share};

    /// A connection over which a stream of `pieces` leaves, the client's end of it, and the gate that it holds a place of.
    async fn left(
        limits: Limits,
        pieces: impl Stream<Item = Bytes> + 'static,
    ) -> (GuardedStream<DuplexStream>, DuplexStream, Arc<Gate>) {
        let (ours, client) = duplex(256);
        let (connection, gate) = left_over(ours, limits, pieces).await;
        (connection, client, gate)
    }

    /// The same over TCP.
    async fn left_over_tcp(
        pieces: impl Stream<Item = Bytes> + 'static,
    ) -> (GuardedStream<TcpStream>, TcpStream, Arc<Gate>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (connection, gate) = left_over(accepted.expect("a client").0, Limits::default(), pieces).await;
        (connection, client.expect("a connection"), gate)
    }

    async fn left_over<T>(
        ours: T,
        limits: Limits,
        pieces: impl Stream<Item = Bytes> + 'static,
    ) -> (GuardedStream<T>, Arc<Gate>)
    where
        T: AsyncRead + AsyncWrite + Unpin + 'static,
    {
        let gate = Gate::new(Quantity::requests("connections"), Share { in_all: 1, of_peer: 1 });
        let mut connection = GuardedStream::new(ours, limits, gate.enter(None, 1).expect("a place"));
        let _under_way = connection.connection().begin();
        let heartbeat = Bytes::from_static(b":");
        let mut body = Box::pin(HandedOver::new(connection.connection(), pieces, heartbeat));
        connection.write_all(b"head ").await.expect("written");
        assert!(poll!(future::poll_fn(|context| body.as_mut().poll_next(context))).is_pending());
        connection.flush().await.expect("flushed");
        assert!(future::poll_fn(|context| body.as_mut().poll_next(context)).await.is_none());
        (connection, gate)
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
    async fn a_reader_that_goes_while_there_is_nothing_to_say_loses_its_place() {
        let test = async {
            let (_connection, client, gate) = left_over_tcp(stream::pending()).await;
            tokio::task::yield_now().await;
            assert_eq!(gate.in_use(), 1);
            drop(client);
            tokio::time::timeout(Duration::from_secs(30), gate.empty()).await.expect("the place is free");
        };
        LocalSet::new().run_until(test).await;
    }

    #[tokio::test]
    async fn a_reader_that_has_closed_its_own_direction_gets_the_rest_and_a_heartbeat_or_two() {
        let last = Arc::new(tokio::sync::Notify::new());
        let end = Arc::clone(&last);
        let pieces = stream::once(async move {
            end.notified().await;
            Bytes::from_static(b"ann wins")
        });
        let test = async {
            let (_connection, mut client, gate) = left_over_tcp(pieces).await;
            client.shutdown().await.expect("one direction");
            let mut beats = [0; 2 * b"1\r\n:\r\n".len() + 5];
            client.read_exact(&mut beats).await.expect("two heartbeats");
            assert_eq!(beats, *b"head 1\r\n:\r\n1\r\n:\r\n");
            assert_eq!(gate.in_use(), 1);
            last.notify_one();
            let mut read = String::new();
            client.read_to_string(&mut read).await.expect("read");
            assert_eq!(read, "8\r\nann wins\r\n0\r\n\r\n");
        };
        LocalSet::new().run_until(test).await;
    }

    #[tokio::test]
    async fn what_a_reader_sends_does_not_end_its_stream() {
        let pieces = stream::iter([Bytes::from_static(b"bob")]).chain(stream::once(async {
            tokio::task::yield_now().await;
            Bytes::from_static(b"ann")
        }));
        let test = async {
            let (_connection, mut client, _gate) = left(Limits::default(), pieces).await;
            client.write_all(b"GET /").await.expect("sent");
            let mut read = String::new();
            client.read_to_string(&mut read).await.expect("read");
            assert_eq!(read, "head 3\r\nbob\r\n3\r\nann\r\n0\r\n\r\n");
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
