//! Mails that came in with a good token, and what became of them.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::{self as outbox, NewNotice, NoticeKind};
use super::schema::{notices, player_wishes, players, replies};
use super::table_messages::{self, NewMessage};

/// A row of `replies`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = replies)]
pub struct ReplyRow {
    pub id: Uuid,
    pub notice_id: Uuid,
    pub mail_key: Vec<u8>,
    pub player_id: Uuid,
    pub game_id: Uuid,
    pub seq: i64,
    pub asked: String,
    pub answer: String,
    pub received_at: OffsetDateTime,
    pub settled_at: Option<OffsetDateTime>,
    pub used: bool,
}

/// Who was told what by the mail that is being answered.
#[derive(Clone, Queryable)]
pub struct Answered {
    pub player_id: Uuid,
    pub game_id: Uuid,
    pub told_at: OffsetDateTime,
    /// What the player's address is unique by.
    pub email_key: String,
    /// The tag of the language that the player chose.
    pub language: String,
}

/// Whom the notice `notice_id` told about which game; `None` if there is no such notice, player or game.
pub async fn answered(database: &Database, notice_id: Uuid) -> Result<Option<Answered>, StoreError> {
    let mut connection = database.get().await?;
    let found = notices::table
        .inner_join(players::table.on(players::id.nullable().eq(notices::player_id)))
        .left_join(player_wishes::table.on(player_wishes::player_id.eq(players::id)))
        .filter(notices::id.eq(notice_id))
        .select((
            players::id,
            notices::game_id,
            notices::created_at,
            players::email_key,
            player_wishes::language.nullable(),
        ))
        .first::<(Uuid, Option<Uuid>, OffsetDateTime, String, Option<String>)>(&mut connection)
        .await
        .optional()?;
    Ok(found.and_then(|(player_id, game_id, told_at, email_key, language)| {
        let language = language.unwrap_or_default();
        Some(Answered { player_id, game_id: game_id?, told_at, email_key, language })
    }))
}

/// Writes down that a mail has come, or finds that it had come before: its row as it is now.
pub async fn begin(database: &Database, row: &ReplyRow) -> Result<ReplyRow, StoreError> {
    let mut connection = database.get().await?;
    diesel::insert_into(replies::table).values(row).on_conflict_do_nothing().execute(&mut connection).await?;
    let same = replies::table
        .filter(replies::notice_id.eq(row.notice_id))
        .filter(replies::mail_key.eq(&row.mail_key))
        .select(ReplyRow::as_select());
    Ok(same.first(&mut connection).await?)
}

/// The mail with this id.
pub async fn find(database: &Database, id: Uuid) -> Result<Option<ReplyRow>, StoreError> {
    let mut connection = database.get().await?;
    Ok(replies::table.find(id).select(ReplyRow::as_select()).first(&mut connection).await.optional()?)
}

/// Whether a mail has used up the token of this notice.
pub async fn is_used(database: &Database, notice_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let used = replies::table.filter(replies::notice_id.eq(notice_id)).filter(replies::used);
    Ok(diesel::select(diesel::dsl::exists(used)).get_result(&mut connection).await?)
}

/// How many mails of a player have come in since `since`.
pub async fn count_since(
    database: &Database,
    player_id: Uuid,
    since: OffsetDateTime,
) -> Result<i64, StoreError> {
    let mut connection = database.get().await?;
    let recent = replies::table
        .filter(replies::player_id.eq(player_id))
        .filter(replies::received_at.gt(since))
        .count();
    Ok(recent.get_result(&mut connection).await?)
}

/// What became of a mail.
pub struct Settlement<'a> {
    pub row: &'a ReplyRow,
    pub answer: &'a str,
    pub used: bool,
    /// Whether the answer has no notice yet and gets one.
    pub notice: bool,
    /// What the player says to the table.
    pub message: Option<NewMessage>,
    pub now: OffsetDateTime,
}

/// Writes down what became of a mail, with the notice that tells the player: all of it once, whoever else is at it. True if it
/// was written here.
pub async fn settle(database: &Database, settlement: &Settlement<'_>) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let settled = connection.transaction::<bool, StoreError, _>(async |connection| {
        let row = settlement.row;
        let open = replies::table.find(row.id).filter(replies::settled_at.is_null());
        let change = (
            replies::answer.eq(settlement.answer),
            replies::used.eq(settlement.used),
            replies::settled_at.eq(settlement.now),
        );
        if diesel::update(open).set(change).execute(connection).await? == 0 {
            return Ok(false);
        }
        if settlement.notice {
            let notice = NewNotice {
                id: row.id,
                ..NewNotice::to_player(NoticeKind::Answer, row.player_id, settlement.now)
                    .with_event(row.game_id, row.seq)
            };
            outbox::insert(connection, &[notice]).await?;
        }
        if let Some(message) = &settlement.message {
            table_messages::insert(connection, message).await?;
        }
        Ok(true)
    });
    settled.await
}
