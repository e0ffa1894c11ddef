//! Request bodies and queries of games.

use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::api::{Code, Problem};
use crate::clock::TimeControl;
use crate::clock::limit::DEFAULT_LIMIT_HOURS;
use crate::games::{At, Command, ListMode, MAX_ACTIONS, NewGame};
use crate::record::Seating;
use crate::rules::schema::{RuleSetAction, RuleSetGivenOptions};
use crate::store::GameStatus;

/// The longest notation text, in bytes.
const MAX_NOTATION_BYTES: usize = 4096;

/// The longest name of a rule set, in bytes.
const MAX_RULES_NAME_BYTES: usize = 64;

/// A game to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGameBody {
    /// The name of the rule set, as listed by `/rules`.
    #[schema(example = json!(crate::rules::sample_name()), max_length = 64)]
    pub rules: String,
    /// Options of the rule set; missing ones get their defaults.
    #[serde(default = "no_options")]
    #[schema(value_type = RuleSetGivenOptions)]
    pub options: Value,
    /// The number of players; by default the smallest that the options allow.
    #[schema(minimum = 1, maximum = 8)]
    pub seats: Option<u8>,
    /// Whether the game can be seen and joined by invitation only.
    #[serde(default)]
    pub private: bool,
    /// `random` draws the seats when the game starts; `joined` seats the players in joining order.
    #[serde(default)]
    #[schema(default = "random")]
    pub seating: Seating,
    /// Hours for each move, 1 to 1440; null for no limit; 168 (a week) by default.
    #[serde(default = "default_limit")]
    #[schema(minimum = 1, maximum = 1440, default = 168)]
    pub limit_hours: Option<i32>,
}

fn no_options() -> Value {
    Value::Object(serde_json::Map::new())
}

#[allow(clippy::unnecessary_wraps, reason = "serde wants the member's own type")]
fn default_limit() -> Option<i32> {
    Some(DEFAULT_LIMIT_HOURS)
}

impl NewGameBody {
    /// The checked body in the form that `games` takes.
    pub fn into_new_game(self) -> Result<NewGame, Problem> {
        if self.rules.len() > MAX_RULES_NAME_BYTES {
            return Err(Problem::new(Code::UnknownRules));
        }
        Ok(NewGame {
            rules: self.rules,
            options: self.options,
            seats: self.seats,
            private: self.private,
            seating: self.seating,
            time_control: TimeControl::from_hours(self.limit_hours),
        })
    }
}

/// A player's share of a game's chance.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntropyBody {
    /// Text that ensures that the server alone cannot choose the chance: 0 to 64 characters from space to `~`. It is public.
    #[schema(max_length = 64)]
    pub entropy: String,
}

/// A request to join a game.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinBody {
    /// Your share of the game's chance: 0 to 64 characters from space to `~`. It is public.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub entropy: String,
    /// The invitation token of a private game.
    #[schema(max_length = 128)]
    pub invitation: Option<String>,
}

/// A move: either `actions` or `notation`. By default all actions are done or none, and only the last may need chance or reveal
/// something. With `each`, every action is a move of its own.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveBody {
    /// Actions of the rule set. Well-formed ones that the position does not allow are refused with `illegal_action`.
    #[schema(value_type = Option<Vec<RuleSetAction>>, min_items = 1, max_items = 32)]
    pub actions: Option<Vec<Value>>,
    /// The same in the rule set's notation, separated by `;`.
    #[schema(example = "d4 n2", max_length = 4096)]
    pub notation: Option<String>,
    /// The `seq` of the view that you answer. If it is given, the move is refused after newer events.
    pub expected_seq: Option<u64>,
    /// True: each action is a move of its own, in order, until one is not legal any more. The answer holds what was done and, if
    /// not all was, `stopped`. If the first action is not legal, the request is refused.
    #[serde(default)]
    pub each: bool,
}

impl MoveBody {
    /// Whether actions are done together or one by one.
    pub fn mode(&self) -> ListMode {
        if self.each { ListMode::Each } else { ListMode::AllOrNothing }
    }

    /// The requested command.
    pub fn command(self) -> Result<Command, Problem> {
        let invalid = |why: &str| Problem::new(Code::InvalidValue).detail(why);
        match (self.actions, self.notation) {
            (Some(actions), None) if (1..=MAX_ACTIONS).contains(&actions.len()) => {
                Ok(Command::Actions(actions))
            }
            (Some(_), None) => {
                let why = format!("actions: 1 to {MAX_ACTIONS} actions");
                Err(invalid(&why).with("field", "actions"))
            }
            (None, Some(text)) if text.len() <= MAX_NOTATION_BYTES => Ok(Command::Notation(text)),
            (None, Some(_)) => {
                let why = format!("notation: at most {MAX_NOTATION_BYTES} bytes");
                Err(invalid(&why).with("field", "notation"))
            }
            _ => Err(invalid("give either `actions` or `notation`")),
        }
    }
}

/// A request to resign or abort.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaveBody {
    /// The `seq` of the view that you answer. If it is given, the request is refused after newer events.
    pub expected_seq: Option<u64>,
}

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// `my_turn`: games that wait for you. `mine`: all games that you are in. `open`, `running`, `finished`: public games.
    #[serde(default)]
    pub list: ListName,
    /// With `mine`: only games with this status: `open`, `starting`, `running`, `finished` or `cancelled`.
    pub status: Option<StatusName>,
    /// Only games of this rule set.
    #[param(max_length = 64)]
    pub rules: Option<String>,
    /// `next_cursor` of the page before.
    pub cursor: Option<Uuid>,
    /// Games on a page, 1 to 100.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: u16,
}

fn default_page() -> u16 {
    20
}

/// The available lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListName {
    Mine,
    MyTurn,
    #[default]
    Open,
    Running,
    Finished,
}

/// A status to filter by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusName {
    Open,
    Starting,
    Running,
    Finished,
    Cancelled,
}

impl StatusName {
    /// The store's form.
    pub fn stored(self) -> GameStatus {
        match self {
            Self::Open => GameStatus::Open,
            Self::Starting => GameStatus::Starting,
            Self::Running => GameStatus::Running,
            Self::Finished => GameStatus::Finished,
            Self::Cancelled => GameStatus::Cancelled,
        }
    }
}

/// Which position of a game to show.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LookQuery {
    /// Show the game as it was after this event.
    pub seq: Option<u64>,
    /// Show the game as it was after this turn. Turn 0 is event 0, the start; each later turn ends with an event that changes
    /// `to_act`. The last turn ends with the newest event.
    pub turn: Option<u64>,
    /// An invitation to a private game, or the token from a mail's link.
    #[param(max_length = 128)]
    pub token: Option<String>,
}

impl LookQuery {
    /// The requested position.
    pub fn at(&self) -> Result<At, Problem> {
        position_at(self.seq, self.turn)
    }
}

/// The position after an event or a turn.
pub fn position_at(seq: Option<u64>, turn: Option<u64>) -> Result<At, Problem> {
    match (seq, turn) {
        (None, None) => Ok(At::Now),
        (Some(seq), None) => Ok(At::Event(seq.into())),
        (None, Some(turn)) => Ok(At::Turn(turn.into())),
        (Some(_), Some(_)) => {
            Err(Problem::new(Code::InvalidValue).detail("give `seq` or `turn`").with("field", "turn"))
        }
    }
}

/// How to access the record.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RecordQuery {
    /// An invitation to a private game, or the token from a mail's link.
    #[param(max_length = 128)]
    pub token: Option<String>,
}

/// Which events to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// The first event.
    #[serde(default)]
    pub first: u64,
    /// Events on a page, 1 to 500.
    #[serde(default = "default_events")]
    #[param(minimum = 1, maximum = 500, default = 100)]
    pub limit: u16,
    /// An invitation to a private game, or the token from a mail's link.
    #[param(max_length = 128)]
    pub token: Option<String>,
}

fn default_events() -> u16 {
    100
}

/// Which part of a game to replay.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReplayQuery {
    /// The first event.
    #[serde(default)]
    pub first: u64,
    /// Events on a page, 1 to 200.
    #[serde(default = "default_replay")]
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub limit: u16,
    /// An invitation to a private game, or the token from a mail's link.
    #[param(max_length = 128)]
    pub token: Option<String>,
}

fn default_replay() -> u16 {
    50
}
