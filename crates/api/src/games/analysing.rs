//! Analysis: a board of one's own, from any position of a game.

use actix_web::{post, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::bodies::{MAX_NOTATION_CHARS, RecordQuery};
use crate::access::MaybeReader;
use crate::declared::problems;
use crate::seat::{UnreadBody, Visible};
use pippost_games::viewing::analysis::{Analysed, LineEntry, MAX_LINE, MAX_OUTCOMES, PlayedAction, Sent};
use pippost_games::viewing::view::Requester;
use pippost_games::{At, Games, viewing};
use pippost_http::admission::{Admitted, Replaying};
use pippost_http::json::{make_whole, not_null, whole};
use pippost_http::text::exact;
use pippost_http::{Code, Problem};
use pippost_language::Language;
use pippost_record::record::GameResult;
use pippost_record::rules::Outcome;
use pippost_record::rules::schema::{self, RuleSetAction, RuleSetOffer, RuleSetView, named_schema};
use pippost_store::Seq;

/// The longest name of an outcome, in bytes.
const MAX_OUTCOME_BYTES: usize = 16;

problems! {
    AnalysisProblems: GameNotStarted, GameOver, UnreadableAction, IncompleteAction, IllegalAction, AnalysisHidden, ChanceNotPossible;
}

/// Plays on from a position, for all seats, with chance chosen by you. The game does not change, and nothing is stored.
///
/// The last action may lack outcomes: `asked` then lists what its next draw can bring; choose one, add its `name` to `chance`, and ask
/// again. A position can be analysed once everything that was hidden at it is public.
#[utoipa::path(tag = "history", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), RecordQuery), request_body = AnalysisBody, responses(
    (status = 200, description = "The board after the line.", body = Analysis),
    AnalysisProblems,
))]
#[post("/games/{id}/analysis")]
pub async fn analyse_game(
    _place: Admitted<Replaying>,
    reader: Visible<MaybeReader>,
    games: web::Data<Games>,
    query: web::Query<RecordQuery>,
    body: UnreadBody<AnalysisBody>,
) -> actix_web::Result<web::Json<Analysis>> {
    let token = query.into_inner().token.map(Into::into);
    let requester = Requester { player_id: reader.account.player_id(), token };
    let AnalysisBody { seq, line } = body.read().await?;
    let at: At = seq.map(|seq| exact("seq", seq)).transpose()?.map(Seq::from).into();
    let line = entries(line)?;
    let analysed = viewing::analyse(&games, reader.game_id, &requester, at, line).await;
    Ok(web::Json(analysed.map_err(Problem::from)?.into()))
}

/// The actions of a line.
pub(crate) fn entries(line: Vec<LineBody>) -> Result<Vec<LineEntry>, Problem> {
    if line.len() > MAX_LINE {
        return Err(invalid("line", format!("line: at most {MAX_LINE} actions")));
    }
    line.into_iter().map(LineBody::entry).collect()
}

fn invalid(field: &str, why: String) -> Problem {
    Problem::new(Code::InvalidValue).detail(why).with("field", field)
}

/// A line to play.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisBody {
    /// The event after which the line begins; by default the newest.
    #[serde(default, deserialize_with = "whole")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: Option<u64>,
    /// The actions in order, each of the seat that is to act then.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub line: Vec<LineBody>,
}

/// An action of the rule set, and what chance brings.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct LineAction {
    action: RuleSetAction,
    /// The names of the outcomes of its draws, in order.
    #[serde(default)]
    #[schema(max_items = 32)]
    chance: Vec<OutcomeName>,
}

/// An action in notation, and what chance brings.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct LineNotation {
    #[schema(example = "d4 n2", min_length = 1, max_length = 1024, pattern = "^[^\\u0000]*$")]
    notation: String,
    /// As with `action`.
    #[serde(default)]
    #[schema(max_items = 32)]
    chance: Vec<OutcomeName>,
}

/// The name of an outcome, in a request.
#[derive(Debug)]
pub enum OutcomeName {}

named_schema!(
    OutcomeName,
    "OutcomeName",
    schema::text("^[A-Za-z0-9-]{1,16}$", "The name of an outcome, as `asked` lists it.")
);

/// One action of a line: either `action` or `notation`.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LineBody {
    #[serde(default, deserialize_with = "not_null")]
    action: Option<Value>,
    #[serde(default, deserialize_with = "not_null")]
    notation: Option<String>,
    #[serde(default)]
    chance: Vec<String>,
}

named_schema!(
    LineBody,
    "LineBody",
    schema::one_of(
        [schema::name_of::<LineAction>(), schema::name_of::<LineNotation>()],
        "An action of a line: either `action` or `notation`.",
    ),
    with LineAction, LineNotation
);

impl LineBody {
    fn entry(self) -> Result<LineEntry, Problem> {
        let Self { action, notation, chance } = self;
        let is_name = |name: &String| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            (1..=MAX_OUTCOME_BYTES).contains(&name.len()) && name.bytes().all(plain)
        };
        if chance.len() > MAX_OUTCOMES || !chance.iter().all(is_name) {
            let why = format!("chance: at most {MAX_OUTCOMES} names of outcomes");
            return Err(invalid("chance", why));
        }
        let action = match (action, notation) {
            (Some(mut action), None) if action.is_object() => {
                make_whole(&mut action);
                Sent::Json(action)
            }
            (Some(_), None) => return Err(invalid("action", "action: an object".into())),
            (None, Some(text)) if (1..=MAX_NOTATION_CHARS).contains(&text.chars().count()) => {
                Sent::Notation(text)
            }
            (None, Some(_)) => {
                return Err(invalid("notation", format!("notation: 1 to {MAX_NOTATION_CHARS} characters")));
            }
            _ => return Err(invalid("line", "give either `action` or `notation`".into())),
        };
        Ok(LineEntry { action, chance })
    }
}

/// The board after a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct Analysis {
    /// The rule set, which tells the types of actions and view.
    pub rules: &'static str,
    /// The event after which the line begins.
    pub seq: u64,
    /// What was played.
    pub line: Vec<PlayedAction>,
    /// What the next draw can bring: choose one. Null if nothing is drawn.
    pub asked: Option<Vec<OutcomeView>>,
    /// The seat that chooses; null while `asked` is not, and when the game is over.
    pub to_act: Option<u8>,
    /// All its legal actions, in the form of `/actions`.
    #[schema(value_type = Vec<RuleSetOffer>)]
    pub actions: Vec<Value>,
    /// In notation, those that are a single action.
    pub notation: Vec<String>,
    /// The view of the rules after the line; where views differ, that of the seat to act.
    #[schema(value_type = RuleSetView)]
    pub view: Box<RawValue>,
    /// How the line ended the game; null if it did not.
    pub result: Option<GameResult>,
}

/// What a draw can bring.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutcomeView {
    /// For `chance`.
    pub name: String,
    /// For people, in English.
    pub label: String,
}

impl From<&Outcome> for OutcomeView {
    fn from(outcome: &Outcome) -> Self {
        Self { name: outcome.name.clone(), label: Language::ENGLISH.tell(&outcome.label, &[]) }
    }
}

impl From<Analysed> for Analysis {
    fn from(analysed: Analysed) -> Self {
        Self {
            rules: analysed.rules,
            seq: analysed.seq.get(),
            line: analysed.line,
            asked: analysed.asked.map(|asked| asked.iter().map(OutcomeView::from).collect()),
            to_act: analysed.to_act,
            actions: analysed.actions,
            notation: analysed.notation,
            view: analysed.view,
            result: analysed.result,
        }
    }
}
