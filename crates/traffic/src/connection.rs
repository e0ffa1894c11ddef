//! A connection with deadlines: it is closed if its client is too slow to send a request's head, to read an answer, or to send
//! its next request.

use std::cell::{Cell, RefCell};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::handover::{self, Rest};
use super::{LEAST_READ_BYTES, Limits, MAX_HEAD_BYTES, TrafficPermit};

/// The most bytes that are read before they are examined.
const MAX_READ_AT_ONCE_BYTES: usize = 32 * 1024;

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
    /// What is to be written by a task of its own once the head of the answer has been sent.
    rest: RefCell<Option<Rest>>,
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
            rest: RefCell::new(None),
        }
    }

    /// Asks the connection to leave the HTTP dispatcher at its next flush.
    pub(super) fn leave_with(&self, rest: Rest) {
        self.rest.replace(Some(rest));
    }

    fn take_rest(&self) -> Option<Rest> {
        self.rest.take()
    }

    /// Whether it has been asked to leave and has not left yet.
    pub(super) fn is_leaving(&self) -> bool {
        self.rest.borrow().is_some()
    }

    /// Call it when a request's head is complete; the request is in flight until the result is dropped.
    #[must_use]
    pub fn begin(self: &Rc<Self>) -> UnderWay {
        self.under_way.set(self.under_way.get() + 1);
        self.is_rest_of_body.set(false);
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
    }

    fn hear(&self, bytes: usize) {
        if self.under_way.get() == 0 && bytes > 0 {
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
    /// `None` once it has left the HTTP dispatcher, which then sees a closed connection.
    stream: Option<T>,
    connection: Rc<ConnectionState>,
    limits: Limits,
    /// Made when there is a deadline.
    timer: Option<Pin<Box<Sleep>>>,
    /// When the timer wakes; at or before the next deadline.
    armed_for: Option<Instant>,
    period: Option<Period>,
    read_at_once_bytes: usize,
    place: Option<TrafficPermit>,
}

impl<T> GuardedStream<T> {
    /// A new connection, which holds `place` until it is dropped.
    #[must_use]
    pub fn new(stream: T, limits: Limits, place: TrafficPermit) -> Self {
        Self {
            stream: Some(stream),
            connection: Rc::new(ConnectionState::new(Instant::now())),
            limits,
            timer: None,
            armed_for: None,
            period: None,
            read_at_once_bytes: 0,
            place: Some(place),
        }
    }

    /// The same connection without the HTTP dispatcher; this one is closed from now on.
    fn take(&mut self) -> Option<Self> {
        let stream = self.stream.take()?;
        Some(Self {
            stream: Some(stream),
            connection: self.connection(),
            limits: self.limits,
            timer: None,
            armed_for: None,
            period: self.period.take(),
            read_at_once_bytes: 0,
            place: self.place.take(),
        })
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
            let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(due)));
            if self.armed_for.is_none_or(|armed_for| armed_for > due) {
                timer.as_mut().reset(due);
                self.armed_for = Some(due);
            }
            if timer.as_mut().poll(context).is_pending() {
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
        let before = buffer.filled().len();
        let Some(stream) = &mut self.stream else { return Poll::Ready(Ok(())) };
        let read = Pin::new(stream).poll_read(context, buffer);
        let bytes = buffer.filled().len() - before;
        self.read_at_once_bytes += bytes;
        self.connection.hear(bytes);
        read
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin + 'static> AsyncWrite for GuardedStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // After it has left, the dispatcher still ends what it believes to be an answer.
        let Some(stream) = &mut self.stream else { return Poll::Ready(Ok(bytes.len())) };
        let written = Pin::new(stream).poll_write(context, bytes);
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
        // All that the dispatcher had to write has been written, so the head of the answer, too.
        if let Some(rest) = self.connection.take_rest()
            && let Some(taken) = self.take()
        {
            handover::write_rest(taken, rest);
            context.waker().wake_by_ref();
        }
        if self.stream.is_none() {
            return Poll::Ready(Ok(()));
        }
        self.keep_time(context)?;
        self.stream.as_mut().map_or(Poll::Ready(Ok(())), |stream| Pin::new(stream).poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().map_or(Poll::Ready(Ok(())), |stream| Pin::new(stream).poll_shutdown(context))
    }
}
