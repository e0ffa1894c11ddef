//! What belongs to no game, and the triggers that guard the events.

use super::finding::{Finding, Part};
use crate::games::Games;
use crate::games::error::GameError;
use crate::store::{audit, rebuild};

impl Games {
    /// Checks what is not part of any one game.
    pub(super) async fn audit_surroundings(&self, repair: bool) -> Result<Vec<Finding>, GameError> {
        let database = &self.database;
        let mut found = Vec::new();
        if !audit::history_is_guarded(database).await? {
            let what = "the triggers that refuse changes of events are missing, switched off or changed";
            found.push(Finding::new(None, Part::Guard, what));
        }
        for game_id in audit::games_of_stray_events(database).await? {
            let what = "there are events of it, but no such game";
            found.push(Finding::new(Some(game_id), Part::Stray, what));
        }
        for game_id in audit::stray_states(database).await? {
            let mut finding =
                Finding::derived(Some(game_id), Part::Stray, "there is a state of it, but no such game");
            finding.rebuilt = repair && rebuild::remove_stray_state(database, game_id).await?;
            found.push(finding);
        }
        for notice in audit::stray_notices(database).await? {
            let seq = notice.seq.map_or("none".to_owned(), |seq| seq.to_string());
            let what = format!(
                "the waiting notice {} ({}, event {seq}) tells of nothing, or tells somebody who is not in the game",
                notice.id, notice.kind
            );
            let mut finding = Finding::derived(notice.game_id, Part::Outbox, what);
            let now = self.inner.clock.now();
            finding.rebuilt = repair && rebuild::skip_stray_notice(database, notice.id, now).await?;
            found.push(finding);
        }
        Ok(found)
    }
}
