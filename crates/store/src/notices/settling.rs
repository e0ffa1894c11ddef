//! Settles claimed notices: what came of each, for a whole round in one statement.

use diesel::sql_types::{Array, Int2, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{NoticeState, WaitsFor};
use crate::named::statement;
use crate::{Connection, StoreError};

/// The outcome of a claimed notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledNotice {
    pub id: Uuid,
    /// As claimed: a worker whose lease has expired does not overrule its successor.
    pub attempts: i16,
    /// The number of attempts.
    pub attempts_made: i16,
    pub state: NoticeState,
    /// The time of the next attempt; for waiting ones only.
    pub next_attempt_at: Option<OffsetDateTime>,
    /// For failed, skipped or waiting ones; never an address or a secret.
    pub reason: Option<String>,
    /// For those that were put off.
    pub waits_for: Option<WaitsFor>,
}

/// Records the outcomes of notices; its values by name. The state is compared in a form that no index matches: with the index of
/// waiting notices each settlement would scan the backlog. One that waits is not ready, though it is if its lease has ended.
pub const SETTLE: &str = "
update notices n
set state = o.state, attempts = o.attempts_made, ready = false,
    reason = case o.state when 'waiting' then coalesce(o.reason, n.reason) else o.reason end,
    next_attempt_at = coalesce(o.next_attempt_at, n.next_attempt_at), waits_for = o.waits_for,
    finished_at = case o.state when 'waiting' then null else {now}::timestamptz end
from unnest({ids}, {attempts}, {attempts_made}, {states}, {next_attempts}, {reasons}, {waits_for})
    as o (id, attempts, attempts_made, state, next_attempt_at, reason, waits_for)
where n.id = o.id and n.state || '' = 'waiting' and (o.state = 'sent' or n.attempts = o.attempts)";

/// Records the outcomes of claimed notices in one statement.
///
/// # Errors
/// The statement fails.
pub async fn settle(
    connection: &mut Connection,
    settled: &[SettledNotice],
    now: OffsetDateTime,
) -> Result<usize, StoreError> {
    let settle = Settle {
        now,
        ids: settled.iter().map(|notice| notice.id).collect(),
        attempts: settled.iter().map(|notice| notice.attempts).collect(),
        attempts_made: settled.iter().map(|notice| notice.attempts_made).collect(),
        states: settled.iter().map(|notice| notice.state).collect(),
        next_attempts: settled.iter().map(|notice| notice.next_attempt_at).collect(),
        reasons: settled.iter().map(|notice| notice.reason.clone()).collect(),
        waits_for: settled.iter().map(|notice| notice.waits_for).collect(),
    };
    Ok(settle.execute(connection).await?)
}

statement! {
    /// [`SETTLE`] with its values.
    struct Settle(SETTLE) {
        now: OffsetDateTime = Timestamptz,
        ids: Vec<Uuid> = Array<SqlUuid>,
        attempts: Vec<i16> = Array<Int2>,
        attempts_made: Vec<i16> = Array<Int2>,
        states: Vec<NoticeState> = Array<Text>,
        next_attempts: Vec<Option<OffsetDateTime>> = Array<Nullable<Timestamptz>>,
        reasons: Vec<Option<String>> = Array<Nullable<Text>>,
        waits_for: Vec<Option<WaitsFor>> = Array<Nullable<Text>>,
    }
}
