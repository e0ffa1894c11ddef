//! What waits to be sent: why, how much, since when; and what lets it be sent now.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Int2, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{NoticeKind, NoticeState};
use crate::text_enum::text_enum;
use crate::{Database, StoreError};

text_enum! {
    "what a notice waits for",
    /// What a notice waits for that was put off, while nobody has claimed it.
    pub enum WaitsFor {
        /// Its next attempt, after one that failed.
        Retry = "retry",
        /// That the mail server can be reached.
        Server = "server",
        /// That an operator releases it.
        Operator = "operator",
    }
}

/// How many notices wait of each class, and since when the oldest does. A class that has none has no row.
pub const WAITING_BY_CLASS: &str = "
select w.class, count(*) as waiting, min(w.created_at) as oldest from (
    select class, created_at from notices where state = 'waiting' and ready
    union all
    select class, created_at from notices where state = 'waiting' and not ready
) w group by w.class order by w.class";

/// The notices of a class that wait.
#[derive(Clone, Debug, QueryableByName)]
pub struct WaitingClass {
    /// The place in [`NoticeClass::ALL`](super::NoticeClass::ALL).
    #[diesel(sql_type = Int2)]
    pub class: i16,
    #[diesel(sql_type = BigInt)]
    pub waiting: i64,
    #[diesel(sql_type = Timestamptz)]
    pub oldest: OffsetDateTime,
}

/// What waits, by class.
///
/// # Errors
/// The database failed.
pub async fn by_class(database: &Database) -> Result<Vec<WaitingClass>, StoreError> {
    let mut connection = database.get().await?;
    Ok(diesel::sql_query(WAITING_BY_CLASS).load(&mut connection).await?)
}

/// Why the mail server was not reached last, if mails wait for it.
pub const SERVER_FAULT: &str = "
select reason from notices where state = 'waiting' and waits_for = 'server' order by next_attempt_at desc limit 1";

#[derive(QueryableByName)]
struct Fault {
    #[diesel(sql_type = Nullable<Text>)]
    reason: Option<String>,
}

/// Why the mail server was not reached last; `None` if no mail waits for it. The text has no address and no secret.
///
/// # Errors
/// The database failed.
pub async fn server_fault(database: &Database) -> Result<Option<String>, StoreError> {
    let mut connection = database.get().await?;
    let fault: Option<Fault> =
        diesel::sql_query(SERVER_FAULT).get_result(&mut connection).await.optional()?;
    Ok(fault.map(|fault| fault.reason.unwrap_or_default()))
}

/// Makes notices due that wait for `$1`, the first ones first and at most `$3`: `$2` now. They are chosen once, before any is changed.
pub const RELEASE: &str = "
with due as materialized (
    select id from notices where state = 'waiting' and waits_for = $1 order by next_attempt_at limit $3 for update skip locked
)
update notices n set ready = true, slot = next_notice_slot(), next_attempt_at = $2, waits_for = null
from due where n.id = due.id";

/// Makes at most `limit` notices due at `now` that wait for this; returns how many.
///
/// # Errors
/// The database failed.
pub async fn release(
    database: &Database,
    waits_for: WaitsFor,
    limit: i64,
    now: OffsetDateTime,
) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let release = diesel::sql_query(RELEASE).bind::<Text, _>(waits_for).bind::<Timestamptz, _>(now);
    Ok(release.bind::<BigInt, _>(limit).execute(&mut connection).await?)
}

/// The notices that wait for `$1`, with the addresses to which they go, from the time `$2` and the id `$3` on, at most `$4`.
pub const ADDRESSES: &str = "
select w.id, w.next_attempt_at, coalesce(w.address, l.email, p.email, '') as address
from (
    select id, address, player_id, link_id, next_attempt_at from notices
    where state = 'waiting' and waits_for = $1 and (next_attempt_at, id) > ($2, $3) order by next_attempt_at, id limit $4
) w
left join mail_links l on l.id = w.link_id
left join players p on p.id = w.player_id
order by w.next_attempt_at, w.id";

#[derive(QueryableByName)]
struct Addressed {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    next_attempt_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    address: String,
}

/// How many notices are looked at together for a domain.
const PAGE: i64 = 1000;

/// Makes all notices due at `now` that wait for this and whose address `is_meant`; returns how many.
///
/// # Errors
/// The database failed.
pub async fn release_to(
    database: &Database,
    waits_for: WaitsFor,
    now: OffsetDateTime,
    is_meant: impl Fn(&str) -> bool,
) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let (mut after, mut released) = ((OffsetDateTime::UNIX_EPOCH, Uuid::nil()), 0);
    loop {
        let page = diesel::sql_query(ADDRESSES).bind::<Text, _>(waits_for);
        let page = page.bind::<Timestamptz, _>(after.0).bind::<SqlUuid, _>(after.1);
        let page: Vec<Addressed> = page.bind::<BigInt, _>(PAGE).load(&mut connection).await?;
        let Some(last) = page.last() else { return Ok(released) };
        after = (last.next_attempt_at, last.id);
        let meant: Vec<Uuid> = page.iter().filter(|row| is_meant(&row.address)).map(|row| row.id).collect();
        let release = diesel::sql_query(RELEASE_THESE).bind::<Array<SqlUuid>, _>(meant);
        let release = release.bind::<Timestamptz, _>(now).bind::<Text, _>(waits_for);
        released += release.execute(&mut connection).await?;
    }
}

const RELEASE_THESE: &str = "
update notices set ready = true, slot = next_notice_slot(), next_attempt_at = $2, waits_for = null
where id = any($1) and state = 'waiting' and waits_for = $3";

/// Also one that was given up, which begins anew.
const RELEASE_ONE: &str = "
update notices set state = 'waiting', ready = true, slot = next_notice_slot(), next_attempt_at = $2, waits_for = null,
    attempts = case state when 'failed' then 0 else attempts end, finished_at = null
where id = $1 and (state = 'failed' or state = 'waiting' and waits_for is not null)";

/// Makes one notice due at `now` that was put off or given up; false if it is neither.
///
/// # Errors
/// The database failed.
pub async fn release_one(database: &Database, id: Uuid, now: OffsetDateTime) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let release = diesel::sql_query(RELEASE_ONE).bind::<SqlUuid, _>(id).bind::<Timestamptz, _>(now);
    Ok(release.execute(&mut connection).await? > 0)
}

/// What waits, by class and receiving domain, for operators.
const BY_DOMAIN: &str = "
select w.class, lower(coalesce(substring(coalesce(w.address, l.email, p.email) from '@([^@]*)$'), '')) as domain,
    count(*) as waiting, count(*) filter (where w.waits_for = 'operator') as held,
    count(*) filter (where w.waits_for in ('retry', 'server')) as put_off, min(w.created_at) as oldest
from (
    select class, address, player_id, link_id, waits_for, created_at from notices where state = 'waiting' and ready
    union all
    select class, address, player_id, link_id, waits_for, created_at from notices where state = 'waiting' and not ready
) w
left join mail_links l on l.id = w.link_id
left join players p on p.id = w.player_id
group by 1, 2 order by waiting desc, w.class, domain limit $1";

/// The notices of a class to a domain that wait.
#[derive(Clone, Debug, QueryableByName)]
pub struct WaitingDomain {
    /// The place in [`NoticeClass::ALL`](super::NoticeClass::ALL).
    #[diesel(sql_type = Int2)]
    pub class: i16,
    #[diesel(sql_type = Text)]
    pub domain: String,
    #[diesel(sql_type = BigInt)]
    pub waiting: i64,
    #[diesel(sql_type = BigInt)]
    pub held: i64,
    /// After an attempt that failed.
    #[diesel(sql_type = BigInt)]
    pub put_off: i64,
    #[diesel(sql_type = Timestamptz)]
    pub oldest: OffsetDateTime,
}

/// What waits, by class and domain, most first.
///
/// # Errors
/// The database failed.
pub async fn by_domain(database: &Database, limit: i64) -> Result<Vec<WaitingDomain>, StoreError> {
    let mut connection = database.get().await?;
    Ok(diesel::sql_query(BY_DOMAIN).bind::<BigInt, _>(limit).load(&mut connection).await?)
}

/// The notices that wait, oldest first, to a domain or to all: at most `$1`.
const LISTED: &str = "
select w.id, w.kind, coalesce(w.address, l.email, p.email) as address, w.waits_for, w.created_at, w.reason
from (
    select id, kind, address, player_id, link_id, waits_for, created_at, reason from notices where state = 'waiting' and ready
    union all
    select id, kind, address, player_id, link_id, waits_for, created_at, reason from notices where state = 'waiting' and not ready
) w
left join mail_links l on l.id = w.link_id
left join players p on p.id = w.player_id
where $2 is null or lower(substring(coalesce(w.address, l.email, p.email) from '@([^@]*)$')) = $2
order by w.created_at, w.id limit $1";

/// One of the notices that wait.
#[derive(Clone, Debug, QueryableByName)]
pub struct WaitingNotice {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub kind: NoticeKind,
    #[diesel(sql_type = Nullable<Text>)]
    pub address: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    pub waits_for: Option<WaitsFor>,
    #[diesel(sql_type = Timestamptz)]
    pub created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Text>)]
    pub reason: Option<String>,
}

/// The notices that wait, oldest first, to a domain or to all.
///
/// # Errors
/// The database failed.
pub async fn listed(
    database: &Database,
    domain: Option<&str>,
    limit: i64,
) -> Result<Vec<WaitingNotice>, StoreError> {
    let mut connection = database.get().await?;
    let listed = diesel::sql_query(LISTED).bind::<BigInt, _>(limit);
    let listed = listed.bind::<Nullable<Text>, _>(domain.map(str::to_lowercase));
    Ok(listed.load(&mut connection).await?)
}

/// A notice with all that an operator is shown.
#[derive(Clone, Debug, QueryableByName)]
pub struct NoticeDetails {
    #[diesel(sql_type = Text)]
    pub kind: NoticeKind,
    #[diesel(sql_type = Nullable<Text>)]
    pub address: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    pub handle: Option<String>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub game_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    pub state: NoticeState,
    #[diesel(sql_type = Nullable<Text>)]
    pub waits_for: Option<WaitsFor>,
    #[diesel(sql_type = Bool)]
    pub ready: bool,
    #[diesel(sql_type = Int2)]
    pub attempts: i16,
    #[diesel(sql_type = Timestamptz)]
    pub created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    pub next_attempt_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub finished_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    pub reason: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    pub bounce_code: Option<String>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub thread_root: Option<Uuid>,
}

const DETAILS: &str = "
select n.kind, coalesce(n.address, l.email, p.email) as address, p.handle, n.game_id, n.state, n.waits_for, n.ready, n.attempts, n.created_at,
    n.next_attempt_at, n.finished_at, n.reason, n.bounce_code, r.id as thread_root
from notices n
left join mail_links l on l.id = n.link_id
left join players p on p.id = n.player_id
left join notices r on r.game_id = n.game_id and r.player_id = n.player_id and r.seq = 0 and r.kind in ('turn', 'game_started')
where n.id = $1";

/// The notice with this id.
///
/// # Errors
/// The database failed.
pub async fn details(database: &Database, id: Uuid) -> Result<Option<NoticeDetails>, StoreError> {
    let mut connection = database.get().await?;
    let found = diesel::sql_query(DETAILS).bind::<SqlUuid, _>(id);
    Ok(found.get_result(&mut connection).await.optional()?)
}
