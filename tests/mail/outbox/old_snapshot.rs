//! Claims beside a transaction that stays open: index entries of what was claimed before cannot be removed, and are not walked over.

use diesel::sql_types::{BigInt, Text};
use diesel_async::{AsyncConnection, RunQueryDsl, SimpleAsyncConnection};
use pippost::notices::{NoticeClass, Outbox};
use pippost::store::notices::{self, ClaimRequest, LowWaterMarks};
use pippost::store::{Connection, StoreError, Topology};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use support::TestApp;

/// Notices that were claimed and sent while the snapshot was open: some 48 slots.
const SENT: i64 = 25_000;

/// The most entries of each index that a claim of a few notices may read: those of two slots, and what it claims.
const MOST_ENTRIES: i64 = 2 * 512 + 1000;

const SENT_ALL: &str = "update notices set state = 'sent' where state = 'waiting'";

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Claims once, and counts the entries that were read meanwhile in both indexes of what waits.
async fn db_claim(
    connection: &mut Connection,
    topology: Topology,
    marks: &LowWaterMarks,
    now: OffsetDateTime,
) -> (usize, [i64; 2]) {
    let wanted = ClaimRequest {
        now,
        lease_until: now + Duration::minutes(5),
        limit: 64,
        starts: &NoticeClass::ALL.map(|class| (class, Uuid::from_u128(7))),
        pushed: &[],
    };
    // In one transaction: at its end PostgreSQL may add this connection's counts to the statistics of all, and count from 0 again.
    // On a cluster the claim opens a transaction inside it, so it is begun by Diesel, which knows of both.
    let counted = connection.transaction::<_, StoreError, _>(async |connection| {
        let before = db_entries_read(connection).await;
        let claimed = notices::claim(connection, topology, &wanted, marks).await?;
        let after = db_entries_read(connection).await;
        Ok((claimed.len(), std::array::from_fn(|index| after[index] - before[index])))
    });
    counted.await.expect("a claim")
}

/// The entries of both indexes that this connection has read and not yet added to the statistics of all.
async fn db_entries_read(connection: &mut Connection) -> [i64; 2] {
    let mut read = [0; 2];
    for (read, index) in read.iter_mut().zip(["notices_ready", "notices_put_off"]) {
        let number = diesel::sql_query("select pg_stat_get_xact_tuples_returned($1::regclass) as number");
        let number = number.bind::<Text, _>(index).get_result::<Number>(&mut **connection).await;
        *read = number.expect("a number").number;
    }
    read
}

/// That many ready notices of turns, due at `now`.
async fn db_notices(connection: &mut Connection, count: i64, now: OffsetDateTime) {
    let insert = diesel::sql_query(
        "insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
         select gen_random_uuid(), 'turn', ('01a1fe2a-89df-7515-9c5d-' || lpad((number % 500)::text, 12, '0'))::uuid, \
         gen_random_uuid(), 1, $2, 'waiting', $2 from generate_series(1, $1) number",
    );
    let insert = insert.bind::<BigInt, _>(count).bind::<diesel::sql_types::Timestamptz, _>(now);
    assert_eq!(insert.execute(&mut **connection).await.expect("notices") as u64, count.unsigned_abs());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_beside_an_old_snapshot_walks_over_nothing_that_was_claimed_long_before() {
    let app = TestApp::start().await;
    let mut old = app.db_superuser().await;
    old.batch_execute("begin isolation level repeatable read; select from notices")
        .await
        .expect("a snapshot");
    let mut connection = app.app.database.get().await.expect("a connection");
    let (begun, topology) = (app.app.clock.now(), app.app.database.topology());
    db_notices(&mut connection, SENT, begun).await;
    // As a claim, which is a lease, and then as what settles it.
    let sent = "analyze notices; \
         update notices set ready = false, attempts = 1, next_attempt_at = created_at + interval '5 minutes' where state = 'waiting'; \
         update notices set state = 'sent', finished_at = created_at where state = 'waiting'";
    connection.batch_execute(sent).await.expect("notices that were sent");

    // A process that starts looks everywhere once.
    let marks = LowWaterMarks::default();
    let later = begun + Duration::minutes(10);
    db_notices(&mut connection, 10, later).await;
    let (claimed, [ready, put_off]) = db_claim(&mut connection, topology, &marks, later).await;
    assert_eq!(claimed, 10);
    assert!(ready > SENT && put_off >= SENT, "no entries that are dead: {ready}, {put_off}");
    // After that its marks follow.
    for look in 1..=2 {
        db_claim(&mut connection, topology, &marks, later + Duration::seconds(4) * look).await;
    }
    let now = later + Duration::seconds(12);
    db_notices(&mut connection, 10, now).await;
    let (claimed, entries) = db_claim(&mut connection, topology, &marks, now).await;
    assert_eq!(claimed, 10);
    assert!(entries.iter().all(|entries| *entries < MOST_ENTRIES), "{entries:?}");
    old.batch_execute("commit").await.expect("an end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_that_is_committed_late_and_one_that_was_put_off_are_claimed_all_the_same() {
    let app = TestApp::start().await;
    let outbox = Outbox::new(app.app.database.clone());
    let mut connection = app.app.database.get().await.expect("a connection");
    let mut late = app.app.database.get().await.expect("another connection");
    let begun = app.app.clock.now();
    let claim = async |seconds: i64| {
        let claimed = outbox.claim(&NoticeClass::ALL, begun + Duration::seconds(seconds)).await;
        claimed.expect("a claim").len()
    };
    while claim(0).await > 0 {}
    // Less than three seconds late: found when the process looks back.
    late.batch_execute("begin").await.expect("a transaction");
    db_notices(&mut late, 2, begun).await;
    db_notices(&mut connection, 3000, begun).await;
    connection.batch_execute(SENT_ALL).await.expect("notices that were sent");
    db_notices(&mut connection, 1, begun).await;
    assert_eq!([claim(2).await, claim(2).await], [1, 0]);
    late.batch_execute("commit").await.expect("an end");
    assert_eq!([claim(3).await, claim(3).await], [0, 2]);
    connection
        .batch_execute("update notices set state = 'sent' where state = 'waiting'")
        .await
        .expect("an update");

    // Later.
    late.batch_execute("begin").await.expect("a transaction");
    db_notices(&mut late, 3, begun).await;
    // Slots later than the one of those three are written, claimed and settled meanwhile.
    db_notices(&mut connection, 10_000, begun).await;
    connection.batch_execute(SENT_ALL).await.expect("notices that were sent");
    for seconds in [7, 11, 15] {
        assert_eq!(claim(seconds).await, 0);
    }
    late.batch_execute("commit").await.expect("an end");
    // The marks have gone on; from time to time a claim begins at the beginning.
    assert_eq!(claim(19).await, 0);
    assert_eq!(claim(301).await, 3);
    // Their lease has run out.
    assert_eq!(claim(500).await, 0);
    assert_eq!(claim(602).await, 3);
}
