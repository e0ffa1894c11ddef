//! The statements that commit moves: which rows they write and which not, and that they reach their rows by index whatever
//! statistics the database has about its tables.

use diesel::QueryableByName;
use diesel::sql_types::{Array, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::join_all;
use pippost::commit::{Append, Committer, EventNotice, NewState, StateWrite, write_grouped, write_single};
use pippost::store::checkpoints::Mark;
use pippost::store::stored_responses::NewStoredResponse;
use pippost::store::{Connection, Edition, NoticeKind};
use uuid::Uuid;

use support::db::{MANY, db_count, db_games, game, player};
use support::waiting::until;
use support::{START, TestApp, cluster};

/// A move in game `number` from event 1 to 2, with the idempotency key `key`.
fn a_move(number: u32, key: Option<&str>) -> Append {
    let state = NewState {
        seq: 2.into(),
        head: vec![0],
        at: START,
        snapshot: "{}".to_owned(),
        to_act_seat: Some(1),
        to_act_player: Some(player(number)),
        turn_since: Some(START),
        deadline_at: Some(START),
        remind_at: None,
        clock: None,
    };
    let stored_response = key.map(|key| NewStoredResponse {
        player_id: player(0),
        key: key.to_owned(),
        fingerprint: game(number).as_bytes().to_vec(),
        response: "{}".to_owned(),
    });
    Append {
        game_id: game(number),
        expected_seq: 1.into(),
        expected_edition: Edition::FIRST,
        lines: vec!["{}".to_owned()],
        state,
        finished_at: None,
        notices: vec![EventNotice { id: Uuid::now_v7(), kind: NoticeKind::Turn, player_id: player(number) }],
        stored_response,
        checkpoint: None,
        now: START,
    }
}

/// Writes moves with the statement for many; returns the numbers of the written games, in order.
async fn write_all(connection: &Connection, moves: &[Append]) -> Vec<u128> {
    let moves: Vec<&Append> = moves.iter().collect();
    let right = StateWrite::of(moves.iter().map(|one| one.game_id));
    let written = write_grouped(connection, &right, &moves).await.expect("the statement");
    let mut written: Vec<u128> = written.iter().map(Uuid::as_u128).collect();
    written.sort_unstable();
    written
}

/// Writes one move with the statement for one; true if it was written.
async fn write_one(connection: &Connection, one: &Append) -> bool {
    let right = StateWrite::of([one.game_id]);
    let written = write_single(connection, &right, one).await.expect("the statement");
    !written.expect("of the common form").is_empty()
}

async fn db_text(connection: &mut AsyncPgConnection, query: &str) -> String {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        line: String,
    }
    diesel::sql_query(query).get_result::<Row>(connection).await.expect("a row").line
}

const KEPT: &str = "select coalesce(string_agg(key, ' ' order by key), '') as line from idempotency_keys where key not like 'old %'";
const AT_TWO: &str = "select coalesce(string_agg(seq || '', ' '), '') as line from (select seq from game_states where seq > 1) moved";

#[tokio::test(flavor = "multi_thread")]
async fn of_two_games_that_use_one_key_at_once_one_moves_and_no_other_move_is_spoilt() {
    if cluster::plain_only("calls the statements of a move on a plain database itself") {
        return;
    }
    let app = TestApp::start().await;
    let database = &app.app.database;
    let mut superuser = app.db_superuser().await;
    db_games(&mut superuser, 1, 64).await;
    let connection = database.get().await.expect("a connection");
    let key = |number| match number {
        3 | 40 => Some("twice".to_owned()),
        1..=32 => Some(format!("own {number}")),
        _ => None,
    };
    let moves: Vec<Append> = (1..=64).rev().map(|number| a_move(number, key(number).as_deref())).collect();
    let written = write_all(&connection, &moves).await;
    assert_eq!(written, (1..=64).filter(|number| *number != 40).collect::<Vec<u128>>());
    assert_eq!(
        db_text(&mut superuser, "select count(*) || '' as line from events where seq = 2").await,
        "63"
    );
    assert_eq!(db_text(&mut superuser, "select count(*) || '' as line from notices").await, "63");
    assert_eq!(db_text(&mut superuser, KEPT).await.matches("own").count(), 31);
    // A move that was not written may be repeated with a new key, but not with a used one.
    assert!(!write_one(&connection, &a_move(40, Some("own 7"))).await);
    assert!(!write_one(&connection, &a_move(40, Some("twice"))).await);
    assert_eq!(write_all(&connection, &[a_move(40, Some("own 7"))]).await, [0u128; 0]);
    assert!(write_one(&connection, &a_move(40, Some("own 40"))).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_comes_too_late_leaves_no_key_behind() {
    if cluster::plain_only("calls the statements of a move on a plain database itself") {
        return;
    }
    let app = TestApp::start().await;
    let database = &app.app.database;
    let mut superuser = app.db_superuser().await;
    db_games(&mut superuser, 1, 4).await;
    let connection = database.get().await.expect("a connection");
    let late = |number, key| Append { expected_seq: 0.into(), ..a_move(number, Some(key)) };
    let other_edition =
        |number, key| Append { expected_edition: Edition::FIRST.next(), ..a_move(number, Some(key)) };
    assert!(!write_one(&connection, &late(1, "late")).await);
    assert!(!write_one(&connection, &other_edition(1, "rebuilt")).await);
    let both = [late(1, "late too"), other_edition(2, "rebuilt too"), a_move(9, Some("no such game"))];
    assert_eq!(write_all(&connection, &both).await, [0u128; 0]);
    assert_eq!(db_text(&mut superuser, KEPT).await, "");
    assert_eq!(db_text(&mut superuser, AT_TWO).await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_for_a_game_that_another_moves_leaves_no_key_behind() {
    if cluster::plain_only("calls the statements of a move on a plain database itself") {
        return;
    }
    let app = TestApp::start().await;
    let database = &app.app.database;
    let mut superuser = app.db_superuser().await;
    db_games(&mut superuser, 1, 2).await;
    for number in [1, 2] {
        let mut other = app.db_superuser().await;
        other.batch_execute("begin; update game_states set seq = seq + 1").await.expect("locks");
        let connection = database.get().await.expect("a connection");
        let moves = [Append { expected_seq: u64::from(number).into(), ..a_move(number, Some("waited")) }];
        let writing = async {
            if number == 1 {
                usize::from(write_one(&connection, &moves[0]).await)
            } else {
                write_all(&connection, &moves).await.len()
            }
        };
        let committing = async {
            let waits = "select count(*) || '' as line from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
            while db_text(&mut superuser, waits).await == "0" {
                tokio::task::yield_now().await;
            }
            other.batch_execute("commit").await.expect("a commit");
        };
        let (written, ()) = futures_util::join!(writing, committing);
        assert_eq!(written, 0);
        assert_eq!(db_text(&mut superuser, KEPT).await, "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_writes_another_game_than_was_named_or_a_game_twice_is_not_sent() {
    if cluster::plain_only("calls the statements of a move on a plain database itself") {
        return;
    }
    let app = TestApp::start().await;
    let mut superuser = app.db_superuser().await;
    db_games(&mut superuser, 1, 3).await;
    let connection = app.app.database.get().await.expect("a connection");
    let before = app.app.database.statements();
    let (one, two, again) = (a_move(1, None), a_move(2, None), a_move(1, Some("again")));
    let other = StateWrite::of([game(3)]);
    let alone = write_single(&connection, &other, &one).await.expect_err("another game was named");
    let other = StateWrite::of([game(1), game(3)]);
    let grouped = write_grouped(&connection, &other, &[&one, &two]).await.expect_err("another was named");
    let both = StateWrite::of([game(1), game(2), game(1)]);
    let twice = write_grouped(&connection, &both, &[&one, &two, &again]).await.expect_err("one comes twice");
    for refused in [alone, grouped, twice] {
        assert!(!refused.leaves_doubt(), "{refused}");
    }
    assert_eq!(app.app.database.statements(), before);
    assert_eq!(db_text(&mut superuser, AT_TWO).await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_moves_of_one_game_in_a_batch_one_is_written_and_the_others_do_not_notice() {
    if cluster::plain_only("counts the statements of moves, which are one a move on a cluster") {
        return;
    }
    let app = TestApp::start().await;
    let database = &app.app.database;
    let (mut holding, mut looking) = (app.db_superuser().await, app.db_superuser().await);
    db_games(&mut holding, 1, 3).await;
    let committer = Committer::start(database, app.app.outbox_signal.clone());
    // With four in flight, the writer sends its second statement when two moves wait for it.
    let _in_flight = [(); 4].map(|()| committer.begin_move());
    let before = database.statements();
    holding.batch_execute("begin; lock table game_states").await.expect("a lock");
    let mut first = Box::pin(committer.commit(a_move(3, None), (), database));
    assert!(futures_util::poll!(&mut first).is_pending());
    let waiting = format!("select count(*) from {}", cluster::waiting_statements());
    until("the first statement", async || db_count(&mut looking, &waiting).await == 1).await;
    let batch = [a_move(1, Some("one")), a_move(1, Some("another")), a_move(2, None)];
    let mut batch = join_all(batch.map(|one| committer.commit(one, (), database)));
    assert!(futures_util::poll!(&mut batch).is_pending());
    holding.batch_execute("commit").await.expect("the lock is free");
    assert!(first.await.expect("a statement").0);
    let written = batch.await.into_iter().map(|one| one.expect("a statement").0);
    assert_eq!(written.collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(db_text(&mut looking, KEPT).await, "one");
    // The third move may have come too late for the second statement. None was written alone after a failure.
    let statements = database.statements() - before;
    assert!((2..=3).contains(&statements), "{statements} statements");
}

/// A connection's prepared statement for moves, with the types of its values.
#[derive(QueryableByName)]
struct Prepared {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Array<Text>)]
    types: Vec<String>,
}

/// The beginnings of the statement for one move and of the one for many.
const ALONE: &str = "with locked as (select s.game_id";
const GROUPED: &str = "with locked as (select g.*";

async fn prepared(connection: &mut AsyncPgConnection, start: &str) -> Prepared {
    let query = "select name, parameter_types::text[] as types from pg_prepared_statements where starts_with(statement, $1)";
    let query = diesel::sql_query(query).bind::<Text, _>(start);
    query.get_result(connection).await.expect("one prepared statement")
}

/// A value of a type; for an array type, an array with one element per move.
fn value(kind: &str, moves: u32) -> String {
    let (one, many) = kind.strip_suffix("[]").map_or((kind, false), |one| (one, true));
    let scalar = |number: u32| match one {
        "uuid" => game(number).to_string(),
        "bytea" => r"\\x00".to_owned(),
        "text" => format!("k{number}"),
        "timestamp with time zone" => "2026-11-21".to_owned(),
        _ => "1".to_owned(),
    };
    if !many {
        return format!("'{}'::{kind}", scalar(1).replace(r"\\", r"\"));
    }
    let values: Vec<_> = (1..=moves).map(|number| format!("\"{}\"", scalar(number))).collect();
    format!("'{{{}}}'::{kind}", values.join(","))
}

/// The current plan of the connection's prepared statement.
async fn plan_of(connection: &mut AsyncPgConnection, start: &str, mode: &str, moves: u32) -> String {
    let Prepared { name, types } = prepared(connection, start).await;
    let values: Vec<_> = types.iter().map(|kind| value(kind, moves)).collect();
    connection.batch_execute(&format!("set plan_cache_mode = {mode}")).await.expect("a setting");
    let plan = support::db::plan(connection, &format!("execute {name}({})", values.join(", "))).await;
    connection.batch_execute("reset plan_cache_mode").await.expect("a setting");
    plan
}

/// Moves with an old `seq`: the real statement runs in the database, and writes nothing.
fn too_late(moves: u32) -> Vec<Append> {
    (1..=moves).map(|number| Append { expected_seq: 9.into(), ..a_move(number, Some("k")) }).collect()
}

async fn prepare_both(connection: &Connection) {
    assert!(!write_one(connection, &too_late(1)[0]).await);
    assert_eq!(write_all(connection, &too_late(2)).await, [0u128; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_reach_every_table_by_index_alone_and_grouped() {
    if cluster::plain_only("calls the statements of a move on a plain database itself") {
        return;
    }
    let app = TestApp::start().await;
    let database = &app.app.database;
    let mut superuser = app.db_superuser().await;
    db_games(&mut superuser, 1, MANY).await;
    superuser.batch_execute("analyze").await.expect("statistics");
    let mut connection = database.get().await.expect("a connection");
    prepare_both(&connection).await;
    for (start, moves) in [(ALONE, 1), (GROUPED, 1), (GROUPED, 16), (GROUPED, 64)] {
        for mode in ["force_generic_plan", "force_custom_plan"] {
            let plan = plan_of(&mut connection, start, mode, moves).await;
            assert!(!plan.contains("Seq Scan"), "{moves} moves, {mode}:\n{plan}");
            assert!(plan.contains("Index Scan using game_states_pkey"), "{plan}");
            assert!(plan.contains("Conflict Resolution: NOTHING"), "{plan}");
            assert!(start == ALONE || plan.contains("games_pkey"), "{plan}");
        }
    }
}

/// The statistics for which a plan may be made and kept: none, those of nearly empty tables, and wrong ones.
const STATISTICS: [&str; 4] = [
    "",
    "analyze",
    "analyze; update pg_class set relpages = 1, reltuples = 1 where relname like 'idempotency_keys%'",
    "analyze; update pg_class set relpages = 100000, reltuples = 0 where relname like 'idempotency_keys%'",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_plan_of_a_move_reads_the_kept_answers_whatever_the_database_believes_about_them() {
    if cluster::plain_only("calls the statements of a move on a plain database itself") {
        return;
    }
    for statistics in STATISTICS {
        let app = TestApp::start().await;
        let database = &app.app.database;
        let mut superuser = app.db_superuser().await;
        db_games(&mut superuser, 1, 1).await;
        superuser.batch_execute(statistics).await.expect("statistics");
        let mut connection = database.get().await.expect("a connection");
        // Often enough that PostgreSQL keeps a plan.
        for _ in 0..8 {
            prepare_both(&connection).await;
        }
        db_games(&mut superuser, 2, MANY).await;
        for start in [ALONE, GROUPED] {
            for mode in ["auto", "force_generic_plan", "force_custom_plan"] {
                let plan = plan_of(&mut connection, start, mode, 16).await;
                let reads =
                    plan.lines().find(|line| line.contains("Scan") && line.contains("idempotency_keys"));
                assert_eq!(reads, None, "{statistics} {mode}:\n{plan}");
                assert!(plan.contains("Insert on idempotency_keys"), "{plan}");
            }
        }
    }
}

/// A move that makes a checkpoint.
fn marking(number: u32, key: Option<&str>) -> Append {
    let mark = Mark { turn: u64::from(number).into(), ends_turn: true, last_events: "[1,2]".to_owned() };
    let mut append = a_move(number, key);
    append.state.snapshot = format!("{{\"game\":{number}}}");
    Append { checkpoint: Some(mark), ..append }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_is_written_with_its_move_or_not_at_all_and_reaches_its_table_by_index() {
    if cluster::plain_only("calls the statements of a move on a plain database itself") {
        return;
    }
    let app = TestApp::start().await;
    let database = &app.app.database;
    let mut superuser = app.db_superuser().await;
    db_games(&mut superuser, 1, MANY).await;
    let old = "insert into checkpoints (game_id, seq, turn, ends_turn, snapshot, last_events) \
               select game_id, n, n, true, 'old', '[]' from game_states, generate_series(1, 2) n; analyze";
    superuser.batch_execute(old).await.expect("checkpoints");
    let mut connection = database.get().await.expect("a connection");
    let late = Append { expected_seq: 9.into(), ..marking(3, None) };
    let used = marking(4, Some("k"));
    let moves = [marking(1, None), a_move(2, Some("k")), late, used, a_move(5, None), marking(6, Some("l"))];
    assert_eq!(write_all(&connection, &moves).await, [1, 2, 5, 6]);
    let marked = "select string_agg(concat_ws(' ', snapshot, seq, turn, last_events), ', ' order by turn) as line \
                  from checkpoints where snapshot <> 'old'";
    assert_eq!(db_text(&mut superuser, marked).await, "{\"game\":1} 2 1 [1,2], {\"game\":6} 2 6 [1,2]");
    let alone = marking(7, None);
    let right = StateWrite::of([alone.game_id]);
    let written = write_single(&connection, &right, &alone).await.expect("no statement");
    assert_eq!(written, None, "not of the common form");
    for mode in ["force_generic_plan", "force_custom_plan"] {
        let plan = plan_of(&mut connection, GROUPED, mode, 16).await;
        assert!(plan.contains("Insert on checkpoints") && !plan.contains("Seq Scan"), "{mode}:\n{plan}");
        assert!(plan.contains("Conflict Arbiter Indexes: checkpoints_pkey"), "{mode}:\n{plan}");
    }
}
