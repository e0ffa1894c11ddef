//! A board of one's own: somebody plays on from a position, for all seats, with chance chosen by hand. Nothing is written, and no seed
//! is used.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::history::past_positions::{self, At};
use crate::memory::live::LiveGame;
use crate::viewing::view::{self, Requester};
use pippost_record::record::{ActRefused, Analysis, AnalysisRefused, EventEffect, GameResult, Table};
use pippost_record::rules::schema::RuleSetAction;
use pippost_record::rules::{Outcome, Position, Refused, Viewer};
use pippost_store::Seq;

/// The most actions of a line.
pub const MAX_LINE: usize = 100;

/// The most outcomes that are chosen for one action.
pub const MAX_OUTCOMES: usize = 32;

/// A line yields its thread after so many actions.
const ACTIONS_AT_A_STRETCH: usize = 16;

/// An action of a line, as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Sent {
    Json(Value),
    /// Read in the position after the actions before it.
    Notation(String),
}

/// An action of a line, and what chance brings.
#[derive(Clone, Debug, PartialEq)]
pub struct LineEntry {
    pub action: Sent,
    /// The outcomes of its draws, in order.
    pub chance: Vec<String>,
}

/// An action that was played on the board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AnalysedAction)]
pub struct PlayedAction {
    pub seat: u8,
    #[schema(value_type = RuleSetAction)]
    pub action: Value,
    /// The same in notation.
    pub notation: String,
    /// The names of the outcomes that its draws had.
    pub chance: Vec<String>,
    /// Of the last action up to the draw that is asked for.
    #[schema(value_type = Vec<EventEffect>)]
    pub effects: Vec<Value>,
}

/// What an analysis shows.
#[derive(Clone, Debug)]
pub struct Analysed {
    /// The name of the rule set.
    pub rules: &'static str,
    /// The event after which the line begins.
    pub seq: Seq,
    pub line: Vec<PlayedAction>,
    /// What the next draw of the last action can bring; `None` if it waits for nothing.
    pub asked: Option<Vec<Outcome>>,
    /// The seat that chooses an action next.
    pub to_act: Option<u8>,
    pub actions: Vec<Value>,
    /// The same in notation, where an entry is a single action.
    pub notation: Vec<String>,
    /// The view after the line; where rules hide something, that of the seat to act.
    pub view: Box<RawValue>,
    /// How the line ended the game.
    pub result: Option<GameResult>,
}

/// Plays a line.
///
/// # Errors
/// No such game or position for this requester, something is hidden there, or the line is not possible.
pub async fn analyse(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: At,
    line: Vec<LineEntry>,
) -> Result<Analysed, GameError> {
    let mut board = Board::begin(games, game_id, requester, at).await?;
    board.play_all(games, line).await?;
    let analysis = &board.analysis;
    let position = board.position();
    let to_act = analysis.to_act();
    let actions = if to_act.is_some() { position.legal() } else { Vec::new() };
    Ok(Analysed {
        rules: board.live.fixed.rules.name(),
        seq: board.seq,
        line: board.played(),
        asked: analysis.asked().map(<[Outcome]>::to_vec),
        to_act: to_act.map(|seat| seat.0),
        notation: actions.iter().filter_map(|action| position.write(action)).collect(),
        actions,
        view: position.view_text(board.eyes()),
        result: analysis.result().cloned(),
    })
}

/// Whether everything that was hidden at `then`, a position of this game, is public by now.
pub(crate) fn is_public(live: &LiveGame, then: &Table) -> bool {
    let now = live.chronicle.table().withheld();
    !then.withheld().iter().any(|seq| now.contains(seq))
}

/// The board of an analysis.
pub(super) struct Board {
    pub live: Arc<LiveGame>,
    pub viewer: Viewer,
    pub seq: Seq,
    pub analysis: Analysis,
}

impl Board {
    /// The board at a position of the game that hides nothing any more.
    pub async fn begin(
        games: &Games,
        game_id: Uuid,
        requester: &Requester,
        at: At,
    ) -> Result<Self, GameError> {
        let (live, viewer) = view::started_for(games, game_id, requester).await?;
        let then = past_positions::past_position(games, &live, at).await?;
        let (seq, table) = match then {
            Some(then) => (then.seq(), then.table),
            None => (live.seq(), live.chronicle.table().clone()),
        };
        if !is_public(&live, &table) {
            return Err(GameError::AnalysisHidden);
        }
        Ok(Self { live, viewer, seq, analysis: Analysis::new(table) })
    }

    pub async fn play_all(&mut self, games: &Games, line: Vec<LineEntry>) -> Result<(), GameError> {
        for (index, entry) in line.into_iter().enumerate() {
            if index > 0 && index.is_multiple_of(ACTIONS_AT_A_STRETCH) {
                tokio::task::yield_now().await;
            }
            self.play(games, index, entry)?;
        }
        Ok(())
    }

    /// Plays the action at `index` of the line.
    pub fn play(&mut self, games: &Games, index: usize, entry: LineEntry) -> Result<(), GameError> {
        let action = match entry.action {
            Sent::Json(action) => action,
            Sent::Notation(text) => {
                self.position().read(&text).map_err(|unreadable| match self.position().meant(&text) {
                    Some(incomplete) => GameError::Incomplete { index, incomplete },
                    None => GameError::Unreadable { index, unreadable },
                })?
            }
        };
        let legal = |analysis: &Analysis| analysis.table().position().legal();
        match self.analysis.act(&action, entry.chance) {
            Ok(()) => Ok(()),
            Err(AnalysisRefused::Open) => Err(GameError::ChanceOpen {
                index: index.saturating_sub(1),
                possible: self.analysis.asked().unwrap_or_default().iter().map(name).collect(),
            }),
            Err(AnalysisRefused::NotPossible { index: draw, possible }) => {
                let possible = possible.iter().map(name).collect();
                Err(GameError::ChanceNotPossible { index, draw, possible })
            }
            Err(AnalysisRefused::Refused(ActRefused::Refused(Refused::Unreadable(unreadable)))) => {
                Err(GameError::Unreadable { index, unreadable })
            }
            Err(AnalysisRefused::Refused(refused)) => Err(GameError::Refused {
                index,
                refused,
                legal: legal(&self.analysis),
                game: view::view_live(games, &self.live, self.viewer).into(),
            }),
        }
    }

    pub fn position(&self) -> &dyn Position {
        self.analysis.table().position()
    }

    /// Whose view is shown: all is public, so it is that of the seat to act where views differ.
    pub fn eyes(&self) -> Viewer {
        match self.analysis.table().to_act() {
            Some(seat) if self.live.fixed.rules.hides() => Viewer::Seat(seat),
            _ => self.viewer,
        }
    }

    pub fn played(&self) -> Vec<PlayedAction> {
        let position = self.position();
        let played = self.analysis.line().iter().map(|played| PlayedAction {
            seat: played.seat.0,
            notation: position.write(&played.action).unwrap_or_default(),
            action: played.action.clone(),
            chance: played.chance.clone(),
            effects: played.effects.clone(),
        });
        played.collect()
    }
}

fn name(outcome: &Outcome) -> String {
    outcome.name.clone()
}
