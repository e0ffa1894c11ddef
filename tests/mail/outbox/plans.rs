//! The workers' statements reach their rows by index, however much waits.

use diesel_async::SimpleAsyncConnection;
use pippost::store::{digests, notices, preferences, push_messages, table_messages};

use support::db::plan;
use support::{TestApp, cluster};

const ID: &str = "'01a1fe2a-89df-7515-9c5d-9fde96828ff2'::uuid";

/// A statement with its parameters, named as `{now}` or numbered as `$1`, replaced by these values.
fn filled(statement: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(statement.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_statements_of_workers_reach_their_rows_by_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    // Enough rows that a sequential scan would be the worse plan.
    let rows = "create temporary table many as select gen_random_uuid() as player_id, gen_random_uuid() as game_id, i \
         from generate_series(1, 20000) i; \
         insert into players (id, handle, email, email_key, password_hash, created_at) \
         select player_id, 'p' || i || 'x', i || '@example.org', i || '@example.org', '', now() from many; \
         insert into games (id, rules, rules_version, options, seating, seats, private, commitment, master_sealed, creator_id, \
         status, created_at) select game_id, 'pip-pip', 1, '{}', 'joined', 2, false, '', '', player_id, 'running', now() from many; \
         insert into player_preferences (player_id, digest_at) select player_id, now() + (i - 200) * interval '1 minute' from many; \
         insert into game_preferences (player_id, game_id, reminders) select player_id, game_id, true from many; \
         insert into declined_addresses (email_key, declined_at) select i || '@example.net', now() from many; \
         insert into mail_links (id, player_id, purpose, email, email_key, created_at, expires_at) \
         select gen_random_uuid(), player_id, 'confirm_email', i || '@example.org', i || '@example.org', now(), now() from many; \
         insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
         select gen_random_uuid(), case when i % 10 = 0 then 'digest' else 'turn' end, player_id, game_id, i % 3, now(), \
         case when i % 4 = 0 then 'waiting' else 'sent' end, now() + (i - 1000) * interval '1 second' from many; \
         insert into digest_news (notice_id, player_id, digest_id) select game_id, player_id, case when i % 2 = 0 then game_id end from many; analyze";
    connection.batch_execute(rows).await.expect("much that waits, and more that does not");
    let (ids, times) = (format!("array[{ID}]"), "array[now()]");
    let settle = [
        ("{ids}", ids.as_str()),
        ("{attempts}", "array[1::smallint]"),
        ("{attempts_made}", "array[1::smallint]"),
        ("{states}", "array['sent']"),
        ("{next_attempts}", "array[null::timestamptz]"),
        ("{reasons}", "array[null::text]"),
        ("{waits_for}", "array[null::text]"),
        ("{now}", "now()"),
    ];
    for (statement, indexes) in [
        // Not by the index of all waiting notices.
        (filled(notices::SETTLE, &settle), vec!["Index Scan using notices_pkey"]),
        (filled(digests::DUE_DIGESTS, &[("$1", "now()"), ("$2", "200")]), vec!["player_preferences_digests"]),
        (filled(digests::OVERTAKE_DIGESTS, &[("$1", &ids), ("$2", "now()")]), vec!["notices_digests"]),
        (filled(digests::FORGET_TOLD_NEWS, &[("$1", &ids), ("$2", &ids)]), vec!["digest_news_player"]),
        (filled(digests::GIVE_NEWS, &[("$1", &ids), ("$2", &ids)]), vec!["digest_news_player"]),
        (
            filled(digests::NEWS_OF_DIGEST, &[("$1", ID), ("$2", ID), ("$3", "50")]),
            vec!["digest_news_player", "notices_pkey"],
        ),
        (
            filled(digests::PARTS_OF_DIGEST, &[("$1", ID), ("$2", "now()")]),
            vec!["notices_sent_digests", "player_preferences_pkey"],
        ),
        (filled(digests::PLAN_DIGESTS, &[("$1", &ids), ("$2", times)]), vec!["player_preferences_pkey"]),
        (
            filled(preferences::RESERVE_SINGLE_MAIL, &[("$1", ID), ("$2", ID), ("$3", "now()")]),
            vec!["player_preferences_pkey"],
        ),
        (filled(preferences::SEEN, &[("$1", &ids), ("$2", times)]), vec!["player_preferences_pkey"]),
    ] {
        let plan = plan(&mut connection, &statement).await;
        for index in indexes {
            assert!(plan.contains(index), "{index} is not used:\n{plan}");
        }
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_writes_at_a_table_reads_one_of_the_notices_of_all_that_was_written_there() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let rows = "insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
         select gen_random_uuid(), 'message', ('01a1fe2a-89df-7515-9c5d-' || lpad((number % 10)::text, 12, '0'))::uuid, \
         '01a1fe2a-89df-7515-9c5d-9fde96828ff2', 0, now() - number * interval '1 minute', 'sent', now() \
         from generate_series(1, 20000) number; analyze notices";
    connection.batch_execute(rows).await.expect("much that was told");
    let players = format!("array[{ID}]");
    let notify = [
        ("{players}", players.as_str()),
        ("{ids}", players.as_str()),
        ("{game}", ID),
        ("{seq}", "0::bigint"),
        ("{now}", "now()"),
        ("{pause_seconds}", "120"),
    ];
    let plan = plan(&mut connection, &filled(table_messages::NOTIFY, &notify)).await;
    assert!(plan.contains("notices_messages") && plan.contains("Limit"), "{plan}");
    assert!(plan.contains("notices_pkey") && !plan.contains("Seq Scan on notices"), "{plan}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_claimed_is_found_by_index_beside_fifty_thousand_that_wait_and_as_many_that_were_sent() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let notices_of = |kind: &str, state: &str, ready: bool, accounts: usize, count: usize| {
        format!(
            "insert into notices (id, kind, player_id, game_id, created_at, state, ready, next_attempt_at) \
             select gen_random_uuid(), '{kind}', ('01a1fe2a-89df-7515-9c5d-' || lpad((number % {accounts})::text, 12, '0'))::uuid, \
             gen_random_uuid(), now(), '{state}', {ready}, now() + number * interval '1 second' \
             from generate_series(1, {count}) number;"
        )
    };
    let rows = [
        notices_of("invitation", "waiting", true, 7, 50_000),
        notices_of("turn", "waiting", true, 2_000, 5_000),
        notices_of("turn", "waiting", false, 2_000, 20_000),
        notices_of("turn", "sent", true, 2_000, 50_000),
    ];
    connection.batch_execute(&rows.concat()).await.expect("notices");
    connection.batch_execute("analyze notices").await.expect("statistics");
    subscribe_many(&app).await;
    let after = format!("array[{}]", [ID; 5].join(","));
    let claim = [
        ("{classes}", "'{0,1,2,3,4}'::smallint[]"),
        ("{after}", after.as_str()),
        ("{limit}", "128::bigint"),
        ("{of_each_class}", "8::bigint"),
        ("{lease_until}", "now()"),
        ("{now}", "now()"),
        ("{pushed}", "'{turn,invitation}'::text[]"),
        ("{most_subscriptions}", "10::bigint"),
        ("{first_slot}", "0::bigint"),
        ("{oldest_slots}", "8"),
        ("{newest_slots}", "2"),
    ];
    let push = [("$1", "now()"), ("$2", "now()"), ("$3", "32"), ("$4", "now() - interval '6 seconds'")];
    let waiting = "update notices set waits_for = case when created_at < next_attempt_at - interval '1 hour' then 'server' else 'retry' end \
         where state = 'waiting' and not ready; analyze notices";
    connection.batch_execute(waiting).await.expect("an outage");
    let release = [("$1", "'server'"), ("$2", "now()"), ("$3", "256")];
    let addresses = [("$1", "'retry'"), ("$2", "'epoch'::timestamptz"), ("$3", ID), ("$4", "1000")];
    let wake = [("{now}", "now()"), ("{due_from}", "'epoch'::timestamptz"), ("{limit}", "512")];
    for (statement, indexes) in [
        (
            filled(notices::CLAIM, &claim),
            vec!["notices_ready", "notices_pkey", "notices_roots", "push_subscriptions_player"],
        ),
        (filled(notices::WAKE, &wake), vec!["notices_put_off", "notices_pkey"]),
        (filled(notices::RELEASE, &release), vec!["notices_waits_for", "notices_pkey"]),
        (filled(notices::ADDRESSES, &addresses), vec!["notices_waits_for"]),
        (notices::SERVER_FAULT.to_owned(), vec!["notices_waits_for"]),
        (
            filled(&push_messages::CLAIM, &push),
            vec!["push_messages_due", "push_messages_pkey", "push_subscriptions_pkey", "notices_pkey"],
        ),
    ] {
        let plan = plan(&mut connection, &statement).await;
        for index in indexes {
            assert!(plan.contains(index), "{index} is not used:\n{plan}");
        }
        for table in ["notices", "push_messages", "push_subscriptions"] {
            assert!(!plan.contains(&format!("Seq Scan on {table}")), "{plan}");
        }
    }
}

/// Twenty thousand subscriptions, and as many messages that wait for them.
async fn subscribe_many(app: &TestApp) {
    let rows = "set session_replication_role = replica; \
         insert into push_subscriptions (id, player_id, session_id, endpoint_hash, host, sealed, created_at, not_before, rate_free_at) \
         select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), sha256(number::text::bytea), 'push.example.org', '', now(), now(), now() \
         from generate_series(1, 20000) number; \
         insert into push_messages (subscription_id, notice_id, next_attempt_at) \
         select id, gen_random_uuid(), now() + random() * interval '1 hour' from push_subscriptions; \
         analyze push_subscriptions; analyze push_messages";
    app.db_superuser().await.batch_execute(rows).await.expect("subscriptions");
}
