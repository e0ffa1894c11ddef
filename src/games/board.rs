//! The board of a game as plain text.

use uuid::Uuid;

use super::Games;
use super::error::GameError;
use super::view::Looker;

impl Games {
    /// The board as `looker` sees it, now or after event `seq`.
    ///
    /// # Errors
    /// No such game or event for this looker, or not started.
    pub async fn board_text(
        &self,
        game_id: Uuid,
        looker: &Looker,
        seq: Option<u64>,
    ) -> Result<String, GameError> {
        let (live, viewer) = self.started_for(game_id, looker).await?;
        let names = &live.fixed.names;
        match seq {
            Some(seq) if seq > live.seq() => Err(GameError::InvalidValue {
                field: "seq",
                why: format!("the game is at event {}", live.seq()),
            }),
            Some(seq) if seq < live.seq() => {
                let (table, _) = self.replay(&live, seq).await?;
                Ok(table.position().board_text(viewer, names))
            }
            _ => Ok(live.chronicle.table().position().board_text(viewer, names)),
        }
    }
}
