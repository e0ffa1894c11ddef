//! Writes moves on a distributed database: each by a call of the function `append_move`, which Citus sends as a whole to the node of
//! its game. The calls of several moves are under way at once on one connection.
//!
//! Citus does so only for a prepared statement of the form `select f($1, …)` whose parameters are bare.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, SmallInt, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use futures_util::future::join_all;
use uuid::Uuid;

use super::append::Append;
use super::guard::StateWrite;
use crate::store::{Connection, NoticeKind, StoreError, TurnNumber};

/// The constraint by which a player uses a key once in a game.
const KEYS: &str = "move_keys_pkey";

/// Writes each of `appends` completely or not at all, and says of each whether it was written, in order. Each may fail by itself.
pub async fn write_delegated(
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Vec<Result<bool, StoreError>> {
    right.expect(appends.iter().map(|append| append.game_id));
    join_all(appends.iter().map(|append| call(connection, right, append))).await
}

async fn call(connection: &Connection, _right: &StateWrite, append: &Append) -> Result<bool, StoreError> {
    let call = AppendMove::new(append);
    match call.get_result::<bool>(&mut &**connection).await.map_err(StoreError::from) {
        Err(error) if error.violated_unique() == Some(KEYS) => Ok(false),
        outcome => outcome,
    }
}

struct AppendMove<'a> {
    append: &'a Append,
    notice_ids: Vec<Uuid>,
    notice_kinds: Vec<NoticeKind>,
    notice_players: Vec<Uuid>,
    key_player: Option<Uuid>,
    key: Option<&'a str>,
    fingerprint: Option<&'a [u8]>,
    answer: Option<&'a str>,
    mark_turn: Option<TurnNumber>,
    mark_ends: Option<bool>,
    mark_last_events: Option<&'a str>,
}

impl<'a> AppendMove<'a> {
    fn new(append: &'a Append) -> Self {
        let notices = || append.notices.iter();
        let (stored, mark) = (append.stored_response.as_ref(), append.checkpoint.as_ref());
        Self {
            append,
            notice_ids: notices().map(|notice| notice.id).collect(),
            notice_kinds: notices().map(|notice| notice.kind).collect(),
            notice_players: notices().map(|notice| notice.player_id).collect(),
            key_player: stored.map(|stored| stored.player_id),
            key: stored.map(|stored| stored.key.as_str()),
            fingerprint: stored.map(|stored| stored.fingerprint.as_slice()),
            answer: stored.map(|stored| stored.response.as_str()),
            mark_turn: mark.map(|mark| mark.turn),
            mark_ends: mark.map(|mark| mark.ends_turn),
            mark_last_events: mark.map(|mark| mark.last_events.as_str()),
        }
    }
}

impl QueryId for AppendMove<'_> {
    type QueryId = AppendMove<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for AppendMove<'_> {
    type SqlType = Bool;
}

impl QueryFragment<Pg> for AppendMove<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("select append_move(");
        self.bind_state(&mut out)?;
        self.bind_told(&mut out)?;
        self.bind_stored(&mut out)?;
        out.push_sql(")");
        Ok(())
    }
}

/// Binds values that are not the first, one after the other.
macro_rules! bind_next {
    ($out:expr, $($sql_type:ty: $value:expr),+ $(,)?) => {
        $($out.push_sql(", "); $out.push_bind_param::<$sql_type, _>($value)?;)+
    };
}

impl AppendMove<'_> {
    fn bind_state<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        use diesel::sql_types::Uuid as SqlUuid;
        let (append, state) = (self.append, &self.append.state);
        out.push_bind_param::<SqlUuid, _>(&append.game_id)?;
        bind_next!(
            out,
            BigInt: &append.expected_seq,
            Integer: &append.expected_edition,
            BigInt: &state.seq,
            Binary: &state.head,
            Timestamptz: &state.at,
            Text: &state.snapshot,
            Nullable<SmallInt>: &state.to_act_seat,
            Nullable<SqlUuid>: &state.to_act_player,
            Nullable<Timestamptz>: &state.turn_since,
            Nullable<Timestamptz>: &state.deadline_at,
            Nullable<Timestamptz>: &state.remind_at,
            Nullable<Text>: &state.clock,
            Nullable<Timestamptz>: &append.finished_at,
        );
        Ok(())
    }

    fn bind_told<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        use diesel::sql_types::Uuid as SqlUuid;
        bind_next!(
            out,
            Array<Text>: &self.append.lines,
            Array<SqlUuid>: &self.notice_ids,
            Array<Text>: &self.notice_kinds,
            Array<SqlUuid>: &self.notice_players,
        );
        Ok(())
    }

    fn bind_stored<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        use diesel::sql_types::Uuid as SqlUuid;
        bind_next!(
            out,
            Nullable<SqlUuid>: &self.key_player,
            Nullable<Text>: &self.key,
            Nullable<Binary>: &self.fingerprint,
            Nullable<Text>: &self.answer,
            Timestamptz: &self.append.now,
            Nullable<BigInt>: &self.mark_turn,
            Nullable<Bool>: &self.mark_ends,
            Nullable<Text>: &self.mark_last_events,
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;

    use super::*;
    use crate::commit::NewState;
    use crate::store::{Edition, Seq};

    #[test]
    fn the_parameters_are_bare_so_that_the_call_is_delegated() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let state = NewState {
            seq: Seq::START,
            head: Vec::new(),
            at: now,
            snapshot: String::new(),
            to_act_seat: None,
            to_act_player: None,
            turn_since: None,
            deadline_at: None,
            remind_at: None,
            clock: None,
        };
        let append = Append {
            game_id: Uuid::nil(),
            expected_seq: Seq::START,
            expected_edition: Edition::of_time(now),
            lines: Vec::new(),
            state,
            finished_at: None,
            notices: Vec::new(),
            stored_response: None,
            checkpoint: None,
            now,
        };
        let call = AppendMove::new(&append);
        let text = diesel::debug_query::<Pg, _>(&call).to_string();
        let parameters = (1..=26).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ");
        assert_eq!(text.split(" -- ").next(), Some(format!("select append_move({parameters})").as_str()));
    }
}
