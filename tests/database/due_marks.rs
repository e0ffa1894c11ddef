//! Claims of webhooks and of push messages beside a transaction that stays open: index entries of what was claimed before cannot be
//! removed, and are not walked over. What is committed late is claimed all the same.

use diesel::sql_types::{BigInt, Text};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pippost::store::webhook_claims::{self, WantedWebhooks};
use pippost::store::{Connection, DueMark, StoreError, push_messages};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use support::{TestApp, cluster};

/// Rows that were claimed and settled while the snapshot was open.
const CLAIMED: i64 = 5000;

/// The most entries that a look and a claim of ten rows may read.
const MOST_ENTRIES: i64 = 100;

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// A queue whose claims are counted.
#[derive(Clone, Copy, Debug)]
enum Queue {
    Webhooks,
    Pushes,
}

impl Queue {
    fn index(self) -> &'static str {
        match self {
            Self::Webhooks => "webhooks_due",
            Self::Pushes => "push_messages_due",
        }
    }

    /// Rows that are due at `now`, each of another receiver.
    async fn db_fill(self, connection: &mut AsyncPgConnection, count: i64, now: OffsetDateTime) {
        let time = now.unix_timestamp();
        let players = format!(
            "create temporary table many on commit drop as select gen_random_uuid() as id, to_timestamp({time}) as now from generate_series(1, {count}); \
             insert into players (id, handle, email, email_key, password_hash, created_at) \
             select id, left(translate(id::text, '-', ''), 30), id || '@example.org', id || '@example.org', '', now from many"
        );
        let rows = match self {
            Self::Webhooks => {
                "insert into webhooks (id, player_id, url_sealed, format, kinds, state, created_at, secret_sealed, cursor, look_at) \
                 select id, id, '', 'standard', '{turn}', 'active', now, '', 0, now from many"
            }
            Self::Pushes => {
                "insert into sessions (id, player_id, created_at) select id, id, now from many; \
                 insert into push_subscriptions (id, player_id, session_id, endpoint_hash, host, sealed, created_at, not_before, rate_free_at) \
                 select id, id, id, sha256(id::text::bytea), 'example.org', '', now, now, now from many; \
                 insert into push_messages (subscription_id, notice_id, next_attempt_at) select id, gen_random_uuid(), now from many"
            }
        };
        connection.batch_execute(&format!("begin; {players}; {rows}; commit")).await.expect("rows");
    }

    /// Claims and settles all rows, as their workers would.
    async fn db_pass(self, connection: &mut AsyncPgConnection, filled: OffsetDateTime) {
        let after = |seconds| filled.unix_timestamp() + seconds;
        let pass = match self {
            Self::Webhooks => {
                let look_at =
                    |seconds| format!("update webhooks set look_at = to_timestamp({})", after(seconds));
                format!("{}; {}", look_at(30), look_at(30 + 24 * 60 * 60))
            }
            Self::Pushes => {
                let lease = after(60);
                format!(
                    "update push_messages set next_attempt_at = to_timestamp({lease}); delete from push_messages"
                )
            }
        };
        connection.batch_execute(&format!("analyze; {pass}")).await.expect("rows that were claimed");
    }

    /// Claims once; returns how many rows, and how many entries of the index were read for it.
    async fn db_claim(
        self,
        connection: &mut Connection,
        mark: &DueMark,
        now: OffsetDateTime,
    ) -> (usize, i64) {
        // In one transaction: at its end PostgreSQL may add this connection's counts to the statistics of all, and count from 0 again.
        let counted = connection.transaction::<_, StoreError, _>(async |connection| {
            let before = self.db_entries_read(connection).await;
            let lease_until = now + Duration::minutes(1);
            let claimed = match self {
                Self::Webhooks => {
                    let next_look = now + Duration::days(1);
                    let lease = Uuid::new_v4();
                    let wanted = WantedWebhooks { now, lease, lease_until, next_look, limit: 32 };
                    webhook_claims::claim(connection, &wanted, mark).await?.len()
                }
                Self::Pushes => {
                    push_messages::claim(connection, now, now + Duration::days(1), 32, mark).await?.len()
                }
            };
            Ok((claimed, self.db_entries_read(connection).await - before))
        });
        counted.await.expect("a claim")
    }

    /// The entries that this connection has read and not yet added to the statistics of all.
    async fn db_entries_read(self, connection: &mut Connection) -> i64 {
        if cluster::is_citus() {
            let seen = "set citus.override_table_visibility = off";
            connection.batch_execute(seen).await.expect("shards are seen");
        }
        // On a cluster rows that refer to players are in a shard on the coordinator, named by a number.
        let number = diesel::sql_query(
            "select coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::bigint as number from pg_class \
             where relname ~ ('^' || $1 || '(_[0-9]+)?$')",
        );
        let number = number.bind::<Text, _>(self.index()).get_result::<Number>(&mut **connection).await;
        number.expect("a number").number
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn claims_beside_an_old_snapshot_walk_over_nothing_that_was_claimed_long_before() {
    for queue in [Queue::Webhooks, Queue::Pushes] {
        let app = TestApp::start().await;
        let mut old = app.db_superuser().await;
        let snapshot = "begin isolation level repeatable read; select from players";
        old.batch_execute(snapshot).await.expect("a snapshot");
        let mut connection = app.app.database.get().await.expect("a connection");
        let begun = app.app.clock.now();
        queue.db_fill(&mut connection, CLAIMED, begun).await;
        queue.db_pass(&mut connection, begun).await;

        // A process that starts looks everywhere once.
        let mark = DueMark::default();
        let later = begun + Duration::minutes(10);
        queue.db_fill(&mut connection, 10, later).await;
        let (claimed, entries) = queue.db_claim(&mut connection, &mark, later).await;
        assert_eq!(claimed, 10, "{queue:?}");
        assert!(entries > CLAIMED, "{queue:?}: no entries that are dead: {entries}");
        // After that its mark follows.
        let now = later + Duration::seconds(4);
        queue.db_fill(&mut connection, 10, now).await;
        let (claimed, entries) = queue.db_claim(&mut connection, &mark, now).await;
        assert_eq!(claimed, 10, "{queue:?}");
        assert!(entries < MOST_ENTRIES, "{queue:?}: {entries}");
        old.batch_execute("commit").await.expect("an end");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_committed_late_is_claimed_all_the_same() {
    for queue in [Queue::Webhooks, Queue::Pushes] {
        let app = TestApp::start().await;
        let mut connection = app.app.database.get().await.expect("a connection");
        let (begun, mark) = (app.app.clock.now(), DueMark::default());
        let mut claim = async |seconds: i64| {
            queue.db_claim(&mut connection, &mark, begun + Duration::seconds(seconds)).await.0
        };
        let mut writer = app.db_superuser().await;
        let at = |seconds: i64| begun + Duration::seconds(seconds);
        assert_eq!(claim(0).await, 0);
        // Less than three seconds late.
        queue.db_fill(&mut writer, 2, at(1)).await;
        assert_eq!(claim(4).await, 2, "{queue:?}");
        // Later: from time to time a claim begins at the beginning.
        assert_eq!(claim(60).await, 0);
        queue.db_fill(&mut writer, 3, at(50)).await;
        assert_eq!([claim(64).await, claim(299).await, claim(300).await], [0, 0, 3], "{queue:?}");
    }
}
