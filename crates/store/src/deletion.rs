//! Deletes accounts: what only the player needs is removed, what games need stays. The list below names every table with a player in it;
//! `tests/api/accounts/deletion.rs` looks for the address in all of them.

use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::games::GameStatus;
use super::schema::{departing_players, game_players, games, players};
use super::{calendars, citus, clubs, tournaments};

/// What is removed by the player's id. Rows that reference these go with them.
const OF_PLAYER: &[&str] = &[
    "delete from push_subscriptions where player_id = $1",
    "delete from app_codes where player_id = $1",
    "delete from app_device_codes where player_id = $1",
    "delete from app_grants where player_id = $1",
    "delete from apps where player_id = $1",
    "delete from personal_tokens where player_id = $1",
    "delete from sessions where player_id = $1",
    "delete from mail_links where player_id = $1",
    "delete from digest_news where player_id = $1",
    "delete from webhooks where player_id = $1",
    "delete from player_preferences where player_id = $1",
    "delete from game_preferences where player_id = $1",
    "delete from player_calendars where player_id = $1",
    "delete from player_holidays where player_id = $1",
    "delete from automatic_holidays where player_id = $1",
    "delete from clock_updates where game_id in (select game_id from game_players where player_id = $1 or substitute_for = $1) and player_id = $1",
    "delete from pause_proposals where game_id in (select game_id from game_players where player_id = $1 or substitute_for = $1) and by_player = $1",
    "delete from private_notes where game_id in (select game_id from game_players where player_id = $1 or substitute_for = $1) and player_id = $1",
    "delete from table_messages where game_id in (select game_id from game_players where player_id = $1 or substitute_for = $1) and player_id = $1",
    "delete from replies where player_id = $1",
    "delete from captured_mails where player_id = $1",
    "delete from captured_deliveries where player_id = $1",
    "delete from standing_orders where player_id = $1",
    "delete from idempotency_keys where player_id = $1",
    "delete from feed_heads where player_id = $1",
    "delete from player_outcomes where player_id = $1",
    "delete from player_reliability where player_id = $1",
    // Those of games stay: the audit looks for them. They hold no address, and are sent to nobody without one.
    "delete from notices where player_id = $1 and (game_id is null or kind = 'invitation')",
    "delete from notices where from_player_id = $1 and kind = 'invitation' and state = 'waiting'",
    "delete from blocked_inviters where recipient = $1::uuid::text",
    "delete from blocked_inviters where inviter_id = $1",
    "delete from muted_players where player_id = $1",
    "delete from muted_players where muted_id = $1",
    "delete from followed_players where player_id = $1",
    "delete from followed_players where followed_id = $1",
    "delete from favourite_games where player_id = $1",
    "delete from studies where player_id = $1",
    "delete from club_notices where player_id = $1",
    "delete from server_invitations where player_id = $1",
    // A club stays with its other members, and its name with it.
    "update clubs c set about = '', written_by = coalesce((select m.player_id from club_members m \
        where m.club_id = c.id and m.role = 'owner' order by m.since, m.player_id limit 1), $1) where c.written_by = $1",
    "update closed_clubs set written_by = null where written_by = $1",
    // What waits for a decision stays, with the reported message and without the reporter and the reporter's words.
    "update reports set reporter_id = null, text = '' where reporter_id = $1 and decided_at is null",
    "delete from reports where reporter_id = $1",
    "delete from reports where subject_id = $1",
    // That something was done stays in the public log.
    "update moderation_acts set subject_id = null, report_id = null, words = '', game_id = null, seq = null, evidence = null, \
     appeal = null where subject_id = $1",
];

/// What is removed by the mailbox of such an address.
const OF_MAILBOX: &[&str] = &[
    "delete from address_invitations where mailbox_key = $1",
    "delete from declined_addresses where email_key = $1",
    "delete from blocked_inviters where recipient = $1",
];

/// What is removed by an address that only this player has confirmed, in the form in which addresses are compared.
const OF_ADDRESS: &[&str] = &[
    "delete from notices where address is not null and lower(address) = $1",
    "delete from captured_mails where player_id is null and address_key = $1",
    "delete from declined_addresses where email_key = $1",
];

/// Erases an account whose password was just checked against `password_hash`; its handle stays taken. False if the password is another
/// one by now, or the account is gone.
pub async fn delete_account(
    database: &Database,
    player_id: Uuid,
    password_hash: &str,
    mailbox_of: fn(&str) -> String,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let deleted = connection.transaction::<bool, StoreError, _>(async |connection| {
        calendars::lock_player(connection, database.topology(), player_id).await?;
        let living = players::table
            .find(player_id)
            .filter(players::password_hash.eq(password_hash))
            .filter(players::deleted_at.is_null())
            .select((players::email_key, players::email_confirmed_at))
            .for_update();
        let address: Option<(String, Option<OffsetDateTime>)> = living.first(connection).await.optional()?;
        let Some((email_key, confirmed_at)) = address else { return Ok(false) };
        // An address that was never confirmed may be somebody else's.
        if confirmed_at.is_some() {
            for statement in OF_ADDRESS {
                diesel::sql_query(*statement).bind::<Text, _>(&email_key).execute(connection).await?;
            }
            let mailbox_key = mailbox_of(&email_key);
            for statement in OF_MAILBOX {
                diesel::sql_query(*statement).bind::<Text, _>(&mailbox_key).execute(connection).await?;
            }
        }
        end(connection, database, player_id, now).await?;
        Ok(true)
    });
    deleted.await
}

/// Erases an account, whose games are left afterwards.
async fn end(
    connection: &mut AsyncPgConnection,
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    erase(connection, player_id, now).await?;
    if database.topology().is_citus() {
        citus::keys::forget_player(connection, player_id).await?;
    }
    begin_departure(connection, player_id, now).await?;
    Ok(())
}

/// Lets a worker leave a player's games.
pub(crate) async fn begin_departure(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let since = (departing_players::player_id.eq(player_id), departing_players::deleted_at.eq(now));
    let departing = diesel::insert_into(departing_players::table).values(since).on_conflict_do_nothing();
    departing.execute(connection).await?;
    Ok(())
}

async fn erase(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    tournaments::leave_all(connection, player_id, now).await?;
    clubs::leave_all(connection, player_id).await?;
    for statement in OF_PLAYER {
        diesel::sql_query(*statement).bind::<SqlUuid, _>(player_id).execute(connection).await?;
    }
    // No password fits an empty hash, and no address is empty.
    diesel::sql_query(
        "update players set email = '', email_key = '', email_confirmed_at = null, email_bounced_at = null, password_hash = '',
            mail_enabled = false, deleted_at = coalesce(deleted_at, $2) where id = $1",
    )
    .bind::<SqlUuid, _>(player_id)
    .bind::<Timestamptz, _>(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Deleted and closed accounts whose games have not all been left, of those that were ended before `before`.
pub async fn departing(
    database: &Database,
    before: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let waiting = departing_players::table
        .filter(departing_players::deleted_at.lt(before))
        .order(departing_players::deleted_at)
        .select(departing_players::player_id)
        .limit(limit);
    Ok(waiting.load(&mut connection).await?)
}

/// Ends a departure. Of a deleted account, what requests that were under way have written meanwhile is erased, too.
pub async fn depart(database: &Database, player_id: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let departed = connection.transaction::<(), StoreError, _>(async |connection| {
        let deleted = players::table.find(player_id).filter(players::deleted_at.is_not_null());
        if diesel::select(diesel::dsl::exists(deleted)).get_result::<bool>(connection).await? {
            erase(connection, player_id, now).await?;
        }
        diesel::delete(departing_players::table.find(player_id)).execute(connection).await?;
        Ok(())
    });
    departed.await
}

/// Games of a player that are not over, after `after`, in the order of their ids.
pub async fn unfinished_of(
    database: &Database,
    player_id: Uuid,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<(Uuid, GameStatus)>, StoreError> {
    let mut connection = database.get().await?;
    let unfinished = game_players::table
        .inner_join(games::table.on(games::id.eq(game_players::game_id)))
        .filter(game_players::player_id.eq(player_id))
        .filter(game_players::game_id.gt(after.unwrap_or_default()))
        .filter(games::status.eq_any([GameStatus::Open, GameStatus::Starting, GameStatus::Running]))
        .order(game_players::game_id)
        .select((games::id, games::status))
        .limit(limit);
    Ok(unfinished.load(&mut connection).await?)
}
