//! Settles claimed notices: what came of each, for a whole round in one statement.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{Array, Int2, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{NoticeState, fill};
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
}

/// Records the outcomes of notices; its values by name. The state is compared in a form that no index matches: with the index of
/// waiting notices each settlement would scan the backlog.
pub const SETTLE: &str = "
update notices n
set state = o.state, attempts = o.attempts_made,
    reason = case o.state when 'waiting' then coalesce(o.reason, n.reason) else o.reason end,
    next_attempt_at = coalesce(o.next_attempt_at, n.next_attempt_at),
    finished_at = case o.state when 'waiting' then null else {now}::timestamptz end
from unnest({ids}, {attempts}, {attempts_made}, {states}, {next_attempts}, {reasons})
    as o (id, attempts, attempts_made, state, next_attempt_at, reason)
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
        reasons: settled.iter().map(|notice| notice.reason.as_deref()).collect(),
    };
    Ok(settle.execute(connection).await?)
}

/// [`SETTLE`] with its values; prepared once for each connection.
struct Settle<'a> {
    now: OffsetDateTime,
    ids: Vec<Uuid>,
    attempts: Vec<i16>,
    attempts_made: Vec<i16>,
    states: Vec<NoticeState>,
    next_attempts: Vec<Option<OffsetDateTime>>,
    reasons: Vec<Option<&'a str>>,
}

impl QueryId for Settle<'_> {
    type QueryId = Settle<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl QueryFragment<Pg> for Settle<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(SETTLE, &mut out, |name, out| match name {
            "now" => out.push_bind_param::<Timestamptz, _>(&self.now),
            "ids" => out.push_bind_param::<Array<SqlUuid>, _>(&self.ids),
            "attempts" => out.push_bind_param::<Array<Int2>, _>(&self.attempts),
            "attempts_made" => out.push_bind_param::<Array<Int2>, _>(&self.attempts_made),
            "states" => out.push_bind_param::<Array<Text>, _>(&self.states),
            "next_attempts" => out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.next_attempts),
            "reasons" => out.push_bind_param::<Array<Nullable<Text>>, _>(&self.reasons),
            _ => unreachable!("the statement names no other value"),
        })
    }
}
