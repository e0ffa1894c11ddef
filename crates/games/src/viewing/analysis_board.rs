//! The board of an analysis for people: picks play at once, and what chance brings is chosen as well.

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::history::past_positions::At;
use crate::letters::outcome;
use crate::viewing::analysis::{Board, LineEntry, MAX_LINE, PlayedAction};
use crate::viewing::picking::{Choice, Picking};
use crate::viewing::view::Requester;
use pippost_language::Language;
use pippost_record::record::{Analysis, AnalysisRefused};
use pippost_record::rules::{Picture, Seat};
use pippost_store::Seq;

/// What a draw can bring.
#[derive(Clone, Debug)]
pub struct ShownOutcome {
    pub name: String,
    pub label: String,
    pub face: Option<Picture>,
}

/// An action of the line.
#[derive(Clone, Debug)]
pub struct ShownAction {
    pub seat: u8,
    pub notation: String,
    pub chance: Vec<String>,
    pub told: Vec<String>,
}

/// The board after a line.
#[derive(Clone, Debug)]
pub struct AnalysisBoard {
    /// The event after which the line begins.
    pub seq: Seq,
    pub line: Vec<ShownAction>,
    /// What the next draw of the last action can bring; empty if nothing is drawn now.
    pub asked: Vec<ShownOutcome>,
    /// The seat that chooses an action next.
    pub to_act: Option<u8>,
    /// How the line ended the game, in a sentence.
    pub result: Option<String>,
    /// Whether the line is as long as a line may be.
    pub full: bool,
    pub picking: Picking,
}

/// The board after `line`, and after the action that `choice` leads to.
///
/// # Errors
/// As [`super::analysis::analyse`], but for what `choice` says.
pub async fn analysis_board(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: At,
    line: Vec<LineEntry>,
    choice: Choice,
    language: Language,
) -> Result<AnalysisBoard, GameError> {
    let mut board = Board::begin(games, game_id, requester, at).await?;
    board.play_all(games, line).await?;
    let picking = board.choose(choice, language);
    Ok(board.shown(picking, language))
}

/// The board after the first `shown` actions of `line`, with all its actions.
///
/// # Errors
/// As [`super::analysis::analyse`].
pub(crate) async fn board_within(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: At,
    mut line: Vec<LineEntry>,
    shown: usize,
    language: Language,
) -> Result<AnalysisBoard, GameError> {
    let mut board = Board::begin(games, game_id, requester, at).await?;
    let rest = line.split_off(shown.min(line.len()));
    board.play_all(games, line).await?;
    let here = board.shown(board.picking(language), language);
    board.play_all(games, rest).await?;
    Ok(AnalysisBoard { line: board.shown_line(language), ..here })
}

impl Board {
    /// Plays what is chosen, if it is an action; shows what can be chosen then.
    fn choose(&mut self, choice: Choice, language: Language) -> Picking {
        let mut picking = self.picking(language);
        if self.analysis.to_act().is_none() || is_full(&self.analysis) {
            return picking;
        }
        let names = self.live.fixed.names.clone();
        let Some(action) = picking.ask(self.analysis.table(), &names, choice, language) else {
            return picking;
        };
        let mut after = self.analysis.clone();
        match after.act(&action, Vec::new()) {
            Ok(()) => {
                self.analysis = after;
                self.choose(Choice::Picks(Vec::new()), language)
            }
            Err(AnalysisRefused::Refused(refused)) => {
                picking.refuse(self.analysis.table(), &names, &refused, language);
                picking
            }
            Err(AnalysisRefused::Open | AnalysisRefused::NotPossible { .. }) => picking,
        }
    }

    fn picking(&self, language: Language) -> Picking {
        let last = self.analysis.line().last().map(|played| played.effects.as_slice()).unwrap_or_default();
        Picking::at(&self.live, self.analysis.table(), self.eyes(), last, language)
    }

    fn shown(&self, picking: Picking, language: Language) -> AnalysisBoard {
        let names = &self.live.fixed.names;
        let asked = self.analysis.asked().unwrap_or_default().iter().map(|one| ShownOutcome {
            name: one.name.clone(),
            label: language.tell(&one.label, names),
            face: one.picture(),
        });
        let result = self
            .analysis
            .result()
            .map(|result| outcome::sentence(result.reason, result.places.as_deref(), names, language));
        AnalysisBoard {
            seq: self.seq,
            line: self.shown_line(language),
            asked: asked.collect(),
            to_act: self.analysis.to_act().map(|seat| seat.0),
            result,
            full: is_full(&self.analysis),
            picking,
        }
    }

    /// What has been played, with what happened.
    fn shown_line(&self, language: Language) -> Vec<ShownAction> {
        let (names, position) = (&self.live.fixed.names, self.position());
        let told = |played: &PlayedAction| {
            let told = position.tell(Some(Seat(played.seat)), &played.action, &played.effects);
            told.iter().map(|sentence| language.tell(sentence, names)).collect()
        };
        let line = self.played().into_iter().map(|played| ShownAction {
            seat: played.seat,
            told: told(&played),
            notation: played.notation,
            chance: played.chance,
        });
        line.collect()
    }
}

fn is_full(analysis: &Analysis) -> bool {
    analysis.line().len() >= MAX_LINE && analysis.to_act().is_some()
}
