//! Players.

use std::fmt;

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::mail_links::{self, NewMailLink};
use super::notices::{self, NewNotice};
use super::preferences::{self, PreferencesRow};
use super::schema::{players, sessions as session_table};
use super::server_invitations::{self, Admission};
use super::sessions::{self, NewSession};
use super::stored_responses::{self, NewStoredResponse};

/// The index that a taken handle violates.
pub const UNIQUE_HANDLE: &str = "players_handle_key";

/// The index that an address violates which another account has confirmed. An address that is not confirmed is no one's.
pub const UNIQUE_EMAIL: &str = "players_confirmed_email";

/// The handle in lower case, by which it is found; the index [`UNIQUE_HANDLE`] has it.
pub(super) fn handle_key() -> SqlLiteral<Text> {
    sql("lower(players.handle collate \"C\")")
}

/// A player, without the password's hash.
#[derive(Clone, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = players)]
pub struct PlayerRow {
    pub id: Uuid,
    /// As its owner has typed it.
    pub handle: String,
    pub email: String,
    pub email_confirmed_at: Option<OffsetDateTime>,
    pub mail_enabled: bool,
    pub created_at: OffsetDateTime,
    /// Since when nothing is sent to the address, because mails to it came back.
    pub email_bounced_at: Option<OffsetDateTime>,
    /// Whether a program plays on this account; never changed.
    pub bot: bool,
}

/// Leaves the address out: it must not get into a log.
impl fmt::Debug for PlayerRow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PlayerRow")
            .field("id", &self.id)
            .field("handle", &self.handle)
            .finish_non_exhaustive()
    }
}

/// A player with what a password is checked against.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = players)]
pub struct Credentials {
    #[diesel(embed)]
    pub player: PlayerRow,
    /// PHC string.
    pub password_hash: String,
}

/// A player to write.
#[derive(Insertable)]
#[diesel(table_name = players)]
pub struct NewPlayer<'a> {
    pub id: Uuid,
    pub handle: &'a str,
    pub email: &'a str,
    pub email_key: &'a str,
    pub password_hash: &'a str,
    pub mail_enabled: bool,
    pub created_at: OffsetDateTime,
    pub bot: bool,
}

impl From<&NewPlayer<'_>> for PlayerRow {
    fn from(new: &NewPlayer<'_>) -> Self {
        Self {
            id: new.id,
            handle: new.handle.to_owned(),
            email: new.email.to_owned(),
            email_confirmed_at: None,
            mail_enabled: new.mail_enabled,
            created_at: new.created_at,
            email_bounced_at: None,
            bot: new.bot,
        }
    }
}

/// The players with these ids, in no particular order; unknown ids are left out.
pub async fn players_by_ids(database: &Database, ids: &[Uuid]) -> Result<Vec<PlayerRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = players::table.filter(players::id.eq_any(ids)).select(PlayerRow::as_select());
    Ok(found.load(&mut connection).await?)
}

/// The player with this handle, which must be in lower case; `None` if the account was deleted.
pub async fn player_by_handle(database: &Database, handle: &str) -> Result<Option<PlayerRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = players::table
        .filter(handle_key().eq(handle))
        .filter(players::deleted_at.is_null())
        .select(PlayerRow::as_select());
    Ok(found.first(&mut connection).await.optional()?)
}

/// The player with this id; `None` if the account was deleted.
pub async fn player_by_id(database: &Database, id: Uuid) -> Result<Option<PlayerRow>, StoreError> {
    let mut connection = database.get().await?;
    let living = players::table.find(id).filter(players::deleted_at.is_null());
    let found = living.select(PlayerRow::as_select());
    Ok(found.first(&mut connection).await.optional()?)
}

/// The handle of an account, and whether a program plays on it; `None` if there is none.
pub async fn name(database: &Database, id: Uuid) -> Result<Option<(String, bool)>, StoreError> {
    let mut connection = database.get().await?;
    let name = players::table.find(id).select((players::handle, players::bot));
    Ok(name.first(&mut connection).await.optional()?)
}

/// How often the private address of a player's feeds was made anew; `None` if the account was deleted.
pub async fn feed_version(database: &Database, id: Uuid) -> Result<Option<i32>, StoreError> {
    let mut connection = database.get().await?;
    let living = players::table.find(id).filter(players::deleted_at.is_null());
    Ok(living.select(players::feed_version).first(&mut connection).await.optional()?)
}

/// Voids the private address of a player's feeds.
pub async fn raise_feed_version(database: &Database, id: Uuid) -> Result<(), StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let raised = players::feed_version.eq(players::feed_version + 1);
    diesel::update(players::table.find(id)).set(raised).execute(&mut connection).await?;
    Ok(())
}

/// The most players that a search finds.
pub const MAX_FOUND: i64 = 20;

/// By the index of unique handles: the database may compare texts otherwise.
pub const FOUND: &str = "
select handle from players
where lower(handle collate \"C\") >= $1 and lower(handle collate \"C\") < $2 and deleted_at is null and not guest
order by lower(handle collate \"C\") limit $3";

#[derive(QueryableByName)]
struct FoundHandle {
    #[diesel(sql_type = Text)]
    handle: String,
}

/// The first players whose handles begin with `beginning`, which is in lower case.
pub async fn beginning_with(database: &Database, beginning: &str) -> Result<Vec<String>, StoreError> {
    // All signs of handles are before this one.
    let after = format!("{beginning}~");
    let found = diesel::sql_query(FOUND)
        .bind::<Text, _>(beginning)
        .bind::<Text, _>(after)
        .bind::<BigInt, _>(MAX_FOUND);
    let found: Vec<FoundHandle> = found.load(&mut database.get().await?).await?;
    Ok(found.into_iter().map(|found| found.handle).collect())
}

/// Which player to look for; handles and addresses in the form in which they are compared.
#[derive(Clone, Copy)]
pub enum PlayerKey<'a> {
    Id(Uuid),
    Handle(&'a str),
    /// The one who has confirmed the address.
    EmailKey(&'a str),
}

/// A player's credentials. Guests have none.
pub async fn credentials(
    database: &Database,
    wanted: PlayerKey<'_>,
) -> Result<Option<Credentials>, StoreError> {
    let mut connection = database.get().await?;
    let all = players::table
        .filter(players::deleted_at.is_null())
        .filter(players::guest.eq(false))
        .select(Credentials::as_select());
    let found = match wanted {
        PlayerKey::Id(id) => all.filter(players::id.eq(id)).first(&mut connection).await,
        PlayerKey::Handle(handle) => all.filter(handle_key().eq(handle)).first(&mut connection).await,
        PlayerKey::EmailKey(key) => {
            let confirmed = players::email_confirmed_at.is_not_null();
            all.filter(players::email_key.eq(key)).filter(confirmed).first(&mut connection).await
        }
    };
    Ok(found.optional()?)
}

/// Whether a player has opened a session from a network before.
pub async fn has_logged_in_from(
    database: &Database,
    wanted: PlayerKey<'_>,
    peer_key: &[u8],
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let mut opened = session_table::table
        .inner_join(players::table.on(players::id.eq(session_table::player_id)))
        .filter(session_table::peer_key.eq(peer_key))
        .select(session_table::id)
        .limit(1)
        .into_boxed();
    opened = match wanted {
        PlayerKey::Id(id) => opened.filter(players::id.eq(id)),
        PlayerKey::Handle(handle) => opened.filter(handle_key().eq(handle)),
        PlayerKey::EmailKey(key) => {
            opened.filter(players::email_key.eq(key)).filter(players::email_confirmed_at.is_not_null())
        }
    };
    Ok(opened.first::<Uuid>(&mut connection).await.optional()?.is_some())
}

/// Who has confirmed the address, which has one of these keys.
pub async fn email_holder(database: &Database, email_keys: &[String]) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let holder = players::table
        .filter(players::email_key.eq_any(email_keys))
        .filter(players::email_confirmed_at.is_not_null())
        .select(players::id);
    Ok(holder.first(&mut connection).await.optional()?)
}

/// Everything that a registration writes.
pub struct Registration<'a> {
    /// What it uses up; `None`: everybody may register.
    pub admission: Option<Admission<'a>>,
    pub player: NewPlayer<'a>,
    pub session: NewSession<'a>,
    /// The mail that asks for confirmation; `None` for an account that gets no mails.
    pub confirmation: Option<(NewMailLink<'a>, NewNotice)>,
    /// If they are not those of everybody.
    pub preferences: Option<PreferencesRow>,
    pub stored: Option<NewStoredResponse>,
}

/// The outcome of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registered {
    Done,
    /// The invitation was used before, has expired, or never was one.
    NotAdmitted,
    /// The guest has registered meanwhile, or was removed.
    NoGuest,
}

/// Writes a new player, logged in, with the mail that asks for confirmation: all or nothing.
///
/// # Errors
/// The handle is taken: [`UNIQUE_HANDLE`].
pub async fn register(database: &Database, new: &Registration<'_>) -> Result<Registered, StoreError> {
    let mut connection = database.get_for_writing_to_all_nodes().await?;
    let registered = connection.transaction::<Registered, StoreError, _>(async |connection| {
        if !server_invitations::admit(connection, new.admission, new.player.created_at).await? {
            return Ok(Registered::NotAdmitted);
        }
        let written = diesel::insert_into(players::table)
            .values(&new.player)
            // A name that is taken is no failure of the database, which would write a line about it.
            .on_conflict_do_nothing()
            .execute(connection)
            .await?;
        if written == 0 {
            let key = new.player.handle.to_ascii_lowercase();
            let named = players::table.filter(handle_key().eq(key)).select(players::id);
            let holder: Option<Uuid> = named.first(connection).await.optional()?;
            return Err(StoreError::Taken(if holder.is_some() { UNIQUE_HANDLE } else { UNIQUE_EMAIL }));
        }
        insert_session_and_link(connection, new).await?;
        if let Some(preferences) = &new.preferences {
            preferences::insert(connection, preferences).await?;
        }
        // The player is new, so nobody has used a key of his.
        stored_responses::take(connection, new.stored.as_ref(), new.player.created_at).await?;
        Ok(Registered::Done)
    });
    registered.await
}

/// Writes the session and the mail that asks for confirmation, inside a transaction.
pub(super) async fn insert_session_and_link(
    connection: &mut AsyncPgConnection,
    new: &Registration<'_>,
) -> QueryResult<()> {
    sessions::insert(connection, &new.session).await?;
    if let Some((link, notice)) = &new.confirmation {
        mail_links::insert(connection, link).await?;
        notices::insert(connection, std::slice::from_ref(notice)).await?;
    }
    Ok(())
}

/// Writes a player whose address counts as confirmed since the account was made.
///
/// # Errors
/// The handle or the address is taken: [`UNIQUE_HANDLE`], [`UNIQUE_EMAIL`].
pub async fn create_confirmed(database: &Database, player: &NewPlayer<'_>) -> Result<(), StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let confirmed = players::email_confirmed_at.eq(player.created_at);
    diesel::insert_into(players::table).values((player, confirmed)).execute(&mut connection).await?;
    Ok(())
}

/// Gives a player's handle other capitals; false if that is another handle, or a guest's.
pub async fn set_capitals(database: &Database, id: Uuid, handle: &str) -> Result<bool, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let own = players::table
        .find(id)
        .filter(handle_key().eq(handle.to_ascii_lowercase()))
        .filter(players::guest.eq(false))
        .filter(players::deleted_at.is_null());
    Ok(diesel::update(own).set(players::handle.eq(handle)).execute(&mut connection).await? > 0)
}

/// Switches a player's mail on or off; `None` if there is no such player.
pub async fn set_mail_enabled(
    database: &Database,
    id: Uuid,
    enabled: bool,
) -> Result<Option<PlayerRow>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let changed = diesel::update(players::table.find(id))
        .set(players::mail_enabled.eq(enabled))
        .returning(PlayerRow::as_returning());
    Ok(changed.get_result(&mut connection).await.optional()?)
}

/// A change of password by somebody who knew the old one.
pub struct PasswordChange<'a> {
    pub player_id: Uuid,
    /// The hash that the old password was checked against: of two changes at once, one wins.
    pub old_hash: &'a str,
    pub new_hash: &'a str,
    /// The session that stays.
    pub kept_session: Uuid,
    /// Whether personal tokens, apps and webhooks end, too.
    pub end_tokens: bool,
    pub now: OffsetDateTime,
}

/// Sets a new password, ends all sessions but one, and voids the links that could set another or lead to another address. False if
/// the old hash is not the player's any more.
pub async fn change_password(database: &Database, change: &PasswordChange<'_>) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let changed = connection.transaction::<bool, StoreError, _>(async |connection| {
        let ours = players::table.find(change.player_id).filter(players::password_hash.eq(change.old_hash));
        let set = diesel::update(ours).set(players::password_hash.eq(change.new_hash));
        if set.execute(connection).await? == 0 {
            return Ok(false);
        }
        sessions::revoke_all(connection, change.player_id, &[change.kept_session], change.now).await?;
        if change.end_tokens {
            mail_links::end_programs(connection, change.player_id, change.now).await?;
        }
        mail_links::void_resets(connection, change.player_id, change.now).await?;
        mail_links::void_new_addresses(connection, change.player_id, change.now).await?;
        Ok(true)
    });
    changed.await
}
