//! Reads clubs, for everybody.

use std::fmt;
use std::str::FromStr;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{MAX_ASKING, MAX_CLUBS, MAX_MEMBERS, Role};
use crate::database::Database;
use crate::error::StoreError;
use crate::studies::readable;

/// What lists show of a club.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName, Serialize, ToSchema)]
pub struct ListedClub {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub name: String,
    /// What its owners write about it.
    #[diesel(sql_type = Text)]
    pub about: String,
    /// Whether players join without being let in.
    #[diesel(sql_type = Bool)]
    pub open: bool,
    #[diesel(sql_type = Integer)]
    #[serde(rename = "member_count")]
    pub members: i32,
}

/// A stored club.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ClubRow {
    #[diesel(embed)]
    pub head: ListedClub,
    #[diesel(sql_type = Timestamptz)]
    pub created_at: OffsetDateTime,
    /// Who has written name and text.
    #[diesel(sql_type = SqlUuid)]
    pub written_by: Uuid,
    /// The handle of who has.
    #[diesel(sql_type = Text)]
    pub writer: String,
    /// False if an operator keeps that player out or has muted them.
    #[diesel(sql_type = Bool)]
    pub readable: bool,
}

/// A club of a player.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ClubOf {
    #[diesel(embed)]
    pub head: ListedClub,
    /// The player's.
    #[diesel(sql_type = Text)]
    pub role: Role,
    /// How many ask to be let in.
    #[diesel(sql_type = BigInt)]
    pub asking: i64,
}

/// The name of a club, which may be closed.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ClubName {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub name: String,
    /// False of one that is closed.
    #[diesel(sql_type = Bool)]
    pub exists: bool,
}

/// A player who is in a club or asks to be.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ClubMember {
    #[diesel(sql_type = SqlUuid)]
    pub player_id: Uuid,
    #[diesel(sql_type = Text)]
    pub handle: String,
    #[diesel(sql_type = Bool)]
    pub bot: bool,
    #[diesel(sql_type = Text)]
    pub role: Role,
    /// Since when they are in it, or ask.
    #[diesel(sql_type = Timestamptz)]
    pub since: OffsetDateTime,
}

/// Clubs whose name and text an operator lets others read at `$1`, and whose writer the reader `$2` has not muted, before a place; `$4` of
/// them in an order.
macro_rules! listed {
    ($before:literal, $order:literal) => {
        concat!(
            "select c.id, c.name, c.about, c.open, c.members from clubs c join players p on p.id = c.written_by where ",
            $before,
            " and ",
            readable!(),
            " and not exists (select from muted_players m where m.player_id = $2 and m.muted_id = c.written_by) \
             order by ",
            $order,
            " limit $4"
        )
    };
}

/// The newest before the club `$3`; no club has more than `$5` members.
pub const NEWEST: &str = listed!("c.id < $3 and c.members <= $5", "c.id desc");

/// The largest before the club `$3` with `$5` members.
pub const LARGEST: &str = listed!("(c.members, c.id) < ($5, $3)", "c.members desc, c.id desc");

macro_rules! find {
    ($which:literal) => {
        concat!(
            "select c.id, c.name, c.about, c.open, c.members, c.created_at, c.written_by, p.handle as writer, ",
            readable!(),
            " as readable from clubs c join players p on p.id = c.written_by where ",
            $which
        )
    };
}

const BY_ID: &str = find!("c.id = $2");

const BY_NAME: &str = find!("c.name_key = $2");

const OF_PLAYER: &str = "
select c.id, c.name, c.about, c.open, c.members, m.role,
    (select count(*) from club_members a where a.club_id = c.id and a.role = 'asking') as asking
from club_members m join clubs c on c.id = m.club_id where m.player_id = $1 order by c.name_key limit $2";

/// Whoever is kept out is in no club, except those who were let in while it was decided.
const MEMBERS: &str = "
select p.id as player_id, p.handle, p.bot, m.role, m.since
from club_members m join players p on p.id = m.player_id
where m.club_id = $1 and p.closed_at is null and p.deleted_at is null
order by (m.role = 'owner') desc, m.since, p.id limit $2";

/// The names of the clubs `$2` as far as an operator lets others read them at `$1`; of closed ones as they were.
const NAMES: &str = concat!(
    "select w.id, coalesce(c.name, o.name) as name, c.id is not null as exists from unnest($2) as w(id) \
     left join clubs c on c.id = w.id left join closed_clubs o on o.id = w.id \
     left join players p on p.id = coalesce(c.written_by, o.written_by) where coalesce(c.name, o.name) is not null and ",
    readable!()
);

/// The order of a list of clubs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ClubOrder)]
pub enum Order {
    #[default]
    Newest,
    Largest,
}

/// A place in a list: after the club with this id, which has so many members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub members: i32,
    pub id: Uuid,
}

impl Place {
    /// Before the first club.
    const FIRST: Self = Self { members: i32::MAX, id: Uuid::max() };
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.members, self.id)
    }
}

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let (members, id) = text.split_once('.').ok_or(NoPlace)?;
        let (members, id) = (members.parse(), Uuid::try_parse(id));
        Ok(Self { members: members.map_err(|_| NoPlace)?, id: id.map_err(|_| NoPlace)? })
    }
}

/// The text names no place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no place in a list")]
pub struct NoPlace;

/// Which club is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'a> {
    Id(Uuid),
    /// By the name in lower case.
    Named(&'a str),
}

/// A club.
///
/// # Errors
/// The database failed.
pub async fn find(
    database: &Database,
    which: Which<'_>,
    now: OffsetDateTime,
) -> Result<Option<ClubRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = match which {
        Which::Id(id) => {
            let asked = diesel::sql_query(BY_ID).bind::<Timestamptz, _>(now).bind::<SqlUuid, _>(id);
            asked.get_result(&mut connection).await
        }
        Which::Named(key) => {
            let asked = diesel::sql_query(BY_NAME).bind::<Timestamptz, _>(now).bind::<Text, _>(key);
            asked.get_result(&mut connection).await
        }
    };
    Ok(found.optional()?)
}

/// Clubs in an order after a place, those written by players whom neither an operator nor the reader has muted.
///
/// # Errors
/// The database failed.
pub async fn list(
    database: &Database,
    order: Order,
    after: Option<Place>,
    reader: Option<Uuid>,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<ListedClub>, StoreError> {
    let place = after.unwrap_or(Place::FIRST);
    let (statement, members) = match order {
        Order::Newest => (NEWEST, Place::FIRST.members),
        Order::Largest => (LARGEST, place.members),
    };
    let asked = diesel::sql_query(statement)
        .bind::<Timestamptz, _>(now)
        .bind::<Nullable<SqlUuid>, _>(reader)
        .bind::<SqlUuid, _>(place.id)
        .bind::<BigInt, _>(limit)
        .bind::<Integer, _>(members);
    Ok(asked.load(&mut database.get().await?).await?)
}

/// The clubs that a player is in or asks to be in, by name.
///
/// # Errors
/// The database failed.
pub async fn of_player(database: &Database, player_id: Uuid) -> Result<Vec<ClubOf>, StoreError> {
    let most = i64::try_from(MAX_CLUBS).unwrap_or(i64::MAX);
    let asked = diesel::sql_query(OF_PLAYER).bind::<SqlUuid, _>(player_id).bind::<BigInt, _>(most);
    Ok(asked.load(&mut database.get().await?).await?)
}

/// The names of those of these clubs, which may be closed, whose names an operator lets others read.
///
/// # Errors
/// The database failed.
pub async fn names(
    database: &Database,
    ids: &[Uuid],
    now: OffsetDateTime,
) -> Result<Vec<ClubName>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let asked = diesel::sql_query(NAMES).bind::<Timestamptz, _>(now).bind::<Array<SqlUuid>, _>(ids);
    Ok(asked.load(&mut database.get().await?).await?)
}

/// Who is in a club or asks to be: owners first, then who has been in it longest.
///
/// # Errors
/// The database failed.
pub async fn members(database: &Database, id: Uuid) -> Result<Vec<ClubMember>, StoreError> {
    let most = i64::from(MAX_MEMBERS) + MAX_ASKING;
    let asked = diesel::sql_query(MEMBERS).bind::<SqlUuid, _>(id).bind::<BigInt, _>(most);
    Ok(asked.load(&mut database.get().await?).await?)
}
