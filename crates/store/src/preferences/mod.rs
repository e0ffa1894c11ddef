//! Notification preferences, and who has been notified enough. Digests: `digests.rs`.

use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::database::{Database, uncounted};
use super::digests::{self, Digested};
use super::error::StoreError;
use super::schema::{game_preferences, player_preferences};
use super::text_enum::text_enum;

text_enum! {
    "preference for turns",
    /// Which of a player's turns get their own mail.
    #[derive(Default)]
    pub enum TurnMails {
        /// Every turn.
        #[default]
        Each = "each",
        /// One turn, and then none until the player comes back.
        Once = "once",
        /// None; turns are listed in the daily digest.
        Digest = "digest",
        None = "none",
    }
}

/// Makes the row.
macro_rules! columns {
    ($(
        $(#[doc = $doc:literal])* $name:ident $(in $group:ident)?: $kind:ident = $default:expr,
        [$($column:ident: $sql:ty as $rust:ty),+] $(, says $command:literal)?;
    )+) => {
        /// The preferences of a player, and when the next digest is due.
        #[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
        #[diesel(table_name = player_preferences)]
        #[diesel(treat_none_as_null = true)]
        #[allow(clippy::struct_excessive_bools, reason = "the columns of a row")]
        pub struct PreferencesRow {
            pub player_id: Uuid,
            $($(pub $column: $rust,)+)+
            pub digest_at: Option<OffsetDateTime>,
        }
    };
}

pippost_schema::notification_preferences!(columns);

/// Preferences for one game; null: as for all games.
#[derive(
    Clone,
    Debug,
    Default,
    PartialEq,
    Eq,
    Queryable,
    Selectable,
    Insertable,
    AsChangeset,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[diesel(table_name = game_preferences)]
#[diesel(treat_none_as_null = true)]
#[schema(as = GameNotificationPreferencesBody)]
#[serde(deny_unknown_fields)]
pub struct GamePreferences {
    #[serde(default)]
    pub turns: Option<TurnMails>,
    #[serde(default)]
    pub reminders: Option<bool>,
    /// As `messages` for all games.
    #[serde(default)]
    pub messages: Option<bool>,
    /// Whether web push tells you of the game; if so, of all kinds.
    #[serde(default)]
    pub push: Option<bool>,
}

/// Writes the preferences of a new player.
pub(crate) async fn insert(connection: &mut AsyncPgConnection, row: &PreferencesRow) -> QueryResult<()> {
    diesel::insert_into(player_preferences::table).values(row).execute(connection).await?;
    Ok(())
}

/// A player's preferences; `None` if there never were any.
pub async fn of_player(database: &Database, player_id: Uuid) -> Result<Option<PreferencesRow>, StoreError> {
    let row = player_preferences::table.find(player_id).select(PreferencesRow::as_select());
    Ok(row.first(&mut database.get().await?).await.optional()?)
}

/// Changes a player's preferences: `change` gets the current ones and what is known of the player's digests, and returns
/// the new ones. Changes of one player are serialised.
pub async fn change<T: Send>(
    database: &Database,
    player_id: Uuid,
    change: impl FnOnce(Option<PreferencesRow>, Digested) -> (PreferencesRow, T) + Send,
) -> Result<T, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let changed = connection.transaction::<T, StoreError, _>(async |connection| {
        lock(connection, player_id).await?;
        change_locked(connection, player_id, change).await
    });
    changed.await
}

async fn lock(connection: &mut AsyncPgConnection, player_id: Uuid) -> Result<(), StoreError> {
    let lock = diesel::sql_query("select from players where id = $1 for no key update");
    lock.bind::<SqlUuid, _>(player_id).execute(connection).await?;
    Ok(())
}

async fn change_locked<T>(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    change: impl FnOnce(Option<PreferencesRow>, Digested) -> (PreferencesRow, T),
) -> Result<T, StoreError> {
    // Locked, so that a digest that is made meanwhile is known.
    let row = player_preferences::table.find(player_id).select(PreferencesRow::as_select());
    let before = row.for_no_key_update().first(connection).await.optional()?;
    let (after, result) = change(before, digests::digested(connection, player_id).await?);
    diesel::insert_into(player_preferences::table)
        .values(&after)
        .on_conflict(player_preferences::player_id)
        .do_update()
        .set(&after)
        .execute(connection)
        .await?;
    Ok(result)
}

/// A player's different preferences for a game.
pub async fn of_game(
    database: &Database,
    player_id: Uuid,
    game_id: Uuid,
) -> Result<Option<GamePreferences>, StoreError> {
    let mut connection = database.get().await?;
    let row = game_preferences::table.find((player_id, game_id)).select(GamePreferences::as_select());
    Ok(row.first(&mut connection).await.optional()?)
}

/// Sets a player's preferences for a game and then the player's, as [`change`].
pub async fn set_of_game(
    database: &Database,
    (player_id, game_id): (Uuid, Uuid),
    wanted: &GamePreferences,
    change: impl FnOnce(Option<PreferencesRow>, Digested) -> (PreferencesRow, ()) + Send,
) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let set = connection.transaction::<(), StoreError, _>(async |connection| {
        lock(connection, player_id).await?;
        diesel::insert_into(game_preferences::table)
            .values((
                game_preferences::player_id.eq(player_id),
                game_preferences::game_id.eq(game_id),
                wanted,
            ))
            .on_conflict((game_preferences::player_id, game_preferences::game_id))
            .do_update()
            .set(wanted)
            .execute(connection)
            .await?;
        change_locked(connection, player_id, change).await
    });
    set.await
}

/// Which preferences for single games to reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forget {
    /// All for turns.
    Turns,
    /// Those for a digest, and what waits for it.
    Digests,
    /// All for reminders.
    Reminders,
    /// All for messages at the table.
    Messages,
    Nothing,
}

/// As [`change`], after resetting preferences for single games, so that the new preference holds for all games.
pub async fn change_for_all_games(
    database: &Database,
    player_id: Uuid,
    forget: Forget,
    change: impl FnOnce(Option<PreferencesRow>, Digested) -> (PreferencesRow, ()) + Send,
) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let changed = connection.transaction::<(), StoreError, _>(async |connection| {
        lock(connection, player_id).await?;
        let mine = game_preferences::table.filter(game_preferences::player_id.eq(player_id));
        let no_turns = game_preferences::turns.eq(None::<TurnMails>);
        match forget {
            Forget::Turns => diesel::update(mine).set(no_turns).execute(connection).await?,
            Forget::Digests => {
                digests::forget(connection, player_id).await?;
                diesel::update(mine.filter(game_preferences::turns.eq(TurnMails::Digest)))
                    .set(no_turns)
                    .execute(connection)
                    .await?
            }
            Forget::Reminders => {
                diesel::update(mine)
                    .set(game_preferences::reminders.eq(None::<bool>))
                    .execute(connection)
                    .await?
            }
            Forget::Messages => {
                diesel::update(mine)
                    .set(game_preferences::messages.eq(None::<bool>))
                    .execute(connection)
                    .await?
            }
            Forget::Nothing => 0,
        };
        change_locked(connection, player_id, change).await
    });
    changed.await
}

const DECLINE: &str = "
insert into declined_addresses (email_key, declined_at)
select key, $2 from (select lower(address) as key from notices where id = $1 and address is not null union select $3) keys
on conflict do nothing";

/// Stops invitations to the address of a notice, and to others of its mailbox.
pub async fn decline(
    database: &Database,
    notice_id: Uuid,
    mailbox_key: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let decline = diesel::sql_query(DECLINE)
        .bind::<SqlUuid, _>(notice_id)
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(mailbox_key);
    decline.execute(&mut connection).await?;
    Ok(())
}

/// Takes the player's one mail until the next visit: `$1` the player, `$2` the notice, `$3` now.
pub const RESERVE_SINGLE_MAIL: &str = "
update player_preferences set told_by = $2, told_at = $3
where player_id = $1 and (told_by is null or told_by = $2)";

/// Whether this notice may be the player's one mail until the next visit; it is then reserved for it, also for retries.
pub async fn reserve_single_mail(
    database: &Database,
    player_id: Uuid,
    notice_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let take = diesel::sql_query(RESERVE_SINGLE_MAIL)
        .bind::<SqlUuid, _>(player_id)
        .bind::<SqlUuid, _>(notice_id)
        .bind::<Timestamptz, _>(now);
    Ok(take.execute(&mut connection).await? > 0)
}

/// Players who may be notified again: `$1` players, `$2` when they were seen.
pub const SEEN: &str = "
update player_preferences w set told_by = null, told_at = null
from unnest($1, $2) as s (player_id, at)
where w.player_id = s.player_id and w.told_at <= s.at";

/// Records when players were seen; those who had been notified may be notified again. No request waits for it, so it is not counted as
/// a statement.
pub async fn seen(database: &Database, players: &[(Uuid, OffsetDateTime)]) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let (ids, times): (Vec<Uuid>, Vec<OffsetDateTime>) = players.iter().copied().unzip();
    let seen = diesel::sql_query(SEEN).bind::<Array<SqlUuid>, _>(ids).bind::<Array<Timestamptz>, _>(times);
    Ok(uncounted(async { seen.execute(&mut connection).await }).await?)
}
