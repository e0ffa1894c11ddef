//! Request bodies and queries of games.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::rules;
use pippost_clock::TimeControl;
use pippost_clock::control::DEFAULT_LIMIT_HOURS;
use pippost_games::standing_orders::orders::AdvanceAnswer;
use pippost_games::standing_orders::{Branch, StandingOrders};
use pippost_games::{At, Command, ListMode, MAX_ACTIONS, NewGame};
use pippost_http::clocks::TimeControlBody;
use pippost_http::json::{make_whole, not_null, object_or_null, whole, whole_number};
use pippost_http::text::{RulesName, TitleText, TokenText};
use pippost_http::{Code, Problem};
use pippost_record::record::{Master, Seating};
use pippost_record::rules::schema::{self, RuleSetAction, RuleSetGivenOptions, named_schema};

/// The longest notation text, in characters.
pub(super) const MAX_NOTATION_CHARS: usize = 1024;

/// The most seats of a game of any rule set.
const MAX_SEATS: u8 = 8;

/// A game to create.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGameBody {
    /// The name of the rule set, as listed by `/rules`.
    #[schema(example = json!(pippost_record::rules::sample_name()))]
    pub rules: RulesName,
    /// Options of the rule set; missing ones get their defaults.
    #[serde(default = "no_options")]
    #[schema(value_type = RuleSetGivenOptions)]
    pub options: Value,
    /// By default the smallest number that the options allow.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 8)]
    pub seats: Option<u8>,
    /// Seen and joined by invitation only.
    #[serde(default)]
    pub private: bool,
    /// `random` draws the seats at the start; `joined` takes the joining order.
    #[serde(default)]
    #[schema(default = "random")]
    pub seating: Seating,
    /// Hours for each turn; null: no limit.
    #[serde(default = "default_limit", deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 1440, default = 168)]
    pub limit_hours: Option<i32>,
    /// The whole time control; `limit_hours` beside it is not looked at.
    #[serde(default, deserialize_with = "object_or_null", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<TimeControl>)]
    pub time_control: Option<TimeControlBody>,
    /// Whether a substitute may take a seat that is given up or timed out; for three players and more.
    #[serde(default)]
    pub substitutes: bool,
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = TitleText)]
    pub game_title: Option<TitleText>,
    #[serde(default)]
    pub renews: bool,
    /// In a sandbox: what all chance follows from; else `seed_not_taken`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Master>,
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
    pub fn into_new_game(mut self) -> Result<NewGame, Problem> {
        make_whole(&mut self.options);
        let seats = rules::seats_of(&self.rules).unwrap_or(1..=MAX_SEATS);
        if self.seats.is_some_and(|given| !seats.contains(&given)) {
            let why = format!("{} to {} players", seats.start(), seats.end());
            return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "seats"));
        }
        Ok(NewGame {
            rules: self.rules.into(),
            options: self.options,
            seats: self.seats,
            private: self.private,
            seating: self.seating,
            time_control: match self.time_control {
                Some(whole) => whole.into(),
                None => TimeControl { limit_hours: self.limit_hours, ..TimeControl::UNLIMITED },
            },
            substitutes: self.substitutes,
            title: self.game_title.map(String::from),
            renews: self.renews,
            seed: self.seed,
        })
    }
}

/// A player's share of a game's chance.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntropyBody {
    /// Text that ensures that the server alone cannot choose the chance: 0 to 64 characters from space to `~`. It is public.
    #[schema(max_length = 64, pattern = "^[ -~]*$")]
    pub entropy: String,
}

/// A request to join a game.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinBody {
    /// Your share of the game's chance: 0 to 64 characters from space to `~`. It is public.
    #[serde(default)]
    #[schema(max_length = 64, pattern = "^[ -~]*$")]
    pub entropy: String,
    /// The invitation token of a private game.
    pub invitation: Option<TokenText>,
}

/// A seat to take over.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SubstituteBody {
    /// An offered seat.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 0, maximum = 255)]
    pub seat: u8,
    /// The invitation token of a private game.
    pub invitation: Option<TokenText>,
}

/// A move as JSON.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct ActionsBody {
    /// Actions of the rule set. Well-formed ones that the position does not allow are refused with `illegal_action`.
    #[schema(min_items = 1, max_items = 32)]
    actions: Vec<RuleSetAction>,
    /// The `seq` of the view that you answer; refused after newer events.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    expected_seq: Option<u64>,
    /// True: each action is a move of its own, until one is not legal any more; `stopped` says so.
    #[serde(default)]
    each: bool,
}

/// A move in notation.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct NotationBody {
    /// Actions in the rule set's notation, separated by `;`. What cannot be read is refused with `unreadable_action`.
    #[schema(example = "d4 n2", min_length = 1, max_length = 1024, pattern = "^[^\\u0000]*$")]
    notation: String,
    /// The `seq` of the view that you answer; refused after newer events.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    expected_seq: Option<u64>,
    /// As with `actions`.
    #[serde(default)]
    each: bool,
}

/// A move: either `actions` or `notation`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveBody {
    #[serde(default, deserialize_with = "not_null")]
    pub actions: Option<Vec<Value>>,
    #[serde(default, deserialize_with = "not_null")]
    pub notation: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    pub expected_seq: Option<u64>,
    #[serde(default)]
    pub each: bool,
}

named_schema!(
    MoveBody,
    "MoveBody",
    schema::one_of(
        [schema::name_of::<ActionsBody>(), schema::name_of::<NotationBody>()],
        "A move: either `actions` or `notation`. Without `each` all actions are done or none, and only the last may need chance \
            or reveal something.",
    ),
    with ActionsBody, NotationBody
);

impl MoveBody {
    /// Whether actions are done together or one by one.
    pub fn mode(&self) -> ListMode {
        if self.each { ListMode::Each } else { ListMode::AllOrNothing }
    }

    /// The requested command.
    pub fn command(self) -> Result<Command, Problem> {
        let invalid = |why: &str| Problem::new(Code::InvalidValue).detail(why);
        match (self.actions, self.notation) {
            (Some(mut actions), None) if (1..=MAX_ACTIONS).contains(&actions.len()) => {
                actions.iter_mut().for_each(make_whole);
                Ok(Command::Actions(actions))
            }
            (Some(_), None) => {
                let why = format!("actions: 1 to {MAX_ACTIONS} actions");
                Err(invalid(&why).with("field", "actions"))
            }
            (None, Some(text)) if (1..=MAX_NOTATION_CHARS).contains(&text.chars().count()) => {
                Ok(Command::Notation(text))
            }
            (None, Some(_)) => {
                let why = format!("notation: 1 to {MAX_NOTATION_CHARS} characters");
                Err(invalid(&why).with("field", "notation"))
            }
            _ => Err(invalid("give either `actions` or `notation`")),
        }
    }
}

/// Moves in advance.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StandingOrdersBody {
    /// True: play the only legal action, whenever there is just one.
    #[serde(default)]
    only_legal: bool,
    /// Answers to the turns of others, in words of the rule set, such as `occupy all`; its rules say which there are. The first that says
    /// something is taken.
    #[serde(default)]
    #[schema(max_items = 8, value_type = Vec<AdvanceAnswer>, example = json!(["occupy keep 2"]))]
    answers: Vec<String>,
    /// The branches of a tree, on ten levels and a hundred in all at most. The first that fits is taken.
    #[serde(default)]
    #[schema(max_items = 100)]
    branches: Vec<Branch>,
    /// The `seq` of the view that you answer; refused after newer events.
    #[serde(default, deserialize_with = "whole")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub expected_seq: Option<u64>,
}

impl StandingOrdersBody {
    /// The orders themselves.
    pub fn into_orders(self) -> StandingOrders {
        StandingOrders { only_legal: self.only_legal, answers: self.answers, branches: self.branches }
    }
}

/// A request to resign or abort.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaveBody {
    /// The `seq` of the view that you answer; refused after newer events.
    #[serde(default, deserialize_with = "whole")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub expected_seq: Option<u64>,
}

/// Which position of a game to show.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LookQuery {
    /// Show the game as it was after this event. With `turn`, this counts.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    pub seq: Option<u64>,
    /// Show the game as it was after this turn. Turn 0 is event 0, the start; each later turn ends with an event that changes `to_act`.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    pub turn: Option<u64>,
    /// An invitation to a private game, or the token from a mail's link.
    pub token: Option<TokenText>,
}

impl LookQuery {
    /// The requested position.
    pub fn at(&self) -> At {
        position_at(self.seq, self.turn)
    }
}

/// The position after an event or a turn.
pub fn position_at(seq: Option<u64>, turn: Option<u64>) -> At {
    match (seq, turn) {
        (None, None) => At::Now,
        (Some(seq), _) => At::Event(seq.into()),
        (None, Some(turn)) => At::Turn(turn.into()),
    }
}

/// How to access the record.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RecordQuery {
    /// An invitation to a private game, or the token from a mail's link.
    pub token: Option<TokenText>,
}

/// What to export.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// An invitation to a private game, or the token from a mail's link.
    pub token: Option<TokenText>,
    /// `clock`: the clock log follows the record.
    pub with: Option<WithName>,
}

/// What can follow a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WithName {
    Clock,
}

/// Which events to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// The first event.
    #[serde(default)]
    #[param(maximum = 9_007_199_254_740_991_u64, default = 0)]
    pub first: u64,
    /// Events on a page, 1 to 500.
    #[serde(default = "default_events")]
    #[param(minimum = 1, maximum = 500, default = 100)]
    pub limit: u16,
    /// An invitation to a private game, or the token from a mail's link.
    pub token: Option<TokenText>,
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
    #[param(maximum = 9_007_199_254_740_991_u64, default = 0)]
    pub first: u64,
    /// Events on a page, 1 to 200.
    #[serde(default = "default_replay")]
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub limit: u16,
    /// An invitation to a private game, or the token from a mail's link.
    pub token: Option<TokenText>,
}

fn default_replay() -> u16 {
    50
}
