//! The calendars and holidays of players, and the running games that have not taken them yet.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{automatic_holidays, player_calendars, player_holidays};
use super::stored_responses::{self, NewStoredResponse, Once};
use super::{Topology, citus};

/// A player's calendar as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct CalendarRow {
    pub player_id: Uuid,
    pub calendar: String,
}

/// A holiday of a player.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, QueryableByName)]
#[diesel(table_name = player_holidays)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub struct HolidayRow {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    pub player_id: Uuid,
    /// In the zone that the player had when booking.
    #[diesel(sql_type = Date)]
    pub first_day: time::Date,
    #[diesel(sql_type = Date)]
    pub last_day: time::Date,
    #[diesel(sql_type = Timestamptz)]
    pub from_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    pub until_at: OffsetDateTime,
}

/// What the players of a game that starts bring along.
#[derive(Clone, Debug, Default)]
pub struct PlayerCalendars {
    pub calendars: Vec<CalendarRow>,
    /// Those that have not ended.
    pub holidays: Vec<HolidayRow>,
}

/// Lets the calendars and holidays of players not change until the transaction ends: a change is either found by it, or is queued for
/// the game that it starts.
pub async fn lock(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    players: &[Uuid],
) -> QueryResult<()> {
    let lock = topology.pick(SHARE_PLAYERS, citus::statements::SHARE_PLAYERS);
    let lock = diesel::sql_query(lock);
    lock.bind::<diesel::sql_types::Array<SqlUuid>, _>(players).execute(connection).await?;
    Ok(())
}

const SHARE_PLAYERS: &str = "select from players where id = any ($1) order by id for share";

const LOCK_PLAYER: &str = "select from players where id = $1 for no key update";

/// The calendars and holidays of players, whose rows are locked.
pub async fn of_players(
    connection: &mut AsyncPgConnection,
    players: &[Uuid],
    now: OffsetDateTime,
) -> QueryResult<PlayerCalendars> {
    let calendars = player_calendars::table
        .filter(player_calendars::player_id.eq_any(players))
        .select((player_calendars::player_id, player_calendars::calendar));
    let holidays = player_holidays::table
        .filter(player_holidays::player_id.eq_any(players))
        .filter(player_holidays::until_at.gt(now))
        .order((player_holidays::from_at, player_holidays::id))
        .select(HolidayRow::as_select());
    Ok(PlayerCalendars {
        calendars: calendars.load(connection).await?,
        holidays: holidays.load(connection).await?,
    })
}

/// A player's calendar as JSON; `None` if all time counts.
///
/// # Errors
/// The database failed.
pub async fn calendar(database: &Database, player_id: Uuid) -> Result<Option<String>, StoreError> {
    let mut connection = database.get().await?;
    let calendar = player_calendars::table.find(player_id).select(player_calendars::calendar);
    Ok(calendar.first(&mut connection).await.optional()?)
}

/// The running games of a player take a change: `$1` the player, `$2` a holiday, or null for the calendar. An update of the calendar
/// that waits already will take the newest one. Those that wait are read once: on a cluster they are on the coordinator, and games are not.
const QUEUE: &str = "
insert into clock_updates (game_id, player_id, holiday_id)
select p.game_id, $1, $2 from game_players p join games g on g.id = p.game_id
where p.player_id = $1 and g.status = 'running' and ($2 is not null or p.game_id not in (
    select u.game_id from clock_updates u where u.player_id = $1 and u.holiday_id is null))";

/// A player's calendar: `$1` the player, `$2` the calendar, `$3` now, `$4` a week ago. The count begins anew after a week.
const SET_CALENDAR: &str = "
insert into player_calendars as c (player_id, calendar, changed_at, week_at) values ($1, $2, $3, $3)
on conflict (player_id) do update set calendar = $2, changed_at = $3,
    changes = case when c.week_at <= $4 then 1 else c.changes + 1 end,
    week_at = case when c.week_at <= $4 then $3 else c.week_at end
where c.week_at <= $4 or c.changes < $5";

/// The same calendar is set again: `$1` the player, `$2` now, `$3` a day ago.
const SET_AGAIN: &str =
    "update player_calendars set changed_at = $2 where player_id = $1 and changed_at <= $3";

/// Sets a player's calendar, and queues it for the player's running games; false if it was changed too often within a week. The same
/// calendar again changes nothing but the offsets of its zone in running games, where the law has changed, and is queued once a day.
///
/// # Errors
/// The database failed.
pub async fn set_calendar(
    database: &Database,
    player_id: Uuid,
    calendar: &str,
    most_changes: i16,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let set = connection.transaction::<bool, StoreError, _>(async |connection| {
        lock_player(connection, database.topology(), player_id).await?;
        let before = player_calendars::table.find(player_id).select(player_calendars::calendar);
        if before.first::<String>(connection).await.optional()?.as_deref() == Some(calendar) {
            let again = diesel::sql_query(SET_AGAIN)
                .bind::<SqlUuid, _>(player_id)
                .bind::<Timestamptz, _>(now)
                .bind::<Timestamptz, _>(now - time::Duration::DAY);
            if again.execute(connection).await? > 0 {
                queue(connection, player_id, None).await?;
            }
            return Ok(true);
        }
        let set = diesel::sql_query(SET_CALENDAR)
            .bind::<SqlUuid, _>(player_id)
            .bind::<Text, _>(calendar)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(now - time::Duration::WEEK)
            .bind::<diesel::sql_types::SmallInt, _>(most_changes);
        if set.execute(connection).await? == 0 {
            return Ok(false);
        }
        queue(connection, player_id, None).await?;
        Ok(true)
    });
    set.await
}

/// Keeps out whoever has [locked](lock) the player, or does this, until the transaction ends.
pub(super) async fn lock_player(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    player_id: Uuid,
) -> QueryResult<()> {
    let lock = diesel::sql_query(topology.pick(LOCK_PLAYER, citus::statements::LOCK_PLAYER));
    lock.bind::<SqlUuid, _>(player_id).execute(connection).await?;
    Ok(())
}

async fn queue(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    holiday_id: Option<Uuid>,
) -> QueryResult<usize> {
    let queue = diesel::sql_query(QUEUE).bind::<SqlUuid, _>(player_id);
    queue.bind::<Nullable<SqlUuid>, _>(holiday_id).execute(connection).await
}

/// What a substitute brings to a game: `$1` the game, `$2` the player, `$3` now.
const QUEUE_ALL: &str = "
insert into clock_updates (game_id, player_id, holiday_id)
select $1, $2, null::uuid from player_calendars c where c.player_id = $2
union all select $1, $2, h.id from player_holidays h where h.player_id = $2 and h.until_at > $3";

/// Queues the calendar and the holidays of a player for one game. None changes until the transaction ends, as in [`of_players`].
pub async fn queue_all(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    game_id: Uuid,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    lock_player(connection, topology, player_id).await?;
    let queue = diesel::sql_query(QUEUE_ALL).bind::<SqlUuid, _>(game_id).bind::<SqlUuid, _>(player_id);
    queue.bind::<Timestamptz, _>(now).execute(connection).await?;
    Ok(())
}

/// The holidays of a player that end after `after`, in order.
///
/// # Errors
/// The database failed.
pub async fn holidays(
    database: &Database,
    player_id: Uuid,
    after: OffsetDateTime,
) -> Result<Vec<HolidayRow>, StoreError> {
    let mut connection = database.get().await?;
    let holidays = player_holidays::table
        .filter(player_holidays::player_id.eq(player_id))
        .filter(player_holidays::until_at.gt(after))
        .order((player_holidays::from_at, player_holidays::id))
        .select(HolidayRow::as_select());
    Ok(holidays.load(&mut connection).await?)
}

/// Books a holiday if `may` says so of those that end after `after`, and queues it for the player's running games. Returns what
/// `may` answered. Bookings of one player are serialised.
///
/// # Errors
/// The database failed.
pub async fn book<E: Send>(
    database: &Database,
    holiday: &HolidayRow,
    after: OffsetDateTime,
    now: OffsetDateTime,
    stored: Option<&NewStoredResponse>,
    may: impl FnOnce(&[HolidayRow]) -> Result<(), E> + Send,
) -> Result<Once<Result<(), E>>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let booked = connection.transaction::<Once<Result<(), E>>, StoreError, _>(async |connection| {
        lock_player(connection, database.topology(), holiday.player_id).await?;
        if let Some(before) = stored_responses::take(connection, stored, now).await? {
            return Ok(Once::Before(before));
        }
        let others = player_holidays::table
            .filter(player_holidays::player_id.eq(holiday.player_id))
            .filter(player_holidays::until_at.gt(after))
            .select(HolidayRow::as_select());
        if let Err(refused) = may(&others.load(connection).await?) {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(Err(refused)));
        }
        diesel::insert_into(player_holidays::table).values(holiday).execute(connection).await?;
        queue(connection, holiday.player_id, Some(holiday.id)).await?;
        Ok(Once::Now(Ok(())))
    });
    booked.await
}

/// What saves a player whose flag is down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saving {
    Booked(HolidayRow),
    /// One to be booked.
    New(HolidayRow),
    Nothing,
}

/// The holiday that `choose` finds among those of a player that end after `after`. A new one is booked as by [`book`]; it is chosen anew
/// while no other is being booked, because several flags of a player may fall at once, and one holiday saves all.
///
/// # Errors
/// The database failed.
pub async fn save(
    database: &Database,
    player_id: Uuid,
    after: OffsetDateTime,
    choose: impl Fn(&[HolidayRow]) -> Saving + Send + Sync,
) -> Result<Option<HolidayRow>, StoreError> {
    match choose(&holidays(database, player_id, after).await?) {
        Saving::Booked(booked) => return Ok(Some(booked)),
        Saving::Nothing => return Ok(None),
        Saving::New(_) => {}
    }
    let choose = &choose;
    let mut connection = database.get_for_writing().await?;
    let saved = connection.transaction::<Option<HolidayRow>, StoreError, _>(async |connection| {
        lock_player(connection, database.topology(), player_id).await?;
        let others = player_holidays::table
            .filter(player_holidays::player_id.eq(player_id))
            .filter(player_holidays::until_at.gt(after))
            .order((player_holidays::from_at, player_holidays::id))
            .select(HolidayRow::as_select());
        let new = match choose(&others.load(connection).await?) {
            Saving::Booked(booked) => return Ok(Some(booked)),
            Saving::Nothing => return Ok(None),
            Saving::New(new) => new,
        };
        diesel::insert_into(player_holidays::table).values(&new).execute(connection).await?;
        queue(connection, player_id, Some(new.id)).await?;
        Ok(Some(new))
    });
    saved.await
}

/// For how many days a holiday of a player begins by itself; `None` if none does.
///
/// # Errors
/// The database failed.
pub async fn automatic_days(database: &Database, player_id: Uuid) -> Result<Option<i16>, StoreError> {
    let days = automatic_holidays::table.find(player_id).select(automatic_holidays::days);
    Ok(days.first(&mut database.get().await?).await.optional()?)
}

/// Sets for how many days; 0: none begins by itself.
///
/// # Errors
/// The database failed.
pub async fn set_automatic_days(database: &Database, player_id: Uuid, days: i16) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    if days == 0 {
        diesel::delete(automatic_holidays::table.find(player_id)).execute(&mut connection).await?;
        return Ok(());
    }
    diesel::insert_into(automatic_holidays::table)
        .values((automatic_holidays::player_id.eq(player_id), automatic_holidays::days.eq(days)))
        .on_conflict(automatic_holidays::player_id)
        .do_update()
        .set(automatic_holidays::days.eq(days))
        .execute(&mut connection)
        .await?;
    Ok(())
}

/// Those of these players whose holidays begin by themselves.
///
/// # Errors
/// The database failed.
pub async fn with_automatic(database: &Database, players: &[Uuid]) -> Result<HashSet<Uuid>, StoreError> {
    let with = automatic_holidays::table.filter(automatic_holidays::player_id.eq_any(players));
    let with: Vec<Uuid> = with.select(automatic_holidays::player_id).load(&mut database.get().await?).await?;
    Ok(with.into_iter().collect())
}

/// A change that a running game has not taken yet.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ClockUpdate {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    pub player_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub holiday_id: Option<Uuid>,
}

/// Waiting changes, at most `$2`, after `$1`, oldest first.
pub const WAITING_UPDATES: &str =
    "select id, game_id, player_id, holiday_id from clock_updates where id > $1 order by id limit $2";

/// The changes that wait, oldest first.
///
/// # Errors
/// The database failed.
pub async fn waiting(database: &Database, after: i64, limit: i64) -> Result<Vec<ClockUpdate>, StoreError> {
    let mut connection = database.get().await?;
    let waiting = diesel::sql_query(WAITING_UPDATES).bind::<BigInt, _>(after).bind::<BigInt, _>(limit);
    Ok(waiting.load(&mut connection).await?)
}

/// The changes that wait for one game, oldest first.
///
/// # Errors
/// The database failed.
pub async fn waiting_of(
    database: &Database,
    game_id: Uuid,
    limit: i64,
) -> Result<Vec<ClockUpdate>, StoreError> {
    let mut connection = database.get().await?;
    let waiting = diesel::sql_query(
        "select id, game_id, player_id, holiday_id from clock_updates where game_id = $1 order by id limit $2",
    );
    Ok(waiting.bind::<SqlUuid, _>(game_id).bind::<BigInt, _>(limit).load(&mut connection).await?)
}

/// Those of these games for which changes wait.
///
/// # Errors
/// The database failed.
pub async fn with_updates(database: &Database, game_ids: &[Uuid]) -> Result<HashSet<Uuid>, StoreError> {
    #[derive(QueryableByName)]
    struct Game {
        #[diesel(sql_type = SqlUuid)]
        game_id: Uuid,
    }
    let mut connection = database.get().await?;
    let with = diesel::sql_query("select distinct game_id from clock_updates where game_id = any ($1)");
    let with: Vec<Game> =
        with.bind::<diesel::sql_types::Array<SqlUuid>, _>(game_ids).load(&mut connection).await?;
    Ok(with.into_iter().map(|row| row.game_id).collect())
}

/// A holiday of a player.
///
/// # Errors
/// The database failed.
pub async fn holiday(database: &Database, id: Uuid) -> Result<Option<HolidayRow>, StoreError> {
    let mut connection = database.get().await?;
    let holiday = player_holidays::table.find(id).select(HolidayRow::as_select());
    Ok(holiday.first(&mut connection).await.optional()?)
}

/// Removes changes that were taken, or that no game can take any more.
///
/// # Errors
/// The database failed.
pub async fn forget(database: &Database, ids: &[i64]) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let forget = diesel::sql_query("delete from clock_updates where id = any ($1)");
    Ok(forget.bind::<diesel::sql_types::Array<BigInt>, _>(ids).execute(&mut connection).await?)
}
