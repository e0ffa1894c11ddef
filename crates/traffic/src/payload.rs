//! A request's body with a deadline and a least rate.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use bytes::Bytes;
use futures_util::Stream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::{ConnectionState, Full, LEAST_BODY_RATE, MOVE_BODY_TIMEOUT, Traffic, TrafficPermit};

/// Why a body was not read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyStopped {
    #[error("the body came too slowly")]
    TooSlow,
    #[error(transparent)]
    Full(#[from] Full),
}

impl BodyStopped {
    /// Finds one of these reasons in an error of reading.
    #[must_use]
    pub fn of(error: &PayloadError) -> Option<Self> {
        let PayloadError::Io(error) = error else { return None };
        error.get_ref()?.downcast_ref().copied()
    }
}

impl From<BodyStopped> for PayloadError {
    fn from(stopped: BodyStopped) -> Self {
        Self::Io(io::Error::other(stopped))
    }
}

/// A body that fails if it arrives too slowly. It holds a place while it waits for the client.
pub struct PacedPayload {
    inner: Payload,
    traffic: Traffic,
    peer: IpAddr,
    connection: Option<Rc<ConnectionState>>,
    began: Instant,
    last: Instant,
    bytes: u64,
    timer: Option<Pin<Box<Sleep>>>,
    place: Option<TrafficPermit>,
    /// How long it may wait without a place.
    place_timeout: Duration,
    is_whole: bool,
}

impl PacedPayload {
    #[must_use]
    pub fn new(
        inner: Payload,
        traffic: Traffic,
        peer: IpAddr,
        connection: Option<Rc<ConnectionState>>,
    ) -> Self {
        let now = Instant::now();
        Self {
            inner,
            traffic,
            peer,
            connection,
            began: now,
            last: now,
            bytes: 0,
            timer: None,
            place: None,
            place_timeout: Duration::ZERO,
            is_whole: false,
        }
    }

    /// The body of a move, which may wait a moment without a place: a legal move must get through where others hold all places.
    /// Its connection counts all the same.
    #[must_use]
    pub fn of_move(mut self) -> Self {
        self.place_timeout = MOVE_BODY_TIMEOUT;
        self
    }

    /// When the body will be too slow if no data arrives.
    fn due(&self) -> Instant {
        let limits = &self.traffic.limits;
        // How long the received bytes last at the least rate.
        let lasts = Duration::from_millis(self.bytes.saturating_mul(1000) / LEAST_BODY_RATE);
        let average = self.began + limits.body_pause + lasts;
        (self.last + limits.body_pause).min(self.began + limits.body).min(average)
    }

    fn wait(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, PayloadError>>> {
        let mut due = self.due();
        let mut late = BodyStopped::TooSlow;
        if self.place.is_none() {
            match self.traffic.bodies.enter(Some(self.peer), 1) {
                Ok(place) => self.place = Some(place),
                Err(full) => (due, late) = (due.min(self.began + self.place_timeout), full.into()),
            }
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(due)));
        if timer.deadline() != due {
            timer.as_mut().reset(due);
        }
        match timer.as_mut().poll(context) {
            Poll::Ready(()) => {
                self.place = None;
                Poll::Ready(Some(Err(late.into())))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Stream for PacedPayload {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match Pin::new(&mut self.inner).poll_next(context) {
            Poll::Ready(Some(Ok(bytes))) => {
                self.bytes += bytes.len() as u64;
                self.last = Instant::now();
                if let Some(connection) = &self.connection {
                    connection.read_on();
                }
                // The deadline also holds for a body that always has data ready.
                if self.last > self.began + self.traffic.limits.body {
                    return Poll::Ready(Some(Err(BodyStopped::TooSlow.into())));
                }
                Poll::Ready(Some(Ok(bytes)))
            }
            Poll::Ready(end) => {
                self.is_whole = end.is_none();
                self.place = None;
                Poll::Ready(end)
            }
            Poll::Pending => self.wait(context),
        }
    }
}

impl Drop for PacedPayload {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.as_ref().filter(|_| !self.is_whole) {
            connection.leave_rest_unread();
        }
    }
}
