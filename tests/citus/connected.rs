//! While another program is connected, a database is not distributed; one that goes meanwhile is not in the way.

use std::time::{Duration, Instant};

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use pippost::store::{Address, citus};

use crate::cluster::{self, Cluster};

/// How long the database may take to do what is waited for, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The lock under which a database is migrated, and distributed.
const LOCK: &str = "select pg_advisory_lock(x'00706970706f7374'::bigint)";
const UNLOCK: &str = "select pg_advisory_unlock(x'00706970706f7374'::bigint)";

/// Statements that wait for that lock.
const WAITING: &str = "select count(*) as number from pg_locks where locktype = 'advisory' and not granted";

/// A transaction that has just looked for the connections of others.
const LOOKED: &str = "select count(*) as number from pg_stat_activity where state = 'idle in transaction' \
                      and query like '%pg_stat_activity%' and pid <> pg_backend_pid()";

async fn wait_for(observer: &mut AsyncPgConnection, query: &str, number: i64) {
    let begun = Instant::now();
    while cluster::number(observer, query).await != number {
        assert!(begun.elapsed() < TIMEOUT, "{number} of: {query}");
    }
}

/// A connection that looks like one between nodes.
async fn unseen(cluster: &Cluster) -> AsyncPgConnection {
    let mut connection = cluster.connection().await;
    connection.batch_execute("set application_name = 'citus_test'").await.expect("a name");
    connection
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_of_another_role_is_in_the_way_while_it_is_open_and_no_longer() {
    let cluster = Cluster::plain(1, "").await;
    let mut other = cluster.connection().await;
    other.batch_execute("select 1").await.expect("a superuser's connection");
    let refused = cluster.run(&["distribute", "--yes"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("other programs are connected"), "{said}");
    assert_eq!(cluster.number("select count(*) as number from pg_dist_partition").await, 0);
    drop(other);
    cluster.distribute();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_closed_while_the_database_is_being_distributed_is_not_waited_for() {
    let cluster = Cluster::plain(1, "").await;
    let (mut other, mut second) = (unseen(&cluster).await, unseen(&cluster).await);
    let mut observer = unseen(&cluster).await;
    other.batch_execute(LOCK).await.expect("the lock");
    let address = Address::parse(&cluster.url(), None).expect("an address");
    let distributing = tokio::spawn(async move { citus::distribute(&address, citus::SHARDS).await });
    wait_for(&mut observer, WAITING, 1).await;
    let locked = tokio::spawn(async move { second.batch_execute(LOCK).await.map(|()| second) });
    wait_for(&mut observer, WAITING, 2).await;
    // The lock is given in turn: to the look at the migrations, to the second connection, and to the transaction that waits for it.
    other.batch_execute(UNLOCK).await.expect("no lock");
    let mut second = locked.await.expect("a connection").expect("the lock");
    wait_for(&mut observer, WAITING, 1).await;
    other.batch_execute("set application_name = 'another program'").await.expect("a name");
    second.batch_execute(UNLOCK).await.expect("no lock");
    wait_for(&mut observer, LOOKED, 1).await;
    drop(other);
    distributing.await.expect("no panic").expect("a distributed database");
}
