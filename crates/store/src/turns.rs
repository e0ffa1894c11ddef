//! Finds games whose deadline or reminder is due.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Int2, Int4, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AnsiTransactionManager, AsyncPgConnection, RunQueryDsl, TransactionManager};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::{Connection, Database};
use super::error::StoreError;
use super::numbers::{Edition, Seq};
use super::queue::set_aside_until;
use super::schema::game_states;
use super::{Topology, citus};

/// Games whose deadline is past, that are not set aside, and that no other worker has claimed: `$1` now, `$2` how many. The index that
/// deadlines and reminders share finds them in its order. The planner assumes that a third of all is due: with a further condition that it
/// can estimate, or another order, it may read the whole table. So the later conditions have a form that it cannot estimate. A claim is an
/// advisory lock, "flag" in ASCII with a hash of the game's id, until the transaction ends: it hinders no move, and ends with its worker.
pub const FLAGS_DUE: &str = concat!(
    "
select game_id from game_states s
where deadline_at is not null and least(remind_at, deadline_at) <= $1
    and case when coalesce(deadline_at, 'infinity') <= $1 and ",
    set_aside_until!("flag", "s.game_id"),
    " <= $1 then pg_try_advisory_xact_lock(1718378855, hashtext(game_id::text)) else false end
order by least(remind_at, deadline_at) limit $2"
);

/// Games in which a reminder is due, found in the same way.
pub const REMINDERS_DUE: &str = "
select game_id from game_states
where deadline_at is not null and least(remind_at, deadline_at) <= $1 and coalesce(remind_at, 'infinity') <= $1
order by least(remind_at, deadline_at) limit $2";

/// Games with their clocks, the reminders that their players want, and those that were sent since the clock began to run: `$1`.
pub const REMINDED_CLOCKS: &str = "
select s.game_id, s.seq, s.edition, s.to_act_seat, s.turn_since, s.deadline_at, s.clock as running,
    g.time_control, g.limit_hours, g.clock as clock_conditions,
    w.reminder_schedule, w.last_reminder_in_quiet_hours, w.zone, w.quiet_from, w.quiet_until, r.sent_left
from game_states s
left join games g on g.id = s.game_id
left join player_preferences w on w.player_id = s.to_act_player
left join turn_reminders r on r.game_id = s.game_id and r.turn_since = s.turn_since
where s.game_id = any($1)";

/// A row of [`REMINDED_CLOCKS`].
#[derive(Clone, Debug, QueryableByName)]
pub struct RemindedClock {
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    #[diesel(sql_type = BigInt)]
    pub seq: Seq,
    #[diesel(sql_type = Int4)]
    pub edition: Edition,
    #[diesel(sql_type = Nullable<Int2>)]
    pub to_act_seat: Option<i16>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub turn_since: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub deadline_at: Option<OffsetDateTime>,
    /// The running clock as JSON, as in [`StateRow`](super::games::StateRow).
    #[diesel(sql_type = Nullable<Text>)]
    pub running: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    pub time_control: Option<String>,
    #[diesel(sql_type = Nullable<Int4>)]
    pub limit_hours: Option<i32>,
    /// As in [`GameRow`](super::games::GameRow).
    #[diesel(sql_type = Nullable<Text>)]
    pub clock_conditions: Option<String>,
    /// None: the player has no preferences.
    #[diesel(sql_type = Nullable<Text>)]
    pub reminder_schedule: Option<String>,
    #[diesel(sql_type = Nullable<Bool>)]
    pub last_reminder_in_quiet_hours: Option<bool>,
    #[diesel(sql_type = Nullable<Text>)]
    pub zone: Option<String>,
    #[diesel(sql_type = Nullable<Int2>)]
    pub quiet_from: Option<i16>,
    #[diesel(sql_type = Nullable<Int2>)]
    pub quiet_until: Option<i16>,
    /// Down to how much time left reminders were sent; microseconds.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub sent_left: Option<i64>,
}

/// The clocks of these games, and the reminders that their players want.
pub async fn reminded_clocks(
    database: &Database,
    game_ids: &[Uuid],
) -> Result<Vec<RemindedClock>, StoreError> {
    let clocks = diesel::sql_query(REMINDED_CLOCKS).bind::<Array<SqlUuid>, _>(game_ids);
    Ok(clocks.load(&mut database.get().await?).await?)
}

type Manager = AnsiTransactionManager;

#[derive(QueryableByName)]
struct Due {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
}

async fn due(
    connection: &mut Connection,
    statement: &str,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let due = diesel::sql_query(statement).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    Ok(ids(due.load(connection).await?))
}

/// Games whose flags one worker lets fall, and no other meanwhile.
pub struct ClaimedFlags {
    pub game_ids: Vec<Uuid>,
    /// Its transaction holds the claims. They end with the connection at the latest.
    connection: Connection,
}

impl ClaimedFlags {
    /// Ends the claims.
    pub async fn release(mut self) -> Result<(), StoreError> {
        <Manager as TransactionManager<AsyncPgConnection>>::commit_transaction(&mut *self.connection).await?;
        Ok(())
    }
}

/// Claims games whose deadline is `now` or earlier and that are not set aside, longest overdue first.
pub async fn claim_flags(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<ClaimedFlags, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    <Manager as TransactionManager<AsyncPgConnection>>::begin_transaction(&mut *connection).await?;
    let game_ids = match database.topology() {
        Topology::Plain => due(&mut connection, FLAGS_DUE, now, limit).await?,
        Topology::Citus => citus::taking::flags(&mut connection, now, limit).await?,
    };
    Ok(ClaimedFlags { game_ids, connection })
}

fn ids(rows: Vec<Due>) -> Vec<Uuid> {
    rows.into_iter().map(|row| row.game_id).collect()
}

/// Whether the game's deadline is `now` or earlier.
pub async fn is_past_deadline(
    database: &Database,
    game_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let state = game_states::table.find(game_id).filter(game_states::deadline_at.le(now));
    Ok(diesel::select(diesel::dsl::exists(state)).get_result(&mut connection).await?)
}

/// Games in which a reminder is due, longest overdue first.
pub async fn reminder_due(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    due(&mut database.get_for_all_nodes().await?, REMINDERS_DUE, now, limit).await
}
