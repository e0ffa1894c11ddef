//! The scripts of `docs/scaling` that only a larger site needs: they are valid SQL, and their figures are those of the page.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

use crate::support::{TestApp, cluster};

const CITUS: &str = include_str!("../../../docs/scaling/citus.sql");
const PLAN: &str = include_str!("../../../docs/scaling/plan.sql");
const PAGE: &str = include_str!("../../../docs/SCALING.md");

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_s_figures_are_those_of_its_arithmetic() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let plan = PLAN.trim_end().trim_end_matches(';');
    let lines: Vec<Line> = diesel::sql_query(plan).load(&mut connection).await.expect("the plan's lines");
    assert!(lines.len() > 10);
    for Line { line } in lines {
        assert!(PAGE.contains(&line), "docs/SCALING.md lacks {line}");
    }
}

/// Stand-ins that do nothing: Citus' own functions move the rows to other nodes.
const STAND_INS: &str = "
    create function create_reference_table(regclass) returns void language sql as '';
    create function create_distributed_table(regclass, text, colocate_with text default null) returns void language sql as '';
    create function create_distributed_function(regprocedure, text, colocate_with text) returns void language sql as '';";

/// A started game; a move reads nothing of it but its state.
const BEGUN: &str = "
    insert into game_states (game_id, seq, head, at, snapshot, to_act_seat)
    values ('01a1fe2a-89df-7515-9c5d-9fde96828ff2', 0, '', now(), '{}', 0)";

async fn append_move(connection: &mut AsyncPgConnection, expected_seq: i64, key: &str) -> bool {
    #[derive(QueryableByName)]
    struct Appended {
        #[diesel(sql_type = Bool)]
        append_move: bool,
    }
    let call = format!(
        "select append_move('01a1fe2a-89df-7515-9c5d-9fde96828ff2', {expected_seq}, 0, 'line', '', now(), '{{}}', 1::smallint, null, \
         now(), null, null, null, gen_random_uuid(), 'turn', gen_random_uuid(), '01a1fe2a-89df-7515-9c5d-9fde96828ff3', {key}, '', \
         'answer', now())"
    );
    let appended: Appended = diesel::sql_query(call).get_result(connection).await.expect("an answer");
    appended.append_move
}

async fn counts(connection: &mut AsyncPgConnection) -> String {
    let query = "select concat_ws(' ', (select max(seq) from game_states), (select count(*) from events), \
                 (select count(*) from notices), (select count(*) from idempotency_keys)) as line";
    let counted: Line = diesel::sql_query(query).get_result(connection).await.expect("numbers");
    counted.line
}

#[tokio::test(flavor = "multi_thread")]
async fn the_script_for_citus_is_whole_and_its_move_is_guarded() {
    let name = cluster::new_database().await;
    let mut connection =
        pippost::store::database::open(&cluster::address(&name)).await.expect("the owner's connection");
    for script in [STAND_INS, CITUS, BEGUN] {
        connection.batch_execute(script).await.unwrap_or_else(|error| panic!("{error}: {script}"));
    }
    assert!(append_move(&mut connection, 0, "'k'").await);
    assert_eq!(counts(&mut connection).await, "1 1 1 1");
    assert!(!append_move(&mut connection, 0, "'l'").await, "the game has moved on");
    assert!(!append_move(&mut connection, 1, "'k'").await, "the key has been used");
    assert_eq!(counts(&mut connection).await, "1 1 1 1");
    assert!(append_move(&mut connection, 1, "null").await);
    assert_eq!(counts(&mut connection).await, "2 2 2 1");
    let refused = connection.batch_execute("delete from events").await.expect_err("the guard is back");
    assert!(refused.to_string().contains("events are never changed or removed"), "{refused}");
}
