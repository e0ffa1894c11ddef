//! Titles of games that an operator removes, and gives back. Cached games have them, so the edition rises with each.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::guard::StateWrite;
use super::states;
use crate::database::Database;
use crate::error::StoreError;
use crate::moderation::{self, ActKind, Decision, Removal, Report, Verdict};
use crate::schema::games;

/// Removes the title of a game by its reported creator: of the game `game_id`, or of that which the report names. Returns the act's id;
/// `None` if there is no such open report, or no such title.
///
/// # Errors
/// The database failed.
pub async fn remove_title(
    database: &Database,
    report_id: Uuid,
    game_id: Option<Uuid>,
    words: &str,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let removed = connection.transaction::<Option<Uuid>, StoreError, _>(async |connection| {
        let Some(report) = moderation::lock_open(connection, report_id).await? else { return Ok(None) };
        let Some(game_id) = game_id.or(report.game_id) else { return Ok(None) };
        let row = games::table.find(game_id).filter(games::creator_id.eq(report.subject_id));
        let title: Option<Option<String>> =
            row.select(games::title).for_update().first(connection).await.optional()?;
        let Some(title) = title.flatten() else { return Ok(None) };
        set_title(connection, game_id, None).await?;
        let seq = report.seq.filter(|_| report.game_id == Some(game_id));
        let report = Report { game_id: Some(game_id), seq, evidence: Some(title), ..report };
        let decision = Decision { kind: ActKind::Removal, words, ends_at: None };
        let id = Uuid::now_v7();
        moderation::write(connection, id, report, (&decision, Removal::Title), now).await?;
        Ok(Some(id))
    });
    removed.await
}

/// Decides about an act that concerns a player, appealed against or not; false if there is none that is not decided.
///
/// # Errors
/// The database failed.
pub async fn judge(
    database: &Database,
    act_id: Uuid,
    verdict: Verdict,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let judged = connection.transaction::<bool, StoreError, _>(async |connection| {
        if !moderation::judge(connection, act_id, verdict, now).await? {
            return Ok(false);
        }
        let act = moderation::act_within(connection, act_id).await?;
        if let Some((game_id, title)) = act.and_then(|act| act.removed_title(verdict)) {
            set_title(connection, game_id, Some(title)).await?;
        }
        Ok(true)
    });
    judged.await
}

async fn set_title(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    title: Option<String>,
) -> QueryResult<()> {
    diesel::update(games::table.find(game_id)).set(games::title.eq(title)).execute(connection).await?;
    // A game that has not started has no state, and is cached nowhere.
    if let Some((seq, edition)) = states::lock(connection, game_id).await? {
        states::raise_edition(connection, &StateWrite::of([game_id]), game_id, seq, edition).await?;
    }
    Ok(())
}
