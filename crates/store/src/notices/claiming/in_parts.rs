//! [`CLAIM`] for a distributed database.

use std::sync::LazyLock;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Bool, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use uuid::Uuid;

use super::super::fill;
use super::{CLAIM, Claim, ClaimedColumns, ClaimedNotice};
use crate::{Connection, StoreError};

/// What asks for the oldest slot that had something to claim.
const OLDEST_SLOT: &str = "(select o.slot from oldest o where o.place = 1)";

/// The parts of [`CLAIM`] for a cluster, which plans no recursion over tables that it knows: `notices` alone, what comes by push, and the
/// rest. They are run in one transaction.
static CLAIM_IN_PARTS: LazyLock<[String; 3]> = LazyLock::new(|| {
    let (claimed, rest) = CLAIM.split_once("), pushed as (").expect("what comes by push");
    let (_, answer) = rest.split_once("on conflict do nothing\n)\n").expect("the answer");
    [
        format!("{claimed}) select id, place, fanned_out, {OLDEST_SLOT} from claimed order by place"),
        "insert into push_messages (subscription_id, notice_id, next_attempt_at) \
         select s.id, n.id, greatest({now}, s.not_before) \
         from notices n join push_subscriptions s on s.player_id = n.player_id \
         where n.id = any({ids}) and n.kind = any({pushed}) on conflict do nothing"
            .to_owned(),
        format!(
            "with claimed as (select n.*, o.place from notices n \
             join unnest({{ids}}, {{places}}) as o (id, place) on o.id = n.id) {}",
            answer.replace(OLDEST_SLOT, "{oldest_slot}")
        ),
    ]
});

/// Claims by [`CLAIM_IN_PARTS`].
pub(super) async fn claim(
    connection: &mut Connection,
    claim: Claim,
) -> Result<Vec<ClaimedNotice>, StoreError> {
    let claimed = connection.transaction::<Vec<ClaimedNotice>, StoreError, _>(async |connection| {
        let taken: Vec<(Uuid, i64, bool, i64)> = Taken(&claim).load(connection).await?;
        let [(.., oldest_slot), ..] = *taken.as_slice() else { return Ok(Vec::new()) };
        let new = taken.iter().filter(|(_, _, fanned_out, _)| !fanned_out);
        let pushed = Pushed { claim: &claim, ids: new.map(|(id, ..)| *id).collect() };
        if !pushed.ids.is_empty() && !claim.pushed.is_empty() {
            pushed.execute(connection).await?;
        }
        let (ids, places) = taken.iter().map(|(id, place, ..)| (*id, *place)).unzip();
        Ok(Answer { ids, places, oldest_slot }.load(connection).await?)
    });
    claimed.await
}

struct Taken<'a>(&'a Claim);

struct Pushed<'a> {
    claim: &'a Claim,
    ids: Vec<Uuid>,
}

struct Answer {
    ids: Vec<Uuid>,
    places: Vec<i64>,
    oldest_slot: i64,
}

impl QueryId for Taken<'_> {
    type QueryId = Taken<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Taken<'_> {
    type SqlType = (SqlUuid, BigInt, Bool, BigInt);
}

impl QueryFragment<Pg> for Taken<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(&CLAIM_IN_PARTS[0], &mut out, |name, out| self.0.bind(name, out))
    }
}

impl QueryId for Pushed<'_> {
    type QueryId = Pushed<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl QueryFragment<Pg> for Pushed<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(&CLAIM_IN_PARTS[1], &mut out, |name, out| match name {
            "ids" => out.push_bind_param::<Array<SqlUuid>, _>(&self.ids),
            name => self.claim.bind(name, out),
        })
    }
}

impl QueryId for Answer {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Answer {
    type SqlType = ClaimedColumns;
}

impl QueryFragment<Pg> for Answer {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(&CLAIM_IN_PARTS[2], &mut out, |name, out| match name {
            "ids" => out.push_bind_param::<Array<SqlUuid>, _>(&self.ids),
            "oldest_slot" => out.push_bind_param::<BigInt, _>(&self.oldest_slot),
            "places" => out.push_bind_param::<Array<BigInt>, _>(&self.places),
            _ => unreachable!("the statement names no other value"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_has_the_parts_and_each_is_whole() {
        let [taken, pushed, answer] = &*CLAIM_IN_PARTS;
        assert!(taken.contains(OLDEST_SLOT) && taken.contains("update notices"), "{taken}");
        assert!(pushed.starts_with("insert into push_messages"), "{pushed}");
        assert!(
            answer.contains("{oldest_slot} as oldest_slot") && !answer.contains("from oldest"),
            "{answer}"
        );
        for part in [taken, answer] {
            assert!(!part.contains("push_messages"), "{part}");
            assert_eq!(part.matches('(').count(), part.matches(')').count(), "{part}");
        }
    }
}
