//! Inviters whom players, and owners of addresses without an account, have blocked.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{blocked_inviters, players};

/// The most blocks that a list shows, the newest first.
pub const MAX_LISTED: i64 = 200;

/// Who blocks an inviter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocker {
    Player(Uuid),
    /// An address without an account.
    Stranger {
        address: String,
        mailbox_key: String,
    },
}

impl Blocker {
    /// The form in the table.
    fn recipient(&self) -> String {
        match self {
            Self::Player(id) => id.to_string(),
            Self::Stranger { mailbox_key, .. } => mailbox_key.clone(),
        }
    }
}

/// A blocked inviter.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct BlockedInviter {
    pub id: Uuid,
    pub handle: String,
    pub blocked_at: OffsetDateTime,
}

/// `$1` the inviter, `$2` now, `$3` the player or `$4` the address.
const SKIP_WAITING: &str = "
update notices set state = 'skipped', finished_at = $2, reason = 'the inviter is blocked'
where kind = 'invitation' and from_player_id = $1 and state = 'waiting'
    and (player_id = $3 or lower(address) = lower($4))";

/// Blocks an inviter. Invitations that wait are not sent.
///
/// # Errors
/// The database failed.
pub async fn block(
    database: &Database,
    blocker: &Blocker,
    inviter_id: Uuid,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let blocked = connection.transaction::<(), StoreError, _>(async |connection| {
        let row = (
            blocked_inviters::recipient.eq(blocker.recipient()),
            blocked_inviters::inviter_id.eq(inviter_id),
            blocked_inviters::blocked_at.eq(now),
        );
        diesel::insert_into(blocked_inviters::table)
            .values(row)
            .on_conflict_do_nothing()
            .execute(connection)
            .await?;
        let (player_id, address) = match blocker {
            Blocker::Player(id) => (Some(*id), None),
            Blocker::Stranger { address, .. } => (None, Some(address.as_str())),
        };
        diesel::sql_query(SKIP_WAITING)
            .bind::<SqlUuid, _>(inviter_id)
            .bind::<Timestamptz, _>(now)
            .bind::<Nullable<SqlUuid>, _>(player_id)
            .bind::<Nullable<Text>, _>(address)
            .execute(connection)
            .await?;
        Ok(())
    });
    blocked.await
}

/// Lets an inviter invite a player again.
///
/// # Errors
/// The database failed.
pub async fn unblock(database: &Database, player_id: Uuid, inviter_id: Uuid) -> Result<(), StoreError> {
    let block = blocked_inviters::table.find((player_id.to_string(), inviter_id));
    diesel::delete(block).execute(&mut database.get().await?).await?;
    Ok(())
}

/// The inviters whom a player has blocked, the newest first.
///
/// # Errors
/// The database failed.
pub async fn of_player(database: &Database, player_id: Uuid) -> Result<Vec<BlockedInviter>, StoreError> {
    let blocked = blocked_inviters::table
        .inner_join(players::table.on(players::id.eq(blocked_inviters::inviter_id)))
        .filter(blocked_inviters::recipient.eq(player_id.to_string()))
        .order((blocked_inviters::blocked_at.desc(), players::id))
        .select((players::id, players::handle, blocked_inviters::blocked_at))
        .limit(MAX_LISTED);
    Ok(blocked.load(&mut database.get().await?).await?)
}

/// Whether an inviter is blocked by one of these: a player, a mailbox.
pub(super) async fn is_blocked(
    connection: &mut AsyncPgConnection,
    player_id: Option<Uuid>,
    mailbox_key: Option<&str>,
    inviter_id: Uuid,
) -> QueryResult<bool> {
    let recipients: Vec<String> =
        player_id.map(|id| id.to_string()).into_iter().chain(mailbox_key.map(str::to_owned)).collect();
    let found = blocked_inviters::table
        .filter(blocked_inviters::recipient.eq_any(recipients))
        .filter(blocked_inviters::inviter_id.eq(inviter_id));
    diesel::select(diesel::dsl::exists(found)).get_result::<bool>(connection).await
}
