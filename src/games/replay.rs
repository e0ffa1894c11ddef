//! A game played again from its events, in one pass: each event is read, checked and played once.

use std::collections::VecDeque;

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::Games;
use super::act::to_database;
use super::error::GameError;
use super::live::{LiveGame, raw};
use super::view::Looker;
use crate::record::chance::Key;
use crate::record::table::SeatOrder;
use crate::record::{Act, Event, Table};
use crate::rules::{Chance, Seat};
use crate::store::Database;
use crate::store::events;

/// The most events on one page of a replay: each comes with a view.
pub const MAX_REPLAY_PAGE: u16 = 200;

/// An event and the game after it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ReplayStep {
    /// The event as it stands in the record.
    #[schema(value_type = Object)]
    pub event: Box<RawValue>,
    /// The turn that the event belongs to. Turn 0 is event 0, the start; after it, a turn is a longest run of events up to one that
    /// changes `to_act`.
    pub turn: u64,
    /// The view of the rules after the event, with your eyes: the one that you were shown then.
    #[schema(value_type = Value)]
    pub view: Box<RawValue>,
}

/// A page of a replay.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ReplayPage {
    /// One after the other, oldest first.
    pub steps: Vec<ReplayStep>,
    /// Give it as `first` for the next page; null when the newest event is on this one.
    pub next: Option<u64>,
    /// The number of the game's newest event.
    pub newest: u64,
}

/// A game at one moment of its past.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub table: Table,
    /// The event that led to it.
    pub event: Event,
    /// The turn that the event belongs to.
    pub turn: u64,
    /// Whether the event is the last of its turn.
    pub ends_turn: bool,
}

/// A walk through the events of a game.
pub(super) struct Replay<'a> {
    database: &'a Database,
    live: &'a LiveGame,
    key: Key,
    now: Option<Moment>,
    /// Lines that are read and not yet played.
    waiting: VecDeque<String>,
}

impl<'a> Replay<'a> {
    /// A replay that begins before event 0.
    pub fn new(games: &'a Games, live: &'a LiveGame) -> Self {
        let key = live.fixed.master.key(live.fixed.id, &live.fixed.header.salt());
        Self { database: &games.database, live, key, now: None, waiting: VecDeque::new() }
    }

    /// Plays the next event; returns its line, or `None` after the newest event that `live` knows.
    pub async fn step(&mut self) -> Result<Option<String>, GameError> {
        let seq = self.now.as_ref().map_or(0, |now| now.event.seq + 1);
        if seq > self.live.seq() {
            return Ok(None);
        }
        if self.waiting.is_empty() {
            let (first, last) = (to_database(seq), to_database(self.live.seq()));
            self.waiting = events::lines(self.database, self.live.fixed.id, first, last).await?.into();
        }
        let line = self.waiting.pop_front().ok_or_else(|| self.corrupt("events missing"))?;
        let event: Event = serde_json::from_str(&line).map_err(|_| self.corrupt("event"))?;
        if event.seq != seq {
            return Err(self.corrupt("events missing"));
        }
        self.now = Some(match self.now.take() {
            None => Moment { table: self.start()?, event, turn: 0, ends_turn: true },
            Some(before) => self.play(before, event)?,
        });
        Ok(Some(line))
    }

    fn start(&self) -> Result<Table, GameError> {
        let fixed = &self.live.fixed;
        let mut words = self.key.seed(0).words();
        let started =
            Table::start(fixed.rules, &fixed.header, &SeatOrder::ByHeader, Chance::Drawn(&mut words));
        started.map(|(table, _)| table).map_err(|_| self.corrupt("start"))
    }

    fn play(&self, before: Moment, event: Event) -> Result<Moment, GameError> {
        let mut table = before.table;
        let mut words = self.key.seed(event.seq).words();
        let act = act_of(&event).ok_or_else(|| self.corrupt("event"))?;
        let done = table.act(event.seq, act, Chance::Drawn(&mut words));
        done.map_err(|_| self.corrupt("event"))?;
        let turn = before.turn + u64::from(before.ends_turn);
        let ends_turn = event.to_act != before.event.to_act;
        Ok(Moment { table, event, turn, ends_turn })
    }

    /// The game after the event played last.
    pub fn now(&self) -> Option<&Moment> {
        self.now.as_ref()
    }

    /// Plays up to the first moment that `is_wanted` of, or to the newest.
    pub async fn until(mut self, is_wanted: impl Fn(&Moment) -> bool) -> Result<Moment, GameError> {
        while self.step().await?.is_some() {
            if self.now.as_ref().is_some_and(&is_wanted) {
                break;
            }
        }
        let corrupt = self.corrupt("events missing");
        self.now.ok_or(corrupt)
    }

    fn corrupt(&self, why: &str) -> GameError {
        GameError::Corrupt(self.live.fixed.id, why.to_owned())
    }
}

impl Games {
    /// Events from `first` on, at most `limit`, each with the view after it, made in one pass over the game.
    ///
    /// # Errors
    /// No such game for this looker, or not started.
    pub async fn replay(
        &self,
        game_id: Uuid,
        looker: &Looker,
        first: u64,
        limit: u16,
    ) -> Result<ReplayPage, GameError> {
        let (live, viewer) = self.started_for(game_id, looker).await?;
        let limit = usize::from(limit.clamp(1, MAX_REPLAY_PAGE));
        let mut replay = Replay::new(self, &live);
        let mut steps = Vec::new();
        while steps.len() < limit && first <= live.seq() {
            let Some(line) = replay.step().await? else { break };
            let Some(now) = replay.now().filter(|now| now.event.seq >= first) else { continue };
            let view = now.table.position().view_text(viewer);
            steps.push(ReplayStep { event: raw(line), turn: now.turn, view });
        }
        let next = replay.now().map(|now| now.event.seq + 1).filter(|next| *next <= live.seq());
        Ok(ReplayPage { steps, next, newest: live.seq() })
    }
}

/// What a stored event did.
pub(super) fn act_of(event: &Event) -> Option<Act<'_>> {
    Some(match (event.action["type"].as_str()?, event.seat) {
        ("timeout", None) => Act::Timeout { seat: Seat(u8::try_from(event.action["seat"].as_u64()?).ok()?) },
        ("resign", Some(seat)) => Act::Resign { seat },
        ("abort", Some(seat)) => Act::Abort { seat },
        (_, Some(seat)) => Act::Play { seat, action: &event.action },
        (_, None) => return None,
    })
}
