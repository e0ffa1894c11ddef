//! How writes of a game's state are sent on a cluster: each as a call of a function (`citus/functions.sql`) to the node of its game.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::future::join_all;
use time::OffsetDateTime;
use uuid::Uuid;

use super::append::Append;
use super::clocks::ClockWrite;
use super::columns::Values;
use super::guard::StateWrite;
use super::reminders::PlannedReminder;
use super::statement::{Delegated, Statement};
use crate::citus::LostNodes;
use crate::{Connection, StoreError};

/// The constraint by which a player uses a key once in a game here.
const KEYS: &str = "move_keys_pkey";

/// Writes each of `appends` completely or not at all and says of each whether it was written, in order.
/// Each may fail by itself: a call is sent as a whole to the node of its game, and several are under way at once on one connection.
pub(super) async fn write(
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
        let call = Statement::<Delegated>::new(Values::new(append, &[], &[append]));
        match call.get_result(&mut &**connection).await.map_err(StoreError::from) {
            Err(error) if error.violated_unique() == Some(KEYS) => Ok(false),
            Err(error) => {
                nodes.note(&error);
                Err(error)
            }
            Ok(written) => Ok(written),
        }
    };
    join_all(appends.iter().map(|append| write(append))).await
}

/// A reminder of one game.
const REMIND: &str = "select remind_game($1, $2, $3, $4, $5, $6, $7, $8) as done";

/// A change of one game's clock.
const CHANGE_CLOCK: &str = "select change_clock($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as done";

#[derive(QueryableByName)]
struct Done {
    #[diesel(sql_type = Bool)]
    done: bool,
}

/// As `states::remind`.
pub(super) async fn remind(
    connection: &mut AsyncPgConnection,
    _right: &StateWrite,
    planned: &[PlannedReminder],
    now: OffsetDateTime,
) -> QueryResult<usize> {
    let mut written = 0;
    for planned in planned {
        let call = diesel::sql_query(REMIND)
            .bind::<SqlUuid, _>(planned.game_id)
            .bind::<BigInt, _>(planned.expected_seq)
            .bind::<Integer, _>(planned.expected_edition)
            .bind::<Nullable<Timestamptz>, _>(planned.next_at)
            .bind::<SqlUuid, _>(Uuid::now_v7())
            .bind::<Bool, _>(planned.urgent)
            .bind::<Nullable<BigInt>, _>(planned.sent_left)
            .bind::<Timestamptz, _>(now);
        written += usize::from(call.get_result::<Done>(connection).await?.done);
    }
    Ok(written)
}

/// As `states::change_clocks`.
pub(super) async fn change_clocks(
    connection: &mut AsyncPgConnection,
    _right: &StateWrite,
    changes: &[ClockWrite],
) -> QueryResult<Vec<Uuid>> {
    let mut changed = Vec::new();
    for change in changes {
        let lines = || change.lines.iter();
        let call = diesel::sql_query(CHANGE_CLOCK)
            .bind::<SqlUuid, _>(change.game_id)
            .bind::<BigInt, _>(change.expected_seq)
            .bind::<Integer, _>(change.expected_edition)
            .bind::<Nullable<Text>, _>(&change.clock)
            .bind::<Nullable<Timestamptz>, _>(change.deadline_at)
            .bind::<Nullable<Timestamptz>, _>(change.remind_at)
            .bind::<Text, _>(&change.clock_conditions)
            .bind::<BigInt, _>(change.outage)
            .bind::<Bool, _>(change.remind_anew)
            .bind::<Array<Integer>, _>(lines().map(|line| line.number).collect::<Vec<_>>())
            .bind::<Array<Text>, _>(lines().map(|line| line.line.as_str()).collect::<Vec<_>>())
            .bind::<Array<Nullable<Text>>, _>(
                lines().map(|line| line.openings.as_deref()).collect::<Vec<_>>(),
            );
        if call.get_result::<Done>(connection).await?.done {
            changed.push(change.game_id);
        }
    }
    Ok(changed)
}
