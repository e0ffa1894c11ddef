//! One move, the hot path: the cached game, pure rules, one statement, one answer.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::accepted::{Answer, KeptAnswer};
use super::appender;
use super::cache::Slot;
use super::error::GameError;
use super::live::{LiveGame, Turn};
use super::request::{ActRequest, Deed};
use super::view::{GameView, Looker, SeatClaim};
use super::{Games, MAX_ACTIONS};
use crate::record::{Act, ActRefused, Moment, Recorded, Table};
use crate::rules::{Choose, Position, Refused, Seat, Viewer};
use crate::store::append::{Append, EventNotice, NewState, SavedAnswer};

/// How often a move is decided anew because another process was faster.
const MAX_TRIES: usize = 4;

/// A preview of actions.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct PreviewView {
    /// The actions tried, each with what it would do up to the first chance or reveal.
    pub done: Vec<PreviewedAction>,
    /// True when the last action needs chance or reveals something, so that what follows is not known before it is played.
    pub stopped: bool,
    /// The game as it would stand.
    pub game: GameView,
}

/// An action of a preview.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct PreviewedAction {
    pub action: Value,
    pub effects: Vec<Value>,
}

/// What the player to act may do.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct LegalActions {
    /// The last event that this list knows.
    pub seq: u64,
    pub to_act: Option<u8>,
    pub my_turn: bool,
    /// Every legal action of the rules, when it is your turn; any of them can be sent as it is. An entry with `choose` stands
    /// for all the actions that pick as it says.
    pub actions: Vec<Value>,
    /// The same in notation, where an entry is a single action.
    pub notation: Vec<String>,
    /// What you may do besides, at its own address: `resign`, `abort`.
    pub also: Vec<Value>,
}

/// Events made and the game after them, not yet permanent.
struct Decided {
    live: Arc<LiveGame>,
    events: Vec<Recorded>,
}

/// What became of a decided move.
struct Written {
    slot: Slot,
    /// `None`: somebody was faster, or the key was used.
    answer: Option<Answer>,
}

impl Games {
    /// Does what `request` asks from the claimed seat, once.
    ///
    /// # Errors
    /// [`GameError`]; nothing has changed then.
    pub async fn act(&self, claim: &SeatClaim, request: &ActRequest) -> Result<Answer, GameError> {
        self.act_telling(claim, request, None).await
    }

    /// The same, with the notice `answer_id` that tells the player so, written by the statement that writes the events.
    ///
    /// # Errors
    /// [`GameError`]; nothing has changed then.
    pub async fn act_telling(
        &self,
        claim: &SeatClaim,
        request: &ActRequest,
        answer_id: Option<Uuid>,
    ) -> Result<Answer, GameError> {
        let _company = self.appender.join();
        let mut slot = self.inner.cache.lock(claim.game_id).await;
        let mut looked_for_saved = false;
        for _ in 0..MAX_TRIES {
            let fresh = slot.get().is_none();
            let live = match slot.take() {
                Some(live) => live,
                None => self.load_live(claim.game_id).await?,
            };
            if let Some(append) = self.fall_of_flag(&live)? {
                // Time was up before this request came: the flag falls first.
                (_, slot) = self.commit(append, slot).await?;
                continue;
            }
            let refusal = match self.decide(&live, claim, request) {
                Ok(decided) => {
                    let written = self.write(&live, &decided, claim, request, answer_id, slot).await?;
                    slot = written.slot;
                    if let Some(answer) = written.answer {
                        if decided.live.finished_at.is_none() {
                            self.inner.cache.put(&mut slot, decided.live);
                        } else {
                            self.inner.cache.forget(slot);
                        }
                        return Ok(answer);
                    }
                    None
                }
                Err(refusal) => Some(refusal),
            };
            // Refused, or somebody was faster. Perhaps this very request was here before.
            if let Some(key) = request.key.as_ref().filter(|_| !looked_for_saved) {
                if let Some(answer) = self.saved_answer(&live, claim, request, key).await? {
                    if refusal.is_some() {
                        self.inner.cache.put(&mut slot, live);
                    }
                    return Ok(answer);
                }
                looked_for_saved = refusal.is_some();
            }
            // A refusal counts only if it was made from what the database has now.
            if let Some(refusal) = refusal.filter(|_| fresh) {
                self.inner.cache.put(&mut slot, live);
                return Err(refusal);
            }
        }
        Err(GameError::Contended)
    }

    /// Makes what was decided permanent. What is answered is made while the database is at it.
    async fn write(
        &self,
        before: &LiveGame,
        decided: &Decided,
        claim: &SeatClaim,
        request: &ActRequest,
        answer_id: Option<Uuid>,
        slot: Slot,
    ) -> Result<Written, GameError> {
        let Decided { live, events } = decided;
        let lines = events.iter().map(|event| event.line.clone()).collect();
        let mut append = self.append_of(before, live, lines);
        let kept = KeptAnswer::new(live, events.len(), self.inner.signing.newest(), append.now);
        let told = answer_id.map(|id| EventNotice { id, kind: "answer", player_id: claim.player_id });
        append.notices.extend(told);
        append.saved = request.key.as_ref().map(|key| SavedAnswer {
            player_id: claim.player_id,
            key: key.as_str().to_owned(),
            fingerprint: request.fingerprint(claim.game_id),
            answer: serde_json::to_string(&kept).expect("plain data"),
        });
        let answering = async {
            appender::let_the_statement_go().await;
            self.answer(live, events, claim, &kept)
        };
        let (written, answer) = futures_util::join!(self.commit(append, slot), answering);
        let (written, slot) = written?;
        Ok(Written { slot, answer: written.then_some(answer) })
    }

    /// Pure: the rules decide, the record writes down. `live` stays as it is.
    fn decide(&self, live: &LiveGame, claim: &SeatClaim, request: &ActRequest) -> Result<Decided, GameError> {
        if request.expected_seq.is_some_and(|expected| expected != live.seq()) {
            let game = self.view_live(live, Viewer::Seat(claim.seat));
            return Err(GameError::Stale(Box::new(game)));
        }
        let now = self.inner.clock.now();
        let mut next = live.clone();
        let events = match &request.deed {
            Deed::Resign => vec![self.do_one(&mut next, Act::Resign { seat: claim.seat }, 0)?],
            Deed::Abort => vec![self.do_one(&mut next, Act::Abort { seat: claim.seat }, 0)?],
            Deed::Actions(actions) => self.do_all(&mut next, claim.seat, actions)?,
            Deed::Notation(text) => self.do_notation(&mut next, claim.seat, text)?,
        };
        pass_turn(live, &mut next, now, Some(claim.seat));
        Ok(Decided { live: next.into(), events })
    }

    fn do_all(&self, live: &mut LiveGame, seat: Seat, actions: &[Value]) -> Result<Vec<Recorded>, GameError> {
        check_count(actions.len())?;
        let act = |(index, action)| self.do_one(live, Act::Play { seat, action }, index);
        actions.iter().enumerate().map(act).collect()
    }

    /// Notation is read in the position that it is meant for, so one action after the other.
    fn do_notation(&self, live: &mut LiveGame, seat: Seat, text: &str) -> Result<Vec<Recorded>, GameError> {
        let parts = notation_parts(text)?;
        let mut events = Vec::with_capacity(parts.len());
        for (index, part) in parts.into_iter().enumerate() {
            let read = live.chronicle.table().position().read(part);
            let action = read.map_err(|unreadable| GameError::Unreadable { index, unreadable })?;
            events.push(self.do_one(live, Act::Play { seat, action: &action }, index)?);
        }
        Ok(events)
    }

    fn do_one(&self, live: &mut LiveGame, act: Act<'_>, index: usize) -> Result<Recorded, GameError> {
        let now = Moment::new(self.inner.clock.now());
        match live.chronicle.act(act, now) {
            Ok(recorded) => Ok(recorded),
            Err(refused) => Err(self.explain(live, act.seat(), refused, index)),
        }
    }

    fn explain(&self, live: &LiveGame, seat: Option<Seat>, refused: ActRefused, index: usize) -> GameError {
        if let ActRefused::Refused(Refused::Unreadable(unreadable)) = refused {
            return GameError::Unreadable { index, unreadable };
        }
        let table = live.chronicle.table();
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let my_turn = table.to_act().is_some() && table.to_act() == seat;
        let legal = if my_turn { table.position().legal() } else { Vec::new() };
        GameError::Refused { index, refused, legal, game: Box::new(self.view_live(live, viewer)) }
    }

    /// The rows of a step from `before` to `live`.
    pub(super) fn append_of(&self, before: &LiveGame, live: &LiveGame, lines: Vec<String>) -> Append {
        Append {
            game_id: live.fixed.id,
            expected_seq: to_database(before.seq()),
            expected_edition: before.edition,
            lines,
            state: state_of(live),
            finished_at: live.finished_at,
            notices: notices_of(before, live),
            saved: None,
            now: self.inner.clock.now(),
            known: Arc::clone(&live.known),
        }
    }

    /// Writes an append to the game of `slot`; true if it was not too late. The slot comes back once the statement has ended; if
    /// nobody waits for it any more it is freed then, and not before: whoever looks next sees what was written.
    pub(super) async fn commit(&self, append: Append, slot: Slot) -> Result<(bool, Slot), GameError> {
        Ok(self.appender.append(append, slot, &self.database).await?)
    }

    /// What actions would do, up to the first chance or reveal. Nothing is written.
    ///
    /// # Errors
    /// [`GameError`], as the same move would get.
    pub async fn preview(&self, claim: &SeatClaim, deed: &Deed) -> Result<PreviewView, GameError> {
        let (live, viewer) = self.started_for(claim.game_id, &Looker::player(claim.player_id)).await?;
        let actions = match deed {
            Deed::Actions(actions) => actions.clone(),
            Deed::Notation(text) => read_for_preview(&live, text)?,
            Deed::Resign | Deed::Abort => {
                return Err(GameError::InvalidValue {
                    field: "actions",
                    why: "only moves can be previewed".into(),
                });
            }
        };
        check_count(actions.len())?;
        let preview = live.chronicle.preview(claim.seat, &actions);
        let preview =
            preview.map_err(|(index, refused)| self.explain(&live, Some(claim.seat), refused, index))?;
        let previewed = |tried: &crate::record::table::TriedAction| PreviewedAction {
            action: tried.action.clone(),
            effects: tried.effects.clone(),
        };
        let mut game = self.view_table(&live, &preview.table, viewer);
        game.seq = Some(live.seq());
        game.head = Some(live.chronicle.head());
        Ok(PreviewView {
            done: preview.tried.done.iter().map(previewed).collect(),
            stopped: preview.tried.stopped,
            game,
        })
    }

    /// What `claim`'s player may do now.
    ///
    /// # Errors
    /// [`GameError`]
    pub async fn legal_actions(&self, claim: &SeatClaim) -> Result<LegalActions, GameError> {
        let (live, _) = self.started_for(claim.game_id, &Looker::player(claim.player_id)).await?;
        Ok(legal_actions(live.chronicle.table(), live.seq(), claim.seat))
    }
}

/// The legal actions in notation; of a choice, some of the actions that it stands for.
pub(super) fn written(position: &dyn Position) -> Vec<String> {
    position.legal().iter().flat_map(|entry| write_entry(position, entry)).collect()
}

fn write_entry(position: &dyn Position, entry: &Value) -> Vec<String> {
    if let Some(written) = position.write(entry) {
        return vec![written];
    }
    let Ok(choice) = serde_json::from_value::<Choose>(entry.clone()) else { return Vec::new() };
    choice.examples().iter().filter_map(|action| position.write(action)).collect()
}

fn legal_actions(table: &Table, seq: u64, seat: Seat) -> LegalActions {
    let my_turn = table.to_act() == Some(seat);
    let position = table.position();
    let actions = if my_turn { position.legal() } else { Vec::new() };
    let notation = actions.iter().filter_map(|action| position.write(action)).collect();
    let mut also = Vec::new();
    if table.result().is_none() && !table.has_left(seat) {
        also.push(serde_json::json!({"type": "resign"}));
        if table.may_abort() {
            also.push(serde_json::json!({"type": "abort"}));
        }
    }
    LegalActions { seq, to_act: table.to_act().map(|seat| seat.0), my_turn, actions, notation, also }
}

fn check_count(count: usize) -> Result<(), GameError> {
    if (1..=MAX_ACTIONS).contains(&count) {
        return Ok(());
    }
    Err(GameError::InvalidValue { field: "actions", why: format!("1 to {MAX_ACTIONS} actions") })
}

/// The actions of a notation text: separated by `;`, empty parts left out.
fn notation_parts(text: &str) -> Result<Vec<&str>, GameError> {
    let parts: Vec<&str> = text.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    check_count(parts.len())?;
    Ok(parts)
}

/// In a preview later actions are read in the position before the first: what lies between may depend on chance.
fn read_for_preview(live: &LiveGame, text: &str) -> Result<Vec<Value>, GameError> {
    let position = live.chronicle.table().position();
    let read =
        |(index, part)| position.read(part).map_err(|unreadable| GameError::Unreadable { index, unreadable });
    notation_parts(text)?.into_iter().enumerate().map(read).collect()
}

/// Settles whose time runs after the step from `before` to `next`, and whether the game is over.
pub(super) fn pass_turn(before: &LiveGame, next: &mut LiveGame, now: OffsetDateTime, actor: Option<Seat>) {
    next.turn = next_turn(before, next, now, actor);
    next.finished_at = next.chronicle.table().result().map(|_| next.chronicle.at().get());
}

/// Whose time runs after a step. Every act of the seat that was asked gives a new limit; when somebody else did something out
/// of turn, the time of the seat that is still asked runs on.
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

/// Everybody hears of the end; else the player who is asked now and was not before.
fn notices_of(before: &LiveGame, live: &LiveGame) -> Vec<EventNotice> {
    let notice = |kind, player_id| EventNotice { id: Uuid::now_v7(), kind, player_id };
    if live.chronicle.table().result().is_some() {
        return live.fixed.players.iter().map(|player| notice("game_over", *player)).collect();
    }
    let asked = live.to_act_player().filter(|player| before.to_act_player() != Some(*player));
    asked.map(|player| notice("turn", player)).into_iter().collect()
}
