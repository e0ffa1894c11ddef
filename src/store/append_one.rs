//! The statement for a single move: the same effect as [`super::append`]'s for one game, for a third of the work.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, SmallInt, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::append::Append;
use super::database::Connection;
use super::error::StoreError;
use super::notices::NoticeKind;
use super::state_write::StateWrite;

/// The statement, with its values by name. `pippost-bench` gives the same text to pgbench.
pub const STATEMENT: &str = "\
with locked as (select game_id from game_states where game_id = {game_id}::uuid and seq = {expected_seq}::bigint \
and edition = {expected_edition}::integer for no key update), \
stored as (insert into idempotency_keys (player_id, key, fingerprint, answer, created_at) \
select {key_player}::uuid, {key}::text, {fingerprint}::bytea, {answer}::text, {now}::timestamptz from locked \
where {key}::text is not null on conflict do nothing returning key), \
moved as (update game_states set seq = {seq}::bigint, head = {head}::bytea, at = {at}::timestamptz, \
snapshot = {snapshot}::text, to_act_seat = {to_act_seat}::smallint, to_act_player = {to_act_player}::uuid, \
turn_since = {turn_since}::timestamptz, deadline_at = {deadline_at}::timestamptz, remind_at = {remind_at}::timestamptz \
where game_id = {game_id}::uuid and exists (select from locked) and ({key}::text is null or exists (select from stored)) \
returning game_id), \
written as (insert into events (game_id, seq, line) select game_id, {seq}::bigint, {line}::text from moved), \
told as (insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
select {notice_id}::uuid, {notice_kind}::text, {notice_player}::uuid, game_id, {seq}::bigint, {now}::timestamptz, 'waiting', \
{now}::timestamptz from moved where {notice_id}::uuid is not null) \
select game_id from moved";

/// Writes `append` if it has the common form: one event, at most one notice, no checkpoint, and the game continues. `None`
/// otherwise.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn append_one(
    connection: &Connection,
    right: &StateWrite,
    append: &Append,
) -> Result<Option<Vec<Uuid>>, StoreError> {
    right.expect([append.game_id]);
    let ([line], [] | [_], None, None) =
        (append.lines.as_slice(), append.notices.as_slice(), append.finished_at, &append.checkpoint)
    else {
        return Ok(None);
    };
    let statement = AppendOne::new(append, line);
    Ok(Some(statement.load::<Uuid>(&mut &**connection).await?))
}

struct AppendOne<'a> {
    append: &'a Append,
    line: &'a String,
    notice_id: Option<Uuid>,
    notice_kind: Option<NoticeKind>,
    notice_player: Option<Uuid>,
    key_player: Option<Uuid>,
    key: Option<&'a str>,
    fingerprint: Option<&'a [u8]>,
    answer: Option<&'a str>,
}

impl<'a> AppendOne<'a> {
    fn new(append: &'a Append, line: &'a String) -> Self {
        let (notice, stored) = (append.notices.as_slice().first(), append.stored_response.as_ref());
        Self {
            append,
            line,
            notice_id: notice.map(|notice| notice.id),
            notice_kind: notice.map(|notice| notice.kind),
            notice_player: notice.map(|notice| notice.player_id),
            key_player: stored.map(|stored| stored.player_id),
            key: stored.map(|stored| stored.key.as_str()),
            fingerprint: stored.map(|stored| stored.fingerprint.as_slice()),
            answer: stored.map(|stored| stored.response.as_str()),
        }
    }
}

impl QueryId for AppendOne<'_> {
    type QueryId = AppendOne<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for AppendOne<'_> {
    type SqlType = diesel::sql_types::Uuid;
}

impl QueryFragment<Pg> for AppendOne<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut parts = STATEMENT.split(['{', '}']);
        while let Some(text) = parts.next() {
            out.push_sql(text);
            if let Some(name) = parts.next() {
                self.bind(name, &mut out)?;
            }
        }
        Ok(())
    }
}

impl AppendOne<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        use diesel::sql_types::Uuid as SqlUuid;
        let (append, state) = (self.append, &self.append.state);
        match name {
            "game_id" => out.push_bind_param::<SqlUuid, _>(&append.game_id),
            "expected_seq" => out.push_bind_param::<BigInt, _>(&append.expected_seq),
            "expected_edition" => out.push_bind_param::<Integer, _>(&append.expected_edition),
            "seq" => out.push_bind_param::<BigInt, _>(&state.seq),
            "head" => out.push_bind_param::<Binary, _>(&state.head),
            "at" => out.push_bind_param::<Timestamptz, _>(&state.at),
            "snapshot" => out.push_bind_param::<Text, _>(&state.snapshot),
            "to_act_seat" => out.push_bind_param::<Nullable<SmallInt>, _>(&state.to_act_seat),
            "to_act_player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&state.to_act_player),
            "turn_since" => out.push_bind_param::<Nullable<Timestamptz>, _>(&state.turn_since),
            "deadline_at" => out.push_bind_param::<Nullable<Timestamptz>, _>(&state.deadline_at),
            "remind_at" => out.push_bind_param::<Nullable<Timestamptz>, _>(&state.remind_at),
            "line" => out.push_bind_param::<Text, _>(self.line),
            "now" => out.push_bind_param::<Timestamptz, _>(&append.now),
            "notice_id" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.notice_id),
            "notice_kind" => out.push_bind_param::<Nullable<Text>, _>(&self.notice_kind),
            "notice_player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.notice_player),
            "key_player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.key_player),
            "key" => out.push_bind_param::<Nullable<Text>, _>(&self.key),
            "fingerprint" => out.push_bind_param::<Nullable<Binary>, _>(&self.fingerprint),
            "answer" => out.push_bind_param::<Nullable<Text>, _>(&self.answer),
            _ => unreachable!("the statement names no other value"),
        }
    }
}
