//! What workers ask of the database reaches its rows by index, however much waits.

use diesel_async::SimpleAsyncConnection;
use pippost::store::{notices, wishes};

use crate::hot_path::plan;
use crate::support::TestApp;

const ID: &str = "'01a1fe2a-89df-7515-9c5d-9fde96828ff2'::uuid";

/// A statement with these values for its names, as `{now}`, or its numbers, as `$1`.
fn filled(statement: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(statement.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_statements_of_workers_reach_their_rows_by_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    // On tables without rows a scan of all would be the cheapest.
    connection.batch_execute("set enable_seqscan = off").await.expect("a setting");
    // With nothing in them, one index is as good as another.
    let backlog = "insert into notices (id, kind, player_id, created_at, state, next_attempt_at) select gen_random_uuid(), 'turn', \
                   gen_random_uuid(), now(), 'waiting', now() from generate_series(1, 2000)";
    connection.batch_execute(backlog).await.expect("a backlog");
    connection.batch_execute("analyze notices").await.expect("statistics");
    let (ids, moments) = (format!("array[{ID}]"), "array[now()]");
    let claim = [("{now}", "now()"), ("{limit}", "64"), ("{lease_until}", "now()")];
    let settle = [
        ("{ids}", ids.as_str()),
        ("{attempts}", "array[1::smallint]"),
        ("{attempts_made}", "array[1::smallint]"),
        ("{states}", "array['sent']"),
        ("{next_attempts}", "array[null::timestamptz]"),
        ("{reasons}", "array[null::text]"),
        ("{now}", "now()"),
    ];
    for (statement, indexes) in [
        (
            filled(notices::CLAIM, &claim),
            vec![
                "notices_waiting",
                "notices_pkey",
                "players_pkey",
                "player_wishes_pkey",
                "game_wishes_pkey",
                "notices_roots",
                "declined_addresses_pkey",
                "mail_links_pkey",
            ],
        ),
        // Not by the index of all that waits.
        (filled(notices::SETTLE, &settle), vec!["Index Scan using notices_pkey"]),
        (filled(wishes::DUE_DIGESTS, &[("$1", "now()"), ("$2", "200")]), vec!["player_wishes_digests"]),
        (filled(wishes::OVERTAKE_DIGESTS, &[("$1", &ids), ("$2", "now()")]), vec!["notices_digests"]),
        (filled(wishes::PLAN_DIGESTS, &[("$1", &ids), ("$2", moments)]), vec!["player_wishes_pkey"]),
        (
            filled(wishes::TAKE_TURN_TO_TELL, &[("$1", ID), ("$2", ID), ("$3", "now()")]),
            vec!["player_wishes_pkey"],
        ),
        (filled(wishes::SEEN, &[("$1", &ids), ("$2", moments)]), vec!["player_wishes_pkey"]),
    ] {
        let plan = plan(&mut connection, &statement).await;
        for index in indexes {
            assert!(plan.contains(index), "{index} is not used:\n{plan}");
        }
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}
