//! Invitations: notices of games that have not started.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::blocked_inviters;
use super::database::Database;
use super::error::StoreError;
use super::games::GameStatus;
use super::notices::{self, NewNotice, NoticeKind};
use super::schema::{address_invitations, declined_addresses, games, notices as table, players};
use super::stored_responses::{self, NewStoredResponse, Once};

/// Limits on invitations.
pub struct Bounds {
    /// For one game, ever.
    pub of_game: i64,
    /// Of one player to games that have not started, …
    pub of_player: i64,
    /// … made since then.
    pub since: OffsetDateTime,
    /// To one mailbox by its address since then, of all players.
    pub of_mailbox: i64,
    /// To one player since then; beyond it go out those of whoever has met the player in a game.
    pub of_invited: i64,
}

/// A new invitation.
pub struct NewInvitation<'a> {
    pub notice: &'a NewNotice,
    pub game_id: Uuid,
    pub from_player_id: Uuid,
    /// The mailbox of the address that the inviter gave; `None`: a handle was given.
    pub mailbox_key: Option<&'a str>,
}

/// The outcome of an invitation. It does not tell whether one went out: that would tell whether an address has an account, and what
/// others did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    Done,
    GameHasEnough,
    PlayerHasEnough,
}

/// Queues an invitation of `from_player_id` unless a limit is reached.
pub async fn queue(
    database: &Database,
    new: &NewInvitation<'_>,
    bounds: &Bounds,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<Queued>, StoreError> {
    let NewInvitation { notice, game_id, from_player_id, .. } = *new;
    let mut connection = database.get_for_writing().await?;
    let queued = connection.transaction::<Once<Queued>, StoreError, _>(async |connection| {
        // Locks the player's row first, as everywhere, to serialise the count of the player's invitations.
        players::table
            .find(from_player_id)
            .for_no_key_update()
            .select(players::id)
            .first::<Uuid>(connection)
            .await?;
        if let Some(before) = stored_responses::take(connection, stored, notice.created_at).await? {
            return Ok(Once::Before(before));
        }
        // Locks the game's row to serialise the count of its invitations.
        games::table.find(game_id).for_no_key_update().select(games::id).first::<Uuid>(connection).await?;
        let sent: i64 = table::table
            .filter(table::game_id.eq(game_id))
            .filter(table::kind.eq(NoticeKind::Invitation))
            .count()
            .get_result(connection)
            .await?;
        if sent >= bounds.of_game {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(Queued::GameHasEnough));
        }
        let waiting: i64 = table::table
            .inner_join(games::table.on(games::id.nullable().eq(table::game_id)))
            .filter(table::from_player_id.eq(from_player_id))
            .filter(table::kind.eq(NoticeKind::Invitation))
            .filter(table::created_at.gt(bounds.since))
            .filter(games::status.eq(GameStatus::Open))
            .count()
            .get_result(connection)
            .await?;
        if waiting >= bounds.of_player {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(Queued::PlayerHasEnough));
        }
        if is_welcome(connection, new, bounds).await? {
            notices::insert(connection, std::slice::from_ref(notice)).await?;
        }
        Ok(Once::Now(Queued::Done))
    });
    queued.await
}

/// Serialises the invitations to one mailbox or player until the transaction ends. 310 tells this lock from others.
const LOCK_INVITED: &str = "select pg_advisory_xact_lock(hashtextextended($1, 310))";

/// A game in which two players have met. Citus plans no `select exists (…)` over shards.
const MET_IN: &str = "select a.game_id from game_players a join game_players b on b.game_id = a.game_id
    where a.player_id = $1 and b.player_id = $2 limit 1";

/// Whether a player has got few invitations since `bounds.since`, or has met the inviter in a game.
async fn has_few(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    from_player_id: Uuid,
    bounds: &Bounds,
) -> Result<bool, StoreError> {
    diesel::sql_query(LOCK_INVITED).bind::<Text, _>(player_id.to_string()).execute(connection).await?;
    let lately: i64 = table::table
        .filter(table::player_id.eq(player_id))
        .filter(table::kind.eq(NoticeKind::Invitation))
        .filter(table::declined_at.is_null())
        .filter(table::created_at.gt(bounds.since))
        .count()
        .get_result(connection)
        .await?;
    if lately < bounds.of_invited {
        return Ok(true);
    }
    let met = diesel::sql_query(MET_IN).bind::<SqlUuid, _>(player_id).bind::<SqlUuid, _>(from_player_id);
    Ok(met.execute(connection).await? > 0)
}

/// Whether the invitation goes out: the recipient has not blocked the inviter, and was neither invited to this game nor too often
/// lately. It is then counted.
async fn is_welcome(
    connection: &mut AsyncPgConnection,
    new: &NewInvitation<'_>,
    bounds: &Bounds,
) -> Result<bool, StoreError> {
    let NewInvitation { notice, game_id, from_player_id, mailbox_key } = *new;
    if blocked_inviters::is_blocked(connection, notice.player_id, mailbox_key, from_player_id).await? {
        return Ok(false);
    }
    if let Some(player_id) = notice.player_id {
        let before = table::table
            .filter(table::game_id.eq(game_id))
            .filter(table::kind.eq(NoticeKind::Invitation))
            .filter(table::player_id.eq(player_id));
        if diesel::select(diesel::dsl::exists(before)).get_result::<bool>(connection).await?
            || !has_few(connection, player_id, from_player_id, bounds).await?
        {
            return Ok(false);
        }
    }
    let Some(mailbox_key) = mailbox_key else { return Ok(true) };
    let declined = declined_addresses::table.find(mailbox_key);
    if diesel::select(diesel::dsl::exists(declined)).get_result::<bool>(connection).await? {
        return Ok(notice.player_id.is_some());
    }
    diesel::sql_query(LOCK_INVITED).bind::<Text, _>(mailbox_key).execute(connection).await?;
    let lately: i64 = address_invitations::table
        .filter(address_invitations::mailbox_key.eq(mailbox_key))
        .filter(address_invitations::invited_at.gt(bounds.since))
        .count()
        .get_result(connection)
        .await?;
    if lately >= bounds.of_mailbox {
        return Ok(false);
    }
    let row = (
        address_invitations::mailbox_key.eq(mailbox_key),
        address_invitations::game_id.eq(game_id),
        address_invitations::invited_at.eq(notice.created_at),
    );
    let added = diesel::insert_into(address_invitations::table).values(row).on_conflict_do_nothing();
    Ok(added.execute(connection).await? == 1)
}

/// An invitation to somebody without an account.
pub struct Invited {
    pub address: String,
    pub game_id: Uuid,
    pub from_player_id: Uuid,
    pub invited_at: OffsetDateTime,
}

/// The invitation of the notice `notice_id` to an address; `None` if it was none.
///
/// # Errors
/// The database failed.
pub async fn invited(database: &Database, notice_id: Uuid) -> Result<Option<Invited>, StoreError> {
    let mut connection = database.get().await?;
    let invitation = table::table
        .find(notice_id)
        .filter(table::kind.eq(NoticeKind::Invitation))
        .filter(table::address.is_not_null())
        .select((table::address, table::game_id, table::from_player_id, table::created_at));
    let found = invitation
        .first::<(Option<String>, Option<Uuid>, Option<Uuid>, OffsetDateTime)>(&mut connection)
        .await
        .optional()?;
    Ok(found.and_then(|(address, game_id, from_player_id, invited_at)| {
        Some(Invited { address: address?, game_id: game_id?, from_player_id: from_player_id?, invited_at })
    }))
}

/// Notes that an invitation to a mailbox was answered, and queues what follows; false if it was answered before.
///
/// # Errors
/// The database failed.
pub async fn answer(
    database: &Database,
    invited: &Invited,
    mailbox_key: &str,
    telling: Option<&NewNotice>,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let answered = connection.transaction::<bool, StoreError, _>(async |connection| {
        let open = address_invitations::table
            .find((mailbox_key, invited.game_id))
            .filter(address_invitations::answered_at.is_null());
        let noted = diesel::update(open).set(address_invitations::answered_at.eq(now));
        if noted.execute(connection).await? == 0 {
            return Ok(false);
        }
        if let Some(notice) = telling {
            notices::insert(connection, std::slice::from_ref(notice)).await?;
        }
        Ok(true)
    });
    answered.await
}

/// Whether somebody without an account has answered this invitation.
///
/// # Errors
/// The database failed.
pub async fn is_answered(database: &Database, mailbox_key: &str, game_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let open = address_invitations::table
        .find((mailbox_key, game_id))
        .filter(address_invitations::answered_at.is_null());
    Ok(!diesel::select(diesel::dsl::exists(open)).get_result::<bool>(&mut connection).await?)
}

const REMOVE_OLD: &str = "
delete from address_invitations where ctid in
    (select ctid from address_invitations where invited_at < $1 order by invited_at limit $2)";

/// Removes what is remembered of invitations by address since before `before`, up to `limit` rows; returns how many.
///
/// # Errors
/// The database failed.
pub async fn remove_old(
    database: &Database,
    before: OffsetDateTime,
    limit: i64,
) -> Result<usize, StoreError> {
    let remove = diesel::sql_query(REMOVE_OLD).bind::<Timestamptz, _>(before).bind::<BigInt, _>(limit);
    Ok(remove.execute(&mut database.get().await?).await?)
}

/// An invitation that a player has received.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Received {
    pub game_id: Uuid,
    /// The handle of the inviter.
    pub from: String,
    pub at: OffsetDateTime,
}

/// The newest invitations of a player that were not declined, at most `limit`.
pub async fn received(database: &Database, player_id: Uuid, limit: i64) -> Result<Vec<Received>, StoreError> {
    let mut connection = database.get().await?;
    let rows = table::table
        .inner_join(players::table.on(players::id.nullable().eq(table::from_player_id)))
        .filter(table::player_id.eq(player_id))
        .filter(table::kind.eq(NoticeKind::Invitation))
        .filter(table::declined_at.is_null())
        .filter(table::game_id.is_not_null())
        .order(table::id.desc())
        .limit(limit)
        .select((table::game_id.assume_not_null(), players::handle, table::created_at));
    Ok(rows.load(&mut connection).await?)
}

/// Notes that a player declines an invitation; false if there is none that was not declined before.
pub async fn decline(
    database: &Database,
    player_id: Uuid,
    game_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let open = table::table
        .filter(table::player_id.eq(player_id))
        .filter(table::kind.eq(NoticeKind::Invitation))
        .filter(table::declined_at.is_null())
        .filter(table::game_id.eq(game_id));
    let declined = diesel::update(open).set(table::declined_at.eq(now)).execute(&mut connection).await?;
    Ok(declined > 0)
}
