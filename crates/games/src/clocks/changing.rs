//! One change of a started game's clock: decided on its newest state, written with its lines of the log, and decided again if the game
//! has moved on meanwhile.

use std::sync::Arc;

use time::OffsetDateTime;
use uuid::Uuid;

use super::lines::LogWriter;
use crate::Games;
use crate::error::GameError;
use crate::memory::live::{LiveGame, Turn};
use crate::playing::act::stored_clock;
use crate::playing::timing::game_time;
use crate::viewing::view;
use pippost_clock::game_clock::{ClockRules, Running};
use pippost_clock::log::MAX_LINES;
use pippost_record::record::Timestamp;
use pippost_store::commit::{self, ClockWrite, SeatTaken, SeatToAct, SeatWrite};
use pippost_store::notices::NewNotice;

/// How often a change is decided again because a move was faster.
const MAX_TRIES: usize = 8;

/// A clock being changed.
pub(crate) struct Changed {
    pub clock_rules: ClockRules,
    pub running: Option<Running>,
    pub writer: LogWriter,
    /// The newest outage that is given back.
    pub outage: i64,
    pub at: Timestamp,
    pub reminders: Reminders,
    /// What becomes of the seats, if a substitute is concerned.
    pub seats: Option<SeatChange>,
}

/// A change of seats, and who is told of it.
pub(crate) struct SeatChange {
    pub taken: Option<SeatTaken>,
    pub notices: Vec<NewNotice>,
}

/// What a change means for the reminders of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reminders {
    /// Those that were sent stay sent.
    AsTheyWere,
    /// There is more time again, so they come anew.
    Anew,
    /// They come anew, from a point in time on.
    AnewFrom(OffsetDateTime),
}

/// What is decided about a clock.
pub(crate) enum Decision<T> {
    /// Write the change.
    Write(T),
    /// Nothing changes.
    Leave(T),
}

/// Changes the clock of a started game by what `decide` does to it.
///
/// # Errors
/// What `decide` refuses; no such game, or its log is full.
pub(crate) async fn change<T>(
    games: &Games,
    game_id: Uuid,
    mut decide: impl FnMut(&LiveGame, &mut Changed) -> Result<Decision<T>, GameError>,
) -> Result<T, GameError> {
    for _ in 0..MAX_TRIES {
        let mut slot = games.inner.cache.lock(game_id).await;
        // Read from the database, not from the cache: another process may have moved.
        let live = view::load_live(games, game_id).await?;
        slot.take();
        let mut changed = Changed::of(games, &live);
        let result = match decide(&live, &mut changed)? {
            Decision::Write(result) => result,
            Decision::Leave(result) => {
                games.inner.cache.put(&mut slot, live);
                return Ok(result);
            }
        };
        let (asked, seats_offered) = (changed.asked(&live), is_seat_offered(&live, &changed.clock_rules));
        let seats = changed.seats.take();
        let clock = changed.write(&live)?;
        let written = match seats {
            None => !commit::change_clocks(&games.database, &[clock]).await?.is_empty(),
            Some(SeatChange { taken, notices }) => {
                let write = SeatWrite { clock, asked, seats_offered, taken, notices };
                commit::change_seats(&games.database, &write).await?
            }
        };
        if written {
            games.inner.cache.forget(slot);
            return Ok(result);
        }
    }
    Err(GameError::Contended)
}

/// Whether somebody can take a seat of a game.
pub(super) fn is_seat_offered(live: &LiveGame, clock_rules: &ClockRules) -> bool {
    let table = live.chronicle.table();
    table.result().is_none() && clock_rules.offered_seats().any(|seat| !table.has_left(seat))
}

impl Changed {
    pub fn of(games: &Games, live: &Arc<LiveGame>) -> Self {
        let at = Timestamp::new(game_time(games, live));
        let head = live.clock_rules.conditions.head;
        Self {
            clock_rules: (*live.clock_rules).clone(),
            running: live.running.clone(),
            writer: LogWriter::new(live.fixed.id, &live.chronicle, head, at),
            outage: live.outage,
            at,
            reminders: Reminders::AsTheyWere,
            seats: None,
        }
    }

    /// Who is asked, and since when, after a change of seats.
    fn asked(&self, live: &LiveGame) -> SeatToAct {
        let Some(running) = &self.running else { return SeatToAct::default() };
        let turn = Turn::of(running, &self.clock_rules);
        let taken = self.seats.as_ref().and_then(|seats| seats.taken);
        let substitute = taken.filter(|taken| live.fixed.players[turn.seat.index()] == taken.from);
        let player_id = match substitute {
            Some(taken) => Some(taken.to.player_id),
            None => live.player_of_asked_seat(turn.seat, &self.clock_rules),
        };
        SeatToAct { player_id, since: Some(turn.since) }
    }

    /// The rows to write.
    pub fn write(mut self, live: &LiveGame) -> Result<ClockWrite, GameError> {
        let (lines, head) = self.writer.finish();
        if head.is_some_and(|head| head.number >= MAX_LINES) {
            return Err(GameError::ClockLogFull);
        }
        self.clock_rules.conditions.head = head;
        let turn = self.running.as_ref().map(|running| Turn::of(running, &self.clock_rules));
        Ok(ClockWrite {
            game_id: live.fixed.id,
            expected_seq: live.seq(),
            expected_edition: live.edition,
            clock: stored_clock(self.running.as_ref(), &self.clock_rules),
            deadline_at: turn.and_then(|turn| turn.deadline_at),
            // Which reminders have been sent is known apart from this.
            remind_at: match self.reminders {
                Reminders::AnewFrom(at) => Some(at),
                Reminders::AsTheyWere | Reminders::Anew => turn.and_then(|turn| turn.remind_at),
            },
            remind_anew: self.reminders != Reminders::AsTheyWere,
            clock_conditions: serde_json::to_string(&self.clock_rules.conditions).expect("plain data"),
            outage: self.outage,
            lines,
        })
    }
}
