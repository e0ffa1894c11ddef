//! Accounts that an operator keeps out. Everything of theirs stays; their games are left as those of deleted accounts are.

use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{departing_players, players, server_invitations};
use super::{app_grants, clubs, deletion, mail_links, sessions, tournaments};

/// Keeps a player out.
pub(crate) async fn close(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let open = players::table
        .find(player_id)
        .filter(players::closed_at.is_null().and(players::deleted_at.is_null()));
    if diesel::update(open).set(players::closed_at.eq(now)).execute(connection).await? == 0 {
        return Ok(());
    }
    sessions::revoke_all(connection, player_id, &[], now).await?;
    app_grants::void_codes(connection, player_id).await?;
    mail_links::end_programs(connection, player_id, now).await?;
    let invitations = server_invitations::table.filter(server_invitations::player_id.eq(player_id));
    diesel::delete(invitations).execute(connection).await?;
    tournaments::leave_all(connection, player_id, now).await?;
    clubs::leave_all(connection, player_id).await?;
    deletion::begin_departure(connection, player_id, now).await?;
    Ok(())
}

/// Lets a player in again. Games that were left stay left.
pub(crate) async fn reopen(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<()> {
    let closed = players::table.find(player_id).filter(players::closed_at.is_not_null());
    let reopened = diesel::update(closed).set(players::closed_at.eq(None::<OffsetDateTime>));
    if reopened.execute(connection).await? > 0 {
        diesel::delete(departing_players::table.find(player_id)).execute(connection).await?;
    }
    Ok(())
}

/// Whether an operator keeps a player out.
///
/// # Errors
/// The database failed.
pub async fn is_closed(database: &Database, player_id: Uuid) -> Result<bool, StoreError> {
    let closed = players::table.find(player_id).filter(players::closed_at.is_not_null());
    Ok(diesel::select(diesel::dsl::exists(closed)).get_result(&mut database.get().await?).await?)
}
