//! Checks the rows that are derived from events.

use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::finding::{Findings, Subject};
use super::history::Truth;
use crate::error::GameError;
use crate::memory::live::{LiveGame, Turn};
use crate::playing::act::{result_of, state_of};
use pippost_clock::time_of;
use pippost_record::rules::Seat;
use pippost_store::audit::GameSnapshot;
use pippost_store::commit::{EventNotice, NewState, Rebuild};
use pippost_store::games::{StateRow, WholeGame};
use pippost_store::{GameStatus, NoticeKind};

/// Missing notices are searched for so long after the event; older ones have been sent or overtaken.
const NOTICE_WINDOW: Duration = Duration::days(3);

/// Records all differences; returns what the rows should be.
pub async fn check(
    snapshot: &mut GameSnapshot,
    whole: &WholeGame,
    truth: &Truth,
    seats_taken: i64,
    now: OffsetDateTime,
    findings: &mut Findings,
) -> Result<Option<Rebuild>, GameError> {
    let mut live = truth.live.clone();
    if let Some(state) = &whole.state {
        live.turn = live.turn.map(|turn| keep_turn(turn, state));
    }
    live.turn = without_sent_reminder(snapshot, whole, &live, now).await?;
    let expected = state_of(&live);
    match &whole.state {
        None => findings.expect(false, Subject::State, "its state is missing"),
        Some(state) => check_state(state, &expected, &live, findings),
    }
    check_status(whole, &live, findings);
    check_seats(whole, &live, seats_taken, findings);
    let notices = missing_notices(snapshot, truth, now, findings).await?;
    Ok(Some(Rebuild {
        game_id: whole.game.id,
        found: whole.state.as_ref().map(|state| (state.seq, state.edition)),
        state: expected,
        status: status_of(&live),
        started_at: truth.started_at,
        finished_at: live.finished_at,
        result: result_of(&live),
        players: live.fixed.players.clone(),
        notices,
        told_seq: if live.finished_at.is_some() { live.seq() } else { truth.asked_at },
        now,
    }))
}

/// The turn without its reminder if the state says that it has been queued.
fn keep_turn(turn: Turn, state: &StateRow) -> Turn {
    // A queued reminder is not due again.
    let reminded = state.remind_at.is_none() && state.turn_since == Some(turn.since);
    let reminded = reminded && state.deadline_at == turn.deadline_at;
    Turn { remind_at: turn.remind_at.filter(|_| !reminded), ..turn }
}

/// The turn without its reminder if that has been queued, even if the state that would say so is lost or wrong.
async fn without_sent_reminder(
    snapshot: &mut GameSnapshot,
    whole: &WholeGame,
    live: &LiveGame,
    now: OffsetDateTime,
) -> Result<Option<Turn>, GameError> {
    let Some(turn) = live.turn.filter(|turn| turn.remind_at.is_some_and(|at| at <= now)) else {
        return Ok(live.turn);
    };
    let waits = whole.state.as_ref().is_some_and(|state| state.remind_at.is_some());
    let player_id = live.fixed.players[turn.seat.index()];
    if waits || !snapshot.was_reminded(player_id, turn.since).await? {
        return Ok(live.turn);
    }
    Ok(Some(Turn { remind_at: None, ..turn }))
}

fn check_state(state: &StateRow, expected: &NewState, live: &LiveGame, findings: &mut Findings) {
    let (stored, newest) = (state.seq, expected.seq);
    findings.expect(
        stored == newest,
        Subject::State,
        format!("its state is at event {stored}, the newest is {newest}"),
    );
    findings.expect(
        stored != newest || state.head == expected.head,
        Subject::State,
        "its state names another hash than that of its last event",
    );
    findings.expect(
        stored != newest || state.at == expected.at,
        Subject::State,
        "its state names another time than that of its last event",
    );
    let json = |text: &str| serde_json::from_str::<Value>(text).ok();
    findings.expect(
        json(&state.snapshot).is_some() && json(&state.snapshot) == json(&expected.snapshot),
        Subject::Snapshot,
        "its stored position is not the one that its events lead to",
    );
    let seat = |seat: Option<i16>| seat.map_or("nobody's".to_owned(), |seat| format!("seat {seat}'s"));
    findings.expect(
        state.to_act_seat == expected.to_act_seat,
        Subject::Turn,
        format!("it is listed as {} turn and is {}", seat(state.to_act_seat), seat(expected.to_act_seat)),
    );
    findings.expect(
        state.to_act_player == expected.to_act_player,
        Subject::Turn,
        "it is in the wrong list of games that wait for a player, or in none",
    );
    check_times(state, expected, live, findings);
}

fn check_times(state: &StateRow, expected: &NewState, live: &LiveGame, findings: &mut Findings) {
    findings.expect(
        state.turn_since == expected.turn_since,
        Subject::Deadline,
        "its turn did not begin when it says",
    );
    findings.expect(
        state.deadline_at == expected.deadline_at,
        Subject::Deadline,
        "its deadline is not what its time control gives from the beginning of the turn",
    );
    findings.expect(
        state.clock == expected.clock,
        Subject::Deadline,
        "its clock does not show what its events leave to the players",
    );
    let first =
        live.running.as_ref().and_then(|running| running.reminders_from(&live.clock_rules)).map(time_of);
    findings.expect(
        state.remind_at.is_none() || (state.remind_at >= first && state.remind_at <= state.deadline_at),
        Subject::Deadline,
        "its reminder is due before a quarter of the time is used, or after the deadline",
    );
}

fn status_of(live: &LiveGame) -> GameStatus {
    if live.chronicle.table().result().is_some() { GameStatus::Finished } else { GameStatus::Running }
}

fn check_status(whole: &WholeGame, live: &LiveGame, findings: &mut Findings) {
    let (stored, status) = (whole.game.status, status_of(live));
    findings.expect(stored == status, Subject::Status, format!("it is listed as {stored} and is {status}"));
    let started = whole.game.started_at == Some(live.fixed.started_at);
    findings.expect(started, Subject::Status, "it did not start when it says");
    let finished = whole.game.finished_at == live.finished_at;
    findings.expect(finished, Subject::Status, "it did not end when it says");
    let json = |text: &String| serde_json::from_str::<Value>(text).ok();
    let result = whole.game.result.as_ref().and_then(json) == result_of(live).as_ref().and_then(json);
    findings.expect(result, Subject::Status, "it did not end as lists say");
}

fn check_seats(whole: &WholeGame, live: &LiveGame, seats_taken: i64, findings: &mut Findings) {
    if usize::try_from(seats_taken) != Ok(whole.members.len()) {
        findings.note(Subject::Seats, "a player of it does not exist any more");
    }
    let header = &live.fixed.header;
    // Places in joining order may have gaps, because players may leave before the start.
    let in_order = whole.members.is_sorted_by(|one, next| one.joined < next.joined);
    let entropies =
        whole.members.iter().zip(&header.players).all(|(row, named)| row.entropy == named.entropy);
    if !in_order || !entropies {
        findings.note(Subject::Seats, "its player rows are not the players of its header");
    }
    let seat_of = |player_id: Uuid| live.fixed.seat_of(player_id).map(|Seat(seat)| i16::from(seat));
    let seated = whole.members.iter().all(|member| member.seat == seat_of(member.player_id));
    findings.expect(seated, Subject::Seats, "its players do not sit where event 0 seats them");
}

/// The notices of an event: the end for all, or the turn for the player to act.
async fn missing_notices(
    snapshot: &mut GameSnapshot,
    truth: &Truth,
    now: OffsetDateTime,
    findings: &mut Findings,
) -> Result<Vec<EventNotice>, GameError> {
    let live = &truth.live;
    if live.chronicle.at().get() < now - NOTICE_WINDOW {
        return Ok(Vec::new());
    }
    let (kind, seq, players) = if live.chronicle.table().result().is_some() {
        (NoticeKind::GameOver, live.seq(), live.fixed.players.clone())
    } else {
        (NoticeKind::Turn, truth.asked_at, live.to_act_player().into_iter().collect())
    };
    let mut missing = Vec::new();
    for player_id in players {
        if !snapshot.was_told(player_id, kind, seq).await? {
            let what =
                if kind == NoticeKind::Turn { "the player to act" } else { "a player of the ended game" };
            findings.expect(false, Subject::Outbox, format!("{what} has no notice of it"));
            missing.push(EventNotice { id: Uuid::now_v7(), kind, player_id });
        }
    }
    Ok(missing)
}
