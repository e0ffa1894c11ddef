//! Games whose events and clock log lie in the archive: which they are, reading them, and moving rows there and back. Whoever
//! reads history asks `events`, `clock_lines` or an audit's snapshot, which come here if the rows are not in the database.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::clock_lines::ClockLineRow;
use super::database::Database;
use super::error::StoreError;
use super::events::MAX_PAGE;
use super::numbers::Seq;
use super::queue::{GameId, due_games};
use super::schema::{archived_games, clock_lines, events, game_states, games};
use pippost_archive::{ArchiveError, GameObject, PackedGame};
use pippost_record::record::Hash;

/// The entry of an archived game.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = archived_games)]
pub struct ArchivedGame {
    pub game_id: Uuid,
    /// The SHA-256 of the object, which is its name.
    pub object: Vec<u8>,
    pub bytes: i64,
    pub events: i64,
    pub clock_lines: i64,
    /// The SHA-256 of those of all lines.
    pub digest: Vec<u8>,
    pub archived_at: OffsetDateTime,
}

fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl ArchivedGame {
    /// The entry of a game that was packed.
    #[must_use]
    pub fn of(game_id: Uuid, packed: &PackedGame, archived_at: OffsetDateTime) -> Self {
        Self {
            game_id,
            object: packed.name.as_bytes().to_vec(),
            bytes: i64::try_from(packed.bytes.len()).unwrap_or(i64::MAX),
            events: stored(packed.events),
            clock_lines: stored(packed.clock_lines),
            digest: packed.digest.as_bytes().to_vec(),
            archived_at,
        }
    }

    /// The name of the object.
    ///
    /// # Errors
    /// The row holds none.
    pub fn name(&self) -> Result<Hash, StoreError> {
        let bytes = <[u8; 32]>::try_from(self.object.as_slice());
        bytes.map(Hash::from_bytes).map_err(|_| StoreError::Corrupt("the name of an object".to_owned()))
    }

    /// Checks that an object is this very game's.
    ///
    /// # Errors
    /// It is another's.
    pub fn check(&self, object: &GameObject) -> Result<(), StoreError> {
        let counts = (stored(object.events()), stored(object.clock_lines()));
        if object.game() != self.game_id || counts != (self.events, self.clock_lines) {
            return Err(ArchiveError::Altered(self.name()?, "it is not the object of its game").into());
        }
        Ok(())
    }
}

/// The entry of a game, if it is archived.
///
/// # Errors
/// The database failed.
pub async fn find(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
) -> Result<Option<ArchivedGame>, StoreError> {
    let entry = archived_games::table.find(game_id).select(ArchivedGame::as_select());
    Ok(entry.first(connection).await.optional()?)
}

/// The number of the last event of an archived game.
///
/// # Errors
/// The database failed.
pub async fn newest_event(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
) -> Result<Option<Seq>, StoreError> {
    let entry = find(connection, game_id).await?;
    Ok(entry.and_then(|entry| Seq::from_row(entry.events - 1)))
}

/// The object of a game from the archive; `None` if the game is not archived. No connection is held while it is read.
async fn object(
    database: &Database,
    game_id: Uuid,
) -> Result<Option<std::sync::Arc<GameObject>>, StoreError> {
    let Some(entry) = find(&mut *database.get().await?, game_id).await? else { return Ok(None) };
    let object = database.archive()?.get(entry.name()?).await?;
    entry.check(&object)?;
    Ok(Some(object))
}

/// The lines of the events of an archived game, at most [`MAX_PAGE`]; `None` if it is not archived.
pub(super) async fn events(
    database: &Database,
    game_id: Uuid,
    first: Seq,
    last: Seq,
) -> Result<Option<Vec<String>>, StoreError> {
    let Some(object) = object(database, game_id).await? else { return Ok(None) };
    Ok(Some(object.event_lines(first.get(), last.get(), MAX_PAGE.into())?))
}

/// The lines of the clock log of an archived game, at most `most`; `None` if it is not archived.
pub(super) async fn clock_lines(
    database: &Database,
    game_id: Uuid,
    first: i32,
    most: i64,
) -> Result<Option<Vec<ClockLineRow>>, StoreError> {
    let Some(object) = object(database, game_id).await? else { return Ok(None) };
    Ok(Some(clock_rows(&object, first, most)?))
}

/// The rows of the clock log in an object, from `first` on.
pub(super) fn clock_rows(
    object: &GameObject,
    first: i32,
    most: i64,
) -> Result<Vec<ClockLineRow>, ArchiveError> {
    let page = object.clock_page(u64::try_from(first).unwrap_or(0), usize::try_from(most).unwrap_or(0))?;
    let game_id = object.game();
    let row = |(number, (line, openings))| ClockLineRow { game_id, number, line, openings };
    Ok((first.max(0)..).zip(page).map(row).collect())
}

/// Finished games that may be archived: not moved, not kept, not taken by a process, not set aside; the first to end first.
/// `$1` now, `$2` at most so many, `$3` ended by then.
pub const DUE: &str = due_games!(
    "id",
    "status = 'finished' and history = 'rows' and finished_at <= $3 and coalesce(archiving_until, '-infinity') <= $1",
    "archive",
    "finished_at"
);

/// The games to archive that ended by `before`, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn due(
    database: &Database,
    before: OffsetDateTime,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let due = diesel::sql_query(DUE).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    let due = due.bind::<Timestamptz, _>(before).load(&mut database.get().await?).await?;
    Ok(GameId::all(due))
}

/// What [`due`] would find without a limit.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct DueGames {
    #[diesel(sql_type = BigInt)]
    pub games: i64,
    #[diesel(sql_type = BigInt)]
    pub events: i64,
}

/// Counts the games to archive that ended by `before`, and their events.
///
/// # Errors
/// The database failed.
pub async fn count_due(
    database: &Database,
    before: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<DueGames, StoreError> {
    let count = diesel::sql_query(format!(
        "select count(*) as games, coalesce(sum(s.seq + 1), 0)::bigint as events from ({DUE}) as due
            join game_states s on s.game_id = due.id"
    ));
    let count = count.bind::<Timestamptz, _>(now).bind::<BigInt, _>(i64::MAX).bind::<Timestamptz, _>(before);
    Ok(count.get_result(&mut database.get().await?).await?)
}

/// Takes a game until then, so that other processes leave it alone; false if one has it, or it is archived.
///
/// # Errors
/// The database failed.
pub async fn take(
    database: &Database,
    game_id: Uuid,
    now: OffsetDateTime,
    until: OffsetDateTime,
) -> Result<bool, StoreError> {
    let take = diesel::sql_query(
        "update games set archiving_until = $3 where id = $1 and status = 'finished' and history = 'rows'
            and coalesce(archiving_until, '-infinity') <= $2",
    );
    let take = take.bind::<SqlUuid, _>(game_id).bind::<Timestamptz, _>(now).bind::<Timestamptz, _>(until);
    Ok(take.execute(&mut database.get().await?).await? == 1)
}

/// Gives a game back, to be taken at once.
///
/// # Errors
/// The database failed.
pub async fn give_back(database: &Database, game_id: Uuid) -> Result<(), StoreError> {
    let back = diesel::sql_query(
        "update games set archiving_until = null where id = $1 and archiving_until is not null",
    );
    back.bind::<SqlUuid, _>(game_id).execute(&mut database.get().await?).await?;
    Ok(())
}

#[derive(QueryableByName)]
struct Moved {
    #[diesel(sql_type = Bool)]
    moved: bool,
}

/// Marks where the history of a finished game is; false if it is not where it was thought to be. Locks the game's row.
async fn mark(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    from: &[&str],
    to: &str,
) -> QueryResult<bool> {
    let from = from.iter().map(|place| format!("'{place}'")).collect::<Vec<_>>().join(", ");
    let mark = diesel::sql_query(format!(
        "update games set history = '{to}', archiving_until = null where id = $1 and status = 'finished' and history in ({from})
         returning true as moved"
    ));
    let moved: Option<Moved> = mark.bind::<SqlUuid, _>(game_id).get_result(connection).await.optional()?;
    Ok(moved.is_some_and(|row| row.moved))
}

/// Writes the entry of a game and deletes its rows, in one transaction; `head` is the hash of its last event. False, and nothing is
/// done, if the game is not as it was when it was packed. The triggers compare the entry with the rows once more.
///
/// # Errors
/// The database failed, or its triggers refused.
pub async fn move_out(database: &Database, entry: &ArchivedGame, head: &Hash) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let game_id = entry.game_id;
    let moved = connection.transaction::<bool, StoreError, _>(async |connection| {
        // Whoever writes history of a started game locks its state first.
        let state =
            game_states::table.find(game_id).select((game_states::seq, game_states::head)).for_update();
        let state: Option<(i64, Vec<u8>)> = state.first(connection).await.optional()?;
        if state != Some((entry.events - 1, head.as_bytes().to_vec())) {
            return Ok(false);
        }
        if !mark(connection, game_id, &["rows", "kept"], "archive").await? {
            return Ok(false);
        }
        diesel::insert_into(archived_games::table).values(entry).execute(connection).await?;
        let events =
            diesel::delete(events::table.filter(events::game_id.eq(game_id))).execute(connection).await?;
        let of_clock = clock_lines::table.filter(clock_lines::game_id.eq(game_id));
        let lines = diesel::delete(of_clock).execute(connection).await?;
        let removed = (i64::try_from(events), i64::try_from(lines));
        if removed != (Ok(entry.events), Ok(entry.clock_lines)) {
            return Err(StoreError::Corrupt("the rows of a game that is archived".to_owned()));
        }
        Ok(true)
    });
    moved.await
}

/// Writes the rows of an archived game from its object and deletes the entry, in one transaction; from then on the game is kept in
/// the database. False if it is not archived.
///
/// # Errors
/// The database failed, or its triggers refused: the object is another game's.
pub async fn move_back(database: &Database, object: &GameObject) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let game_id = object.game();
    let moved = connection.transaction::<bool, StoreError, _>(async |connection| {
        if !mark(connection, game_id, &["archive"], "kept").await? {
            return Ok(false);
        }
        let mut next = 0;
        loop {
            let page = object.event_lines(next, u64::MAX, MAX_PAGE.into())?;
            if page.is_empty() {
                break;
            }
            let row = |(seq, line): (u64, String)| {
                (events::game_id.eq(game_id), events::seq.eq(Seq::from(seq)), events::line.eq(line))
            };
            let rows: Vec<_> = (next..).zip(page).map(row).collect();
            next += u64::try_from(rows.len()).unwrap_or(u64::MAX);
            diesel::insert_into(events::table).values(rows).execute(connection).await?;
        }
        let mut next = 0;
        loop {
            let rows = clock_rows(object, next, super::clock_lines::MAX_PAGE)?;
            let Some(last) = rows.last() else { break };
            next = last.number + 1;
            diesel::insert_into(clock_lines::table).values(rows).execute(connection).await?;
        }
        diesel::delete(archived_games::table.find(game_id)).execute(connection).await?;
        Ok(true)
    });
    moved.await
}

/// The archived games after `after`, in the order of their ids, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn page(database: &Database, after: Uuid, limit: i64) -> Result<Vec<ArchivedGame>, StoreError> {
    let page = archived_games::table
        .filter(archived_games::game_id.gt(after))
        .order(archived_games::game_id)
        .limit(limit)
        .select(ArchivedGame::as_select());
    Ok(page.load(&mut database.get().await?).await?)
}

/// Which of these objects an entry names.
///
/// # Errors
/// The database failed.
pub async fn referenced(database: &Database, objects: &[Hash]) -> Result<Vec<Vec<u8>>, StoreError> {
    let names: Vec<&[u8]> = objects.iter().map(|name| name.as_bytes().as_slice()).collect();
    let named =
        archived_games::table.filter(archived_games::object.eq_any(names)).select(archived_games::object);
    Ok(named.load(&mut database.get().await?).await?)
}

/// Entries of the archive without a game, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn orphans(database: &Database, limit: i64) -> Result<Vec<Uuid>, StoreError> {
    let game = games::table.filter(games::id.eq(archived_games::game_id));
    let orphans = archived_games::table
        .filter(diesel::dsl::not(diesel::dsl::exists(game)))
        .select(archived_games::game_id)
        .limit(limit);
    Ok(orphans.load(&mut database.get().await?).await?)
}
