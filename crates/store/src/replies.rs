//! Incoming mails with a valid token, and their outcomes.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::{self as outbox, NewNotice, NoticeKind, NoticeState};
use super::numbers::Seq;
use super::schema::{notices, player_preferences, players, replies};
use super::table_messages::{self, NewMessage};

/// A row of `replies`.
#[allow(clippy::struct_excessive_bools, reason = "the columns of a row")]
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = replies)]
pub struct ReplyRow {
    pub id: Uuid,
    pub notice_id: Uuid,
    pub mail_key: Vec<u8>,
    pub player_id: Uuid,
    /// `None`: it is about no game.
    pub game_id: Option<Uuid>,
    pub seq: Seq,
    pub asked: String,
    pub answer: String,
    pub received_at: OffsetDateTime,
    pub settled_at: Option<OffsetDateTime>,
    pub used: bool,
    /// SHA-256 of what the mail says.
    pub text_key: Vec<u8>,
    /// The mail did nothing and asked for nothing.
    pub refused: bool,
    /// Its answer waits, because the player had too many within the hour.
    pub deferred: bool,
    /// The mail whose answer includes this one.
    pub told_with: Option<Uuid>,
    /// It did not come from the player's address, or the sender seemed forged.
    pub foreign_sender: bool,
}

/// The recipient and subject of the answered mail.
#[derive(Clone, Queryable)]
pub struct Answered {
    pub player_id: Uuid,
    /// `None`: it was about no game, or about several.
    pub game_id: Option<Uuid>,
    pub told_at: OffsetDateTime,
    /// What the answered mail is about.
    pub kind: NoticeKind,
    /// The unique form of the player's address.
    pub email_key: String,
    /// The tag of the language that the player chose.
    pub language: String,
    pub handle: String,
}

/// The recipient and game of the notice `notice_id`; `None` if there is no such notice or player.
pub async fn answered(database: &Database, notice_id: Uuid) -> Result<Option<Answered>, StoreError> {
    let mut connection = database.get().await?;
    let found = notices::table
        .inner_join(players::table.on(players::id.nullable().eq(notices::player_id)))
        .left_join(player_preferences::table.on(player_preferences::player_id.eq(players::id)))
        .filter(notices::id.eq(notice_id))
        .select((
            players::id,
            notices::game_id,
            notices::created_at,
            notices::kind,
            players::email_key,
            player_preferences::language.nullable(),
            players::handle,
        ))
        .first::<(Uuid, Option<Uuid>, OffsetDateTime, NoticeKind, String, Option<String>, String)>(
            &mut connection,
        )
        .await
        .optional()?;
    Ok(found.map(|(player_id, game_id, told_at, kind, email_key, language, handle)| {
        let language = language.unwrap_or_default();
        Answered { player_id, game_id, told_at, kind, email_key, language, handle }
    }))
}

/// Records an incoming mail unless it is known; returns its row.
pub async fn begin(database: &Database, row: &ReplyRow) -> Result<ReplyRow, StoreError> {
    let mut connection = database.get_for_writing().await?;
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

/// Whether a mail has used the token of this notice.
pub async fn is_used(database: &Database, notice_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let used = replies::table.filter(replies::notice_id.eq(notice_id)).filter(replies::used);
    Ok(diesel::select(diesel::dsl::exists(used)).get_result(&mut connection).await?)
}

/// The number of a player's mails since `since` that came from the player's address (`false` among `foreign`), that did not, or both.
pub async fn count_since(
    database: &Database,
    player_id: Uuid,
    foreign: &[bool],
    since: OffsetDateTime,
) -> Result<i64, StoreError> {
    let mut connection = database.get().await?;
    let recent = replies::table
        .filter(replies::player_id.eq(player_id))
        .filter(replies::received_at.gt(since))
        .filter(replies::foreign_sender.eq_any(foreign))
        .count();
    Ok(recent.get_result(&mut connection).await?)
}

/// The time of the oldest of a player's newest `count` mails; `None` if there were fewer.
pub async fn oldest_of(
    database: &Database,
    player_id: Uuid,
    count: i64,
) -> Result<Option<OffsetDateTime>, StoreError> {
    let mut connection = database.get().await?;
    let oldest = replies::table
        .filter(replies::player_id.eq(player_id))
        .order(replies::received_at.desc())
        .offset(count - 1)
        .limit(1)
        .select(replies::received_at);
    Ok(oldest.first(&mut connection).await.optional()?)
}

/// A player's mail about a game whose answer is delayed by the rate limit.
pub async fn waiting_answer(
    database: &Database,
    player_id: Uuid,
    game_id: Option<Uuid>,
) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let waiting = replies::table
        .inner_join(notices::table.on(notices::id.eq(replies::id)))
        .filter(replies::player_id.eq(player_id))
        .filter(replies::game_id.is_not_distinct_from(game_id))
        .filter(replies::deferred)
        .filter(notices::state.eq(NoticeState::Waiting))
        .filter(notices::attempts.eq(0))
        .order(replies::received_at.desc())
        .select(replies::id);
    Ok(waiting.first(&mut connection).await.optional()?)
}

/// The first `limit` of the mails that the answer to the mail `id` includes, oldest first, and the number of all.
pub async fn told_with(
    database: &Database,
    id: Uuid,
    limit: i64,
) -> Result<(Vec<ReplyRow>, i64), StoreError> {
    let mut connection = database.get().await?;
    let all = replies::table.filter(replies::told_with.eq(id)).count().get_result(&mut connection).await?;
    let rows = replies::table.filter(replies::told_with.eq(id)).order(replies::received_at).limit(limit);
    Ok((rows.select(ReplyRow::as_select()).load(&mut connection).await?, all))
}

/// How many equal mails of a player about a game have been in vain since `since`.
pub async fn count_vain_alike(
    database: &Database,
    (player_id, game_id): (Uuid, Option<Uuid>),
    text_key: &[u8],
    since: OffsetDateTime,
) -> Result<i64, StoreError> {
    let mut connection = database.get().await?;
    let alike = replies::table
        .filter(replies::player_id.eq(player_id))
        .filter(replies::game_id.is_not_distinct_from(game_id))
        .filter(replies::received_at.gt(since))
        .filter(replies::text_key.eq(text_key))
        .filter(replies::refused)
        .count();
    Ok(alike.get_result(&mut connection).await?)
}

/// Settles at most `limit` mails that were begun before `before` and not settled, oldest first, with `answer`, and queues their
/// notices. Returns how many.
pub async fn settle_left_over(
    database: &Database,
    before: OffsetDateTime,
    answer: &str,
    now: OffsetDateTime,
    limit: i64,
) -> Result<usize, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let settled = connection.transaction::<usize, StoreError, _>(async |connection| {
        let left_over = replies::table
            .filter(replies::settled_at.is_null())
            .filter(replies::received_at.lt(before))
            .order(replies::received_at)
            .limit(limit)
            .for_update()
            .skip_locked()
            .select(ReplyRow::as_select());
        let rows: Vec<ReplyRow> = left_over.load(connection).await?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let change = (replies::answer.eq(answer), replies::settled_at.eq(now));
        diesel::update(replies::table.filter(replies::id.eq_any(ids)))
            .set(change)
            .execute(connection)
            .await?;
        let notices: Vec<_> = rows.iter().map(|row| notice_of(row, now, now)).collect();
        outbox::insert(connection, &notices).await?;
        Ok(rows.len())
    });
    settled.await
}

/// The notice that brings the answer to a mail, not before `not_before`.
fn notice_of(row: &ReplyRow, now: OffsetDateTime, not_before: OffsetDateTime) -> NewNotice {
    let notice = NewNotice::to_player(NoticeKind::Answer, row.player_id, now);
    let notice = match row.game_id {
        Some(game_id) => notice.with_event(game_id, row.seq),
        None => notice,
    };
    NewNotice { id: row.id, ready: not_before <= now, next_attempt_at: not_before, ..notice }
}

/// Whether the answer to the mail `id` waits and no worker has begun to send it; none begins before this transaction ends.
async fn lock_waiting(connection: &mut AsyncPgConnection, id: Uuid) -> Result<bool, StoreError> {
    let waiting = notices::table
        .filter(notices::id.eq(id))
        .filter(notices::state.eq(NoticeState::Waiting))
        .filter(notices::attempts.eq(0))
        .for_update()
        .select(notices::id);
    Ok(waiting.first::<Uuid>(connection).await.optional()?.is_some())
}

/// How the player learns the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// By an answer of its own, not before that time.
    By(OffsetDateTime),
    /// By the delayed answer to the mail `id`. If that has been sent meanwhile: by an answer of its own, not before `otherwise`.
    With { id: Uuid, otherwise: OffsetDateTime },
    /// Not at all.
    Never,
}

/// The outcome of a mail.
pub struct Settlement<'a> {
    pub row: &'a ReplyRow,
    pub answer: &'a str,
    pub used: bool,
    /// The mail did nothing and asked for nothing.
    pub refused: bool,
    pub telling: Telling,
    /// The player's message to the other players.
    pub message: Option<NewMessage>,
    pub now: OffsetDateTime,
}

/// Records the outcome of a mail with its notice, exactly once. True if this call did.
pub async fn settle(database: &Database, settlement: &Settlement<'_>) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let settled = connection.transaction::<bool, StoreError, _>(async |connection| {
        let row = settlement.row;
        let open = replies::table.find(row.id).filter(replies::settled_at.is_null());
        let (told_with, by) = match settlement.telling {
            Telling::With { id, otherwise: _ } if lock_waiting(connection, id).await? => (Some(id), None),
            Telling::With { otherwise, .. } => (None, Some(otherwise)),
            Telling::By(not_before) => (None, Some(not_before)),
            Telling::Never => (None, None),
        };
        let deferred = by.is_some_and(|not_before| not_before > settlement.now);
        let change = (
            replies::answer.eq(settlement.answer),
            replies::used.eq(settlement.used),
            replies::refused.eq(settlement.refused),
            replies::deferred.eq(deferred),
            replies::told_with.eq(told_with),
            replies::settled_at.eq(settlement.now),
        );
        if diesel::update(open).set(change).execute(connection).await? == 0 {
            return Ok(false);
        }
        if let Some(not_before) = by {
            outbox::insert(connection, &[notice_of(row, settlement.now, not_before)]).await?;
        }
        if let Some(message) = &settlement.message {
            table_messages::insert(connection, message).await?;
        }
        Ok(true)
    });
    settled.await
}
