//! Links in mails: their purposes and effects.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::app_grants;
use super::database::Database;
use super::error::StoreError;
use super::notices::{self as outbox, NewNotice, NoticeKind};
use super::schema::{mail_links, notices, personal_tokens, players};
use super::sessions;
use super::text_enum::text_enum;
use super::webhook_managers;

text_enum! {
    "purpose of a link",
    /// The purpose of a link.
    pub enum LinkPurpose {
        ConfirmEmail = "confirm_email",
        ResetPassword = "reset_password",
        /// No link: the row names the address that is told that it no longer belongs to the account.
        AddressChanged = "address_changed",
    }
}

/// A link.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = mail_links)]
pub struct MailLinkRow {
    pub id: Uuid,
    pub player_id: Uuid,
    pub purpose: LinkPurpose,
    /// The address that it is sent to.
    pub email: String,
    pub expires_at: OffsetDateTime,
    /// When it was used or voided.
    pub used_at: Option<OffsetDateTime>,
}

/// A link to write.
#[derive(Insertable)]
#[diesel(table_name = mail_links)]
pub struct NewMailLink<'a> {
    pub id: Uuid,
    pub player_id: Uuid,
    pub purpose: LinkPurpose,
    pub email: &'a str,
    /// The form of it that is unique.
    pub email_key: &'a str,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// The link with this id, used or not.
pub async fn find(database: &Database, id: Uuid) -> Result<Option<MailLinkRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = mail_links::table.find(id).select(MailLinkRow::as_select());
    Ok(found.first(&mut connection).await.optional()?)
}

/// Writes a link, inside a transaction.
pub(super) async fn insert(connection: &mut AsyncPgConnection, new: &NewMailLink<'_>) -> QueryResult<()> {
    diesel::insert_into(mail_links::table).values(new).execute(connection).await?;
    Ok(())
}

/// The requested address of a player that is not confirmed yet, if it is not the current one.
pub async fn pending_email(
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<Option<String>, StoreError> {
    let mut connection = database.get().await?;
    let pending = mail_links::table
        .inner_join(players::table.on(players::id.eq(mail_links::player_id)))
        .filter(mail_links::player_id.eq(player_id))
        .filter(mail_links::purpose.eq(LinkPurpose::ConfirmEmail))
        .filter(mail_links::used_at.is_null())
        .filter(mail_links::expires_at.gt(now))
        .filter(mail_links::email.ne(players::email))
        .order(mail_links::id.desc())
        .select(mail_links::email)
        .first(&mut connection)
        .await;
    Ok(pending.optional()?)
}

/// Writes a link that confirms an address, with its notice. Links to other addresses become void: the newest request counts.
pub async fn ask_for_confirmation(
    database: &Database,
    link: &NewMailLink<'_>,
    notice: &NewNotice,
) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let asked = connection.transaction::<(), StoreError, _>(async |connection| {
        let others = mail_links::table
            .filter(mail_links::player_id.eq(link.player_id))
            .filter(mail_links::purpose.eq(LinkPurpose::ConfirmEmail))
            .filter(mail_links::used_at.is_null())
            .filter(mail_links::email.ne(link.email));
        diesel::update(others).set(mail_links::used_at.eq(link.created_at)).execute(connection).await?;
        insert(connection, link).await?;
        outbox::insert(connection, std::slice::from_ref(notice)).await?;
        Ok(())
    });
    asked.await
}

/// The link of a mail that asks to confirm the address to which it went.
#[derive(Clone, Debug, Queryable)]
pub struct ConfirmingLink {
    pub id: Uuid,
    pub email: String,
}

/// The link in the mail of a notice, if it confirms an address.
///
/// # Errors
/// The database failed.
pub async fn confirming(database: &Database, notice_id: Uuid) -> Result<Option<ConfirmingLink>, StoreError> {
    let link = notices::table
        .inner_join(mail_links::table.on(mail_links::id.nullable().eq(notices::link_id)))
        .filter(notices::id.eq(notice_id))
        .filter(mail_links::purpose.eq(LinkPurpose::ConfirmEmail))
        .select((mail_links::id, mail_links::email));
    Ok(link.first(&mut database.get().await?).await.optional()?)
}

/// A link that was used up.
#[derive(Queryable)]
struct Taken {
    player_id: Uuid,
    email: String,
    email_key: String,
}

/// Marks a link as used; `None` if it does not exist, has been used or has expired. Only one of several concurrent uses succeeds.
async fn take(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    purpose: LinkPurpose,
    now: OffsetDateTime,
) -> QueryResult<Option<Taken>> {
    let usable = mail_links::table
        .find(id)
        .filter(mail_links::purpose.eq(purpose))
        .filter(mail_links::used_at.is_null())
        .filter(mail_links::expires_at.gt(now));
    diesel::update(usable)
        .set(mail_links::used_at.eq(now))
        .returning((mail_links::player_id, mail_links::email, mail_links::email_key))
        .get_result(connection)
        .await
        .optional()
}

/// Voids the unused links of a player for one purpose.
async fn void(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    purpose: LinkPurpose,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let unused = mail_links::table
        .filter(mail_links::player_id.eq(player_id))
        .filter(mail_links::purpose.eq(purpose))
        .filter(mail_links::used_at.is_null());
    diesel::update(unused).set(mail_links::used_at.eq(now)).execute(connection).await?;
    Ok(())
}

/// Voids the links that could set a new password, inside a transaction.
pub(super) async fn void_resets(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    void(connection, player_id, LinkPurpose::ResetPassword, now).await
}

/// Voids the links that would give a player another address, inside a transaction.
pub(super) async fn void_new_addresses(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let own = players::table.find(player_id).select(players::email_key);
    let own = own.first::<String>(connection).await?;
    let unused = mail_links::table
        .filter(mail_links::player_id.eq(player_id))
        .filter(mail_links::purpose.eq(LinkPurpose::ConfirmEmail))
        .filter(mail_links::used_at.is_null())
        .filter(mail_links::email_key.ne(own));
    diesel::update(unused).set(mail_links::used_at.eq(now)).execute(connection).await?;
    Ok(())
}

/// How long the server tries to tell an address that it no longer belongs to the account.
const CHANGE_TOLD_FOR: Duration = Duration::days(7);

/// The player whose confirmed address this used link is about: a second click finds nothing to do.
async fn confirmed_before(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Option<Uuid>> {
    mail_links::table
        .inner_join(players::table.on(players::id.eq(mail_links::player_id)))
        .filter(mail_links::id.eq(id))
        .filter(mail_links::purpose.eq(LinkPurpose::ConfirmEmail))
        .filter(mail_links::used_at.is_not_null())
        .filter(mail_links::email_key.eq(players::email_key))
        .filter(players::email_confirmed_at.is_not_null())
        .select(players::id)
        .first(connection)
        .await
        .optional()
}

/// Confirms the link's address, which becomes the player's; the previous one is told if it had been confirmed. Returns the
/// player, also if the same link did so before, or `None` if the link cannot be used.
///
/// # Errors
/// Somebody else has confirmed the address: [`super::players::UNIQUE_EMAIL`]. The link stays unused.
pub async fn confirm_email(
    database: &Database,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let confirmed = connection.transaction::<Option<Uuid>, StoreError, _>(async |connection| {
        let Some(taken) = take(connection, id, LinkPurpose::ConfirmEmail, now).await? else {
            return Ok(confirmed_before(connection, id).await?);
        };
        let Taken { player_id, email, email_key } = taken;
        let before = players::table.find(player_id).for_update().select((
            players::email,
            players::email_key,
            players::email_confirmed_at.is_not_null(),
        ));
        let (old, old_key, was_confirmed) = before.first::<(String, String, bool)>(connection).await?;
        if old_key != email_key {
            // Links sent to the old address must not open the account.
            void_resets(connection, player_id, now).await?;
            if was_confirmed {
                tell_of_change(connection, player_id, &old, &old_key, now).await?;
            }
        }
        let ours = (
            players::email.eq(&email),
            players::email_key.eq(&email_key),
            players::email_confirmed_at.eq(now),
            players::email_bounced_at.eq(None::<OffsetDateTime>),
        );
        diesel::update(players::table.find(player_id)).set(ours).execute(connection).await?;
        void(connection, player_id, LinkPurpose::ConfirmEmail, now).await?;
        Ok(Some(player_id))
    });
    confirmed.await
}

/// Queues the mail that tells an address that it no longer belongs to the account.
async fn tell_of_change(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    email: &str,
    email_key: &str,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let purpose = LinkPurpose::AddressChanged;
    let expires_at = now + CHANGE_TOLD_FOR;
    let row =
        NewMailLink { id: Uuid::now_v7(), player_id, purpose, email, email_key, created_at: now, expires_at };
    insert(connection, &row).await?;
    let notice = NewNotice::to_player(NoticeKind::AddressChanged, player_id, now).with_link(row.id);
    outbox::insert(connection, std::slice::from_ref(&notice)).await
}

/// Sets a new password by a link: ends all sessions, voids the other links for it and those that would give the account another
/// address. Personal tokens, webhooks and what apps may do end too unless they are to be kept; in any case as long as nobody had confirmed the address, for whoever
/// made them may be a stranger. Using the link confirms the address it was sent to. Returns the player, or `None` if the link cannot be used.
///
/// # Errors
/// Nobody had confirmed the address, and somebody else has confirmed it since: [`super::players::UNIQUE_EMAIL`].
pub async fn reset_password(
    database: &Database,
    id: Uuid,
    new_hash: &str,
    keep_tokens: bool,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let reset = connection.transaction::<Option<Uuid>, StoreError, _>(async |connection| {
        let Some(taken) = take(connection, id, LinkPurpose::ResetPassword, now).await? else {
            return Ok(None);
        };
        let Taken { player_id, email, .. } = taken;
        let ours = players::table.find(player_id);
        diesel::update(ours).set(players::password_hash.eq(new_hash)).execute(connection).await?;
        let unconfirmed = ours.filter(players::email.eq(email)).filter(players::email_confirmed_at.is_null());
        let confirmed =
            (players::email_confirmed_at.eq(now), players::email_bounced_at.eq(None::<OffsetDateTime>));
        let newly_confirmed = diesel::update(unconfirmed).set(confirmed);
        if newly_confirmed.execute(connection).await? > 0 || !keep_tokens {
            end_programs(connection, player_id, now).await?;
        }
        app_grants::void_codes(connection, player_id).await?;
        sessions::revoke_all(connection, player_id, &[], now).await?;
        void_resets(connection, player_id, now).await?;
        void_new_addresses(connection, player_id, now).await?;
        Ok(Some(player_id))
    });
    reset.await
}

/// Ends personal tokens, what apps may do, and webhooks.
pub(super) async fn end_programs(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let live = personal_tokens::table
        .filter(personal_tokens::player_id.eq(player_id))
        .filter(personal_tokens::revoked_at.is_null());
    diesel::update(live).set(personal_tokens::revoked_at.eq(now)).execute(connection).await?;
    app_grants::revoke_all(connection, player_id, now).await?;
    // Those of sessions, too: whoever had the account may have made them.
    webhook_managers::remove_all(connection, player_id).await?;
    Ok(())
}

/// A request for a link that sets a new password.
pub struct ResetRequest<'a> {
    pub email_key: &'a str,
    pub link_id: Uuid,
    pub now: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// Writes the link and its notice if somebody has the address: the account that has confirmed it, otherwise the newest account
/// with that unconfirmed address. If nobody has it, the same rows are written for another player and rolled back, so that timing
/// does not reveal it.
pub async fn ask_for_reset(database: &Database, request: &ResetRequest<'_>) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let asked = connection.transaction::<(), StoreError, _>(async |connection| {
        let all = players::table.select((players::id, players::email));
        let holder = all
            .filter(players::email_key.eq(request.email_key))
            .order((
                players::email_confirmed_at.is_null(),
                players::email_bounced_at.is_null(),
                players::id.desc(),
            ))
            .first(connection)
            .await
            .optional()?;
        let anybody = all.order(players::id).first::<(Uuid, String)>(connection).await.optional()?;
        let is_real = holder.is_some();
        // Without any player there is nothing to hide.
        let Some((player_id, email)) = holder.or(anybody) else { return Ok(()) };
        let written = connection.transaction::<(), diesel::result::Error, _>(async |connection| {
            write_reset(connection, request, player_id, &email).await?;
            if is_real { Ok(()) } else { Err(diesel::result::Error::RollbackTransaction) }
        });
        match written.await {
            Ok(()) | Err(diesel::result::Error::RollbackTransaction) => Ok(()),
            Err(error) => Err(error.into()),
        }
    });
    asked.await
}

async fn write_reset(
    connection: &mut AsyncPgConnection,
    request: &ResetRequest<'_>,
    player_id: Uuid,
    email: &str,
) -> QueryResult<()> {
    let link = NewMailLink {
        id: request.link_id,
        player_id,
        purpose: LinkPurpose::ResetPassword,
        email,
        email_key: request.email_key,
        created_at: request.now,
        expires_at: request.expires_at,
    };
    insert(connection, &link).await?;
    let notice = NewNotice::to_player(NoticeKind::ResetPassword, player_id, request.now).with_link(link.id);
    outbox::insert(connection, std::slice::from_ref(&notice)).await
}

/// A link that sets a new password, for the owner of an address that somebody else entered; it goes out with the mail about that.
pub struct OfferedReset<'a> {
    /// Also the notice's id, so that a retried mail carries the same link.
    pub link_id: Uuid,
    pub player_id: Uuid,
    pub email: &'a str,
    pub email_key: &'a str,
    pub now: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// Writes a link just before its mail is sent; a retry extends its life.
pub async fn offer_reset(database: &Database, offered: &OfferedReset<'_>) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let link = NewMailLink {
        id: offered.link_id,
        player_id: offered.player_id,
        purpose: LinkPurpose::ResetPassword,
        email: offered.email,
        email_key: offered.email_key,
        created_at: offered.now,
        expires_at: offered.expires_at,
    };
    diesel::insert_into(mail_links::table)
        .values(&link)
        .on_conflict(mail_links::id)
        .do_update()
        .set(mail_links::expires_at.eq(offered.expires_at))
        .execute(&mut connection)
        .await?;
    Ok(())
}

/// Deletes at most `limit` expired links; returns how many.
pub async fn remove_expired(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let old = diesel::alias!(mail_links as old_links);
    let expired = old
        .filter(old.field(mail_links::expires_at).le(now))
        .order(old.field(mail_links::expires_at))
        .limit(limit)
        .select(old.field(mail_links::id));
    let removal = diesel::delete(mail_links::table.filter(mail_links::id.eq_any(expired)));
    Ok(removal.execute(&mut connection).await?)
}
