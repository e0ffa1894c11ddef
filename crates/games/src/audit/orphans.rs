//! Checks rows that belong to no game, the triggers that guard the events, and games that workers have set aside.

use uuid::Uuid;

use super::finding::{Finding, Subject};
use crate::Games;
use crate::error::GameError;
use pippost_store::commit;
use pippost_store::set_aside::{self, SetAside};
use pippost_store::{archived_games, audit, orphans};

/// The most archived games without a game that an audit reports.
const MAX_ORPHANS: i64 = 1000;

/// Checks what is not part of one game.
pub(super) async fn audit_surroundings(games: &Games, repair: bool) -> Result<Vec<Finding>, GameError> {
    let database = &games.database;
    let mut found = Vec::new();
    if !audit::history_is_guarded(database).await? {
        let what = "the triggers that refuse changes of events are missing, switched off or changed";
        found.push(Finding::new(None, Subject::Guard, what));
    }
    for game_id in audit::games_of_orphan_events(database).await? {
        let what = "there are events of it, but no such game";
        found.push(Finding::new(Some(game_id), Subject::Orphan, what));
    }
    for game_id in archived_games::orphans(database, MAX_ORPHANS).await? {
        let what = "it is on record as archived, but there is no such game";
        found.push(Finding::new(Some(game_id), Subject::Orphan, what));
    }
    for game_id in audit::orphan_states(database).await? {
        let mut finding =
            Finding::derived(Some(game_id), Subject::Orphan, "there is a state of it, but no such game");
        finding.rebuilt = repair && commit::remove_orphan_state(database, game_id).await?;
        found.push(finding);
    }
    for game_id in audit::games_of_orphan_checkpoints(database).await? {
        let what = "there are checkpoints of it, but no such game";
        let mut finding = Finding::derived(Some(game_id), Subject::Orphan, what);
        finding.rebuilt = repair && orphans::remove_orphan_checkpoints(database, game_id).await?;
        found.push(finding);
    }
    for notice in audit::orphan_notices(database).await? {
        let seq = notice.seq.map_or("none".to_owned(), |seq| seq.to_string());
        let what = format!(
            "the waiting notice {} ({}, event {seq}) tells of nothing, or tells somebody who is not in the game",
            notice.id, notice.kind
        );
        let mut finding = Finding::derived(notice.game_id, Subject::Outbox, what);
        let now = games.inner.clock.now();
        finding.rebuilt = repair && orphans::skip_orphan_notice(database, notice.id, now).await?;
        found.push(finding);
    }
    Ok(found)
}

/// Reports the games, or the one game, that are set aside; with `repair` they are retried at once.
pub(super) async fn audit_set_aside(
    games: &Games,
    game_id: Option<Uuid>,
    repair: bool,
) -> Result<Vec<Finding>, GameError> {
    let mut found = Vec::new();
    for SetAside { task, game_id, failures, reason, first_failed_at, retry_at } in
        set_aside::list(&games.database, game_id).await?
    {
        let what = format!(
            "a worker cannot do `{task}` since {first_failed_at} ({failures} tries, the next one at {retry_at}): {reason}"
        );
        let mut finding = Finding::derived(Some(game_id), Subject::SetAside, what);
        if repair {
            finding.rebuilt = set_aside::clear(&games.database, task, game_id).await?;
        }
        found.push(finding);
    }
    Ok(found)
}
