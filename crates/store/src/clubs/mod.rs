//! Clubs of players: a row for each club, and one for each player who is in it or asks to be. Whoever changes who is in a club holds first
//! the lock of the player whom it concerns, then that of the club.

mod reading;
mod telling;

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::calendars;
use super::database::Database;
use super::error::StoreError;
use super::schema::{club_members, clubs};
use super::stored_responses::{self, NewStoredResponse, Once};
use super::text_enum::text_enum;

pub use reading::{
    ClubMember, ClubName, ClubOf, ClubRow, LARGEST, ListedClub, NEWEST, Order, Place, Which, find, list,
    members, names, of_player,
};
pub use telling::{ClubNotice, TOLD_FOR, Told, told_by};

/// The most clubs that a player is in or asks to be in.
pub const MAX_CLUBS: usize = 20;

/// The most clubs that a player owns. One that falls to its oldest member is not counted.
pub const MAX_OWNED: usize = 5;

/// The most members of a club, owners among them.
pub const MAX_MEMBERS: i32 = 100;

/// The most players who ask to be let into a club.
pub const MAX_ASKING: i64 = 50;

/// The index that a taken name violates.
const UNIQUE_NAME: &str = "clubs_name";

text_enum! {
    "role in a club",
    /// What a player is in a club.
    #[schema(as = ClubRole)]
    pub enum Role {
        /// Waits to be let in.
        Asking = "asking",
        Member = "member",
        /// Lets in, removes, names other owners and closes the club.
        Owner = "owner",
    }
}

/// A club to write.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = clubs)]
pub struct NewClub {
    pub id: Uuid,
    pub name: String,
    pub name_key: String,
    pub about: String,
    pub open: bool,
    /// Its first owner.
    pub written_by: Uuid,
    pub created_at: OffsetDateTime,
}

/// What became of a wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// There is no such club.
    Unknown,
    /// Another club has the name.
    Taken,
    /// Who wishes it does not own the club.
    NotOwner,
    /// Nobody else owns the club, and others are in it.
    LastOwner,
    /// The club has [`MAX_MEMBERS`], or so many ask as may.
    Full,
    /// The player is in [`MAX_CLUBS`].
    TooMany,
    /// The player owns [`MAX_OWNED`].
    TooManyOwned,
}

/// What an owner does about another player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ClubAct)]
pub enum Act {
    /// Lets in who asks.
    Admit,
    /// Removes a member, or refuses who asks.
    Remove,
    /// Makes a member another owner.
    NameOwner,
    /// Makes a member an owner in one's own place.
    HandOn,
}

/// Closes clubs `c`, and keeps the names of those that tournaments name.
macro_rules! close {
    ($which:literal) => {
        concat!(
            "with closed as (delete from clubs c ",
            $which,
            " returning c.id, c.name, c.written_by), kept as (insert into closed_clubs (id, name, written_by) \
             select c.id, c.name, c.written_by from closed c \
             where exists (select from tournament_players p where p.club_id = c.id)) select from closed"
        )
    };
}

/// How a player leaves all clubs: of one that nobody else owns, the oldest member is the next owner; one without other members closes.
const LEAVE: [&str; 5] = [
    "select from clubs where id in (select club_id from club_members where player_id = $1) order by id for no key update",
    "update club_members n set role = 'owner' from club_members o \
     where o.player_id = $1 and o.role = 'owner' and n.club_id = o.club_id and n.player_id = ( \
        select m.player_id from club_members m where m.club_id = o.club_id and m.player_id <> $1 and m.role <> 'asking' \
        order by (m.role = 'owner') desc, m.since, m.player_id limit 1)",
    close!(
        "using club_members o where o.club_id = c.id and o.player_id = $1 and o.role = 'owner' and c.members = 1"
    ),
    "update clubs c set members = c.members - 1 from club_members o \
     where o.club_id = c.id and o.player_id = $1 and o.role <> 'asking'",
    "delete from club_members where player_id = $1",
];

/// Changes the club `$1` by its owner `$2`, unless another has the name. Whoever has changed no text has not written it.
const CHANGE: &str = "
update clubs c set name = $3, name_key = $4, about = $5, open = $6,
    written_by = case when c.name = $3 and c.about = $5 then c.written_by else $2 end
where c.id = $1 and exists (select from club_members where club_id = $1 and player_id = $2 and role = 'owner')
    and not exists (select from clubs o where o.name_key = $4 and o.id <> $1)";

const CLOSE: &str = close!(
    "where c.id = $1 and exists (select from club_members where club_id = $1 and player_id = $2 and role = 'owner')"
);

/// In how many clubs a player is or asks to be, and how many of them the player owns.
async fn held(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<(usize, usize)> {
    let own = club_members::table.filter(club_members::player_id.eq(player_id));
    let roles: Vec<Role> = own.select(club_members::role).load(connection).await?;
    let owned = roles.iter().filter(|role| **role == Role::Owner).count();
    Ok((roles.len(), owned))
}

/// Locks the row of a club until the transaction ends: whether it is open, and how many members it has.
async fn lock(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Option<(bool, i32)>> {
    let row = clubs::table.find(id).select((clubs::open, clubs::members)).for_no_key_update();
    row.first(connection).await.optional()
}

pub(super) async fn role_of(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    player_id: Uuid,
) -> QueryResult<Option<Role>> {
    let row = club_members::table.find((id, player_id)).select(club_members::role);
    row.first(connection).await.optional()
}

/// How many players have this role in a club.
async fn with_role(connection: &mut AsyncPgConnection, id: Uuid, role: Role) -> QueryResult<i64> {
    let rows = club_members::table.filter(club_members::club_id.eq(id)).filter(club_members::role.eq(role));
    rows.count().get_result(connection).await
}

/// Writes a player's row, or another role into it.
async fn enter(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    player_id: Uuid,
    role: Role,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let key = (club_members::club_id.eq(id), club_members::player_id.eq(player_id));
    let entered = || (club_members::role.eq(role), club_members::since.eq(now));
    diesel::insert_into(club_members::table)
        .values((key, entered()))
        .on_conflict((club_members::club_id, club_members::player_id))
        .do_update()
        .set(entered())
        .execute(connection)
        .await?;
    if role == Role::Member { count(connection, id, 1).await } else { Ok(()) }
}

/// Removes the row of a player who is not the last owner.
async fn remove(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    player_id: Uuid,
    role: Role,
) -> QueryResult<()> {
    diesel::delete(club_members::table.find((id, player_id))).execute(connection).await?;
    if role == Role::Asking { Ok(()) } else { count(connection, id, -1).await }
}

async fn set_role(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    player_id: Uuid,
    role: Role,
) -> QueryResult<()> {
    let row = diesel::update(club_members::table.find((id, player_id)));
    row.set(club_members::role.eq(role)).execute(connection).await?;
    Ok(())
}

async fn count(connection: &mut AsyncPgConnection, id: Uuid, more: i32) -> QueryResult<()> {
    let counted = clubs::members.eq(clubs::members + more);
    diesel::update(clubs::table.find(id)).set(counted).execute(connection).await?;
    Ok(())
}

/// Makes a club, once for each key of its owner.
///
/// # Errors
/// The database failed.
pub async fn make(
    database: &Database,
    new: &NewClub,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<Outcome>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let made = connection.transaction::<Once<Outcome>, StoreError, _>(async |connection| {
        calendars::lock_player(connection, database.topology(), new.written_by).await?;
        if let Some(before) = stored_responses::take(connection, stored, new.created_at).await? {
            return Ok(Once::Before(before));
        }
        let outcome = write(connection, new).await?;
        if outcome != Outcome::Done {
            stored_responses::put_back(connection, stored).await?;
        }
        Ok(Once::Now(outcome))
    });
    made.await
}

/// Writes a club and its owner, if nothing speaks against it.
async fn write(connection: &mut AsyncPgConnection, new: &NewClub) -> QueryResult<Outcome> {
    match held(connection, new.written_by).await? {
        (all, _) if all >= MAX_CLUBS => return Ok(Outcome::TooMany),
        (_, owned) if owned >= MAX_OWNED => return Ok(Outcome::TooManyOwned),
        _ => {}
    }
    // The owner is counted with the row.
    let written = diesel::insert_into(clubs::table).values((new, clubs::members.eq(1)));
    if written.on_conflict_do_nothing().execute(connection).await? == 0 {
        return Ok(Outcome::Taken);
    }
    enter(connection, new.id, new.written_by, Role::Owner, new.created_at).await?;
    Ok(Outcome::Done)
}

/// Lets a player join an open club, or ask to be let into another one, whose owners are told.
///
/// # Errors
/// The database failed.
pub async fn join(
    database: &Database,
    id: Uuid,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<Outcome, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let joined = connection.transaction::<Outcome, StoreError, _>(async |connection| {
        calendars::lock_player(connection, database.topology(), player_id).await?;
        let Some((open, members)) = lock(connection, id).await? else { return Ok(Outcome::Unknown) };
        let before = role_of(connection, id, player_id).await?;
        // A club may have been opened since the player asked.
        if before.is_some_and(|role| role != Role::Asking || !open) {
            return Ok(Outcome::Done);
        }
        if before.is_none() && held(connection, player_id).await?.0 >= MAX_CLUBS {
            return Ok(Outcome::TooMany);
        }
        let has_room = if open {
            members < MAX_MEMBERS
        } else {
            with_role(connection, id, Role::Asking).await? < MAX_ASKING
        };
        if !has_room {
            return Ok(Outcome::Full);
        }
        let role = if open { Role::Member } else { Role::Asking };
        enter(connection, id, player_id, role, now).await?;
        if role == Role::Asking {
            telling::tell_owners(connection, id, player_id, now).await?;
        }
        Ok(Outcome::Done)
    });
    joined.await
}

/// Takes a player out of a club. The last owner closes it, if nobody else is in it.
///
/// # Errors
/// The database failed.
pub async fn leave(database: &Database, id: Uuid, player_id: Uuid) -> Result<Outcome, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let left = connection.transaction::<Outcome, StoreError, _>(async |connection| {
        calendars::lock_player(connection, database.topology(), player_id).await?;
        let Some((_, members)) = lock(connection, id).await? else { return Ok(Outcome::Unknown) };
        let Some(role) = role_of(connection, id, player_id).await? else { return Ok(Outcome::Done) };
        if role == Role::Owner && with_role(connection, id, Role::Owner).await? == 1 {
            if members > 1 {
                return Ok(Outcome::LastOwner);
            }
            close_of(connection, id, player_id).await?;
            return Ok(Outcome::Done);
        }
        remove(connection, id, player_id, role).await?;
        Ok(Outcome::Done)
    });
    left.await
}

/// Does what an owner wishes about another player, and tells the answer to who asked. What was done already, or is not possible any more,
/// changes nothing.
///
/// # Errors
/// The database failed.
pub async fn act(
    database: &Database,
    id: Uuid,
    owner_id: Uuid,
    player_id: Uuid,
    act: Act,
    now: OffsetDateTime,
) -> Result<Outcome, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let done = connection.transaction::<Outcome, StoreError, _>(async |connection| {
        calendars::lock_player(connection, database.topology(), player_id).await?;
        let Some((_, members)) = lock(connection, id).await? else { return Ok(Outcome::Unknown) };
        if role_of(connection, id, owner_id).await? != Some(Role::Owner) {
            return Ok(Outcome::NotOwner);
        }
        let role = role_of(connection, id, player_id).await?.filter(|_| player_id != owner_id);
        let (_, owned) = held(connection, player_id).await?;
        match (act, role) {
            (Act::Admit, Some(Role::Asking)) if members >= MAX_MEMBERS => return Ok(Outcome::Full),
            (Act::Admit, Some(Role::Asking)) => {
                enter(connection, id, player_id, Role::Member, now).await?;
                telling::answer(connection, id, player_id, Told::Admitted, now).await?;
            }
            (Act::Remove, Some(Role::Asking)) => {
                remove(connection, id, player_id, Role::Asking).await?;
                telling::answer(connection, id, player_id, Told::Refused, now).await?;
            }
            (Act::Remove, Some(Role::Member)) => remove(connection, id, player_id, Role::Member).await?,
            (Act::NameOwner | Act::HandOn, Some(Role::Member)) if owned >= MAX_OWNED => {
                return Ok(Outcome::TooManyOwned);
            }
            (Act::NameOwner, Some(Role::Member)) => set_role(connection, id, player_id, Role::Owner).await?,
            (Act::HandOn, Some(Role::Member | Role::Owner)) => {
                set_role(connection, id, player_id, Role::Owner).await?;
                set_role(connection, id, owner_id, Role::Member).await?;
            }
            _ => {}
        }
        Ok(Outcome::Done)
    });
    done.await
}

/// What an owner gives a club.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    pub name: &'a str,
    pub name_key: &'a str,
    pub about: &'a str,
    pub open: bool,
}

/// Changes a club.
///
/// # Errors
/// The database failed.
pub async fn change(
    database: &Database,
    id: Uuid,
    owner_id: Uuid,
    new: Change<'_>,
) -> Result<Outcome, StoreError> {
    let mut connection = database.get_for_writing().await?;
    if role_of(&mut connection, id, owner_id).await? != Some(Role::Owner) {
        return Ok(Outcome::NotOwner);
    }
    let change = diesel::sql_query(CHANGE)
        .bind::<SqlUuid, _>(id)
        .bind::<SqlUuid, _>(owner_id)
        .bind::<Text, _>(new.name)
        .bind::<Text, _>(new.name_key)
        .bind::<Text, _>(new.about)
        .bind::<Bool, _>(new.open);
    match change.execute(&mut connection).await.map_err(StoreError::from) {
        Ok(0) => Ok(Outcome::Taken),
        Ok(_) => Ok(Outcome::Done),
        // Somebody has taken the name at the same time.
        Err(error) if error.violated_unique() == Some(UNIQUE_NAME) => Ok(Outcome::Taken),
        Err(error) => Err(error),
    }
}

/// Closes a club for good.
///
/// # Errors
/// The database failed.
pub async fn close(database: &Database, id: Uuid, owner_id: Uuid) -> Result<Outcome, StoreError> {
    let closed = close_of(&mut *database.get_for_writing().await?, id, owner_id).await?;
    Ok(if closed > 0 { Outcome::Done } else { Outcome::NotOwner })
}

/// Closes a club if this player owns it; how many that are.
async fn close_of(connection: &mut AsyncPgConnection, id: Uuid, owner_id: Uuid) -> QueryResult<usize> {
    diesel::sql_query(CLOSE).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(owner_id).execute(connection).await
}

/// Takes a player out of all clubs.
pub(super) async fn leave_all(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<()> {
    for statement in LEAVE {
        diesel::sql_query(statement).bind::<SqlUuid, _>(player_id).execute(connection).await?;
    }
    Ok(())
}
