//! The mails of a sandbox, kept instead of sent.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{captured_mails, players};

/// The most mails kept of one player, or of one address without a player; older ones are forgotten.
pub const MAX_OF_RECIPIENT: i64 = 100;

/// The most mails kept in all.
pub const MAX_IN_ALL: i64 = 4000;

/// A captured mail.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = captured_mails)]
pub struct CapturedMail {
    /// The notice that the mail delivers.
    pub id: Uuid,
    /// To whom; `None` for an address without a player.
    pub player_id: Option<Uuid>,
    pub address_key: String,
    pub kind: String,
    /// The whole message.
    pub raw: Vec<u8>,
    pub sent_at: OffsetDateTime,
}

/// Keeps a mail, and forgets older ones beyond the limits. A mail that comes again is kept once.
///
/// # Errors
/// The database failed.
pub async fn keep(database: &Database, mail: &CapturedMail) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let insert = diesel::insert_into(captured_mails::table).values(mail).on_conflict_do_nothing();
    connection
        .transaction::<(), StoreError, _>(async |connection| {
            insert.execute(connection).await?;
            forget_beyond(connection, Some(mail), MAX_OF_RECIPIENT).await?;
            forget_beyond(connection, None, MAX_IN_ALL).await
        })
        .await
}

/// Forgets all but the newest `most`, of the recipient of `of` or in all.
async fn forget_beyond(
    connection: &mut AsyncPgConnection,
    of: Option<&CapturedMail>,
    most: i64,
) -> Result<(), StoreError> {
    let mut last = captured_mails::table
        .order(captured_mails::id.desc())
        .offset(most)
        .limit(1)
        .select(captured_mails::id)
        .into_boxed();
    let mut old = diesel::delete(captured_mails::table).into_boxed();
    match of.map(|mail| (mail.player_id, mail.address_key.as_str())) {
        Some((Some(player_id), _)) => {
            last = last.filter(captured_mails::player_id.eq(player_id));
            old = old.filter(captured_mails::player_id.eq(player_id));
        }
        Some((None, address_key)) => {
            let of_address =
                captured_mails::player_id.is_null().and(captured_mails::address_key.eq(address_key));
            last = last.filter(of_address);
            old = old.filter(of_address);
        }
        None => {}
    }
    if let Some(last) = last.first::<Uuid>(connection).await.optional()? {
        old.filter(captured_mails::id.le(last)).execute(connection).await?;
    }
    Ok(())
}

/// A player's newest mails, at most `limit`; those before `before` if it is given. Mails to the address that the player has confirmed
/// are among them, if they were sent to no other player.
///
/// # Errors
/// The database failed.
pub async fn newest(
    database: &Database,
    player_id: Uuid,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<CapturedMail>, StoreError> {
    let mut connection = database.get().await?;
    let confirmed = confirmed_address(&mut connection, player_id).await?;
    let mut query = captured_mails::table
        .filter(
            captured_mails::player_id
                .eq(player_id)
                .assume_not_null()
                .or(captured_mails::player_id.is_null().and(captured_mails::address_key.eq(confirmed))),
        )
        .order(captured_mails::id.desc())
        .limit(limit)
        .select(CapturedMail::as_select())
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(captured_mails::id.lt(before));
    }
    Ok(query.load(&mut connection).await?)
}

/// One mail of a player.
///
/// # Errors
/// The database failed.
pub async fn find(
    database: &Database,
    player_id: Uuid,
    id: Uuid,
) -> Result<Option<CapturedMail>, StoreError> {
    let mut connection = database.get().await?;
    let confirmed = confirmed_address(&mut connection, player_id).await?;
    let mail = captured_mails::table.find(id).select(CapturedMail::as_select());
    let mail: Option<CapturedMail> = mail.first(&mut connection).await.optional()?;
    Ok(mail.filter(|mail| match mail.player_id {
        Some(to) => to == player_id,
        None => !confirmed.is_empty() && mail.address_key == confirmed,
    }))
}

/// The unique form of the address that the player has confirmed; empty if there is none.
async fn confirmed_address(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
) -> Result<String, StoreError> {
    let confirmed = players::table
        .find(player_id)
        .filter(players::email_confirmed_at.is_not_null())
        .select(players::email_key);
    Ok(confirmed.first(connection).await.optional()?.unwrap_or_default())
}
