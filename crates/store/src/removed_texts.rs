//! Texts that an operator has removed: nobody is shown them, and they are kept, so that the act can be lifted.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::moderation::Report;
use super::schema::{studies, table_messages};

/// Removes the text that a report names; false if it names none that is shown.
pub(super) async fn remove(
    connection: &mut AsyncPgConnection,
    report: &Report,
    act_id: Uuid,
) -> QueryResult<bool> {
    let removed = if let (Some(game_id), Some(message_id)) = (report.game_id, report.message_id) {
        let shown = table_messages::table
            .find(message_id)
            .filter(table_messages::game_id.eq(game_id))
            .filter(table_messages::removed_by.is_null());
        diesel::update(shown).set(table_messages::removed_by.eq(act_id)).execute(connection).await?
    } else if let Some(study_id) = report.study_id {
        let shown = studies::table.find(study_id).filter(studies::removed_by.is_null());
        diesel::update(shown).set(studies::removed_by.eq(act_id)).execute(connection).await?
    } else {
        0
    };
    Ok(removed > 0)
}

/// Shows again what an act has removed, which was about that game.
pub(super) async fn show_again(
    connection: &mut AsyncPgConnection,
    act_id: Uuid,
    game_id: Uuid,
) -> QueryResult<()> {
    let messages = table_messages::table
        .filter(table_messages::game_id.eq(game_id))
        .filter(table_messages::removed_by.eq(act_id));
    diesel::update(messages).set(table_messages::removed_by.eq(None::<Uuid>)).execute(connection).await?;
    let studies = studies::table.filter(studies::removed_by.eq(act_id));
    diesel::update(studies).set(studies::removed_by.eq(None::<Uuid>)).execute(connection).await?;
    Ok(())
}

/// How many messages of the game `$1` are removed. Pages that are open ask for it each time.
pub const MESSAGES: &str =
    "select count(*) as count from table_messages where game_id = $1 and removed_by is not null";

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// How many messages of a game are removed.
///
/// # Errors
/// The database failed.
pub async fn messages(database: &Database, game_id: Uuid) -> Result<i64, StoreError> {
    let asked = diesel::sql_query(MESSAGES).bind::<SqlUuid, _>(game_id);
    Ok(asked.get_result::<Count>(&mut database.get().await?).await?.count)
}
