//! Migrations on a database that is distributed already.

use diesel_async::SimpleAsyncConnection;
use pippost::store::Address;
use pippost::store::database::{migrate, revert};

use crate::cluster::{Cluster, Server};
use crate::playing;
use support::citus_refusals::{REFUSED, TAKEN};

/// The first migration that was written when databases could be distributed.
const FIRST: &str = "2026-11-25-000220_archived_games";

/// How many migrations there are from that one on.
fn newer() -> usize {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let names =
        std::fs::read_dir(folder).expect("migrations").map(|entry| entry.expect("an entry").file_name());
    names.filter(|name| name.to_string_lossy().as_ref() >= FIRST).count()
}

/// Where tables are, columns of the coordinator's tables, and columns and constraints of every shard of the tables that migrations have changed.
async fn shape(cluster: &Cluster) -> Vec<String> {
    const COLUMNS: &str = "select string_agg(attname || ' ' || atttypid::regtype || ' ' || attnotnull, ', ' order by attname) \
                           from pg_attribute where attrelid = '%s'::regclass and attnum > 0 and not attisdropped";
    const CONSTRAINTS: &str = "select string_agg(pg_get_constraintdef(oid), ', ' order by pg_get_constraintdef(oid)) \
                               from pg_constraint where conrelid = '%s'::regclass and contype = 'c'";
    let coordinator = "select string_agg(table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable, ', ' \
                       order by table_name, column_name) as line from information_schema.columns where table_schema = 'public'";
    let places = "select string_agg(logicalrelid::text || ' ' || partmethod::text, ', ' order by logicalrelid::text) as line \
                  from pg_dist_partition";
    let mut shape = Vec::new();
    for query in [coordinator, places] {
        shape.push(cluster.line_on(cluster.ports[0], query).await);
    }
    for table in ["games", "game_states", "players"] {
        for command in [COLUMNS, CONSTRAINTS] {
            let shards = format!(
                "select string_agg(shardid || ': ' || success || ' ' || coalesce(result, ''), '; ' order by shardid, nodeport) as line \
                 from run_command_on_placements('{table}', $command${command}$command$)"
            );
            shape.push(cluster.line_on(cluster.ports[0], &shards).await);
        }
    }
    shape
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_go_back_and_forward_on_a_distributed_database_with_games() {
    let cluster = Cluster::start(2, "").await;
    let server = Server::start(&cluster, "server");
    let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
    let mut games = playing::start_all(&players, 0..6).await;
    for game in &mut games {
        game.play_move().await;
    }
    drop(server);
    let (before, address) =
        (shape(&cluster).await, Address::parse(&cluster.url(), None).expect("an address"));
    for _ in 0..newer() {
        revert(&address).await.expect("a way back");
    }
    assert_ne!(shape(&cluster).await, before, "something was taken back");
    assert_eq!(migrate(&address).await.expect("migrations"), newer());
    assert_eq!(shape(&cluster).await, before);

    cluster.audit();
    let server = Server::start(&cluster, "server");
    for game in &mut games {
        game.see_at(&server).await;
    }
    for game in playing::play_all(games).await {
        game.verify().await;
    }
    drop(server);
    cluster.audit();
}

#[tokio::test(flavor = "multi_thread")]
async fn citus_refuses_what_the_law_of_migrations_forbids_and_takes_the_rest() {
    let cluster = Cluster::start(1, "").await;
    let tries = REFUSED.map(|statement| (statement, false)).into_iter();
    for (statement, is_taken) in tries.chain(TAKEN.map(|statement| (statement, true))) {
        let mut connection = cluster.connection().await;
        connection
            .batch_execute("begin; set local citus.enable_unsafe_triggers = on")
            .await
            .expect("a transaction");
        let tried = connection.batch_execute(statement).await;
        assert_eq!(tried.is_ok(), is_taken, "{statement}: {tried:?}");
    }
}
