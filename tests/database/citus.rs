//! Tables distributed by game with Citus. What needs a cluster runs only where `PIPPOST_TEST_DATABASE_URL` names one.

use std::collections::BTreeSet;
use std::path::Path;

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pippost::store::citus::{
    BY_GAME, DistributeError, ON_EVERY_NODE, ON_THE_COORDINATOR, SHARDS, distribute, plan,
};
use pippost::store::{Topology, database};

use support::{TestApp, cluster};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

async fn lines(connection: &mut AsyncPgConnection, query: &str) -> Vec<String> {
    let lines: Vec<Line> = diesel::sql_query(query).load(connection).await.expect("lines");
    lines.into_iter().map(|found| found.line).collect()
}

/// Every table of the schema, by name.
const TABLES: &str = "select tablename::text as line from pg_tables where schemaname = 'public' \
    and tablename not in ('citus_tables', 'citus_schemas') order by tablename";

/// The tables that only a distributed database has.
const OF_ITS_OWN: [&str; 2] = ["move_keys", "move_notices"];

#[tokio::test(flavor = "multi_thread")]
async fn every_table_has_a_place_on_a_cluster() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let mut placed: Vec<&str> = ["games"].into_iter().collect();
    placed.extend(BY_GAME);
    placed.extend(ON_EVERY_NODE);
    placed.extend(ON_THE_COORDINATOR);
    if !cluster::is_citus() {
        placed.retain(|table| !OF_ITS_OWN.contains(table));
    }
    placed.sort_unstable();
    assert_eq!(lines(&mut connection, TABLES).await, placed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_cannot_be_distributed_is_refused_with_the_reason() {
    let name = cluster::new_database().await;
    let address = cluster::address(&name);
    let refused = plan(&address).await.expect_err("it is refused");
    if cluster::is_citus() {
        assert!(matches!(refused, DistributeError::Already), "{refused}");
        let again = distribute(&address, SHARDS).await.expect_err("it is refused");
        assert!(matches!(again, DistributeError::Already), "{again}");
    } else {
        assert!(matches!(refused, DistributeError::NoExtension), "{refused}");
    }
    let bare = cluster::address(&cluster::bare_database().await);
    let refused = plan(&bare).await.expect_err("it is refused");
    assert!(matches!(refused, DistributeError::OtherVersion), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_topology_is_read_from_the_database() {
    let app = TestApp::start().await;
    let expected = if cluster::is_citus() { Topology::Citus } else { Topology::Plain };
    assert_eq!(app.app.database.topology(), expected);
    if cluster::is_citus() {
        a_move_is_sent_to_the_node_of_its_game_as_a_whole(&app).await;
    }
    let bare = cluster::address(&cluster::bare_database().await);
    let mut connection = database::open(&bare).await.expect("a connection");
    assert_eq!(Topology::of(&mut connection).await.expect("a topology"), Topology::Plain);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_of_a_cluster_is_refused_because_people_are_on_the_coordinator() {
    let name = cluster::new_database().await;
    let [_, workers @ ..] = &*cluster::addresses(&name) else { panic!("there is a node") };
    assert_eq!(cluster::is_citus(), !workers.is_empty());
    for worker in workers {
        let refused = database::migrate(worker).await.expect_err("it is refused");
        assert!(refused.to_string().contains("must name the coordinator"), "{refused}");
    }
}

/// A call as the program makes it: prepared, with bare parameters.
const PREPARED: &str = "prepare one_move(uuid, bigint, integer, bigint, bytea, timestamptz, text, smallint, uuid, timestamptz, \
    timestamptz, timestamptz, text, timestamptz, text[], uuid[], text[], uuid[], uuid, text, bytea, text, timestamptz, bigint, \
    boolean, text) as select append_move($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, \
    $20, $21, $22, $23, $24, $25, $26)";

#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    line: String,
}

async fn a_move_is_sent_to_the_node_of_its_game_as_a_whole(app: &TestApp) {
    let mut connection = app.app.database.get().await.expect("a connection");
    diesel::sql_query(PREPARED).execute(&mut connection).await.expect("a statement");
    let explain = "explain execute one_move('01a1fe2a-89df-7515-9c5d-9fde96828ff2', 0, 0, 1, '', now(), '{}', 1::smallint, null, \
        now(), null, null, null, null, array['line'], '{}', '{}', '{}', null, null, null, null, now(), null, null, null)";
    let plan: Vec<Plan> = diesel::sql_query(explain).load(&mut connection).await.expect("a plan");
    let plan: Vec<String> = plan.into_iter().map(|row| row.line).collect();
    let plan = plan.join("\n");
    // A call that is not sent on is a plain `Result`.
    assert!(plan.starts_with("Custom Scan (Citus Adaptive)") && plan.contains("Task Count: 1"), "{plan}");
}

/// The reasons of all tests that end early on a cluster, as the sources have them.
fn reasons(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(reasons(&path));
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let calls = text.split(concat!("plain_only", "(\"")).skip(1);
        found.extend(calls.map(|call| call.split('"').next().expect("a reason").to_owned()));
    }
    found
}

#[test]
fn the_page_names_every_reason_for_which_a_test_does_not_run_on_a_cluster() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/SCALING.md")).expect("a page");
    let listed: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| *")?.split_once("* |"))
        .map(|(reason, _)| reason.to_owned())
        .collect();
    assert_eq!(reasons(&root.join("tests")), listed);
}
