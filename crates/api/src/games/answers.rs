//! Responses about games, except for the game itself ([`pippost_http::views`]).

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use pippost_games::history::{past_positions, replay};
use pippost_games::lobby::listing;
use pippost_games::playing::preview;
use pippost_http::clocks::TimeControlBody;
use pippost_http::reliability::ReliabilityBody;
use pippost_http::views::{GameView, Status};
use pippost_record::record::{Event, EventEffect, Timestamp};
use pippost_record::rules::schema::{RuleSetAction, RuleSetOffer, RuleSetView};
use pippost_store::Seq;

/// A request that a player can make instead of an action of the rules, at its own address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AlsoAction {
    /// `POST /games/{id}/resign`.
    Resign {},
    /// `POST /games/{id}/abort`.
    Abort {},
}

/// The legal actions of the player to act.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalActions {
    /// The name of the rule set, by which a program knows the types of the actions.
    pub rules: &'static str,
    /// The last event before the choice.
    pub seq: u64,
    pub to_act: Option<u8>,
    pub my_turn: bool,
    /// All legal actions of the rules, if it is your turn; empty if not. Any of them can be sent as it is, but an entry with
    /// `choose` stands for all the actions that choose as it describes.
    #[schema(value_type = Vec<RuleSetOffer>)]
    pub actions: Vec<Value>,
    /// The same in notation, for entries that are a single action.
    pub notation: Vec<String>,
    /// Other possible requests, with their own addresses: `resign`, `abort`.
    pub also: Vec<AlsoAction>,
}

impl From<preview::LegalActions> for LegalActions {
    fn from(legal: preview::LegalActions) -> Self {
        let preview::LegalActions { rules, seq, to_act, my_turn, actions, notation, may_resign, may_abort } =
            legal;
        let also = [(AlsoAction::Resign {}, may_resign), (AlsoAction::Abort {}, may_abort)].into_iter();
        let also = also.filter(|(_, may)| *may).map(|(action, _)| action);
        Self { rules, seq: seq.get(), to_act, my_turn, actions, notation, also: also.collect() }
    }
}

/// A preview of actions.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewView<'a> {
    /// The previewed actions, each with its effects up to the first chance or reveal.
    pub done: Vec<PreviewedAction<'a>>,
    /// True if the last action needs chance or reveals something, so that the rest is unknown until it is played.
    pub stopped: bool,
    /// The game after these actions.
    pub game: GameView<'a>,
}

/// An action of a preview.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewedAction<'a> {
    #[schema(value_type = RuleSetAction)]
    pub action: &'a Value,
    #[schema(value_type = Vec<EventEffect>)]
    pub effects: &'a [Value],
}

impl<'a> From<&'a preview::PreviewView> for PreviewView<'a> {
    fn from(preview: &'a preview::PreviewView) -> Self {
        let previewed = |tried: &'a preview::PreviewedAction| PreviewedAction {
            action: &tried.action,
            effects: &tried.effects,
        };
        Self {
            done: preview.done.iter().map(previewed).collect(),
            stopped: preview.stopped,
            game: GameView::from(&preview.game),
        }
    }
}

/// A game in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedGame {
    pub id: Uuid,
    pub rules: String,
    pub title: String,
    pub status: Status,
    pub private: bool,
    pub seats: u8,
    /// Handles in joining order.
    pub players: Vec<String>,
    /// The handles among them on which programs play.
    pub bots: Vec<String>,
    pub limit_hours: Option<i32>,
    pub time_control: TimeControlBody,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When a game that has not started by then is cancelled; null once it has started.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    #[schema(value_type = Option<i64>)]
    pub seq: Option<u64>,
    pub to_act: Option<i16>,
    /// True if it is your turn.
    pub my_turn: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline_at: Option<Timestamp>,
    /// Seconds until the deadline, when the response was made.
    pub time_left_seconds: Option<i64>,
    /// Before the start, of each of the players; empty from then on.
    pub reliability: Vec<ReliabilityBody>,
    pub page: String,
}

impl From<listing::ListedGame> for ListedGame {
    fn from(game: listing::ListedGame) -> Self {
        Self {
            id: game.id,
            rules: game.rules,
            title: game.title,
            status: game.status.into(),
            private: game.private,
            seats: game.seats,
            players: game.players,
            bots: game.bots,
            limit_hours: game.limit_hours,
            time_control: game.time_control.into(),
            substitutes: game.substitutes,
            created_at: game.created_at,
            expires_at: game.expires_at,
            seq: game.seq.map(Seq::get),
            to_act: game.to_act,
            my_turn: game.my_turn,
            deadline_at: game.deadline_at,
            time_left_seconds: game.time_left_seconds,
            reliability: game.reliability.into_iter().map(ReliabilityBody::from).collect(),
            page: game.page,
        }
    }
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct GamePage {
    pub games: Vec<ListedGame>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<Uuid>,
}

impl From<listing::GamePage> for GamePage {
    fn from(page: listing::GamePage) -> Self {
        let games = page.games.into_iter().map(ListedGame::from).collect();
        Self { games, next_cursor: page.next_cursor }
    }
}

impl GamePage {
    /// The page as JSON without the seconds left, which change while nothing happens.
    ///
    /// # Panics
    /// Never: a page is plain data.
    pub fn without_seconds(&mut self) -> Vec<u8> {
        let taken: Vec<_> = self.games.iter_mut().map(|game| game.time_left_seconds.take()).collect();
        let json = serde_json::to_vec(self).expect("plain data");
        for (game, seconds) in self.games.iter_mut().zip(taken) {
            game.time_left_seconds = seconds;
        }
        json
    }
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventPage {
    /// The events as they stand in the record.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The number of the game's newest event.
    pub newest: u64,
}

/// The legal actions at a position.
#[derive(Debug, Serialize, ToSchema)]
pub struct Choices {
    /// The name of the rule set, by which a program knows the types of the actions.
    pub rules: &'static str,
    /// The last event before the choice.
    pub seq: u64,
    /// The seat to act; null if the game was over.
    pub to_act: Option<u8>,
    /// True if you may not see the choices yet, because they would reveal hidden things.
    pub hidden: bool,
    /// All legal actions of the rules, in the form of `/actions`.
    #[schema(value_type = Vec<RuleSetOffer>)]
    pub actions: Vec<Value>,
    /// The same in notation, for entries that are a single action.
    pub notation: Vec<String>,
}

impl From<past_positions::Choices> for Choices {
    fn from(choices: past_positions::Choices) -> Self {
        let past_positions::Choices { rules, seq, to_act, hidden, actions, notation } = choices;
        Self { rules, seq: seq.get(), to_act, hidden, actions, notation }
    }
}

/// The events since a player last acted.
#[derive(Debug, Serialize, ToSchema)]
pub struct News {
    /// Your own newest event; null if you have not acted yet.
    pub my_last: Option<u64>,
    /// The events after `my_last`, or all events if it is null: oldest first, at most 500.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The `first` for `/events` to get the rest; null if there is none.
    pub next: Option<u64>,
    /// The number of the game's newest event.
    pub newest: u64,
}

impl From<past_positions::News> for News {
    fn from(news: past_positions::News) -> Self {
        let past_positions::News { my_last, events, next, newest } = news;
        Self { my_last: my_last.map(Seq::get), events, next: next.map(Seq::get), newest: newest.get() }
    }
}

/// An event and the game after it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplayStep {
    /// The event as it stands in the record.
    #[schema(value_type = Event)]
    pub event: Box<RawValue>,
    /// The turn of the event. Turn 0 is event 0, the start; each later turn ends with an event that changes `to_act`.
    pub turn: u64,
    /// The view of the rules after the event, as you were shown it then.
    #[schema(value_type = RuleSetView)]
    pub view: Box<RawValue>,
}

/// A page of a replay.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplayPage {
    /// Consecutive events, oldest first.
    pub steps: Vec<ReplayStep>,
    /// The `first` of the next page; null if this page has the newest event.
    pub next: Option<u64>,
    /// The number of the game's newest event.
    pub newest: u64,
}

impl From<replay::ReplayPage> for ReplayPage {
    fn from(page: replay::ReplayPage) -> Self {
        let step = |step: replay::ReplayStep| {
            let replay::ReplayStep { event, turn, view } = step;
            ReplayStep { event, turn: turn.get(), view }
        };
        let replay::ReplayPage { steps, next, newest } = page;
        let steps = steps.into_iter().map(step).collect();
        Self { steps, next: next.map(Seq::get), newest: newest.get() }
    }
}
