//! Makes one move, the hot path: take the cached game, apply the rules, run one statement, build the response.

use time::OffsetDateTime;
use uuid::Uuid;

use super::Games;
use super::cache::Slot;
use super::deciding::Decided;
use super::error::GameError;
use super::live::{LiveGame, Turn};
use super::move_response::{Acted, MoveResponse, StoredResponse};
use super::request::ActRequest;
use super::view::SeatClaim;
use crate::commit::{self, Append, Attempt, EventNotice, NewState, NewStoredResponse};
use crate::record::Recorded;
use crate::rules::Seat;

/// How often a move is decided again because another process was faster.
const MAX_TRIES: usize = 4;

/// The outcome of a decided move.
struct Written {
    slot: Slot,
    /// `None` if the guard failed or the key was used.
    response: Option<MoveResponse>,
}

impl Games {
    /// Carries out `request` for the claimed seat, once.
    ///
    /// # Errors
    /// [`GameError`]; the game is unchanged then.
    pub async fn act(&self, claim: &SeatClaim, request: &ActRequest) -> Result<Acted, GameError> {
        let _in_flight = self.committer.begin_move();
        let mut slot = self.inner.cache.lock(claim.game_id).await;
        let mut looked_for_stored = false;
        for _ in 0..MAX_TRIES {
            let fresh = slot.get().is_none();
            let live = match slot.take() {
                Some(live) => live,
                None => self.load_live(claim.game_id).await?,
            };
            if let Some(append) = self.fall_of_flag(&live)? {
                // The time ran out before this request came: time the player out first.
                slot = match self.commit(append, slot).await {
                    Ok((_, slot)) => slot,
                    // The database says whether that has happened.
                    Err(GameError::Store(lost)) if lost.leaves_doubt() => {
                        self.inner.cache.lock(claim.game_id).await
                    }
                    Err(error) => return Err(error),
                };
                continue;
            }
            let refusal = match self.decide(&live, claim, request) {
                Ok(decided) => {
                    let written = self.write(&live, &decided, claim, request, slot).await?;
                    slot = written.slot;
                    if let Some(response) = written.response {
                        let (done, stopped) = (decided.events.len(), decided.stopped);
                        if decided.live.finished_at.is_none() {
                            self.inner.cache.put(&mut slot, decided.live);
                        } else {
                            self.inner.cache.forget(slot);
                        }
                        return Ok(Acted { response, done, stopped });
                    }
                    None
                }
                Err(refusal) => Some(refusal),
            };
            // Refused, or another move was faster. This request may be a repetition.
            if let Some(key) = request.key.as_ref().filter(|_| !looked_for_stored) {
                if let Some(acted) = self.stored_response(&live, claim, request, key).await? {
                    if refusal.is_some() {
                        self.inner.cache.put(&mut slot, live);
                    }
                    return Ok(acted);
                }
                looked_for_stored = refusal.is_some();
            }
            // A refusal counts only if it was decided on the database's newest state.
            if let Some(refusal) = refusal.filter(|_| fresh) {
                self.inner.cache.put(&mut slot, live);
                return Err(refusal);
            }
        }
        Err(GameError::Contended)
    }

    /// Writes what was decided, and builds the response while the database works.
    async fn write(
        &self,
        before: &LiveGame,
        decided: &Decided,
        claim: &SeatClaim,
        request: &ActRequest,
        slot: Slot,
    ) -> Result<Written, GameError> {
        let Decided { live, events, .. } = decided;
        let lines = events.iter().map(|event| event.line.clone()).collect();
        let mut append = self.append_of(before, live, lines);
        let stored = StoredResponse::new(live, events.len(), self.inner.signing.newest(), append.now);
        append.stored_response = request.key.as_ref().map(|key| NewStoredResponse {
            player_id: claim.player_id,
            key: key.as_str().to_owned(),
            fingerprint: request.fingerprint(claim.game_id),
            response: serde_json::to_string(&stored).expect("plain data"),
        });
        let responding = async {
            commit::let_the_statement_go().await;
            self.response(live, events, claim, &stored)
        };
        let (written, response) = futures_util::join!(self.commit(append, slot), responding);
        let (written, slot) = match written {
            Err(GameError::Store(lost)) if lost.leaves_doubt() => {
                let written = commit::settle(&self.database, &attempt(before, events), &lost).await?;
                (written, self.inner.cache.lock(claim.game_id).await)
            }
            written => written?,
        };
        Ok(Written { slot, response: written.then_some(response) })
    }

    /// The rows to write for a step from `before` to `live`.
    pub(super) fn append_of(&self, before: &LiveGame, live: &LiveGame, lines: Vec<String>) -> Append {
        Append {
            game_id: live.fixed.id,
            expected_seq: to_database(before.seq()),
            expected_edition: before.edition,
            lines,
            state: state_of(live),
            finished_at: live.finished_at,
            notices: notices_of(before, live),
            stored_response: None,
            checkpoint: None,
            now: self.inner.clock.now(),
        }
    }

    /// Writes an append to the game of `slot`; true if the guard held. The slot is returned once the statement has ended; if the
    /// client has disconnected, it is freed then and no earlier, so the next reader sees what was written.
    pub(super) async fn commit(&self, mut append: Append, slot: Slot) -> Result<(bool, Slot), GameError> {
        append.checkpoint = self.due_checkpoint(&append).await;
        Ok(self.committer.commit(append, slot, &self.database).await?)
    }
}

/// The move from `before` that made `events`, to ask for when its answer was lost.
pub(super) fn attempt<'a>(before: &LiveGame, events: &'a [Recorded]) -> Attempt<'a> {
    let last = events.last().expect("a move has events");
    Attempt {
        game_id: before.fixed.id,
        expected_seq: to_database(before.seq()),
        expected_edition: before.edition,
        seq: to_database(last.event.seq),
        line: &last.line,
    }
}

/// Sets the turn after the step from `before` to `next`, and whether the game is over.
pub(super) fn pass_turn(before: &LiveGame, next: &mut LiveGame, now: OffsetDateTime, actor: Option<Seat>) {
    next.turn = next_turn(before, next, now, actor);
    next.finished_at = next.chronicle.table().result().map(|_| next.chronicle.at().get());
}

/// The turn after a step. An act of the seat to act starts a new time limit; after an act out of turn, the limit of the seat that
/// is still to act runs on.
fn next_turn(before: &LiveGame, live: &LiveGame, now: OffsetDateTime, actor: Option<Seat>) -> Option<Turn> {
    let seat = live.chronicle.table().to_act()?;
    let kept = before.turn.filter(|turn| turn.seat == seat && actor != Some(seat));
    Some(kept.unwrap_or_else(|| Turn::beginning(seat, now, live.fixed.time_control)))
}

pub(super) fn state_of(live: &LiveGame) -> NewState {
    let chronicle = &live.chronicle;
    let turn = live.turn;
    NewState {
        seq: to_database(live.seq()),
        head: chronicle.head().as_bytes().to_vec(),
        at: chronicle.at().get(),
        snapshot: chronicle.table().snapshot(),
        to_act_seat: turn.map(|turn| turn.seat.0.into()),
        to_act_player: live.to_act_player(),
        turn_since: turn.map(|turn| turn.since),
        deadline_at: turn.and_then(|turn| turn.deadline_at),
        remind_at: turn.and_then(|turn| turn.remind_at),
    }
}

pub(super) fn to_database(seq: u64) -> i64 {
    i64::try_from(seq).expect("no game has that many events")
}

/// Notifies everybody of the end of the game; otherwise the player who is newly to act.
fn notices_of(before: &LiveGame, live: &LiveGame) -> Vec<EventNotice> {
    let notice = |kind, player_id| EventNotice { id: Uuid::now_v7(), kind, player_id };
    if live.chronicle.table().result().is_some() {
        return live.fixed.players.iter().map(|player| notice("game_over", *player)).collect();
    }
    let asked = live.to_act_player().filter(|player| before.to_act_player() != Some(*player));
    asked.map(|player| notice("turn", player)).into_iter().collect()
}
