//! Writes a single move: the same effect as [`super::grouped`]'s for one game, for a third of the work.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, SmallInt, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::append::Append;
use super::guard::StateWrite;
use super::statement::{SINGLE, bind_all};
use crate::store::{Connection, NoticeKind, StoreError};

/// Writes `append` if it has the common form: one event, at most one notice, no checkpoint, and the game continues. `None`
/// otherwise.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn write_single(
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
    let statement = SingleMove::new(append, line);
    Ok(Some(statement.load::<Uuid>(&mut &**connection).await?))
}

struct SingleMove<'a> {
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

impl<'a> SingleMove<'a> {
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

impl QueryId for SingleMove<'_> {
    type QueryId = SingleMove<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for SingleMove<'_> {
    type SqlType = diesel::sql_types::Uuid;
}

impl QueryFragment<Pg> for SingleMove<'_> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        bind_all(&SINGLE, out, |name, out| self.bind(name, out))
    }
}

impl SingleMove<'_> {
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
            "clock" => out.push_bind_param::<Nullable<Text>, _>(&state.clock),
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
