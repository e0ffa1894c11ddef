//! A stream of NDJSON or server-sent events. Its body makes the next piece only when the connection has room for one.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::Stream;
use futures_util::future::LocalBoxFuture;
use serde::Serialize;

use super::answers::{FeedLine, MyFeedLine, games_of};
use super::query::Form;
use pippost_games::GameError;
use pippost_games::feed::{Entry, GameFeed, GamesSnapshot, PlayerFeed, Snapshot, Step, TournamentFeed};
use pippost_store::EventId;
use pippost_traffic::TrafficPermit;

/// After how many milliseconds browsers ask again: from 1,000 on, in steps, so that they do not all come at once.
const RETRY_STEPS: u64 = 40;

const RETRY_STEP_MS: u64 = 100;

/// A stream of a feed.
pub struct FeedStream {
    state: State,
    /// What is ready to be sent.
    ready: VecDeque<Bytes>,
    _place: TrafficPermit,
}

/// What a stream is made from.
pub enum Source {
    /// A game; with `shows_each` it is shown after every burst of events.
    Game {
        feed: GameFeed,
        shows_each: bool,
    },
    /// All games of a player.
    Player(PlayerFeed),
    Tournament(TournamentFeed),
}

/// What a stream begins with, before events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    #[default]
    Nothing,
    /// What is now; the events before it are passed over.
    Snapshot,
    /// The game, if no event is to be told before it.
    SnapshotIfCaughtUp,
}

/// What is needed to go on.
struct Following {
    source: Source,
    form: Form,
    first: First,
}

enum State {
    /// Polled only when nothing is ready.
    Working(LocalBoxFuture<'static, (Option<Following>, Vec<Bytes>)>),
    Ended,
}

impl FeedStream {
    /// A stream that begins with `first` and goes on with what the feed says.
    #[must_use]
    pub fn new(source: Source, form: Form, first: First, place: TrafficPermit) -> Self {
        let ready = (form == Form::Sse).then(greeting).into_iter().collect();
        let following = Following { source, form, first };
        Self { state: State::Working(Box::pin(following.next())), ready, _place: place }
    }
}

impl Stream for FeedStream {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(bytes) = self.ready.pop_front() {
                return Poll::Ready(Some(bytes));
            }
            let State::Working(working) = &mut self.state else { return Poll::Ready(None) };
            let (following, ready) = std::task::ready!(working.as_mut().poll(context));
            self.ready = ready.into();
            self.state =
                following.map_or(State::Ended, |following| State::Working(Box::pin(following.next())));
        }
    }
}

impl Following {
    /// The next pieces, and what is needed to go on; `None` after the last ones.
    async fn next(mut self) -> (Option<Self>, Vec<Bytes>) {
        match self.step().await {
            Ok((true, pieces)) => (Some(self), pieces),
            Ok((false, pieces)) => (None, pieces),
            Err(error) => {
                // The reader asks again, and is told then.
                tracing::debug!(%error, "a feed was cut off");
                (None, Vec::new())
            }
        }
    }

    async fn step(&mut self) -> Result<(bool, Vec<Bytes>), GameError> {
        match (std::mem::take(&mut self.first), &mut self.source) {
            (First::Snapshot, Source::Game { feed, .. }) => {
                let snapshot = Box::pin(feed.snapshot()).await?;
                return Ok((true, vec![self.form.game(&snapshot)]));
            }
            (First::Snapshot, Source::Player(feed)) => {
                let snapshot = Box::pin(feed.snapshot()).await?;
                return Ok((true, vec![self.form.games(&snapshot)]));
            }
            (First::SnapshotIfCaughtUp, Source::Game { feed, .. }) => {
                if let Some(snapshot) = Box::pin(feed.snapshot_if_caught_up()).await? {
                    return Ok((true, vec![self.form.game(&snapshot)]));
                }
            }
            _ => {}
        }
        let step = match &mut self.source {
            Source::Game { feed, .. } => feed.next().await?,
            Source::Player(feed) => feed.next().await?,
            Source::Tournament(feed) => feed.next().await?,
        };
        match step {
            Step::Events(entries) => {
                let mut pieces: Vec<Bytes> = entries.iter().map(|entry| self.form.event(entry)).collect();
                if let Source::Game { feed, shows_each: true } = &mut self.source
                    && let Some(snapshot) = Box::pin(feed.snapshot_if_caught_up()).await?
                {
                    pieces.push(self.form.game(&snapshot));
                }
                Ok((true, pieces))
            }
            Step::Message => Ok((true, vec![self.form.said()])),
            Step::Heartbeat => Ok((true, vec![self.form.heartbeat()])),
            Step::End(reason) => Ok((false, vec![self.form.line(None, &FeedLine::End { reason })])),
        }
    }
}

/// The first lines of a stream of server-sent events.
fn greeting() -> Bytes {
    static STREAMS: AtomicU64 = AtomicU64::new(0);
    let step = STREAMS.fetch_add(1, Ordering::Relaxed) % RETRY_STEPS;
    format!("retry: {}\n\n", 1000 + step * RETRY_STEP_MS).into()
}

impl Form {
    fn event(self, entry: &Entry) -> Bytes {
        self.line(Some(entry.id), &FeedLine::Event { id: entry.id.to_string(), event: &entry.event })
    }

    fn game(self, snapshot: &Snapshot) -> Bytes {
        self.line(snapshot.id, &FeedLine::Game { game: &snapshot.json })
    }

    fn games(self, snapshot: &GamesSnapshot) -> Bytes {
        self.line(snapshot.id, &MyFeedLine::Games { games: games_of(snapshot) })
    }

    fn line(self, id: Option<EventId>, line: &impl Serialize) -> Bytes {
        let json = serde_json::to_string(line).expect("plain data");
        match (self, id) {
            (Self::Sse, Some(id)) => format!("id: {id}\ndata: {json}\n\n").into(),
            (Self::Sse, None) => format!("data: {json}\n\n").into(),
            _ => format!("{json}\n").into(),
        }
    }

    /// A message was written, which the reader asks for elsewhere.
    fn said(self) -> Bytes {
        Bytes::from_static(if self == Self::Sse { b"event: said\ndata: {}\n\n" } else { b"\n" })
    }

    /// What is sent when there is nothing to say.
    fn heartbeat(self) -> Bytes {
        Bytes::from_static(if self == Self::Sse { b":\n\n" } else { b"\n" })
    }
}
