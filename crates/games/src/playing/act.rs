//! Makes one move, the hot path: take the cached game, apply the rules, run one statement, build the response.

use std::sync::Arc;

use serde_json::value::RawValue;
use uuid::Uuid;

use crate::Games;
use crate::clocks;
use crate::error::GameError;
use crate::history::checkpoints;
use crate::memory::cache::Slot;
use crate::memory::live::{LiveGame, Turn, raw};
use crate::playing::aborting;
use crate::playing::deciding::{self, Decided};
use crate::playing::move_response::{self, Acted, MoveResponse, Stopped, StoredResponse};
use crate::playing::request::ActRequest;
use crate::playing::timing;
use crate::viewing::view::{self, SeatClaim};
use pippost_clock::{ClockRules, Running, ToAct, microseconds};
use pippost_record::record::Recorded;
use pippost_record::rules::Seat;
use pippost_store::NoticeKind;
use pippost_store::commit::{self, Append, Attempt, EventNotice, NewState};

/// How often a move is decided again because another process was faster, or because the clock was given time first.
const MAX_TRIES: usize = 8;

/// The outcome of a decided move.
struct Written {
    slot: Slot,
    /// The receipts and the view; `None` if the guard failed or the key was used.
    response: Option<(Vec<String>, Arc<RawValue>)>,
}

/// Carries out `request` for the claimed seat, once.
///
/// # Errors
/// [`GameError`]; the game is unchanged then.
pub async fn act(games: &Games, claim: &SeatClaim, request: &ActRequest) -> Result<Acted, GameError> {
    let _in_flight = games.committer.begin_move();
    let mut slot = games.inner.cache.lock(claim.game_id).await;
    for _ in 0..MAX_TRIES {
        let fresh = slot.get().is_none();
        let live = match slot.take() {
            Some(live) => live,
            None => view::load_live(games, claim.game_id).await?,
        };
        if let Err(refusal) = claim.check(&live) {
            // A substitute has taken the seat.
            if fresh {
                return Err(refusal);
            }
            continue;
        }
        if clocks::is_behind(games, &live) {
            drop(slot);
            // Boxed, because it is rare and would enlarge the future of every move.
            Box::pin(clocks::give_back_to(games, claim.game_id)).await?;
            slot = games.inner.cache.lock(claim.game_id).await;
            continue;
        }
        // The flag and the move are decided at one point in time, which is the event's.
        let now = timing::game_time(games, &live);
        if let Some(append) = timing::fall_of_flag(games, &live, now)? {
            drop(slot);
            // Boxed, because it is rare and would enlarge the future of every move.
            let saved = Box::pin(clocks::saves_from_fall(games, &live)).await?;
            slot = games.inner.cache.lock(claim.game_id).await;
            if saved {
                continue;
            }
            slot.take();
            // The time ran out before this request came: time the player out first.
            slot = match commit_append(games, append, slot).await {
                Ok((_, slot)) => slot,
                // The database says whether that has happened.
                Err(GameError::Store(lost)) if lost.leaves_doubt() => {
                    games.inner.cache.lock(claim.game_id).await
                }
                Err(error) => return Err(error),
            };
            continue;
        }
        let decided = deciding::decide(games, &live, claim, request, now);
        let counted = decided
            .and_then(|decided| Ok((aborting::count(games, &live, claim, &request.command)?, decided)));
        let refusal = match counted {
            Ok((abort, decided)) => {
                let written = write(games, &live, &decided, claim, request, slot).await?;
                slot = written.slot;
                if let Some(response) = written.response {
                    abort.into_iter().for_each(aborting::CountedAbort::keep);
                    let left = has_somebody_left(&live, &decided.live);
                    let acted = acted(decided.events, decided.stopped, response);
                    if decided.live.finished_at.is_none() {
                        games.inner.cache.put(&mut slot, decided.live);
                    } else {
                        games.inner.cache.forget(slot);
                        if live.fixed.substitutes {
                            Box::pin(without_who_left(games, &live)).await;
                        }
                        return Ok(acted);
                    }
                    if left {
                        drop(slot);
                        Box::pin(without_who_left(games, &live)).await;
                    }
                    return Ok(acted);
                }
                None
            }
            Err(refusal) => Some(refusal),
        };
        // Refused, or another move was faster. This request may be a repetition. A state that was loaded anew may show what the first
        // one has done since the stored response was looked for.
        if let Some(acted) = move_response::stored_response(games, &live, claim, request).await? {
            if refusal.is_some() {
                games.inner.cache.put(&mut slot, live);
            }
            return Ok(acted);
        }
        // A refusal counts only if it was decided on the database's newest state.
        if let Some(refusal) = refusal.filter(|_| fresh) {
            games.inner.cache.put(&mut slot, live);
            return Err(refusal);
        }
    }
    Err(GameError::Contended)
}

/// Whether a seat is left that was not before.
fn has_somebody_left(before: &LiveGame, after: &LiveGame) -> bool {
    let (before, after) = (before.chronicle.table(), after.chronicle.table());
    (0..after.seats()).map(Seat).any(|seat| after.has_left(seat) && !before.has_left(seat))
}

/// A pause may have waited only for who has left, and nobody can take that seat any more, or any of a game that is over. What cannot be
/// written now hinders nobody.
pub(super) async fn without_who_left(games: &Games, before: &LiveGame) {
    let game_id = before.fixed.id;
    if before.fixed.substitutes
        && let Err(error) = clocks::forget_offers(games, game_id).await
    {
        tracing::warn!(game = %game_id, %error, "a game stays in the list of those with seats to take over");
    }
    match clocks::agree_without_who_left(games, game_id).await {
        Ok(()) | Err(GameError::ClockRefused(_)) => {}
        Err(error) => tracing::warn!(game = %game_id, %error, "a pause that all agreed to waits on"),
    }
}

/// Builds the response, and writes what was decided.
async fn write(
    games: &Games,
    before: &LiveGame,
    decided: &Decided,
    claim: &SeatClaim,
    request: &ActRequest,
    slot: Slot,
) -> Result<Written, GameError> {
    let Decided { live, events, .. } = decided;
    let lines = events.iter().map(|event| event.line.clone()).collect();
    let mut append = append_of(games, before, live, lines);
    let stored = StoredResponse::new(games, live, events.len(), append.now);
    append.stored_response = request
        .request_key(claim.game_id)
        .map(|key| key.with_response(claim.player_id, serde_json::to_string(&stored).expect("plain data")));
    let response = move_response::response(games, live, events, claim, &stored);
    let (written, slot) = match commit_append(games, append, slot).await {
        Err(GameError::Store(lost)) if lost.leaves_doubt() => {
            let written = commit::settle(&games.database, &attempt(before, events), &lost).await?;
            (written, games.inner.cache.lock(claim.game_id).await)
        }
        written => written?,
    };
    Ok(Written { slot, response: written.then_some(response) })
}

/// The rows to write for a step from `before` to `live`.
pub(super) fn append_of(games: &Games, before: &LiveGame, live: &LiveGame, lines: Vec<String>) -> Append {
    Append {
        game_id: live.fixed.id,
        expected_seq: before.seq(),
        expected_edition: before.edition,
        lines,
        state: state_of(live),
        finished_at: live.finished_at,
        notices: notices_of(before, live),
        stored_response: None,
        checkpoint: None,
        now: games.inner.clock.now(),
    }
}

/// Writes an append to the game of `slot`; true if the guard held. The slot is returned once the statement has ended; if the
/// client has disconnected, it is freed then and no earlier, so the next reader sees what was written.
pub(super) async fn commit_append(
    games: &Games,
    mut append: Append,
    slot: Slot,
) -> Result<(bool, Slot), GameError> {
    append.checkpoint = checkpoints::due_checkpoint(games, &append).await;
    Ok(games.committer.commit(append, slot, &games.reserved).await?)
}

/// The move from `before` that made `events`, to ask for when its answer was lost.
fn attempt<'a>(before: &LiveGame, events: &'a [Recorded]) -> Attempt<'a> {
    let last = events.last().expect("a move has events");
    Attempt {
        game_id: before.fixed.id,
        expected_seq: before.seq(),
        expected_edition: before.edition,
        seq: last.event.seq.into(),
        line: &last.line,
    }
}

fn acted(
    events: Vec<Recorded>,
    stopped: Option<Stopped>,
    (receipts, game): (Vec<String>, Arc<RawValue>),
) -> Acted {
    let done = events.len();
    let events = events.into_iter().map(|recorded| raw(recorded.line)).collect();
    Acted { response: MoveResponse::Made { events, receipts, game }, done, stopped }
}

/// Sets the clock and the turn after `events`, which led from `before` to `next`, and whether the game is over. The clock runs on
/// if it is still the same seat's turn and choice.
pub(super) fn pass_turn(before: &LiveGame, next: &mut LiveGame, events: &[Recorded]) {
    for Recorded { event, in_turn, .. } in events {
        let asked = event.to_act.zip(*in_turn).map(|(to_act, turn)| ToAct { turn, to_act });
        let running = next.running.take().zip(asked);
        let at = microseconds(event.at.get());
        next.running = running.map(|(running, asked)| running.pass(&next.clock_rules, asked, at));
    }
    // The same clock keeps its reminder, which may have been sent.
    let same = |running: &Running| before.running.as_ref() == Some(running);
    next.turn = match &next.running {
        Some(running) if same(running) => before.turn,
        running => running.as_ref().map(|running| Turn::of(running, &next.clock_rules)),
    };
    next.finished_at = next.chronicle.table().result().map(|_| next.chronicle.at().get());
}

pub(crate) fn state_of(live: &LiveGame) -> NewState {
    let chronicle = &live.chronicle;
    let turn = live.turn;
    NewState {
        seq: live.seq(),
        head: chronicle.head().as_bytes().to_vec(),
        at: chronicle.at().get(),
        snapshot: chronicle.table().snapshot(),
        to_act_seat: turn.map(|turn| turn.seat.0.into()),
        to_act_player: live.to_act_player(),
        turn_since: turn.map(|turn| turn.since),
        deadline_at: turn.and_then(|turn| turn.deadline_at),
        remind_at: turn.and_then(|turn| turn.remind_at),
        clock: stored_clock(live.running.as_ref(), &live.clock_rules),
    }
}

/// How the game ended, as JSON: the text that its snapshot has, too.
pub(crate) fn result_of(live: &LiveGame) -> Option<String> {
    let result = live.chronicle.table().result()?;
    Some(serde_json::to_string(result).expect("plain data"))
}

/// The running clock as it is stored; `None` if it follows from the turn.
pub(crate) fn stored_clock(running: Option<&Running>, clock_rules: &ClockRules) -> Option<String> {
    let running = running.filter(|running| !running.is_plain(clock_rules))?;
    Some(serde_json::to_string(running).expect("plain data"))
}

/// Notifies everybody of the end of the game; otherwise the player who is newly to act.
fn notices_of(before: &LiveGame, live: &LiveGame) -> Vec<EventNotice> {
    let notice = |kind, player_id| EventNotice { id: Uuid::now_v7(), kind, player_id };
    if live.chronicle.table().result().is_some() {
        return live.fixed.players.iter().map(|player| notice(NoticeKind::GameOver, *player)).collect();
    }
    let asked = live.to_act_player().filter(|player| before.to_act_player() != Some(*player));
    #[cfg(debug_assertions)]
    if let Some(player) = asked.filter(|_| is_told_twice(live)) {
        return vec![notice(NoticeKind::Turn, player), notice(NoticeKind::Turn, player)];
    }
    asked.map(|player| notice(NoticeKind::Turn, player)).into_iter().collect()
}

/// Whether a planted fault writes the notices of this move twice.
#[cfg(debug_assertions)]
fn is_told_twice(live: &LiveGame) -> bool {
    let every = 16;
    pippost_store::planted::Fault::DoubleNotice.is_planted() && live.seq().get().is_multiple_of(every)
}
