//! What tests do behind the API's back: rows by the thousand, numbers and plans.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use uuid::Uuid;

/// Enough rows that a sequential scan would be the worse plan.
pub const MANY: u32 = 5_000;

/// The game with this number.
pub fn game(number: u32) -> Uuid {
    Uuid::from_u128(number.into())
}

/// A player; a few players have all the games.
pub fn player(number: u32) -> Uuid {
    Uuid::from_u128((1 << 100) + u128::from(number % 50))
}

/// Rows of games `from` to `until` at event 1, each with players, events and a stored response.
pub async fn db_games(connection: &mut AsyncPgConnection, from: u32, until: u32) {
    let id = "lpad(to_hex(i), 32, '0')::uuid";
    let player = "lpad('1' || lpad(to_hex(i % 50), 25, '0'), 32, '0')::uuid";
    let other = "lpad('1' || lpad(to_hex((i + 1) % 50), 25, '0'), 32, '0')::uuid";
    let rows = format!(
        "insert into players (id, handle, email, email_key, password_hash, created_at) \
         select {player}, 'p' || i || 'x', i || '@example.org', i || '@example.org', '', now() from generate_series(0, 49) i \
         on conflict do nothing; \
         insert into games (id, rules, rules_version, options, seating, seats, private, commitment, master_sealed, creator_id, \
         status, created_at) select {id}, 'pip-pip', 1, '{{}}', 'joined', 2, false, '', '', {player}, 'running', now() \
         from generate_series({from}, {until}) i; \
         insert into game_states (game_id, seq, head, at, snapshot, to_act_seat, to_act_player, deadline_at, remind_at) \
         select {id}, 1, '', now(), repeat(md5(i::text), 12), 0, {player}, now() + i * interval '1 minute', now() + i * interval '1 second' \
         from generate_series({from}, {until}) i; \
         insert into game_players (game_id, player_id, joined, entropy, seat) \
         select {id}, {player}, 0, '', 0 from generate_series({from}, {until}) i; \
         insert into game_players (game_id, player_id, joined, entropy, seat) \
         select {id}, {other}, 1, '', 1 from generate_series({from}, {until}) i; \
         insert into events (game_id, seq, line) select {id}, 0, '{{}}' from generate_series({from}, {until}) i; \
         insert into events (game_id, seq, line) select {id}, 1, '{{}}' from generate_series({from}, {until}) i; \
         insert into idempotency_keys (player_id, key, fingerprint, answer, created_at) \
         select {player}, 'old ' || i, '\\x00', repeat('x', 200), now() from generate_series({from}, {until}) i"
    );
    connection.batch_execute(&rows).await.expect("rows of games");
}

pub async fn plan(connection: &mut AsyncPgConnection, statement: &str) -> String {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        line: String,
    }
    let lines = diesel::sql_query(format!("explain {statement}")).load::<Line>(connection).await;
    lines.expect("a plan").into_iter().map(|line| line.line).collect::<Vec<_>>().join("\n")
}

pub async fn db_count(connection: &mut AsyncPgConnection, statement: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    diesel::sql_query(statement).get_result::<Row>(connection).await.expect("a number").count
}

/// Ratings of every player as they went over 40 days, in two classes.
pub async fn db_ratings(connection: &mut AsyncPgConnection) {
    let rows = "insert into player_ratings \
        select p.id, pool, 'pip-pip', 'slow', '2026-10-01'::date + day, \
            1500000 + 400000 * sin(day / 7.0 + length(p.handle)) * (1 - exp(-day / 20.0)), \
            70000 + 280000 * exp(-day / 8.0), 60000000, day, day = 40 \
        from players p, generate_series(1, 40, 3) day, unnest(array['people', 'bots']) pool";
    connection.batch_execute(rows).await.expect("rows");
}
