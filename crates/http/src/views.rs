//! A game in API form. All fields borrow from the view, so the most frequent responses are written without a copy.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::clocks::{ClockView, TimeControlBody};
use crate::reliability::ReliabilityBody;
use pippost_games::viewing::{offered, view};
use pippost_record::record::{GameResult, Hash, Reason, Seating, Timestamp};
use pippost_record::rules::schema::{RuleSetOptions, RuleSetView};
use pippost_store::{BeaconRound, GameStatus, Seq};

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for players.
    Open,
    /// Full, and waiting for its round of the public beacon, usually for a few seconds.
    Starting,
    Running,
    Finished,
    /// All players left before it started, or it has expired: then they are still in it.
    Cancelled,
}

impl From<GameStatus> for Status {
    fn from(status: GameStatus) -> Self {
        match status {
            GameStatus::Open => Self::Open,
            GameStatus::Starting => Self::Starting,
            GameStatus::Running => Self::Running,
            GameStatus::Finished => Self::Finished,
            GameStatus::Cancelled => Self::Cancelled,
        }
    }
}

/// A player of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerView<'a> {
    pub handle: &'a str,
    /// The seat; null before the start. Seats are numbered in order of play.
    pub seat: Option<u8>,
    /// The player's share of the game's chance.
    pub entropy: &'a str,
    /// True once the player has resigned or run out of time.
    pub left: bool,
    /// True if a program plays on this account.
    pub bot: bool,
    /// How reliable the player is; null once the game has started, and in the answer that creates it.
    pub reliability: Option<ReliabilityBody>,
}

/// A seat that a substitute can take.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct OfferedSeat {
    pub seat: u8,
    /// True if its flag fell: nobody plays it, and the game goes on without it when the flag falls again. False if its player offers it,
    /// and plays on.
    pub vacant: bool,
}

/// A game as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameView<'a> {
    pub id: Uuid,
    pub rules: &'a str,
    pub rules_version: u32,
    /// The rule set's title.
    pub title: &'a str,
    /// All options, including defaults.
    #[schema(value_type = RuleSetOptions)]
    pub options: &'a RawValue,
    pub seating: Seating,
    pub status: Status,
    pub private: bool,
    /// The number of players of the game.
    pub seats: u8,
    /// In joining order.
    pub players: Vec<PlayerView<'a>>,
    /// Hours for each turn; null: no limit. The same as in `time_control`.
    pub limit_hours: Option<i32>,
    /// The time that players have, and what of their calendars counts.
    pub time_control: TimeControlBody,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    /// The seats that a substitute can take now.
    pub offered_seats: Vec<OfferedSeat>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// When a game that has not started by then is cancelled; null once it has started, or if that never happens.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// SHA-256 that commits the server to the game's chance since the game's creation.
    pub commitment: Hash,
    /// The round of the public beacon that is part of the game's chance, chosen before the round existed; null without one.
    pub beacon_round: Option<u64>,
    /// The number of the game's last event in this view; null before the start.
    pub seq: Option<u64>,
    /// The hash of that event.
    pub head: Option<Hash>,
    /// Your seat; null for spectators and before the start.
    pub my_seat: Option<u8>,
    /// The seat to act; null if there is none.
    pub to_act: Option<u8>,
    /// True if it is your turn.
    pub my_turn: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub turn_since: Option<Timestamp>,
    /// The deadline of the seat to act; null without a limit.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline_at: Option<Timestamp>,
    /// Seconds until the deadline, when the response was made. Nights and other time that does not count are in it; `clock` of
    /// the game tells them apart.
    pub time_left_seconds: Option<i64>,
    /// What the deadline is made of; null if no clock runs.
    pub clock: Option<ClockView>,
    /// The view of the rules, as described on the rule set's page; null before the start.
    #[schema(value_type = Option<RuleSetView>)]
    pub view: Option<&'a RawValue>,
    /// The members of the `finished` effect; null before the end.
    pub result: Option<ResultView>,
    /// The invitation token of a private game; only for its players, before the start and while a seat is offered.
    pub invitation: Option<&'a str>,
    /// The URL of the game's page.
    pub page: &'a str,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ResultView {
    pub reason: Reason,
    /// The places by seat, 1 for the winners; null after an abort.
    pub places: Option<Vec<u8>>,
    /// The points by seat; null in games without points.
    pub scores: Option<Vec<i64>>,
}

impl From<GameResult> for ResultView {
    fn from(result: GameResult) -> Self {
        let GameResult { reason, places, scores } = result;
        Self { reason, places, scores }
    }
}

impl<'a> From<&'a view::PlayerView> for PlayerView<'a> {
    fn from(player: &'a view::PlayerView) -> Self {
        let view::PlayerView { handle, seat, entropy, left, bot, reliability } = player;
        let reliability = reliability.map(ReliabilityBody::from);
        Self { handle, seat: *seat, entropy, left: *left, bot: *bot, reliability }
    }
}

impl From<&offered::OfferedSeat> for OfferedSeat {
    fn from(offered: &offered::OfferedSeat) -> Self {
        Self { seat: offered.seat.0, vacant: offered.vacant }
    }
}

impl<'a> From<&'a view::GameView> for GameView<'a> {
    fn from(game: &'a view::GameView) -> Self {
        Self {
            id: game.id,
            rules: game.rules,
            rules_version: game.rules_version,
            title: game.title,
            options: &game.options,
            seating: game.seating,
            status: game.status.into(),
            private: game.private,
            seats: game.seats,
            players: game.players.iter().map(PlayerView::from).collect(),
            limit_hours: game.limit_hours,
            time_control: game.time_control.into(),
            substitutes: game.substitutes,
            offered_seats: game.offered_seats.iter().map(OfferedSeat::from).collect(),
            created_at: game.created_at,
            started_at: game.started_at,
            finished_at: game.finished_at,
            expires_at: game.expires_at,
            commitment: game.commitment,
            beacon_round: game.beacon_round.map(BeaconRound::get),
            seq: game.seq.map(Seq::get),
            head: game.head,
            my_seat: game.my_seat,
            to_act: game.to_act,
            my_turn: game.my_turn,
            turn_since: game.turn_since,
            deadline_at: game.deadline_at,
            time_left_seconds: game.time_left_seconds,
            clock: game.clock.as_ref().map(ClockView::from),
            view: game.view.as_deref(),
            result: game.result.clone().map(ResultView::from),
            invitation: game.invitation.as_deref(),
            page: &game.page,
        }
    }
}

/// Writes a view as JSON for [`Games`](pippost_games::Games), which keeps it with the game.
///
/// # Panics
/// Never: a view can always be serialised.
#[must_use]
pub fn write_view(game: &view::GameView) -> Box<RawValue> {
    to_raw_value(&GameView::from(game)).expect("plain data")
}
