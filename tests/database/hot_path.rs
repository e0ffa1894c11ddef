//! The hot path sends the database as few statements as possible, all of which use an index.

use diesel_async::{AsyncConnection, SimpleAsyncConnection};
use pippost::store::{players, removed_texts, table_messages, turns};
use reqwest::Method;
use serde_json::json;
use tokio::sync::Notify;

use pippost::games::viewing;
use support::browsing::Browsing;
use support::db::{MANY, db_games, game, plan, player};
use support::games::pip_pip;
use support::{TestApp, cluster};

#[tokio::test(flavor = "multi_thread")]
async fn a_move_and_a_view_are_one_statement_each() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    ann.get(&game).await.expect_status(200);
    let before = app.app.database.statements();
    ann.get(&game).await.expect_status(200);
    assert_eq!(
        app.app.database.statements(),
        before + 1,
        "a view asks whether what is in memory is the newest"
    );
    let body = json!({"notation": "store", "expected_seq": 0}).to_string();
    let keyed = [("Idempotency-Key", "k")];
    ann.send(Method::POST, &format!("{game}/moves"), Some(body), &keyed).await.expect_status(200);
    assert_eq!(app.app.database.statements(), before + 2, "a move with everything that it writes");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_game_looks_at_it_once() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.expect_status(200);
    let page = game.replace("/api/v1", "");
    let browser = Browsing::of(&app);
    browser.get(&page).await.expect(200);
    let before = app.app.database.statements();
    browser.get(&page).await.expect(200);
    let asked = app.app.database.statements() - before;
    // Whether it is the newest, and the last events: board, story and clock are of the same position.
    assert_eq!(asked, 2, "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_a_game_costs_one_statement_more_only_when_there_is_news() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.expect_status(200);
    for (path, events, statements) in
        [("events?first=2", 0, 1), ("events?first=9", 0, 1), ("events?first=1", 1, 2), ("news", 2, 2)]
    {
        let before = app.app.database.statements();
        let page = bob.get(&format!("{game}/{path}")).await.ok();
        assert_eq!(page["events"].as_array().map(Vec::len), Some(events), "{path}");
        assert_eq!(page["newest"], 1, "{path}");
        assert_eq!(app.app.database.statements() - before, statements, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_views_at_once_share_their_question() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    ann.get(&game).await.expect_status(200);
    let id = game.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
    let anybody = pippost::games::viewing::view::Requester::default();
    let look = || viewing::view_text(&app.app.games, id, &anybody);
    // The database holds the first answer until all requests have been sent.
    let mut superuser = app.db_superuser().await;
    superuser.batch_execute("begin; lock table game_states").await.expect("a lock");
    let before = app.app.database.statements();
    let mut looks = futures_util::future::join_all((0..100).map(|_| look()));
    assert!(futures_util::poll!(&mut looks).is_pending());
    superuser.batch_execute("commit").await.expect("the lock is free");
    let texts = looks.await;
    let first = texts[0].as_ref().expect("a view");
    assert!(texts.iter().all(|text| {
        text.as_ref().is_ok_and(|text| text.json.get() == first.json.get() && text.tag == first.tag)
    }));
    let asked = app.app.database.statements() - before;
    // Two may be under way, and a third asks for all that waited for one of them to end.
    assert!((1..=3).contains(&asked), "{asked} statements for 100 views");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_view_says_what_a_fresh_one_says() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let second = app.second().await;
    for who in [&ann, &bob, &app.stranger()] {
        who.get(&game).await.expect_status(200);
        let (mut kept, mut fresh) = (who.get(&game).await.ok(), who.at(&second.url).get(&game).await.ok());
        // Each server names its own address.
        assert!(kept["page"].take().is_string() && fresh["page"].take().is_string());
        assert_eq!(kept, fresh);
    }
    let moved = ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    assert_eq!(moved["game"], ann.get(&game).await.ok());
    assert_eq!(moved["game"]["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escaped_address_is_answered_alike_and_counted_as_the_same_route() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let (start, digit) = game.split_at(game.len() - 1);
    let escaped = format!("{start}%{:X}", digit.as_bytes()[0]);
    assert_eq!(ann.get(&game).await.ok(), ann.get(&escaped).await.ok());
    let stale = json!({"notation": "store", "expected_seq": 7});
    for address in [&game, &escaped] {
        ann.post(&format!("{address}/moves"), &stale).await.problem(409, "stale_seq");
        ann.get(&format!("{address}/moves")).await.problem(405, "method_not_allowed");
    }
    let counted = app.metrics().await;
    for line in [
        r#"{method="GET",route="/api/v1/games/{id}",status="2xx"} 2"#,
        r#"{method="POST",route="/api/v1/games/{id}/moves",status="4xx"} 2"#,
    ] {
        assert!(counted.contains(&format!("\npippost_http_requests_total{line}\n")), "{counted}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hot_statements_reach_their_rows_by_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection.batch_execute("analyze").await.expect("statistics");
    let (id, player_id) = (format!("'{}'::uuid", game(7)), format!("'{}'::uuid", player(7)));
    for (statement, index) in [
        (
            format!("select game_id, seq from game_states where game_id = any(array[{id}])"),
            "game_states_pkey",
        ),
        (
            format!("select line from events where game_id = {id} and seq >= 3 order by seq limit 500"),
            "events_pkey",
        ),
        (
            format!(
                "select fingerprint, answer from idempotency_keys where player_id = {player_id} and key = 'old 7'"
            ),
            "idempotency_keys_pkey",
        ),
        (
            format!(
                "select game_id from game_states where to_act_player = {player_id} order by game_id desc limit 50"
            ),
            "game_states_turns",
        ),
        (
            "select id from games where seats_offered and status = 'running' and not private order by id desc limit 21"
                .to_owned(),
            "games_seats_offered",
        ),
        (
            format!(
                "select game_id from game_players where player_id = {player_id} order by game_id desc limit 50"
            ),
            "game_players_player",
        ),
    ] {
        let plan = plan(&mut connection, &statement).await;
        assert!(plan.contains(index), "{index} is not used:\n{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn players_are_searched_and_unread_messages_counted_by_index() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection
        .batch_execute(
            "insert into players (id, handle, email, email_key, password_hash, created_at) \
             select gen_random_uuid(), 'q' || i || 'x', i || '@q.example', i || '@q.example', '', now() from generate_series(1, 5000) i; \
             insert into table_messages (id, game_id, player_id, seq, text, created_at) \
             select gen_random_uuid(), id, gen_random_uuid(), 0, 'x', now() from games, generate_series(1, 4); \
             analyze",
        )
        .await
        .expect("players and messages");
    let found = players::FOUND.replace("$1", "'q12'").replace("$2", "'q12~'").replace("$3", "20");
    let (games, player) = (format!("array['{}'::uuid]", game(7)), format!("'{}'::uuid", player(7)));
    let unread = table_messages::UNREAD.replace("{games}", &games).replace("{player}", &player);
    let unread = unread.replace("{muted}", "'{}'::uuid[]");
    let removed = removed_texts::MESSAGES.replace("$1", &format!("'{}'::uuid", game(7)));
    for (statement, index) in
        [(found, "players_handle_key"), (unread, "table_messages_game"), (removed, "table_messages_removed")]
    {
        let plan = plan(&mut connection, &statement).await;
        assert!(plan.contains(index) && !plan.contains("Seq Scan"), "{index} is not used:\n{plan}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_due_is_found_without_reading_the_table_though_all_games_have_deadlines() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    connection
        .batch_execute(
            "insert into game_states (game_id, seq, head, at, snapshot, to_act_player, deadline_at, remind_at) \
             select gen_random_uuid(), 1, '\\x00', now(), repeat('x', 400), gen_random_uuid(), \
             now() + i * interval '1 minute', now() + (i - 5) * interval '1 minute' from generate_series(1, 5000) i; \
             analyze game_states",
        )
        .await
        .expect("games");
    for statement in [turns::FLAGS_DUE, turns::REMINDERS_DUE] {
        let prepare = format!("deallocate all; prepare due(timestamptz, bigint) as {statement}");
        connection.batch_execute(&prepare).await.expect("a statement");
        for mode in ["force_generic_plan", "force_custom_plan"] {
            connection.batch_execute(&format!("set plan_cache_mode = {mode}")).await.expect("a setting");
            let plan = plan(&mut connection, "execute due('now', 100)").await;
            assert!(plan.contains("Index Scan using game_states_due"), "{plan}");
            assert!(!plan.contains("Sort") && !plan.contains("Seq Scan on game_states"), "{plan}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_leave_half_of_the_connections_to_reads() {
    let app = TestApp::start().await;
    let database = app.app.database.with_own_connections(4).expect("connections");
    let first = database.get_for_writing().await.expect("a place");
    let _second = database.get_for_writing().await.expect("a place");
    let waiting = database.clone();
    let third = tokio::spawn(async move { waiting.get_for_writing().await.map(|_connection| ()) });
    // Had the third taken one of the four, the second of these would get none in time.
    let reads = [database.get().await, database.get().await];
    assert!(reads.iter().all(Result::is_ok) && !third.is_finished());
    drop((first, reads));
    third.await.expect("no panic").expect("the place that is free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_the_connections_is_left_by_all_others() {
    let app = TestApp::start().await;
    let database = app.app.database.with_own_connections(8).expect("connections");
    let part = database.part(1).expect("a part");
    let mut others = Vec::new();
    for _ in 0..7 {
        others.push(database.get().await.expect("one of the others"));
    }
    part.get().await.expect("the part is free");
    // A cluster keeps none: a question may wait for a silent node.
    let parted = !database.topology().is_citus();
    assert_eq!(database.connections(), if parted { 7 } else { 8 });
    assert_eq!(futures_util::poll!(std::pin::pin!(database.get())).is_pending(), parted);
    let few = app.app.database.with_own_connections(7).expect("connections");
    let all = few.part(1).expect("all of them");
    let held = [all.get().await, all.get().await];
    assert!(held.iter().all(Result::is_ok), "few connections are not parted");
}

/// Locks the row of a player.
const ROW: &str = "select from players where handle = 'ann' for update";

#[tokio::test(flavor = "multi_thread")]
async fn whoever_hangs_up_within_a_transaction_keeps_no_lock() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let database = app.app.database.with_own_connections(2).expect("connections");
    let (mut hung_up, locked) = (database.get_for_writing().await.expect("a connection"), Notify::new());
    let transaction = hung_up.transaction::<(), diesel::result::Error, _>(async |connection| {
        connection.batch_execute(ROW).await?;
        locked.notify_one();
        std::future::pending().await
    });
    tokio::select! {
        ended = transaction => panic!("{ended:?}"),
        () = locked.notified() => {}
    }
    drop(hung_up);
    // Nobody asks that pool for a connection meanwhile.
    let mut other = app.app.database.get().await.expect("a connection");
    let locked = other.batch_execute(&format!("set lock_timeout = '10s'; {ROW}")).await;
    locked.expect("the lock is free");
}
