//! Guests: players without address and password.

use diesel::prelude::*;
use diesel::sql_types::{Array, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::players::{Registered, Registration, UNIQUE_HANDLE, handle_key, insert_session_and_link};
use super::preferences;
use super::schema::{player_preferences, players};
use super::server_invitations;
use super::sessions::{self, NewSession};

/// The hash that guests have for a password: none fits it.
pub const NO_PASSWORD: &str = "";

/// Writes a new guest with a session; false if there are `most` guests.
///
/// # Errors
/// The handle is taken: [`UNIQUE_HANDLE`].
pub async fn create(
    database: &Database,
    handle: &str,
    session: &NewSession<'_>,
    most: i64,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing_to_all_nodes().await?;
    let created = connection.transaction::<bool, StoreError, _>(async |connection| {
        let living = players::table.filter(players::guest).filter(players::deleted_at.is_null());
        if living.count().get_result::<i64>(connection).await? >= most {
            return Ok(false);
        }
        // No address is empty.
        let guest = (
            players::id.eq(session.player_id),
            players::handle.eq(handle),
            players::email.eq(""),
            players::email_key.eq(""),
            players::password_hash.eq(NO_PASSWORD),
            players::mail_enabled.eq(false),
            players::created_at.eq(session.now),
            players::bot.eq(false),
            players::guest.eq(true),
        );
        let insert = diesel::insert_into(players::table).values(guest).on_conflict_do_nothing();
        if insert.execute(connection).await? == 0 {
            return Err(StoreError::Taken(UNIQUE_HANDLE));
        }
        sessions::insert(connection, session).await?;
        Ok(true)
    });
    created.await
}

/// Makes a guest a player who has registered so; their games stay theirs.
///
/// # Errors
/// The handle is taken: [`UNIQUE_HANDLE`].
pub async fn register(database: &Database, new: &Registration<'_>) -> Result<Registered, StoreError> {
    let mut connection = database.get_for_writing_to_all_nodes().await?;
    let registered = connection.transaction::<Registered, StoreError, _>(async |connection| {
        let player = &new.player;
        let key = player.handle.to_ascii_lowercase();
        let named = players::table.filter(handle_key().eq(key)).select(players::id);
        // Asked first, because a name that is taken is no failure of the database.
        match named.first::<Uuid>(connection).await.optional()? {
            Some(holder) if holder == player.id => return Ok(Registered::NoGuest),
            Some(_) => return Err(StoreError::Taken(UNIQUE_HANDLE)),
            None => {}
        }
        let guest =
            players::table.find(player.id).filter(players::guest).filter(players::deleted_at.is_null());
        // Looked for first: whoever has sent the form twice is no guest any more, and uses nothing up.
        let locked = guest.select(players::id).for_no_key_update();
        if locked.first::<Uuid>(connection).await.optional()?.is_none() {
            return Ok(Registered::NoGuest);
        }
        if !server_invitations::admit(connection, new.admission, player.created_at).await? {
            return Ok(Registered::NotAdmitted);
        }
        let set = (
            players::handle.eq(player.handle),
            players::email.eq(player.email),
            players::email_key.eq(player.email_key),
            players::password_hash.eq(player.password_hash),
            players::mail_enabled.eq(player.mail_enabled),
            players::guest.eq(false),
        );
        diesel::update(guest).set(set).execute(connection).await?;
        insert_session_and_link(connection, new).await?;
        let chosen = player_preferences::table.find(player.id).select(player_preferences::player_id);
        let has_chosen = chosen.first::<Uuid>(connection).await.optional()?.is_some();
        if let Some(preferences) = new.preferences.as_ref().filter(|_| !has_chosen) {
            preferences::insert(connection, preferences).await?;
        }
        Ok(Registered::Done)
    });
    registered.await
}

/// A guest.
#[derive(Clone, Copy, Debug)]
pub struct GuestRow {
    pub id: Uuid,
    pub created_at: OffsetDateTime,
    /// When the guest made the last move.
    pub moved_at: Option<OffsetDateTime>,
}

impl GuestRow {
    /// The last move, or the arrival.
    #[must_use]
    pub fn last_at(&self) -> OffsetDateTime {
        self.moved_at.unwrap_or(self.created_at)
    }
}

/// When each of the guests `$1` made the last move, if it is no longer ago than `$2`. To end a game is no move.
pub const LAST_MOVES: &str = "
select p.player_id, max((e.line::jsonb ->> 'at')::timestamptz) as moved_at
from game_players p
join game_states s on s.game_id = p.game_id and s.at >= $2
join events e on e.game_id = p.game_id and e.seq > 0
where p.player_id = any($1) and (e.line::jsonb ->> 'seat')::smallint = p.seat
    and e.line::jsonb -> 'action' ->> 'type' not in ('resign', 'abort')
group by p.player_id";

#[derive(QueryableByName)]
struct LastMove {
    #[diesel(sql_type = SqlUuid)]
    player_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    moved_at: OffsetDateTime,
}

/// At most `limit` guests, the oldest, with those of their moves that are not from before `since`.
pub async fn all(
    database: &Database,
    since: OffsetDateTime,
    limit: i64,
) -> Result<Vec<GuestRow>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let oldest = players::table
        .filter(players::guest)
        .filter(players::deleted_at.is_null())
        .order(players::created_at)
        .select((players::id, players::created_at))
        .limit(limit);
    let oldest: Vec<(Uuid, OffsetDateTime)> = oldest.load(&mut connection).await?;
    let ids: Vec<Uuid> = oldest.iter().map(|(id, _)| *id).collect();
    let moves = diesel::sql_query(LAST_MOVES).bind::<Array<SqlUuid>, _>(ids).bind::<Timestamptz, _>(since);
    let moves: Vec<LastMove> = moves.load(&mut connection).await?;
    let moved_at = |id: Uuid| moves.iter().find(|row| row.player_id == id).map(|row| row.moved_at);
    Ok(oldest
        .into_iter()
        .map(|(id, created_at)| GuestRow { id, created_at, moved_at: moved_at(id) })
        .collect())
}
