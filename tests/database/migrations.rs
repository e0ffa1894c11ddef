//! The migrations: up, down, and up again, by several servers at once.

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pippost::store::database::{migrate, open, revert};

use support::cluster;

/// The number of migrations.
fn count() -> usize {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let entries = std::fs::read_dir(folder).expect("migrations");
    entries.filter(|entry| entry.as_ref().expect("an entry").path().is_dir()).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_servers_that_start_on_an_empty_database_each_migration_is_run_by_one() {
    let name = cluster::bare_database().await;
    let starting = (0..4).map(|_| {
        let name = name.clone();
        tokio::spawn(async move { migrate(&cluster::address(&name)).await.expect("migrations") })
    });
    let done = futures_util::future::join_all(starting).await;
    assert_eq!(done.into_iter().map(|done| done.expect("a server")).sum::<usize>(), count());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_migration_can_be_taken_back_and_run_again() {
    if cluster::plain_only("takes back migrations from before the tables were distributed") {
        return;
    }
    let name = cluster::new_database().await;
    let address = cluster::address(&name);
    assert_eq!(migrate(&address).await.expect("nothing to do"), 0);
    for _ in 0..count() {
        revert(&address).await.expect("a way back");
    }
    assert_eq!(migrate(&address).await.expect("migrations"), count());
}

async fn scopes_of(connection: &mut AsyncPgConnection) -> Vec<String> {
    #[derive(QueryableByName)]
    struct Token {
        #[diesel(sql_type = Text)]
        told: String,
    }
    let query =
        "select name || ': ' || array_to_string(scopes, ' ') as told from personal_tokens order by name";
    let found: Vec<Token> = diesel::sql_query(query).load(connection).await.expect("tokens");
    found.into_iter().map(|token| token.told).collect()
}

/// How many migrations there are from that one on.
fn migrations_from(first: &str) -> usize {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let entries =
        std::fs::read_dir(folder).expect("migrations").map(|entry| entry.expect("an entry").file_name());
    entries.filter(|name| name.to_string_lossy().as_ref() >= first).count()
}

const APPS: &str = "2026-11-23-000024_apps";

#[tokio::test(flavor = "multi_thread")]
async fn tokens_keep_what_they_could_do_when_scopes_are_divided_and_gain_nothing_on_the_way_back() {
    if cluster::plain_only("takes back migrations from before the tables were distributed") {
        return;
    }
    let name = cluster::new_database().await;
    let address = cluster::address(&name);
    let later = migrations_from(APPS);
    let back = || async {
        for _ in 0..later {
            revert(&address).await.expect("a way back");
        }
    };
    back().await;
    let mut connection = open(&address).await.expect("a connection");
    let token = |name: &str, scopes: &str, further: [&str; 2]| {
        format!(
            "insert into personal_tokens (id, player_id, name, token_hash, scopes, created_at{}) select gen_random_uuid(), id, \
             '{name}', decode(md5('{name}'), 'hex'), '{{{scopes}}}', now(){} from players;",
            further[0], further[1]
        )
    };
    let before = [token("a", "read", ["", ""]), token("b", "play,read", ["", ""])].concat();
    connection
        .batch_execute(&format!(
            "insert into players (id, handle, email, email_key, password_hash, created_at) \
             values (gen_random_uuid(), 'ann', 'a@b.example', 'a@b.example', '', now()); {before}"
        ))
        .await
        .expect("tokens");
    assert_eq!(migrate(&address).await.expect("migrations"), later);
    assert_eq!(scopes_of(&mut connection).await, ["a: read", "b: play read manage"]);
    let after = [
        token("c", "play,read", ["", ""]),
        token("d", "mail", ["", ""]),
        token("e", "read,mail", ["", ""]),
        token("f", "read", [", game_id", ", gen_random_uuid()"]),
    ];
    connection.batch_execute(&after.concat()).await.expect("tokens");
    back().await;
    assert_eq!(scopes_of(&mut connection).await, ["a: read", "b: play read", "e: read"]);
    assert_eq!(migrate(&address).await.expect("migrations"), later);
}

const EXPIRY: &str = "2026-11-24-000110_expiry";

#[tokio::test(flavor = "multi_thread")]
async fn games_that_wait_already_get_thirty_days_by_the_clock_of_the_server() {
    #[derive(QueryableByName, Debug, PartialEq, Eq)]
    struct Days {
        #[diesel(sql_type = Text)]
        told: String,
    }
    if cluster::plain_only("takes back migrations from before the tables were distributed") {
        return;
    }
    let name = cluster::new_database().await;
    let address = cluster::address(&name);
    let later = migrations_from(EXPIRY);
    for _ in 0..later {
        revert(&address).await.expect("a way back");
    }
    let mut connection = open(&address).await.expect("a connection");
    connection
        .batch_execute(
            "insert into server (secret_fingerprint, sandbox, clock_ahead) values ('', true, 86400000000); \
             insert into players (id, handle, email, email_key, password_hash, created_at) \
             values (gen_random_uuid(), 'ann', 'a@b.example', 'a@b.example', '', now()); \
             insert into games (id, rules, rules_version, options, seating, seats, private, commitment, master_sealed, creator_id, \
             status, created_at, beacon_round) select gen_random_uuid(), 'any', 1, '{}', 'joined', 2, false, '', '', p.id, s, \
             now(), 7 from players p, unnest(array['open', 'starting', 'running', 'finished', 'cancelled']) s",
        )
        .await
        .expect("games");
    assert_eq!(migrate(&address).await.expect("migrations"), later);
    let days = "select status || ' ' || coalesce(round(extract(epoch from expires_at - now()) / 86400)::text, '-') as told \
                from games order by status";
    let days: Vec<Days> = diesel::sql_query(days).load(&mut connection).await.expect("games");
    let days: Vec<&str> = days.iter().map(|row| row.told.as_str()).collect();
    assert_eq!(days, ["cancelled -", "finished -", "open 31", "running -", "starting 31"]);
}
