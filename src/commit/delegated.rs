//! Writes moves on a distributed database: each by a call of the function `append_move`, which Citus sends as a whole to the node of
//! its game. The calls of several moves are under way at once on one connection.
//!
//! Citus does so only for a prepared statement of the form `select f($1, …)` whose parameters are bare.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use futures_util::future::join_all;
use uuid::Uuid;

use super::append::Append;
use super::columns::MoveColumns;
use super::guard::StateWrite;
use crate::store::citus::LostNodes;
use crate::store::{Connection, NoticeKind, StoreError, TurnNumber};

/// The constraint by which a player uses a key once in a game.
const KEYS: &str = "move_keys_pkey";

/// Writes each of `appends` completely or not at all, and says of each whether it was written, in order. Each may fail by itself.
pub async fn write_delegated(
    nodes: &LostNodes,
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Vec<Result<bool, StoreError>> {
    let ids = || appends.iter().map(|append| append.game_id);
    let lost = match right.expect(ids()) {
        Ok(()) => nodes.games_among(connection, &ids().collect::<Vec<_>>()).await,
        Err(error) => Err(error.into()),
    };
    let lost = match lost {
        Ok(lost) => lost,
        // What waited behind the calls of others is settled, and decided again.
        Err(error) => return appends.iter().map(|_| Err(StoreError::InDoubt(error.to_string()))).collect(),
    };
    let write = async |append: &Append| {
        // It would wait for the node, and all others of the batch with it.
        if lost.contains(&append.game_id) {
            return Err(StoreError::LostNode);
        }
        let outcome = call(connection, right, append).await;
        if let Err(error) = &outcome {
            nodes.note(error);
        }
        outcome
    };
    join_all(appends.iter().map(|append| write(append))).await
}

async fn call(connection: &Connection, _right: &StateWrite, append: &Append) -> Result<bool, StoreError> {
    let call = AppendMove::new(append);
    match call.get_result::<bool>(&mut &**connection).await.map_err(StoreError::from) {
        Err(error) if error.violated_unique() == Some(KEYS) => Ok(false),
        outcome => outcome,
    }
}

/// The parameters of the function, in its order.
const PARAMETERS: [&str; 26] = [
    "game_id",
    "expected_seq",
    "expected_edition",
    "seq",
    "head",
    "at",
    "snapshot",
    "to_act_seat",
    "to_act_player",
    "turn_since",
    "deadline_at",
    "remind_at",
    "clock",
    "finished_at",
    "lines",
    "notice_ids",
    "notice_kinds",
    "notice_players",
    "key_player",
    "key",
    "fingerprint",
    "answer",
    "now",
    "mark_turn",
    "mark_ends",
    "mark_last_events",
];

struct AppendMove<'a> {
    columns: MoveColumns<'a>,
    notice_ids: Vec<Uuid>,
    notice_kinds: Vec<NoticeKind>,
    notice_players: Vec<Uuid>,
    mark_turn: Option<TurnNumber>,
    mark_ends: Option<bool>,
    mark_last_events: Option<&'a str>,
}

impl<'a> AppendMove<'a> {
    fn new(append: &'a Append) -> Self {
        let (notices, mark) = (|| append.notices.iter(), append.checkpoint.as_ref());
        Self {
            columns: MoveColumns::new(append),
            notice_ids: notices().map(|notice| notice.id).collect(),
            notice_kinds: notices().map(|notice| notice.kind).collect(),
            notice_players: notices().map(|notice| notice.player_id).collect(),
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
        let mut before = "select append_move(";
        for name in PARAMETERS {
            out.push_sql(before);
            self.bind(name, &mut out)?;
            before = ", ";
        }
        out.push_sql(")");
        Ok(())
    }
}

impl AppendMove<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let append = self.columns.append;
        match name {
            "finished_at" => out.push_bind_param::<Nullable<Timestamptz>, _>(&append.finished_at),
            "lines" => out.push_bind_param::<Array<Text>, _>(&append.lines),
            "notice_ids" => out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_ids),
            "notice_kinds" => out.push_bind_param::<Array<Text>, _>(&self.notice_kinds),
            "notice_players" => out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_players),
            "mark_turn" => out.push_bind_param::<Nullable<BigInt>, _>(&self.mark_turn),
            "mark_ends" => out.push_bind_param::<Nullable<Bool>, _>(&self.mark_ends),
            "mark_last_events" => out.push_bind_param::<Nullable<Text>, _>(&self.mark_last_events),
            name => self.columns.bind(name, out),
        }
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
