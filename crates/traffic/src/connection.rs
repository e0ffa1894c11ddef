//! A connection with deadlines: it is closed if its client is too slow to send a request's head, to read an answer, or to send
//! its next request.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::head_lines::HeadLines;
use super::{LEAST_READ_BYTES, Limits, MAX_HEAD_BYTES, TrafficPermit};

/// The most bytes that are read before they are examined.
const MAX_READ_AT_ONCE_BYTES: usize = 32 * 1024;

/// The most bytes that are read while a request is in flight and its handler takes none of them. The HTTP dispatcher stores them, and
/// would never sleep once its buffer of 128 KB is full.
const MAX_READ_AHEAD_BYTES: usize = 32 * 1024;

/// The state of a connection, shared with the application.
pub struct ConnectionState {
    under_way: Cell<u32>,
    /// When the last request ended.
    idle_since: Cell<Instant>,
    /// When the first byte of an incomplete head arrived.
    head_began: Cell<Option<Instant>>,
    head_bytes: Cell<usize>,
    /// The rest of an unwanted body follows; none of it is stored.
    is_rest_of_body: Cell<bool>,
    /// What was read while a request was in flight, since its handler has taken something.
    ahead_bytes: Cell<usize>,
    /// Woken when more is to be read.
    reader: Cell<Option<Waker>>,
}

impl ConnectionState {
    fn new(now: Instant) -> Self {
        Self {
            under_way: Cell::new(0),
            idle_since: Cell::new(now),
            // A new connection must send a request at once.
            head_began: Cell::new(Some(now)),
            head_bytes: Cell::new(0),
            is_rest_of_body: Cell::new(false),
            ahead_bytes: Cell::new(0),
            reader: Cell::new(None),
        }
    }

    /// Call it when a request's head is complete; the request is in flight until the result is dropped.
    #[must_use]
    pub fn begin(self: &Rc<Self>) -> UnderWay {
        self.under_way.set(self.under_way.get() + 1);
        self.is_rest_of_body.set(false);
        self.ahead_bytes.set(0);
        UnderWay(Rc::clone(self))
    }

    pub(super) fn leave_rest_unread(&self) {
        self.is_rest_of_body.set(true);
    }

    /// Whether a request's body was not read to its end; the connection must be closed after the answer.
    #[must_use]
    pub fn has_unread_rest(&self) -> bool {
        self.is_rest_of_body.get()
    }

    fn end(&self) {
        self.under_way.set(self.under_way.get() - 1);
        self.idle_since.set(Instant::now());
        self.head_began.set(None);
        self.head_bytes.set(0);
        self.read_on();
    }

    /// Call it when the handler has taken a piece of the body.
    pub(super) fn read_on(&self) {
        self.ahead_bytes.set(0);
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }

    /// Whether enough is stored for now; if so, the task is woken when there is room.
    fn has_read_enough(&self, context: &Context<'_>) -> bool {
        let is_enough = self.under_way.get() > 0 && self.ahead_bytes.get() >= MAX_READ_AHEAD_BYTES;
        if is_enough {
            self.reader.set(Some(context.waker().clone()));
        }
        is_enough
    }

    fn hear(&self, bytes: usize) {
        if self.under_way.get() > 0 {
            self.ahead_bytes.set(self.ahead_bytes.get() + bytes);
        } else if bytes > 0 {
            self.head_bytes.set(self.head_bytes.get() + bytes);
            if self.head_began.get().is_none() {
                self.head_began.set(Some(Instant::now()));
            }
        }
    }

    /// When the next request is due; `None` while one is in flight.
    fn due(&self, limits: &Limits) -> Option<Instant> {
        let waits = self.under_way.get() == 0;
        let due = || match self.head_began.get() {
            _ if self.is_rest_of_body.get() => self.idle_since.get() + limits.body_pause.min(limits.body),
            Some(began) => began + limits.head,
            None => self.idle_since.get() + limits.idle,
        };
        waits.then(due)
    }

    fn has_too_large_a_head(&self) -> bool {
        self.under_way.get() == 0 && !self.is_rest_of_body.get() && self.head_bytes.get() > MAX_HEAD_BYTES
    }
}

/// A request whose answer has not been read.
pub struct UnderWay(Rc<ConnectionState>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A period in which a slow reader is observed.
#[derive(Debug)]
struct Period {
    ends: Instant,
    taken_bytes: usize,
    /// More data waits than the client accepts.
    is_blocked: bool,
}

impl Period {
    fn new(length: Duration) -> Self {
        Self { ends: Instant::now() + length, taken_bytes: 0, is_blocked: true }
    }
}

/// A connection with deadlines. They are checked whenever the HTTP dispatcher writes, which it does each time it is woken.
pub struct GuardedStream<T> {
    stream: T,
    connection: Rc<ConnectionState>,
    limits: Limits,
    timer: Pin<Box<Sleep>>,
    /// When the timer wakes; at or before the next deadline.
    armed_for: Option<Instant>,
    period: Option<Period>,
    read_at_once_bytes: usize,
    head_lines: HeadLines,
    _place: TrafficPermit,
}

impl<T> GuardedStream<T> {
    /// A new connection, which holds `place` until it is dropped.
    #[must_use]
    pub fn new(stream: T, limits: Limits, place: TrafficPermit) -> Self {
        let now = Instant::now();
        Self {
            stream,
            connection: Rc::new(ConnectionState::new(now)),
            limits,
            timer: Box::pin(sleep_until(now + limits.head)),
            armed_for: Some(now + limits.head),
            period: None,
            read_at_once_bytes: 0,
            head_lines: HeadLines::default(),
            _place: place,
        }
    }

    #[must_use]
    pub fn connection(&self) -> Rc<ConnectionState> {
        Rc::clone(&self.connection)
    }

    /// Fails if a deadline has passed; otherwise sets the timer to the next one.
    fn keep_time(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        self.read_at_once_bytes = 0;
        if self.connection.has_too_large_a_head() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the head of a request is too large"));
        }
        loop {
            let next_request = self.connection.due(&self.limits);
            let period = self.period.as_ref().map(|period| period.ends);
            let Some(due) = next_request.into_iter().chain(period).min() else { return Ok(()) };
            if due <= Instant::now() {
                self.pass_deadline(next_request)?;
                continue;
            }
            if self.armed_for.is_none_or(|armed_for| armed_for > due) {
                self.timer.as_mut().reset(due);
                self.armed_for = Some(due);
            }
            if self.timer.as_mut().poll(context).is_pending() {
                return Ok(());
            }
            self.armed_for = None;
        }
    }

    fn pass_deadline(&mut self, next_request: Option<Instant>) -> io::Result<()> {
        let now = Instant::now();
        let late = |why| Err(io::Error::new(io::ErrorKind::TimedOut, why));
        if let Some(period) = self.period.take_if(|period| period.ends <= now) {
            if period.is_blocked && period.taken_bytes < LEAST_READ_BYTES {
                return late("the client does not read");
            }
            self.period = period.is_blocked.then(|| Period::new(self.limits.read_period));
        }
        if next_request.is_some_and(|due| due <= now) {
            return late("the client does not ask");
        }
        Ok(())
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for GuardedStream<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read_at_once_bytes >= MAX_READ_AT_ONCE_BYTES {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.connection.has_read_enough(context) {
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let bytes = buffer.filled().len() - before;
        self.head_lines.read(&mut buffer.filled_mut()[before..]);
        self.read_at_once_bytes += bytes;
        self.connection.hear(bytes);
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for GuardedStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        match &written {
            Poll::Ready(Ok(written)) => {
                if let Some(period) = &mut self.period {
                    period.taken_bytes += written;
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let length = self.limits.read_period;
                self.period.get_or_insert_with(|| Period::new(length)).is_blocked = true;
                self.keep_time(context)?;
            }
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The client has read everything.
        if let Some(period) = &mut self.period {
            period.is_blocked = false;
        }
        self.keep_time(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use tokio::io::{AsyncWriteExt, DuplexStream, duplex};

    use super::*;
    use crate::{Gate, KnownNetworks, Quantity, Share};

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What is read until the connection has nothing more for now.
    fn read(connection: &mut GuardedStream<DuplexStream>, woken: &Arc<Woken>) -> usize {
        let waker = Arc::clone(woken).into();
        let (mut piece, mut bytes) = ([0; 1024], 0);
        loop {
            let mut buffer = ReadBuf::new(&mut piece);
            match Pin::new(&mut *connection).poll_read(&mut Context::from_waker(&waker), &mut buffer) {
                Poll::Ready(read) => read.expect("read"),
                Poll::Pending => return bytes,
            }
            bytes += buffer.filled().len();
        }
    }

    #[tokio::test]
    async fn what_a_client_sends_unasked_is_left_unread_until_the_handler_takes_something_or_has_answered() {
        let (ours, mut client) = duplex(1 << 20);
        let share = Share { in_all: 1, of_peer: 1 };
        let gate = Gate::new(Quantity::requests("connections"), share, &KnownNetworks::default());
        let mut connection =
            GuardedStream::new(ours, Limits::default(), gate.enter(None, 1).expect("a place"));
        let (state, woken) = (connection.connection(), Arc::new(Woken::default()));
        let under_way = state.begin();
        client.write_all(&vec![b'x'; 4 * MAX_READ_AHEAD_BYTES]).await.expect("sent");
        let mut read_again = || {
            connection.read_at_once_bytes = 0;
            read(&mut connection, &woken)
        };
        assert_eq!(read_again(), MAX_READ_AHEAD_BYTES);
        let wakes = woken.0.load(Ordering::Relaxed);
        assert_eq!(read_again(), 0);
        assert_eq!(woken.0.load(Ordering::Relaxed), wakes, "the task sleeps");
        state.read_on();
        assert_eq!(woken.0.load(Ordering::Relaxed), wakes + 1);
        assert_eq!(read_again(), MAX_READ_AHEAD_BYTES);
        drop(under_way);
        assert_eq!(read_again(), MAX_READ_AT_ONCE_BYTES);
    }
}
