//! Writes a single move: the same effect as [`super::grouped`]'s for one game, for a third of the work.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::append::Append;
use super::columns::MoveColumns;
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
    right.expect([append.game_id])?;
    let ([line], [] | [_], None, None) =
        (append.lines.as_slice(), append.notices.as_slice(), append.finished_at, &append.checkpoint)
    else {
        return Ok(None);
    };
    let statement = SingleMove::new(append, line);
    Ok(Some(statement.load::<Uuid>(&mut &**connection).await?))
}

struct SingleMove<'a> {
    columns: MoveColumns<'a>,
    line: &'a String,
    notice_id: Option<Uuid>,
    notice_kind: Option<NoticeKind>,
    notice_player: Option<Uuid>,
}

impl<'a> SingleMove<'a> {
    fn new(append: &'a Append, line: &'a String) -> Self {
        let notice = append.notices.as_slice().first();
        Self {
            columns: MoveColumns::new(append),
            line,
            notice_id: notice.map(|notice| notice.id),
            notice_kind: notice.map(|notice| notice.kind),
            notice_player: notice.map(|notice| notice.player_id),
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
        match name {
            "line" => out.push_bind_param::<Text, _>(self.line),
            "notice_id" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.notice_id),
            "notice_kind" => out.push_bind_param::<Nullable<Text>, _>(&self.notice_kind),
            "notice_player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.notice_player),
            name => self.columns.bind(name, out),
        }
    }
}
