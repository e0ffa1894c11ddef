//! Reads what an audit needs: every game at one point in time, and rows that belong to no game.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{
    AnsiTransactionManager, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection, TransactionManager,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::archived_games::{self, ArchivedGame};
use super::calendars::PlayerCalendars;
use super::checkpoints::Checkpoint;
use super::clock_lines::{self, ClockLineRow};
use super::database::{Connection, Database};
use super::error::StoreError;
use super::events::MAX_PAGE;
use super::games::{GameRow, MemberRow, StateRow, WholeGame, members_of};
use super::notices::{NoticeKind, NoticeState};
use super::numbers::Seq;
use super::schema::{
    archived_games as entries, checkpoints, events, game_players, game_states, games, notices,
};
use super::{Topology, citus};
use pippost_archive::GameObject;

/// Games listed by one query.
pub const GAMES_PAGE: i64 = 200;

/// Checkpoints read by one query.
const CHECKPOINTS_PAGE: i64 = 500;

/// The most checkpoints after the newest event that an audit of a game reads.
const MAX_LATE_CHECKPOINTS: i64 = 1000;

/// The most rows of one kind of damage outside games that an audit reports.
pub(crate) const MAX_STRAY_ROWS: i64 = 1000;

type Manager = AnsiTransactionManager;

/// Ids of games after `after`, in order, at most [`GAMES_PAGE`].
pub async fn game_ids(database: &Database, after: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let ids = games::table.filter(games::id.gt(after)).order(games::id).limit(GAMES_PAGE).select(games::id);
    Ok(ids.load(&mut connection).await?)
}

/// One game at one point in time: all its rows come from one snapshot of the database, page by page.
pub struct GameSnapshot {
    connection: Connection,
    game_id: Uuid,
    /// Its events and its clock log, if they are not read from rows.
    object: Option<GameObject>,
    /// Where to look for notices once more, if the database is distributed.
    cluster: Option<Database>,
}

/// A notice that waits where its game lives: `$1` the game, `$2` the player, `$3` the kind, `$4` the first event, `$5` since when.
const WAITS_WITH_ITS_GAME: &str = "
select count(*) > 0 as found from move_notices
where game_id = $1 and player_id = $2 and kind = $3 and seq >= $4 and created_at >= $5";

/// A notice that an audit looks for.
#[derive(Clone, Copy)]
struct Sought {
    player_id: Uuid,
    kind: NoticeKind,
    first_seq: Seq,
    since: OffsetDateTime,
}

impl Sought {
    /// Whether it is among the notices.
    async fn is_in(self, connection: &mut Connection, game_id: Uuid) -> Result<bool, StoreError> {
        // The newest first, because it is usually among them.
        let notice = notices::table
            .filter(notices::player_id.eq(self.player_id))
            .filter(notices::game_id.eq(game_id))
            .filter(notices::kind.eq(self.kind))
            .filter(notices::seq.ge(self.first_seq))
            .filter(notices::created_at.ge(self.since))
            .order(notices::id.desc())
            .select(notices::id)
            .first::<Uuid>(connection)
            .await;
        Ok(notice.optional()?.is_some())
    }

    async fn waits_with_its_game(
        self,
        connection: &mut Connection,
        game_id: Uuid,
    ) -> Result<bool, StoreError> {
        let waits: Found = diesel::sql_query(WAITS_WITH_ITS_GAME)
            .bind::<SqlUuid, _>(game_id)
            .bind::<SqlUuid, _>(self.player_id)
            .bind::<Text, _>(self.kind)
            .bind::<BigInt, _>(self.first_seq)
            .bind::<Timestamptz, _>(self.since)
            .get_result(connection)
            .await?;
        Ok(waits.found)
    }
}

impl GameSnapshot {
    /// Opens the snapshot. Dropping it without closing discards its connection.
    pub async fn open(database: &Database, game_id: Uuid) -> Result<Self, StoreError> {
        let mut connection = database.get().await?;
        <Manager as TransactionManager<AsyncPgConnection>>::begin_transaction(&mut *connection).await?;
        connection.batch_execute("set transaction isolation level repeatable read, read only").await?;
        let cluster = database.topology().is_citus().then(|| database.clone());
        Ok(Self { connection, game_id, object: None, cluster })
    }

    /// The entry of the game, if it is archived.
    pub async fn archived(&mut self) -> Result<Option<ArchivedGame>, StoreError> {
        archived_games::find(&mut self.connection, self.game_id).await
    }

    /// From now on events and clock log are read from this object.
    pub fn read_from(&mut self, object: GameObject) {
        self.object = Some(object);
    }

    /// All rows except events; `None` if the game is gone.
    pub async fn whole(&mut self) -> Result<Option<WholeGame>, StoreError> {
        let row = games::table
            .left_join(game_states::table.on(game_states::game_id.eq(games::id)))
            .filter(games::id.eq(self.game_id))
            .select((GameRow::as_select(), Option::<StateRow>::as_select()))
            .first::<(GameRow, Option<StateRow>)>(&mut self.connection)
            .await;
        let Some((game, state)) = row.optional()? else { return Ok(None) };
        let members: Vec<MemberRow> = members_of(&mut self.connection, &[self.game_id]).await?;
        Ok(Some(WholeGame { game, state, members, brought: PlayerCalendars::default() }))
    }

    /// The number of player rows, including those of deleted players.
    pub async fn seats_taken(&mut self) -> Result<i64, StoreError> {
        let of_game = game_players::table.filter(game_players::game_id.eq(self.game_id));
        Ok(of_game.count().get_result(&mut self.connection).await?)
    }

    /// Numbers and lines of the events from `first` on, in order, at most one page.
    pub async fn lines(&mut self, first: Seq) -> Result<Vec<(Seq, String)>, StoreError> {
        if let Some(object) = &self.object {
            let lines = object.event_lines(first.get(), u64::MAX, MAX_PAGE.into())?;
            return Ok((first.get()..).map(Seq::from).zip(lines).collect());
        }
        let lines = events::table
            .filter(events::game_id.eq(self.game_id))
            .filter(events::seq.ge(first))
            .order(events::seq)
            .limit(MAX_PAGE.into())
            .select((events::seq, events::line))
            .load(&mut self.connection)
            .await?;
        Ok(lines)
    }

    /// The lines of its clock log from `first` on, in order, at most one page.
    pub async fn clock_lines(&mut self, first: i32) -> Result<Vec<ClockLineRow>, StoreError> {
        if let Some(object) = &self.object {
            return Ok(archived_games::clock_rows(object, first, clock_lines::MAX_PAGE)?);
        }
        clock_lines::page_of(&mut self.connection, self.game_id, first).await
    }

    /// The checkpoints of the events from `first` to `last`, in order.
    pub async fn checkpoints(&mut self, first: Seq, last: Seq) -> Result<Vec<Checkpoint>, StoreError> {
        let found = checkpoints::table
            .filter(checkpoints::game_id.eq(self.game_id))
            .filter(checkpoints::seq.between(first, last))
            .order(checkpoints::seq)
            .limit(CHECKPOINTS_PAGE)
            .select(Checkpoint::as_select())
            .load(&mut self.connection)
            .await?;
        Ok(found)
    }

    /// The checkpoints after `newest`, which belong to no event; at most a thousand.
    pub async fn checkpoints_after(&mut self, newest: Seq) -> Result<Vec<Seq>, StoreError> {
        let found = checkpoints::table
            .filter(checkpoints::game_id.eq(self.game_id))
            .filter(checkpoints::seq.gt(newest))
            .order(checkpoints::seq)
            .limit(MAX_LATE_CHECKPOINTS)
            .select(checkpoints::seq)
            .load(&mut self.connection)
            .await?;
        Ok(found)
    }

    /// Whether the player has or had such a notice about that event, or a later one as a substitute.
    pub async fn was_told(
        &mut self,
        player_id: Uuid,
        kind: NoticeKind,
        seq: Seq,
    ) -> Result<bool, StoreError> {
        let since = OffsetDateTime::UNIX_EPOCH;
        self.is_written(Sought { player_id, kind, first_seq: seq, since }).await
    }

    /// Whether the player has, or had, a reminder of the game that was queued at `since` or later.
    pub async fn was_reminded(&mut self, player_id: Uuid, since: OffsetDateTime) -> Result<bool, StoreError> {
        let (kind, first_seq) = (NoticeKind::Reminder, Seq::START);
        self.is_written(Sought { player_id, kind, first_seq, since }).await
    }

    async fn is_written(&mut self, sought: Sought) -> Result<bool, StoreError> {
        if sought.is_in(&mut self.connection, self.game_id).await? {
            return Ok(true);
        }
        let Some(cluster) = &self.cluster else { return Ok(false) };
        // Snapshots of two nodes differ: what is neither here nor there was taken from there to here in between, and is here by now.
        if sought.waits_with_its_game(&mut self.connection, self.game_id).await? {
            return Ok(true);
        }
        // Boxed, because it is rare and would enlarge the future of every audit.
        let (cluster, game_id) = (cluster.clone(), self.game_id);
        Box::pin(async move { sought.is_in(&mut cluster.get().await?, game_id).await }).await
    }

    /// Ends the snapshot.
    pub async fn close(mut self) -> Result<(), StoreError> {
        <Manager as TransactionManager<AsyncPgConnection>>::commit_transaction(&mut *self.connection).await?;
        Ok(())
    }
}

/// Games that have events but no row of their own, at most a thousand.
pub async fn games_of_orphan_events(database: &Database) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let game = games::table.filter(games::id.eq(events::game_id));
    let orphan = events::table
        .filter(diesel::dsl::not(diesel::dsl::exists(game)))
        .select(events::game_id)
        .distinct()
        .limit(MAX_STRAY_ROWS)
        .load(&mut connection)
        .await?;
    Ok(orphan)
}

/// Games that have a state but no row of their own, at most a thousand.
pub async fn orphan_states(database: &Database) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let game = games::table.filter(games::id.eq(game_states::game_id));
    let orphan = game_states::table
        .filter(diesel::dsl::not(diesel::dsl::exists(game)))
        .select(game_states::game_id)
        .limit(MAX_STRAY_ROWS)
        .load(&mut connection)
        .await?;
    Ok(orphan)
}

/// Games that have checkpoints but no row of their own, at most a thousand.
pub async fn games_of_orphan_checkpoints(database: &Database) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let game = games::table.filter(games::id.eq(checkpoints::game_id));
    let orphan = checkpoints::table
        .filter(diesel::dsl::not(diesel::dsl::exists(game)))
        .select(checkpoints::game_id)
        .distinct()
        .limit(MAX_STRAY_ROWS)
        .load(&mut connection)
        .await?;
    Ok(orphan)
}

/// The kinds of notices that tell of an event.
pub(crate) const ABOUT_EVENTS: [NoticeKind; 4] =
    [NoticeKind::Turn, NoticeKind::Reminder, NoticeKind::GameStarted, NoticeKind::GameOver];

/// A waiting notice that refers to nothing.
#[derive(Clone, Debug, Queryable)]
pub struct OrphanNotice {
    pub id: Uuid,
    pub kind: NoticeKind,
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
}

/// Waiting notices about a game that refer to a missing event, or whose player is not in the game; at most a thousand.
pub async fn orphan_notices(database: &Database) -> Result<Vec<OrphanNotice>, StoreError> {
    let mut connection = database.get().await?;
    if database.topology() == Topology::Citus {
        return citus::auditing::orphan_notices(&mut connection).await;
    }
    let event = events::table
        .filter(events::game_id.nullable().eq(notices::game_id))
        .filter(events::seq.nullable().eq(notices::seq));
    let member = game_players::table
        .filter(game_players::game_id.nullable().eq(notices::game_id))
        .filter(game_players::player_id.nullable().eq(notices::player_id));
    // An archived game has all its events.
    let archived = entries::table
        .filter(entries::game_id.nullable().eq(notices::game_id))
        .filter(entries::events.nullable().gt(notices::seq));
    let happened = diesel::dsl::exists(event).or(diesel::dsl::exists(archived));
    let told = happened.and(diesel::dsl::exists(member));
    let orphan = notices::table
        .filter(notices::state.eq(NoticeState::Waiting))
        .filter(notices::kind.eq_any(ABOUT_EVENTS))
        .filter(diesel::dsl::not(told))
        .select((notices::id, notices::kind, notices::game_id, notices::seq))
        .limit(MAX_STRAY_ROWS)
        .load(&mut connection)
        .await?;
    Ok(orphan)
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

/// The functions of the triggers as migrations make them, byte for byte but for spaces.
const GUARDS: &[(&str, &str)] = &[
    ("refuse_change_of_history", include_str!("guards/refuse_change_of_history.sql")),
    ("guard_archived_games", include_str!("guards/guard_archived_games.sql")),
];

/// Tables with their triggers: for each row, and for TRUNCATE. Types of triggers are PostgreSQL's.
const GUARDED: &str = "
select not exists (select from
    (select 'events'::regclass as guarded, 'events_are_final' as of_rows, 27 as row_type, 'events_are_kept' as of_all, 'refuse_change_of_history' as function
    union select relid, 'events_are_final', 27, 'events_are_kept', 'refuse_change_of_history' from pg_partition_tree('events')
    union select 'clock_lines'::regclass, 'clock_lines_are_final', 27, 'clock_lines_are_kept', 'refuse_change_of_history'
    union select 'archived_games'::regclass, 'archived_games_are_true', 31, 'archived_games_are_kept', 'guard_archived_games') as tables
    where (select count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where t.tgrelid = guarded and p.proname = function and t.tgenabled = 'A'
        and ((t.tgname = of_rows and t.tgtype = row_type) or (t.tgname = of_all and t.tgtype = 34))) <> 2) as found";

/// Whether the triggers that protect history exist, are enabled on every partition, and work.
pub async fn history_is_guarded(database: &Database) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let active: Found = diesel::sql_query(GUARDED).get_result(&mut connection).await?;
    let mut guarded = active.found;
    for (name, body) in GUARDS {
        let body = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let same = diesel::sql_query(
            "select coalesce(bool_and(btrim(regexp_replace(prosrc, '\\s+', ' ', 'g')) = $2), false) as found \
             from pg_proc where proname = $1",
        );
        let same = same.bind::<Text, _>(*name).bind::<Text, _>(body);
        let same: Found = same.get_result(&mut connection).await?;
        guarded &= same.found;
    }
    match database.topology() {
        Topology::Citus if guarded => citus::auditing::shards_are_guarded(&mut connection).await,
        _ => Ok(guarded),
    }
}

/// The key of the advisory lock, used by this program only: "pipaudit" in ASCII.
const AUDIT_LOCK: i64 = 0x7069_7061_7564_6974;

/// The lock for the nightly audit, which one process holds at a time. It ends with its connection at the latest.
pub struct AuditRight(Connection);

impl AuditRight {
    /// The lock, if no other process holds it.
    pub async fn take(database: &Database) -> Result<Option<Self>, StoreError> {
        let mut connection = database.get().await?;
        <Manager as TransactionManager<AsyncPgConnection>>::begin_transaction(&mut *connection).await?;
        let lock = format!("select pg_try_advisory_xact_lock({AUDIT_LOCK}) as found");
        let taken: Found = diesel::sql_query(lock).get_result(&mut connection).await?;
        let right = Self(connection);
        if taken.found {
            return Ok(Some(right));
        }
        right.give_back().await?;
        Ok(None)
    }

    /// Releases the lock.
    pub async fn give_back(mut self) -> Result<(), StoreError> {
        <Manager as TransactionManager<AsyncPgConnection>>::commit_transaction(&mut *self.0).await?;
        Ok(())
    }
}

/// A completed nightly audit.
#[derive(Clone, Debug, PartialEq, Queryable, Insertable)]
#[diesel(table_name = super::schema::audits)]
pub struct AuditRow {
    pub day: time::Date,
    pub finished_at: OffsetDateTime,
    pub seconds: f64,
    pub games: i64,
    pub findings: i64,
}

/// The newest nightly audit.
pub async fn newest(database: &Database) -> Result<Option<AuditRow>, StoreError> {
    use super::schema::audits;
    let mut connection = database.get().await?;
    let newest = audits::table.order(audits::day.desc()).first(&mut connection).await;
    Ok(newest.optional()?)
}

/// Stores a nightly audit.
pub async fn remember(database: &Database, row: &AuditRow) -> Result<(), StoreError> {
    use super::schema::audits;
    let mut connection = database.get().await?;
    let insert = diesel::insert_into(audits::table).values(row).on_conflict_do_nothing();
    insert.execute(&mut connection).await?;
    Ok(())
}
