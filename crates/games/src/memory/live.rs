//! A started game in memory.

use std::sync::Arc;

use serde_json::value::RawValue;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::GameError;
use crate::viewing::view::options_json;
use crate::viewing::view_text::ViewTexts;
use pippost_clock::game_clock::ClockConditions;
use pippost_clock::offers::Offer;
use pippost_clock::{ClockRules, Running, TimeControl, microseconds, time_of};
use pippost_keys::SecretKey;
use pippost_record::record::{Chronicle, Hash, Header, Master, Table, Timestamp};
use pippost_record::rules::{RuleSet, Seat};
use pippost_store::games::{GameRow, MemberRow, StateRow, WholeGame};
use pippost_store::{Edition, Seq};

/// The approximate size of header, names and the rest, in bytes.
const FIXED_BYTES: usize = 2 * 1024;

/// The approximate size of a view without its board, in bytes.
const VIEW_BYTES: usize = 1024;

/// What does not change after the start of a game, unless a substitute takes a seat.
pub struct Fixed {
    pub id: Uuid,
    pub rules: &'static dyn RuleSet,
    pub header: Header,
    /// The header's options as JSON.
    pub options: Box<RawValue>,
    pub private: bool,
    pub created_at: OffsetDateTime,
    pub started_at: OffsetDateTime,
    /// By seat.
    pub players: Vec<Uuid>,
    /// By seat, the player whom a substitute has replaced.
    pub replaced: Vec<Option<Uuid>>,
    /// By seat, the player's own number of the game.
    pub numbers: Vec<Option<i32>>,
    /// By seat, the handles at the start, or when a substitute took the seat.
    pub names: Vec<String>,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    /// What its creator has called it.
    pub title: Option<String>,
    /// By seat, whether a program plays.
    pub bots: Vec<bool>,
    pub(crate) master: Master,
}

impl Fixed {
    /// The seat of a player.
    #[must_use]
    pub fn seat_of(&self, player_id: Uuid) -> Option<Seat> {
        let index = self.players.iter().position(|player| *player == player_id)?;
        u8::try_from(index).ok().map(Seat)
    }

    /// Whether a player sits in the game, or has sat in it.
    #[must_use]
    pub fn has_sat(&self, player_id: Uuid) -> bool {
        self.players.contains(&player_id) || self.replaced.contains(&Some(player_id))
    }

    /// The player who began the game in a seat, or the substitute who has taken it.
    #[must_use]
    pub fn player_of(&self, seat: Seat, is_substitute: bool) -> Option<Uuid> {
        let (now, before) = (self.players.get(seat.index()).copied(), self.replaced.get(seat.index())?);
        if is_substitute { before.and(now) } else { before.or(now) }
    }

    /// Whether a program plays that seat.
    #[must_use]
    pub fn is_bot(&self, seat: Seat) -> bool {
        self.bots.get(seat.index()).copied().unwrap_or(false)
    }
}

/// A started game: its position, the head of its chain, and its turn.
pub struct LiveGame {
    pub fixed: Arc<Fixed>,
    pub chronicle: Chronicle,
    /// What bears on its clock and does not change with moves.
    pub clock_rules: Arc<ClockRules>,
    /// The running clock; `None` once the game is over.
    pub running: Option<Running>,
    pub turn: Option<Turn>,
    pub finished_at: Option<OffsetDateTime>,
    /// Rises when the stored state is rebuilt; a cached game with another edition is stale.
    pub edition: Edition,
    /// The newest outage that its clock has been given back.
    pub outage: i64,
    /// The size of the newest snapshot, in bytes.
    pub snapshot_bytes: usize,
    pub(crate) texts: ViewTexts,
}

impl Clone for LiveGame {
    /// A copy to be changed, without the cached texts of views.
    fn clone(&self) -> Self {
        self.after(self.chronicle.clone())
    }
}

/// The seat to act, and when its turn began and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    pub seat: Seat,
    pub since: OffsetDateTime,
    pub deadline_at: Option<OffsetDateTime>,
    /// When to look whether a reminder is due.
    pub remind_at: Option<OffsetDateTime>,
}

impl Turn {
    /// The times of a running clock.
    #[must_use]
    pub fn of(running: &Running, clock_rules: &ClockRules) -> Self {
        Self {
            seat: running.asked().to_act,
            since: time_of(running.since),
            deadline_at: running.fall(clock_rules).map(time_of),
            remind_at: running.reminders_from(clock_rules).map(time_of),
        }
    }
}

impl LiveGame {
    /// Assembles a game from its rows.
    pub(crate) fn restore(whole: &WholeGame, secret: &SecretKey) -> Result<Self, GameError> {
        let state = whole.state.as_ref().ok_or(GameError::NotStarted)?;
        let corrupt = |what: &str| GameError::Corrupt(whole.game.id, what.to_owned());
        let header = whole.game.header.as_deref().ok_or_else(|| corrupt("header"))?;
        let header: Header = serde_json::from_str(header).map_err(|_| corrupt("header"))?;
        let rules = header.check().map_err(|_| corrupt("header"))?;
        let table = Table::restore(rules, &state.snapshot).map_err(|_| corrupt("snapshot"))?;
        let master = open_master(&whole.game, secret)?;
        let head: [u8; 32] = state.head.as_slice().try_into().map_err(|_| corrupt("head"))?;
        let seq = state.seq.get();
        let clock_rules = frame_of(&whole.game).ok_or_else(|| corrupt("clock"))?;
        let fixed =
            fixed(whole, rules, header, master, &table, &clock_rules).ok_or_else(|| corrupt("players"))?;
        let key_header = &fixed.header;
        let at = Timestamp::new(state.at);
        let chronicle = Chronicle::resume(table, key_header, &fixed.master, seq, Hash::from_bytes(head), at);
        let turn = turn_of(state);
        let running = running_of(state, &clock_rules, turn).ok_or_else(|| corrupt("running clock"))?;
        Ok(Self {
            fixed: Arc::new(fixed),
            chronicle,
            clock_rules: Arc::new(clock_rules),
            running,
            turn,
            finished_at: whole.game.finished_at,
            edition: state.edition,
            outage: whole.game.outage,
            snapshot_bytes: state.snapshot.len(),
            texts: ViewTexts::default(),
        })
    }

    /// The game after events; the caller sets its turn.
    pub(crate) fn after(&self, chronicle: Chronicle) -> Self {
        Self {
            fixed: Arc::clone(&self.fixed),
            chronicle,
            clock_rules: Arc::clone(&self.clock_rules),
            running: self.running.clone(),
            turn: self.turn,
            finished_at: self.finished_at,
            edition: self.edition,
            outage: self.outage,
            snapshot_bytes: self.snapshot_bytes,
            texts: ViewTexts::default(),
        }
    }

    /// The `seq` of the last event.
    #[must_use]
    pub fn seq(&self) -> Seq {
        self.chronicle.seq().into()
    }

    /// The approximate size in memory: positions are two to three times as large as their JSON, and views are cached as text.
    #[must_use]
    pub fn estimated_bytes(&self) -> u64 {
        let views = (self.fixed.players.len() + 1) * (VIEW_BYTES + self.snapshot_bytes);
        (FIXED_BYTES + 3 * self.snapshot_bytes + views) as u64
    }

    /// The time control.
    #[must_use]
    pub fn control(&self) -> &TimeControl {
        &self.clock_rules.control
    }

    /// Whether nobody plays the seat to act, because it waits for a substitute.
    #[must_use]
    pub fn is_asked_seat_vacant(&self) -> bool {
        self.turn.is_some_and(|turn| self.clock_rules.is_vacant(turn.seat))
    }

    /// The player to act; none while the seat to act waits for a substitute.
    #[must_use]
    pub fn to_act_player(&self) -> Option<Uuid> {
        self.turn.and_then(|turn| self.player_of_asked_seat(turn.seat, &self.clock_rules))
    }

    /// Who plays the seat to act in that clock_rules.
    pub(crate) fn player_of_asked_seat(&self, seat: Seat, clock_rules: &ClockRules) -> Option<Uuid> {
        (!clock_rules.is_vacant(seat)).then(|| self.fixed.players[seat.index()])
    }
}

/// The time control of a game; `None` if it cannot be read.
pub(crate) fn control_of(time_control: Option<&str>, limit_hours: Option<i32>) -> Option<TimeControl> {
    match time_control {
        None => Some(TimeControl::without_calendars(limit_hours)),
        Some(text) => serde_json::from_str(text).ok(),
    }
}

/// What bears on a game's clock; `None` if it cannot be read.
pub(crate) fn frame_of(game: &GameRow) -> Option<ClockRules> {
    let control = control_of(game.time_control.as_deref(), game.limit_hours)?;
    let now =
        game.clock.as_deref().map_or_else(|| Ok(ClockConditions::default()), serde_json::from_str).ok()?;
    Some(ClockRules { control, conditions: now })
}

/// The running clock of a stored state, none if nobody is to act; `None` if it cannot be read.
#[allow(clippy::option_option, reason = "no clock and an unreadable one are two things")]
fn running_of(state: &StateRow, clock_rules: &ClockRules, turn: Option<Turn>) -> Option<Option<Running>> {
    match (&state.clock, turn) {
        (_, None) => Some(None),
        (Some(text), Some(_)) => serde_json::from_str(text).ok().map(Some),
        (None, Some(turn)) => {
            Some(Some(Running::plain(&clock_rules.control, turn.seat, microseconds(turn.since))))
        }
    }
}

fn turn_of(state: &StateRow) -> Option<Turn> {
    let seat = Seat(u8::try_from(state.to_act_seat?).ok()?);
    let since = state.turn_since?;
    Some(Turn { seat, since, deadline_at: state.deadline_at, remind_at: state.remind_at })
}

fn fixed(
    whole: &WholeGame,
    rules: &'static dyn RuleSet,
    header: Header,
    master: Master,
    table: &Table,
    clock_rules: &ClockRules,
) -> Option<Fixed> {
    let mut members: Vec<&MemberRow> = whole.members.iter().collect();
    members.sort_by_key(|member| member.seat);
    let names = names_by_seat(&header, table, clock_rules)?;
    (members.len() == names.len()).then_some(())?;
    Some(Fixed {
        id: whole.game.id,
        rules,
        private: whole.game.private,
        created_at: whole.game.created_at,
        started_at: whole.game.started_at?,
        players: members.iter().map(|member| member.player_id).collect(),
        replaced: members.iter().map(|member| member.substitute_for).collect(),
        numbers: members.iter().map(|member| member.number).collect(),
        substitutes: whole.game.substitutes,
        title: whole.game.title.clone(),
        bots: members.iter().map(|member| member.bot).collect(),
        names,
        options: options_json(&header.options),
        header,
        master,
    })
}

/// The names of those who play now; `None` if the header has too few.
pub(crate) fn names_by_seat(header: &Header, table: &Table, clock_rules: &ClockRules) -> Option<Vec<String>> {
    let name = |(seat, index): (Seat, &u8)| match clock_rules.offer(seat) {
        Some(Offer::Taken { name, .. }) => Some(name.clone()),
        _ => Some(header.players.get(usize::from(*index))?.name.clone()),
    };
    (0..).map(Seat).zip(table.order()).map(name).collect()
}

/// The opened master of a game.
pub(crate) fn open_master(game: &GameRow, secret: &SecretKey) -> Result<Master, GameError> {
    let opened = secret.open(game.id, &game.master_sealed);
    let bytes = opened.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    bytes.map(Master::from_bytes).ok_or_else(|| GameError::Corrupt(game.id, "sealed master".into()))
}

/// A line of the record as raw JSON.
pub(crate) fn raw(line: String) -> Box<RawValue> {
    RawValue::from_string(line).expect("lines of a record are JSON")
}
