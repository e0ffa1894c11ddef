//! The guards of history: rows leave only where their archive is on record.

use diesel_async::SimpleAsyncConnection;
use pippost::games::audit::Subject;

use super::Site;
use crate::audit::db_plant;
use support::cluster;

/// Statements that history must survive, run by the superuser, with what the refusal says. GAME is a finished game that is not
/// archived, GONE one that is.
const REFUSED: &[(&str, &str)] = &[
    ("delete from events where game_id = GAME", "events are never changed or removed"),
    ("delete from clock_lines where game_id = GAME", "events are never changed or removed"),
    ("update events set line = '' where game_id = GAME", "events are never changed or removed"),
    ("truncate events", "events are never changed or removed"),
    (
        "create temporary table archived_games as select * from archived_games; \
         insert into pg_temp.archived_games (game_id) values (GAME); delete from events where game_id = GAME",
        "events are never changed or removed",
    ),
    (
        "insert into archived_games select GAME, object, bytes, events, clock_lines, digest, archived_at from archived_games",
        "disagree",
    ),
    (
        "insert into archived_games select GAME, object, bytes, (select count(*) from events where game_id = GAME), \
         (select count(*) from clock_lines where game_id = GAME), digest, archived_at from archived_games",
        "disagree",
    ),
    ("delete from archived_games where game_id = GONE", "disagree"),
    (
        "insert into events values (GONE, 0, '{}'); delete from archived_games where game_id = GONE",
        "disagree",
    ),
    ("update archived_games set bytes = bytes + 1", "entries of the archive are never changed"),
    ("truncate archived_games", "entries of the archive are never changed"),
];

#[tokio::test(flavor = "multi_thread")]
async fn history_goes_only_where_its_archive_is_on_record_and_entries_only_where_the_rows_are() {
    let site = Site::start().await;
    let gone = site.finished(1).await;
    site.wait();
    assert_eq!(site.archive_due().await, 1);
    let game = site.finished_later(2).await;
    let rows = site.db_rows(game).await;
    // A cluster refuses it before the guard is asked.
    let words = if cluster::is_citus() { "modifying the partition value" } else { "never changed" };
    let moved = ("update archived_games set game_id = GAME", words);
    for (statements, words) in REFUSED.iter().chain([&moved]) {
        for role in ["origin", "replica"] {
            let mut superuser = site.app.db_superuser().await;
            let statements =
                statements.replace("GAME", &format!("'{game}'")).replace("GONE", &format!("'{gone}'"));
            let statements =
                format!("begin; set local session_replication_role = {role}; {statements}; commit");
            let refused = superuser.batch_execute(&statements).await.expect_err(&statements);
            assert!(refused.to_string().contains(words), "{statements}: {refused}");
            assert_eq!(
                (site.db_rows(game).await, site.db_rows(gone).await),
                (rows, [0, 0, 1]),
                "{statements}"
            );
        }
    }
    assert_eq!(site.findings().await, []);
    // The owner of the tables can switch the guards off; the audit then names what is missing, and the guards themselves.
    let mut owner = site.app.app.database.get().await.expect("a connection");
    for (table, of_rows, of_all) in [
        ("archived_games", "archived_games_are_true", "archived_games_are_kept"),
        ("clock_lines", "clock_lines_are_final", "clock_lines_are_kept"),
        ("events", "events_are_final", "events_are_kept"),
    ] {
        for trigger in [of_rows, of_all] {
            let off = format!("alter table {table} disable trigger {trigger}");
            cluster::run_each(&mut owner, &off).await.expect("off");
            let found = site.findings().await;
            assert!(matches!(found.as_slice(), [(Subject::Guard, _)]), "{trigger}: {found:?}");
            let on = format!("alter table {table} enable always trigger {trigger}");
            cluster::run_each(&mut owner, &on).await.expect("on");
        }
    }
    let unguarded = "alter table events disable trigger user; delete from events where game_id = GAME; \
                     alter table events enable always trigger events_are_final; \
                     alter table events enable always trigger events_are_kept";
    db_plant(&mut owner, game, unguarded).await;
    let found = site.findings().await;
    assert!(
        found.iter().any(|(part, what)| *part == Subject::Events && what.contains("no event")),
        "{found:?}"
    );
    // Rows beside the archive are named, too.
    let forged = "insert into events values (GAME, 0, '{}')";
    db_plant(&mut owner, gone, forged).await;
    let found = site.findings().await;
    assert!(
        found.iter().any(|(part, what)| *part == Subject::Archive && what.contains("and yet there are rows")),
        "{found:?}"
    );
}
