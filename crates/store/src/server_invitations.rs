//! Invitations to register on this server, and who is admitted by one. They are stored by the hashes of their tokens.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{address_invitations, players, server_invitations};

/// An invitation that is open.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct OpenInvitation {
    pub id: Uuid,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// An invitation to write.
#[derive(Insertable)]
#[diesel(table_name = server_invitations)]
pub struct NewServerInvitation<'a> {
    pub id: Uuid,
    pub token_hash: &'a [u8],
    /// `None`: the operator makes it.
    pub player_id: Option<Uuid>,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// What lets somebody register where not everybody may. It is used up with the registration.
#[derive(Clone, Copy)]
pub enum Admission<'a> {
    /// An invitation to this server, by the hash of its token.
    Invitation(&'a [u8]),
    /// An invitation to a game that went to a mailbox since then.
    ToGame { mailbox_key: &'a str, game_id: Uuid, since: OffsetDateTime },
}

/// Writes an invitation; false if its player has `most` open ones.
///
/// # Errors
/// The database failed.
pub async fn insert(
    database: &Database,
    new: &NewServerInvitation<'_>,
    most: i64,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let inserted = connection.transaction::<bool, StoreError, _>(async |connection| {
        if let Some(player_id) = new.player_id {
            // Whoever holds the player's row counts alone.
            let player = players::table.find(player_id).select(players::id).for_no_key_update();
            player.first::<Uuid>(connection).await?;
            let open = server_invitations::table
                .filter(server_invitations::player_id.eq(player_id))
                .filter(server_invitations::expires_at.gt(new.created_at));
            if open.count().get_result::<i64>(connection).await? >= most {
                return Ok(false);
            }
        }
        diesel::insert_into(server_invitations::table).values(new).execute(connection).await?;
        Ok(true)
    });
    inserted.await
}

/// The open invitations of a player, at most `limit`, the newest first.
///
/// # Errors
/// The database failed.
pub async fn of_player(
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<OpenInvitation>, StoreError> {
    let open = server_invitations::table
        .filter(server_invitations::player_id.eq(player_id))
        .filter(server_invitations::expires_at.gt(now))
        .order(server_invitations::id.desc())
        .select((server_invitations::id, server_invitations::created_at, server_invitations::expires_at))
        .limit(limit);
    Ok(open.load(&mut database.get().await?).await?)
}

/// Withdraws a player's invitation; false if there is none.
///
/// # Errors
/// The database failed.
pub async fn withdraw(database: &Database, player_id: Uuid, id: Uuid) -> Result<bool, StoreError> {
    let own = server_invitations::table.find(id).filter(server_invitations::player_id.eq(player_id));
    Ok(diesel::delete(own).execute(&mut database.get_for_writing().await?).await? > 0)
}

/// Uses an admission up, inside the transaction of the registration; false if it was used before, has expired, or never was one. Of two
/// at once one waits for the other's row.
pub(super) async fn admit(
    connection: &mut AsyncPgConnection,
    admission: Option<Admission<'_>>,
    now: OffsetDateTime,
) -> QueryResult<bool> {
    let used = match admission {
        None => return Ok(true),
        Some(Admission::Invitation(token_hash)) => {
            let open = server_invitations::table
                .filter(server_invitations::token_hash.eq(token_hash))
                .filter(server_invitations::expires_at.gt(now));
            diesel::delete(open).execute(connection).await?
        }
        Some(Admission::ToGame { mailbox_key, game_id, since }) => {
            let open = address_invitations::table
                .find((mailbox_key, game_id))
                .filter(address_invitations::invited_at.gt(since))
                .filter(address_invitations::registered_at.is_null());
            diesel::update(open).set(address_invitations::registered_at.eq(now)).execute(connection).await?
        }
    };
    Ok(used > 0)
}

const REMOVE_EXPIRED: &str = "
delete from server_invitations where ctid in
    (select ctid from server_invitations where expires_at <= $1 order by expires_at limit $2)";

/// Removes expired invitations, up to `limit`; returns how many.
///
/// # Errors
/// The database failed.
pub async fn remove_expired(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<usize, StoreError> {
    let remove = diesel::sql_query(REMOVE_EXPIRED).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    Ok(remove.execute(&mut database.get().await?).await?)
}
