//! Decides a request before anything is written: the rules accept or refuse it, the record draws chance and makes events. Pure.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;
use time::OffsetDateTime;

use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::act::pass_turn;
use crate::playing::length;
use crate::playing::move_response::Stopped;
use crate::playing::request::{ActRequest, Command, ListMode};
use crate::viewing::view::{self, GameView, SeatClaim};
use crate::{Games, MAX_ACTIONS};
use pippost_record::record::{Act, ActRefused, Chronicle, Draft, DraftRefused, Recorded, Table, Timestamp};
use pippost_record::rules::{Incomplete, Refused, Seat, Unreadable, Viewer};

/// New events and the game after them, not written yet.
pub(super) struct Decided {
    pub live: Arc<LiveGame>,
    pub events: Vec<Recorded>,
    /// Why the list ended early.
    pub stopped: Option<Stopped>,
}

/// The same for the record alone.
struct Played {
    after: Chronicle,
    events: Vec<Recorded>,
    stopped: Option<Stopped>,
}

/// Decides `request` at `now` on `live`, which stays unchanged. A refusal is made before any seed and shows `live` unchanged
/// (PROTOCOL.md, Chance 6).
pub(super) fn decide(
    games: &Games,
    live: &LiveGame,
    claim: &SeatClaim,
    request: &ActRequest,
    now: OffsetDateTime,
) -> Result<Decided, GameError> {
    let shown = || Box::new(view::view_live(games, live, Viewer::Seat(claim.seat)));
    if request.if_match.as_ref().is_some_and(|seqs| !seqs.contains(&live.seq())) {
        return Err(GameError::PreconditionFailed(shown()));
    }
    if request.expected_seq.is_some_and(|expected| expected != live.seq()) {
        return Err(GameError::Stale(shown()));
    }
    let seat = claim.seat;
    if live.clock_rules.is_vacant(seat) {
        return Err(GameError::SeatVacant);
    }
    let played = match (&request.command, request.mode) {
        (Command::Resign, _) => play_one(games, live, seat, Act::Resign { seat }, Timestamp::new(now)),
        (Command::Abort, _) => play_abort(games, live, seat, Timestamp::new(now)),
        (command, ListMode::AllOrNothing) => play_all(games, live, seat, command, Timestamp::new(now)),
        (command, ListMode::Each) => play_each(games, live, seat, command, Timestamp::new(now)),
    };
    let Played { after, events, stopped } = played?;
    let mut next = live.after(after);
    pass_turn(live, &mut next, &events);
    Ok(Decided { live: next.into(), events, stopped })
}

/// Aborting is possible before so many events alone.
pub const MAX_EVENTS_BEFORE_ABORT: u64 = 100;

/// Whether a seat may end the game for everybody without a result. Records allow more (PROTOCOL.md); but whoever has seen an own roll
/// must not get another game for it.
pub(super) fn may_abort(live: &LiveGame, seat: Seat) -> bool {
    let table = live.chronicle.table();
    table.may_abort() && !table.has_acted(seat) && live.seq().get() < MAX_EVENTS_BEFORE_ABORT
}

fn play_abort(games: &Games, live: &LiveGame, seat: Seat, now: Timestamp) -> Result<Played, GameError> {
    let table = live.chronicle.table();
    if table.may_abort() && !table.has_left(seat) && !may_abort(live, seat) {
        return Err(explain_now(games, live, seat, 0, NotDrafted::Refused(ActRefused::TooLateToAbort)));
    }
    play_one(games, live, seat, Act::Abort { seat }, now)
}

fn play_one(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    act: Act<'_>,
    now: Timestamp,
) -> Result<Played, GameError> {
    let mut draft = live.chronicle.draft();
    draft.act(act).map_err(|refused| explain_now(games, live, seat, 0, refused.into()))?;
    Ok(Played::all(draft, now))
}

/// All or nothing: every action is accepted before anything is played, so only the last one can draw.
fn play_all(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    command: &Command,
    now: Timestamp,
) -> Result<Played, GameError> {
    let draft = draft_of(&live.chronicle, seat, &command.listed()?);
    let draft = draft.map_err(|(index, refused)| explain_now(games, live, seat, index, refused))?;
    Ok(Played::all(draft, now))
}

/// Plays one move after the other up to the first that is no longer legal. Their events are written together.
fn play_each(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    command: &Command,
    now: Timestamp,
) -> Result<Played, GameError> {
    let listed = command.listed()?;
    let mut done: Option<Played> = None;
    for (index, action) in listed.iter().enumerate() {
        let game = done.as_ref().map_or(&live.chronicle, |done| &done.after);
        let drafted = draft_of(game, seat, std::slice::from_ref(action));
        match drafted.map(|draft| Played::all(draft, now)) {
            Ok(mut next) => {
                let before = done.take().map(|done| done.events).unwrap_or_default();
                next.events.splice(0..0, before);
                done = Some(next);
            }
            Err((_, refused)) => {
                let Some(done) = &mut done else {
                    return Err(explain_now(games, live, seat, index, refused));
                };
                let shown = || view_after(games, live, &done.after, seat);
                let why = explain(done.after.table(), seat, index, refused, shown);
                done.stopped = Some(Stopped { index, not_tried: listed.len() - index - 1, why: why.into() });
                break;
            }
        }
    }
    Ok(done.expect("a list holds an action"))
}

/// A game that has not been written yet.
fn view_after(games: &Games, live: &LiveGame, after: &Chronicle, seat: Seat) -> GameView {
    let mut view = view::view_table(games, live, after.table(), Viewer::Seat(seat));
    (view.seq, view.head) = (Some(after.seq().into()), Some(after.head()));
    view
}

/// Why the action at `index` was refused on the current game.
pub(super) fn explain_now(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    index: usize,
    refused: NotDrafted,
) -> GameError {
    let shown = || view::view_live(games, live, Viewer::Seat(seat));
    explain(live.chronicle.table(), seat, index, refused, shown)
}

impl Played {
    fn all(draft: Draft<'_>, now: Timestamp) -> Self {
        let (after, events) = draft.accept().play(now);
        Self { after, events, stopped: None }
    }
}

/// Why an action of a list is not part of a draft.
pub(super) enum NotDrafted {
    Unreadable(Unreadable),
    /// It begins several legal actions.
    Incomplete(Incomplete),
    Refused(ActRefused),
    /// The action before it needs chance.
    DrawsBeforeLast(Value),
    /// The list is longer than the number of actions that the game still has room for.
    TooLong(u64),
}

impl From<DraftRefused> for NotDrafted {
    fn from(refused: DraftRefused) -> Self {
        match refused {
            DraftRefused::Refused(ActRefused::Refused(Refused::Unreadable(unreadable))) => {
                Self::Unreadable(unreadable)
            }
            DraftRefused::Refused(refused) => Self::Refused(refused),
            DraftRefused::DrawsBeforeLast { .. } => Self::DrawsBeforeLast(Value::Null),
        }
    }
}

/// A draft of the whole list, or the action that is refused and why.
pub(super) fn draft_of<'a>(
    game: &'a Chronicle,
    seat: Seat,
    listed: &[Listed<'_>],
) -> Result<Draft<'a>, (usize, NotDrafted)> {
    check_length(game.table(), game.seq(), seat, listed.len()).map_err(|why| (0, why))?;
    let mut draft = game.draft();
    for (index, action) in listed.iter().enumerate() {
        if let Err(DraftRefused::DrawsBeforeLast { index }) = draft.check_open() {
            return Err((index, NotDrafted::DrawsBeforeLast(listed[index].as_sent())));
        }
        let action = action.read(draft.table(), seat, index == 0).map_err(|why| (index, why))?;
        draft.act(Act::Play { seat, action: &action }).map_err(|refused| (index, refused.into()))?;
    }
    Ok(draft)
}

/// Whether so many actions of `seat` fit the game at `table` after event `seq`. A seat that is not to act gets that refusal
/// instead.
pub(super) fn check_length(table: &Table, seq: u64, seat: Seat, actions: usize) -> Result<(), NotDrafted> {
    let left = length::actions_left(table, seq);
    if actions as u64 > left && table.to_act() == Some(seat) {
        return Err(NotDrafted::TooLong(left));
    }
    Ok(())
}

/// What refuses the action at `index` of `command`, each of whose actions is a move of its own, after event `seq` at `table`;
/// `None` if nothing does. `shown` makes the view of that position.
pub(super) fn refusal_of(
    command: &Command,
    index: usize,
    seat: Seat,
    (table, seq): (&Table, u64),
    shown: impl FnOnce() -> GameView,
) -> Option<GameError> {
    if let Err(refused) = check_length(table, seq, seat, 1) {
        return Some(explain(table, seat, index, refused, shown));
    }
    let listed = command.listed().ok()?.into_iter().nth(index)?;
    let refused = match listed.read(table, seat, true) {
        Ok(action) => {
            NotDrafted::from(DraftRefused::from(table.refusal(Act::Play { seat, action: &action })?))
        }
        Err(refused) => refused,
    };
    Some(explain(table, seat, index, refused, shown))
}

/// Why the action at `index` was refused, with the legal actions of `seat` at `table`.
fn explain(
    table: &Table,
    seat: Seat,
    index: usize,
    refused: NotDrafted,
    shown: impl FnOnce() -> GameView,
) -> GameError {
    let legal = || if table.to_act() == Some(seat) { table.position().legal() } else { Vec::new() };
    match refused {
        NotDrafted::Unreadable(unreadable) => GameError::Unreadable { index, unreadable },
        NotDrafted::Incomplete(incomplete) => GameError::Incomplete { index, incomplete },
        NotDrafted::TooLong(left) => GameError::TooLong { left },
        NotDrafted::Refused(refused) => {
            GameError::Refused { index, refused, legal: legal(), game: shown().into() }
        }
        NotDrafted::DrawsBeforeLast(action) => {
            GameError::DrawsBeforeLast { index, action, legal: legal(), game: shown().into() }
        }
    }
}

/// An action of a list, as it was sent.
#[derive(Clone, Copy)]
pub(super) enum Listed<'a> {
    Json(&'a Value),
    /// Notation, read in the position that it is meant for: after the actions before it.
    Notation(&'a str),
}

impl Listed<'_> {
    /// Reads the action at `table`. An incomplete action is refused with its possible completions if `may_list`: only for a
    /// move's first action, as later ones may depend on chance, and only to the seat to act, as completions may show hidden
    /// cards.
    pub fn read(&self, table: &Table, seat: Seat, may_list: bool) -> Result<Cow<'_, Value>, NotDrafted> {
        match self {
            Self::Json(action) => Ok(Cow::Borrowed(*action)),
            Self::Notation(text) => table.position().read(text).map(Cow::Owned).map_err(|unreadable| {
                let lists = may_list && table.to_act() == Some(seat);
                match if lists { table.position().meant(text) } else { None } {
                    Some(incomplete) => NotDrafted::Incomplete(incomplete),
                    None => NotDrafted::Unreadable(unreadable),
                }
            }),
        }
    }

    fn as_sent(&self) -> Value {
        match *self {
            Self::Json(action) => action.clone(),
            Self::Notation(text) => text.into(),
        }
    }
}

impl Command {
    /// The actions of a list, in order; none for a resignation or abort.
    ///
    /// # Errors
    /// There are none, or too many.
    pub(super) fn listed(&self) -> Result<Vec<Listed<'_>>, GameError> {
        let listed: Vec<_> = match self {
            Self::Actions(actions) => actions.iter().map(Listed::Json).collect(),
            Self::Notation(text) => notation_parts(text).map(Listed::Notation).collect(),
            Self::Resign | Self::Abort => return Ok(Vec::new()),
        };
        if (1..=MAX_ACTIONS).contains(&listed.len()) {
            return Ok(listed);
        }
        Err(GameError::InvalidValue { field: "actions", why: format!("1 to {MAX_ACTIONS} actions") })
    }

    /// The number of requested actions.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Actions(actions) => actions.len(),
            Self::Notation(text) => notation_parts(text).count(),
            Self::Resign | Self::Abort => 1,
        }
    }
}

/// The actions of a notation text: separated by `;`, empty parts left out.
fn notation_parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|part| !part.is_empty())
}
