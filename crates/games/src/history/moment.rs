//! One moment of a game for people: the board, and what had just happened, in sentences.

use uuid::Uuid;

use super::checkpoints::{self, Goal};
use super::past_positions::At;
use super::replay::PastPosition;
use crate::Games;
use crate::error::GameError;
use crate::letters::mail_content::tell;
use crate::memory::live::LiveGame;
use crate::viewing::analysis::is_public;
use crate::viewing::board::picture;
use crate::viewing::view::{self, Requester};
use pippost_language::Language;
use pippost_record::record::Timestamp;
use pippost_record::rules::picture::Picture;
use pippost_record::rules::{Captions, Group, Viewer};
use pippost_store::{Seq, TurnNumber};

/// A game after an event, as one viewer saw it then.
#[derive(Clone, Debug)]
pub struct Moment {
    pub seq: Seq,
    /// The game's newest event.
    pub newest: Seq,
    pub turn: TurnNumber,
    pub at: Timestamp,
    pub picture: Picture,
    pub board_text: String,
    /// What says something when somebody points at it.
    pub parts: Vec<Group>,
    /// Whether everything that was hidden then is public.
    pub public: bool,
    /// What happened in the event.
    pub told: Vec<String>,
}

/// The game at that moment.
///
/// # Errors
/// No such game or moment for this requester, or not started.
pub async fn moment(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: At,
    language: Language,
) -> Result<Moment, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let newest = live.seq();
    let then = match at {
        At::Now => position_after(games, &live, newest).await?,
        At::Event(seq) if seq > newest => {
            let why = format!("the game is at event {newest}");
            return Err(GameError::NoSuchPosition { field: "seq", why });
        }
        At::Event(seq) => position_after(games, &live, seq).await?,
        At::Turn(turn) => {
            let ends = |then: &PastPosition| then.progress.turn == turn && then.progress.ends_turn;
            checkpoints::replay_towards(games, &live, Goal::Turn(turn)).await?.until(ends).await?
        }
    };
    Ok(shown(&live, &then, viewer, newest, language))
}

async fn position_after(games: &Games, live: &LiveGame, seq: Seq) -> Result<PastPosition, GameError> {
    let replay = checkpoints::replay_towards(games, live, Goal::Event(seq)).await?;
    replay.until(|then| then.seq() == seq).await
}

fn shown(live: &LiveGame, then: &PastPosition, viewer: Viewer, newest: Seq, language: Language) -> Moment {
    let captions = Captions::new(&live.fixed.names, &language);
    let position = then.table.position();
    Moment {
        seq: then.seq(),
        newest,
        turn: then.progress.turn,
        at: then.event.at,
        picture: picture(live, &then.table, viewer, &then.event.effects, language),
        board_text: position.board_text(viewer, &captions),
        parts: position.parts(viewer, &captions),
        public: is_public(live, &then.table),
        told: tell(live, std::slice::from_ref(&then.event), language),
    }
}
