//! Previews and legal actions. Nothing here changes a game.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::deciding::{self, Listed, NotDrafted, check_length, draft_of};
use crate::playing::request::{Command, ListMode};
use crate::viewing::view::{self, GameView, Requester, SeatClaim};
use pippost_record::record::preview::TriedAction;
use pippost_record::record::{DraftRefused, EventEffect, Preview};
use pippost_record::rules::schema::{RuleSetAction, RuleSetOffer};
use pippost_record::rules::{Choose, Position, Seat};
use pippost_store::Seq;

/// A preview of actions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PreviewView {
    /// With their effects up to the first chance or reveal.
    pub done: Vec<PreviewedAction>,
    /// True if the last action needs chance or reveals something.
    pub stopped: bool,
    /// The game after these actions.
    pub game: GameView,
}

/// An action of a preview.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PreviewedAction {
    #[schema(value_type = RuleSetAction)]
    pub action: Value,
    #[schema(value_type = Vec<EventEffect>)]
    pub effects: Vec<Value>,
}

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
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LegalActions {
    /// The rule set, which tells the types of the actions.
    pub rules: &'static str,
    /// The last event before the choice.
    #[schema(value_type = u64)]
    pub seq: Seq,
    pub to_act: Option<u8>,
    pub my_turn: bool,
    /// All legal actions of the rules, if it is your turn. Each can be sent as it is; one with `choose` stands for all that choose so.
    #[schema(value_type = Vec<RuleSetOffer>)]
    pub actions: Vec<Value>,
    /// In notation, those that are a single action.
    pub notation: Vec<String>,
    /// Other possible requests, with their own addresses: `resign`, `abort`.
    pub also: Vec<AlsoAction>,
}

impl LegalActions {
    /// Whether the player may resign now.
    #[must_use]
    pub fn may_resign(&self) -> bool {
        self.also.contains(&AlsoAction::Resign {})
    }

    /// Whether the player may abort the game now.
    #[must_use]
    pub fn may_abort(&self) -> bool {
        self.also.contains(&AlsoAction::Abort {})
    }
}

/// The effects of actions up to the first chance or reveal. Nothing is written.
///
/// # Errors
/// [`GameError`], the same as for the move.
pub async fn preview(
    games: &Games,
    claim: &SeatClaim,
    command: &Command,
    mode: ListMode,
) -> Result<PreviewView, GameError> {
    let (live, viewer) = view::started_for(games, claim.game_id, &Requester::player(claim.player_id)).await?;
    claim.check(&live)?;
    let (seat, listed) = (claim.seat, command.listed()?);
    if listed.is_empty() {
        return Err(GameError::InvalidValue { field: "actions", why: "only moves can be previewed".into() });
    }
    if mode == ListMode::AllOrNothing {
        let draft = draft_of(&live.chronicle, seat, &listed);
        draft.map_err(|(index, refused)| deciding::explain_now(games, &live, seat, index, refused))?;
    }
    let mut preview = live.chronicle.preview(seat);
    for (index, action) in listed.iter().enumerate() {
        if preview.has_stopped() {
            break;
        }
        let may_list = index == 0 || mode == ListMode::Each;
        let length = check_length(live.chronicle.table(), live.chronicle.seq(), seat, index + 1);
        length
            .and_then(|()| try_next(&mut preview, seat, action, may_list))
            .map_err(|refused| deciding::explain_now(games, &live, seat, index, refused))?;
    }
    let previewed = |tried: &TriedAction| PreviewedAction {
        action: tried.action.clone(),
        effects: tried.effects.clone(),
    };
    let mut game = view::view_table(games, &live, preview.table(), viewer);
    game.seq = Some(live.seq());
    game.head = Some(live.chronicle.head());
    let done = preview.done().iter().map(previewed).collect();
    Ok(PreviewView { done, stopped: preview.has_stopped(), game })
}

/// The actions of `claim`'s player now.
///
/// # Errors
/// [`GameError`]
pub async fn legal_actions(games: &Games, claim: &SeatClaim) -> Result<LegalActions, GameError> {
    let (live, _) = view::started_for(games, claim.game_id, &Requester::player(claim.player_id)).await?;
    claim.check(&live)?;
    Ok(legal_at(&live, claim.seat))
}

/// The legal actions in notation; for an entry with a choice, some of the actions it stands for.
pub(crate) fn written(position: &dyn Position) -> Vec<String> {
    position.legal().iter().flat_map(|entry| write_entry(position, entry)).collect()
}

fn write_entry(position: &dyn Position, entry: &Value) -> Vec<String> {
    if let Some(written) = position.write(entry) {
        return vec![written];
    }
    let Ok(choice) = serde_json::from_value::<Choose>(entry.clone()) else { return Vec::new() };
    choice.examples().iter().filter_map(|action| position.write(action)).collect()
}

fn legal_at(live: &LiveGame, seat: Seat) -> LegalActions {
    let table = live.chronicle.table();
    let my_turn = table.to_act() == Some(seat) && !live.is_asked_seat_vacant();
    let position = table.position();
    let actions = if my_turn { position.legal() } else { Vec::new() };
    let notation = actions.iter().filter_map(|action| position.write(action)).collect();
    let may_resign = table.result().is_none() && !table.has_left(seat);
    let may_abort = may_resign && deciding::may_abort(live, seat);
    let to_act = table.to_act().map(|seat| seat.0);
    let rules = live.fixed.rules.name();
    let also = [(AlsoAction::Resign {}, may_resign), (AlsoAction::Abort {}, may_abort)].into_iter();
    let also = also.filter(|(_, may)| *may).map(|(action, _)| action).collect();
    LegalActions { rules, seq: live.seq(), to_act, my_turn, actions, notation, also }
}

fn try_next(
    preview: &mut Preview,
    seat: Seat,
    action: &Listed<'_>,
    may_list: bool,
) -> Result<(), NotDrafted> {
    let action = action.read(preview.table(), seat, may_list)?;
    preview.act(&action).map_err(|refused| DraftRefused::from(refused).into())
}
