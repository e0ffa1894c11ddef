//! Replays a game from its events in one pass: each event is read, checked and played once.

use std::collections::VecDeque;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::history::checkpoints::{self, Goal, Purpose, Replayed};
use crate::history::progress::{Counted, TurnCount};
use crate::memory::live::{LiveGame, raw};
use crate::viewing::view::{self, Requester};
use pippost_record::record::{Event, Replayer, Table};
use pippost_record::rules::schema::RuleSetView;
use pippost_store::checkpoints::Checkpoint;
use pippost_store::events;
use pippost_store::{Database, Seq, TurnNumber};

/// The most events on one page of a replay; each comes with a view.
pub const MAX_REPLAY_PAGE: u16 = 200;

/// A replay yields its thread after so many events.
const EVENTS_AT_A_STRETCH: u64 = 32;

/// An event and the game after it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayStep {
    /// The event as it stands in the record.
    #[schema(value_type = Event)]
    pub event: Box<RawValue>,
    /// The turn of the event; turn 0 is event 0.
    #[schema(value_type = u64)]
    pub turn: TurnNumber,
    /// The view of the rules after the event, as you were shown it then.
    #[schema(value_type = RuleSetView)]
    pub view: Box<RawValue>,
}

/// A page of a replay.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayPage {
    /// Consecutive events, oldest first.
    pub steps: Vec<ReplayStep>,
    /// The `first` of the next page; null if this page has the newest event.
    #[schema(value_type = Option<u64>)]
    pub next: Option<Seq>,
    /// The number of the game's newest event.
    #[schema(value_type = u64)]
    pub newest: Seq,
}

/// A game at one position of its past.
#[derive(Clone, Debug)]
pub(crate) struct PastPosition {
    pub table: Table,
    /// The event that led to it.
    pub event: Event,
    pub progress: TurnCount,
}

impl PastPosition {
    pub fn seq(&self) -> Seq {
        self.event.seq.into()
    }
}

/// Iterates over the events of a game.
pub(crate) struct Replay<'a> {
    database: &'a Database,
    live: &'a LiveGame,
    replayer: Replayer,
    purpose: Purpose,
    replayed: &'a Replayed,
    /// The last event to read.
    end: Seq,
    now: Option<PastPosition>,
    /// Lines that are read and not played yet.
    waiting: VecDeque<String>,
}

impl<'a> Replay<'a> {
    /// A replay from event 0 to event `end`, or to the newest that `live` knows.
    pub fn new(games: &'a Games, live: &'a LiveGame, purpose: Purpose, end: Seq) -> Self {
        Self {
            database: &games.database,
            live,
            replayer: live.chronicle.replayer(),
            purpose,
            replayed: games.replayed(),
            end: end.min(live.seq()),
            now: None,
            waiting: VecDeque::new(),
        }
    }

    /// The same replay, started at a checkpoint; `None` if that is damaged.
    pub async fn at(mut self, checkpoint: &Checkpoint) -> Result<Option<Self>, GameError> {
        let Ok(table) = Table::restore(self.live.fixed.rules, &checkpoint.snapshot) else { return Ok(None) };
        let Some(progress) = TurnCount::of_mark(&checkpoint.mark) else { return Ok(None) };
        self.read_from(checkpoint.seq).await?;
        let (_, event) = self.next_event()?;
        if Seq::from(event.seq) != checkpoint.seq {
            return Err(self.corrupt("events missing"));
        }
        if table.to_act() != event.to_act {
            return Ok(None);
        }
        self.now = Some(PastPosition { table, event, progress });
        Ok(Some(self))
    }

    async fn read_from(&mut self, first: Seq) -> Result<(), GameError> {
        self.waiting = events::lines(self.database, self.live.fixed.id, first, self.end).await?.into();
        Ok(())
    }

    /// The next line and its event.
    fn next_event(&mut self) -> Result<(String, Event), GameError> {
        let line = self.waiting.pop_front().ok_or_else(|| self.corrupt("events missing"))?;
        let event: Event = serde_json::from_str(&line).map_err(|_| self.corrupt("event"))?;
        Ok((line, event))
    }

    /// Plays the next event; returns its line, or `None` after the last.
    pub async fn step(&mut self) -> Result<Option<String>, GameError> {
        let seq = self.now.as_ref().map_or(Seq::START, |now| now.seq().next());
        if seq > self.end {
            return Ok(None);
        }
        if self.waiting.is_empty() {
            self.read_from(seq).await?;
        } else if seq.get().is_multiple_of(EVENTS_AT_A_STRETCH) {
            tokio::task::yield_now().await;
        }
        let (line, event) = self.next_event()?;
        if Seq::from(event.seq) != seq {
            return Err(self.corrupt("events missing"));
        }
        self.replayed.count(self.purpose);
        self.now = Some(match self.now.take() {
            None => PastPosition { table: self.start(&event)?, event, progress: TurnCount::at_start() },
            Some(before) => self.play(before, event)?,
        });
        Ok(Some(line))
    }

    fn start(&self, event: &Event) -> Result<Table, GameError> {
        let fixed = &self.live.fixed;
        self.replayer.start(fixed.rules, &fixed.header, event).map_err(|_| self.corrupt("start"))
    }

    fn play(&self, before: PastPosition, event: Event) -> Result<PastPosition, GameError> {
        let mut table = before.table;
        self.replayer.play(&mut table, &event).map_err(|_| self.corrupt("event"))?;
        let progress = before.progress.next(Counted::from(&before.event), Counted::from(&event));
        Ok(PastPosition { table, event, progress })
    }

    /// Continues to event `end`.
    pub fn read_until(&mut self, end: Seq) {
        self.end = end.min(self.live.seq());
    }

    /// The game after the last played event.
    pub fn now(&self) -> Option<&PastPosition> {
        self.now.as_ref()
    }

    /// Plays up to the first position that satisfies `is_wanted`, or to the last.
    pub async fn until(
        mut self,
        is_wanted: impl Fn(&PastPosition) -> bool,
    ) -> Result<PastPosition, GameError> {
        while !self.now.as_ref().is_some_and(&is_wanted) && self.step().await?.is_some() {}
        let corrupt = self.corrupt("events missing");
        self.now.ok_or(corrupt)
    }

    fn corrupt(&self, why: &str) -> GameError {
        GameError::Corrupt(self.live.fixed.id, why.to_owned())
    }
}

/// At most `limit` events from `first` on, each with the view after it, made in one pass from the last checkpoint.
///
/// # Errors
/// No such game for this requester, or not started.
pub async fn replay(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    first: Seq,
    limit: u16,
) -> Result<ReplayPage, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let newest = live.seq();
    let mut page = ReplayPage { steps: Vec::new(), next: None, newest };
    if first > newest {
        return Ok(page);
    }
    let limit = u64::from(limit.clamp(1, MAX_REPLAY_PAGE));
    let last = newest.min(first + (limit - 1));
    // A checkpoint has no line, so the page begins after it.
    let mut replay = checkpoints::replay_towards(games, &live, Goal::Event(first.back(1))).await?;
    replay.read_until(last);
    while let Some(line) = replay.step().await? {
        let Some(now) = replay.now().filter(|now| now.seq() >= first) else { continue };
        let view = now.table.position().view_text(viewer);
        page.steps.push(ReplayStep { event: raw(line), turn: now.progress.turn, view });
    }
    page.next = Some(last.next()).filter(|next| *next <= newest);
    Ok(page)
}
