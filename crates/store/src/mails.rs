//! The mails to a player, as the player may see them.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::{NoticeKind, NoticeState};
use super::schema::notices;

/// A notice without its contents.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = notices)]
pub struct MailRow {
    pub id: Uuid,
    pub kind: NoticeKind,
    pub game_id: Option<Uuid>,
    pub state: NoticeState,
    pub attempts: i16,
    pub created_at: OffsetDateTime,
    pub next_attempt_at: OffsetDateTime,
    pub finished_at: Option<OffsetDateTime>,
    pub reason: Option<String>,
    pub bounced_at: Option<OffsetDateTime>,
    pub bounce_code: Option<String>,
}

/// The newest notices to a player, at most `limit`, those before the notice `before` if it is given; newest first.
pub async fn newest(
    database: &Database,
    player_id: Uuid,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<MailRow>, StoreError> {
    let mut connection = database.get().await?;
    let mut query = notices::table
        .filter(notices::player_id.eq(player_id))
        .order(notices::id.desc())
        .limit(limit)
        .select(MailRow::as_select())
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(notices::id.lt(before));
    }
    Ok(query.load(&mut connection).await?)
}
