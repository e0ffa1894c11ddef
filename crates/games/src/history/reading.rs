//! The past of a game: views of earlier positions, events, and the whole record as a stream.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::Games;
use crate::clocks;
use crate::error::GameError;
use crate::history::past_positions::{self, At};
use crate::memory::live::{LiveGame, raw};
use crate::viewing::view::{self, GameView, Requester};
use pippost_record::record::header::Header;
use pippost_record::record::{Hash, canonical};
use pippost_store::Seq;
use pippost_store::events::{self, MAX_PAGE};

/// The game as `requester` saw it at that position; it never shows more than was visible then.
///
/// # Errors
/// No such game or event for this requester.
pub async fn view_at(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: impl Into<At>,
) -> Result<GameView, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let Some(then) = past_positions::past_position(games, &live, at.into()).await? else {
        return Ok(view::view_live(games, &live, viewer));
    };
    let mut view = view::view_table(games, &live, &then.table, viewer);
    view.seq = Some(then.seq());
    view.head = Some(then.event.hash);
    Ok(view)
}

/// A page of events that can be read.
pub struct EventsToRead {
    first: Seq,
    last: Seq,
    pub newest: Seq,
    /// The hash of the newest event, which stands for all of them.
    pub head: Hash,
}

/// The page of events from `first` on, at most [`MAX_PAGE`], before it is read.
///
/// # Errors
/// No such game for this requester.
pub async fn events_to_read(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    first: Seq,
    limit: u16,
) -> Result<EventsToRead, GameError> {
    let (live, _) = view::started_for(games, game_id, requester).await?;
    let newest = live.seq();
    let first = first.min(newest.next());
    let last = (first + (u64::from(limit.clamp(1, MAX_PAGE)) - 1)).min(newest);
    Ok(EventsToRead { first, last, newest, head: live.chronicle.head() })
}

/// The events of a page, as they stand in the record.
///
/// # Errors
/// The database failed.
pub async fn events(
    games: &Games,
    game_id: Uuid,
    page: &EventsToRead,
) -> Result<Vec<Box<RawValue>>, GameError> {
    let lines = events::lines(&games.database, game_id, page.first, page.last).await?;
    Ok(lines.into_iter().map(raw).collect())
}

/// The record as chunks of NDJSON: header, events, and the footer once the game is over; then the clock log, if asked for.
///
/// # Errors
/// No such game for this requester, or not started.
pub async fn record(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    with_clock: bool,
) -> Result<impl Stream<Item = Result<Bytes, GameError>> + use<>, GameError> {
    let (live, _) = view::started_for(games, game_id, requester).await?;
    // If the archive is gone, the answer says so instead of breaking off: only finished games are there.
    let read = match live.finished_at {
        Some(_) => Some(page_from(games, &live, Seq::START).await?),
        None => None,
    };
    Ok(parts(games, live, Remaining::Header { read }, with_clock))
}

/// The same of a game that is at hand, for whoever may see it.
pub(crate) fn record_of(
    games: &Games,
    live: Arc<LiveGame>,
    with_clock: bool,
) -> impl Stream<Item = Result<Bytes, GameError>> + use<> {
    parts(games, live, Remaining::Header { read: None }, with_clock)
}

/// The parts of a record from `first` on.
fn parts(
    games: &Games,
    live: Arc<LiveGame>,
    first: Remaining,
    with_clock: bool,
) -> impl Stream<Item = Result<Bytes, GameError>> + use<> {
    let games = games.clone();
    futures_util::stream::try_unfold(first, move |part| {
        let (games, live) = (games.clone(), live.clone());
        async move { next_part(&games, &live, part, with_clock).await }
    })
}

async fn next_part(
    games: &Games,
    live: &LiveGame,
    part: Remaining,
    with_clock: bool,
) -> Result<Option<(Bytes, Remaining)>, GameError> {
    let at_end = matches!(part, Remaining::EventsFrom(first) if first > live.seq());
    let part = if at_end && with_clock && live.finished_at.is_none() { Remaining::clock() } else { part };
    match part {
        Remaining::Header { read } => {
            let header: &Header = &live.fixed.header;
            let next = read.map_or(Remaining::EventsFrom(Seq::START), Remaining::EventsRead);
            Ok(Some((line(canonical::of(header)), next)))
        }
        Remaining::EventsRead(lines) => Ok(Some(joined(Seq::START, &lines))),
        Remaining::EventsFrom(first) if first <= live.seq() => {
            let lines = page_from(games, live, first).await?;
            Ok(Some(joined(first, &lines)))
        }
        Remaining::EventsFrom(_) => {
            let footer = live.chronicle.footer(&live.fixed.master);
            let next = if with_clock { Remaining::clock() } else { Remaining::Done };
            Ok(footer.map(|footer| (line(canonical::of(&footer)), next)))
        }
        Remaining::Clock { first, mut openings } => {
            let page = clocks::log_lines(games, live, first).await?;
            let Some(last) = page.last() else {
                let footer = clocks::log_footer(live, &openings)?;
                return Ok(footer.map(|footer| (line(footer), Remaining::Done)));
            };
            let next = last.number + 1;
            openings.extend(page.iter().filter_map(|row| row.openings.clone()));
            let lines: Vec<&str> = page.iter().map(|row| row.line.as_str()).collect();
            Ok(Some((line(lines.join("\n").into_bytes()), Remaining::Clock { first: next, openings })))
        }
        Remaining::Done => Ok(None),
    }
}

/// A page of events from `first` on, of those that there must be.
async fn page_from(games: &Games, live: &LiveGame, first: Seq) -> Result<Vec<String>, GameError> {
    let lines = events::lines(&games.database, live.fixed.id, first, live.seq()).await?;
    if lines.is_empty() { Err(GameError::Corrupt(live.fixed.id, "events missing".into())) } else { Ok(lines) }
}

/// A page of events as it is sent, and what comes after it.
fn joined(first: Seq, lines: &[String]) -> (Bytes, Remaining) {
    (line(lines.join("\n").into_bytes()), Remaining::EventsFrom(first + lines.len() as u64))
}

/// How far a record has been sent.
enum Remaining {
    /// Nothing; the first page of events may have been read.
    Header {
        read: Option<Vec<String>>,
    },
    EventsRead(Vec<String>),
    EventsFrom(Seq),
    /// The clock log from a line on; what its lines before need for the footer.
    Clock {
        first: i32,
        openings: Vec<String>,
    },
    Done,
}

impl Remaining {
    fn clock() -> Self {
        Self::Clock { first: 0, openings: Vec::new() }
    }
}

fn line(mut text: Vec<u8>) -> Bytes {
    text.push(b'\n');
    text.into()
}
