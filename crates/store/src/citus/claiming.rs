//! Notices are claimed in parts: a cluster plans no recursion over tables that it knows, so `notices` come alone, then what comes by push,
//! and the rest, all in one transaction.

use diesel::sql_types::{Array, BigInt, Bool, Int2, Integer, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::named::statement;
use crate::notices::claiming::{Claim, ClaimedColumns, ClaimedNotice, claimed, claimed_notices};
use crate::{Connection, StoreError};

const TAKE: &str = concat!(
    claimed!(),
    " select id, place, fanned_out, (select o.slot from oldest o where o.place = 1) from claimed order by place"
);

const PUSH: &str = "
insert into push_messages (subscription_id, notice_id, next_attempt_at)
select s.id, n.id, greatest({now}, s.not_before)
from notices n join push_subscriptions s on s.player_id = n.player_id
where n.id = any({ids}) and n.kind = any({pushed}) on conflict do nothing";

const TELL: &str = concat!(
    "with claimed as (select n.*, o.place from notices n join unnest({ids}, {places}) as o (id, place) on o.id = n.id)",
    claimed_notices!("{oldest_slot}")
);

statement! {
    struct Take(TAKE) -> (SqlUuid, BigInt, Bool, BigInt) {
        classes: Vec<i16> = Array<Int2>,
        after: Vec<Uuid> = Array<SqlUuid>,
        limit: i64 = BigInt,
        of_each_class: i64 = BigInt,
        lease_until: OffsetDateTime = Timestamptz,
        first_slot: i64 = BigInt,
        oldest_slots: i32 = Integer,
        newest_slots: i32 = Integer,
    }
}

statement! {
    struct Push(PUSH) {
        ids: Vec<Uuid> = Array<SqlUuid>,
        pushed: Vec<&'static str> = Array<Text>,
        now: OffsetDateTime = Timestamptz,
    }
}

statement! {
    struct Tell(TELL) -> ClaimedColumns {
        ids: Vec<Uuid> = Array<SqlUuid>,
        places: Vec<i64> = Array<BigInt>,
        oldest_slot: i64 = BigInt,
    }
}

/// Carries out a claim.
pub(crate) async fn claim(
    connection: &mut Connection,
    claim: Claim,
) -> Result<Vec<ClaimedNotice>, StoreError> {
    let Claim { classes, after, limit, of_each_class, lease_until, now, pushed, .. } = claim;
    let Claim { first_slot, oldest_slots, newest_slots, .. } = claim;
    let take =
        Take { classes, after, limit, of_each_class, lease_until, first_slot, oldest_slots, newest_slots };
    let claimed = connection.transaction::<Vec<ClaimedNotice>, StoreError, _>(async |connection| {
        let taken: Vec<(Uuid, i64, bool, i64)> = take.load(connection).await?;
        let [(.., oldest_slot), ..] = *taken.as_slice() else { return Ok(Vec::new()) };
        let new = taken.iter().filter(|(_, _, fanned_out, _)| !fanned_out).map(|(id, ..)| *id);
        let push = Push { ids: new.collect(), pushed, now };
        if !push.ids.is_empty() && !push.pushed.is_empty() {
            push.execute(connection).await?;
        }
        let (ids, places) = taken.iter().map(|(id, place, ..)| (*id, *place)).unzip();
        Ok(Tell { ids, places, oldest_slot }.load(connection).await?)
    });
    claimed.await
}
