//! The response to an accepted move: built while the move is written, and rebuilt for a repeated request.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use uuid::Uuid;

use super::deciding;
use crate::error::GameError;
use crate::history::past_positions::{self, At};
use crate::memory::live::{LiveGame, Turn, raw};
use crate::playing::request::ActRequest;
use crate::transparency::WitnessPolicy;
use crate::viewing::clock_view::ClockView;
use crate::viewing::view::{self, GameView, SeatClaim};
use crate::viewing::view_text;
use crate::{Games, RECEIPT_KIND};
use pippost_clock::log::Line;
use pippost_clock::microseconds;
use pippost_record::record::{Event, Hash, Recorded, Table};
use pippost_record::rules::Viewer;
use pippost_store::{clock_lines, events, stored_responses};

/// What a receipt says. Signed in this form, so it is no matter of the API.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReceiptClaims {
    pub game: Uuid,
    pub seq: u64,
    pub hash: Hash,
    /// The end of the game's clock log then; missing in games that started before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockClaim>,
    /// The name of the log that has the event in every checkpoint that is signed from `by` on, in seconds since 1970. Both are missing
    /// where there is no log, and in receipts from before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<u64>,
    /// The witnesses whose signatures the log's checkpoints get, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witnesses: Option<WitnessPolicy>,
}

/// A line of a clock log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockClaim {
    pub number: u32,
    pub hash: Hash,
}

/// The parts of a response. A repeated request gets the same, byte for byte.
#[derive(Clone, Debug)]
pub enum MoveResponse {
    Made {
        /// The move's events as lines of the record.
        events: Vec<Box<RawValue>>,
        /// For each event a JWS.
        receipts: Vec<String>,
        /// The player's view of the game after the move.
        game: Arc<RawValue>,
    },
    /// The whole response as an earlier version stored it.
    StoredWhole(String),
}

/// The outcome of a request. A repeated request gets the same.
#[derive(Debug)]
pub struct Acted {
    pub response: MoveResponse,
    /// How many of the requested actions were done, counted from the first; at least one. A resignation or abort is one.
    pub done: usize,
    /// Why not all were done; only for a list whose actions are moves of their own.
    pub stopped: Option<Stopped>,
}

/// Where a list of separate moves ended early.
#[derive(Debug)]
pub struct Stopped {
    /// The index of the action that was not done.
    pub index: usize,
    /// How many actions after it were not tried.
    pub not_tried: usize,
    /// [`GameError::Unreadable`] or [`GameError::Refused`]: what the action would get if it were sent alone now.
    pub why: Box<GameError>,
}

/// What is stored of a response: what the game's events do not say. The whole response would be the largest part of what a move
/// writes. This form is that of rows, so it is no matter of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredResponse {
    /// The `seq` of the move's last event.
    seq: u64,
    /// The number of the move's events.
    events: u64,
    /// The key that signed the receipts.
    kid: String,
    /// When the move was answered, and when the turn of the seat to act began and ends: microseconds since 1970.
    at: i64,
    since: Option<i64>,
    until: Option<i64>,
    /// What the view showed of a clock that does not follow from the turn and the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockView>,
    /// The number of the last line of the clock log, which the receipts name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// When the log has the events at the latest, in seconds since 1970, which the receipts name with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<u64>,
    /// The witnesses that the receipts name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    witnesses: Option<WitnessPolicy>,
}

/// Earlier versions stored whole responses, which begin so.
const WHOLE: &str = "{\"events\":[";

impl StoredResponse {
    /// For a move that made `events` events and led to `live`, answered `at`.
    pub fn new(games: &Games, live: &LiveGame, events: usize, at: OffsetDateTime) -> Self {
        let kid = games.inner.signing.newest();
        let by =
            games.inner.log.get().and_then(|log| {
                u64::try_from(at.unix_timestamp()).ok()?.checked_add(log.within_seconds.into())
            });
        Self {
            seq: live.seq().get(),
            events: events as u64,
            kid,
            at: microseconds(at),
            since: live.turn.map(|turn| microseconds(turn.since)),
            until: live.turn.and_then(|turn| turn.deadline_at).map(microseconds),
            clock: ClockView::of(live).filter(|clock| !clock.is_plain(live.turn)),
            line: live.clock_rules.conditions.head.map(|head| head.number),
            by,
            witnesses: by.and(games.inner.witnesses.get()).map(WitnessPolicy::brief),
        }
    }

    pub fn at(&self) -> Option<OffsetDateTime> {
        microseconds_to_time(self.at)
    }
}

/// The receipts of a move that has led to `live`, and the view after it.
pub(super) fn response(
    games: &Games,
    live: &Arc<LiveGame>,
    events: &[Recorded],
    claim: &SeatClaim,
    stored: &StoredResponse,
) -> (Vec<String>, Arc<RawValue>) {
    let hashes = events.iter().map(|recorded| (recorded.event.seq, recorded.event.hash));
    let clock =
        live.clock_rules.conditions.head.map(|head| ClockClaim { number: head.number, hash: head.hash });
    let receipts = receipts(games, live.fixed.id, hashes, stored, clock);
    let at = stored.at().unwrap_or_else(|| games.inner.clock.now());
    (receipts, view_text::text_at(games, live, Viewer::Seat(claim.seat), at))
}

fn receipts(
    games: &Games,
    game: Uuid,
    hashes: impl Iterator<Item = (u64, Hash)>,
    stored: &StoredResponse,
    clock: Option<ClockClaim>,
) -> Vec<String> {
    let (signing, by) = (&games.inner.signing, stored.by);
    let log = || by.and(games.inner.log.get()).map(|log| log.origin.clone());
    let witnesses = || stored.witnesses.clone();
    let claims = hashes.map(|(seq, hash)| ReceiptClaims {
        game,
        seq,
        hash,
        clock,
        log: log(),
        by,
        witnesses: witnesses(),
    });
    claims.map(|claims| signing.sign_by(&stored.kid, RECEIPT_KIND, &claims)).collect()
}

/// The line of a game's clock log that the receipts of a stored response name.
async fn claimed_line(games: &Games, game_id: Uuid, number: u32) -> Result<ClockClaim, GameError> {
    let first = i32::try_from(number).map_err(|_| unreadable(game_id))?;
    let line = clock_lines::line(&games.database, game_id, first).await?;
    let line =
        line.and_then(|line| serde_json::from_str::<Line>(&line).ok()).ok_or_else(|| unreadable(game_id))?;
    Ok(ClockClaim { number, hash: line.hash })
}

/// The response that this request got before, if there is one. `live` is the game as it is known here.
pub(super) async fn stored_response(
    games: &Games,
    live: &Arc<LiveGame>,
    claim: &SeatClaim,
    request: &ActRequest,
) -> Result<Option<Acted>, GameError> {
    let Some(key) = request.request_key(claim.game_id) else { return Ok(None) };
    let row =
        stored_responses::find_of_move(&games.database, claim.game_id, claim.player_id, &key.key).await?;
    let Some(row) = row else { return Ok(None) };
    let response = row.of(&key)?;
    if response.starts_with(WHOLE) {
        return Ok(Some(Acted {
            response: MoveResponse::StoredWhole(response),
            done: request.command.count(),
            stopped: None,
        }));
    }
    let stored: StoredResponse = serde_json::from_str(&response).map_err(|_| unreadable(claim.game_id))?;
    rebuild_response(games, live, claim, request, &stored).await.map(Some)
}

async fn rebuild_response(
    games: &Games,
    live: &Arc<LiveGame>,
    claim: &SeatClaim,
    request: &ActRequest,
    stored: &StoredResponse,
) -> Result<Acted, GameError> {
    let corrupt = || unreadable(claim.game_id);
    let newer = if live.seq() < stored.seq.into() {
        Some(view::load_live(games, claim.game_id).await?)
    } else {
        None
    };
    let live = newer.as_ref().unwrap_or(live);
    let first = (stored.seq + 1).checked_sub(stored.events).ok_or_else(corrupt)?;
    let (first, last) = (first.into(), stored.seq.into());
    let lines = events::lines(&games.database, claim.game_id, first, last).await?;
    let events: Result<Vec<Event>, _> = lines.iter().map(|line| serde_json::from_str(line)).collect();
    let events = events.map_err(|_| corrupt())?;
    let newest = events.last().filter(|_| events.len() as u64 == stored.events).ok_or_else(corrupt)?;
    let then = past_positions::past_position(games, live, At::Event(newest.seq.into())).await?;
    let table = then.as_ref().map_or(live.chronicle.table(), |then| &then.table);
    let stopped = stopped_again(games, live, table, newest, claim, request, events.len())?;
    let game = view_then(games, live, table, newest, claim, stored)?;
    let hashes = events.iter().map(|event| (event.seq, event.hash));
    let clock = match stored.line {
        Some(number) => Some(claimed_line(games, claim.game_id, number).await?),
        None => None,
    };
    let receipts = receipts(games, claim.game_id, hashes, stored, clock);
    let game = game.text().into();
    let lines = lines.into_iter().map(raw).collect();
    let response = MoveResponse::Made { events: lines, receipts, game };
    Ok(Acted { response, done: events.len(), stopped })
}

/// Why the list ended after `done` actions: the next action is refused again in the same position.
fn stopped_again(
    games: &Games,
    live: &LiveGame,
    table: &Table,
    newest: &Event,
    claim: &SeatClaim,
    request: &ActRequest,
    done: usize,
) -> Result<Option<Stopped>, GameError> {
    let count = request.command.count();
    if done == count {
        return Ok(None);
    }
    let (viewer, seq) = (Viewer::Seat(claim.seat), newest.seq);
    let shown = || {
        let mut view = view::view_table(games, live, table, viewer);
        (view.seq, view.head) = (Some(seq.into()), Some(newest.hash));
        view
    };
    let why = deciding::refusal_of(&request.command, done, claim.seat, (table, seq), shown);
    let why = why.ok_or_else(|| unreadable(claim.game_id))?;
    Ok(Some(Stopped { index: done, not_tried: count - done - 1, why: Box::new(why) }))
}

/// The view that was shown after `event`, at `table`.
fn view_then(
    games: &Games,
    live: &LiveGame,
    table: &Table,
    event: &Event,
    claim: &SeatClaim,
    stored: &StoredResponse,
) -> Result<GameView, GameError> {
    let viewer = Viewer::Seat(claim.seat);
    let mut view = view::view_table(games, live, table, viewer);
    view.seq = Some(event.seq.into());
    view.head = Some(event.hash);
    view.finished_at = table.result().map(|_| event.at);
    let at = stored.at().ok_or_else(|| unreadable(claim.game_id))?;
    let since = stored.since.and_then(microseconds_to_time);
    let deadline_at = stored.until.and_then(microseconds_to_time);
    let turn = table.to_act().zip(since);
    let plain = turn.map(|(seat, _)| ClockView::plain(seat));
    let clock = plain.map(|plain| stored.clock.clone().unwrap_or(plain));
    let turn = turn.map(|(seat, since)| Turn { seat, since, deadline_at, remind_at: None });
    view.add_turn(turn, clock, viewer, at);
    Ok(view)
}

fn unreadable(game_id: Uuid) -> GameError {
    GameError::Corrupt(game_id, "stored response".into())
}

fn microseconds_to_time(microseconds: i64) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(microseconds) * 1000).ok()
}
