//! `docs/scaling/partition.sql`: partitions events in place while servers run.

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pippost::games::audit::{self, Finding, Subject};
use pippost::record::verify;

use support::games::{pip_pip, pip_pip_again, play_to_the_end};
use support::{TestApp, cluster};

const SCRIPT: &str = include_str!("../../docs/scaling/partition.sql");

const PARTITIONS: usize = 16;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

async fn db_lines(connection: &mut AsyncPgConnection, query: &str) -> Vec<String> {
    let lines: Vec<Line> =
        diesel::sql_query(query).load(connection).await.unwrap_or_else(|error| panic!("{query}: {error}"));
    lines.into_iter().map(|row| row.line).collect()
}

async fn findings(app: &TestApp) -> Vec<Finding> {
    let mut found = Vec::new();
    audit::audit_all(&app.app.games, false, &mut |finding: &Finding| found.push(finding.clone()))
        .await
        .expect("an audit");
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_partitioned_in_place_while_servers_go_on() {
    if cluster::plain_only("events of a cluster are divided by game already") {
        return;
    }
    let app = TestApp::start().await;
    let second = app.second().await;
    let (running, [ann, bob]) = pip_pip(&app).await;
    let finished = pip_pip_again(&ann, &bob).await;
    play_to_the_end(&finished, &[ann.clone(), bob.at(&second.url)]).await;
    let mut before = Vec::new();
    for game in [&running, &finished] {
        before.push(ann.get(&format!("{game}/record")).await.text());
    }

    let mut owner = app.app.database.get().await.expect("the owner's connection");
    let written = db_lines(&mut owner, "select count(*)::text as line from events").await;
    owner.batch_execute(SCRIPT).await.expect("the script runs");
    let again = owner.batch_execute(SCRIPT).await.expect_err("it runs once");
    assert!(again.to_string().contains("already exists"), "{again}");
    owner.batch_execute("rollback").await.expect("nothing of it stays");

    for url in [&app.url, &second.url] {
        for (game, before) in [&running, &finished].into_iter().zip(&before) {
            assert_eq!(&ann.at(url).get(&format!("{game}/record")).await.text(), before);
        }
    }
    play_to_the_end(&running, &[ann.at(&second.url), bob.clone()]).await;
    let another = pip_pip_again(&ann, &bob).await;
    play_to_the_end(&another, &[ann.clone(), bob]).await;
    for game in [running, finished, another] {
        let record = ann.get(&format!("{game}/record")).await;
        assert!(verify(&record.body).unwrap_or_else(|failure| panic!("{game}: {failure}")).proved);
    }
    assert_eq!(findings(&app).await, []);
    let mut superuser = app.db_superuser().await;
    let kept = "select count(*)::text as line from events_before_partitioning";
    assert_eq!(db_lines(&mut superuser, kept).await, written);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_partition_can_be_changed_and_the_audit_looks_at_each() {
    if cluster::plain_only("events of a cluster are divided by game already") {
        return;
    }
    let app = TestApp::start().await;
    pip_pip(&app).await;
    let mut own = app.app.database.get().await.expect("the owner's connection");
    own.batch_execute(SCRIPT).await.expect("the script runs");
    let mut superuser = app.db_superuser().await;
    let partitions = db_lines(
        &mut superuser,
        "select relid::regclass::text as line from pg_partition_tree('events') where isleaf order by relid",
    )
    .await;
    assert_eq!(partitions.len(), PARTITIONS);
    let used = db_lines(&mut superuser, "select distinct tableoid::regclass::text as line from events").await;
    let [used] = used.as_slice() else { panic!("one game is in one partition: {used:?}") };
    let mut refused = Vec::new();
    for table in ["events", used, "events_before_partitioning"] {
        refused.push(format!("update {table} set line = ''"));
        refused.push(format!("delete from {table}"));
    }
    let tables = partitions.iter().map(String::as_str).chain(["events", "events_before_partitioning"]);
    refused.extend(tables.map(|table| format!("truncate {table}")));
    for statement in refused {
        for role in ["origin", "replica"] {
            let statement = format!("set session_replication_role = {role}; {statement}");
            let refusal = superuser.batch_execute(&statement).await.expect_err(&statement);
            assert!(refusal.to_string().contains("events are never changed or removed"), "{refusal}");
        }
    }
    assert_eq!(findings(&app).await, []);
    for partition in &partitions {
        for trigger in ["events_are_final", "events_are_kept"] {
            let alter = |to: &str| format!("alter table {partition} {to} trigger {trigger}");
            own.batch_execute(&alter("disable")).await.expect("the owner may");
            let found = findings(&app).await;
            assert!(
                matches!(found.as_slice(), [one] if one.part == Subject::Guard),
                "{partition}: {found:?}"
            );
            own.batch_execute(&alter("enable always")).await.expect("the owner may");
        }
    }
    assert_eq!(findings(&app).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_events_is_read_from_one_partition() {
    if cluster::plain_only("events of a cluster are divided by game already") {
        return;
    }
    let app = TestApp::start().await;
    let mut own = app.app.database.get().await.expect("the owner's connection");
    own.batch_execute(SCRIPT).await.expect("the script runs");
    let page = "select line from events where game_id = $1 and seq between 3 and 502 order by seq limit 500";
    let rows = "insert into events (game_id, seq, line) select gen_random_uuid(), seq, repeat('x', 100) \
                from generate_series(1, 4000), generate_series(1, 5) seq; analyze events";
    own.batch_execute(rows).await.expect("events");
    // The second plan is the one kept for any game.
    own.batch_execute(&format!("prepare page(uuid) as {page}")).await.expect("a statement");
    for mode in ["force_custom_plan", "force_generic_plan"] {
        own.batch_execute(&format!("set plan_cache_mode = {mode}")).await.expect("a setting");
        let plan = plan(&mut own, "execute page('01a1fe2a-89df-7515-9c5d-9fde96828ff2')").await;
        let reached = plan.matches("using events_").count();
        assert_eq!(reached, 1, "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}

async fn plan(connection: &mut AsyncPgConnection, statement: &str) -> String {
    #[derive(QueryableByName)]
    struct PlanLine {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        line: String,
    }
    let lines = diesel::sql_query(format!("explain {statement}")).load::<PlanLine>(connection).await;
    lines.expect("a plan").into_iter().map(|line| line.line).collect::<Vec<_>>().join("\n")
}
